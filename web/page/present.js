// For a projector: the listing, the sizes' sliders and the present view, alone; by keys, and by what
// clickers send.
import { by } from "./dom.js";
import { state } from "./state.js";
import { access, showSteps } from "./stepper.js";

const root = document.documentElement;
export const isPresented = () => root.hasAttribute("data-present");

export function present(on) {
  root.toggleAttribute("data-present", on);
  root.removeAttribute("data-dark-screen");
  by("present").setAttribute("aria-pressed", String(on));
  if (state.tab === "steps") showSteps();
}

const isText = ({ tagName, type: kind }) => /^(TEXTAREA|SELECT)$/.test(tagName) || (tagName === "INPUT" && !/^(range|checkbox)$/.test(kind));

// Whether a key is one of those that present; it then did.
export function presentByKey({ key, target }) {
  if (!isPresented()) {
    if (key !== "F5" || state.tab !== "steps") return false;
    present(true);
    return true;
  }
  if (root.hasAttribute("data-dark-screen")) {
    root.removeAttribute("data-dark-screen");
    return true;
  }
  if (key === "Escape") present(false);
  else if (key === "F5") return true;
  else if (isText(target)) return false;
  else if (key === "b" || key === ".") root.setAttribute("data-dark-screen", "");
  else if (state.tab === "steps" && key === "PageDown") access(1);
  else if (state.tab === "steps" && key === "PageUp") access(-1);
  else return false;
  return true;
}

export function startPresent() {
  by("present").addEventListener("click", () => present(!isPresented()));
  document.addEventListener("click", () => root.removeAttribute("data-dark-screen"));
}
