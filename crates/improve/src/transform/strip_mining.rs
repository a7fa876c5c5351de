//! A loop is cut into strips: a loop over these, and one in each. With an interchange it decides which
//! iteration comes when, or of a parallel loop which one a thread gets.

use memory_machine_core::language::syntax::{ForNode, Listing, Order, StatementKind};

use super::cut::{Size, cut, from_zero};
use super::form::{Form, number};
use super::proposal::Proposal;
use super::tree::{
    as_for, block_at, blocks, line, loop_over, numbers, replace, statement, substitute,
};
use crate::check::{Proof, Schedule};

/// Iterations of a strip.
const SIDES: [i64; 2] = [32, 8];

/// The loop by strips of so many iterations, and what shows that each comes once.
fn strips(listing: &Listing, it: &ForNode, side: i64, depth: usize) -> Option<(ForNode, Schedule)> {
    let mut names = numbers(listing);
    let strips = cut(listing, it, &names, &Size { lanes: side, own: 1, names: ["u", "u"] })?;
    let mut body = it.body.clone();
    names.extend([strips.tile.clone(), strips.at.clone()]);
    substitute(&mut body, &strips.old, &strips.value(), &names);
    let last = match it.order {
        Order::InTurn => strips.last_place(),
        // The length of no loop of a parallel nest depends on another.
        _ => {
            let condition = strips.guard(&Form::name(&strips.at));
            body = vec![statement(StatementKind::If { condition, then: body, otherwise: vec![] })];
            number(side - 1)
        }
    };
    let inner = loop_over(from_zero(&strips.at, last, it.order.clone(), body));
    let new = from_zero(&strips.tile, strips.last_tile(), it.order.clone(), vec![inner]);
    let mut proof = Schedule { depth, ..Schedule::default() };
    strips.prove(&mut proof);
    Some((new, proof))
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        let around = path.split_last().and_then(|it| block_at(listing, it.1)?.get(*it.0));
        for (at, own) in block.iter().enumerate() {
            let Some(it) = as_for(own) else { continue };
            let of_nest = [around, it.body.first()].into_iter().flatten().filter_map(as_for);
            let is_of_nest = of_nest.into_iter().any(|other| other.order == Order::InParallel);
            let fits = match it.order {
                Order::InTurn => true,
                Order::InParallel => !is_of_nest,
                Order::OnDmms { .. } => false,
            };
            for side in SIDES.into_iter().filter(|_| fits) {
                let way = strips(listing, it, side, depth).and_then(|(new, proof)| {
                    let new = replace(listing, (&path, at, 1), vec![loop_over(new)])?;
                    Some((new, Proof::Schedule(proof)))
                });
                found.extend(way.map(|step| Proposal {
                    what: format!("cut the loop over `{}` into strips of {side}", it.variable.text),
                    why: "each iteration comes once, in the same order",
                    line: line(text, own.span),
                    path: vec![step],
                }));
            }
        }
    }
    found
}
