// Exercises of the library's bank: of a seed, of a course, or one alone in another page; a sheet to print.
import { words } from "./words.js";
import { by, make, numberField } from "./dom.js";
import { ask } from "./engine.js";
import { change, course, fragment, state } from "./state.js";
import { tell } from "./embed.js";
import { report, startCourse } from "./scorm.js";

const t = words.exercises;
const numberOfQuestions = 8;
let sheet = { seed: Math.max(0, Math.floor(Number(fragment.seed))) || 1, kind: "" };
let learned = null;
// By number: whether it is right.
const results = [];

const worth = (at) => course?.exercises[at].points ?? 1;
const sum = (of, all) => all.reduce((total, _, at) => total + (of(at) ? worth(at) : 0), 0);

// Tells what came of an exercise: the learning platform, and the page around.
function score(it, at, right, all) {
  results[at] = right;
  const [points, of] = [sum((it) => results[it], all), sum(() => true, all)];
  if (course) {
    report(at, right, Math.round((100 * points) / Math.max(1, of)), course.passing);
    by("progress").textContent = t.progress(points, of);
  }
  tell({ umm: "score", item: it.item, seed: it.seed, right, points, of });
}

function editorOf(it) {
  const { machine, n, w, l, p } = it.setting;
  return change({ name: "", listing: it.listing, set: { n }, machine, w, l, p, mode: "sync", bulk: null, inputs: {}, at: 0 }, "listing");
}

const numbered = (text) => text.trimEnd().split("\n").map((line, at) => `${String(at + 1).padStart(3)}  ${line}`).join("\n");

function card(it, at, all) {
  const label = t.answerTo(at + 1);
  const field = it.is_listing
    ? make("textarea", { class: "data", rows: 12, spellcheck: "false", "aria-label": label }, it.listing)
    : make("input", { type: "text", autocomplete: "off", "aria-label": label });
  const said = make("p", { role: "status" });
  const say = (text, name) => Object.assign(said, { textContent: text, className: name });
  const button = (name, text, act) => make("button", { "data-act": name, onclick: act }, text);
  const check = async () => {
    const answer = await ask("study", { ask: "mark", item: it.item, seed: it.seed, answer: field.value });
    if (!answer) return;
    const wrong = answer.error?.message ?? answer.ok;
    say(wrong === null ? `${t.right} ${it.because}` : `${t.no} ${wrong}`, wrong === null ? "good" : "bad");
    score(it, at, wrong === null, all);
  };
  if (learned?.marks[at] === "1") say(t.right, "good");
  field.addEventListener("keydown", (key) => key.key === "Enter" && !it.is_listing && check());
  const solution = it.is_listing ? [t.answer(""), make("pre", {}, it.answer)] : [t.answer(it.answer), " ", it.because];
  return make("div", { class: "card", id: `exercise-${at}`, "data-item": it.item }, make("p", {}, `${at + 1}. ${it.text}`),
    it.listing && !it.is_listing ? make("pre", { class: "scroll", tabindex: 0 }, numbered(it.listing)) : null,
    make("div", { class: "row no-print" }, field),
    make("div", { class: "row no-print" }, button("check", t.check, check), button("hint", t.hint, () => say(it.hint, "quiet")), button("reveal", t.reveal, () => said.replaceChildren(...solution.map((part) => part.cloneNode?.(true) ?? part))),
      it.listing && it.setting ? button("take", t.take, () => editorOf(it)) : null,
      it.is_listing ? button("from", t.from, () => (field.value = state.listing)) : null),
    said, make("div", { class: "solution", hidden: true }, ...solution));
}

async function questions() {
  const { seed, kind } = sheet;
  const items = course?.exercises.map((it) => it.item) ?? (fragment.item ? [fragment.item] : null);
  const answer = await ask("study", items
    ? { ask: "course", seed: course?.seed ?? seed, title: course?.title ?? "", student: learned?.student ?? "", items }
    : { ask: "sheet", seed, number: numberOfQuestions, kind: kind || null });
  if (!answer) return;
  results.length = 0;
  for (const mark of learned?.marks ?? "") results.push(mark === "1");
  by("questions").replaceChildren(...(answer.ok?.map(card) ?? [make("p", { class: "bad", role: "alert" }, answer.error.message)]));
}

function print() {
  const shown = by("with-answers").checked;
  for (const it of document.querySelectorAll(".solution")) it.hidden = !shown;
  window.print();
  for (const it of document.querySelectorAll(".solution")) it.hidden = true;
}

// What changes the sheet.
function choices() {
  const [number, fault] = numberField("exercise-seed", { least: 0, on: "change", value: sheet.seed }, (it) => {
    by("questions").replaceChildren();
    if (it === null) return;
    sheet.seed = it;
    questions();
  });
  const next = () => {
    number.value = sheet.seed + 1;
    number.dispatchEvent(new Event("change"));
  };
  const kinds = make("select", { id: "exercise-kind", onchange: (it) => ((sheet.kind = it.target.value), questions()) },
    ...Object.entries(t.kinds).map(([value, text]) => make("option", { value }, text)));
  return make("div", { class: "row no-print" }, make("label", { for: "exercise-kind" }, t.kind), kinds, make("label", { for: "exercise-seed" }, t.seed), number, fault, make("button", { onclick: next }, t.other), make("button", { onclick: print }, t.print),
    make("label", { class: "check" }, make("input", { type: "checkbox", id: "with-answers" }), t.withAnswers));
}

export async function showExercises() {
  if (by("questions")) return;
  if (course) learned = startCourse(course.exercises.length);
  by("view-exercises").replaceChildren(make("h2", {}, course?.title ?? t.head),
    course ? make("p", { id: "progress", role: "status" }) : fragment.item ? "" : choices(),
    make("div", { id: "questions" }));
  await questions();
  if (!course) return;
  const all = course.exercises;
  by("progress").textContent = t.progress(sum((it) => results[it], all), sum(() => true, all));
  if (learned.at) by(`exercise-${learned.at}`)?.scrollIntoView();
}

// What stands in an address of these exercises.
export const ofExercises = () => ({ seed: sheet.seed });
