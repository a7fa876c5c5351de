//! Calls in parallel: work and span of the textbooks' recursive algorithms, in closed form.

use memory_machine::language::parse;

use crate::support::{exits, fails, folder, json, succeeds};

/// Cormen et al. 2022, 26.1, P-Fib, with an access in each call.
const FIB: &str = "\
algorithm fib(n)
output f[n + 1] : i64

procedure fib(m)
  if m > 1 then
    spawn fib(m - 1)
    fib(m - 2)
    sync
  f[m] ← m

fib(n)
";

/// Cormen et al. 2022, 26.3, P-Merge-Sort; of this form with a merge in turn.
const MERGE_SORT: &str = "\
algorithm merge_sort(k)
inout a[1 << k] : i64
work b[1 << k] : i64

procedure sort(x[n], y[n])
  if n > 1 then
    h ← n / 2
    spawn sort(x[0 .. h-1], y[0 .. h-1])
    sort(x[h .. n-1], y[h .. n-1])
    sync
    for t ← 0 to n-1 do
      y[t] ← x[t]
    i ← 0
    j ← h
    for t ← 0 to n-1 do
      if j = n or (i < h and y[i] ≤ y[j]) then
        x[t] ← y[i]
        i ← i + 1
      else
        x[t] ← y[j]
        j ← j + 1

sort(a, b)
";

/// The same with P-Merge: the halves of what is merged are found by binary search, and merged in parallel.
const P_MERGE_SORT: &str = "\
algorithm p_merge_sort(k)
inout a[1 << k] : i64
work b[1 << k] : i64

procedure merge(x[n], y[n], i, r, j, s, at, t)   // x[i .. r-1] and x[j .. s-1] to t places of y from `at` on
  if t = 1 then
    if i < r and (j = s or x[i] ≤ x[j]) then
      y[at] ← x[i]
    else
      y[at] ← x[j]
  else
    g ← t / 2
    low ← max(0, g - (s - j))
    high ← min(g, r - i)
    while low < high do
      m ← (low + high) / 2
      if x[i + m] ≤ x[j + g - 1 - m] then
        low ← m + 1
      else
        high ← m
    spawn merge(x, y, i, i + low, j, j + g - low, at, g)
    merge(x, y, i + low, r, j + g - low, s, at + g, g)
    sync

procedure sort(x[n], y[n])
  if n > 1 then
    h ← n / 2
    spawn sort(x[0 .. h-1], y[0 .. h-1])
    sort(x[h .. n-1], y[h .. n-1])
    sync
    merge(x, y, 0, h, h, n, 0, n)
    for t ← 0 to n-1 do in parallel
      x[t] ← y[t]

sort(a, b)
";

/// JáJá 1992, Section 2.1, prefix sums by halves.
const PREFIX_SUMS: &str = "\
algorithm scan(k)
inout a[1 << k] : i64

procedure scan(x[n])
  if n > 1 then
    h ← n / 2
    spawn scan(x[0 .. h-1])
    scan(x[h .. n-1])
    sync
    for i ← h to n-1 do in parallel
      x[i] ← x[h-1] + x[i]

scan(a)
";

/// Cormen et al. 2022, 26.2, P-Matrix-Multiply-Recursive, with the eight products in two groups of four.
const PRODUCT: &str = "\
algorithm product(k)
input a[1 << k, 1 << k] : i64
input b[1 << k, 1 << k] : i64
inout c[1 << k, 1 << k] : i64

procedure multiply(x[m, m], y[m, m], z[m, m])
  if m = 1 then
    z[0, 0] ← z[0, 0] + x[0, 0] × y[0, 0]
  else
    h ← m / 2
    l ← m - 1
    spawn multiply(x[0..h-1, 0..h-1], y[0..h-1, 0..h-1], z[0..h-1, 0..h-1])
    spawn multiply(x[0..h-1, 0..h-1], y[0..h-1, h..l], z[0..h-1, h..l])
    spawn multiply(x[h..l, 0..h-1], y[0..h-1, 0..h-1], z[h..l, 0..h-1])
    multiply(x[h..l, 0..h-1], y[0..h-1, h..l], z[h..l, h..l])
    sync
    spawn multiply(x[0..h-1, h..l], y[h..l, 0..h-1], z[0..h-1, 0..h-1])
    spawn multiply(x[0..h-1, h..l], y[h..l, h..l], z[0..h-1, h..l])
    spawn multiply(x[h..l, h..l], y[h..l, 0..h-1], z[h..l, 0..h-1])
    multiply(x[h..l, h..l], y[h..l, h..l], z[h..l, h..l])
    sync

multiply(a, b, c)
";

/// Cormen et al. 2022, 30.3: a transform whose halves are made in parallel, as are its butterflies.
const TRANSFORM: &str = "\
algorithm transform(k)
inout a[1 << k] : i64

procedure transform(x[n])
  if n > 1 then
    h ← n / 2
    spawn transform(x[0 .. h-1])
    transform(x[h .. n-1])
    sync
    for i ← 0 to h-1 do in parallel
      u ← x[i]
      v ← x[i + h]
      x[i] ← u + v
      x[i + h] ← u - v

transform(a)
";

/// Cormen et al. 2022, 26.2: Strassen's method, whose seven products are made in parallel.
const STRASSEN: &str = "\
algorithm strassen(k)
input a[1 << k, 1 << k] : i64
input b[1 << k, 1 << k] : i64
output c[1 << k, 1 << k] : i64
work w[k + 1, 7^k, 3, 1 << k, 1 << k] : i64    // by level and product: two factors and what they give

procedure multiply(x[m, m], y[m, m], z[m, m], w[d, q, r, s, t])
  if m = 1 then
    z[0, 0] ← x[0, 0] × y[0, 0]
  else
    h ← m / 2
    l ← m - 1
    e ← q / 7
    for i ← 0 to h-1 do in parallel
      for j ← 0 to h-1 do in parallel
        w[0, 0, 0, i, j] ← y[i, h + j] - y[h + i, h + j]
        w[0, e, 0, i, j] ← x[i, j] + x[i, h + j]
        w[0, 2 × e, 0, i, j] ← x[h + i, j] + x[h + i, h + j]
        w[0, 3 × e, 0, i, j] ← y[h + i, j] - y[i, j]
        w[0, 4 × e, 0, i, j] ← x[i, j] + x[h + i, h + j]
        w[0, 4 × e, 1, i, j] ← y[i, j] + y[h + i, h + j]
        w[0, 5 × e, 0, i, j] ← x[i, h + j] - x[h + i, h + j]
        w[0, 5 × e, 1, i, j] ← y[h + i, j] + y[h + i, h + j]
        w[0, 6 × e, 0, i, j] ← x[i, j] - x[h + i, j]
        w[0, 6 × e, 1, i, j] ← y[i, j] + y[i, h + j]
    spawn multiply(x[0..h-1, 0..h-1], w[0, 0, 0, 0..h-1, 0..h-1], w[0, 0, 2, 0..h-1, 0..h-1], w[1 .. d-1, 0 .. e - 1, 0 .. 2, 0..h-1, 0..h-1])
    spawn multiply(w[0, e, 0, 0..h-1, 0..h-1], y[h..l, h..l], w[0, e, 2, 0..h-1, 0..h-1], w[1 .. d-1, e .. 2 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    spawn multiply(w[0, 2 × e, 0, 0..h-1, 0..h-1], y[0..h-1, 0..h-1], w[0, 2 × e, 2, 0..h-1, 0..h-1], w[1 .. d-1, 2 × e .. 3 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    spawn multiply(x[h..l, h..l], w[0, 3 × e, 0, 0..h-1, 0..h-1], w[0, 3 × e, 2, 0..h-1, 0..h-1], w[1 .. d-1, 3 × e .. 4 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    spawn multiply(w[0, 4 × e, 0, 0..h-1, 0..h-1], w[0, 4 × e, 1, 0..h-1, 0..h-1], w[0, 4 × e, 2, 0..h-1, 0..h-1], w[1 .. d-1, 4 × e .. 5 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    spawn multiply(w[0, 5 × e, 0, 0..h-1, 0..h-1], w[0, 5 × e, 1, 0..h-1, 0..h-1], w[0, 5 × e, 2, 0..h-1, 0..h-1], w[1 .. d-1, 5 × e .. 6 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    multiply(w[0, 6 × e, 0, 0..h-1, 0..h-1], w[0, 6 × e, 1, 0..h-1, 0..h-1], w[0, 6 × e, 2, 0..h-1, 0..h-1], w[1 .. d-1, 6 × e .. 7 × e - 1, 0 .. 2, 0..h-1, 0..h-1])
    sync
    for i ← 0 to h-1 do in parallel
      for j ← 0 to h-1 do in parallel
        z[i, j] ← w[0, 4 × e, 2, i, j] + w[0, 3 × e, 2, i, j] - w[0, e, 2, i, j] + w[0, 5 × e, 2, i, j]
        z[i, h + j] ← w[0, 0, 2, i, j] + w[0, e, 2, i, j]
        z[h + i, j] ← w[0, 2 × e, 2, i, j] + w[0, 3 × e, 2, i, j]
        z[h + i, h + j] ← w[0, 4 × e, 2, i, j] + w[0, 0, 2, i, j] - w[0, 2 × e, 2, i, j] - w[0, 6 × e, 2, i, j]

multiply(a, b, c, w)
";

/// In units of accesses, or with `words` of others.
fn cost(text: &str, size: &str, words: &str) -> (u64, u64) {
    let it = folder(&[("it.alg", text)]);
    let words = format!("run it.alg --set {size} -m work-span --cost accesses {words} --json");
    let found = json(it.path(), &words);
    (found["work"].as_u64().unwrap(), found["span"].as_u64().unwrap())
}

#[test]
fn fib_has_a_span_of_its_longest_chain() {
    // F(n + 1) · 2 − 1 calls of an access each; the longest chain is n calls long.
    for (n, calls) in [(1, 1), (2, 3), (5, 15), (8, 67)] {
        assert_eq!(cost(FIB, &format!("n={n}"), ""), (calls, n), "n = {n}");
    }
    // A call more in each of the n − 1 forks: two branches.
    assert_eq!(cost(FIB, "n=8", "--spawn log"), (67, 8 + 7));
}

#[test]
fn merge_sort_has_the_span_of_its_merge() {
    for k in 1..=6_u64 {
        let n = 1 << k;
        // A merge of n keys in order takes 5n accesses: two copies of each, and n/2 comparisons.
        let (work, span) = cost(MERGE_SORT, &format!("k={k}"), "--input a=sorted");
        assert_eq!((work, span), (5 * n * k, 10 * (n - 1)), "k = {k}");
    }
}

/// Binary search for the middle of 2ᵏ keys that come from both halves by turns: two reads a step.
fn search(k: u64) -> u64 {
    2 * [0, 1, 2].get(k as usize).copied().unwrap_or(k - 1)
}

#[test]
fn merge_sort_with_a_parallel_merge_has_a_cubic_logarithm() {
    let (mut sort_work, mut sort_span) = (0, 0);
    let (mut merge_work, mut merge_span) = (2, 2);
    for k in 1..=5_u64 {
        // Keys by bit reversal: at every level halves are merged that alternate.
        let n = 1_u64 << k;
        let keys = (0..n).map(|it| it.reverse_bits() >> (64 - k));
        let keys: Vec<String> = keys.map(|it| it.to_string()).collect();
        let it = folder(&[("it.alg", P_MERGE_SORT), ("keys.csv", &(keys.join(",") + "\n"))]);
        let words = format!(
            "run it.alg --set k={k} --input a=keys.csv -m work-span --cost accesses --json"
        );
        let found = json(it.path(), &words);
        merge_work = search(k) + 2 * merge_work;
        merge_span += search(k);
        sort_work = 2 * sort_work + merge_work + 2 * n;
        sort_span += merge_span + 2;
        assert_eq!(found["work"], sort_work, "k = {k}");
        assert_eq!(found["span"], sort_span, "k = {k}");
        // Σ (i² − i + 8) from 2 on, and 6: a third of k³.
        let closed = if k == 1 { 6 } else { (k * k * k + 23 * k) / 3 - 2 };
        assert_eq!(sort_span, closed, "k = {k}");
    }
}

#[test]
fn recursive_scan_product_and_transform_have_the_spans_of_the_textbooks() {
    for k in 1..=5_u64 {
        let (size, n) = (format!("k={k}"), 1 << k);
        // Three accesses a sum, n/2 sums a level.
        assert_eq!(cost(PREFIX_SUMS, &size, ""), (3 * n / 2 * k, 3 * k));
        assert_eq!(cost(TRANSFORM, &size, ""), (2 * n * k, 4 * k));
        // With trees of calls: Θ(lg² n).
        let log = 4 * k + (0..k).sum::<u64>() + k;
        assert_eq!(cost(TRANSFORM, &size, "--spawn log"), (2 * n * k, log));
    }
    // Θ(n^lg 7) and Θ(lg n), with trees of calls Θ(lg² n): ten sums and four combinations a level.
    for k in 0..=2_u64 {
        let (seven, four) = (7_u64.pow(k as u32), 4_u64.pow(k as u32));
        let work = 3 * seven + 46 * (seven - four) / 3;
        assert_eq!(cost(STRASSEN, &format!("k={k}"), ""), (work, 46 * k + 3));
        let log = 46 * k + 3 + 3 * k + (0..k).map(|it| 4 * it).sum::<u64>();
        assert_eq!(cost(STRASSEN, &format!("k={k}"), "--spawn log"), (work, log));
    }
    // Θ(n³) and, with groups of four one after another, Θ(n).
    for k in 0..=3_u64 {
        let n = 1 << k;
        assert_eq!(cost(PRODUCT, &format!("k={k}"), ""), (4 * n * n * n, 4 * n));
    }
}

#[test]
fn calls_in_parallel_are_made_in_turn_elsewhere() {
    let serial = MERGE_SORT.replace("spawn ", "").replace("    sync\n", "");
    let it = folder(&[("it.alg", MERGE_SORT), ("serial.alg", &serial)]);
    for machine in ["umm", "pram", "ideal-cache", "work-span"] {
        let run =
            |file: &str| json(it.path(), &format!("run {file} --set k=4 -m {machine} --json"));
        let (found, expected) = (run("it.alg"), run("serial.alg"));
        for key in ["time_units", "work", "accesses", "misses"] {
            assert_eq!(found[key], expected[key], "{machine} {key}");
        }
        let alike = found["span"] == expected["span"];
        assert_eq!(alike, machine != "work-span", "{machine}");
    }
}

#[test]
fn a_listing_with_calls_in_parallel_is_printed_as_it_stands() {
    for text in [FIB, MERGE_SORT, P_MERGE_SORT, PREFIX_SUMS, STRASSEN, PRODUCT, TRANSFORM] {
        let printed = parse(text).unwrap().to_string();
        assert_eq!(parse(&printed).unwrap().to_string(), printed);
        assert_eq!(printed.matches("spawn ").count(), text.matches("spawn ").count(), "{printed}");
    }
    let nested = "algorithm it(n)\noutput b[3] : i64\n\nprocedure one(m)\n  b[m] ← m\n\n\
                  spawn one(0)\nb[1] ← 1\nspawn one(2)\nsync\n";
    let printed = parse(nested).unwrap().to_string();
    assert_eq!(printed.matches("sync").count(), 1, "{printed}");
}

#[test]
fn what_is_spawned_has_no_value_before_sync() {
    let head = "algorithm it(n)\noutput b[2] : i64\n\nprocedure one(m) → r\n  b[m] ← m\n  r ← b[m] + 1\n\n";
    for (statements, why) in [
        ("x ← spawn one(0)\nb[1] ← x\nsync\n", "`x` "),
        ("x ← spawn one(0)\nb[1] ← 1\n", "`sync`"),
        ("for i ← 0 to 1 do in parallel\n  x ← spawn one(i)\n  sync\n", "inside a parallel loop"),
        ("spawn b[0] ← 1\nsync\n", "expected"),
        ("for i ← 0 to 1 do\n  x ← spawn one(i)\n  break\n  sync\n", "left before `sync`"),
    ] {
        let it = folder(&[("it.alg", &format!("{head}{statements}"))]);
        let message = exits(it.path(), "run it.alg --set n=1", 2);
        assert!(message.contains(why), "{statements}{message}");
    }
    let right = format!("{head}x ← spawn one(0)\ny ← one(1)\nsync\nb[1] ← x + y\n");
    let it = folder(&[("it.alg", &right)]);
    let found = json(it.path(), "run it.alg --set n=1 -m work-span --cost accesses --json");
    assert_eq!((found["work"].as_u64(), found["span"].as_u64()), (Some(5), Some(3)));
    let message = fails(it.path(), "improve it.alg --set n=1");
    assert!(message.contains("calls in parallel"), "{message}");
}

#[test]
fn calls_that_need_each_other_race() {
    let text = |body: &str| {
        format!(
            "algorithm calls(n)\noutput a[4] : i64\n\nprocedure put(i, x)\n  a[i] ← x\n\n\
             procedure two(i)\n  spawn put(i, 1)\n  put(i + 1, 2)\n  sync\n\n{body}"
        )
    };
    let files = folder(&[
        ("same.alg", &text("spawn put(0, 1)\nspawn put(0, 2)\nsync\n")),
        ("read.alg", &text("a[0] ← 0\nspawn put(0, 1)\na[1] ← a[0]\nsync\n")),
        ("apart.alg", &text("spawn put(0, 1)\nspawn put(1, 2)\nsync\na[2] ← a[0] + a[1]\n")),
        ("nested.alg", &text("spawn two(0)\nspawn two(1)\nsync\n")),
        ("turn.alg", &text("spawn two(0)\nsync\nspawn two(0)\nsync\n")),
    ]);
    for (name, races) in
        [("same", true), ("read", true), ("apart", false), ("nested", true), ("turn", false)]
    {
        let checked = succeeds(files.path(), &*format!("check {name}.alg --set n=1"));
        assert_eq!(checked.contains("a call in parallel writes it in line 5"), races, "{checked}");
        assert_eq!(checked.contains("races: none"), !races, "{checked}");
        let run = json(files.path(), &*format!("run {name}.alg --set n=1 --json"));
        assert_eq!(
            run["races"].as_array().is_some_and(|it| !it.is_empty()),
            races,
            "{name}: {run}"
        );
    }
}
