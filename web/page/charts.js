// Time against w, l, p, d or a size, with bounds; the regime map.
import { words } from "./words.js";
import { by, grouped, make, table } from "./dom.js";
import { ask, cancel } from "./engine.js";
import { listing } from "./editor.js";
import { fieldsOf } from "./machine.js";
import { answers, isWell } from "./time_by_phase.js";
import { change, state, wording } from "./state.js";
import { curves, map } from "./chart.js";
import { themeNow } from "./stepper.js";

const kept = { key: "", points: null, second: null, cells: null, bounds: null, measured: null };
const chartKey = () => JSON.stringify([wording(), state.second, state.axis]);

function values(axis) {
  if (axis === "w") return [1, 2, 4, 8, 16, 32, 64, 128];
  if (axis === "l") return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  if (axis === "p") return Array.from({ length: 11 }, (_, at) => 4 ** at / 1).map((it) => it * 1).filter((it) => it <= 1 << 18);
  if (axis === "d") return [1, 2, 4, 8, 16, 32, 64];
  const most = Math.max(64, Math.min(4096, (state.set[axis] ?? 16) * 2));
  const all = [];
  for (let it = 4; it <= most; it *= 2) all.push(it, ...(it * 1.5 <= most ? [it * 1.5] : []));
  return all;
}

// Of several questions only the last would be answered: each waits for those before it.
let turn = Promise.resolve();

export function showCharts() {
  prepareCharts();
  turn = turn.then(sweepAll);
  return turn;
}

async function sweepAll() {
  const key = chartKey();
  if (isWell() && kept.key === key && kept.points) return drawCharts();
  Object.assign(kept, { key, points: null, second: null, cells: null, bounds: null, measured: null });
  if (!isWell()) {
    drawCharts();
    by("chart-status").textContent = answers.first?.error?.message ?? "";
    return;
  }
  by("chart-status").textContent = words.charts.needs;
  const { axis } = state;
  const sweep = (second) => ask("study", { ask: "sweep", case: wording(second), axis, values: values(axis) });
  const points = await sweep(false);
  if (!points || key !== chartKey()) return;
  const second = state.second ? await sweep(true) : null;
  if (key !== chartKey()) return;
  const bounds = await ask("study", { ask: "bounds", case: wording() });
  if (key !== chartKey()) return;
  Object.assign(kept, { points, second, bounds });
  by("chart-status").textContent = points.error?.message ?? "";
  drawCharts();
}

async function regime() {
  if (!isWell()) return;
  by("chart-status").textContent = words.charts.needs;
  const key = chartKey();
  const threads = near([1, 4, 16, 64, 256, 1024, 4096, 16384, 65536], state.p);
  const latencies = near([1, 2, 5, 10, 30, 100, 300, 1000], state.l);
  const answer = await ask("study", { ask: "regime", case: wording(), threads, latencies });
  by("chart-status").textContent = answer?.error?.message ?? "";
  if (!answer?.ok || key !== chartKey()) return;
  kept.cells = answer.ok;
  drawCharts();
}

async function gpu() {
  if (!isWell()) return;
  by("chart-status").textContent = words.charts.needs;
  const key = chartKey();
  const answer = await ask("study", { ask: "measured", case: wording() });
  if (!answer || key !== chartKey()) return;
  kept.measured = answer.ok;
  by("chart-status").textContent = answer.error?.message ?? (answer.ok?.points.length ? "" : words.charts.notMeasured);
  drawCharts();
}

// The value that is set stands among the others.
const near = (all, value) => [...new Set([...all, value])].sort((a, b) => a - b);

function prepareCharts() {
  const fields = fieldsOf(state);
  const axes = [...["w", "l", "p", "d"].filter((it) => fields.includes(it)), ...(listing?.parameters ?? []).map((it) => it.name)];
  if (!axes.includes(state.axis)) state.axis = "w";
  const select = () => make("select", { id: "axis", onchange: (it) => change({ axis: it.target.value }, "axis") },
    ...axes.map((it) => make("option", { value: it, selected: it === state.axis }, it)));
  if (by("axis")) {
    by("axis").replaceWith(select());
    by("regime").hidden = !fields.includes("p");
    return;
  }
  by("view-charts").replaceChildren(
    make("div", { class: "row no-print" }, make("label", { for: "axis" }, words.charts.axis), select(),
      make("button", { id: "regime", hidden: !fields.includes("p"), onclick: () => (turn = turn.then(regime)) }, words.charts.regime), make("button", { id: "gpu", onclick: () => (turn = turn.then(gpu)) }, words.charts.measured), make("button", { onclick: () => cancel("study") }, words.stop), make("span", { id: "chart-status", role: "status" })),
    make("div", { id: "chart", class: "picture" }), make("div", { id: "map", class: "picture" }), make("div", { id: "measured", class: "picture" }), make("p", { class: "quiet", id: "map-help" }),
    make("details", {}, make("summary", {}, words.stepper.table), make("div", { id: "chart-table" })),
    make("h3", {}, words.charts.bounds), make("div", { id: "bounds" }));
  by("map").addEventListener("click", (it) => {
    const { p, l } = it.target.dataset;
    if (p) change({ p: Number(p), l: Number(l) }, "machine");
  });
}

export function chartSvg(wide = true) {
  const theme = themeNow();
  const points = kept.points?.ok;
  if (!points?.length) return "";
  const { axis } = state;
  const t = words.charts;
  const both = state.second && kept.second?.ok;
  const line = (name, of, key, dashed) => ({ name, dashed, points: of.filter((it) => it[key]).map((it) => [it.value, it[key]]) });
  const lines = both
    ? [line(words.first, points, "time"), line(words.second, kept.second.ok, "time")]
    : [line(t.time, points, "time"), line(t.lower, points, "lower", true), line(t.upper, points, "upper", true)].filter((it) => it.points.length);
  const here = state.set[axis] ?? state[axis];
  const now = answers.first?.ok?.report.time_units;
  return curves(theme, t.title(state.name, axis), words.fields[axis] ?? axis, lines, now ? [here, now] : null, { wide });
}

export const mapSvg = (wide = true) => (kept.cells ? map(themeNow(), words.charts.regimeTitle(state.name), kept.cells, state, wide) : "");

export function measuredSvg(wide = true) {
  const points = kept.measured?.points;
  if (!points?.length) return "";
  const t = words.charts;
  const line = (name, key, dots) => ({ name, dots, points: points.filter((it) => it[key]).map((it) => [it.value, it[key]]) });
  return curves(themeNow(), t.measuredTitle(state.name, kept.measured.device, kept.measured.axis), kept.measured.axis === "p" ? t.inputs : kept.measured.axis, [line(t.predicted, "predicted"), line(t.measuredDots, "measured", true)], null, { units: t.seconds, wide });
}

function drawCharts() {
  const wide = by("view-charts").clientWidth >= 700;
  by("measured").innerHTML = measuredSvg(wide);
  by("chart").innerHTML = chartSvg(wide);
  by("map").innerHTML = mapSvg(wide);
  by("map-help").textContent = kept.cells ? words.charts.click : "";
  const t = words.charts;
  const number = (it) => (it == null ? "–" : grouped(Math.round(it)));
  by("chart-table").replaceChildren(table([state.axis, t.time, t.lower, t.upper], (kept.points?.ok ?? []).map((it) => [String(it.value), number(it.time), number(it.lower), number(it.upper)])));
  by("bounds").replaceChildren(table([t.bound, t.kind, t.formula, t.value, t.source], (kept.bounds?.ok ?? []).map((it) => [it.name + (it.phase ? ` (${it.phase})` : ""), it.kind, make("td", { class: "wide" }, it.formula), grouped(it.value), make("td", { class: "wide" }, it.source)])));
}
