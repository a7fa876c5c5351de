// The page as a person uses it, in headless Chromium, from a file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";

const { PAGE, UMM, CHROMIUM, MODULES } = process.env;
const { chromium } = createRequire(`${MODULES}/`)("playwright-core");
const umm = (command) => JSON.parse(execFileSync(UMM, command.split(" ").slice(1), { maxBuffer: 1 << 24 }));
const tabs = ["time", "steps", "lines", "models", "charts", "ladder", "exercises"];
let browser;
let page;
const errors = [];

async function open(options = {}, hash = "", file = PAGE) {
  const it = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  it.on("pageerror", (error) => errors.push(error.message));
  await it.goto(`file://${file}${hash}`);
  await it.waitForSelector("html[data-ready]");
  return it;
}

const settled = (value) => page.waitForFunction((value) => document.querySelector("[data-time]")?.dataset.time === String(value), value);
const time = async () => Number(await page.getAttribute("[data-time]", "data-time"));

// The command line that the page names for what it shows.
async function command(of = page) {
  await of.click("#exports summary");
  await of.click("[data-export=command]");
  await of.waitForFunction(() => document.getElementById("notice").textContent.includes("umm run"));
  const text = await of.textContent("#notice");
  await of.evaluate(() => (document.getElementById("notice").textContent = ""));
  return text.slice(text.indexOf("umm run"));
}

async function exported(kind, from = page) {
  await from.click("#exports summary");
  const [download] = await Promise.all([from.waitForEvent("download"), from.click(`[data-export=${kind}]`)]);
  return readFileSync(await download.path());
}

before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
  // The first of five is of a browser that has just started.
  const times = [];
  for (let at = 0; at < 5; at++) {
    await page?.close();
    page = await open();
    times.push(await page.evaluate(() => Math.round(performance.getEntriesByName("ready")[0].startTime)));
  }
  console.log(`first picture after ${times.join(", ")} ms`);
});
after(() => browser?.close());

test("the papers' 8-gon is there at once", async () => {
  await settled(umm("umm run umm_opt --set n=8 -w 4 -l 5 -p 8 --json").time_units);
  assert.match(await page.textContent(".sum"), /307 stages \+ 98 steps · \(5 − 1\) = 699/);
});

test("every shipped listing runs with the numbers of the command line", async () => {
  const names = await page.$$eval("#gallery option", (all) => all.map((it) => it.value).filter(Boolean));
  assert.equal(names.length, JSON.parse(execFileSync(UMM, ["list", "--json"])).algorithms.length);
  for (const name of names) {
    await page.selectOption("#gallery", name);
    await page.waitForFunction((name) => document.getElementById("text").value.includes(`algorithm ${name}(`), name);
    const wanted = umm(`${await command()} --json`);
    assert.equal(wanted.algorithm, name);
    await settled(wanted.time_units);
    await page.click("#run");
    await page.waitForSelector("#run-json", { state: "attached" });
    assert.deepEqual(JSON.parse(await page.textContent("#run-json")), wanted, name);
  }
});

test("a paste without declarations is adopted by one click", async () => {
  const it = await open();
  await it.fill("#text", "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n");
  await it.waitForSelector("#reading pre");
  assert.match(await it.textContent("#reading pre"), /^algorithm total\(n\)\n.*\ninput xs\[n\] : i64/);
  assert.match(await it.textContent("#reading li"), /line \d: read as Python/);
  assert.ok((await it.$$("#reading li")).length > 2);
  await it.click("#adopt");
  await it.waitForFunction(() => document.getElementById("text").value.startsWith("algorithm total(n)"));
  // A listing has its declarations, and nothing to say of them.
  await it.waitForFunction(() => document.getElementById("reading").childElementCount === 0);
  assert.equal(await it.textContent("#diagnostic"), "");
  await it.fill("#text", "def f(xs):\n    xs.append(1)\n");
  await it.waitForFunction(() => document.getElementById("diagnostic").textContent.includes("length of a list"));
  assert.equal(await it.$("#reading pre"), null);
  await it.close();
});

test("a slider is dragged and the time follows", async () => {
  await page.selectOption("#gallery", "umm_opt");
  await page.fill("#size-n", "64");
  await settled(umm(`${await command()} --json`).time_units);
  const box = await page.locator("#a-w-range").boundingBox();
  const frames = page.evaluate(() => new Promise((resolve) => {
    const begun = performance.now();
    let [count, shown] = [0, new Set()];
    const frame = () => {
      count++;
      shown.add(document.querySelector("[data-time]").dataset.time);
      if (performance.now() - begun < 1500) requestAnimationFrame(frame);
      else resolve([Math.round(count / 1.5), shown.size]);
    };
    frame();
  }));
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  await page.mouse.down();
  for (let at = 0; at <= 40; at++) {
    await page.mouse.move(box.x + 4 + ((box.width - 8) * at) / 40, box.y + box.height / 2);
    await page.waitForTimeout(30);
  }
  await page.mouse.up();
  const [rate, shown] = await frames;
  console.log(`${rate} frames a second while w is dragged, ${shown} times shown`);
  assert.ok(rate >= 30 && shown > 1);
  const line = await command();
  assert.match(line, /-w 256 /);
  await settled(umm(`${line} --json`).time_units);
});

test("steps are played, scrubbed and taken by keys", async () => {
  await page.fill("#size-n", "8");
  await page.fill("#a-w", "4");
  await page.fill("#a-l", "5");
  await page.click("#tab-steps");
  await page.waitForSelector("#picture-first svg");
  const at = async (t) => page.waitForFunction((t) => document.querySelector("#picture-first svg")?.getAttribute("aria-label").endsWith(`time unit ${t}`), t);
  await at(1);
  await page.click("#forth");
  await at(2);
  await page.click("h2");
  await page.keyboard.press("ArrowRight");
  await at(3);
  await page.keyboard.press("Home");
  await at(1);
  await page.click("#next");
  assert.ok(Number(await page.inputValue("#at")) > 1);
  await page.fill("#at", "120");
  await page.keyboard.press("Enter");
  await at(120);
  assert.ok(await page.$(".lit"));
  assert.match(await page.textContent("#picture-first"), /b\[2\]= 0/);
  await page.click("#play");
  await page.waitForFunction(() => Number(document.getElementById("at").value) > 121);
  await page.click("#play");
});

test("two machines stand side by side on one clock", async () => {
  await page.check("#compare");
  await page.waitForSelector("#picture-second svg");
  await page.click("#tab-time");
  await page.waitForFunction(() => document.querySelectorAll("[data-time]").length === 2);
  const both = await page.$$eval("[data-time]", (all) => all.map((it) => Number(it.dataset.time)));
  assert.equal(both[1], umm(`${(await command()).replace("-m umm", "-m dmm")} --json`).time_units);
  await page.uncheck("#compare");
});

test("what is seen is exported, and a link opens it again", async () => {
  await page.click("#tab-steps");
  await page.waitForSelector("#picture-first svg");
  const svg = (await exported("svg")).toString();
  assert.match(svg, /^<svg [^>]*viewBox="0 0 1280 720"/);
  assert.equal((await exported("png")).subarray(1, 4).toString(), "PNG");
  assert.match((await exported("trace")).toString(), /^time_unit,step,phase,line,warp,thread,kind,address,element,value\n\d/);
  assert.ok((await exported("animation")).toString().includes("<animate"));
  assert.match((await exported("deck")).toString(), /<section>/);
  const shown = await time();
  assert.equal(JSON.parse((await exported("json")).toString()).time_units, shown);
  await page.click("#share");
  const hash = await page.evaluate(() => location.hash);
  const other = await open({}, hash);
  assert.equal(Number(await other.getAttribute("[data-time]", "data-time")), shown);
  assert.equal(await other.getAttribute("#tab-steps", "aria-selected"), "true");
  await other.close();
});

test("charts are drawn, and the map sets p and l", async () => {
  await page.click("#tab-charts");
  await page.waitForSelector("#chart svg");
  await page.click("#regime");
  await page.waitForSelector("#map rect[data-p='64'][data-l='10']");
  await page.click("#map rect[data-p='64'][data-l='10']");
  await page.waitForFunction(() => document.getElementById("a-p").value === "64" && document.getElementById("a-l").value === "10");
  await page.click("#gpu");
  await page.waitForSelector("#measured circle");
});

test("exercises of a seed are marked as the library marks them", async () => {
  await page.click("#tab-exercises");
  await page.waitForSelector("#exercise-7");
  const kinds = await page.$$eval("#questions .card", (all) => all.map((it) => it.dataset.item.split("/")[0]));
  assert.equal(new Set(kinds).size, 8);
  for (let at = 0; at < kinds.length; at++) {
    const card = page.locator(`#exercise-${at}`);
    const said = card.locator("[role=status]");
    await card.locator("[data-act=reveal]").click();
    const field = card.locator("input, textarea").first();
    const isListing = (await field.evaluate((it) => it.tagName)) === "TEXTAREA";
    const answer = isListing ? await said.locator("pre").textContent() : (await said.textContent()).match(/Answer: (.*?) (?=[A-Zu])/)[1];
    await field.fill("☃");
    await card.locator("[data-act=check]").click();
    await said.filter({ hasText: "Not yet:" }).waitFor();
    await field.fill(answer);
    await card.locator("[data-act=check]").click();
    await said.filter({ hasText: "Right." }).waitFor();
  }
  await page.click("#exercise-6 [data-act=take]");
  await page.waitForFunction(() => document.getElementById("text").value.includes("algorithm my_"));
  await page.selectOption("#exercise-kind", "race");
  await page.waitForFunction(() => [...document.querySelectorAll("#questions .card")].every((it) => it.dataset.item.startsWith("race/")));
});

// A page around the playground, from a file, as everything else.
const parts = mkdtempSync(`${tmpdir()}/page-`);
async function around(html, options = {}) {
  writeFileSync(`${parts}/around.html`, `<!doctype html><title>around</title>${html}`);
  const it = await browser.newPage({ viewport: { width: 1000, height: 900 }, ...options });
  it.on("pageerror", (error) => errors.push(error.message));
  await it.goto(`file://${parts}/around.html`);
  return it;
}

test("a page shows the listing, the picture or the exercises alone", async () => {
  const shown = { listing: ["#editor"], picture: ["#picture-first svg"], exercise: ["#questions .card"] };
  for (const [embed, selectors] of Object.entries(shown)) {
    const it = await open({}, `#embed=${embed}&seed=3`);
    if (embed === "picture") {
      await it.evaluate(() => document.getElementById("tab-steps").click());
      assert.ok(await it.evaluate(() => location.hash.startsWith("#embed=picture")));
    }
    for (const selector of selectors) await it.waitForSelector(selector);
    for (const [other, hidden] of Object.entries(shown)) if (other !== embed) for (const selector of hidden) assert.ok(!(await it.isVisible(selector)), `${embed}: ${selector}`);
    for (const selector of ["nav", "#machine", "#tabs"]) assert.ok(!(await it.isVisible(selector)), `${embed}: ${selector}`);
    assert.ok(await it.isVisible("#whole"));
    assert.ok(await it.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await it.addScriptTag({ path: `${MODULES}/axe-core/axe.min.js` });
    const { violations } = await it.evaluate(() => axe.run());
    assert.deepEqual(violations.map((found) => [embed, found.id, found.nodes[0].html]), []);
    await it.close();
  }
});

test("a snippet embeds what is shown", async () => {
  const it = await open();
  await it.click("#tab-steps");
  await isAt(it, 1);
  await it.click("#embeds summary");
  await it.click("[data-embedding=picture]");
  await it.waitForFunction(() => document.getElementById("notice").textContent.includes("<iframe"));
  const snippet = (await it.textContent("#notice")).replace(/^[^<]*/, "");
  await it.close();
  const outer = await around(snippet);
  const inner = outer.frameLocator("iframe");
  await inner.locator("#picture-first svg").waitFor();
  assert.ok(!(await inner.locator("#editor").isVisible()));
  await outer.close();
});

test("a page around is answered, and one of another origin is not", async () => {
  const script = (origin) => `<iframe src="file://${PAGE}#origin=${origin}"></iframe><script>
    window.heard = [];
    addEventListener("message", ({ data }) => heard.push(data));
    window.send = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
  </` + "script>";
  const it = await around(script("null"));
  const heard = (is) => it.waitForFunction((is) => heard.find((it) => Object.entries(is).every(([key, value]) => it[key] === value)), is).then((found) => found.jsonValue());
  await heard({ umm: "ready" });
  await it.evaluate(() => send({ umm: "load", id: 1, state: { name: "transpose", set: { n: 8 }, machine: "dmm", w: 4, l: 5, p: 16 } }));
  const wanted = umm("umm run transpose --set n=8 -m dmm -w 4 -l 5 -p 16 --json");
  assert.equal((await heard({ umm: "result", id: 1 })).report.time_units, wanted.time_units);
  await it.evaluate(() => send({ umm: "run", id: 2 }));
  assert.deepEqual((await heard({ umm: "result", id: 2 })).report, wanted);
  await it.evaluate(() => send({ umm: "load", id: 3, state: { name: "nosuch" } }));
  assert.match((await heard({ umm: "result", id: 3 })).error, /nosuch/);
  // What is of no such kind is left out, and other words are not heard.
  await it.evaluate(() => (send({ umm: "toString", id: 4 }), send(null), send({ umm: "load", id: 5, state: { set: "x", w: "x", listing: 5 } })));
  assert.equal((await heard({ umm: "result", id: 5 })).error, undefined);
  assert.ok(!(await it.evaluate(() => heard.some((it) => it.id === 4))));
  await it.close();
  const other = await around(script("https://example.org"));
  const frame = other.frameLocator("iframe");
  await frame.locator("html[data-ready]").waitFor();
  await other.evaluate(() => send({ umm: "run", id: 1 }));
  await other.waitForTimeout(1500);
  assert.deepEqual(await other.evaluate(() => heard), []);
  await other.close();
});

test("an element stands in a page, loads a listing and tells of the score", async () => {
  execFileSync(UMM, ["web", "--element", "-o", `${parts}/umm-playground.js`]);
  const it = await around(`<script src="umm-playground.js"></` + `script>
    <umm-playground id="one" src="file://${PAGE}" embed="picture" state='{"set": {"n": 8}, "w": 4, "l": 3, "p": 8, "machine": "umm"}'>
algorithm mine(n)
output b[n] : f32
for i ← 0 to n-1 do in parallel
  b[i] ← 1
    </umm-playground>
    <umm-playground id="two" src="file://${PAGE}" embed="exercise" item="small/stages/umm" seed="4"></umm-playground>`);
  await it.frameLocator("#one iframe").locator(`[data-time="${2 + 3 - 1}"]`).waitFor({ state: "attached" });
  const run = await it.evaluate(() => document.getElementById("one").run());
  assert.deepEqual([run.report.algorithm, run.report.time_units], ["mine", 4]);
  const scored = it.evaluate(() => new Promise((told) => document.getElementById("two").addEventListener("score", ({ detail }) => told(detail))));
  const exercise = it.frameLocator("#two iframe");
  await exercise.locator("input[type=text]").fill("0");
  await exercise.locator("[data-act=check]").click();
  assert.deepEqual(await scored, { umm: "score", item: "small/stages/umm", seed: (await scored).seed, right: false, points: 0, of: 1 });
  await it.close();
});

test("models are those of the command line", async () => {
  const it = await open();
  await it.selectOption("#gallery", "sum");
  await it.waitForFunction(() => document.getElementById("text").value.includes("algorithm sum("));
  const line = (await command(it)).replace("umm run", "umm compare-models").replace(/ -m \w+| --mode \w+/g, "");
  await it.click("#tab-models");
  await it.waitForSelector("#models-json", { state: "attached" });
  const wanted = umm(`${line} --json`).filter((row) => row.machine.kind !== "roofline");
  assert.deepEqual(JSON.parse(await it.textContent("#models-json")), wanted);
  await it.click("#view-models summary");
  await it.fill("#rule-processors", "4");
  await it.fill("#rule-bandwidth", "1e12");
  await it.keyboard.press("Tab");
  await it.waitForFunction(() => JSON.parse(document.getElementById("models-json").textContent).some(({ machine }) => machine.kind === "roofline"));
  assert.match(await it.textContent("#models"), /BSPprocessors = 4/);
  await it.close();
});

test("lines have their time, and two listings stand side by side", async () => {
  const it = await open();
  await it.click("#tab-lines");
  await it.waitForSelector("#line-sums");
  const sums = () => it.$eval("#line-sums", (row) => [...row.children].map((cell) => cell.textContent.replace(/\D/g, "")).filter(Boolean).map(Number));
  assert.deepEqual(await sums(), [699]);
  await it.selectOption("#line-measure", "stages");
  assert.deepEqual(await sums(), [307]);
  await it.selectOption("#line-measure", "time_units");
  await it.click("#hold");
  const text = await it.inputValue("#text");
  await it.fill("#text", text.replace("M[i, i] ← 0", "M[i, i] ← 0 + 0"));
  await it.waitForSelector("tr.changed");
  const changed = await it.$$eval("tr.changed", (rows) => rows.map((row) => row.textContent.trim()));
  assert.ok(changed.length === 2 && changed.every((row) => row.includes("M[i, i] ← 0")), changed.join("|"));
  assert.deepEqual(await sums(), [699, 699]);
  await it.click("#cuda-box summary");
  await it.waitForFunction(() => document.getElementById("cuda").textContent.includes("__global__"));
  await it.click("#swap");
  await it.waitForFunction((text) => document.getElementById("text").value === text, text);
  await it.close();
});

test("versions of a listing survive that the page is loaded again", async () => {
  const it = await open();
  const first = await it.inputValue("#text");
  await it.selectOption("#gallery", "transpose");
  await it.waitForFunction(() => document.getElementById("text").value.includes("algorithm transpose("));
  await it.waitForFunction(() => !document.getElementById("undo").disabled);
  await it.reload();
  await it.waitForSelector("html[data-ready]");
  await it.click("#undo");
  await it.waitForFunction((first) => document.getElementById("text").value === first, first);
  await it.click("#redo");
  await it.waitForFunction(() => document.getElementById("text").value.includes("algorithm transpose("));
  await it.close();
});

test("at twice the size nothing is cut off, and who wants no motion sees none", async () => {
  const it = await open({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, reducedMotion: "reduce" });
  for (const name of tabs) {
    await it.click(`#tab-${name}`);
    await it.waitForTimeout(300);
    assert.ok(await it.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
  }
  assert.equal(await it.$eval("#share", (button) => getComputedStyle(button).transitionDuration), "0s");
  await it.close();
});

test("a ladder is searched, and a rung of it put into the editor", async () => {
  const it = await open();
  await it.selectOption("#gallery", "edit_distance");
  await it.waitForFunction(() => document.getElementById("text").value.includes("algorithm edit_distance("));
  await it.fill("#size-n", "12");
  await it.click("#tab-ladder");
  await it.fill("#ladder-steps", "2");
  await it.fill("#ladder-p", "64");
  await it.click("#ladder-search");
  await it.waitForSelector("#ladder-json", { state: "attached" });
  const ladder = JSON.parse(await it.textContent("#ladder-json"));
  const line = (await command(it)).replace("umm run", "umm improve").replace(/ -p \d+/, "");
  assert.deepEqual(ladder, umm(`${line} -p 64 --steps 2 --beam 2 --json`));
  assert.match(await it.textContent("#rungs"), /run the diagonals d = i \+ j in turn.*the same in \d+ runs/s);
  await it.addScriptTag({ path: `${MODULES}/axe-core/axe.min.js` });
  const { violations } = await it.evaluate(() => axe.run());
  assert.deepEqual(violations.map((found) => [found.id, found.nodes[0].html]), []);
  await it.click("summary:has-text('1. ')");
  await it.click("[data-rung='1']");
  await it.waitForFunction((wanted) => document.querySelector("[data-time]")?.dataset.time === wanted, String(ladder.rungs[1].time_units));
  assert.match(await it.inputValue("#text"), /in parallel/);
  assert.match(await it.textContent("#ladder-status"), /search again/);
  await it.close();
});

test("mistakes, endless loops and huge sizes leave the page usable", async () => {
  await page.click("#tab-time");
  await page.fill("#text", "algorithm x(n)\noutput a[n] : f32\n  a[0] ← ☃\n");
  await page.waitForFunction(() => document.getElementById("diagnostic").textContent.includes("listing:3:"));
  await page.fill("#text", "algorithm x(n)\ninout a[n] : f32\nh ← 1\nwhile h > 0 do\n  h ← h + 1\na[0] ← 1\n");
  await page.waitForFunction(() => document.getElementById("diagnostic").textContent.includes("without ending"), null, { timeout: 60000 });
  await page.selectOption("#gallery", "umm_opt");
  await page.waitForFunction(() => document.getElementById("text").value.includes("umm_opt"));
  await page.fill("#size-n", "1000000000");
  await page.waitForFunction(() => document.getElementById("diagnostic").textContent.includes("would run"));
  await page.fill("#size-n", "16");
  await settled(umm(`${await command()} --json`).time_units);
});

test("a page opens with the listing and the machine that umm web wrote into it", async () => {
  const start = { name: "transpose", set: { n: 8 }, machine: "dmm", w: 4, l: 5, p: 16, mode: "async", bulk: null };
  const file = `${mkdtempSync(`${tmpdir()}/page-`)}/page.html`;
  writeFileSync(file, readFileSync(PAGE, "utf8").replace('id="start">{}<', `id="start">${JSON.stringify(start)}<`));
  const other = await open({}, "", file);
  const wanted = umm("umm run transpose --set n=8 -m dmm -w 4 -l 5 -p 16 --mode async --json");
  assert.equal(Number(await other.getAttribute("[data-time]", "data-time")), wanted.time_units);
  await other.close();
});

const stepShown = async (it) => Number((await it.getAttribute("#picture-first svg", "aria-label")).match(/time unit (\d+)$/)[1]);
const isAt = (it, t) => it.waitForFunction((t) => document.querySelector("#picture-first svg")?.getAttribute("aria-label").endsWith(`time unit ${t}`), t);

test("inputs that do not fit the sizes are random, and it is said", async () => {
  const it = await open();
  const fits = () => it.waitForFunction(() => document.getElementById("misfits").textContent === "");
  await fits();
  await it.fill("#size-n", "9");
  await it.waitForFunction(() => document.getElementById("misfits").textContent.includes("c[n, n] holds random numbers"));
  const wanted = umm("umm run umm_opt --set n=9 -w 4 -l 5 -p 8 --json");
  await it.click("#run");
  await it.waitForSelector("#run-json", { state: "attached" });
  assert.deepEqual(JSON.parse(await it.textContent("#run-json")), wanted);
  await it.click("#tab-steps");
  await isAt(it, 1);
  await it.fill("#size-n", "8");
  await fits();
  await it.click("#tab-time");
  await it.click("#run");
  await it.waitForFunction(() => document.getElementById("run-result").textContent.includes("answer: 6"));
  await it.close();
});

test("a number that is none is told beside its field, and no old result stands", async () => {
  const it = await open();
  const said = (id, text) => it.waitForFunction(([id, text]) => document.getElementById(`${id}-fault`).textContent.includes(text), [id, text]);
  const hasResult = () => it.waitForSelector("[data-time='699']");
  for (const [id, value, text] of [["size-n", "0", "at least 1"], ["size-n", "-5", "at least 1"], ["size-n", "", "missing"], ["size-n", "2.5", "missing"], ["a-w", "0", "at least 1"], ["a-l", "", "missing"], ["a-p", "-1", "at least 1"]]) {
    const right = await it.inputValue(`#${id}`);
    await it.fill(`#${id}`, value);
    await said(id, text);
    assert.equal(await it.getAttribute(`#${id}`, "aria-invalid"), "true");
    await it.waitForFunction(() => !document.querySelector("[data-time]") && document.getElementById("run").disabled);
    assert.ok(await it.isVisible("#time-result [role=alert]"), `${id} = ${value}`);
    for (const name of ["steps", "charts"]) {
      await it.click(`#tab-${name}`);
      await it.waitForFunction((name) => !document.querySelector(`#view-${name} svg`), name);
    }
    assert.ok(await it.textContent("#chart-status"));
    await it.click("#tab-time");
    await it.fill(`#${id}`, right);
    await hasResult();
    assert.equal(await it.textContent(`#${id}-fault`), "");
    assert.equal(await it.getAttribute(`#${id}`, "aria-invalid"), "false");
  }
  // What is wrong stays until it is mended, and a slider mends it, too.
  await it.fill("#a-w", "");
  await it.fill("#a-l", "7");
  await it.waitForTimeout(300);
  assert.equal(await it.inputValue("#a-w"), "");
  assert.equal(await it.$("[data-time]"), null);
  await it.focus("#a-w-range");
  await it.keyboard.press("ArrowRight");
  await it.waitForSelector("[data-time]");
  assert.equal(await it.inputValue("#a-w"), "8");
  await it.click("#inputs-box summary");
  await it.fill("#seed", "-1");
  await it.keyboard.press("Tab");
  await said("seed", "at least 0");
  await it.waitForFunction(() => !document.querySelector("[data-time]"));
  await it.close();
});

test("a mistake in the listing takes the old result away", async () => {
  const it = await open();
  await it.click("#tab-steps");
  await isAt(it, 1);
  const right = await it.inputValue("#text");
  await it.fill("#text", right.replace("M[i, i] ← 0", "M[i, i] ←"));
  await it.waitForFunction(() => document.getElementById("diagnostic").textContent.includes("listing:"));
  await it.waitForSelector("#picture-first [role=alert]");
  assert.equal(await it.textContent("#grid"), "");
  assert.equal(await it.$("[data-time]"), null);
  await it.fill("#text", right);
  await isAt(it, 1);
  await it.close();
});

test("undo goes back beyond an Enter, and to the listing before the gallery's", async () => {
  const it = await open();
  const before = await it.inputValue("#text");
  await it.focus("#text");
  await it.keyboard.press("Control+End");
  await it.keyboard.type("x");
  await it.keyboard.press("Enter");
  await it.keyboard.type("for k ← 0 to 1 do");
  await it.keyboard.press("Enter");
  assert.ok((await it.inputValue("#text")).endsWith("x\nfor k ← 0 to 1 do\n  "));
  for (let at = 0; at < 40 && (await it.inputValue("#text")) !== before; at++) await it.keyboard.press("Control+z");
  assert.equal(await it.inputValue("#text"), before);
  await it.keyboard.type("// mine");
  const mine = await it.inputValue("#text");
  await it.selectOption("#gallery", "transpose");
  await it.waitForFunction(() => document.getElementById("text").value.includes("algorithm transpose("));
  assert.equal(await it.evaluate(() => document.getElementById("editor").scrollTop), 0);
  await it.focus("#text");
  await it.keyboard.press("Control+z");
  await it.waitForFunction((mine) => document.getElementById("text").value === mine, mine);
  await it.close();
});

test("keys move the steps after a click, too", async () => {
  const it = await open();
  await it.click("#tab-steps");
  await isAt(it, 1);
  await it.keyboard.press("ArrowRight");
  await isAt(it, 2);
  assert.equal(await it.getAttribute("#tab-steps", "aria-selected"), "true");
  await it.click("#forth");
  await isAt(it, 3);
  await it.keyboard.press("ArrowRight");
  await isAt(it, 4);
  await it.keyboard.press("Space");
  await it.waitForFunction(() => document.getElementById("play").textContent.includes("Pause"));
  await it.keyboard.press("Space");
  await it.waitForFunction(() => document.getElementById("play").textContent.includes("Play"));
  const at = await stepShown(it);
  await it.keyboard.press("]");
  await it.waitForFunction((at) => Number(document.getElementById("at").value) > at, at);
  // Who comes by keys presses the button on which they are.
  await it.focus("#to-first");
  await it.keyboard.press("Space");
  await isAt(it, 1);
  await it.focus("#tab-steps");
  await it.keyboard.press("ArrowLeft");
  assert.equal(await it.getAttribute("#tab-time", "aria-selected"), "true");
  await it.close();
});

test("a clicker presents", async () => {
  const it = await open();
  const isPresented = () => it.evaluate(() => document.documentElement.hasAttribute("data-present"));
  await it.click("#tab-steps");
  await isAt(it, 1);
  await it.keyboard.press("F5");
  assert.ok(await isPresented());
  const starts = umm("umm run umm_opt --set n=8 -w 4 -l 5 -p 8 --json").time_units;
  await it.keyboard.press("PageDown");
  await it.waitForFunction(() => document.getElementById("at").value !== "1");
  const second = await stepShown(it);
  assert.ok(second > 1 && second < starts);
  await it.keyboard.press("PageUp");
  await isAt(it, 1);
  await it.keyboard.press("b");
  assert.ok(!(await it.isVisible("#picture-first")));
  await it.keyboard.press("PageDown");
  assert.ok(await it.isVisible("#picture-first"));
  assert.equal(await stepShown(it), 1);
  await it.keyboard.press("F5");
  assert.ok(await isPresented(), "it is not loaded again");
  await it.focus("#text");
  await it.keyboard.press("Escape");
  assert.ok(!(await isPresented()));
  await it.click("#present");
  await it.keyboard.press("Space");
  assert.ok(await isPresented(), "a click leaves the keys to the steps");
  await it.keyboard.press("Escape");
  assert.ok(!(await isPresented()));
  await it.close();
});

test("a write is shown when it is made", async () => {
  const it = await open();
  const value = async (address) => (await it.textContent(`#grid [data-address="${address}"]`)).trim();
  await it.click("#tab-steps");
  await isAt(it, 1);
  // Each stage of the first step, in the order in which they enter the pipeline of five stages.
  const rows = (await exported("trace", it)).toString().trim().split("\n").slice(1).map((line) => line.match(/^(\d+),(\d+),.*,write,(\d+),"(.*)",(.*)$/)?.slice(1));
  const first = rows.filter((row) => row?.[1] === "1");
  assert.ok(first.length > 4 && first.every((row) => row[4] === "inf"));
  const address = first[0][2];
  for (let t = 1; t <= 5; t++) {
    await isAt(it, t);
    assert.equal(await value(address), t < 5 ? "" : "∞", `time unit ${t}`);
    const inPicture = (await it.$$eval("#picture-first text", (all) => all.map((it) => it.textContent))).filter((text) => text.startsWith(`${first[0][3]} `) || text === first[0][3]);
    assert.equal(inPicture.some((text) => text.includes("∞")), t === 5, `${inPicture} in time unit ${t}`);
    await it.keyboard.press("ArrowRight");
  }
  await it.close();
});

test("only numbers that make a difference are shown", async () => {
  const it = await open();
  const shown = async () => (await it.$$eval("#settings input[id^=a-][type=number]", (all) => all.map((it) => it.id.slice(2)))).join(" ");
  const fields = async (wanted) => assert.equal(await it.waitForFunction((wanted) => [...document.querySelectorAll("#settings input[id^=a-][type=number]")].map((it) => it.id.slice(2)).join(" ") === wanted, wanted).then(shown), wanted);
  await fields("w l p");
  await it.click("[data-value=hmm]");
  await fields("w l p");
  await it.selectOption("#gallery", "sum_hmm");
  await fields("w l d shared_latency resident");
  assert.match(await command(it), / -p 1\b/);
  await it.click("#tab-steps");
  await it.waitForSelector("#picture-first svg[aria-label^=sum_hmm]");
  assert.match(await it.getAttribute("#picture-first svg", "aria-label"), /HMM {2}w = 4 {2}l = 5 {2}d = 4 {2}shared l = 1 {2}R = 1 {2}synchronous/);
  await it.click("#tab-charts");
  await it.waitForSelector("#chart svg");
  assert.equal(await it.isVisible("#regime"), false);
  assert.deepEqual((await it.$$eval("#axis option", (all) => all.map((it) => it.value))).slice(0, 3), ["w", "l", "d"]);
  // Its blocks' threads run one loop, the machine's the other.
  await it.selectOption("#gallery", "bitonic_hmm");
  await fields("w l p d shared_latency resident");
  await it.selectOption("#gallery", "bubble_sort");
  await fields("w l");
  await it.click("[data-value=column]");
  await fields("w l p");
  await it.close();
});

test("presented on a small projector, the picture has its width, and sliders work", async () => {
  const it = await open({ viewport: { width: 1024, height: 768 } });
  await it.click("#tab-steps");
  await isAt(it, 1);
  await it.click("#present");
  await it.waitForFunction(() => document.querySelector("#picture-first svg").getBoundingClientRect().width > 900);
  const drawn = await it.$eval("#picture-first svg", (svg) => svg.viewBox.baseVal.width / svg.getBoundingClientRect().width);
  assert.ok(drawn > 0.7 && drawn < 1.3, `a letter of 15 is shown as one of ${15 / drawn}`);
  await it.keyboard.press("End");
  await it.waitForSelector(".lit");
  const outsideNow = () => it.evaluate(() => ["#picture-first svg", "#size-n-range", "#a-w-range", "#a-l-range", "#a-p-range", ".lit", "#present"].filter((name) => {
    const box = document.querySelector(name).getBoundingClientRect();
    return !(box.width && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth);
  }));
  // The picture of the last step may still be drawn, which moves the listing.
  let outside = await outsideNow();
  for (let tries = 0; outside.length && tries < 50; tries++) {
    await it.waitForTimeout(100);
    outside = await outsideNow();
  }
  assert.deepEqual(outside, []);
  await it.focus("#a-l-range");
  await it.keyboard.press("ArrowRight");
  await it.waitForFunction(() => document.querySelector("#picture-first svg").getAttribute("aria-label").includes("l = 6"));
  assert.ok(!(await it.isVisible("#compare")) && !(await it.isVisible("#machine legend")));
  await it.click("#present");
  await it.check("#compare");
  await it.click("#present");
  const named = await it.$$eval("#machine legend", (all) => all.filter((it) => it.checkVisibility()).map((it) => it.textContent));
  assert.deepEqual(named, ["Sizes", "Machine A", "Machine B"]);
  await it.close();
});

test("presented, the picture gets more room", async () => {
  await page.click("#tab-steps");
  await page.waitForSelector("#picture-first svg");
  const width = async () => (await page.locator("#picture-first svg").boundingBox()).width;
  const before = await width();
  await page.click("#present");
  assert.ok((await page.isVisible("#a-w-range")) && (await page.isVisible("#text")));
  assert.ok((await width()) > before);
  await page.fill("#at", String(await page.getAttribute("#scrub", "max")));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".lit");
  const inside = await page.evaluate(() => {
    const [lit, editor] = [".lit", "#editor"].map((it) => document.querySelector(it).getBoundingClientRect());
    return lit.top >= editor.top && lit.bottom <= editor.bottom;
  });
  assert.ok(inside, "the line that is lit is in sight");
  await page.click("#present");
  assert.ok(await page.isVisible("#compare"));
});

test("axe knows no barrier, light or dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const it = await open({ colorScheme });
    await it.addScriptTag({ path: `${MODULES}/axe-core/axe.min.js` });
    for (const name of tabs) {
      await it.click(`#tab-${name}`);
      await it.waitForTimeout(500);
      const { violations } = await it.evaluate(() => axe.run());
      assert.deepEqual(violations.map((found) => [name, found.id, found.nodes[0].html]), []);
    }
    const states = {
      presented: () => it.click("#present"),
      faulty: () => it.fill("#size-n", "0"),
      misfit: () => it.fill("#size-n", "9"),
    };
    await it.click("#tab-steps");
    for (const [name, reach] of Object.entries(states)) {
      await reach();
      await it.waitForTimeout(500);
      const { violations } = await it.evaluate(() => axe.run());
      assert.deepEqual(violations.map((found) => [name, found.id, found.nodes[0].html]), []);
    }
    await it.close();
  }
});

test("nothing is wider than a phone, and nothing went wrong", async () => {
  const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  for (const name of tabs) {
    await phone.click(`#tab-${name}`);
    await phone.waitForTimeout(300);
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
  }
  await phone.close();
  assert.deepEqual(errors, []);
});
