//! What others count: pycachesim, and corners computed by hand from the definitions: loops without
//! iterations, one processor, processors that divide nothing, supersteps without messages.

use std::collections::BTreeMap;

use memory_machine::case::Case;
use memory_machine::cost::{CostMachine, CountedCost, PramVariant};
use memory_machine::units::Threads;

use super::commands::COPY;
use crate::support::{folder, json, root};

const FOLD: &str = "\
algorithm fold(n, k)
inout a[n] : i64

for i ← 0 to k-1 do in parallel
  a[i] ← a[i] + a[n-1-i]
";

/// Even iterations take 3, odd ones 6: two to branch, then a write, or three operations and a write.
const BRANCH: &str = "\
algorithm branch(n)
output a[n] : i64

for i ← 0 to n-1 do in parallel
  if i mod 2 = 0 then
    a[i] ← 1
  else
    a[i] ← i × i + i + 1
";

/// No operation at all.
const ONES: &str = "\
algorithm ones(n)
output a[n] : i64

for i ← 0 to n-1 do in parallel
  a[i] ← 1
";

/// Writes every second word, so a line each, again and again.
const ROUNDS: &str = "\
algorithm rounds(n, k)
inout a[n] : i64

for r ← 0 to k-1 do
  for i ← 0 to n/2-1 do
    a[2×i] ← 1
";

/// The first processor needs three words of the last.
const TAIL: &str = "\
algorithm tail(n)
inout a[n] : i64

for j ← 0 to 0 do in parallel
  r ← a[n-1] + a[n-2] + a[n-3]
";

/// What is typed after `umm run`, and the figures that must come out.
const CASES: [(&str, &str); 24] = [
    ("fold.alg --set n=5 --set k=0 -p 3 -m pram", "time_units 0 work 0"),
    ("fold.alg --set n=5 --set k=0 -p 3 -m work-span", "work 0 span 0 brent 0"),
    ("fold.alg --set n=5 --set k=0 -p 3 -m pem --cache 4 --line 2", "time_units 0 misses 0"),
    // A nest without iterations has its barrier all the same.
    ("fold.alg --set n=5 --set k=0 -m bsp --processors 3 -g 2 -L 5", "time_units 5 supersteps 1"),
    // Two rounds of three steps and a sum.
    ("fold.alg --set n=5 --set k=5 -p 3 -m pram", "time_units 8 work 24 done 20"),
    ("fold.alg --set n=5 --set k=5 -p 1 -m pram", "time_units 20 work 20"),
    // Both sides of the branch, one after the other: 2 + 1 + 3 + 1.
    ("branch.alg --set n=4 -p 4 -m pram", "time_units 7 work 28 done 18"),
    ("branch.alg --set n=4 -p 4 -m pram --cost operations", "time_units 5"),
    ("branch.alg --set n=5 -p 4 -m work-span --spawn log", "work 21 span 9 brent 12"),
    ("branch.alg --set n=1 -p 4 -m work-span --spawn log", "work 3 span 3 brent 3"),
    // Nothing is done but the three calls deep that begin the writes.
    ("ones.alg --set n=5 -m work-span --cost operations --spawn log", "work 0 span 3 brent 3"),
    // Lines 0 1 2 0 1 2 through two lines.
    ("rounds.alg --set n=6 --set k=2 -m ideal-cache --cache 4 --line 2", "misses 6 write_backs 6"),
    (
        "rounds.alg --set n=6 --set k=2 -m ideal-cache --cache 4 --line 2 --policy opt",
        "misses 4 write_backs 4",
    ),
    ("copy.alg --set n=5 -m ideal-cache --cache 4 --line 4", "misses 10 write_backs 5"),
    ("copy.alg --set n=5 -m ideal-cache --cache 8 --line 4", "misses 4 write_backs 2"),
    // Two write one line: neither keeps it.
    ("copy.alg --set n=4 -p 2 -m pem --cache 2 --line 2", "time_units 4 misses 8 write_backs 4"),
    // Owners 0 0 1 1 2 2 0 0 1 1, processors 0 1 2 0 1 2 0 1 2 0.
    (
        "copy.alg --set n=10 -p 3 -m bsp --processors 3 --owner block:2 -g 2 -L 5",
        "time_units 23 w 4 h 7",
    ),
    // Owners 0 0 1 1 2, processors 0 0 1 2 3.
    ("copy.alg --set n=5 -p 5 -m bsp --processors 4 -g 3 -L 7", "time_units 15 w 2 h 2"),
    ("copy.alg --set n=5 -p 5 -m bsp --processors 1 -g 3 -L 7", "time_units 12 h 0"),
    // Sent at 0, 4, 8; there at 8, 12, 16.
    ("tail.alg --set n=6 -p 2 -m logp --processors 2 -L 6 -o 2 -g 4", "time_units 18 messages 3"),
    (
        "tail.alg --set n=6 -p 2 -m loggp --processors 2 -L 6 -o 2 -g 4 -G 1",
        "time_units 12 messages 1",
    ),
    ("tail.alg --set n=6 -p 2 -m logp --processors 1", "time_units 2 messages 0"),
    // Twelve words, whatever width arrays are aligned to.
    ("copy.alg --set n=6 -p 2 -m mpc --space 4", "machines 3 held 4 received 3"),
    ("copy.alg --set n=5 -p 2 -m roofline", "operations 5 bytes 128"),
];

#[test]
fn corners_come_out_as_by_hand() {
    let it = folder(&[
        ("copy.alg", COPY),
        ("fold.alg", FOLD),
        ("branch.alg", BRANCH),
        ("ones.alg", ONES),
        ("rounds.alg", ROUNDS),
        ("tail.alg", TAIL),
    ]);
    for (words, figures) in CASES {
        let found = json(it.path(), &format!("run {words} --json"));
        let figures: Vec<&str> = figures.split(' ').collect();
        for figure in figures.chunks(2) {
            let value = figure[1].parse::<u64>().unwrap();
            assert_eq!(found[figure[0]].as_u64(), Some(value), "{words}: {}", figure[0]);
        }
    }
}

/// `benches/peers/ideal_cache/compare.py` made the table.
const PYCACHESIM: &str = include_str!("../../benches/peers/ideal_cache/pycachesim-0.3.1.csv");

/// LRU on 25 kernels of PolyBench, of which one curve in eight is tried by default.
#[test]
fn ideal_cache_equals_pycachesim() {
    let mut curves: BTreeMap<[&str; 3], Vec<[u64; 4]>> = BTreeMap::new();
    for line in PYCACHESIM.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let numbers = [3, 4, 5, 6].map(|at| fields[at].parse().unwrap());
        curves.entry([fields[0], fields[1], fields[2]]).or_default().push(numbers);
    }
    assert_eq!(curves.len(), 100);
    let step = if crate::is_thorough() { 1 } else { 8 };
    for ([listing, size, line], rows) in curves.iter().step_by(step) {
        let caches: Vec<String> = rows.iter().map(|it| it[0].to_string()).collect();
        let caches = caches.join(",");
        let said = json(
            root(),
            &format!(
                "run {listing} --set {size} -m ideal-cache --line {line} --cache {caches} --json"
            ),
        );
        for (point, [cache, accesses, misses, write_backs]) in
            said["curve"].as_array().unwrap().iter().zip(rows)
        {
            let counted = ["cache", "misses", "write_backs"].map(|it| point[it].as_u64().unwrap());
            assert_eq!(counted, [*cache, *misses, *write_backs], "{listing} {size} {line}");
            assert_eq!(said["accesses"], *accesses, "{listing} {size}");
        }
        assert_eq!(said["curve"].as_array().unwrap().len(), rows.len(), "{listing}");
    }
}

/// Steps of the PRAM that are counted are those that are executed: on random listings, and of a sum of as
/// many numbers as nobody would execute.
#[test]
fn steps_are_counted_without_an_execution() {
    let variant = PramVariant::Arbitrary;
    let machine = CostMachine::Pram { variant, counted: CountedCost::Accesses };
    let many = if crate::is_thorough() { 10_000 } else { 200 };
    let (mut counted, mut executed) = (0, 0);
    for seed in 0..many {
        let bytes: Vec<u8> =
            (0..40).map(|at: u64| ((seed * 7919 + at * at * 31) >> 3) as u8).collect();
        let text = crate::run::generate::listing(&bytes, seed % 4 > 0);
        let case = Case::parse("random.alg", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        let mut case = case.set("n", 3 + seed as i64 % 6).set("m", 1 + seed as i64 % 4);
        case.threads = Threads::new(1 + seed % 9).unwrap();
        let on = case.for_cost(&machine).unwrap();
        let layout = on.layout().unwrap();
        let mut memory = on.memory(&layout).unwrap();
        let Ok(run) = on.cost(&machine, &layout, &mut memory) else { continue };
        executed += 1;
        let Ok(count) = on.count_cost(&machine) else { continue };
        if !count.counted {
            continue;
        }
        for key in ["time_units", "work", "done", "steps", "accesses"] {
            assert_eq!(count.cost.count(key), run.cost.count(key), "{key}\n{text}");
        }
        counted += 1;
    }
    assert!(counted * 3 > executed && executed * 2 > many, "{counted} of {executed} of {many}");
    let words = "run sum --set n=1099511627776 -p 1024 -m pram --pram arbitrary --cost accesses \
                 --time-only --json";
    // Halves of more than 1,024 take a round for each 1,024 of them.
    let rounds: u64 = (0..40).map(|k: u32| (1_u64 << k).div_ceil(1024)).sum();
    assert_eq!(json(root(), words)["time_units"], 3 * rounds);
    // What hears each access, and what data decides, is executed.
    for words in ["sum --set n=64 -m logp", "permute --set n=64 -m pram --pram arbitrary"] {
        let [count, run] =
            ["--time-only", ""].map(|it| json(root(), &format!("run {words} {it} --json")));
        assert_eq!(count["counted"], false);
        assert_eq!(count["time_units"], run["time_units"]);
    }
}
