// Questions that follow from a seed, a sheet to print, and challenges.
import { words } from "./words.js";
import { by, make, numberField } from "./dom.js";
import { ask } from "./engine.js";
import { change, state, wording } from "./state.js";

const t = words.exercises;
let seed = 1;
let challenges = [];

function wordsOf(it) {
  const { kind, width: w, latency: l } = it.machine;
  const name = kind.toUpperCase();
  if (it.kind === "stages") return t.stages(name, w, it.steps[0].join(", "));
  if (it.kind === "time_units") return t.time_units(name, w, l, it.steps.map((step, at) => `${at + 1}) ${step.join(" ")}`).join("; "));
  return t.arrangement(name, w, l, it.inputs, it.cells, it.cell);
}

function because(it) {
  if (it.kind === "arrangement") return t.both(it.row, it.column);
  const stages = it.contents.map((warp) => warp.map((stage) => `{${stage.join(", ")}}`).join(" "));
  return t.because(stages.join(" | "));
}

function card(it, at) {
  const answer = it.kind === "arrangement" ? t.choices[it.answer] : String(it.answer);
  const field = it.kind === "arrangement"
    ? make("select", { "aria-label": `${at + 1}` }, make("option", { value: "" }, "…"), ...Object.entries(t.choices).map(([value, text]) => make("option", { value }, text)))
    : make("input", { type: "number", min: 0, "aria-label": `${at + 1}` });
  const said = make("p", { role: "status" });
  const hint = it.kind === "arrangement" ? t.arrangementHint : t.hints[it.machine.kind] + (it.kind === "time_units" ? ` ${t.timeHint}` : "");
  const check = () => {
    const right = field.value === String(it.answer);
    said.textContent = right ? `${t.right} ${because(it)}` : t.no;
    said.className = right ? "good" : "bad";
  };
  const reveal = () => {
    said.textContent = `${t.answer(answer)} ${because(it)}`;
    said.className = "";
  };
  return make("div", { class: "card" }, make("p", {}, `${at + 1}. ${wordsOf(it)}`),
    make("div", { class: "row no-print" }, field, make("button", { onclick: check }, t.check), make("button", { onclick: () => ((said.textContent = hint), (said.className = "quiet")) }, t.hint), make("button", { onclick: reveal }, t.reveal)),
    said, make("p", { class: "solution", hidden: true }, `${t.answer(answer)} ${because(it)}`));
}

async function questions() {
  const answer = await ask("study", { ask: "exercises", seed, number: 6 });
  if (!answer?.ok) return;
  by("questions").replaceChildren(...answer.ok.map(card));
}

function print() {
  const shown = by("with-answers").checked;
  for (const it of document.querySelectorAll(".solution")) it.hidden = !shown;
  window.print();
  for (const it of document.querySelectorAll(".solution")) it.hidden = true;
}

async function judge(name) {
  const answer = await ask("steps", { ask: "judge", challenge: name, case: wording(), seed: Math.floor(Math.random() * 2 ** 32) });
  const said = by(`judged-${name}`);
  if (!answer) return;
  if (answer.error) {
    said.textContent = answer.error.message;
    said.className = "bad";
    return;
  }
  const { right, wrong, time, target } = answer.ok;
  said.textContent = right ? t.solved(time, target) : t.failed(wrong, time);
  said.className = right && time <= target ? "good" : "bad";
}

function challenge(it) {
  const take = () => change({ name: "", listing: it.listing, set: { n: it.n }, machine: it.machine, w: it.w, l: it.l, p: it.p, mode: "sync", bulk: null, inputs: {}, at: 0 }, "listing");
  return make("div", { class: "card no-print" }, make("h3", {}, t.names[it.name]), make("p", {}, t.goals[it.name]), make("p", { class: "quiet" }, t.settings(it)),
    make("div", { class: "row" }, make("button", { onclick: take }, t.take), make("button", { id: `judge-${it.name}`, onclick: () => judge(it.name) }, t.judge)),
    make("p", { id: `judged-${it.name}`, role: "status" }));
}

export async function showExercises() {
  if (by("questions")) return;
  const [number, fault] = numberField("exercise-seed", { least: 0, on: "change", value: seed }, (it) => {
    seed = it ?? seed;
    by("questions").replaceChildren();
    if (it !== null) questions();
  });
  const next = () => {
    number.value = seed + 1;
    number.dispatchEvent(new Event("change"));
  };
  by("view-exercises").replaceChildren(make("h2", {}, t.head),
    make("div", { class: "row no-print" }, make("label", { for: "exercise-seed" }, t.seed), number, fault, make("button", { onclick: next }, t.other), make("button", { onclick: print }, t.print),
      make("label", { class: "check" }, make("input", { type: "checkbox", id: "with-answers" }), t.withAnswers)),
    make("div", { id: "questions" }), make("h2", { class: "no-print" }, t.challenges), make("div", { id: "challenges" }));
  await questions();
  challenges = (await ask("study", { ask: "challenges" }))?.ok ?? [];
  by("challenges").replaceChildren(...challenges.map(challenge));
}
