//! Iterations of a loop are written out, one after another.

use memory_machine_core::language::syntax::{Listing, Order};

use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, new_name};
use crate::check::unrolling::unrolled;
use crate::check::{Proof, Unrolling};

/// Iterations that are written out.
const COUNTS: [i64; 3] = [4, 8, 2];

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, _, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(it) = as_for(statement).filter(|it| it.order == Order::InTurn) else {
                continue;
            };
            for by in COUNTS {
                let path = [&path[..], &[at]].concat();
                let name = new_name(listing, &[&it.variable.text.to_uppercase(), "round"]);
                let proof = Unrolling { path, by, name };
                found.extend(unrolled(listing, &proof).map(|new| Proposal {
                    what: format!(
                        "write out {by} iterations of the loop over `{}`",
                        it.variable.text
                    ),
                    why: "the same statements in the same order",
                    line: line(text, statement.span),
                    path: vec![(new, Proof::Unrolling(proof))],
                }));
            }
        }
    }
    found
}
