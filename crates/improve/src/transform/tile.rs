//! A parallel nest becomes a loop on DMMs over tiles of its iterations. What a tile reads of an array is
//! copied into shared memory first, in the order of its rows; a sequential loop inside goes from tile
//! to tile. A thread has one iteration of a tile, or several, whose results are in its registers.

use memory_machine_core::language::syntax::{
    ArrayDeclaration, ExprNode, Listing, Order, Role, StatementKind, StatementNode,
};

use super::cut::{Cut, declared, from_zero};
use super::form::number;
use super::nest::{Nest, Shape};
use super::proposal::Proposal;
use super::tile_copy::Reads;
use super::tree::{as_for, blocks, line, loop_over, replace, statement};
use crate::check::{Proof, Schedule};

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

impl Nest<'_> {
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
