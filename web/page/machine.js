// The machine's controls, for one machine or two.
import { words } from "./words.js";
import { by, make } from "./dom.js";
import { listing } from "./editor.js";
import { change, machineOf, setMachine, state } from "./state.js";

// Where a slider stops: all small numbers, then ever fewer, the powers of two among them.
function stops(most) {
  const all = [];
  for (let it = 1; it <= most; it += it < 32 ? 1 : it < 64 ? 4 : 2 ** (Math.floor(Math.log2(it)) - 3)) all.push(it);
  return all;
}
const powers = (most) => Array.from({ length: Math.log2(most) + 1 }, (_, at) => 2 ** at);
const scales = { w: powers(256), l: stops(1024), p: powers(1 << 20), d: stops(128), shared_latency: stops(64), resident: stops(32), size: stops(8192) };

function nearest(scale, value) {
  let best = 0;
  scale.forEach((it, at) => {
    if (Math.abs(it - value) < Math.abs(scale[best] - value)) best = at;
  });
  return best;
}

function slider(id, label, scale, value, set) {
  const range = make("input", { type: "range", min: 0, max: scale.length - 1, value: nearest(scale, value), "aria-label": label, "aria-valuetext": String(value), id: `${id}-range` });
  const number = make("input", { type: "number", min: 1, step: 1, value, id, "aria-label": label });
  range.addEventListener("input", () => {
    number.value = scale[range.value];
    range.setAttribute("aria-valuetext", number.value);
    set(scale[range.value]);
  });
  number.addEventListener("input", () => {
    const it = Math.floor(Number(number.value));
    if (it < 1 || !Number.isSafeInteger(it)) return;
    range.value = nearest(scale, it);
    set(it);
  });
  return make("div", { class: "slider" }, make("label", { for: id }, label), range, number);
}

function choice(label, options, value, set) {
  const buttons = Object.entries(options).map(([key, text]) =>
    make("button", { type: "button", "aria-pressed": String(key === value), "data-value": key, onclick: () => set(key) }, text));
  return make("div", { class: "switch", role: "group", "aria-label": label }, ...buttons);
}

let shape = "";

// Controls are made anew only where there are other ones: a slider that is dragged must stay.
export function showSettings() {
  const machines = [false, ...(state.second ? [true] : [])];
  const now = JSON.stringify([listing?.parameters, listing?.sequential, listing?.on_dmms, machines.map((it) => [machineOf(it).machine, machineOf(it).mode, machineOf(it).bulk])]);
  by("compare").checked = Boolean(state.second);
  if (now === shape) {
    refresh(machines);
    return;
  }
  const focused = document.activeElement?.id;
  shape = now;
  const sizes = make("fieldset", {}, make("legend", {}, words.sizes), ...(listing?.parameters ?? []).map((it) =>
    slider(`size-${it.name}`, it.name, scales.size, state.set[it.name] ?? 16, (value) => change({ set: { ...state.set, [it.name]: value } }, "machine"))));
  const boxes = machines.map((second) => {
    const it = machineOf(second);
    const set = (key) => (value) => setMachine(second, { [key]: value });
    const id = (key) => (second ? "b-" : "a-") + key;
    const fields = ["w", "l", "p", ...(it.machine === "hmm" ? ["d", "shared_latency", "resident"] : [])];
    return make("fieldset", {}, make("legend", {}, state.second ? (second ? words.second : words.first) : words.machine),
      choice(words.fields.machine, words.kinds, it.machine, set("machine")),
      choice(words.fields.mode, words.modes, it.mode, set("mode")),
      listing?.sequential ? choice(words.fields.bulk, words.bulks, it.bulk ?? "none", (value) => setMachine(second, { bulk: value === "none" ? null : value })) : null,
      ...fields.map((key) => slider(id(key), words.fields[key], scales[key], it[key], set(key))));
  });
  by("settings").replaceChildren(make("div", { class: "machines" }, sizes, ...boxes));
  if (focused) by(focused)?.focus();
}

function refresh(machines) {
  const show = (id, value) => {
    const number = by(id);
    if (!number || Number(number.value) === value) return;
    number.value = value;
    const range = by(`${id}-range`);
    const scale = scales[id.replace(/^[ab]-/, "")] ?? scales.size;
    range.value = nearest(scale, value);
  };
  for (const second of machines) {
    for (const [key, value] of Object.entries(machineOf(second))) show((second ? "b-" : "a-") + key, value);
  }
  for (const [name, value] of Object.entries(state.set)) show(`size-${name}`, value);
}

export function startMachine() {
  by("compare").addEventListener("change", (it) => {
    const second = it.target.checked ? { ...machineOf(false), machine: other(state.machine), bulk: state.bulk === "row" ? "column" : state.bulk } : null;
    change({ second }, "machine");
  });
}

const other = (kind) => (listing?.on_dmms ? "hmm" : kind === "umm" ? "dmm" : "umm");
