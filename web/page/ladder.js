// From the listing to faster ones, each step proved.
import { words } from "./words.js";
import { by, grouped, make, numberField, table } from "./dom.js";
import { ask, cancel } from "./engine.js";
import { answers, isWell } from "./time_by_phase.js";
import { change, state, wording } from "./state.js";

const texts = words.ladder;
const reach = { steps: 3, launch: 0, reassociate: false };
// A listing in turn has one thread; those that it becomes have more.
const ladderThreads = { p: state.p };
const ladderKey = () => JSON.stringify([wording(), ladderThreads, reach]);
let shownLadder = "";

async function searchLadder() {
  if (!isWell()) return sayOfLadder(answers.first?.error?.message ?? "");
  const of = ladderKey();
  sayOfLadder(texts.needs);
  by("rungs").replaceChildren();
  const answer = await ask("study", { ask: "improve", case: { ...wording(), ...ladderThreads }, ...reach });
  if (!answer || of !== ladderKey()) return;
  sayOfLadder(answer.error?.message ?? "");
  if (!answer.ok) return;
  shownLadder = of;
  by("rungs").replaceChildren(...rungsOf(answer.ok), make("pre", { id: "ladder-json", hidden: true }, JSON.stringify(answer.ok)));
}

const sayOfLadder = (text) => (by("ladder-status").textContent = text);

function rungsOf({ rungs, refused, lower_bound: bound }) {
  const first = rungs[0].time_units;
  const last = rungs[rungs.length - 1];
  const rows = rungs.map(({ time_units: time, stages, launches, step }, at) => [
    String(at), grouped(time), grouped(stages), launches == null ? "–" : grouped(launches), `${(first / Math.max(1, time)).toFixed(2)} ×`, make("td", { class: "wide" }, step?.what ?? texts.asItWas)]);
  const put = (rung) => change({ name: "", listing: rung.listing, bulk: rung.bulk ?? null, ...ladderThreads, at: 0 }, "listing");
  const cards = rungs.slice(1).map((rung, at) => make("details", { class: "card", open: rung === last },
    make("summary", {}, `${at + 1}. ${rung.step.what}`),
    make("p", {}, texts.why(rung.step.line, rung.step.why, rung.step.runs)),
    make("button", { "data-rung": at + 1, onclick: () => put(rung) }, words.exercises.take),
    make("pre", { class: "scroll", tabindex: 0 }, rung.listing)));
  const lines = refused.slice(0, 5).map((it) => make("p", { class: "quiet" }, texts.refused(it.what, it.reason.replace("--reassociate", texts.reassociate))));
  const least = bound ? [make("p", {}, texts.bound((last.time_units / Math.max(1, bound.time_units)).toFixed(2), grouped(bound.time_units), bound.name))] : [];
  return [table([texts.rung, words.charts.units, words.columns.stages, texts.launches, texts.faster, texts.step], rows), ...least, ...cards, ...lines];
}

export function showLadder() {
  if (by("rungs")) {
    if (shownLadder && shownLadder !== ladderKey()) {
      by("rungs").replaceChildren();
      sayOfLadder(texts.changed);
    }
    return;
  }
  const field = (name, least, of = reach) => numberField(`ladder-${name}`, { least, value: of[name] }, (it) => (of[name] = it ?? of[name]));
  by("view-ladder").replaceChildren(make("p", { class: "quiet" }, texts.about),
    make("div", { class: "row no-print" }, make("label", { for: "ladder-steps" }, texts.steps), ...field("steps", 0), make("label", { for: "ladder-p" }, words.fields.p), ...field("p", 1, ladderThreads),
      make("label", { for: "ladder-launch" }, texts.launch), ...field("launch", 0),
      make("label", { class: "check" }, make("input", { type: "checkbox", id: "ladder-reassociate", onchange: (it) => (reach.reassociate = it.target.checked) }), texts.reassociate)),
    make("div", { class: "row no-print" }, make("button", { id: "ladder-search", onclick: searchLadder }, texts.search), make("button", { onclick: () => cancel("study") }, words.stop), make("span", { id: "ladder-status", role: "status" })),
    make("div", { id: "rungs" }));
}
