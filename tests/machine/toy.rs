//! A machine that the library does not have, added from outside: one file, of public parts alone.

use std::collections::BTreeSet;

use memory_machine::case::Case;
use memory_machine::trace::{Phase, Piece, Sink, Step};
use memory_machine::units::TimeUnits;

/// A memory with so many ports and neither groups nor banks, as a PRAM's would be if it were bounded:
/// a step that asks for k distinct words takes ⌈k/ports⌉ stages, whichever warps ask.
struct Ports {
    ports: u128,
    latency: u128,
    time: TimeUnits,
}

impl Sink for Ports {
    fn step(&mut self, _phase: Phase, step: &Step) {
        let asked = step.pieces.iter().flat_map(|piece| match *piece {
            Piece::Run(run) => (0..run.count).map(|it| run.at(it).0).collect(),
            Piece::Idle(_) => vec![],
        });
        let words = asked.collect::<BTreeSet<u64>>().len() as u128;
        if words > 0 {
            self.time.0 += words.div_ceil(self.ports) + self.latency - 1;
        }
    }

    fn barrier(&mut self) {}
}

/// What the case takes on 8 ports at a latency of 5.
fn time(case: &Case) -> u128 {
    case.trace(Ports { ports: 8, latency: 5, time: TimeUnits(0) }).unwrap().time.0
}

#[test]
fn a_machine_is_one_file() {
    // Three times 16 × 16 words are read and written by 64 threads, in 4 rounds: that columns are
    // strided costs nothing where there are no groups.
    let transpose = Case::load("transpose").unwrap().set("n", 16).threads(64).unwrap();
    assert_eq!(time(&transpose), 3 * 4 * 2 * (64 / 8 + 5 - 1));

    // All read one word, which is one request, and write 64.
    let text = "\
algorithm spread(n)
input a[n] : f32
output b[n] : f32

for i ← 0 to n-1 do in parallel
  b[i] ← a[0]
";
    let spread = Case::parse("spread.alg", text).unwrap().set("n", 64).threads(64).unwrap();
    assert_eq!(time(&spread), (1 + 5 - 1) + (64 / 8 + 5 - 1));
}
