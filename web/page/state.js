import { fieldsOf } from "./machine.js";

// What the page is about: all of it stands in the address, so that a link shows the same.
export const plain = {
  listing: "", name: "", set: {}, inputs: {}, files: {}, seed: 1,
  machine: "umm", w: 32, l: 100, p: 1024, d: 4, shared_latency: 1, resident: 1, mode: "sync", bulk: null,
};
const ofMachine = ["machine", "w", "l", "p", "d", "shared_latency", "resident", "mode", "bulk"];

export const state = { ...structuredClone(plain), second: null, tab: "time", at: 0, axis: "w", theme: null };
// What a state that comes from outside may hold in the place of what it begins with.
const others = { bulk: "string", second: "object", theme: "string" };
const initial = structuredClone(state);
const listeners = [];

// What the page was written with: a state, or the exercises of a course.
export const { course = null, ...opening } = JSON.parse(document.getElementById("start").textContent);

// What stands in the address beside the state, such as embed=picture.
export const { s: carried, ...fragment } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));

// Takes what is given over what the page begins with; what is of another kind is left out.
export function adopt(found) {
  const kind = (it) => (it === null ? "null" : Array.isArray(it) ? "list" : typeof it);
  for (const [key, value] of Object.entries(initial)) {
    state[key] = [kind(value), others[key]].includes(kind(found[key])) ? found[key] : structuredClone(value);
  }
}

export async function hashOf(beside = fragment) {
  return `#${new URLSearchParams({ ...beside, s: await packed() })}`;
}

export function onChange(listener) {
  listeners.push(listener);
}

export function change(changes, why = "") {
  Object.assign(state, changes);
  for (const listener of listeners) listener(why);
  remember();
}

// The words of a case, as the module reads them; of machine B, with its own machine.
export function wording(second = false) {
  const it = {};
  for (const key of Object.keys(plain)) if (key !== "name") it[key] = state[key];
  if (second && state.second) Object.assign(it, state.second);
  it.bulk ??= null;
  // A thread that runs nothing is none.
  if (!fieldsOf(it).includes("p")) it.p = 1;
  return it;
}

export function machineOf(second) {
  const from = second ? state.second : state;
  return Object.fromEntries(ofMachine.map((key) => [key, from[key]]));
}

export function setMachine(second, changes) {
  if (second) change({ second: { ...state.second, ...changes } }, "machine");
  else change(changes, "machine");
}

let timer = 0;
function remember() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      history.replaceState(null, "", await hashOf());
    } catch {
      // Some browsers let no page from a file change its address: the button still copies the link.
    }
  }, 300);
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

// Only what differs from the defaults, and no text of a listing that is shipped.
export async function packed(gallery = shipped) {
  const it = {};
  for (const [key, value] of Object.entries(state)) {
    if (JSON.stringify(value) !== JSON.stringify(plain[key])) it[key] = value;
  }
  if (gallery.find((entry) => entry.name === state.name)?.text === state.listing) delete it.listing;
  delete it.theme;
  const bytes = new TextEncoder().encode(JSON.stringify(it));
  const small = await through(new CompressionStream("deflate-raw"), bytes);
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpacked(text) {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(raw, (it) => it.charCodeAt(0)));
  return JSON.parse(new TextDecoder().decode(bytes));
}

let shipped = [];
export function setGallery(gallery) {
  shipped = gallery;
}

export function entry(name) {
  return shipped.find((it) => it.name === name);
}

export function galleryOf() {
  return shipped;
}
