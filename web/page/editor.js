// The listing: its text, colours, what is wrong with it, and what it is.
import { words } from "./words.js";
import { by, escaped, make, numberField } from "./dom.js";
import { ask } from "./engine.js";
import { change, entry, galleryOf, state, wording } from "./state.js";
import { fail } from "./time_by_phase.js";

const keywords = "algorithm|input|output|inout|work|shared|register|answer|constant|function|procedure|for|to|downto|step|do|in|parallel|on|DMMs|with|threads|while|repeat|until|break|if|then|else|mod|and|or|not|xor|min|max|abs|sqrt|sin|cos|tan|atan2|exp|log|log2|pow|popcount|clz|rotl|rotr|mulhi|true|false|f32|f64|i32|i64|u32|u64|bool";
const token = new RegExp(`(//[^\\n]*|#[^\\n]*)|\\b(${keywords})\\b|\\b(0[xbo][\\da-fA-F_]+|\\d[\\d._]*)\\b|^([ ]*[A-Za-z_]\\w*:)(?=[ ]*(?:$|//|#))`, "gm");

export let listing = null;
let lit = null;
let wrong = null;

function highlight(text) {
  let html = "";
  let from = 0;
  for (const it of text.matchAll(token)) {
    const name = it[1] ? "c" : it[2] ? "k" : it[3] ? "n" : "b";
    html += escaped(text.slice(from, it.index)) + `<span class="${name}">${escaped(it[0])}</span>`;
    from = it.index + it[0].length;
  }
  return html + escaped(text.slice(from));
}

function paint() {
  const lines = highlight(state.listing).split("\n").map((html, at) => {
    const line = at + 1;
    if (wrong?.line === line) return `<span class="wrong">${html || " "}</span>`;
    if (lit === line) return `<span class="lit">${html || " "}</span>`;
    return html;
  });
  by("highlight").innerHTML = lines.join("\n") + "\n";
  by("gutter").textContent = lines.map((_, at) => (wrong?.line === at + 1 ? "✗" : lit === at + 1 ? "▶" : "") + (at + 1)).join("\n") + "\n";
  // As wide with a sign as without: the listing must not move.
  by("gutter").style.minWidth = `calc(${String(lines.length).length + 1}ch + 1rem)`;
  const width = Math.max(...state.listing.split("\n").map((it) => it.length));
  by("highlight").style.minWidth = `calc(${width}ch + 1rem)`;
}

export function light(line) {
  if (lit === line) return;
  lit = line;
  paint();
  showLit();
}

// Also after the editor got another size: a picture that is drawn anew moves and shrinks it.
function showLit() {
  const box = by("editor").getBoundingClientRect();
  const place = by("highlight").querySelector(".lit")?.getBoundingClientRect();
  if (!place || (place.top >= box.top && place.bottom <= box.bottom)) return;
  by("editor").scrollTop += (place.top + place.bottom - box.top - box.bottom) / 2;
}

// Shows what is wrong, as the command line does; or nothing.
export function showWrong(error) {
  wrong = error?.line ? error : null;
  by("diagnostic").replaceChildren(...(error ? [make("pre", {}, error.text || error.message, error.help && !error.line ? `\n${error.help}` : null)] : []));
  paint();
}

// Of a paste, the declarations that it is understood with, and why; one click makes a listing of it.
function showReading() {
  const { plain, said } = listing ?? {};
  if (!plain) return by("reading").replaceChildren();
  const header = plain.slice(0, plain.indexOf("\n\n"));
  const adopt = make("button", { id: "adopt", onclick: () => change({ listing: plain, name: nameOf(plain) }, "listing") }, words.adopt);
  by("reading").replaceChildren(
    make("p", {}, words.reading),
    make("pre", {}, header),
    make("details", {}, make("summary", {}, words.reasons), make("ul", {}, ...said.map((it) => make("li", {}, words.remark(it))))),
    adopt,
  );
}

// Asks what the listing is; what is missing among the settings gets a value. Whether it is one.
export async function understand() {
  const answer = await ask("live", { ask: "listing", case: wording() });
  if (!answer) return false;
  if (answer.error) {
    listing = null;
    by("verdicts").replaceChildren();
    showReading();
    fail(answer.error);
    showWrong(answer.error);
    return false;
  }
  listing = answer.ok;
  showWrong(null);
  showReading();
  const names = listing.parameters.map((it) => it.name);
  const set = Object.fromEntries(names.flatMap((name, at) => {
    const known = state.set[name] ?? listing.parameters[at].default ?? 16;
    return [[name, known]];
  }));
  const given = new Set(listing.arrays.filter((it) => it.given).map((it) => it.name));
  const inputs = Object.fromEntries(Object.entries(state.inputs).filter(([name]) => given.has(name)));
  const changes = { set, inputs };
  if (!listing.sequential) {
    changes.bulk = null;
    if (state.second) changes.second = { ...state.second, bulk: null };
  }
  if (listing.on_dmms) {
    changes.machine = "hmm";
    if (state.second) changes.second = { ...state.second, machine: "hmm" };
  }
  Object.assign(state, changes);
  return true;
}

// The listing that was asked about last, unless there was no answer.
let judged = null;

// Whether addresses depend on data, and races, which takes a run.
export async function showVerdicts() {
  const it = listing;
  if (!it || judged === it) return;
  const badge = (text, good, title) => make("span", { class: good ? "good" : "bad", title }, (good ? "✓ " : "✗ ") + text);
  const first = it.dependence
    ? badge(words.dependsOnData(it.obliviousness, it.dependence), it.obliviousness === "semi-oblivious", it.dependence.text)
    : badge(words.oblivious, true, words.obliviousWhy);
  by("verdicts").replaceChildren(first);
  judged = it;
  const answer = await ask("steps", { ask: "check", case: wording() });
  if (!answer?.ok && judged === it) judged = null;
  if (!answer?.ok || listing !== it) return;
  const { report, race } = answer.ok;
  const races = report.races.length ? words.raceOn(report.races[0].element) : race;
  const more = [badge(races || words.raceFree, !races, races || "")];
  if (report.pram_class) more.push(make("span", {}, words.pram(report.pram_class.replace("_", " "))));
  by("verdicts").replaceChildren(first, ...more);
}

const choiceOf = (source) => (source.startsWith("polygon:") ? "outline" : source.endsWith(".csv") ? "pasted" : source);

// Says which inputs are random instead of what is given for them.
export function showMisfits(names) {
  const of = (it) => words.input.misfit(`${it.name}[${it.extents.join(", ")}]`, words.input.are[choiceOf(state.inputs[it.name])]);
  const misfits = (listing?.arrays ?? []).filter((it) => names.includes(it.name) && state.inputs[it.name]);
  by("misfits").replaceChildren(...misfits.map((it) => make("p", {}, of(it))));
}

function choose(name) {
  const it = entry(name);
  if (!it) return;
  const set = { n: it.on_dmms ? 32 : 16 };
  change({ name, listing: it.text, set, inputs: {}, files: {}, bulk: null, machine: it.on_dmms ? "hmm" : state.machine === "hmm" ? "umm" : state.machine, at: 0 }, "listing");
}

// As if typed, so that the browser can undo it.
function type(text, from, to) {
  const [field, focused] = [by("text"), document.activeElement];
  field.focus({ preventScroll: true });
  field.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, from, to, "end");
    field.dispatchEvent(new Event("input"));
  }
  if (focused !== field) focused?.focus({ preventScroll: true });
}

export function showListing() {
  const text = by("text");
  if (!text.value) text.value = state.listing;
  if (text.value !== state.listing) {
    const [x, y] = [scrollX, scrollY];
    type(state.listing, 0, text.value.length);
    text.setSelectionRange(0, 0);
    by("editor").scrollTop = 0;
    scrollTo(x, y);
  }
  const shipped = entry(state.name)?.text === state.listing;
  by("gallery").value = shipped ? state.name : "";
  by("about").textContent = shipped ? `${entry(state.name).about} — ${entry(state.name).source}` : "";
  paint();
}

export function showInputs() {
  const given = (listing?.arrays ?? []).filter((it) => it.given);
  by("inputs").replaceChildren(...given.map((array) => {
    const source = state.inputs[array.name] ?? "random";
    const choice = choiceOf(source);
    const options = ["random", "permutation", "pasted", ...(array.extents.length === 2 ? ["paper", "outline"] : [])];
    const select = make("select", { onchange: (it) => give(array.name, it.target.value) },
      ...options.map((it) => make("option", { value: it, selected: it === choice }, words.input[it])));
    const file = source.split(":").pop();
    const area = choice === "pasted" || choice === "outline"
      ? make("textarea", { class: "data", "aria-label": words.input.numbers(array.name), onchange: (it) => change({ files: { ...state.files, [file]: it.target.value } }, "inputs") }, state.files[file] ?? "")
      : null;
    return make("div", {}, make("label", { class: "row" }, `${array.name}[${array.extents.join(", ")}] : ${array.element}`, select), area);
  }));
  if (by("seed").dataset.fault === undefined) by("seed").value = state.seed;
}

function give(name, choice) {
  const inputs = { ...state.inputs };
  const files = { ...state.files };
  const set = { ...state.set };
  const file = `${name}.csv`;
  if (choice === "random") delete inputs[name];
  else if (choice === "pasted") [inputs[name], files[file]] = [file, files[file] ?? "1, 2, 3, 4\n"];
  else if (choice === "outline") [inputs[name], files[file]] = [`polygon:${file}`, "0,0\n4,-1\n7,1\n8,4\n6,7\n3,8\n0,6\n-1,3\n"];
  else inputs[name] = choice;
  if (choice === "paper" || choice === "outline") set.n = 8;
  if (choice === "pasted") set.n = 4;
  change({ inputs, files, set }, "inputs");
}

// The shipped listings by topic.
function topics() {
  const all = Map.groupBy(galleryOf(), (it) => it.topic);
  const option = (it) => make("option", { value: it.name }, `${it.name} — ${it.about}`);
  return [...all].map(([topic, entries]) => make("optgroup", { label: topic.replaceAll("-", " ") }, ...entries.map(option)));
}

export function startEditor() {
  new ResizeObserver(showLit).observe(by("editor"));
  by("gallery").append(make("option", { value: "" }, words.own), ...topics());
  by("gallery").addEventListener("change", (it) => choose(it.target.value));
  by("text").addEventListener("input", ({ target: { value } }) => {
    if (value !== state.listing) change({ listing: value, name: nameOf(value) }, "text");
  });
  by("text").addEventListener("keydown", (it) => {
    // A new line begins below the last one.
    if (it.key !== "Enter" || it.ctrlKey || it.metaKey) return;
    it.preventDefault();
    const { value, selectionStart } = it.target;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const more = /(do|:|then|else)\s*(\/\/.*)?$/.test(line) ? "  " : "";
    type("\n" + line.match(/^ */)[0] + more, selectionStart, it.target.selectionEnd);
  });
  const seed = numberField("seed", { least: 0, on: "change" }, (it) => change(it === null ? {} : { seed: it }, "inputs"));
  by("seed-row").append(make("label", { for: "seed" }, words.seed), ...seed);
}

function nameOf(text) {
  return text.match(/algorithm\s+(\w+)/)?.[1] ?? "";
}
