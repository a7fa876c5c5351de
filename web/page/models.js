// What the listing costs on every machine: the memory machines as they are set, and those of courses.
import { words } from "./words.js";
import { by, grouped, make, table } from "./dom.js";
import { ask, cancel } from "./engine.js";
import { answers, isWell } from "./time_by_phase.js";
import { wording } from "./state.js";

const modelTexts = words.models;
// By name, the text of each parameter; what is empty has its default.
const rules = Object.fromEntries(Object.keys(modelTexts.rules).map((name) => [name, ""]));
const options = { pram: ["", "erew", "crew", "common", "arbitrary", "priority", "combining"], cost: ["", "both", "accesses", "operations"], spawn: ["", "free", "log"], policy: ["", "lru", "opt"] };
const modelsKey = () => JSON.stringify([wording(), rules]);
let shownModels = "";

const shownFigure = (it) => (typeof it === "number" ? (Number.isInteger(it) ? grouped(it) : String(+it.toPrecision(4))) : typeof it === "boolean" ? modelTexts.flags[it] : Array.isArray(it) ? it.join(", ") : String(it));

function rowOf({ machine, refused, ...figures }) {
  const { kind, ...parameters } = machine;
  const name = words.kinds[kind] ?? modelTexts.names[kind];
  const settings = Object.entries(parameters).filter(([, it]) => it !== null && typeof it !== "object").map(([key, it]) => `${key} = ${shownFigure(it)}`).join("  ");
  const wide = (...parts) => make("td", { class: "wide" }, ...parts);
  const first = Object.entries(figures)[0] ?? ["", ""];
  const rest = Object.entries(figures).slice(1).map(([key, it]) => `${key} ${shownFigure(it)}`).join(" · ");
  return [name, wide(settings), refused ? wide(modelTexts.refused(refused)) : wide(make("strong", {}, `${first[0]} ${shownFigure(first[1])}`)), wide(refused ? "" : rest)];
}

async function compareModels() {
  if (!isWell()) return (by("models-status").textContent = answers.first?.error?.message ?? "");
  const of = modelsKey();
  by("models-status").textContent = words.charts.needs;
  const given = Object.fromEntries(Object.entries(rules).filter(([, it]) => it !== ""));
  const answer = await ask("study", { ask: "models", case: { ...wording(), bulk: null }, rules: given });
  if (!answer || of !== modelsKey()) return;
  by("models-status").textContent = answer.error?.message ?? "";
  shownModels = of;
  by("models").replaceChildren(...(answer.ok ? [table([modelTexts.machine, modelTexts.parameters, modelTexts.cost, modelTexts.more], answer.ok.map(rowOf)), make("pre", { id: "models-json", hidden: true }, JSON.stringify(answer.ok))] : []));
}

export function showModels() {
  if (!by("models")) {
    const field = (name) => {
      const set = (it) => {
        rules[name] = it.target.value.trim();
        compareModels();
      };
      const control = options[name]
        ? make("select", { id: `rule-${name}`, onchange: set }, ...options[name].map((it) => make("option", { value: it }, it || modelTexts.unset)))
        : make("input", { type: "text", size: 8, id: `rule-${name}`, placeholder: modelTexts.unset, onchange: set });
      return make("label", { class: "rule" }, `${name}, ${modelTexts.rules[name]}`, control);
    };
    by("view-models").replaceChildren(make("p", { class: "quiet" }, modelTexts.about), make("details", { class: "no-print" }, make("summary", {}, modelTexts.parameters), make("div", { class: "rules" }, ...Object.keys(rules).map(field))),
      make("div", { class: "row no-print" }, make("button", { onclick: () => cancel("study") }, words.stop), make("span", { id: "models-status", role: "status" })), make("div", { id: "models" }));
  }
  if (shownModels !== modelsKey()) compareModels();
}
