//! One nest of loops around several statements becomes two nests, one after the other.

use memory_machine_core::language::syntax::{ForNode, Listing, StatementNode};

use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, loop_over, replace};
use crate::check::{Proof, Schedule};

/// The loops directly inside each other, around these statements.
fn around(outer: &ForNode, body: Vec<StatementNode>) -> ForNode {
    let mut new = outer.clone();
    new.body = match &outer.body[..] {
        [only] if as_for(only).is_some() => {
            as_for(only).map(|it| loop_over(around(it, body))).into_iter().collect()
        }
        _ => body,
    };
    new
}

/// What stands in the innermost of loops directly inside each other.
fn innermost(it: &ForNode) -> &ForNode {
    match &it.body[..] {
        [only] => as_for(only).map_or(it, innermost),
        _ => it,
    }
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(outer) = as_for(statement) else { continue };
            let body = &innermost(outer).body;
            for split in 1..body.len() {
                let (first, second) = body.split_at(split);
                let nests = [first, second].map(|it| loop_over(around(outer, it.to_vec())));
                let Some(listing) = replace(listing, (&path, at, 1), nests.to_vec()) else { break };
                found.push(Proposal {
                    what: format!(
                        "distribute the loop over `{}`: {split} of its {} statements first",
                        outer.variable.text,
                        body.len()
                    ),
                    why: "no earlier statement needs what a later one of another iteration does",
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
