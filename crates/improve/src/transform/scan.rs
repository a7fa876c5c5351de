//! A loop that stores every partial sum becomes a scan by blocks: see [`crate::check`] for when.

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::Listing;

use super::proposal::Proposal;
use super::tree::{blocks, line, loops_in_turn, new_name};
use crate::check::reduction::element;
use crate::check::scan::{NAMES, scalar, scan};
use crate::check::{Proof, Scan};

/// Threads of a block, and numbers of each.
const SHAPES: [(i64, i64); 2] = [(256, 16), (128, 8)];

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let source = Source { name: "listing".to_owned(), text: text.to_owned() };
    let Ok(program) = language::load(source) else { return vec![] };
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        // A tree in a loop in a loop would run all too often.
        if loops_in_turn(listing, &path) > 1 {
            continue;
        }
        for (at, statement) in block.iter().enumerate() {
            let Some(name) = scalar(listing, statement) else { continue };
            let Some(element) = element(&program, name) else { continue };
            for (lanes, each) in SHAPES {
                let proof = Scan {
                    path: [&path[..], &[at]].concat(),
                    lanes,
                    each,
                    reassociates: element.is_float(),
                    names: NAMES.map(|it| new_name(listing, &[it])),
                };
                let Some(new) = scan(listing, &proof, element) else { continue };
                let why = match element.is_float() {
                    false => "the operation is associative and commutative",
                    true => {
                        "reassociation is allowed: each sum of k numbers differs by γₖ Σ|aᵢ| at most, \
                         γₖ = k·u / (1 − k·u)"
                    }
                };
                let size = lanes * each;
                found.push(Proposal {
                    what: format!(
                        "scan into `{name}` by blocks of {size}: sums, sums of these, all"
                    ),
                    why,
                    line: line(text, statement.span),
                    path: vec![(new, Proof::Scan(proof))],
                });
            }
        }
    }
    found
}
