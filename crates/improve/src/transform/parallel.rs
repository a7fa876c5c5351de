//! A sequential loop whose iterations do not need each other becomes a parallel one; loops directly
//! inside it, too, if they can.

use memory_machine_core::language::syntax::{ForNode, Listing, Order};

use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, loop_over, replace};
use crate::check::{Proof, Schedule};

/// The loop and `more` of those directly inside it.
fn parallel(it: &ForNode, more: usize) -> Option<ForNode> {
    let mut it = it.clone();
    it.order = Order::InParallel;
    if more > 0 {
        let [inner] = &it.body[..] else { return None };
        it.body = vec![loop_over(parallel(as_for(inner)?, more - 1)?)];
    }
    Some(it)
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(it) = as_for(statement) else { continue };
            if it.order != Order::InTurn || it.downward && it.step.is_some() {
                continue;
            }
            for more in 0..3 {
                let Some(new) = parallel(it, more) else { break };
                let Some(listing) = replace(listing, (&path, at, 1), vec![loop_over(new)]) else {
                    break;
                };
                let also = match more {
                    0 => String::new(),
                    1 => " and the one in it".to_owned(),
                    _ => format!(" and {more} in it"),
                };
                found.push(Proposal {
                    what: format!("run the loop over `{}`{also} in parallel", it.variable.text),
                    why: "no iteration needs what another writes",
                    line: line(text, statement.span),
                    path: vec![(
                        listing,
                        Proof::Schedule(Schedule { depth, ..Schedule::default() }),
                    )],
                });
            }
        }
    }
    found
}
