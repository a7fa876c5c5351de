//! Several steps in time of a stencil at once, in tiles that overlap: see [`crate::check`].

use memory_machine_core::language::syntax::Listing;

use super::proposal::Proposal;
use super::tree::{blocks, line, new_name};
use crate::check::stencil::{Stencil, stencil};
use crate::check::time_tiles::{NAMES, time_tiles};
use crate::check::{Proof, TimeTiles};

/// Sides of a tile, steps and threads that are tried, by dimensions.
const SHAPES: [&[[i64; 3]]; 3] = [
    &[[256, 3, 256], [512, 15, 512]],
    &[[32, 3, 512], [32, 5, 512], [64, 3, 1024]],
    &[[8, 3, 512]],
];
/// Bytes of shared memory of a block, at most.
const MOST_BYTES: i64 = 48 << 10;

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(of) = stencil(listing, statement) else { continue };
            let fits = |of: &Stencil<'_>, side, steps| {
                of.bytes(side, steps).is_some_and(|it| it <= MOST_BYTES)
            };
            for &[side, steps, threads] in SHAPES[of.dimensions() - 1] {
                if !fits(&of, side, steps) {
                    continue;
                }
                let path = [&path[..], &[at]].concat();
                let names = NAMES.map(|it| new_name(listing, &[it]));
                let proof = TimeTiles { path, side, steps, threads, names };
                found.extend(time_tiles(listing, &proof).map(|new| Proposal {
                    what: format!(
                        "make {steps} steps at once in tiles of {side} on DMMs, which overlap by what \
                         they need of each other"
                    ),
                    why: "a tile computes again what it needs of its neighbours, from the same values",
                    line: line(text, statement.span),
                    path: vec![(new, Proof::TimeTiles(proof))],
                }));
            }
        }
    }
    found
}
