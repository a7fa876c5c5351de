// The picture of one time unit: threads → warps → stages → pipeline → memory. Text only: it is shown,
// exported and animated alike.
import { words } from "./words.js";
import { escaped, grouped, written } from "./dom.js";

export const themes = {
  light: { paper: "#ffffff", panel: "#f5f6f8", ink: "#16181d", quiet: "#4f5562", line: "#c9cdd6", accent: "#0b57a4", text: "#16181d",
    fills: ["#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#f4ee8a", "#e5c494", "#a3dcc8"],
    curves: ["#0b57a4", "#b3400a", "#14652f", "#7b2d91"] },
  dark: { paper: "#14161a", panel: "#1d2026", ink: "#eceef2", quiet: "#aeb4c0", line: "#414753", accent: "#7cb8ff", text: "#ffffff",
    fills: ["#2b5f86", "#80510f", "#3a6420", "#8d3434", "#5b4379", "#5f5b10", "#6b4d2b", "#22604d"],
    curves: ["#7cb8ff", "#ff9b6b", "#7ddb9b", "#d9a0ec"] },
};

const font = "DejaVu Sans, system-ui, sans-serif";
const mono = "DejaVu Sans Mono, ui-monospace, monospace";

export function text(x, y, size, fill, content, extra = "") {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${extra}>${escaped(content)}</text>`;
}

export const cut = (content, most) => (content.length > most ? content.slice(0, Math.max(1, most - 1)) + "…" : content);

// In letters of one width: smaller ones where that makes it fit, else cut.
function fitted(x, y, size, fill, content, room) {
  const letter = 0.61;
  const fits = Math.min(size, room / (letter * content.length));
  const taken = fits < 11 ? size : fits;
  return text(x, y, Number(taken.toFixed(1)), fill, cut(content, Math.floor(room / (letter * taken) + 0.01)), `font-family="${mono}"`);
}

function box(x, y, width, height, fill, stroke, extra = "") {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="${fill}" stroke="${stroke}" ${extra}/>`;
}

// The papers' letter, or the word where an array of the listing has that name.
const isGroup = (letter) => letter === "A" || letter === "group";

// The number of the address group or bank that a request goes to, from the stages that hold it.
function destinations(access) {
  const found = new Map();
  access.stages.forEach((stage, at) => stage.addresses.forEach((address, i) =>
    found.set(address, { place: isGroup(stage.letter) ? stage.places[0] : stage.places[i], letter: stage.letter, stage: at })));
  return found;
}

// What is under way in time unit `t`: in which pipeline stage each stage's requests are, from 1.
export function underWay(accesses, t) {
  return accesses.flatMap((access) => access.stages.map((stage, at) => ({ access, stage, at, in: t - (access.start + at) + 1 }))
    .filter((it) => it.in >= 1 && it.in <= access.latency));
}

// The accesses of the step that last began to enter.
export function current(accesses, t) {
  const entered = accesses.filter((it) => it.start <= t);
  const last = entered[entered.length - 1];
  if (!last || !underWay([last], t).length) {
    const any = underWay(accesses, t);
    if (!any.length) return [];
    return [any[any.length - 1].access];
  }
  return accesses.filter((it) => it.step === last.step && it.block === last.block && Math.abs(it.start - last.start) < 4096);
}

// Global memory in time unit `t`, where it is known: a write is made in the time unit in which its stage is
// the pipeline's last.
export function wordsAt(data, t) {
  if (!data.words) return null;
  const values = [...data.words];
  const writes = data.accesses.filter((it) => it.kind === "write" && it.dmm == null);
  const stages = writes.flatMap((it) => it.stages.map((stage, at) => ({ it, stage, made: it.start + at + it.latency - 1 })));
  const made = stages.filter((it) => it.made >= data.from && it.made <= t).sort((a, b) => a.made - b.made);
  for (const { it, stage } of made) {
    for (const { address, value } of it.requests) if (stage.addresses.includes(address)) values[address] = value;
  }
  return values;
}

export function drawStep(data, t, w, [name, settings], theme, width = 1280) {
  const c = themes[theme];
  const narrow = width < 800;
  const pad = 24;
  const inner = width - 2 * pad;
  const parts = [];
  const now = current(data.accesses, t);
  const first = now[0];
  let y = 44;
  const title = `${name}: ${words.stepper.at(grouped(t + 1))}`;
  parts.push(text(pad, y, narrow ? 20 : 24, c.ink, title, 'font-weight="700"'));
  const under = narrow || 16 * title.length + 10.5 * settings.length > inner;
  if (under) y += 26;
  parts.push(text(under ? pad : width - pad, y, narrow ? 15 : 18, c.quiet, settings, under ? "" : 'text-anchor="end"'));
  y += 32;
  if (!first) {
    parts.push(text(pad, y, 18, c.quiet, words.stepper.nothing));
  } else {
    const block = first.block == null ? "" : `  block ${first.block}`;
    parts.push(text(pad, y, 18, c.ink, cut(`${words.stepper.step(first.step)}${block}, ${first.phase}, ${words.stepper.line(first.place.line)}: ${first.text}`, Math.floor(inner / 10.5))));
  }
  y += 26;
  const shown = now.slice(0, narrow ? 2 : 3);
  const left = narrow ? inner : Math.round(inner * 0.62);
  const top = y;
  for (const access of shown) y = threads(parts, access, t, pad, y, left, w, c, narrow);
  if (now.length > shown.length) {
    parts.push(text(pad, y + 14, 15, c.quiet, words.stepper.more(`${now.length - shown.length} ${words.stepper.warp}s`)));
    y += 26;
  }
  if (now.length) {
    const bottom = queue(parts, now, t, narrow ? pad : pad + left + 20, narrow ? y : top, narrow ? inner : inner - left - 20, c);
    y = Math.max(y, bottom);
  }
  y = Math.max(y + 16, narrow ? 0 : 330);
  y = pipeline(parts, data, t, pad, y, inner, c, narrow);
  y = memory(parts, data, now, t, w, pad, y + 14, inner, c);
  const height = Math.ceil(y + 16);
  const label = escaped(`${name}, ${settings}, ${words.stepper.at(t + 1)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${font}" role="img" aria-label="${label}">`
    + box(0, 0, width, height, c.paper, "none") + parts.join("") + "</svg>";
}

function threads(parts, access, t, x, y, width, w, c, narrow) {
  const goes = destinations(access);
  const columns = Math.min(w, narrow ? 2 : 8);
  const cell = Math.floor(width / columns);
  const small = access.requests.length > 16;
  const height = small ? 30 : 50;
  const verb = access.kind === "read" ? words.stepper.reads : words.stepper.writes;
  const dmm = access.dmm == null ? "" : `  (DMM ${access.dmm})`;
  parts.push(text(x, y + 14, 15, c.ink, `W(${access.warp}) ${verb}${dmm}`, 'font-weight="700"'));
  y += 22;
  const byThread = new Map(access.requests.map((it) => [it.thread, it]));
  const base = access.warp * w;
  const rows = Math.min(Math.ceil(w / columns), 4);
  for (let lane = 0; lane < rows * columns && lane < w; lane++) {
    const it = byThread.get(base + lane);
    const at = [x + (lane % columns) * cell, y + Math.floor(lane / columns) * (height + 4)];
    if (!it) {
      parts.push(box(at[0], at[1], cell - 5, height, "none", c.line, 'stroke-dasharray="4 3"'), text(at[0] + 6, at[1] + 15, 12, c.quiet, `T${base + lane} –`));
      continue;
    }
    const { place, stage } = goes.get(it.address);
    const waits = access.start + stage > t;
    parts.push(box(at[0], at[1], cell - 5, height, c.fills[place % 8], c.ink, waits ? 'stroke-width="2"' : 'stroke-opacity="0.4"'));
    const head = small ? `${it.element}` : `T${it.thread} ${it.element}`;
    parts.push(fitted(at[0] + 6, at[1] + (small ? 13 : 20), small ? 11 : 16, c.text, head, cell - 14));
    parts.push(fitted(at[0] + 6, at[1] + (small ? 26 : 41), small ? 11 : 16, c.text, `= ${written(it.value)}`, cell - 14));
  }
  return y + rows * (height + 4) + 10;
}

function queue(parts, now, t, x, y, width, c) {
  const rows = now.flatMap((access) => access.stages.map((stage, at) => ({ access, stage, at, entered: access.start + at })));
  const letter = rows[0].stage.letter;
  parts.push(text(x, y + 14, 15, c.ink, `${isGroup(letter) ? words.stepper.group : words.stepper.bank} → ${words.stepper.stage}`, 'font-weight="700"'));
  y += 22;
  const most = 9;
  // The first that is not complete stands second.
  const under = rows.findIndex((it) => t - it.entered < it.access.latency);
  const from = Math.max(0, Math.min(under - 1, rows.length - most));
  if (from > 0) {
    parts.push(text(x, y + 13, 13, c.quiet, words.stepper.more(from)));
    y += 18;
  }
  for (const it of rows.slice(from, from + most)) {
    const inside = t - it.entered + 1;
    const where = inside < 1 ? words.stepper.waiting : inside > it.access.latency ? "✓" : `${words.stepper.stage} ${inside}`;
    const places = it.stage.places;
    const fill = c.fills[places[0] % 8];
    parts.push(box(x, y, width, 26, inside < 1 ? "none" : fill, c.ink, inside === 1 ? 'stroke-width="3"' : 'stroke-opacity="0.5"'));
    const names = it.stage.addresses.map((address) => it.access.requests.find((r) => r.address === address)?.element);
    const ink = inside < 1 ? c.ink : c.text;
    parts.push(fitted(x + 6, y + 18, 15, ink, `W(${it.access.warp}) ${letter}[${places.slice(0, 6).join(" ")}${places.length > 6 ? " …" : ""}]  ${names.join(" ")}`, width - 94));
    parts.push(text(x + width - 8, y + 18, 15, ink, where, 'text-anchor="end"'));
    y += 30;
  }
  const rest = rows.length - from - most;
  if (rest > 0) {
    parts.push(text(x, y + 13, 13, c.quiet, words.stepper.more(rest)));
    y += 18;
  }
  return y;
}

// Of a long pipeline the first stages, the last, and those between as one.
function pipeline(parts, data, t, x, y, width, c, narrow) {
  const lanes = new Map();
  for (const it of data.accesses) lanes.set(it.dmm ?? -1, Math.max(lanes.get(it.dmm ?? -1) ?? 0, it.latency));
  if (!lanes.size) return y;
  const under = underWay(data.accesses, t);
  for (const [dmm, l] of [...lanes].sort((a, b) => a[0] - b[0]).slice(0, 5)) {
    const most = narrow ? 6 : 14;
    const cells = l <= most ? Array.from({ length: l }, (_, at) => [at + 1, at + 1]) : [
      ...Array.from({ length: most - 4 }, (_, at) => [at + 1, at + 1]), [most - 3, l - 3], ...[l - 2, l - 1, l].map((it) => [it, it])];
    const title = words.stepper.pipeline(l) + (dmm < 0 ? "" : ` (DMM ${dmm})`);
    parts.push(text(x, y + 14, 15, c.ink, title, 'font-weight="700"'));
    y += 22;
    const cell = Math.floor((width - 30) / cells.length);
    cells.forEach(([from, to], at) => {
      const left = x + at * cell;
      const inside = under.filter((it) => (it.access.dmm ?? -1) === dmm && it.in >= from && it.in <= to);
      const token = inside[0];
      parts.push(box(left, y, cell - 4, 62, token ? c.fills[token.stage.places[0] % 8] : c.panel, c.line));
      parts.push(text(left + 6, y + 14, 11, token ? c.text : c.quiet, from === to ? String(from) : `${from}…${to}`));
      if (!token) return;
      const letters = Math.floor((cell - 12) / 8.4);
      if (from !== to && inside.length > 1) {
        parts.push(text(left + 6, y + 36, 13, c.text, cut(`${inside.length} ${words.stepper.stage}s`, letters)));
        return;
      }
      const request = token.access.requests.find((r) => r.address === token.stage.addresses[0]);
      const others = token.stage.addresses.length - 1;
      parts.push(text(left + 6, y + 34, 14, c.text, cut(`W(${token.access.warp})`, letters), `font-family="${mono}"`));
      parts.push(text(left + 6, y + 53, 14, c.text, cut(`${request.element}${others ? `+${others}` : ""}`, letters), `font-family="${mono}"`));
    });
    parts.push(text(x + width, y + 38, 22, c.ink, "→", 'text-anchor="end"'));
    y += 74;
  }
  return y;
}

// The rows of memory that the step asks for.
function memory(parts, data, now, t, w, x, y, width, c) {
  const global = now.filter((it) => it.dmm == null);
  const values = wordsAt(data, t);
  const asked = new Map();
  for (const access of global) for (const it of access.requests) asked.set(it.address, { ...it, value: values?.[it.address] ?? "" });
  const rows = [...new Set([...asked.keys()].map((it) => Math.floor(it / w)))].sort((a, b) => a - b).slice(0, 6);
  if (!rows.length) return y;
  parts.push(text(x, y + 14, 15, c.ink, words.stepper.memory, 'font-weight="700"'));
  y += 22;
  const places = new Map();
  for (const access of global) for (const [address, it] of destinations(access)) places.set(address, it.place);
  const cell = Math.floor((width - 70) / w);
  for (const row of rows) {
    parts.push(text(x, y + 18, 12, c.quiet, `${row * w}`, `font-family="${mono}"`));
    for (let bank = 0; bank < w; bank++) {
      const address = row * w + bank;
      const it = asked.get(address);
      parts.push(box(x + 60 + bank * cell, y, cell - 2, 26, it ? c.fills[places.get(address) % 8] : c.panel, it ? c.ink : c.line));
      const letters = Math.floor((cell - 8) / 8.2);
      if (it && letters >= it.element.length) parts.push(text(x + 63 + bank * cell, y + 18, 13.5, c.text, cut(letters > it.element.length + it.value.length ? `${it.element} ${written(it.value)}` : it.element, letters), `font-family="${mono}"`));
    }
    y += 30;
  }
  return y;
}
