//! A block has a strip of a parallel loop's iterations, and several threads for each, which share its
//! sum: neighbours access neighbours, and all threads have something to do.

use std::collections::BTreeSet;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::{ForNode, Listing, Order};

use super::cut::{Size, cut, from_zero};
use super::form::number;
use super::proposal::{Proposal, why_of_shared_sum};
use super::tree::{Path, as_for, blocks, line, loop_over, new_name, numbers, replace, substitute};
use crate::check::reduction::element;
use crate::check::team::{NAMES, scalar, team};
use crate::check::{Proof, Schedule, Team};

/// Iterations of a block, and threads of each.
const SHAPES: [(i64, i64); 5] = [(32, 32), (64, 16), (32, 16), (32, 8), (128, 8)];

/// The loop by strips: `for J … on DMMs`, and in it `for v ← 0 to …` in parallel.
fn strips(
    listing: &Listing,
    (path, at, depth): (&Path, usize, usize),
    own: &ForNode,
    (columns, lanes): (i64, i64),
    names: &BTreeSet<String>,
) -> Option<(Listing, Proof)> {
    let cut = cut(listing, own, names, &Size { lanes: columns, own: 1, names: ["v", "u"] })?;
    let mut names = names.clone();
    names.extend([cut.tile.clone(), cut.at.clone()]);
    let mut body = own.body.clone();
    substitute(&mut body, &cut.old, &cut.value(), &names);
    let inner = from_zero(&cut.at, cut.last_place(), Order::InParallel, body);
    let order = Order::OnDmms { threads: Some(Box::new(number(columns * lanes))) };
    let outer = from_zero(&cut.tile, cut.last_tile(), order, vec![loop_over(inner)]);
    let mut proof = Schedule { depth, ..Schedule::default() };
    cut.prove(&mut proof);
    let listing = replace(listing, (path, at, 1), vec![loop_over(outer)])?;
    Some((listing, Proof::Schedule(proof)))
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let source = Source { name: "listing".to_owned(), text: text.to_owned() };
    let Ok(program) = language::load(source) else { return vec![] };
    let names = numbers(listing);
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(own) = as_for(statement) else { continue };
            let Some(name) = scalar(statement) else { continue };
            let Some(element) = element(&program, name) else { continue };
            for (columns, lanes) in SHAPES {
                let way = (|| {
                    let strips =
                        strips(listing, (&path, at, depth), own, (columns, lanes), &names)?;
                    let proof = Team {
                        path: [&path[..], &[at, 0]].concat(),
                        lanes,
                        columns,
                        reassociates: element.is_float(),
                        names: NAMES.map(|it| new_name(&strips.0, &[it])),
                    };
                    let new = team(&strips.0, &proof, element)?;
                    Some(vec![strips, (new, Proof::Team(proof))])
                })();
                found.extend(way.map(|path| Proposal {
                    what: format!(
                        "a block for {columns} of `{}`, {lanes} threads for each",
                        own.variable.text
                    ),
                    why: why_of_shared_sum(element.is_float()),
                    line: line(text, statement.span),
                    path,
                }));
            }
        }
    }
    found
}
