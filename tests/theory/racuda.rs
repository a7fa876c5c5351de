//! Kernels of RaCUDA (Muller and Hoffmann 2021) as listings: conflicts and sectors of whole launches, beside the
//! counters that the paper's repository lists (`popl21/curesults/csv`) and its bounds a warp
//! (`popl21/paper-analysis-results`).

use std::path::Path;

use rayon::prelude::*;
use serde_json::Value;

use crate::support::{folder, json};

/// A block of q threads adds up its part of the input.
const REDUCE: &str = "\
algorithm reduce(n, q = 256)
input a[n] : i32
output s[n] : i32

for b ← 0 to n/PART - 1 do in parallel on DMMs with q threads
  shared c[q] : i32
  for i ← 0 to q-1 do in parallel
    c[i] ← FIRST
  h ← BEGIN
  while CONDITION do
    for i ← 0 to q-1 do in parallel
      STEP
    h ← NEXT
  s[b] ← c[0]
";

/// A block a tile of the product; the tile of the first factor lies in shared memory as it is, or transposed.
const PRODUCT: &str = "\
algorithm product(n, t = 32, q = 1024)
input a[n, n] : f32
input b[n, n] : f32
output c[n, n] : f32

for i ← 0 to n/t - 1 do in parallel on DMMs
  for j ← 0 to n/t - 1 do in parallel on DMMs with q threads
    shared x[t, t] : f32
    shared y[t, t] : f32
    register s[1] : f32
    for e ← 0 to t×t - 1 do in parallel
      s[0] ← 0
    for k ← 0 to n/t - 1 do
      for u ← 0 to t-1 do in parallel
        for v ← 0 to t-1 do in parallel
          x[TILE] ← a[i×t + u, k×t + v]
          y[u, v] ← b[k×t + u, j×t + v]
      for u ← 0 to t-1 do in parallel
        for v ← 0 to t-1 do in parallel
          r ← s[0]
          for l ← 0 to t-1 do
            r ← r + x[CELL] × y[l, v]
          s[0] ← r
    for u ← 0 to t-1 do in parallel
      for v ← 0 to t-1 do in parallel
        c[i×t + u, j×t + v] ← s[0]
";

/// A word that a whole warp reads stands in a phase of its own, `one`.
const PRODUCT_BAD: &str = "\
algorithm product(n)
input a[n, n] : f32
input b[n, n] : f32
inout c[n, n] : f32

for k ← 0 to n-1 do
  one:
    for i ← 0 to n-1 do in parallel
      for j ← 0 to n-1 do in parallel
        r ← a[i, k]
  own:
    for i ← 0 to n-1 do in parallel
      for j ← 0 to n-1 do in parallel
        c[i, j] ← c[i, j] + b[k, j]
";

/// Even rows plus, odd rows minus a vector: a thread a row, by turns.
const ROW: &str = "\
algorithm rows(w, h)
input a[w] : i32
inout b[h, w] : i32

for i ← 0 to w-1 do
  one:
    for j ← 0 to h-1 do in parallel
      if j mod 2 = 0 then r ← a[i]
    for j ← 0 to h-1 do in parallel
      if j mod 2 = 1 then r ← a[i]
  own:
    for j ← 0 to h-1 do in parallel
      b[j, i] ← b[j, i] + 1
";

/// A thread two rows.
const ROWS: &str = "\
algorithm rows(w, h)
input a[w] : i32
inout b[h, w] : i32

for i ← 0 to w-1 do
  one:
    for j ← 0 to h/2 - 1 do in parallel
      r ← a[i]
      r ← a[i]
  own:
    for j ← 0 to h/2 - 1 do in parallel
      b[2×j, i] ← b[2×j, i] + 1
      b[2×j + 1, i] ← b[2×j + 1, i] - 1
";

/// A thread a column.
const COLUMN: &str = "\
algorithm columns(w, h)
input a[w] : i32
inout b[h, w] : i32

for j ← 0 to h/2 - 1 do
  for i ← 0 to w-1 do in parallel
    b[2×j, i] ← b[2×j, i] + a[i]
    b[2×j + 1, i] ← b[2×j + 1, i] - a[i]
";

/// A thread a column, the vector in shared memory.
const COLUMN_SHARED: &str = "\
algorithm columns(w, h, q = 256)
input a[w] : i32
inout b[h, w] : i32

for k ← 0 to w/q - 1 do in parallel on DMMs with q threads
  shared s[q] : i32
  for i ← 0 to q-1 do in parallel
    s[i] ← a[k×q + i]
  for j ← 0 to h/2 - 1 do
    for i ← 0 to q-1 do in parallel
      b[2×j, k×q + i] ← b[2×j, k×q + i] + s[i]
      b[2×j + 1, k×q + i] ← b[2×j + 1, k×q + i] - s[i]
";

/// Four bytes of each word counted, on data that are worst: a warp's eight bytes lie in one bank.
const HISTOGRAM: &str = "\
algorithm histogram(n, b = 240, q = 192)
input d[n] : i32
output part[b, 256] : i32

for k ← 0 to b-1 do in parallel on DMMs with q threads
  shared s[q / 32, 256] : i32
  for e ← 0 to q×8 - 1 do in parallel
    s[e / 256, e mod 256] ← 0
  for e ← k×q to n-1 step b×q do
    for i ← 0 to min(q, n - e) - 1 do in parallel
      r ← d[e + i]
      COUNT
      COUNT
      COUNT
      COUNT
  for i ← 0 to 255 do in parallel
    r ← 0
    for e ← 0 to q/32 - 1 do
      r ← r + s[e, i]
    part[k, i] ← r
";

/// Threads of a warp that part, do alike, and part again.
const BRANCHES: &str = "\
algorithm branches(n, m = 96, q = 32)
output g[1] : i32

for k ← 0 to 0 do in parallel on DMMs with q threads
  shared a[m] : i32
  shared b[m] : i32
  for t ← 0 to n-1 do
    for i ← 0 to q-1 do in parallel
      if (i + t) mod 2 = 0 then
        for j ← 0 to m-1 do
          a[j] ← 1
      else
        for j ← 0 to m-1 do
          a[j] ← 2
      s ← 0
      for j ← 0 to m-1 do
        s ← s + a[j]
        b[j] ← s
      if (i + t) mod 2 = 0 then
        for j ← 0 to m-1 do
          b[j] ← b[j] + 1
      else
        for j ← 0 to m-1 do
          b[j] ← b[j] × b[j]
";

/// The same, with all that they do inside the branches.
const BRANCHES_LONG: &str = "\
algorithm branches(n, m = 96, q = 32)
output g[1] : i32

for k ← 0 to 0 do in parallel on DMMs with q threads
  shared a[m] : i32
  shared b[m] : i32
  for t ← 0 to n-1 do
    for i ← 0 to q-1 do in parallel
      s ← 0
      if (i + t) mod 2 = 0 then
        for j ← 0 to m-1 do
          a[j] ← 1
        for j ← 0 to m-1 do
          s ← s + a[j]
          b[j] ← s
        for j ← 0 to m-1 do
          b[j] ← b[j] + 1
      else
        for j ← 0 to m-1 do
          a[j] ← 2
        for j ← 0 to m-1 do
          s ← s + a[j]
          b[j] ← s
        for j ← 0 to m-1 do
          b[j] ← b[j] × b[j]
";

const VECTOR_ADD: &str = "\
algorithm vector_add(n)
input a[n] : f32
input b[n] : f32
output c[n] : f32

for i ← 0 to n-1 do in parallel
  c[i] ← a[i] + b[i]
";

/// With words replaced.
fn put(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// As the kernels `reduce0` to `reduce3` do; they need no barrier of their own inside a warp.
fn reduce(which: usize) -> String {
    let doubling = [("BEGIN", "1"), ("CONDITION", "h < q"), ("NEXT", "2 × h")];
    let halving = [("BEGIN", "q / 2"), ("CONDITION", "h > 0"), ("NEXT", "h / 2")];
    let (ends, step) = match which {
        0 => (doubling, "if i mod (2×h) = 0 then c[i] ← c[i] + c[i+h]"),
        1 => (doubling, "if 2×h×i < q then c[2×h×i] ← c[2×h×i] + c[2×h×i + h]"),
        _ => (halving, "if i < h then c[i] ← c[i] + c[i+h]"),
    };
    let [part, first] = match which {
        3 => ["(2×q)", "a[2×b×q + i] + a[2×b×q + i + q]"],
        _ => ["q", "a[b×q + i]"],
    };
    put(&put(REDUCE, &ends), &[("PART", part), ("FIRST", first), ("STEP", step)])
}

/// As `reduce2a` and `reduce3a` do, whose loops end with two sums left (`docs/errata.md`, 27).
fn short(which: usize) -> String {
    reduce(which).replace("h > 0", "h > 1")
}

fn product(tile: &str, cell: &str) -> String {
    put(PRODUCT, &[("TILE", tile), ("CELL", cell)])
}

/// What is proved of a warp's conflicts and sectors, where n is the first size and h the last. No bound is listed for
/// `reduce2` and `reduce3`: those of their variants stand here. Of `histogram256` two warps share the data.
fn bounds(kernel: &str, n: f64, h: f64) -> [f64; 2] {
    let product = 4.0 + 0.312496 * (31.0 + n);
    match kernel {
        "vectorAdd" => [0.0, 12.0],
        "reduce1" => [23_715.0, 5.0],
        "reduce0" | "reduce2" | "reduce2a" => [0.0, 5.0],
        "reduce3" | "reduce3a" => [0.0, 9.0],
        "matrixMul" => [31.0 * (31.0 + n), product],
        "matrixMulTranspose" => [31.9687 * (31.0 + n), product],
        "matrixMulBad" => [0.0, 15.0 * (31.0 + n)],
        "addSub0" | "addSub1" => [0.0, 132.0 * n],
        "addSub2" => [0.0, 14.0 * (1.0 + h)],
        "addSub3" => [0.0, 4.0 + 10.0 * (1.0 + h)],
        "histogram256" => [0.875 * (63.0 + n), 44.8437 + 0.078125 * (63.0 + n)],
        "syn-brdis" | "syn-brdis-opt" => [0.0; 2],
        _ => panic!("{kernel}"),
    }
}

/// By what part of it the counters may differ from a number of sectors: where a warp reads one word, caches and
/// sampling leave some out.
fn slack(kernel: &str) -> f64 {
    match kernel {
        "addSub0" | "addSub1" => 0.03,
        "matrixMul" | "matrixMulTranspose" | "matrixMulBad" => 0.002,
        _ => 0.0,
    }
}

/// Kernels without shared memory.
const GLOBAL: [&str; 5] = ["vectorAdd", "addSub0", "addSub1", "addSub2", "matrixMulBad"];

fn files() -> Vec<(String, String)> {
    let count = "s[i / 32, 32×(i mod 8)] ← s[i / 32, 32×(i mod 8)] + 1";
    let listings = [
        ("vectorAdd", VECTOR_ADD.to_owned()),
        ("reduce0", reduce(0)),
        ("reduce1", reduce(1)),
        ("reduce2", reduce(2)),
        ("reduce2a", short(2)),
        ("reduce3", reduce(3)),
        ("reduce3a", short(3)),
        ("matrixMul", product("u, v", "u, l")),
        ("matrixMulTranspose", product("v, u", "l, u")),
        ("matrixMulBad", PRODUCT_BAD.to_owned()),
        ("addSub0", ROW.to_owned()),
        ("addSub1", ROWS.to_owned()),
        ("addSub2", COLUMN.to_owned()),
        ("addSub3", COLUMN_SHARED.to_owned()),
        ("histogram256", HISTOGRAM.replace("COUNT", count)),
        ("syn-brdis", BRANCHES_LONG.to_owned()),
        ("syn-brdis-opt", BRANCHES.to_owned()),
    ];
    listings.map(|(name, text)| (format!("{name}.alg"), text)).into()
}

/// Sectors of 32 bytes of a run with w = 8. A word that a whole warp reads was counted for each quarter of it.
fn sectors(run: &Value) -> i64 {
    let stages = |it: &Value| it["stages"].as_i64().unwrap();
    let phases = run["phases"].as_array().unwrap();
    phases.iter().map(|it| if it["name"] == "one" { stages(it) / 4 } else { stages(it) }).sum()
}

/// Conflicts and sectors of a launch. Conflicts are stages of shared memories beyond one for each warp's access,
/// w = 32; sectors of 32 bytes are address groups of w = 8 words.
fn count(folder: &Path, kernel: &str, sizes: &str) -> [i64; 2] {
    let is_global = GLOBAL.contains(&kernel);
    let machine = if is_global { "umm" } else { "hmm" };
    let sizes = sizes.replace(',', " --set ");
    let run = |width: i64| {
        let line =
            format!("run {kernel}.alg -m {machine} -w {width} --set {sizes} --time-only --json");
        json(folder, &line)
    };
    if is_global {
        return [0, sectors(&run(8))];
    }
    let wide = run(32);
    let [stages, warps] = ["stages", "dispatches"].map(|it| wide["shared"][it].as_i64().unwrap());
    [stages - warps, run(8)["global"]["stages"].as_i64().unwrap()]
}

#[test]
fn conflicts_and_sectors_are_those_of_the_counters() {
    let files = files();
    let files: Vec<(&str, &str)> = files.iter().map(|it| (&*it.0, &*it.1)).collect();
    let here = folder(&files);
    let launches = include_str!("racuda.txt").lines().filter(|it| !it.starts_with('#'));
    let tried: Vec<&str> = crate::some(launches, 4).collect();
    tried.par_iter().for_each(|launch| {
        let [kernel, sizes, numbers @ ..] = &launch.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{launch}")
        };
        let numbers: Vec<i64> = numbers.iter().map(|it| it.parse().unwrap()).collect();
        let [warps, conflicts, sectors] = numbers[..] else { panic!("{launch}") };
        let ours = count(here.path(), kernel, sizes);
        assert_eq!(ours[0], conflicts, "{launch}");
        let off = (ours[1] - sectors).abs() as f64;
        assert!(off <= slack(kernel) * sectors as f64, "{launch}: {}", ours[1]);
        let size = |it: &str| it.split_once('=').unwrap().1.parse::<f64>().unwrap();
        let [n, h] =
            [sizes.split(',').next(), sizes.split(',').next_back()].map(|it| size(it.unwrap()));
        for (ours, bound) in ours.into_iter().zip(bounds(kernel, n, h)) {
            assert!(ours as f64 <= bound * warps as f64, "{launch}: {ours} > {bound}·{warps}");
        }
    });
}
