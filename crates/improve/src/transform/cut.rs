//! Loops that are cut into tiles, and the statements that tiles are made of.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Order, Role,
    StatementKind, StatementNode, Type,
};

use super::form::{Form, binary, node, number};
use super::tree::{each_expr, named, new_name};
use crate::check::Schedule;

/// A loop that is cut: `old = from + side · tile + lanes · element + at`. A tile has `side` places: of
/// each of `lanes` threads as many as `own` says.
pub(super) struct Cut {
    pub(super) old: String,
    pub(super) from: Form,
    pub(super) to: Form,
    pub(super) side: i64,
    pub(super) tile: String,
    pub(super) at: String,
    /// How many elements a thread has, and the loop over them; none if it has one.
    pub(super) own: Option<(i64, String)>,
}

impl Cut {
    pub(super) fn lanes(&self) -> i64 {
        self.side / self.own.as_ref().map_or(1, |it| it.0)
    }

    /// The place in its tile.
    pub(super) fn place(&self) -> Form {
        let at = Form::name(&self.at);
        match &self.own {
            Some((_, element)) => at.plus(&Form::name(element), self.lanes()),
            None => at,
        }
    }

    pub(super) fn value(&self) -> Form {
        self.from.plus(&Form::name(&self.tile), self.side).plus(&self.place(), 1)
    }

    /// The last tile: `(to − from) / side`.
    pub(super) fn last_tile(&self) -> ExprNode {
        binary(BinaryOp::Divide, self.to.plus(&self.from, -1).expr(), number(self.side))
    }

    /// The last place of a tile: `min(side, to − from + 1 − side · tile) − 1`.
    pub(super) fn last_place(&self) -> ExprNode {
        let left = self.to.plus(&self.from, -1).plus(&Form::number(1), 1);
        let left = left.plus(&Form::name(&self.tile), -self.side).expr();
        let least = binary(BinaryOp::Min, number(self.side), left);
        binary(BinaryOp::Subtract, least, number(1))
    }

    /// Whether a place is in the range.
    pub(super) fn guard(&self, place: &Form) -> ExprNode {
        let value = self.from.plus(&Form::name(&self.tile), self.side).plus(place, 1);
        binary(BinaryOp::Less, value.expr(), self.to.plus(&Form::number(1), 1).expr())
    }

    /// What a certificate says of the loops that it becomes.
    pub(super) fn prove(&self, proof: &mut Schedule) {
        proof.old.insert(self.old.clone(), self.value().linear(1));
        let old = Form::name(&self.old).plus(&self.from, -1);
        proof.new.insert(self.tile.clone(), old.linear(self.side));
        let mut at = old.plus(&Form::name(&format!("'{}", self.tile)), -self.side);
        if let Some((_, element)) = &self.own {
            proof.new.insert(element.clone(), at.linear(self.lanes()));
            at = at.plus(&Form::name(&format!("'{element}")), -self.lanes());
        }
        proof.new.insert(self.at.clone(), at.linear(1));
    }
}

/// How a loop is cut.
pub(super) struct Size<'a> {
    /// Threads.
    pub(super) lanes: i64,
    /// Elements of each.
    pub(super) own: i64,
    /// Names for the loops over threads and elements.
    pub(super) names: [&'a str; 2],
}

/// A loop from one sum to another.
pub(super) fn cut(
    listing: &Listing,
    it: &ForNode,
    names: &BTreeSet<String>,
    size: &Size<'_>,
) -> Option<Cut> {
    if it.step.is_some() || it.downward || !it.arrays.is_empty() {
        return None;
    }
    let old = it.variable.text.clone();
    let tile = new_name(listing, &[&old.to_uppercase(), &format!("{old}_tile")]);
    let at = new_name(listing, &size.names[..1]);
    let own = (size.own > 1).then(|| (size.own, new_name(listing, &size.names[1..])));
    let (from, to) = (Form::of(&it.from, names)?, Form::of(&it.to, names)?);
    Some(Cut { old, from, to, side: size.lanes * size.own, tile, at, own })
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
    ArrayDeclaration { role, name: named(name), extents, fields: vec![], element, layout: None }
}

pub(super) fn element_of(array: &str, indices: Vec<ExprNode>) -> ExprNode {
    node(ExprNodeKind::Element { array: array.to_owned(), indices })
}

/// Puts a register of each element in the place of a scalar.
pub(super) fn hold(block: &mut [StatementNode], scalar: &str, indices: &[ExprNode]) {
    fn targets(block: &mut [StatementNode], scalar: &str, with: &[ExprNode]) {
        for it in block {
            match &mut it.kind {
                StatementKind::Assign { target, indices, .. }
                    if target.text == scalar && indices.is_empty() =>
                {
                    *indices = with.to_vec();
                }
                StatementKind::For(it) => targets(&mut it.body, scalar, with),
                StatementKind::If { then, otherwise, .. } => {
                    targets(then, scalar, with);
                    targets(otherwise, scalar, with);
                }
                _ => {}
            }
        }
    }
    targets(block, scalar, indices);
    each_expr(block, &mut |it| {
        if matches!(&it.kind, ExprNodeKind::Name(name) if name == scalar) {
            *it = element_of(scalar, indices.to_vec());
        }
    });
}
