// Elements, and numbers as text.
import { words } from "./words.js";

export const by = (id) => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  const it = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) it.addEventListener(key.slice(2), value);
    else if (value === true) it.setAttribute(key, "");
    else if (value !== false && value != null) it.setAttribute(key, value);
  }
  it.append(...children.filter((child) => child != null));
  return it;
}

// Digits in groups of three, as the command line has them.
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

export const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[it]);

// A value as a listing writes it.
export const written = (value) => value.replace("inf", "∞").replace("-", "−");

// Says beside a field what is wrong with what stands in it; or nothing.
export function mark(field, fault) {
  field.setAttribute("aria-invalid", String(Boolean(fault)));
  by(`${field.id}-fault`).textContent = fault;
}

// A field for a whole number, and what is wrong with it. `set` takes the number; null where there is none,
// until when the field has `data-fault`.
export function numberField(id, { least = -Infinity, on = "input", ...attributes }, set) {
  const field = make("input", { type: "number", step: 1, id, min: Number.isFinite(least) ? least : null, "aria-describedby": `${id}-fault`, ...attributes });
  field.addEventListener(on, () => {
    const number = field.value.trim() === "" ? NaN : Number(field.value);
    const fault = !Number.isSafeInteger(number) ? words.noNumber : number < least ? words.tooSmall(least) : "";
    mark(field, fault);
    field.toggleAttribute("data-fault", Boolean(fault));
    set(fault ? null : number);
  });
  return [field, make("span", { class: "fault bad", id: `${id}-fault`, role: "alert" })];
}

export function notice(text) {
  by("notice").textContent = text;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => (by("notice").textContent = ""), 4000);
}

export function table(heads, rows) {
  const cells = (name, row) => make("tr", {}, ...row.map((it) => (it instanceof Node && it.nodeName === "TD" ? it : make(name, name === "th" ? { scope: "col" } : {}, it))));
  const body = rows.map((row) => cells("td", row));
  return make("div", { class: "scroll", tabindex: "0", role: "group" }, make("table", {}, make("thead", {}, cells("th", heads)), make("tbody", {}, ...body)));
}
