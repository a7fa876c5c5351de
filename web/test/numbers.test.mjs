// Every shipped listing gives the same numbers in the module as on the command line, by the command
// line that the module itself names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { load } from "./module.mjs";

const { MODULE, UMM } = process.env;
const ask = load(MODULE);
const answer = (question) => {
  const { ok, error } = ask(question);
  assert.equal(error, undefined, error?.text);
  return ok;
};
const umm = (command) => JSON.parse(execFileSync(UMM, command.split(" ").slice(1), { maxBuffer: 1 << 24 }));

// Of these sizes the first with which the listing runs.
const sizes = [16, 8, 32, 4];

function cases(entry, listing) {
  const machine = entry.on_dmms ? { machine: "hmm", d: 2, resident: 2 } : { machine: "umm" };
  const of = (size) => Object.fromEntries(listing.parameters.map((it) => [it.name, it.name === "w" ? 4 : (it.default ?? size)]));
  const candidates = sizes.map((size) => ({ listing: entry.text, set: of(size), w: 4, l: 5, p: 16, seed: 3, ...machine }));
  const plain = candidates.find((it) => ask({ ask: "run", case: it }).ok) ?? candidates[0];
  const all = [plain, { ...plain, mode: "async" }];
  if (!entry.on_dmms) all.push({ ...plain, machine: "dmm" });
  if (listing.sequential) all.push({ ...plain, bulk: "column" }, { ...plain, bulk: "row", machine: "dmm" });
  return all;
}

for (const entry of answer({ ask: "gallery" })) {
  test(entry.name, () => {
    const listing = answer({ ask: "listing", case: { listing: entry.text } });
    assert.equal(listing.shipped, entry.name);
    for (const it of cases(entry, listing)) {
      const command = answer({ ask: "command", case: it, name: entry.name });
      const run = answer({ ask: "run", case: it });
      assert.deepEqual(run, umm(`${command} --json`), command);
      const { report, steps } = answer({ ask: "time", case: it });
      assert.equal(report.time_units, run.time_units, command);
      if (steps) assert.equal(report.stages + steps.reduce((a, b) => a + b, 0) * (it.l - 1), report.time_units);
      else assert.ok(it.mode === "async" || it.machine === "hmm");
    }
  });
}

const umm_opt = answer({ ask: "gallery" }).find((it) => it.name === "umm_opt").text;

test("what is given for an input and has another shape is random instead", () => {
  const of = (n, c, files = {}) => ({ listing: umm_opt, set: { n }, inputs: { c }, files, w: 4, l: 5, p: 8 });
  const outline = { "c.csv": "0,0\n4,-1\n7,1\n8,4\n6,7\n" };
  for (const [it, fits] of [[of(8, "paper"), true], [of(9, "paper"), false], [of(5, "polygon:c.csv", outline), true], [of(6, "polygon:c.csv", outline), false], [of(9, "c.csv", { "c.csv": "1, 2, 3, 4\n" }), false]]) {
    assert.deepEqual(answer({ ask: "time", case: it }).misfits, fits ? [] : ["c"]);
    const command = answer({ ask: "command", case: it, name: "umm_opt" });
    assert.equal(command.includes("--input"), fits);
    const run = answer({ ask: "run", case: it });
    const random = answer({ ask: "run", case: { ...it, inputs: {} } });
    if (fits) assert.notDeepEqual(run, random);
    else assert.deepEqual(run, random);
    assert.ok(answer({ ask: "steps", case: it, from: 0, to: 10 }).accesses.length);
  }
});

test("a ladder is that of the command line", () => {
  for (const [name, flags] of [["edit_distance", "--set n=12"], ["floyd_warshall_in_turn", "--set n=6"]]) {
    const listing = answer({ ask: "gallery" }).find((it) => it.name === name).text;
    const it = { listing, set: { n: Number(flags.split("=")[1]) }, w: 4, l: 5, p: 16 };
    const ladder = answer({ ask: "improve", case: it, steps: 2, reassociate: false, launch: 7 });
    assert.deepEqual(ladder, umm(`umm improve ${name} ${flags} -w 4 -l 5 -p 16 --steps 2 --beam 2 --launch 7 --json`));
    assert.ok(ladder.rungs.length > 1, name);
  }
});

test("messages speak of the page, and name the sizes", () => {
  const wrong = (it) => ask({ ask: "time", case: { listing: umm_opt, w: 4, l: 5, p: 8, ...it } }).error;
  const { message, sizes } = wrong({ set: { n: 0 } });
  assert.equal(message, "`M`'s extent `n` is 0; it must be at least 1; change the sizes");
  assert.match(sizes, /\bn\b/);
  for (const it of [{ set: { n: -5 } }, { set: {} }, { set: { n: 4 }, inputs: { c: "none.csv" } }, { set: { n: 4 }, inputs: { q: "random" } }]) {
    const { text } = wrong(it);
    assert.doesNotMatch(text, /--set|--input/);
  }
});

test("the page is told which numbers matter", () => {
  const gallery = answer({ ask: "gallery" });
  const nests = (name) => answer({ ask: "listing", case: { listing: gallery.find((it) => it.name === name).text } }).has_nests;
  assert.deepEqual(["umm_opt", "sum_hmm", "bitonic_hmm", "bubble_sort"].map(nests), [true, false, true, false]);
  // Where a listing has none, p changes nothing; where it has, it does for some.
  let changes = 0;
  for (const entry of gallery) {
    const listing = answer({ ask: "listing", case: { listing: entry.text } });
    const [it] = cases(entry, listing);
    const [one, many] = [1, 64].map((p) => ask({ ask: "time", case: { ...it, p } }).ok?.report.time_units);
    if (!listing.has_nests) assert.equal(one, many, entry.name);
    else if (one !== many) changes++;
  }
  assert.ok(changes > 20, changes);
});

test("the papers' 8-gon, step by step", () => {
  const it = { listing: umm_opt, set: { n: 8 }, inputs: { c: "paper" }, w: 4, l: 5, p: 8 };
  const { report } = answer({ ask: "time", case: it });
  assert.equal(answer({ ask: "run", case: it }).answer, 6);
  // Windows side by side hold every stage once, and the last one ends with the run.
  let [stages, end, from] = [0, 0, 0];
  const seen = new Set();
  while (from < report.time_units) {
    const { accesses } = answer({ ask: "steps", case: it, from, to: from + 100 });
    for (const access of accesses) {
      if (seen.has(access.start)) continue;
      seen.add(access.start);
      stages += access.stages.length;
      end = Math.max(end, access.start + access.stages.length - 1 + access.latency);
    }
    from += 100;
  }
  assert.equal(stages, report.stages);
  assert.equal(end, report.time_units);
  // M[1, 7], the answer, is the last word that is written.
  const { accesses, words, arrays } = answer({ ask: "steps", case: it, from: report.time_units - 1, to: report.time_units });
  const [last] = accesses[accesses.length - 1].requests;
  assert.deepEqual([last.element, last.value], ["M[1, 7]", "6"]);
  assert.equal(accesses[accesses.length - 1].phase, "F");
  assert.equal(words[arrays[0].base + 8 + 7], "6");
});

test("a window far into a run begins where a window from the start has it", () => {
  for (const more of [{}, { mode: "async" }, { machine: "dmm" }]) {
    const it = { listing: umm_opt, set: { n: 24 }, w: 8, l: 20, p: 64, ...more };
    const total = answer({ ask: "time", case: it }).report.time_units;
    const [from, to] = [Math.floor(total / 2), Math.floor(total / 2) + 60];
    const far = answer({ ask: "steps", case: it, from, to });
    answer({ ask: "steps", case: { ...it, seed: 2 }, from: 0, to: 1 });
    answer({ ask: "steps", case: it, from: 0, to: 1 });
    assert.deepEqual(answer({ ask: "steps", case: it, from, to }).accesses, far.accesses);
  }
});

test("mistakes are told with their place", () => {
  const { error } = ask({ ask: "listing", case: { listing: "algorithm x(n)\n  a ← ☃" } });
  assert.deepEqual([error.line, error.column], [2, 7]);
  assert.match(error.text, /listing:2:7/);
  assert.match(ask({ ask: "time", case: { listing: umm_opt, set: { n: 1e9 } } }).error.message, /would run/);
  const endless = "algorithm x(n)\ninout a[n] : f32\nh ← 1\nwhile h > 0 do\n  h ← h + 1\na[0] ← 1\n";
  assert.match(ask({ ask: "time", case: { listing: endless, set: { n: 4 } } }).error.message, /without ending/);
  assert.match(ask({ ask: "time", case: { listing: umm_opt, set: { n: 4 }, w: 0 } }).error.message, /at least 1/);
  assert.match(ask({ ask: "nothing" }).error.message, /no such question/);
});

test("exercises follow from their seed", () => {
  const of = (seed, kind) => answer({ ask: "sheet", seed, number: 8, kind });
  assert.deepEqual(of(7), of(7));
  assert.notDeepEqual(of(7), of(8));
  for (const it of of(7)) {
    const mark = (given) => ask({ ask: "mark", item: it.item, seed: it.seed, answer: given });
    assert.deepEqual([mark(it.answer).ok, mark(it.answer).error], [null, undefined], it.item);
    assert.ok(mark("☃").ok, it.item);
  }
  assert.ok(of(1, "race").every((it) => it.kind === "race"));
  assert.match(ask({ ask: "course", seed: 1, title: "", student: "", items: ["nosuch"] }).error.message, /nosuch/);
});

test("models and lines are those of the command line", () => {
  const it = { listing: umm_opt, set: { n: 8 }, w: 4, l: 5, p: 8 };
  const models = answer({ ask: "models", case: it, rules: { processors: "4" } });
  const wanted = umm("umm compare-models umm_opt --set n=8 -w 4 -l 5 -p 8 --processors 4 --json");
  assert.deepEqual(models, wanted.filter((row) => row.machine.kind !== "roofline"));
  for (const [more, isSum] of [[{}, true], [{ machine: "dmm" }, true], [{ mode: "async" }, false]]) {
    const { report } = answer({ ask: "time", case: { ...it, ...more } });
    const lines = Object.values(answer({ ask: "lines", case: { ...it, ...more } }));
    const sum = (key) => lines.reduce((all, line) => all + line[key], 0);
    assert.equal(sum("stages"), report.stages);
    assert.equal(sum("conflicts"), report.stages - sum("dispatches"));
    if (isSum) assert.equal(sum("time_units"), report.time_units);
    else assert.ok(lines.every((line) => line.time_units === null));
  }
  assert.match(answer({ ask: "cuda", case: it }), /__global__/);
});

test("pasted numbers and outlines stand for files", () => {
  const sum = answer({ ask: "gallery" }).find((it) => it.name === "sum").text;
  const it = { listing: sum, inputs: { a: "mine.csv" }, files: { "mine.csv": "1, 2, 3, 4.5\n" }, p: 4 };
  assert.equal(answer({ ask: "run", case: it }).answer, 10.5);
  const outline = { listing: umm_opt, inputs: { c: "polygon:c.csv" }, files: { "c.csv": "0,0\n4,-1\n7,1\n8,4\n" } };
  assert.equal(answer({ ask: "run", case: outline }).parameters.n, 4);
  const wrong = { ...it, files: { "mine.csv": "1, 2, x\n" } };
  assert.match(ask({ ask: "run", case: wrong }).error.message, /mine.csv:1: column 3/);
});
