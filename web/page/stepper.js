// Plays a run by time units or accesses; two machines on one clock.
import { words } from "./words.js";
import { by, grouped, make, table, written } from "./dom.js";
import { ask, cancel, isBusy } from "./engine.js";
import { light } from "./editor.js";
import { change, machineOf, state, wording } from "./state.js";
import { machineInWords } from "./machine.js";
import { answers } from "./time_by_phase.js";
import { current, drawStep, themes, underWay, wordsAt } from "./picture.js";

const ahead = 240;
const windows = { first: null, second: null };
let playing = 0;

export const themeNow = () => document.documentElement.dataset.theme;
const machineKey = (second) => (second ? "second" : "first");

export function forgetSteps() {
  windows.first = windows.second = null;
}

export function end() {
  const of = (answer) => answer?.ok?.report.time_units ?? 1;
  return Math.max(of(answers.first), state.second ? of(answers.second) : 1);
}

// The window that holds time unit `t`; asks for it where another is here.
async function windowAt(second, t) {
  const kept = windows[machineKey(second)];
  if (kept && t >= kept.from && (t < kept.to || kept.done)) return kept;
  const from = Math.max(0, t - 16);
  const answer = await ask(second ? "study" : "steps", { ask: "steps", case: wording(second), from, to: t + ahead });
  if (!answer) return null;
  if (answer.error) return { error: answer.error };
  const it = answer.ok;
  it.done = it.complete && it.after === null && it.to >= it.kept[1];
  windows[machineKey(second)] = it;
  return it;
}

export async function pictureAt(t, second, width, theme = themeNow()) {
  const data = await windowAt(second, t);
  if (!data || data.error) return data;
  return { data, svg: draw(data, t, second, width, theme) };
}

function draw(data, t, second, width, theme = themeNow()) {
  const machine = machineOf(second);
  return drawStep(data, t, machine.w, [state.name || "listing", machineInWords(machine)], theme, width);
}

let asked = 0;
export async function showSteps() {
  prepareSteps();
  const t = state.at;
  const turn = ++asked;
  by("scrub").max = Math.max(0, end() - 1);
  by("scrub").value = t;
  by("at").value = t + 1;
  by("of").textContent = words.stepper.of(grouped(end()));
  const error = answers.first?.error;
  if (error) return clear(error);
  const loading = setTimeout(() => turn === asked && (by("step-status").textContent = words.stepper.loading), 150);
  const [first, second] = await Promise.all([pictureAt(t, false, room()), state.second ? pictureAt(t, true, room()) : null]);
  clearTimeout(loading);
  if (turn !== asked || !first) return;
  by("step-status").textContent = "";
  by("cancel-steps").hidden = true;
  if (first.error) return clear(first.error);
  showPicture(by("picture-first"), first, false, t);
  const beside = by("picture-second");
  if (second?.error) beside.replaceChildren(make("p", { class: "bad", role: "alert" }, second.error.message));
  else if (second && state.second) showPicture(beside, second, true, t);
  else beside.replaceChildren();
  const now = current(first.data.accesses, t);
  light(now[0]?.place.line ?? null);
  grid(first.data, now, t);
  tableOf(first.data, t);
}

// As wide as there is room, so that letters are as large as elsewhere; a phone has a picture of its own.
function room() {
  const width = by("view-steps").clientWidth;
  return width < 560 ? 420 : Math.min(Math.max(width, 800), 1280);
}

// A picture that is so high that it is made smaller is drawn again, as wide as it then may be.
function showPicture(place, { data, svg }, second, t) {
  place.innerHTML = svg;
  const [shown, drawn] = [place.firstChild.getBoundingClientRect(), place.firstChild.viewBox.baseVal];
  const width = Math.min(1280, Math.round((shown.width * drawn.height) / shown.height));
  if (shown.height && width > 1.05 * drawn.width) place.innerHTML = draw(data, t, second, width);
}

// In the place of what was shown: why there is nothing.
function clear(error) {
  by("picture-first").replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
  for (const id of ["picture-second", "grid", "grid-about"]) by(id).replaceChildren();
  by("step-table").querySelector(".hidden-table").replaceChildren();
  light(null);
}

function prepareSteps() {
  if (by("scrub")) return;
  const button = (id, label, sign, act) => make("button", { id, "aria-label": label, title: label, onclick: act }, sign);
  by("view-steps").replaceChildren(
    make("div", { class: "bar-of-steps no-print", role: "toolbar", "aria-label": words.tabs.steps },
      button("to-first", words.stepper.first, "|◀", () => go(0)),
      button("previous", words.stepper.previous, "◀◀", () => access(-1)),
      button("back", words.stepper.back, "◀", () => go(state.at - 1)),
      button("play", words.stepper.play, "▶ " + words.stepper.play, play),
      button("forth", words.stepper.forth, "▶", () => go(state.at + 1)),
      button("next", words.stepper.next, "▶▶", () => access(1)),
      make("input", { type: "range", id: "scrub", min: 0, max: 1, step: 1, "aria-label": words.stepper.time, oninput: (it) => go(Number(it.target.value)) }),
      make("span", { class: "together" }, make("label", { for: "at" }, words.stepper.time),
        make("input", { type: "number", id: "at", min: 1, onchange: (it) => go(Number(it.target.value) - 1) }),
        make("span", { id: "of" })),
      make("span", { class: "together" }, make("label", { for: "speed" }, words.stepper.speed),
        make("input", { type: "range", id: "speed", min: 0, max: 6, value: 2, "aria-label": words.stepper.speed })),
      make("span", { id: "step-status", role: "status" }),
      make("button", { id: "cancel-steps", hidden: true, onclick: () => cancel("steps") }, words.stop)),
    make("p", { id: "keys", class: "quiet no-print" }, words.stepper.keys),
    make("div", { id: "picture-first", class: "picture" }), make("div", { id: "picture-second", class: "picture" }),
    make("h2", { class: "minor" }, words.stepper.grid), make("div", { id: "grid", class: "grid", tabindex: "0" }), make("p", { id: "grid-about", role: "status" }),
    make("details", { id: "step-table" }, make("summary", {}, words.stepper.table), make("div", { class: "hidden-table" })));
  setInterval(() => (by("cancel-steps").hidden = !isBusy("steps")), 500);
}

export function go(t) {
  if (!Number.isFinite(t)) return;
  change({ at: Math.max(0, Math.min(Math.floor(t), end() - 1)) }, "at");
}

// To the beginning of the next or the last access.
export function access(direction) {
  const kept = windows.first;
  if (!kept) return;
  const starts = kept.accesses.map((it) => it.start);
  const t = state.at;
  const found = direction > 0 ? Math.min(...starts.filter((it) => it > t), kept.after ?? Infinity) : Math.max(...starts.filter((it) => it < t), kept.before ?? -Infinity);
  go(Number.isFinite(found) ? found : direction > 0 ? end() - 1 : 0);
}

export function pause() {
  clearTimeout(playing);
  playing = 0;
  if (by("play")) by("play").textContent = "▶ " + words.stepper.play;
}

export function play() {
  if (playing) return pause();
  by("play").textContent = "⏸ " + words.stepper.pause;
  if (state.at >= end() - 1) go(0);
  const tick = async () => {
    if (!playing) return;
    if (state.at >= end() - 1) return pause();
    await go(state.at + 1);
    playing = setTimeout(tick, 1600 / 2 ** Number(by("speed").value));
  };
  playing = setTimeout(tick, 0);
}

// Whether a key moves the steps; it then did.
export function keys(key) {
  const acts = { " ": play, ArrowRight: () => go(state.at + 1), ArrowLeft: () => go(state.at - 1), "]": () => access(1), "[": () => access(-1), Home: () => go(0), End: () => go(end() - 1) };
  acts[key]?.();
  return key in acts;
}

// Memory word by word, with what has been written until now.
function grid(data, now, t) {
  const { w } = state;
  const values = wordsAt(data, t);
  if (!values) {
    by("grid").replaceChildren();
    by("grid-about").textContent = words.stepper.noGrid;
    return;
  }
  const asked = new Map();
  for (const access of now.filter((it) => it.dmm == null)) {
    for (const it of access.requests) asked.set(it.address, [...(asked.get(it.address) ?? []), { thread: it.thread, access, element: it.element }]);
  }
  const c = themes[themeNow()];
  const byBank = state.machine === "dmm";
  const columns = Math.min(w, 64);
  by("grid").style.gridTemplateColumns = `max-content repeat(${columns}, minmax(${w > 16 ? "1.4rem" : "2.6rem"}, 1fr))`;
  const cells = [];
  const named = new Map(data.arrays.map((it) => [Math.floor(it.base / w) * w, it.name]));
  for (let row = 0; row * w < values.length; row++) {
    cells.push(`<div class="head">${named.has(row * w) ? named.get(row * w) + " " : ""}${row * w}</div>`);
    for (let bank = 0; bank < columns; bank++) {
      const address = row * w + bank;
      const place = byBank ? bank : row;
      const style = asked.has(address) ? `--cell:${c.fills[place % 8]};--cell-ink:${c.text}` : `--cell:color-mix(in srgb, ${c.fills[place % 8]} 22%, ${c.paper})`;
      cells.push(`<div data-address="${address}" class="${asked.has(address) ? "asked" : ""}" style="${style}">${written(values[address] ?? "")}</div>`);
    }
  }
  const place = by("grid").scrollTop;
  by("grid").innerHTML = cells.join("");
  by("grid").scrollTop = place;
  by("grid").onpointerover = (it) => about(it.target.dataset?.address);
  by("grid-about").textContent = "";
  const about = (address) => {
    for (const it of by("grid").querySelectorAll(".hit")) it.classList.remove("hit");
    if (address === undefined) return;
    const who = asked.get(Number(address));
    const array = data.arrays.findLast((it) => it.base <= address);
    const value = values[address] == null ? "" : ` = ${written(values[address])}`;
    let note = `${array?.name ?? ""} · ${words.stepper.group} ${Math.floor(address / w)}, ${words.stepper.bank} ${address % w}${value}`;
    if (who) {
      note = `${who[0].element} · ${words.stepper.asks(who.map((it) => `T${it.thread}`).slice(0, 12).join(", "))}`;
      const { access } = who[0];
      if (access.stages.length > 1) {
        note += ` · ${words.stepper.conflict(access.stages.length)}`;
        for (const stage of access.stages) for (const other of stage.addresses) {
          if (byBank ? other % w === address % w : Math.floor(other / w) !== Math.floor(address / w)) by("grid").querySelector(`[data-address="${other}"]`)?.classList.add("hit");
        }
      }
    }
    by("grid-about").textContent = note;
  };
  // By keys, from the first word that is asked for.
  let at = [...asked.keys()].sort((a, b) => a - b)[0] ?? 0;
  by("grid").onfocus = () => about(at);
  by("grid").onkeydown = (it) => {
    const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: w, ArrowUp: -w }[it.key];
    if (!move) return;
    it.preventDefault();
    it.stopPropagation();
    at = Math.max(0, Math.min(at + move, values.length - 1));
    about(at);
  };
}

function tableOf(data, t) {
  const s = words.stepper;
  const rows = underWay(data.accesses, t).map((it) => [
    `W(${it.access.warp})`, s.step(it.access.step), `${it.stage.letter}[${it.stage.places.join(" ")}]`, String(it.in),
    it.access.requests.filter((r) => it.stage.addresses.includes(r.address)).map((r) => `T${r.thread} ${r.element} = ${written(r.value)}`).join(", "),
  ]);
  by("step-table").querySelector(".hidden-table").replaceChildren(table([s.warp, words.columns.steps, s.where, s.stage, s.requests], rows));
}
