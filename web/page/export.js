// What is seen, as files.
import { words } from "./words.js";
import { escaped, notice } from "./dom.js";
import { ask } from "./engine.js";
import { machineOf, state, wording } from "./state.js";
import { machineInWords } from "./machine.js";
import { answers, isWell } from "./time_by_phase.js";
import { chartSvg, mapSvg, measuredSvg } from "./charts.js";
import { end, pictureAt, themeNow } from "./stepper.js";
import { text, themes } from "./picture.js";
import { grouped } from "./dom.js";

const most = 40;

function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: `${state.name || "listing"}-${name}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// A picture of any shape in the middle of one that is 16:9.
function slide(svg) {
  const c = themes[themeNow()];
  const inner = svg.replace(/^<svg ([^>]*?)width="[\d.]+" height="[\d.]+"/, '<svg $1x="0" y="0" width="1280" height="720" preserveAspectRatio="xMidYMid meet"');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720"><rect width="1280" height="720" fill="${c.paper}"/>${inner}</svg>`;
}

// The time by phase as bars.
function timeSvg() {
  const c = themes[themeNow()];
  const machines = [answers.first, state.second ? answers.second : null].filter((it) => it?.ok).map((it) => it.ok.report);
  const rows = machines.flatMap((report) => [...report.phases, { name: words.all, ...report, phases: null }].map((it) => ({ ...it, machine: report.machine })));
  const longest = Math.max(...rows.map((it) => it.time_units), 1);
  const height = Math.min(46, 560 / rows.length);
  const parts = rows.map((it, at) => {
    const y = 110 + at * height;
    const name = machines.length > 1 ? `${it.machine.kind.toUpperCase()} ${it.name}` : it.name;
    return text(300, y + height * 0.65, 20, c.ink, name, 'text-anchor="end"')
      + `<rect x="316" y="${y + 4}" width="${(640 * it.time_units) / longest}" height="${height - 10}" fill="${c.fills[(at % (rows.length / machines.length)) % 8]}"/>`
      + text(326 + (640 * it.time_units) / longest, y + height * 0.65, 20, c.ink, grouped(it.time_units));
  });
  const title = `${machines[0].algorithm}: ${words.charts.units}  (${machineInWords(machineOf(false))})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720" font-family="DejaVu Sans, sans-serif"><rect width="1280" height="720" fill="${c.paper}"/>${text(60, 60, 28, c.ink, title, 'font-weight="700"')}${parts.join("")}</svg>`;
}

export async function shown() {
  if (state.tab === "steps") return slide((await pictureAt(state.at, false, 1280)).svg);
  // Of several charts, the one that was asked for last stands lowest.
  if (state.tab === "charts") return measuredSvg() || mapSvg() || chartSvg() || timeSvg();
  return timeSvg();
}

async function png(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 1920, height: 1080 });
  canvas.getContext("2d").drawImage(image, 0, 0, 1920, 1080);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

// The pictures of time units from here on.
async function frames() {
  const all = [];
  for (let t = state.at; t < Math.min(end(), state.at + most); t++) {
    const it = await pictureAt(t, false, 1280);
    if (!it?.svg) break;
    all.push(slide(it.svg));
  }
  return all;
}

function animation(pictures) {
  const seconds = pictures.length * 0.8;
  const parts = pictures.map((svg, at) => {
    const [from, to] = [at / pictures.length, (at + 1) / pictures.length];
    const times = at === 0 ? `0;${to}` : `0;${from};${Math.min(to, 0.9999)}`;
    const values = at === 0 ? "visible;hidden" : "hidden;visible;hidden";
    return `<g visibility="hidden"><animate attributeName="visibility" calcMode="discrete" dur="${seconds}s" repeatCount="indefinite" keyTimes="${times}" values="${values}"/>${svg}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 720" width="1280" height="720">${parts.join("")}</svg>`;
}

function deck(pictures) {
  const slides = pictures.map((svg) => `<section>${svg.replace(/width="1280" height="720">/, 'width="100%" height="100%">')}</section>`).join("");
  const script = 'let at=0;const all=[...document.querySelectorAll("section")];const show=(to)=>{at=Math.max(0,Math.min(all.length-1,to));all.forEach((it,i)=>it.hidden=i!==at)};show(0);onkeydown=(it)=>{if(["ArrowRight"," ","PageDown"].includes(it.key))show(at+1);if(["ArrowLeft","PageUp"].includes(it.key))show(at-1)};onclick=()=>show(at+1)';
  return `<!doctype html><meta charset="utf-8"><title>${escaped(state.name)}</title><style>body{margin:0;background:${themes[themeNow()].paper}}section{height:100vh}section[hidden]{display:none}svg{width:100%;height:100%}</style>${slides}<script>${script}</` + "script>";
}

async function accesses() {
  const answer = await ask("steps", { ask: "steps", case: wording(), from: state.at, to: state.at + 4096 });
  if (!answer?.ok) return "";
  const rows = answer.ok.accesses.flatMap((it) => it.requests.map((r) => [it.start + 1, it.step, it.phase, it.place.line, it.warp, r.thread, it.kind, r.address, `"${r.element}"`, r.value]));
  return ["time_unit,step,phase,line,warp,thread,kind,address,element,value", ...rows.map((it) => it.join(","))].join("\n") + "\n";
}

export async function commandLine() {
  const name = state.name || "listing.alg";
  const answer = await ask("live", { ask: "command", case: wording(), name });
  return answer?.ok ?? "";
}

export async function exportAs(kind) {
  if (!isWell()) return notice(answers.first?.error?.message ?? "");
  if (kind === "svg") save(`${state.tab}.svg`, "image/svg+xml", await shown());
  if (kind === "png") save(`${state.tab}.png`, "image/png", await png(await shown()));
  if (kind === "animation") save("steps.svg", "image/svg+xml", animation(await frames()));
  if (kind === "deck") save("steps.html", "text/html", deck(await frames()));
  if (kind === "json") save("time.json", "application/json", JSON.stringify(answers.first?.ok?.report ?? null, null, 2));
  if (kind === "trace") save("accesses.csv", "text/csv", await accesses());
  if (kind === "command") {
    const line = await commandLine();
    await copy(line);
    notice(words.copied(line));
  }
}

export async function copy(line) {
  try {
    await navigator.clipboard.writeText(line);
  } catch {
    // A page from a file may be kept from the clipboard: the notice shows what is to be copied.
  }
}
