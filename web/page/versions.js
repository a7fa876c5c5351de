// The listing's versions, which survive that the page is loaded again: of this tab of the browser.
import { by } from "./dom.js";
import { change, state } from "./state.js";

const place = "umm-versions";
const mostVersions = 100;
let versions = [];
let at = 0;
let moved = false;
let pendingVersion = 0;

const version = () => ({ listing: state.listing, name: state.name, set: state.set });

function keep() {
  by("undo").disabled = at === 0;
  by("redo").disabled = at >= versions.length - 1;
  try {
    sessionStorage.setItem(place, JSON.stringify({ versions, at }));
  } catch {
    // Without storage they last as long as the page.
  }
}

// After a pause in typing: each letter is no version.
export function rememberVersion() {
  if (moved) return;
  clearTimeout(pendingVersion);
  pendingVersion = setTimeout(noteVersion, 400);
}

function noteVersion() {
  if (versions[at]?.listing === state.listing) return;
  versions = [...versions.slice(0, at + 1), version()].slice(-mostVersions);
  at = versions.length - 1;
  keep();
}

function moveTo(to) {
  clearTimeout(pendingVersion);
  noteVersion();
  const found = versions[at + to];
  if (!found) return;
  at += to;
  moved = true;
  change(found, "listing");
  moved = false;
  keep();
}

export function startVersions() {
  try {
    ({ versions, at } = JSON.parse(sessionStorage.getItem(place)) ?? { versions, at });
  } catch {
    // As above.
  }
  by("undo").addEventListener("click", () => moveTo(-1));
  by("redo").addEventListener("click", () => moveTo(1));
  noteVersion();
  keep();
}
