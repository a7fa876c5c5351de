// Curves and a map as SVG text: 16:9, or for a phone narrower, with letters as large.
import { words } from "./words.js";
import { escaped, grouped } from "./dom.js";
import { text, themes } from "./picture.js";

const shapeOf = (wide) => (wide
  ? { width: 1280, height: 720, left: 130, right: 40, top: 84, bottom: 86 }
  : { width: 560, height: 520, left: 100, right: 20, top: 80, bottom: 80 });

// Where the signs of a legend stand, in as many rows as they need; what is below begins lower.
function legendOf(frame, names) {
  let [x, y] = [frame.left, frame.top];
  const places = names.map((name) => {
    const length = 66 + name.length * 10.5;
    if (x > frame.left && x + length > frame.width) [x, y] = [frame.left, y + 26];
    x += length;
    return [x - length, y];
  });
  frame.top = y;
  return places;
}

const short = (value) => {
  if (Number.isInteger(value) && value < 1e5) return grouped(value);
  for (const [size, letter] of [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"]]) if (value >= size) return `${+(value / size).toPrecision(3)}${letter}`;
  return value < 1e-3 ? value.toExponential(0).replace(/e-(\d+)/, (_, digits) => "·10⁻" + [...digits].map((it) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[it]).join("")) : String(+value.toPrecision(3));
};

function decades(from, to) {
  const all = [];
  for (let it = 10 ** Math.floor(Math.log10(from)); it <= to * 1.001; it *= 10) {
    const steps = to / from > 1e4 ? [1] : to / from > 50 ? [1, 3] : to / from > 5 ? [1, 2, 5] : [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
    for (const step of steps) if (it * step >= from * 0.999 && it * step <= to * 1.001) all.push(it * step);
  }
  return all;
}

function startPicture(theme, title, { width, height, left }) {
  const c = themes[theme];
  const size = Math.min(26, (width - left) / (title.length * 0.7));
  return [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="DejaVu Sans, system-ui, sans-serif" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${width}" height="${height}" fill="${c.paper}"/>`, text(left, 44, size, c.ink, title, 'font-weight="700"')];
}

// Curves: { name, points: [[x, y]], dashed, dots }. Both axes are logarithmic.
export function curves(theme, title, axis, lines, here, { units = words.charts.units, wide = true } = {}) {
  const c = themes[theme];
  const frame = shapeOf(wide);
  const { width, height } = frame;
  const legend = legendOf(frame, lines.map((it) => it.name));
  const all = lines.flatMap((it) => it.points).filter(([x, y]) => x > 0 && y > 0);
  if (!all.length) return "";
  const [x0, x1] = [Math.min(...all.map((it) => it[0])), Math.max(...all.map((it) => it[0]))];
  let [y0, y1] = [Math.min(...all.map((it) => it[1])), Math.max(...all.map((it) => it[1]))];
  if (y1 / y0 < 1.5) [y0, y1] = [y0 / 1.5, y1 * 1.5];
  const at = (value, from, to, a, b) => a + ((b - a) * (Math.log(value) - Math.log(from))) / (Math.log(to) - Math.log(from) || 1);
  const x = (it) => at(it, x0, x1, frame.left + 10, width - frame.right - 10);
  const y = (it) => at(it, y0, y1, height - frame.bottom - 10, frame.top + 34);
  const parts = startPicture(theme, title, frame);
  for (const it of decades(y0, y1)) parts.push(`<path d="M${frame.left} ${y(it)}H${width - frame.right}" stroke="${c.line}"/>`, text(frame.left - 10, y(it) + 6, 17, c.quiet, short(it), 'text-anchor="end"'));
  let last = -99;
  const ticks = [...new Set(lines[0].points.map((it) => it[0]))];
  for (const it of ticks) {
    if (x(it) - last < 62) continue;
    last = x(it);
    parts.push(`<path d="M${x(it)} ${frame.top + 24}V${height - frame.bottom}" stroke="${c.line}"/>`, text(x(it), height - frame.bottom + 26, 17, c.quiet, short(it), 'text-anchor="middle"'));
  }
  parts.push(text((frame.left + width) / 2, height - 22, 20, c.ink, axis, 'text-anchor="middle"'));
  parts.push(text(30, height / 2, 20, c.ink, units, `text-anchor="middle" transform="rotate(-90 30 ${height / 2})"`));
  lines.forEach((line, i) => {
    const [left, top] = legend[i];
    const stroke = c.curves[i % c.curves.length];
    const points = line.points.filter((it) => it[1] > 0);
    if (!line.dots) parts.push(`<polyline fill="none" stroke="${stroke}" stroke-width="3.5" ${line.dashed ? 'stroke-dasharray="10 7"' : ""} points="${points.map((it) => `${x(it[0]).toFixed(1)},${y(it[1]).toFixed(1)}`).join(" ")}"/>`);
    else for (const it of points) parts.push(`<circle cx="${x(it[0])}" cy="${y(it[1])}" r="6" fill="${stroke}"/>`);
    const sign = line.dots ? `<circle cx="${left + 17}" cy="${top - 6}" r="6" fill="${stroke}"/>` : `<path d="M${left} ${top - 6}h34" stroke="${stroke}" stroke-width="4" ${line.dashed ? 'stroke-dasharray="10 7"' : ""}/>`;
    parts.push(sign, text(left + 42, top, 18, c.ink, line.name));
  });
  if (here && here[0] >= x0 && here[0] <= x1) parts.push(`<circle cx="${x(here[0])}" cy="${y(here[1])}" r="9" fill="none" stroke="${c.ink}" stroke-width="4"/>`, text(x(here[0]) + (x(here[0]) > width - 180 ? -16 : 16), y(here[1]) - 12, 18, c.ink, grouped(here[1]), x(here[0]) > width - 180 ? 'text-anchor="end"' : ""));
  return parts.join("") + "</svg>";
}

// The map: a cell for each p and l, in the colour of the largest lower bound, with time over bound.
export function map(theme, title, cells, here, wide = true) {
  const c = themes[theme];
  const frame = shapeOf(wide);
  const { width, height } = frame;
  const [ps, ls] = ["p", "l"].map((key) => [...new Set(cells.map((it) => it[key]))]);
  const names = [...new Set(cells.map((it) => String(it.bound)))];
  const legend = legendOf(frame, names);
  const parts = startPicture(theme, title, frame);
  const [cw, ch] = [(width - frame.left - frame.right) / ps.length, (height - frame.top - frame.bottom - 20) / ls.length];
  for (const it of cells) {
    const [x, y] = [frame.left + ps.indexOf(it.p) * cw, height - frame.bottom - (ls.indexOf(it.l) + 1) * ch];
    const near = it.p === here.p && it.l === here.l;
    parts.push(`<rect data-p="${it.p}" data-l="${it.l}" x="${x}" y="${y}" width="${cw - 2}" height="${ch - 2}" fill="${c.fills[names.indexOf(String(it.bound)) % 8]}" style="cursor:pointer"><title>${escaped(`p = ${it.p}, l = ${it.l}: ${grouped(it.time)} ${words.charts.units}; ${it.bound} ${it.formula}`)}</title></rect>`);
    parts.push(text(x + cw / 2, y + ch / 2 + 6, wide ? 15 : 12, c.text, it.ratio == null ? "" : it.ratio.toFixed(it.ratio < 10 ? 2 : 0), 'text-anchor="middle" pointer-events="none"'));
    if (near) parts.push(`<circle cx="${x + cw / 2}" cy="${y + ch / 2}" r="${Math.min(cw, ch) / 2 - 3}" fill="none" stroke="${c.ink}" stroke-width="4" pointer-events="none"/>`);
  }
  const every = Math.ceil(62 / cw);
  ps.forEach((it, at) => at % every === 0 && parts.push(text(frame.left + (at + 0.5) * cw, height - frame.bottom + 24, 16, c.quiet, short(it), 'text-anchor="middle"')));
  ls.forEach((it, at) => parts.push(text(frame.left - 10, height - frame.bottom - (at + 0.5) * ch + 6, 16, c.quiet, short(it), 'text-anchor="end"')));
  parts.push(text((frame.left + width) / 2, height - 22, 20, c.ink, words.fields.p, 'text-anchor="middle"'), text(30, height / 2, 20, c.ink, words.fields.l, `text-anchor="middle" transform="rotate(-90 30 ${height / 2})"`));
  names.forEach((name, i) => {
    const [left, top] = legend[i];
    parts.push(`<rect x="${left}" y="${top - 18}" width="22" height="22" fill="${c.fills[i % 8]}"/>`, text(left + 30, top - 1, 17, c.ink, name));
  });
  return parts.join("") + "</svg>";
}
