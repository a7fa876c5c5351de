//! A sequential loop in the other direction.

use memory_machine_core::language::syntax::{Listing, Order};

use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, loop_over, replace};
use crate::check::{Proof, Schedule};

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(it) = as_for(statement) else { continue };
            if it.order != Order::InTurn || it.step.is_some() {
                continue;
            }
            let mut new = it.clone();
            new.downward = !it.downward;
            std::mem::swap(&mut new.from, &mut new.to);
            let Some(listing) = replace(listing, (&path, at, 1), vec![loop_over(new)]) else {
                continue;
            };
            found.push(Proposal {
                what: format!("reverse the loop over `{}`", it.variable.text),
                why: "no iteration needs another",
                line: line(text, statement.span),
                path: vec![(listing, Proof::Schedule(Schedule { depth, ..Schedule::default() }))],
            });
        }
    }
    found
}
