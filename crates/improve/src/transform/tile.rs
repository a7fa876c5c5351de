//! A parallel nest becomes a loop on DMMs over tiles of its iterations. What a tile reads of an array is
//! copied into shared memory first, in the order of its rows; a sequential loop inside goes from tile
//! to tile.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::diagnostic::Source;
use memory_machine_core::language;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, Order, Role,
    StatementKind, StatementNode, Type,
};

use super::cut::{Cut, crossing, cut, declared, element_of, from_zero};
use super::form::{Form, binary, node, number};
use super::proposal::Proposal;
use super::tree::{
    as_for, blocks, each_expr, line, loop_over, named, new_name, numbers, replace, statement,
    substitute,
};
use crate::check::{Copies, Proof, Schedule};

/// Sides of tiles.
const SIDES: [i64; 3] = [32, 16, 8];

/// A nest that can be cut into tiles.
struct Nest<'a> {
    listing: &'a Listing,
    names: BTreeSet<String>,
    cuts: Vec<Cut>,
    /// The sequential loop among the statements, and its place there.
    inner: Option<(usize, Cut)>,
    body: &'a [StatementNode],
    depth: usize,
    place: (Vec<usize>, usize),
    /// What several parts of the body need of an iteration, with its type.
    registers: Vec<(String, Type)>,
}

impl<'a> Nest<'a> {
    fn new(
        listing: &'a Listing,
        text: &str,
        place: (Vec<usize>, usize),
        depth: usize,
        outer: &'a ForNode,
    ) -> Option<Self> {
        let names = numbers(listing);
        let mut cuts = vec![cut(listing, outer, &names, &["u"])?];
        let mut innermost = outer;
        if let [only] = &outer.body[..]
            && let Some(it) = as_for(only)
            && it.order == Order::InParallel
        {
            innermost = it;
            cuts.push(cut(listing, innermost, &names, &["v"])?);
        }
        let body = &innermost.body[..];
        let loops = body.iter().enumerate().filter_map(|(at, it)| Some((at, as_for(it)?)));
        let loops: Vec<(usize, &ForNode)> = loops.collect();
        if loops.iter().any(|it| it.1.order != Order::InTurn) {
            return None;
        }
        let inner = match loops[..] {
            [(at, it)] => cut(listing, it, &names, &["l", "m"]).map(|it| (at, it)),
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
        is_rectangular.then_some(nest)
    }

    fn all_cuts(&self) -> impl Iterator<Item = &Cut> {
        self.cuts.iter().chain(self.inner.iter().map(|it| &it.1))
    }

    /// Statements in terms of tiles and places.
    fn cut(&self, block: &[StatementNode], side: i64) -> Vec<StatementNode> {
        let mut block = block.to_vec();
        let mut names = self.names.clone();
        names.extend(self.all_cuts().flat_map(|it| [it.tile.clone(), it.at.clone()]));
        for cut in self.all_cuts() {
            substitute(&mut block, &cut.old, &cut.value(side), &names);
        }
        block
    }

    /// A parallel nest over a tile: each place of it, in this order of loops.
    fn places(&self, body: Vec<StatementNode>, side: i64, is_turned: bool) -> StatementNode {
        let mut body = body;
        if self.inner.is_some() {
            let guards = self.cuts.iter().map(|it| it.guard(side));
            let guard = guards.reduce(|all, it| binary(BinaryOp::And, all, it));
            let condition = guard.unwrap_or_else(|| node(ExprNodeKind::Boolean(true)));
            let (then, otherwise) = (body, vec![]);
            body = vec![statement(StatementKind::If { condition, then, otherwise })];
        }
        let mut cuts: Vec<&Cut> = self.cuts.iter().collect();
        if !is_turned {
            cuts.reverse();
        }
        for cut in cuts {
            let to = if self.inner.is_some() { number(side - 1) } else { cut.last_place(side) };
            body = vec![loop_over(from_zero(&cut.at, to, Order::InParallel, body))];
        }
        body.remove(0)
    }

    /// The nest on DMMs, with nothing copied yet.
    fn on_dmms(&self, side: i64, is_turned: bool) -> Option<(Listing, Proof)> {
        let mut body = vec![];
        if let Some((at, cut)) = &self.inner {
            let (before, after) = (&self.body[..*at], &self.body[at + 1..]);
            if !before.is_empty() {
                body.push(self.places(self.cut(before, side), side, is_turned));
            }
            let of_loop = &as_for(&self.body[*at])?.body;
            let last = cut.last_place(side);
            let inner = from_zero(&cut.at, last, Order::InTurn, self.cut(of_loop, side));
            let inner = vec![self.places(vec![loop_over(inner)], side, is_turned)];
            body.push(loop_over(from_zero(&cut.tile, cut.last_tile(side), Order::InTurn, inner)));
            if !after.is_empty() {
                body.push(self.places(self.cut(after, side), side, is_turned));
            }
        } else {
            body.push(self.places(self.cut(self.body, side), side, is_turned));
        }
        let mut threads = Some(Box::new(number((side * side).min(1024))));
        let mut arrays: Vec<ArrayDeclaration> = self
            .registers
            .iter()
            .map(|(name, element)| declared(Role::Register, name, vec![], *element))
            .collect();
        for cut in self.cuts.iter().rev() {
            let order = Order::OnDmms { threads: threads.take() };
            let mut outer = from_zero(&cut.tile, cut.last_tile(side), order, body);
            outer.arrays = std::mem::take(&mut arrays);
            body = vec![loop_over(outer)];
        }
        let (path, at) = &self.place;
        let listing = replace(self.listing, (path, *at, 1), body)?;
        let mut proof = Schedule { depth: self.depth, ..Schedule::default() };
        for cut in self.all_cuts() {
            let old = Form::name(&cut.old).plus(&cut.from, -1);
            proof.old.insert(cut.old.clone(), cut.value(side).linear(1));
            proof.new.insert(cut.tile.clone(), old.linear(side));
            let at = old.plus(&Form::name(&format!("'{}", cut.tile)), -side);
            proof.new.insert(cut.at.clone(), at.linear(1));
        }
        proof.registers = self.registers.iter().map(|it| (it.0.clone(), it.0.clone())).collect();
        Some((listing, Proof::Schedule(proof)))
    }

    /// The given arrays of which the body reads one cell a point, with its indices.
    fn reads(&self, side: i64) -> Vec<(String, Vec<Form>)> {
        let mut names = self.names.clone();
        names.extend(self.all_cuts().flat_map(|it| [it.tile.clone(), it.at.clone()]));
        let mut found: BTreeMap<String, BTreeSet<Option<Vec<Form>>>> = BTreeMap::new();
        let mut block = self.cut(self.body, side);
        each_expr(&mut block, &mut |it| {
            if let ExprNodeKind::Element { array, indices } = &it.kind {
                let forms = indices.iter().map(|it| Form::of(it, &names)).collect();
                found.entry(array.clone()).or_default().insert(forms);
            }
        });
        let is_input = |name: &String| {
            self.listing.arrays.iter().any(|it| it.name.text == *name && it.role == Role::Input)
        };
        let one = |(name, forms): (String, BTreeSet<Option<Vec<Form>>>)| {
            let mut forms = forms.into_iter();
            match (forms.next(), forms.next()) {
                (Some(Some(forms)), None) => Some((name, forms)),
                _ => None,
            }
        };
        let all = found.into_iter().filter(|it| is_input(&it.0)).filter_map(one);
        all.filter(|it| !self.places_of(&it.1).is_empty()).collect()
    }

    /// For each index that goes with a place of the tile, which cut it is; empty if one goes with several.
    fn places_of(&self, forms: &[Form]) -> Vec<(usize, &Cut)> {
        let mut found: Vec<(usize, &Cut)> = vec![];
        for (at, form) in forms.iter().enumerate() {
            let of = |cut: &&Cut| form.terms.contains_key(&cut.at);
            let own: Vec<&Cut> = self.all_cuts().filter(of).collect();
            match own[..] {
                [] => {}
                [cut] if form.terms[&cut.at] == 1 && found.iter().all(|it| it.1.at != cut.at) => {
                    found.push((at, cut));
                }
                _ => return vec![],
            }
        }
        found
    }

    /// The listing in which an array is read from a copy.
    fn copy(
        &self,
        listing: &Listing,
        (array, forms): &(String, Vec<Form>),
        side: i64,
    ) -> Option<(Listing, Proof)> {
        let places = self.places_of(forms);
        let copy = new_name(listing, &[&format!("{array}_tile")]);
        let element = listing.arrays.iter().find(|it| it.name.text == *array)?.element;
        let wanted: &[&str] = if places.len() == 1 { &["x"] } else { &["y", "x", "z"] };
        if places.len() > wanted.len() {
            return None;
        }
        let names: Vec<String> =
            wanted[..places.len()].iter().map(|it| new_name(listing, &[it])).collect();
        // The nest that copies, rows of the array in order.
        let mut from: Vec<Form> = forms.clone();
        for ((at, cut), name) in places.iter().zip(&names) {
            from[*at] = forms[*at].substitute(&cut.at, &Form::name(name));
        }
        let value = element_of(array, from.iter().map(Form::expr).collect());
        let indices: Vec<ExprNode> = names.iter().map(|it| Form::name(it).expr()).collect();
        let target = named(&copy);
        let store = StatementKind::Assign { target, declared: None, indices, value };
        let mut nest = statement(store);
        for ((_, cut), name) in places.iter().zip(&names).rev() {
            nest = loop_over(from_zero(name, cut.last_place(side), Order::InParallel, vec![nest]));
        }
        // Rows are padded, so that a column meets no bank twice.
        let last = places.len() - 1;
        let extent = |at: usize| number(if at == last && last > 0 { side + 1 } else { side });
        let extents = (0..places.len()).map(extent).collect();
        // Into the block: at the nest that reads it.
        let (path, at) = &self.place;
        let mut new = listing.clone();
        let mut block = &mut new.body;
        for step in path {
            block = inner_block(&mut block[*step])?;
        }
        let mut own = block.get_mut(*at)?;
        for _ in 1..self.cuts.len() {
            own = inner_block(own)?.get_mut(0)?;
        }
        let StatementKind::For(blocks) = &mut own.kind else { return None };
        blocks.arrays.push(declared(Role::Shared, &copy, extents, element));
        let mut depth = self.depth + 1;
        let mut block = &mut blocks.body;
        if self.inner.is_some() {
            depth += 1;
            let is_loop =
                |it: &StatementNode| as_for(it).is_some_and(|it| it.order == Order::InTurn);
            let at = block.iter().position(is_loop)?;
            block = inner_block(block.get_mut(at)?)?;
        }
        let read = places.iter().map(|(_, cut)| Form::name(&cut.at).expr()).collect();
        let read = element_of(&copy, read);
        let used = block.last_mut()?;
        each_expr(std::slice::from_mut(used), &mut |it| {
            if matches!(&it.kind, ExprNodeKind::Element { array: of, .. } if of == array) {
                *it = read.clone();
            }
        });
        let end = block.len() - 1;
        block.insert(end, nest);
        let proof = Copies { depth, array: array.clone(), copy };
        Some((new, Proof::Copies(proof)))
    }
}

fn inner_block(statement: &mut StatementNode) -> Option<&mut Vec<StatementNode>> {
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
            let place = (path.clone(), at);
            let Some(nest) = Nest::new(listing, text, place, depth, outer) else { continue };
            for side in SIDES {
                let reads = nest.reads(side);
                let mut chosen: Vec<Vec<&(String, Vec<Form>)>> = vec![reads.iter().collect()];
                if reads.len() > 1 {
                    chosen.extend(reads.iter().map(|it| vec![it]));
                }
                for is_turned in [false, true].iter().take(nest.cuts.len()) {
                    for arrays in &chosen {
                        let proposal = (|| {
                            let mut way = vec![nest.on_dmms(side, *is_turned)?];
                            for array in arrays {
                                let last = &way.last()?.0;
                                way.push(nest.copy(last, array, side)?);
                            }
                            let names: Vec<String> =
                                arrays.iter().map(|it| format!("`{}`", it.0)).collect();
                            let what = match names.is_empty() {
                                true => format!("tiles of {side} on DMMs"),
                                false => format!(
                                    "tiles of {side} on DMMs, {} through shared memory",
                                    names.join(" and ")
                                ),
                            };
                            let why = "the tiles cover each iteration once, and each read of a copy was copied";
                            let line = line(text, statement.span);
                            Some(Proposal { what, why, line, path: way })
                        })();
                        found.extend(proposal);
                    }
                }
            }
        }
    }
    found
}
