// The exact time by phase, with the sum spelled out; and a run with values on request.
import { words } from "./words.js";
import { by, grouped, make, table } from "./dom.js";
import { ask, cancel } from "./engine.js";
import { showMisfits, showWrong } from "./editor.js";
import { machineOf, state, wording } from "./state.js";

export const answers = { first: null, second: null };

function view(answer, second) {
  if (!answer) return make("div");
  if (answer.error) return make("div", {}, make("p", { class: "bad", role: "alert" }, answer.error.message), answer.error.help ? make("p", {}, answer.error.help) : null);
  const { report, steps } = answer.ok;
  const it = machineOf(second);
  const total = report.time_units;
  const sum = steps ? steps.reduce((a, b) => a + b, 0) : null;
  const spelled = steps
    ? `${words.sum(grouped(report.stages), grouped(sum), it.l)} = ${grouped(total)}`
    : words.noSum[it.mode === "async" ? "async" : "hmm"];
  const columns = words.columns;
  const heads = [columns.phase, columns.accesses, columns.stages, ...(steps ? [columns.steps] : []), columns.time, columns.share];
  const row = (name, counts, at) => {
    const share = (100 * counts.time_units) / Math.max(1, total);
    const bar = make("span", { class: "bar", style: `width:${(share * 0.6).toFixed(1)}px`, "aria-hidden": "true" });
    const number = at == null ? sum : steps?.[at];
    return [name, grouped(counts.accesses), grouped(counts.stages), ...(steps ? [grouped(number)] : []), grouped(counts.time_units), make("td", {}, bar, ` ${share.toFixed(1)} %`)];
  };
  const rows = report.phases.map((phase, at) => row(phase.name, phase, at));
  if (rows.length !== 1) rows.push(row(words.all, report, null));
  const how = report.executed?.length ? `${words.executed}: ${report.executed.flatMap((it) => it.phases).join(", ")}` : words.counted;
  return make("div", { "data-time": total },
    state.second ? make("h3", {}, second ? words.second : words.first) : null,
    make("div", { class: "total" }, words.units(grouped(total))),
    make("p", { class: "sum" }, spelled),
    table(heads, rows), make("p", { class: "quiet" }, how));
}

// There is no result; what was shown before is no longer one.
export function fail(error) {
  Object.assign(answers, { first: { error }, second: null });
  showMisfits([]);
  drawTime();
}

export const isWell = () => Boolean(answers.first?.ok);

export async function showTime() {
  const [first, second] = await Promise.all([
    ask("live", { ask: "time", case: wording() }),
    state.second ? ask("study", { ask: "time", case: wording(true) }) : null,
  ]);
  if (!first) return;
  answers.first = first;
  answers.second = second ?? (state.second ? answers.second : null);
  // What is wrong with sizes stands at them.
  showWrong(first.error?.sizes ? null : (first.error ?? null));
  showMisfits([first, second].flatMap((it) => it?.ok?.misfits ?? []));
  drawTime();
}

function drawTime() {
  const { first, second } = answers;
  const ratio = state.second && first?.ok && second?.ok
    ? make("p", { class: "total" }, words.ratio("", (second.ok.report.time_units / Math.max(1, first.ok.report.time_units)).toPrecision(3)))
    : null;
  const pair = make("div", { class: "pair" }, view(first, false), state.second ? view(second, true) : null);
  const old = by("time-result");
  if (old) {
    old.replaceChildren(pair, ratio ?? "");
    by("run").disabled = !isWell();
    return;
  }
  by("view-time").replaceChildren(make("div", { id: "time-result", "aria-live": "polite" }, pair, ratio ?? ""),
    make("p", { class: "no-print" }, make("button", { id: "run", disabled: !isWell(), onclick: run }, words.run), " ", make("button", { id: "stop", hidden: true, onclick: () => cancel("steps") }, words.stop)),
    make("div", { id: "run-result", role: "status" }));
}

export function forgetRun() {
  by("run-result")?.replaceChildren();
}

async function run() {
  by("run-result").replaceChildren(words.running);
  by("stop").hidden = false;
  const answer = await ask("steps", { ask: "run", case: wording() });
  by("stop").hidden = true;
  if (!answer) return;
  if (answer.error) {
    by("run-result").replaceChildren(make("p", { class: "bad" }, answer.error.message));
    showWrong(answer.error);
    return;
  }
  const it = answer.ok;
  const verdict = it.verified === null ? words.unknown : it.verified ? words.right : words.wrong;
  by("run-result").replaceChildren(
    make("p", { class: it.verified === false ? "bad" : it.verified ? "good" : "" }, verdict),
    it.answer === null ? "" : make("p", {}, words.answer(it.answer)),
    ...(it.races ?? []).slice(0, 1).map((race) => make("p", { class: "bad" }, `${words.raceOn(race.element)}, ${words.stepper.line(race.line)}: ${race.text}`)),
    make("p", { id: "run-json", hidden: true }, JSON.stringify(it)));
}
