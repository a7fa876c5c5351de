//! A parallel nest that can be cut into tiles: its loops, what is in them, and what an iteration keeps.

use std::collections::BTreeSet;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, Order, StatementKind, StatementNode, Type,
};

use super::cut::{Cut, Size, crossing, cut, hold};
use super::form::{Form, binary, node};
use super::tree::{as_for, numbers, substitute};

/// How a tile is made: threads along each side, elements of each thread along both, and how far the
/// loop inside goes with it.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) lanes: i64,
    pub(super) own: [i64; 2],
    pub(super) depth: i64,
}

/// A nest that can be cut into tiles.
pub(super) struct Nest<'a> {
    pub(super) listing: &'a Listing,
    pub(super) names: BTreeSet<String>,
    pub(super) cuts: Vec<Cut>,
    /// The sequential loop among the statements, and its place there.
    pub(super) inner: Option<(usize, Cut)>,
    pub(super) body: &'a [StatementNode],
    pub(super) depth: usize,
    pub(super) place: (Vec<usize>, usize),
    /// What several parts of the body need of an iteration, with its type.
    pub(super) registers: Vec<(String, Type)>,
}

impl<'a> Nest<'a> {
    pub(super) fn new(
        listing: &'a Listing,
        text: &str,
        place: (Vec<usize>, usize),
        depth: usize,
        (outer, shape): (&'a ForNode, Shape),
    ) -> Option<Self> {
        let names = numbers(listing);
        let Shape { lanes, own: [high, wide], depth: deep } = shape;
        let size = |own, names| Size { lanes, own, names };
        let mut cuts = vec![cut(listing, outer, &names, &size(high, ["u", "e"]))?];
        let mut innermost = outer;
        if let [only] = &outer.body[..]
            && let Some(it) = as_for(only)
            && it.order == Order::InParallel
        {
            innermost = it;
            cuts.push(cut(listing, innermost, &names, &size(wide, ["v", "f"]))?);
        }
        let body = &innermost.body[..];
        let loops = body.iter().enumerate().filter_map(|(at, it)| Some((at, as_for(it)?)));
        let loops: Vec<(usize, &ForNode)> = loops.collect();
        if loops.iter().any(|it| it.1.order != Order::InTurn) {
            return None;
        }
        let deep = Size { lanes: deep, own: 1, names: ["l", "m"] };
        let inner = match loops[..] {
            [(at, it)] => cut(listing, it, &names, &deep).map(|it| (at, it)),
            _ => None,
        };
        let of_nest: Vec<&String> = cuts.iter().map(|it| &it.old).collect();
        let inner = inner.filter(|(_, it)| {
            !it.from.terms.keys().chain(it.to.terms.keys()).any(|it| of_nest.contains(&it))
        });
        let is_rectangular = cuts.iter().all(|cut| {
            !cut.from.terms.keys().chain(cut.to.terms.keys()).any(|it| of_nest.contains(&it))
        });
        let mut registers = vec![];
        if let Some((at, _)) = inner {
            let source = Source { name: "listing".to_owned(), text: text.to_owned() };
            let program = language::load(source).ok()?;
            for name in crossing(&[&body[..at], &body[at..=at], &body[at + 1..]]) {
                let scalar = program.scalars.iter().find(|it| it.name == name)?;
                registers.push((name, scalar.element));
            }
        }
        let nest = Self { listing, names, cuts, inner, body, depth, place, registers };
        // Several elements a thread are worth it where a loop inside uses them again and again.
        let is_useful = !nest.has_elements() || nest.inner.is_some() && nest.cuts.len() == 2;
        (is_rectangular && is_useful).then_some(nest)
    }

    pub(super) fn has_elements(&self) -> bool {
        self.cuts.iter().any(|it| it.own.is_some())
    }

    pub(super) fn all_cuts(&self) -> impl Iterator<Item = &Cut> {
        self.cuts.iter().chain(self.inner.iter().map(|it| &it.1))
    }

    /// The variables of a nest that is cut, old and new.
    pub(super) fn all_names(&self) -> BTreeSet<String> {
        let mut names = self.names.clone();
        for cut in self.all_cuts() {
            names.extend([cut.tile.clone(), cut.at.clone()]);
            names.extend(cut.own.iter().map(|it| it.1.clone()));
        }
        names
    }

    /// Statements in terms of tiles and places.
    pub(super) fn cut(&self, block: &[StatementNode]) -> Vec<StatementNode> {
        let mut block = block.to_vec();
        let names = self.all_names();
        for cut in self.all_cuts() {
            substitute(&mut block, &cut.old, &cut.value(), &names);
        }
        let elements = self.cuts.iter().filter_map(|it| it.own.as_ref());
        let indices: Vec<ExprNode> = elements.map(|it| Form::name(&it.1).expr()).collect();
        for (name, _) in self.registers.iter().filter(|_| !indices.is_empty()) {
            hold(&mut block, name, &indices);
        }
        block
    }

    /// Whether a place of the nest is in its range.
    pub(super) fn guard(&self) -> ExprNode {
        let guards = self.cuts.iter().map(|it| it.guard(&it.place()));
        let guard = guards.reduce(|all, it| binary(BinaryOp::And, all, it));
        guard.unwrap_or_else(|| node(ExprNodeKind::Boolean(true)))
    }
}

/// The innermost block of the loop on DMMs at a place, with the loop.
pub(super) fn of_blocks<'l>(listing: &'l mut Listing, nest: &Nest<'_>) -> Option<&'l mut ForNode> {
    let (path, at) = &nest.place;
    let mut block = &mut listing.body;
    for step in path {
        block = inner_block(block.get_mut(*step)?)?;
    }
    let mut own = block.get_mut(*at)?;
    for _ in 1..nest.cuts.len() {
        own = inner_block(own)?.get_mut(0)?;
    }
    match &mut own.kind {
        StatementKind::For(it) => Some(it),
        _ => None,
    }
}

pub(super) fn inner_block(statement: &mut StatementNode) -> Option<&mut Vec<StatementNode>> {
    match &mut statement.kind {
        StatementKind::For(it) => Some(&mut it.body),
        StatementKind::While { body, .. } | StatementKind::Label { body, .. } => Some(body),
        StatementKind::If { then, .. } => Some(then),
        _ => None,
    }
}
