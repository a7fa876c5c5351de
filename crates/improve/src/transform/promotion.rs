//! A cell that a loop reads and writes in each iteration is held in a scalar, which costs no access.

use memory_machine_core::language::syntax::{
    ExprNode, ExprNodeKind, Listing, Order, StatementKind, StatementNode,
};

use super::form::{name, node};
use super::proposal::Proposal;
use super::tree::{as_for, blocks, each_expr, line, named, new_name, replace, statement};
use crate::check::{Promotion, Proof};

/// Puts a scalar in the place of what is written.
fn written(block: &mut [StatementNode], array: &str, scalar: &str) {
    for it in block {
        match &mut it.kind {
            StatementKind::Assign { target, indices, .. } if target.text == array => {
                target.text = scalar.to_owned();
                indices.clear();
            }
            StatementKind::For(it) => written(&mut it.body, array, scalar),
            StatementKind::If { then, otherwise, .. } => {
                written(then, array, scalar);
                written(otherwise, array, scalar);
            }
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => {
                written(body, array, scalar);
            }
            _ => {}
        }
    }
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, own) in block.iter().enumerate() {
            let Some(it) = as_for(own).filter(|it| it.order == Order::InTurn) else { continue };
            let Some(StatementKind::Assign { target, indices, .. }) =
                it.body.first().map(|it| &it.kind)
            else {
                continue;
            };
            if indices.is_empty() {
                continue;
            }
            let array = &target.text;
            let scalar = new_name(listing, &["r", "held"]);
            let cell =
                node(ExprNodeKind::Element { array: array.clone(), indices: indices.clone() });
            let mut body = vec![own.clone()];
            each_expr(&mut body, &mut |expr: &mut ExprNode| {
                if matches!(&expr.kind, ExprNodeKind::Element { array: of, .. } if of == array) {
                    *expr = name(&scalar);
                }
            });
            written(&mut body, array, &scalar);
            let assign = |target: &str, indices, value| {
                let target = named(target);
                statement(StatementKind::Assign { target, declared: None, indices, value })
            };
            let first = assign(&scalar, vec![], cell);
            let last = assign(array, indices.clone(), name(&scalar));
            let all = [vec![first], body, vec![last]].concat();
            let Some(new) = replace(listing, (&path, at, 1), all) else { continue };
            let proof = Proof::Promotion(Promotion { depth, array: array.clone() });
            found.push(Proposal {
                what: format!(
                    "hold a cell of `{array}` in a scalar while `{}` runs",
                    it.variable.text
                ),
                why: "the loop touches no other cell of the array, and runs at least once",
                line: line(text, own.span),
                path: vec![(new, proof)],
            });
        }
    }
    found
}
