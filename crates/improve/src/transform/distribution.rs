//! One nest of loops around several statements becomes two nests, one after the other. Where that lets an
//! outer loop run in parallel, both are one step: alone, the first would gain nothing.

use memory_machine_core::language::syntax::{ForNode, Listing, Order, StatementNode};

use super::proposal::Proposal;
use super::tree::{as_for, blocks, line, loop_over, replace};
use crate::check::{Proof, Schedule};

/// A loop that is entered to divide what stands in it.
fn entered(it: &StatementNode) -> Option<&ForNode> {
    as_for(it).filter(|it| matches!(it.order, Order::InTurn | Order::InParallel))
}

/// How many statements stand in a loop, those in loops inside it counted one by one.
fn count(it: &ForNode) -> usize {
    it.body.iter().map(|it| entered(it).map_or(1, count)).sum()
}

/// The loop around the statements from one to before another; nothing if there are none.
fn part(it: &ForNode, from: usize, to: usize) -> Option<ForNode> {
    let (mut at, mut body) = (0, vec![]);
    for own in &it.body {
        let size = entered(own).map_or(1, count);
        let within = |place: usize| place.saturating_sub(at).min(size);
        let (first, last) = (within(from), within(to));
        match entered(own) {
            _ if first == last => {}
            Some(inner) => body.extend(part(inner, first, last).map(loop_over)),
            None => body.push(own.clone()),
        }
        at += size;
    }
    (!body.is_empty()).then(|| ForNode { body, ..it.clone() })
}

/// Which of both nests run in parallel: neither, the first, the second, both.
const PARALLEL: [([bool; 2], &str); 4] = [
    ([false, false], ""),
    ([true, false], ", which run in parallel"),
    ([false, true], ", the others in parallel"),
    ([true, true], ", both parts in parallel"),
];

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(outer) = entered(statement) else { continue };
            let all = count(outer);
            for split in 1..all {
                let (Some(first), Some(second)) = (part(outer, 0, split), part(outer, split, all))
                else {
                    continue;
                };
                let nests = [first, second];
                let proof = || Proof::Schedule(Schedule { depth, ..Schedule::default() });
                let with = |nests: &[ForNode; 2]| {
                    let both = nests.clone().map(loop_over).to_vec();
                    Some((replace(listing, (&path, at, 1), both)?, proof()))
                };
                for (parallel, how) in PARALLEL {
                    let may = outer.order == Order::InTurn && outer.step.is_none();
                    if parallel.contains(&true) && !may {
                        continue;
                    }
                    let mut nests = nests.clone();
                    let mut path = vec![with(&nests)];
                    for (own, _) in nests.clone().iter().enumerate().filter(|it| parallel[it.0]) {
                        nests[own].order = Order::InParallel;
                        path.push(with(&nests));
                    }
                    let Some(path) = path.into_iter().collect() else { continue };
                    found.push(Proposal {
                        what: format!(
                            "distribute the loop over `{}`: {split} of its {all} statements first{how}",
                            outer.variable.text,
                        ),
                        why: "no earlier statement needs what a later one of another iteration does",
                        line: line(text, statement.span),
                        path,
                    });
                }
            }
        }
    }
    found
}
