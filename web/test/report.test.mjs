// The page that `umm report` writes, as a person reads it: by an HTML validator, by an accessibility
// linter, on a phone, in the dark, and on paper.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const { UMM, CHROMIUM, MODULES } = process.env;
const require = createRequire(`${MODULES}/`);
const { chromium } = require("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "report-"));
const file = join(folder, "report.html");
let browser;

async function open(options) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`file://${file}`);
  return page;
}

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

before(async () => {
  // Under a name of no calibrated machine there is nothing to predict, which would take minutes.
  cpSync("models/measurements/nvidia-h200/2026-11-21", folder, { recursive: true });
  const device = JSON.parse(readFileSync(join(folder, "device.json"), "utf8"));
  writeFileSync(join(folder, "device.json"), JSON.stringify({ ...device, name: "a GPU" }));
  execFileSync(UMM, ["report", folder, "-o", file]);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

// By the library, not its command, which needs a newer Node than Debian's.
test("it is valid HTML", async () => {
  const { HtmlValidate } = require("html-validate");
  const validator = new HtmlValidate({ extends: ["html-validate:standard"] });
  const { results } = await validator.validateFile(file);
  assert.deepEqual(results.flatMap((it) => it.messages), []);
});

test("nothing in it keeps a reader out", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open({ colorScheme, viewport: { width: 1280, height: 900 } });
    await page.addScriptTag({ path: join(MODULES, "axe-core/axe.min.js") });
    // In the dark only colours differ.
    const rules = colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {};
    const found = await page.evaluate(async (rules) => {
      document.querySelectorAll("details").forEach((it) => (it.open = true));
      return (await axe.run(rules)).violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0].html}`);
    }, rules);
    assert.deepEqual(found.filter((it) => /^(serious|critical)/.test(it)), []);
  }
});

test("it opens at once", async () => {
  assert.ok(statSync(file).size < 1e6, `${statSync(file).size} bytes`);
  const page = await open({ viewport: { width: 1280, height: 900 } });
  const shown = await page.evaluate(
    () =>
      new Promise((told) => {
        const seen = ({ startTime }) => told({ paint: startTime, load: performance.timing.loadEventEnd - performance.timing.navigationStart });
        new PerformanceObserver((list) => seen(list.getEntries()[0])).observe({ type: "paint", buffered: true });
      }),
  );
  assert.ok(shown.paint < 2000 && shown.load < 2000, JSON.stringify(shown));
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 20000, `${elements} elements`);
});

test("it fits a phone, and its letters can be read", async () => {
  const page = await open({ viewport: { width: 360, height: 740 } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  const least = await page.evaluate(() => {
    document.querySelectorAll("details").forEach((it) => (it.open = true));
    const size = (it) => {
      const svg = it.ownerSVGElement;
      return (it.getAttribute("font-size") * svg.getBoundingClientRect().width) / svg.viewBox.baseVal.width;
    };
    return Math.min(...[...document.querySelectorAll("svg text")].map(size));
  });
  assert.ok(least > 7, `${least} pixels`);
});

test("it is dark on a dark screen, and light on paper, where everything is open and no column lost", async () => {
  const page = await open({ colorScheme: "dark", viewport: { width: 703, height: 1000 } });
  assert.equal(await background(page), "rgb(24, 26, 31)");
  await page.emulateMedia({ media: "print" });
  assert.equal(await background(page), "rgb(255, 255, 255)");
  const { closed, wide } = await page.evaluate(() => {
    const hidden = (it) => it.getBoundingClientRect().height === 0;
    return {
      closed: [...document.querySelectorAll("details table, details svg")].filter(hidden).length,
      wide: [...document.querySelectorAll("table")].filter((it) => it.getBoundingClientRect().right > innerWidth).map((it) => it.caption.textContent),
    };
  });
  assert.equal(closed, 0);
  assert.deepEqual(wide, []);
});
