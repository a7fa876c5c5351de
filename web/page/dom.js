// Elements, and numbers as text.
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
