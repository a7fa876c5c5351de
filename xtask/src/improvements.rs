//! The table of docs/improve.md: what the search makes of the listings of PolyBench.

use memory_machine::algorithms::catalogue;
use memory_machine::case::Case;
use memory_machine::improve::memo::Memo;
use memory_machine::improve::search::{Company, Ladder, Reach};
use memory_machine::machine::{Dmms, Machine, MachineKind, Mode};
use memory_machine::units::{Latency, Threads, Width};

use crate::Failure;

/// Every size.
const SIZE: i64 = 32;

/// The kernels of PolyBench that stand in other folders of the library.
const ELSEWHERE: [&str; 5] =
    ["floyd_warshall_in_turn", "cholesky", "lu", "forward_substitution", "nussinov"];

/// The listing with its loops in turn, as PolyBench has them.
fn in_turn(name: &str) -> Result<Case, Failure> {
    let text = Case::load(name)?.program.listing.to_string();
    Ok(Case::parse(name, &text.replace(" in parallel", ""))?)
}

fn ladder(name: &str) -> Result<Ladder, Failure> {
    let case = in_turn(name)?;
    let dmms = Dmms { number: 16, resident: 2, ..Dmms::ONE };
    let (width, latency) = (Width::at_least_one(32), Latency::at_least_one(100));
    let machine = Machine { kind: MachineKind::hierarchical(dmms), width, latency };
    let sizes: Vec<String> = case.program.parameters.iter().map(|it| it.name.clone()).collect();
    let threads = Threads::at_least_one(4096);
    let case = Case { machine, mode: Mode::Sync, threads, ..case };
    // k is a number of steps in time.
    let sized = sizes.iter().filter(|it| *it != "k").fold(case, |case, it| case.set(it, SIZE));
    let reach = Reach { steps: 8, beam: 1, reassociates: false, layouts: false, launch: 0 };
    Ok(sized.improve(reach, Company::none(&Memo::default()))?.ladder)
}

/// A number in groups of three digits, as English has them.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Prints a row for each listing.
pub fn print() -> Result<(), Failure> {
    println!("| listing | as printed | improved | faster | steps |\n|---|---:|---:|---:|---|");
    let own = catalogue::CATALOGUE.iter().filter(|it| it.topic == "polybench").map(|it| it.name);
    for name in own.chain(ELSEWHERE) {
        let ladder = ladder(name)?;
        let time = |at: usize| ladder.rungs.get(at).map_or(1, |it| it.time.time_units);
        let (first, last) = (time(0), time(ladder.rungs.len() - 1));
        let steps = ladder.rungs.iter().filter_map(|it| it.step.as_ref());
        let rules: Vec<&str> =
            steps.filter_map(|it| it.certificates.first()).map(|it| it.rule.as_str()).collect();
        let why = match (&rules[..], ladder.refused.first()) {
            ([], Some(refused)) => format!("none: {}", refused.reason),
            ([], None) => "none".to_owned(),
            (all, _) => all.join(", "),
        };
        let faster = first as f64 / last.max(1) as f64;
        let (first, last) = (grouped(first), grouped(last));
        println!("| `{name}` | {first} | {last} | {faster:.1} | {why} |");
    }
    Ok(())
}
