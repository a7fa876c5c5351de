// Asks the module. Each lane is a worker of its own: what is asked of one does not wait for the others.
import { words } from "./words.js";

const seconds = { live: 10, steps: 30, study: 60 };
const lanes = {};
let compiled;

export async function start() {
  const script = document.getElementById("worker").textContent;
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  for (const name of Object.keys(seconds)) lanes[name] = { name, address, worker: null, current: null, next: null, timer: 0 };
  // The first worker starts while the module is compiled.
  beginLane(lanes.live);
  compiled = await compile();
  lanes.live.worker.postMessage({ module: compiled });
}

// The module's bytes: how many there are, a blank, then seven bits in each character.
function unpack(text) {
  const start = text.indexOf(" ") + 1;
  const bytes = new Uint8Array(Number(text.slice(0, start)));
  for (let at = start, filled = 0, word = 0, bits = 0; filled < bytes.length; at++) {
    word = word << 7 | text.charCodeAt(at) & 127;
    bits += 7;
    if (bits < 8) continue;
    bits -= 8;
    bytes[filled++] = word >> bits;
  }
  return bytes;
}

function compile() {
  const packed = unpack(document.getElementById("module").textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  // Compiled while it is unpacked.
  const headers = { "content-type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(stream, { headers }));
}

function beginLane(it) {
  it.worker = new Worker(it.address);
  it.worker.onmessage = ({ data }) => {
    const { resolve } = it.current ?? {};
    clearTimeout(it.timer);
    it.current = null;
    if (data.crashed) {
      endLane(it);
      resolve?.({ error: { message: words.crashed, text: words.crashed } });
    } else {
      resolve?.(JSON.parse(data.answer));
    }
    goOn(it);
  };
  if (compiled) it.worker.postMessage({ module: compiled });
}

function endLane(it) {
  clearTimeout(it.timer);
  it.worker.terminate();
  it.worker = null;
}

function goOn(it) {
  if (it.current || !it.next) return;
  if (!it.worker) beginLane(it);
  it.current = it.next;
  it.current.since = performance.now();
  it.next = null;
  it.worker.postMessage({ id: 1, question: it.current.question });
  const limit = seconds[it.name];
  it.timer = setTimeout(() => {
    const { resolve } = it.current;
    it.current = null;
    endLane(it);
    const message = words.tooLong(limit);
    resolve({ error: { message, text: message } });
    goOn(it);
  }, limit * 1000);
}

// The answer, or null if a newer question of this lane took its place before it was asked.
export function ask(name, question) {
  const it = lanes[name];
  return new Promise((resolve) => {
    it.next?.resolve(null);
    it.next = { question, resolve };
    goOn(it);
  });
}

// Something newer waits: what has taken a second by then is given up, and its answer is null.
export function hurry(name) {
  const it = lanes[name];
  const { current } = it;
  if (!current || current.hurried) return;
  current.hurried = true;
  setTimeout(() => {
    if (it.current !== current) return;
    it.current = null;
    endLane(it);
    current.resolve(null);
    goOn(it);
  }, Math.max(0, 1000 - (performance.now() - current.since)));
}

export function isBusy(name) {
  return Boolean(lanes[name].current);
}

// Ends what the lane is at.
export function cancel(name) {
  const it = lanes[name];
  if (!it.current) return;
  const { resolve } = it.current;
  it.current = null;
  endLane(it);
  resolve({ error: { message: words.cancelled, text: words.cancelled } });
  goOn(it);
}
