//! Listings on DMMs at the sizes of `plots/data/` and of the pages: the tests have this file, too.

use memory_machine::case::{Case, CaseCache, Inputs};
use memory_machine::machine::{Dmms, Machine, MachineKind};
use memory_machine::sample::Sample;
use memory_machine::units::{Latency, Width};

/// Threads of a block.
pub const Q: u64 = 256;
/// Blocks that a DMM has at once.
pub const RESIDENT: u64 = 4;

/// An HMM of d DMMs, whose shared memory answers in one time unit.
pub fn machine(w: u64, l: u64, d: u64, resident: u64) -> Machine {
    let dmms = Dmms { number: d, latency: Latency::at_least_one(1), resident };
    on(MachineKind::Hmm(dmms), w, l)
}

fn on(kind: MachineKind, w: u64, l: u64) -> Machine {
    Machine { kind, width: Width::at_least_one(w), latency: Latency::at_least_one(l) }
}

/// A listing of n × n in tiles of w × w and blocks of 256 threads; one without blocks has as many
/// threads as run at once on the DMMs.
pub fn case(name: &str, n: u64, w: u64, d: u64) -> Case {
    let case = Case::load(name).unwrap().set("n", n as i64).on(machine(w, 400, d, RESIDENT));
    let case = case.threads(d * RESIDENT * Q).unwrap();
    match case.program.first_loop_on_dmms() {
        Some(_) => case.set("t", w as i64).set("q", Q as i64),
        None => case,
    }
}

/// Of the plain transposition, by rows: its other phases do the same in other ways.
pub fn sample(case: &Case) -> Sample {
    if case.program.name == "transpose" {
        let rows = case.samples().unwrap();
        return rows.into_iter().find(|it| it.phase.as_deref() == Some("row")).unwrap();
    }
    case.sample().unwrap()
}

/// Nakano 2013, Theorem 3, of a run of `umm_opt`.
pub fn theorem_three(case: &Case) -> u128 {
    let bounds = CaseCache::default().bounds(case, &case.time().unwrap());
    bounds.iter().find(|it| it.source.ends_with("Theorem 3")).unwrap().value
}

/// The largest number of w balls in one of w bins, on average, for w = 4, 8, … 128.
pub const EXPECTED: [(u64, f64); 6] =
    [(4, 2.125), (8, 2.597), (16, 3.078), (32, 3.533), (64, 3.958), (128, 4.379)];

/// Warps that [`congested`] has write.
pub const WARPS: u64 = 10_000;

/// The stages of writes to distinct rows under RAP, whose columns know nothing of its shifts.
pub fn congested(w: u64) -> u128 {
    let text = "\
algorithm accesses(w, k)
input r[w] : i32
input column[k, w] : i32
output x[w, w] : i32

for j ← 0 to k-1 do
  for i ← 0 to w-1 do in parallel
    x[i, (column[j, i] + r[i]) mod w] ← 1
";
    let case = Case::parse("accesses.alg", text).unwrap();
    let case = case.set("w", w as i64).set("k", WARPS as i64);
    let case = case.on(on(MachineKind::Dmm, w, 1)).threads(w).unwrap();
    let sources = [("r", "permutation:1"), ("column", "permutation:2")];
    let sources = sources.map(|(array, source)| (array.to_owned(), source.into()));
    let case = Case { inputs: Inputs::read(&case.program, &sources, 1).unwrap(), ..case };
    // Both reads of a warp are free of conflicts.
    case.time().unwrap().total().stages - u128::from(2 * WARPS)
}
