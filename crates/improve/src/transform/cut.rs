//! Loops that are cut into tiles, and the statements that tiles are made of.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Order, Role,
    StatementKind, StatementNode, Type,
};

use super::form::{Form, binary, node, number};
use super::tree::{each_expr, named, new_name};

/// A loop that is cut: `old = from + side · tile + at`, from 0 to `last` before `from` is added.
pub(super) struct Cut {
    pub(super) old: String,
    pub(super) from: Form,
    pub(super) to: Form,
    pub(super) tile: String,
    pub(super) at: String,
}

impl Cut {
    pub(super) fn value(&self, side: i64) -> Form {
        self.from.plus(&Form::name(&self.tile), side).plus(&Form::name(&self.at), 1)
    }

    /// The last tile: `(to − from) / side`.
    pub(super) fn last_tile(&self, side: i64) -> ExprNode {
        binary(BinaryOp::Divide, self.to.plus(&self.from, -1).expr(), number(side))
    }

    /// The last place of a tile: `min(side, to − from + 1 − side · tile) − 1`.
    pub(super) fn last_place(&self, side: i64) -> ExprNode {
        let left = self.to.plus(&self.from, -1).plus(&Form::number(1), 1);
        let left = left.plus(&Form::name(&self.tile), -side).expr();
        let least = binary(BinaryOp::Min, number(side), left);
        binary(BinaryOp::Subtract, least, number(1))
    }

    /// Whether a place is in the range.
    pub(super) fn guard(&self, side: i64) -> ExprNode {
        let end = self.to.plus(&Form::number(1), 1);
        binary(BinaryOp::Less, self.value(side).expr(), end.expr())
    }
}

/// A loop from one sum to another.
pub(super) fn cut(
    listing: &Listing,
    it: &ForNode,
    names: &BTreeSet<String>,
    at: &[&str],
) -> Option<Cut> {
    if it.step.is_some() || it.downward || !it.arrays.is_empty() {
        return None;
    }
    let old = it.variable.text.clone();
    let tile = new_name(listing, &[&old.to_uppercase(), &format!("{old}_tile")]);
    let at = new_name(listing, at);
    let (from, to) = (Form::of(&it.from, names)?, Form::of(&it.to, names)?);
    Some(Cut { old, from, to, tile, at })
}

/// The scalars that statements assign, and whether each is in several of the parts.
pub(super) fn crossing(parts: &[&[StatementNode]]) -> BTreeSet<String> {
    let mut found: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        let mut block = part.to_vec();
        each_expr(&mut block, &mut |it| {
            if let ExprNodeKind::Name(name) = &it.kind {
                found.entry(name.clone()).or_default().insert(at);
            }
        });
        for name in assigned(part) {
            found.entry(name).or_default().insert(at);
        }
    }
    let all: BTreeSet<String> = parts.iter().flat_map(|it| assigned(it)).collect();
    found.into_iter().filter(|it| it.1.len() > 1 && all.contains(&it.0)).map(|it| it.0).collect()
}

fn assigned(block: &[StatementNode]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for it in block {
        match &it.kind {
            StatementKind::Assign { target, indices, .. } if indices.is_empty() => {
                found.insert(target.text.clone());
            }
            StatementKind::For(it) => found.extend(assigned(&it.body)),
            StatementKind::If { then, otherwise, .. } => {
                found.extend(assigned(then));
                found.extend(assigned(otherwise));
            }
            _ => {}
        }
    }
    found
}

pub(super) fn from_zero(
    variable: &str,
    to: ExprNode,
    order: Order,
    body: Vec<StatementNode>,
) -> ForNode {
    let (variable, from) = (named(variable), number(0));
    ForNode { variable, from, to, downward: false, step: None, order, arrays: vec![], body }
}

pub(super) fn declared(
    role: Role,
    name: &str,
    extents: Vec<ExprNode>,
    element: Type,
) -> ArrayDeclaration {
    let extents = extents.into_iter().map(|size| Extent { first: None, size }).collect();
    ArrayDeclaration { role, name: named(name), extents, element, layout: None }
}

pub(super) fn element_of(array: &str, indices: Vec<ExprNode>) -> ExprNode {
    node(ExprNodeKind::Element { array: array.to_owned(), indices })
}
