//! Two sequential loops whose iterations need their neighbours, by tiles: those of one diagonal of tiles
//! need only earlier diagonals, and inside a tile the same holds of its points. So a launch makes a
//! diagonal of tiles, and a block of threads the diagonals of a tile.

use std::collections::BTreeMap;

use memory_machine_core::language::syntax::{
    BinaryOp, ExprNode, ForNode, Listing, Order, StatementKind, StatementNode,
};

use super::cut::{Cut, Size, cut, from_zero};
use super::form::{Form, binary, name, number};
use super::proposal::Proposal;
use super::tree::{
    Path, as_for, blocks, line, loop_over, new_name, numbers, pair_in_turn, replace, statement,
    substitute,
};
use crate::check::{Proof, Schedule};

/// Sides of tiles that are tried; a block has as many threads.
const SIDES: [i64; 2] = [32, 64];

/// Two loops that are cut, and where they stand.
struct Tiles<'a> {
    listing: &'a Listing,
    place: (&'a Path, usize, usize),
    rows: Cut,
    columns: Cut,
    body: Vec<StatementNode>,
    /// The diagonals of tiles, and those of a tile.
    names: [String; 2],
}

impl<'a> Tiles<'a> {
    fn new(
        listing: &'a Listing,
        place: (&'a Path, usize, usize),
        [outer, inner]: [&ForNode; 2],
        side: i64,
    ) -> Option<Self> {
        let names = numbers(listing);
        let size = |names| Size { lanes: side, own: 1, names };
        let rows = cut(listing, outer, &names, &size(["u", "u"]))?;
        let columns = cut(listing, inner, &names, &size(["v", "v"]))?;
        let is_free = |it: &Form| !it.terms.contains_key(&rows.old);
        if !is_free(&columns.from) || !is_free(&columns.to) {
            return None;
        }
        let mut body = inner.body.clone();
        let mut all = names;
        for it in [&rows, &columns] {
            all.extend([it.tile.clone(), it.at.clone()]);
            substitute(&mut body, &it.old, &it.value(), &all);
        }
        let names = [new_name(listing, &["d", "diagonal"]), new_name(listing, &["e", "front"])];
        Some(Self { listing, place, rows, columns, body, names })
    }

    fn put(&self, new: ForNode) -> Option<Listing> {
        let (path, at, _) = self.place;
        replace(self.listing, (path, at, 1), vec![loop_over(new)])
    }

    /// Tile by tile, all in turn.
    fn in_turn(&self) -> Option<(Listing, Proof)> {
        let nest = |cut: &Cut, last, body| from_zero(&cut.tile, last, Order::InTurn, body);
        let body = vec![loop_over(nest(&self.columns, self.columns.last_tile(), self.places()))];
        let listing = self.put(nest(&self.rows, self.rows.last_tile(), body))?;
        let mut proof = Schedule { depth: self.place.2, ..Schedule::default() };
        self.rows.prove(&mut proof);
        self.columns.prove(&mut proof);
        Some((listing, Proof::Schedule(proof)))
    }

    /// The points of a tile in turn.
    fn places(&self) -> Vec<StatementNode> {
        let mut body = self.body.clone();
        for it in [&self.columns, &self.rows] {
            body = vec![loop_over(from_zero(&it.at, it.last_place(), Order::InTurn, body))];
        }
        body
    }

    /// Diagonals of tiles around what each does.
    fn diagonals(&self, mut body: Vec<StatementNode>) -> Option<Listing> {
        let [d, _] = &self.names;
        let value = Form::name(d).plus(&Form::name(&self.rows.tile), -1);
        let mut names = numbers(self.listing);
        names.extend([d, &self.names[1]].map(String::clone));
        names.extend(
            [&self.rows, &self.columns].into_iter().flat_map(|it| [it.tile.clone(), it.at.clone()]),
        );
        substitute(&mut body, &self.columns.tile, &value, &names);
        let [rows, columns] = [self.rows.last_tile(), self.columns.last_tile()];
        let low = binary(BinaryOp::Subtract, name(d), columns.clone());
        let threads = Some(Box::new(number(self.rows.side)));
        let tiles = ForNode {
            from: binary(BinaryOp::Max, number(0), low),
            ..from_zero(
                &self.rows.tile,
                binary(BinaryOp::Min, rows.clone(), name(d)),
                Order::OnDmms { threads },
                body,
            )
        };
        let last = binary(BinaryOp::Add, rows, columns);
        self.put(from_zero(d, last, Order::InTurn, vec![loop_over(tiles)]))
    }

    /// Diagonals of tiles in turn, each tile's points in turn.
    fn of_tiles(&self) -> Option<(Listing, Proof)> {
        let (d, columns) = (&self.names[0], &self.columns.tile);
        let rows = Form::name(&self.rows.tile);
        let proof = Schedule {
            depth: self.place.2,
            old: BTreeMap::from([(columns.clone(), Form::name(d).plus(&rows, -1).linear(1))]),
            new: BTreeMap::from([(d.clone(), rows.plus(&Form::name(columns), 1).linear(1))]),
            ..Schedule::default()
        };
        Some((self.diagonals(self.places())?, Proof::Schedule(proof)))
    }

    /// The same, the points of a diagonal of a tile at once.
    fn of_points(&self) -> Option<(Listing, Proof)> {
        let (e, side) = (&self.names[1], self.rows.side);
        let [u, v] = [&self.rows.at, &self.columns.at].map(|it| Form::name(it));
        let value = Form::name(e).plus(&u, -1);
        let mut names = numbers(self.listing);
        names.insert(e.clone());
        names.extend(
            [&self.rows, &self.columns].into_iter().flat_map(|it| [it.tile.clone(), it.at.clone()]),
        );
        let mut body = self.body.clone();
        substitute(&mut body, &self.columns.at, &value, &names);
        let less = |left: &Form, right: &Form| binary(BinaryOp::Less, left.expr(), right.expr());
        let inside = [
            binary(BinaryOp::LessEqual, u.expr(), name(e)),
            less(&Form::name(e), &u.plus(&Form::number(side), 1)),
            self.rows.guard(&u),
            self.columns.guard(&value),
        ];
        let condition: ExprNode =
            inside.into_iter().reduce(|all, it| binary(BinaryOp::And, all, it))?;
        let guarded = statement(StatementKind::If { condition, then: body, otherwise: vec![] });
        let points = from_zero(&self.rows.at, number(side - 1), Order::InParallel, vec![guarded]);
        let fronts = from_zero(e, number(2 * side - 2), Order::InTurn, vec![loop_over(points)]);
        let proof = Schedule {
            // The diagonals of tiles, and the tiles.
            depth: self.place.2 + 2,
            old: BTreeMap::from([(self.columns.at.clone(), value.linear(1))]),
            new: BTreeMap::from([(e.clone(), u.plus(&v, 1).linear(1))]),
            ..Schedule::default()
        };
        Some((self.diagonals(vec![loop_over(fronts)])?, Proof::Schedule(proof)))
    }
}

/// The way to a listing whose loops beside one are parallel: a GPU's host does nothing with memory between
/// launches of blocks.
fn others_in_parallel(listing: &Listing, at: usize) -> Vec<(Listing, Proof)> {
    let mut way: Vec<(Listing, Proof)> = vec![];
    for other in (0..listing.body.len()).filter(|it| *it != at) {
        let last = way.last().map_or(listing, |it| &it.0);
        let in_turn = |it: &&ForNode| it.order == Order::InTurn && it.step.is_none();
        let Some(it) = as_for(&last.body[other]).filter(in_turn) else { continue };
        let new = ForNode { order: Order::InParallel, ..it.clone() };
        way.extend(
            replace(last, (&vec![], other, 1), vec![loop_over(new)])
                .map(|it| (it, Proof::Schedule(Schedule::default()))),
        );
    }
    way
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, own) in block.iter().enumerate() {
            let Some(pair) = pair_in_turn(own) else { continue };
            let others = if path.is_empty() { others_in_parallel(listing, at) } else { vec![] };
            let starts = [None].into_iter().chain(others.last().map(|it| Some(&it.0)));
            for (start, side) in starts.flat_map(|it| SIDES.map(|side| (it, side))) {
                let is_plain = start.is_none();
                let of = start.unwrap_or(listing);
                let Some(tiles) = Tiles::new(of, (&path, at, depth), pair, side) else { continue };
                let way = [tiles.in_turn(), tiles.of_tiles(), tiles.of_points()];
                let Some(way) = way.into_iter().collect::<Option<Vec<_>>>() else { continue };
                let also = if is_plain { "" } else { ", other loops in parallel" };
                found.push(Proposal {
                    what: format!(
                        "run the diagonals of tiles of {side} in turn, a block of threads a tile, \
                         and in it the diagonals in turn{also}"
                    ),
                    why: "a tile needs only tiles of earlier diagonals, and a point points of earlier ones",
                    line: line(text, own.span),
                    path: if is_plain { way } else { [others.clone(), way].concat() },
                });
            }
        }
    }
    found
}
