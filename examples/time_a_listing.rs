//! Times a listing of one's own, phase by phase, on both machines and in both modes.
//!
//! `cargo run --example time_a_listing`

use memory_machine::case::Case;
use memory_machine::keyword::Keyword;
use memory_machine::machine::{Machine, MachineKind, Mode};

const LISTING: &str = "\
algorithm smooth(n)
input a[n, n] : f32
output b[n, n] : f32

rows: for i ← 0 to n-1 do in parallel
  for j ← 1 to n-2 do in parallel
    b[i, j] ← (a[i, j-1] + a[i, j] + a[i, j+1]) / 3
columns: for j ← 0 to n-1 do in parallel
  for i ← 1 to n-2 do in parallel
    b[i, j] ← (a[i-1, j] + a[i, j] + a[i+1, j]) / 3
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let case = Case::parse("smooth.alg", LISTING)?.set("n", 256).threads(1024)?;
    for (kind, _, _) in MachineKind::WORDS {
        for (mode, _, _) in Mode::WORDS {
            let machine = Machine { kind: *kind, ..Machine::default() };
            let case = Case { mode: *mode, ..case.clone().on(machine) };
            println!("{} {}", kind.name(), mode.name());
            for (phase, counts) in case.program.phases.iter().zip(case.time()?.counts) {
                let (stages, time) = (counts.stages, counts.time_units);
                println!("  {phase:<8} {stages:>6} stages {time:>7} time units");
            }
        }
    }
    Ok(())
}
