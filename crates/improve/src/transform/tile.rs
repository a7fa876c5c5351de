//! A parallel nest becomes a loop on DMMs over tiles of its iterations. What a tile reads of an array is
//! copied into shared memory first, in the order of its rows; a sequential loop inside goes from tile
//! to tile. A thread has one iteration of a tile, or several, whose results are in its registers.

use std::collections::BTreeSet;

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ForNode, Listing, Order, Role, StatementKind,
    StatementNode, Type,
};

use super::cut::{Cut, Size, crossing, cut, declared, from_zero, hold};
use super::form::{Form, binary, node, number};
use super::proposal::Proposal;
use super::tile_copy::Reads;
use super::tree::{as_for, blocks, line, loop_over, numbers, replace, statement, substitute};
use crate::check::{Proof, Schedule};

/// How a tile is made: threads along each side, elements of each thread along both, and how far the
/// loop inside goes with it.
#[derive(Clone, Copy)]
struct Shape {
    lanes: i64,
    own: [i64; 2],
    depth: i64,
}

const fn square(side: i64) -> Shape {
    Shape { lanes: side, own: [1, 1], depth: side }
}

/// The shapes that are tried.
const SHAPES: [Shape; 7] = [
    square(32),
    square(16),
    square(8),
    Shape { lanes: 16, own: [4, 1], depth: 16 },
    Shape { lanes: 8, own: [4, 4], depth: 16 },
    Shape { lanes: 16, own: [4, 4], depth: 16 },
    Shape { lanes: 16, own: [8, 8], depth: 16 },
];

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
    registers: Vec<(String, Type)>,
}

impl<'a> Nest<'a> {
    fn new(
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
        guard.unwrap_or_else(|| {
            node(memory_machine_core::language::syntax::ExprNodeKind::Boolean(true))
        })
    }

    /// Statements for each element of a thread, if that is in the range.
    fn elements(&self, body: Vec<StatementNode>) -> Vec<StatementNode> {
        if self.inner.is_none() {
            return body;
        }
        let (condition, then, otherwise) = (self.guard(), body, vec![]);
        let mut body = vec![statement(StatementKind::If { condition, then, otherwise })];
        for (count, element) in self.cuts.iter().rev().filter_map(|it| it.own.as_ref()) {
            body = vec![loop_over(from_zero(element, number(count - 1), Order::InTurn, body))];
        }
        body
    }

    /// A parallel nest over the threads of a tile, in this order of loops.
    fn threads(&self, mut body: Vec<StatementNode>, is_turned: bool) -> StatementNode {
        let mut cuts: Vec<&Cut> = self.cuts.iter().collect();
        if !is_turned {
            cuts.reverse();
        }
        for cut in cuts {
            let to = if self.inner.is_some() { number(cut.lanes() - 1) } else { cut.last_place() };
            body = vec![loop_over(from_zero(&cut.at, to, Order::InParallel, body))];
        }
        body.remove(0)
    }

    /// What a tile does, with nothing copied yet.
    fn tile(&self, is_turned: bool) -> Option<Vec<StatementNode>> {
        let places = |it: Vec<StatementNode>| self.threads(self.elements(it), is_turned);
        let Some((at, cut)) = &self.inner else { return Some(vec![places(self.cut(self.body))]) };
        let (before, after) = (&self.body[..*at], &self.body[at + 1..]);
        let mut body = vec![];
        if !before.is_empty() {
            body.push(places(self.cut(before)));
        }
        let of_loop = self.cut(&as_for(&self.body[*at])?.body);
        let inside = |it| loop_over(from_zero(&cut.at, cut.last_place(), Order::InTurn, it));
        // The elements of a thread share what they read: so they are innermost.
        let inner = match self.has_elements() {
            true => self.threads(vec![inside(self.elements(of_loop))], is_turned),
            false => places(vec![inside(of_loop)]),
        };
        let (tile, last) = (&cut.tile, cut.last_tile());
        body.push(loop_over(from_zero(tile, last, Order::InTurn, vec![inner])));
        if !after.is_empty() {
            body.push(places(self.cut(after)));
        }
        Some(body)
    }

    /// The nest on DMMs, with nothing copied yet.
    fn on_dmms(&self, is_turned: bool) -> Option<(Listing, Proof)> {
        let mut body = self.tile(is_turned)?;
        let lanes = self.cuts.iter().map(Cut::lanes).max()?;
        // Where no thread keeps anything to itself, it may have several places of a tile.
        let most = if self.inner.is_some() { 1024 } else { 256 };
        let mut threads = Some(Box::new(number((lanes * lanes).min(most))));
        let extents: Vec<ExprNode> =
            self.cuts.iter().filter_map(|it| it.own.as_ref()).map(|it| number(it.0)).collect();
        let mut arrays: Vec<ArrayDeclaration> = self
            .registers
            .iter()
            .map(|(name, element)| declared(Role::Register, name, extents.clone(), *element))
            .collect();
        for cut in self.cuts.iter().rev() {
            let order = Order::OnDmms { threads: threads.take() };
            let mut outer = from_zero(&cut.tile, cut.last_tile(), order, body);
            outer.arrays = std::mem::take(&mut arrays);
            body = vec![loop_over(outer)];
        }
        let (path, at) = &self.place;
        let listing = replace(self.listing, (path, *at, 1), body)?;
        let mut proof = Schedule { depth: self.depth, ..Schedule::default() };
        self.all_cuts().for_each(|it| it.prove(&mut proof));
        proof.registers = self.registers.iter().map(|it| (it.0.clone(), it.0.clone())).collect();
        Some((listing, Proof::Schedule(proof)))
    }

    /// The way to a tile, these arrays in shared memory.
    fn way(&self, arrays: &[&Reads], is_turned: bool) -> Option<Vec<(Listing, Proof)>> {
        let mut way = vec![self.on_dmms(is_turned)?];
        let mut copies = vec![];
        for array in arrays {
            let (listing, proof, copy) = self.copy(&way.last()?.0, array)?;
            copies.push(copy);
            way.push((listing, proof));
        }
        if self.has_elements() {
            for copy in &copies {
                if let Some(held) = self.hold(&way.last()?.0, copy) {
                    way.push(held);
                }
            }
            way.push(self.without_guards(&way.last()?.0)?);
        }
        Some(way)
    }

    fn what(&self, arrays: &[&Reads]) -> String {
        let sides: Vec<String> = self.cuts.iter().map(|it| it.side.to_string()).collect();
        let mut what = match (&self.cuts[..], &sides[..]) {
            ([_, _], [one, other]) if one != other => format!("tiles of {one} × {other} on DMMs"),
            _ => format!("tiles of {} on DMMs", sides[0]),
        };
        if self.has_elements() {
            let own = self.cuts.iter().map(|it| it.own.as_ref().map_or(1, |it| it.0).to_string());
            what += &format!(", {} elements a thread", own.collect::<Vec<_>>().join(" × "));
        }
        let names: Vec<String> = arrays.iter().map(|it| format!("`{}`", it.array)).collect();
        if !names.is_empty() {
            what += &format!(", {} through shared memory", names.join(" and "));
        }
        what
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

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let Some(outer) = as_for(statement).filter(|it| it.order == Order::InParallel) else {
                continue;
            };
            for shape in SHAPES {
                let place = (path.clone(), at);
                let nest = Nest::new(listing, text, place, depth, (outer, shape));
                let Some(nest) = nest else { continue };
                let reads = nest.reads();
                let mut chosen: Vec<Vec<&Reads>> = vec![reads.iter().collect()];
                if reads.len() > 1 && !nest.has_elements() {
                    chosen.extend(reads.iter().map(|it| vec![it]));
                }
                let turns = if nest.has_elements() { 1 } else { nest.cuts.len() };
                for is_turned in [false, true].iter().take(turns) {
                    for arrays in &chosen {
                        found.extend(nest.way(arrays, *is_turned).map(|path| Proposal {
                            what: nest.what(arrays),
                            why: "the tiles cover each iteration once, and each read of a copy was copied",
                            line: line(text, statement.span),
                            path,
                        }));
                    }
                }
            }
        }
    }
    found
}
