// The listing line by line: what each line takes, as heat, beside a listing that was held before; and its CUDA C.
import { words } from "./words.js";
import { by, grouped, make } from "./dom.js";
import { ask } from "./engine.js";
import { answers, isWell } from "./time_by_phase.js";
import { change, state, wording } from "./state.js";

const lineTexts = words.lines;
let held = null;
let measure = "time_units";
let code = null;
let costs = { key: "", mine: null, held: null };
const linesKey = () => JSON.stringify([wording(), held]);

// Lines without their comments, which take room and no time.
const codeOf = (text) => text.trimEnd().split("\n").map((it) => it.replace(/\s*\/\/.*$/, ""));

// Pairs of lines, by the longest common subsequence; a line without a partner has null beside it.
function paired(mine, other) {
  const longest = Array.from({ length: mine.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = mine.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) longest[i][j] = mine[i] === other[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  }
  const pairs = [];
  let [i, j] = [0, 0];
  while (i < mine.length || j < other.length) {
    if (i < mine.length && j < other.length && mine[i] === other[j]) pairs.push([i++, j++]);
    else if (j < other.length && (i === mine.length || longest[i][j + 1] >= longest[i + 1][j])) pairs.push([null, j++]);
    else pairs.push([i++, null]);
  }
  return pairs;
}

const total = (all) => Object.values(all ?? {}).reduce((sum, it) => sum + (it[measure] ?? 0), 0);

// A line with its number and its cost; hotter, the more of all it is.
function cells(lines, at, all) {
  if (at === null) return [make("td", {}), make("td", {}), make("td", { class: "code" })];
  const cost = all?.[at + 1];
  const value = cost?.[measure];
  const share = value ? value / Math.max(1, total(all)) : 0;
  const heat = `--heat:${Math.round(60 * share)}%`;
  return [make("td", { class: "heat", style: heat, title: cost ? lineTexts.title(cost) : "" }, value == null ? "" : grouped(value)), make("td", { class: "quiet" }, String(at + 1)), make("td", { class: "code" }, lines[at])];
}

function drawLines() {
  const mine = codeOf(state.listing);
  const other = held === null ? null : codeOf(held);
  const pairs = other ? paired(mine, other) : mine.map((_, at) => [at, null]);
  const head = [lineTexts.measures[measure], lineTexts.line, lineTexts.now];
  const heads = other ? [...head, lineTexts.measures[measure], lineTexts.line, lineTexts.held] : head;
  const rows = pairs.map(([i, j]) => make("tr", { class: other && (i === null || j === null) ? "changed" : "" }, ...cells(mine, i, costs.mine), ...(other ? cells(other, j, costs.held) : [])));
  const sum = (all) => [make("td", {}, grouped(total(all))), make("td", {}), make("td", {}, words.all)];
  rows.push(make("tr", { id: "line-sums" }, ...sum(costs.mine), ...(other ? sum(costs.held) : [])));
  by("lines").replaceChildren(make("div", { class: "scroll", tabindex: 0, role: "group" }, make("table", { class: "lines" }, make("thead", {}, make("tr", {}, ...heads.map((it) => make("th", { scope: "col" }, it)))), make("tbody", {}, ...rows))));
  by("release").hidden = by("swap").hidden = !held;
}

async function timeLines() {
  if (!isWell()) {
    by("lines-status").textContent = answers.first?.error?.message ?? "";
    return;
  }
  const key = linesKey();
  if (costs.key !== key) {
    by("lines-status").textContent = words.charts.needs;
    const mine = await ask("study", { ask: "lines", case: wording() });
    const other = mine && held ? await ask("study", { ask: "lines", case: { ...wording(), listing: held } }) : null;
    if (!mine || key !== linesKey()) return;
    costs = { key, mine: mine.ok, held: other?.ok };
    by("lines-status").textContent = mine.error?.message ?? other?.error?.message ?? "";
    if (measure === "time_units" && Object.values(mine.ok ?? {}).some((it) => it.time_units === null)) measure = by("line-measure").value = "stages";
  }
  drawLines();
}

async function showCode() {
  if (!by("cuda-box").open || code === state.listing) return;
  const answer = await ask("study", { ask: "cuda", case: wording() });
  if (!answer) return;
  code = state.listing;
  by("cuda").textContent = answer.ok ?? answer.error.text;
}

const hold = (text) => {
  held = text;
  return timeLines();
};

export async function showLines() {
  if (!by("lines")) {
    const button = (id, text, act) => make("button", { id, onclick: act }, text);
    const swap = () => {
      const other = held;
      held = state.listing;
      change({ listing: other, name: "" }, "listing");
    };
    by("view-lines").replaceChildren(make("p", { class: "quiet" }, lineTexts.about),
      make("div", { class: "row no-print" }, make("label", { for: "line-measure" }, lineTexts.heat),
        make("select", { id: "line-measure", onchange: (it) => ((measure = it.target.value), drawLines()) }, ...Object.entries(lineTexts.measures).map(([value, text]) => make("option", { value }, text))),
        button("hold", lineTexts.hold, () => hold(state.listing)), button("swap", lineTexts.swap, swap), button("release", lineTexts.release, () => hold(null)), make("span", { id: "lines-status", role: "status" })),
      make("div", { id: "lines" }), make("details", { id: "cuda-box", ontoggle: showCode }, make("summary", {}, lineTexts.cuda), make("pre", { id: "cuda", class: "scroll", tabindex: 0 })));
  }
  await timeLines();
  await showCode();
}
