// Puts the parts together: a change of the state goes to the parts that show it.
import { words } from "./words.js";
import { by, make, notice } from "./dom.js";
import { ask, hurry, start } from "./engine.js";
import { entry, onChange, change, packed, plain, setGallery, state, unpacked } from "./state.js";
import { light, showInputs, showListing, showVerdicts, showWrong, startEditor, understand } from "./editor.js";
import { faultyField, markSizes, showSettings, startMachine } from "./machine.js";
import { answers, fail, forgetRun, isWell, showTime } from "./time_by_phase.js";
import { presentByKey, startPresent } from "./present.js";
import { forgetSteps, keys, pause, showSteps } from "./stepper.js";
import { showCharts } from "./charts.js";
import { showLadder } from "./ladder.js";
import { showExercises } from "./exercises.js";
import { copy, exportAs } from "./export.js";

const views = { time: () => {}, steps: showSteps, charts: showCharts, ladder: showLadder, exercises: showExercises };

function showTabs() {
  const tab = (name) => make("button", { role: "tab", id: `tab-${name}`, "aria-selected": String(name === state.tab), "aria-controls": `view-${name}`, tabindex: name === state.tab ? 0 : -1, onclick: () => change({ tab: name }, "tab") }, words.tabs[name]);
  const focused = document.activeElement?.role === "tab";
  by("tabs").replaceChildren(...Object.keys(views).map(tab));
  for (const name of Object.keys(views)) by(`view-${name}`).hidden = name !== state.tab;
  if (focused) by(`tab-${state.tab}`).focus();
}

let waiting = false;
let again = null;

// One after another, and of changes that come meanwhile the last: a dragged slider never waits.
async function update(why) {
  if (waiting) {
    hurry("live");
    again = again === "text" || again === "listing" || again === "inputs" ? again : why;
    return;
  }
  waiting = true;
  let isListing = true;
  if (why === "listing" || why === "text" || why === "inputs" || why === "") {
    showListing();
    isListing = await understand();
    if (why !== "text") showInputs();
  }
  showSettings();
  if (isListing) await showResult();
  if (!isWell()) light(null);
  waiting = false;
  if (again !== null) {
    const next = again;
    again = null;
    return update(next);
  }
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
  pause();
  forgetSteps();
  forgetRun();
  if (why !== "at") state.at = 0;
  update(why);
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
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  await start();
  setGallery((await ask("live", { ask: "gallery" })).ok);
  await restore();
  startEditor();
  startMachine();
  onChange(changed);
  showTabs();
  by("tabs").addEventListener("keydown", (it) => {
    const names = Object.keys(views);
    const to = { ArrowRight: 1, ArrowLeft: -1 }[it.key];
    if (to) change({ tab: names[(names.indexOf(state.tab) + to + names.length) % names.length] }, "tab");
  });
  by("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  startPresent();
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
}

// From the link, else as the page was written, else the papers' 8-gon.
async function restore() {
  const papers = { name: "umm_opt", set: { n: 8 }, inputs: { c: "paper" }, w: 4, l: 5, p: 8 };
  let found = {};
  try {
    const text = location.hash.match(/^#s=(.*)$/)?.[1];
    found = text ? await unpacked(text) : JSON.parse(by("start").textContent);
  } catch {
    notice("?");
  }
  if (!Object.keys(found).length) found = papers;
  for (const key of [...Object.keys(plain), "second", "tab", "at", "axis"]) if (found[key] !== undefined) state[key] = found[key];
  state.listing ||= entry(state.name)?.text ?? entry("umm_opt").text;
  if (!views[state.tab]) state.tab = "time";
}

async function share() {
  const address = location.href.replace(/#.*$/, "") + "#s=" + (await packed());
  await copy(address);
  try {
    history.replaceState(null, "", "#s=" + (await packed()));
    notice(words.shared);
  } catch {
    notice(address);
  }
}

begin();
