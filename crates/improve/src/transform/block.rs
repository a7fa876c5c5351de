//! An iteration of a parallel loop gets a block of threads in the place of one: the loops in it run in
//! parallel, and those that sum become trees in shared memory.

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::{Listing, Order};

use super::form::number;
use super::proposal::{Proposal, why_of_shared_sum};
use super::tree::{Path, as_for, block_at, blocks, line, loop_over, new_name, replace};
use crate::check::reduction::{NAMES, element, scalar, tree};
use crate::check::{Proof, Reduction, Schedule};

/// Threads of a block.
const THREADS: [i64; 3] = [32, 128, 256];

/// The loop at a place on DMMs, and then each loop directly inside it, the last of them first.
fn way(
    listing: &Listing,
    (path, at, depth): (&Path, usize, usize),
    threads: i64,
) -> Option<Vec<(Listing, Proof)>> {
    let mut outer = as_for(block_at(listing, path)?.get(at)?)?.clone();
    let inner: Vec<usize> =
        (0..outer.body.len()).filter(|it| as_for(&outer.body[*it]).is_some()).collect();
    if inner.is_empty() || !outer.arrays.is_empty() {
        return None;
    }
    outer.order = Order::OnDmms { threads: Some(Box::new(number(threads))) };
    let own: Path = [&path[..], &[at]].concat();
    let mut way = vec![];
    let on_dmms = replace(listing, (path, at, 1), vec![loop_over(outer)])?;
    way.push((on_dmms, Proof::Schedule(Schedule { depth, ..Schedule::default() })));
    for place in inner.into_iter().rev() {
        let last = &way.last()?.0;
        let statement = block_at(last, &own)?.get(place)?;
        let mut it = as_for(statement)?.clone();
        if it.order != Order::InTurn || it.step.is_some() || it.downward {
            return None;
        }
        let step = if let Some(name) = scalar(statement) {
            let text = last.to_string();
            let source = Source { name: "listing".to_owned(), text };
            let element = element(&language::load(source).ok()?, name)?;
            let proof = Reduction {
                path: [&own[..], &[place]].concat(),
                lanes: threads,
                blocks: 0,
                rest: 0,
                reassociates: element.is_float(),
                names: NAMES.map(|it| new_name(last, &[it])),
            };
            (tree(last, &proof, element)?, Proof::Reduction(proof))
        } else {
            it.order = Order::InParallel;
            let new = replace(last, (&own, place, 1), vec![loop_over(it)])?;
            (new, Proof::Schedule(Schedule { depth: depth + 1, ..Schedule::default() }))
        };
        way.push(step);
    }
    Some(way)
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(it) = as_for(statement).filter(|it| it.order == Order::InParallel) else {
                continue;
            };
            for threads in THREADS {
                let Some(path) = way(listing, (&path, at, depth), threads) else { continue };
                let why = why_of_shared_sum(path.iter().any(|it| it.1.reassociates()));
                found.push(Proposal {
                    what: format!("a block of {threads} threads for each `{}`", it.variable.text),
                    why,
                    line: line(text, statement.span),
                    path,
                });
            }
        }
    }
    found
}
