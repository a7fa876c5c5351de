// Puts the parts together: a change of the state goes to the parts that show it.
import { words } from "./words.js";
import { by, make, notice } from "./dom.js";
import { ask, hurry, start } from "./engine.js";
import { adopt, carried, change, course, entry, hashOf, onChange, opening, setGallery, state, unpacked, wording } from "./state.js";
import { light, showInputs, showListing, showVerdicts, showWrong, startEditor, understand } from "./editor.js";
import { faultyField, markSizes, showSettings, startMachine } from "./machine.js";
import { answers, fail, forgetRun, isWell, showTime } from "./time_by_phase.js";
import { presentByKey, startPresent } from "./present.js";
import { forgetSteps, keys, pause, showSteps } from "./stepper.js";
import { showCharts } from "./charts.js";
import { showLadder } from "./ladder.js";
import { showModels } from "./models.js";
import { showLines } from "./lines.js";
import { rememberVersion, startVersions } from "./versions.js";
import { ofExercises, showExercises } from "./exercises.js";
import { copy, exportAs } from "./export.js";
import { embedded, startEmbed, tell } from "./embed.js";

const views = { time: () => {}, steps: showSteps, lines: showLines, models: showModels, charts: showCharts, ladder: showLadder, exercises: showExercises };

function showTabs() {
  const tab = (name) => make("button", { role: "tab", id: `tab-${name}`, "aria-selected": String(name === state.tab), "aria-controls": `view-${name}`, tabindex: name === state.tab ? 0 : -1, onclick: () => change({ tab: name }, "tab") }, words.tabs[name]);
  const focused = document.activeElement?.role === "tab";
  by("tabs").replaceChildren(...Object.keys(views).map(tab));
  for (const name of Object.keys(views)) by(`view-${name}`).hidden = name !== state.tab;
  if (focused) by(`tab-${state.tab}`).focus();
}

let waiting = false;
let again = null;
let settled = Promise.resolve();

// One after another, and of changes that come meanwhile the last: a dragged slider never waits.
function update(why) {
  if (waiting) {
    hurry("live");
    again = again === "text" || again === "listing" || again === "inputs" ? again : why;
  } else {
    waiting = true;
    settled = updateAll(why);
  }
  return settled;
}

async function updateAll(why) {
  let isListing = true;
  if (why === "listing" || why === "text" || why === "inputs" || why === "") {
    showListing();
    isListing = await understand();
    if (why !== "text") showInputs();
  }
  showSettings();
  if (isListing) await showResult();
  if (!isWell()) light(null);
  if (again !== null) {
    const next = again;
    again = null;
    return updateAll(next);
  }
  waiting = false;
  views[state.tab]();
}

// The time, unless a field has no number.
async function showResult() {
  const field = faultyField();
  if (field) {
    fail({ message: words.faulty(field) });
    showWrong(null);
  } else {
    await showTime();
    markSizes(answers.first?.error);
  }
  if (isWell()) showVerdicts();
}

function changed(why) {
  if (why === "at") return views.steps();
  if (why === "axis") return views.charts();
  if (why === "tab") {
    if (state.tab !== "steps") {
      pause();
      light(null);
    }
    showTabs();
    return views[state.tab]();
  }
  if (why === "text" || why === "listing") rememberVersion();
  pause();
  forgetSteps();
  forgetRun();
  if (why !== "at") state.at = 0;
  return update(why);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  state.theme = theme;
  views[state.tab]();
}

// Keys that the focused element has a use for itself.
function isTaken({ key, target: { tagName, type: kind, role } }) {
  if (tagName === "INPUT" && kind === "range") return /^(Arrow|Home|End|Page)/.test(key);
  if (tagName === "INPUT" && kind === "checkbox") return key === " ";
  if (role === "tab" && /^(Arrow|Home|End)/.test(key)) return true;
  if (/^(BUTTON|SUMMARY)$/.test(tagName)) return key === " ";
  return /^(INPUT|TEXTAREA|SELECT)$/.test(tagName);
}

function press(it) {
  const isCommand = (it.ctrlKey || it.metaKey || it.altKey) && !it.getModifierState("AltGraph");
  if (isCommand) return;
  const isDone = presentByKey(it) || (state.tab === "steps" && !isTaken(it) && keys(it.key));
  if (isDone) it.preventDefault();
}

// What is clicked leaves the keys to the steps; who comes by keys stays.
function leaveKeys(it) {
  const isClicked = it.type === "click" && it.detail > 0 && it.target.closest("button, summary");
  if (isClicked || it.target.id === "scrub") document.activeElement?.blur();
}

async function begin() {
  for (const it of document.querySelectorAll("[data-words]")) it.textContent = words[it.dataset.words];
  for (const it of document.querySelectorAll("[data-label]")) it.ariaLabel = it.title = words[it.dataset.label];
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  await start();
  setGallery((await ask("live", { ask: "gallery" })).ok);
  await restore();
  startEditor();
  startMachine();
  startVersions();
  onChange(changed);
  showTabs();
  by("tabs").addEventListener("keydown", (it) => {
    const names = Object.keys(views);
    const to = { ArrowRight: 1, ArrowLeft: -1 }[it.key];
    if (to) change({ tab: names[(names.indexOf(state.tab) + to + names.length) % names.length] }, "tab");
  });
  by("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  startPresent();
  startEmbed({ load, run: async () => answered(await ask("steps", { ask: "run", case: wording() })) }, (embed) => (embed === "exercise" ? ofExercises() : {}));
  by("share").addEventListener("click", share);
  for (const it of document.querySelectorAll("[data-export]")) it.addEventListener("click", () => {
    by("exports").open = false;
    exportAs(it.dataset.export);
  });
  document.addEventListener("keydown", press);
  document.addEventListener("click", leaveKeys);
  document.addEventListener("pointerup", leaveKeys);
  await update("");
  performance.mark("ready");
  document.documentElement.dataset.ready = "true";
  tell({ umm: "ready" });
}

const answered = (answer) => (answer?.ok ? { report: answer.ok } : { error: answer?.error?.text ?? words.cancelled });

// What a page around says: the state of a link, as words. Its time is the answer.
async function load({ state: found }) {
  if (found?.name && !found.listing && !entry(found.name)) return { error: words.noListing(found.name) };
  take(found ?? {});
  showTabs();
  await changed("listing");
  return answered(answers.first?.ok ? { ok: answers.first.ok.report } : answers.first);
}

function take(found) {
  adopt(found);
  state.listing ||= entry(state.name)?.text ?? entry("umm_opt").text;
  if (embedded === "exercise" || course) state.tab = "exercises";
  if (!views[state.tab]) state.tab = "time";
}

// From the link, else as the page was written, else the papers' 8-gon.
async function restore() {
  const papers = { name: "umm_opt", set: { n: 8 }, inputs: { c: "paper" }, w: 4, l: 5, p: 8 };
  let found = {};
  try {
    found = carried ? await unpacked(carried) : opening;
  } catch {
    notice("?");
  }
  take(Object.keys(found).length ? found : papers);
}

async function share() {
  const hash = await hashOf({});
  const address = location.href.replace(/#.*$/, "") + hash;
  await copy(address);
  try {
    history.replaceState(null, "", hash);
    notice(words.shared);
  } catch {
    notice(address);
  }
}

begin();
