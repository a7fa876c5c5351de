// The site that `cargo xtask site` writes, opened from disk as a reader without a network opens it.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { after, before, test } from "node:test";

const { SITE, CHROMIUM, MODULES } = process.env;
const { chromium } = createRequire(`${MODULES}/`)("playwright-core");
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});

after(() => browser.close());

/** A page of the site, whose scripts may not fail and which may ask for nothing but files. */
async function open(path, faults) {
  const page = await (await browser.newContext()).newPage();
  page.on("pageerror", (error) => faults.push(`${path}: ${error}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) faults.push(`${path} asks for ${request.url()}`);
  });
  await page.goto(`file://${join(SITE, path)}`);
  return page;
}

test("search finds a term without a network", async () => {
  const faults = [];
  const page = await open("index.html", faults);
  await page.locator("#mdbook-search-toggle").click();
  await page.locator("#mdbook-searchbar").pressSequentially("coalesced");
  const results = page.locator("#mdbook-searchresults a");
  await results.first().waitFor();
  assert.ok((await results.count()) > 3);
  await results.first().click();
  assert.match(await page.locator("main").innerText(), /coalesc/i);
  assert.deepEqual(faults, []);
});

test("every folder's pages open, with every picture", async () => {
  const faults = [];
  const files = readdirSync(SITE, { recursive: true, withFileTypes: true });
  const pages = files.filter((it) => it.name.endsWith(".html") && !/^(print|toc|404|playground)/.test(it.name));
  const paths = pages.map((it) => relative(SITE, join(it.parentPath ?? it.path, it.name)));
  const book = paths.filter((it) => !it.startsWith("api/"));
  assert.ok(book.length > 60, `${book.length} pages`);
  for (const path of book.filter((it, at) => it.endsWith("index.html") || at % 8 === 0)) {
    const page = await open(path, faults);
    assert.ok((await page.locator("main").innerText()).trim().length > 20, path);
    const missing = await page.evaluate(async () => {
      const pictures = [...document.images];
      pictures.forEach((it) => (it.loading = "eager"));
      await Promise.allSettled(pictures.map((it) => it.decode()));
      return pictures.filter((it) => it.naturalWidth === 0).map((it) => it.src);
    });
    assert.deepEqual(missing, [], path);
    await page.context().close();
  }
  assert.deepEqual(faults, []);
});

test("the playground and the library's pages are there", async () => {
  const faults = [];
  const playground = await open("playground.html", faults);
  await playground.locator("textarea, [contenteditable]").first().waitFor();
  const api = await open("api/memory_machine/index.html", faults);
  assert.match(await api.title(), /memory_machine/);
  assert.deepEqual(faults, []);
});
