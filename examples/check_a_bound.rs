//! Times the shipped prefix-sums over a grid of cases and holds every known bound against each time.
//!
//! `cargo run --example check_a_bound`

use memory_machine::case::{Case, CaseCache};
use memory_machine::theory::{BoundKind, violations};
use memory_machine::units::Threads;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (case, known) = (Case::load("prefix_sums_parallel")?, CaseCache::default());
    println!("{:>6} {:>6} {:>8} {:>10} {:>8}", "n", "p", "lower", "time units", "upper");
    for n in [256, 1024, 4096] {
        for p in [64, 1024] {
            let case = Case { threads: Threads::new(p)?, ..case.clone() }.set("n", n);
            let timed = case.time()?;
            let bounds = known.bounds(&case, &timed);
            assert_eq!(violations(&case.program, &timed.counts, &bounds), []);
            let whole = |kind: BoundKind| {
                let of_kind = bounds.iter().filter(move |it| it.phase.is_none() && it.kind == kind);
                of_kind.map(|it| it.value)
            };
            let lower = whole(BoundKind::Lower).max().unwrap_or(0);
            let upper = whole(BoundKind::Upper).min().map_or("–".to_owned(), |it| it.to_string());
            println!("{n:>6} {p:>6} {lower:>8} {:>10} {upper:>8}", timed.total().time_units);
        }
    }
    Ok(())
}
