// The page as a person uses it, in headless Chromium, from a file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";

const { PAGE, UMM, CHROMIUM, PLAYWRIGHT } = process.env;
const { chromium } = createRequire(import.meta.url)(PLAYWRIGHT);
const umm = (command) => JSON.parse(execFileSync(UMM, command.split(" ").slice(1), { maxBuffer: 1 << 24 }));
const axePath = `${process.env.MODULES}/axe-core/axe.min.js`;
const AXE = existsSync(axePath) && axePath;
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
async function command() {
  await page.click("#exports summary");
  await page.click("[data-export=command]");
  await page.waitForFunction(() => document.getElementById("notice").textContent.includes("umm run"));
  const text = await page.textContent("#notice");
  await page.evaluate(() => (document.getElementById("notice").textContent = ""));
  return text.slice(text.indexOf("umm run"));
}

async function exported(kind) {
  await page.click("#exports summary");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-export=${kind}]`)]);
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
  await page.click("#tab-exercises");
  await page.waitForSelector("#questions .card");
  await page.click(".card button >> nth=2");
  assert.match(await page.textContent(".card >> nth=0"), /Answer: \d+/);
  await page.click(".card:has(#judge-sum) button >> nth=0");
  await page.waitForFunction(() => document.getElementById("text").value.includes("my_sum"));
  await page.click("#judge-sum");
  await page.waitForFunction(() => document.getElementById("judged-sum").textContent.includes("to be reached"));
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

test("presented, the machine's controls give way to the picture", async () => {
  await page.click("#tab-steps");
  await page.waitForSelector("#picture-first svg");
  const width = async () => (await page.locator("#picture-first svg").boundingBox()).width;
  const before = await width();
  await page.click("#present");
  assert.ok(!(await page.isVisible("#machine")) && (await page.isVisible("#text")));
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
  assert.ok(await page.isVisible("#machine"));
});

test("axe knows no barrier, light or dark", { skip: !AXE && "there is no axe-core" }, async () => {
  for (const colorScheme of ["light", "dark"]) {
    const it = await open({ colorScheme });
    await it.addScriptTag({ path: AXE });
    for (const name of ["time", "steps", "charts", "exercises"]) {
      await it.click(`#tab-${name}`);
      await it.waitForTimeout(500);
      const { violations } = await it.evaluate(() => axe.run());
      assert.deepEqual(violations.map((found) => [name, found.id, found.nodes[0].html]), []);
    }
    await it.close();
  }
});

test("nothing is wider than a phone, and nothing went wrong", async () => {
  const phone = await open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  for (const name of ["time", "steps", "charts", "exercises"]) {
    await phone.click(`#tab-${name}`);
    await phone.waitForTimeout(300);
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
  }
  await phone.close();
  assert.deepEqual(errors, []);
});
