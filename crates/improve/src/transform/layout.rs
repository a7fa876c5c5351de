//! An array that is neither given nor a result lies in another order: two of its indices change places.

use std::collections::BTreeMap;

use memory_machine_core::language::syntax::{
    ExprNode, ExprNodeKind, Listing, Role, StatementKind, StatementNode,
};

use super::proposal::Proposal;
use super::tree::{each_expr, line};
use crate::check::{Proof, Schedule};

/// Permutes the indices that are written to.
fn targets(block: &mut [StatementNode], array: &str, (one, other): (usize, usize)) {
    for statement in block {
        match &mut statement.kind {
            StatementKind::Assign { target, indices, .. } if target.text == array => {
                indices.swap(one, other);
            }
            StatementKind::Several { targets, .. } | StatementKind::Return { targets, .. } => {
                let own = targets.iter_mut().filter(|it| it.name.text == array);
                own.for_each(|it| it.indices.swap(one, other));
            }
            StatementKind::Swap(both) => {
                let own = both.iter_mut().filter(|it| it.name.text == array);
                own.for_each(|it| it.indices.swap(one, other));
            }
            StatementKind::For(it) => targets(&mut it.body, array, (one, other)),
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => targets(body, array, (one, other)),
            StatementKind::If { then, otherwise, .. } => {
                targets(then, array, (one, other));
                targets(otherwise, array, (one, other));
            }
            _ => {}
        }
    }
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    if !listing.procedures.is_empty() {
        return found;
    }
    for (at, array) in listing.arrays.iter().enumerate() {
        let rank = array.extents.len();
        if array.role != Role::Work || rank < 2 {
            continue;
        }
        for other in 0..rank - 1 {
            let pair = (other, rank - 1);
            let mut new = listing.clone();
            new.arrays[at].extents.swap(pair.0, pair.1);
            let name = &array.name.text;
            let mut swap = |it: &mut ExprNode| {
                if let ExprNodeKind::Element { array, indices } = &mut it.kind
                    && array == name
                {
                    indices.swap(pair.0, pair.1);
                }
            };
            each_expr(&mut new.body, &mut swap);
            targets(&mut new.body, name, pair);
            let mut order: Vec<usize> = (0..rank).collect();
            order.swap(pair.0, pair.1);
            let arrays = BTreeMap::from([(name.clone(), order)]);
            found.push(Proposal {
                what: format!("swap indices {} and {rank} of `{name}`", other + 1),
                why: "each cell has another place, and nobody outside knows the array",
                line: line(text, array.name.span),
                path: vec![(new, Proof::Schedule(Schedule { arrays, ..Schedule::default() }))],
            });
        }
    }
    found
}
