//! What the pipeline's stages hold.

use std::collections::BTreeMap;

use super::Machine;
use crate::trace::{Piece, StridedRun};
use crate::units::Address;

/// The addresses that each stage of one warp's access holds. Each thread asks
/// for so many words; those of atomics do not merge.
pub(super) fn contents(
    memory: Machine,
    requests: &[Piece],
    (words, is_atomic): (u64, bool),
) -> Vec<Vec<Address>> {
    // On banks so many threads go at a time.
    let together = match memory.kind.has_groups() {
        true => u64::MAX,
        false => (memory.width.get() / words).max(1),
    };
    let mut passes: BTreeMap<u64, Vec<Address>> = BTreeMap::new();
    let mut thread = 0;
    for piece in requests {
        let (Piece::Run(StridedRun { count, .. }) | Piece::Idle(count)) = *piece;
        if let Piece::Run(run) = *piece {
            for (at, thread) in (0..count).zip(thread..) {
                let pass = passes.entry(thread / together).or_default();
                pass.extend((0..words).map(|word| Address(run.at(at).0 + word)));
            }
        }
        thread += count;
    }
    let stages = |mut addresses: Vec<Address>| {
        addresses.sort_unstable();
        if is_atomic {
            return memory.kind.serial_stages(&addresses, memory.width);
        }
        addresses.dedup();
        memory.kind.stages(&addresses, memory.width)
    };
    passes.into_values().flat_map(stages).collect()
}
