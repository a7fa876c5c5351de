//! Kernels of RaCUDA (Muller and Hoffmann 2021) as listings: conflicts and sectors of whole launches, beside the
//! counters that the paper's repository lists (`popl21/curesults/csv`) and its bounds a warp
//! (`popl21/paper-analysis-results`).

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

fn product(tile: &str, cell: &str) -> String {
    put(PRODUCT, &[("TILE", tile), ("CELL", cell)])
}

/// Of a launch: its size and warps; conflicts and sectors by the counters; and what is proved of a warp's.
struct Launch {
    kernel: &'static str,
    n: i64,
    warps: i64,
    counted: [i64; 2],
    bounds: [f64; 2],
}

const fn launch(
    kernel: &'static str,
    n: i64,
    warps: i64,
    counted: [i64; 2],
    bounds: [f64; 2],
) -> Launch {
    Launch { kernel, n, warps, counted, bounds }
}

/// 31.9687·(31 + n) and 4 + 0.312496·(31 + n), with n = 320.
const PRODUCTS: [f64; 2] = [11_221.01, 113.686];

/// No bound is listed for `reduce2` and `reduce3`: those of their variants with another loop stand here.
const LAUNCHES: [Launch; 9] = [
    launch("vectorAdd", 32_768, 1024, [0, 12_288], [0.0, 12.0]),
    launch("vectorAdd", 262_144, 8192, [0, 98_304], [0.0, 12.0]),
    launch("reduce0", 1024, 32, [0, 132], [0.0, 5.0]),
    launch("reduce1", 1024, 32, [420, 132], [23_715.0, 5.0]),
    launch("reduce1", 16_384, 512, [6720, 2112], [23_715.0, 5.0]),
    launch("reduce2", 1024, 32, [0, 132], [0.0, 5.0]),
    launch("reduce3", 1024, 16, [0, 130], [0.0, 9.0]),
    launch("matrixMul", 320, 3200, [0, 268_712], [10_881.0, 113.686]),
    launch("matrixMulTranspose", 320, 3200, [992_000, 269_208], PRODUCTS),
];

/// Conflicts are stages of shared memories beyond one for each warp's access, w = 32; sectors of 32 bytes are
/// address groups of w = 8 words, as no two threads of a warp read one global word.
#[test]
fn conflicts_and_sectors_are_those_of_the_counters() {
    let files = [
        ("vectorAdd.alg", VECTOR_ADD.to_owned()),
        ("reduce0.alg", reduce(0)),
        ("reduce1.alg", reduce(1)),
        ("reduce2.alg", reduce(2)),
        ("reduce3.alg", reduce(3)),
        ("matrixMul.alg", product("u, v", "u, l")),
        ("matrixMulTranspose.alg", product("v, u", "l, u")),
    ];
    let here = folder(&files.each_ref().map(|it| (it.0, &*it.1)));
    for Launch { kernel, n, warps, counted, bounds } in LAUNCHES {
        let count = |width: i64| {
            let machine = if kernel == "vectorAdd" { "umm" } else { "hmm" };
            let line =
                format!("run {kernel}.alg -m {machine} -w {width} --set n={n} --time-only --json");
            json(here.path(), &*line)
        };
        let (wide, narrow) = (count(32), count(8));
        let (conflicts, sectors) = if kernel == "vectorAdd" {
            (0, narrow["stages"].as_i64().unwrap())
        } else {
            let [stages, warps] =
                ["stages", "dispatches"].map(|it| wide["shared"][it].as_i64().unwrap());
            (stages - warps, narrow["global"]["stages"].as_i64().unwrap())
        };
        assert_eq!(conflicts, counted[0], "{kernel} {n}");
        // What is counted of products differs by what caches and sampling leave out.
        let slack = if kernel.starts_with("matrix") { sectors / 500 } else { 0 };
        assert!((sectors - counted[1]).abs() <= slack, "{kernel} {n}: {sectors}");
        for (ours, bound) in [conflicts, sectors].into_iter().zip(bounds) {
            assert!(ours as f64 <= bound * warps as f64, "{kernel} {n}: {ours} > {bound}·{warps}");
        }
    }
}
