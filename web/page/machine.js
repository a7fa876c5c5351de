// The machine's controls, for one machine or two.
import { words } from "./words.js";
import { by, make, mark, numberField } from "./dom.js";
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

function slider(id, label, scale, [value, least], set) {
  const range = make("input", { type: "range", min: 0, max: scale.length - 1, value: nearest(scale, value), "aria-label": label, "aria-valuetext": String(value), id: `${id}-range` });
  const [number, fault] = numberField(id, { value, least, "aria-label": label, "data-shown": value }, (it) => {
    if (it === null) return change({}, "machine");
    Object.assign(range, { value: nearest(scale, it), ariaValueText: it });
    number.dataset.shown = it;
    set(it);
  });
  range.addEventListener("input", () => {
    show(id, scale, scale[range.value]);
    set(scale[range.value]);
  });
  return make("div", { class: "slider" }, make("label", { for: id }, label), range, number, fault);
}

// What is typed into a field and is no number stays, until there is another value to show.
function show(id, scale, value) {
  const number = by(id);
  if (!number || number.dataset.shown === String(value)) return;
  number.value = number.dataset.shown = value;
  number.removeAttribute("data-fault");
  mark(number, "");
  Object.assign(by(`${id}-range`), { value: nearest(scale, value), ariaValueText: value });
}

// What the first field is called that holds no number.
export function faultyField() {
  const field = document.querySelector("#settings [data-fault], #seed[data-fault]");
  return field && (field.ariaLabel ?? words.seed);
}

// Says at the sizes what is wrong with them.
export function markSizes(error) {
  const wrong = new Set(error?.sizes?.match(/\w+/g));
  for (const name of Object.keys(state.set)) {
    const field = by(`size-${name}`);
    if (field && field.dataset.fault === undefined) mark(field, wrong.has(name) ? error.message : "");
  }
}

// Which numbers of a machine make a difference to the listing.
export function fieldsOf(it) {
  const threads = !listing || listing.has_nests || it.bulk;
  const dmms = it.machine === "hmm" && listing?.on_dmms;
  return ["w", "l", ...(threads ? ["p"] : []), ...(dmms ? ["d", "shared_latency", "resident"] : [])];
}

export function machineInWords(it) {
  const numbers = fieldsOf(it).map((key) => `${words.fields[key].split(",")[0]} = ${it[key]}`);
  return [it.machine.toUpperCase(), ...numbers, words.modes[it.mode]].join("  ");
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
  const now = JSON.stringify([listing?.parameters, listing?.sequential, listing?.on_dmms, listing?.has_nests, machines.map((it) => [machineOf(it).machine, machineOf(it).mode, machineOf(it).bulk])]);
  by("compare").checked = Boolean(state.second);
  if (now === shape) {
    refresh(machines);
    return;
  }
  const focused = document.activeElement?.id;
  shape = now;
  const sizes = make("fieldset", {}, make("legend", {}, words.sizes), ...(listing?.parameters ?? []).map((it) =>
    slider(`size-${it.name}`, it.name, scales.size, [state.set[it.name] ?? 16], (value) => change({ set: { ...state.set, [it.name]: value } }, "machine"))));
  const boxes = machines.map((second) => {
    const it = machineOf(second);
    const set = (key) => (value) => setMachine(second, { [key]: value });
    const id = (key) => (second ? "b-" : "a-") + key;
    return make("fieldset", {}, make("legend", {}, state.second ? (second ? words.second : words.first) : words.machine),
      choice(words.fields.machine, words.kinds, it.machine, set("machine")),
      choice(words.fields.mode, words.modes, it.mode, set("mode")),
      listing?.sequential ? choice(words.fields.bulk, words.bulks, it.bulk ?? "none", (value) => setMachine(second, { bulk: value === "none" ? null : value })) : null,
      ...fieldsOf(it).map((key) => slider(id(key), words.fields[key], scales[key], [it[key], 1], set(key))));
  });
  by("settings").replaceChildren(make("div", { class: "machines" }, sizes, ...boxes));
  if (focused) by(focused)?.focus();
}

function refresh(machines) {
  for (const second of machines) {
    const it = machineOf(second);
    for (const key of fieldsOf(it)) show((second ? "b-" : "a-") + key, scales[key], it[key]);
  }
  for (const [name, value] of Object.entries(state.set)) show(`size-${name}`, scales.size, value);
}

export function startMachine() {
  by("compare").addEventListener("change", (it) => {
    const second = it.target.checked ? { ...machineOf(false), machine: other(state.machine), bulk: state.bulk === "row" ? "column" : state.bulk } : null;
    change({ second }, "machine");
  });
}

const other = (kind) => (listing?.on_dmms ? "hmm" : kind === "umm" ? "dmm" : "umm");
