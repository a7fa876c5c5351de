//! What a tile reads: into shared memory first, and from there into registers if several elements of a
//! thread use it.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::language::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, Listing, Order, Role, StatementKind, StatementNode, Type,
};

use super::cut::{Cut, declared, element_of, from_zero};
use super::form::{Form, binary, name, node, number};
use super::nest::{Nest, inner_block, of_blocks};
use super::tree::{as_for, each_expr, loop_over, named, new_name, statement};
use crate::check::{Copies, Proof, Speculation};

/// A given array of which the body of a nest reads one cell a point.
pub(super) struct Reads {
    pub(super) array: String,
    /// The cell.
    forms: Vec<Form>,
}

/// A copy in shared memory.
pub(super) struct SharedCopy {
    array: String,
    name: String,
    /// The cell of it that a point reads.
    forms: Vec<Form>,
    element: Type,
}

impl Nest<'_> {
    /// The given arrays of which the body reads one cell a point.
    pub(super) fn reads(&self) -> Vec<Reads> {
        let names = self.all_names();
        let mut found: BTreeMap<String, BTreeSet<Option<Vec<Form>>>> = BTreeMap::new();
        let mut block = self.cut(self.body);
        each_expr(&mut block, &mut |it| {
            if let ExprNodeKind::Element { array, indices } = &it.kind {
                let forms = indices.iter().map(|it| Form::of(it, &names)).collect();
                found.entry(array.clone()).or_default().insert(forms);
            }
        });
        let is_input = |name: &String| {
            self.listing.arrays.iter().any(|it| it.name.text == *name && it.role == Role::Input)
        };
        let one = |(array, forms): (String, BTreeSet<Option<Vec<Form>>>)| {
            let mut forms = forms.into_iter();
            match (forms.next(), forms.next()) {
                (Some(Some(forms)), None) => Some(Reads { array, forms }),
                _ => None,
            }
        };
        let all = found.into_iter().filter(|it| is_input(&it.0)).filter_map(one);
        all.filter(|it| !self.places_of(&it.forms).is_empty()).collect()
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
    pub(super) fn copy(
        &self,
        listing: &Listing,
        Reads { array, forms }: &Reads,
    ) -> Option<(Listing, Proof, SharedCopy)> {
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
            from[*at] = forms[*at].plus(&cut.place(), -1).plus(&Form::name(name), 1);
        }
        let mut value = element_of(array, from.iter().map(Form::expr).collect());
        if self.has_elements() {
            // Beyond the array there are zeros, so that every element of a tile may be computed.
            let guards = places.iter().zip(&names).map(|((_, cut), it)| cut.guard(&Form::name(it)));
            let guard = guards.reduce(|all, it| binary(BinaryOp::And, all, it))?;
            value = node(ExprNodeKind::Conditional(Box::new([guard, value, number(0)])));
        }
        let indices: Vec<ExprNode> = names.iter().map(|it| Form::name(it).expr()).collect();
        let target = named(&copy);
        let store = StatementKind::Assign { target, declared: None, indices, value };
        let mut nest = statement(store);
        for ((_, cut), name) in places.iter().zip(&names).rev() {
            let to = if self.has_elements() { number(cut.side - 1) } else { cut.last_place() };
            nest = loop_over(from_zero(name, to, Order::InParallel, vec![nest]));
        }
        // Rows are padded, so that a column meets no bank twice.
        let last = places.len() - 1;
        let extents = places.iter().enumerate().map(|(at, (_, cut))| {
            number(if at == last && last > 0 { cut.side + 1 } else { cut.side })
        });
        let mut new = listing.clone();
        let blocks = of_blocks(&mut new, self)?;
        blocks.arrays.push(declared(Role::Shared, &copy, extents.collect(), element));
        // At the nest that reads it.
        let (block, depth) = self.reader(&mut blocks.body)?;
        let read: Vec<Form> = places.iter().map(|(_, cut)| cut.place()).collect();
        put(block.last_mut()?, array, &element_of(&copy, read.iter().map(Form::expr).collect()));
        let end = block.len() - 1;
        block.insert(end, nest);
        let proof = Copies { depth, array: array.clone(), copy: copy.clone() };
        let own = SharedCopy { array: array.clone(), name: copy, forms: read, element };
        Some((new, Proof::Copies(proof), own))
    }

    /// The block of the nest that reads copies, with how many statements are entered.
    fn reader<'b>(
        &self,
        block: &'b mut Vec<StatementNode>,
    ) -> Option<(&'b mut Vec<StatementNode>, usize)> {
        if self.inner.is_none() {
            return Some((block, self.depth + 1));
        }
        let is_loop = |it: &StatementNode| as_for(it).is_some_and(|it| it.order == Order::InTurn);
        let at = block.iter().position(is_loop)?;
        Some((inner_block(block.get_mut(at)?)?, self.depth + 2))
    }

    /// The listing in which what several elements of a thread read of a copy is read once, into registers.
    pub(super) fn hold(&self, listing: &Listing, copy: &SharedCopy) -> Option<(Listing, Proof)> {
        let elements = self.cuts.iter().filter_map(|it| it.own.as_ref());
        let has =
            |it: &&(i64, String)| copy.forms.iter().any(|form| form.terms.contains_key(&it.1));
        let own: Vec<&(i64, String)> = elements.clone().filter(has).collect();
        if own.len() == elements.count() {
            return None;
        }
        let held = new_name(listing, &[&format!("{}_own", copy.array)]);
        let mut from = copy.forms.clone();
        let mut names = vec![];
        for (_, element) in &own {
            let name = new_name(listing, &["z", "x"]);
            for form in &mut from {
                *form = form.substitute(element, &Form::name(&name));
            }
            names.push(name);
        }
        let value = element_of(&copy.name, from.iter().map(Form::expr).collect());
        let (target, declared_as) = (named(&held), None);
        let indices = names.iter().map(|it| name(it)).collect();
        let store = StatementKind::Assign { target, declared: declared_as, indices, value };
        let mut nest = statement(store);
        for ((count, _), it) in own.iter().zip(&names).rev() {
            nest = loop_over(from_zero(it, number(count - 1), Order::InTurn, vec![nest]));
        }
        let mut new = listing.clone();
        let blocks = of_blocks(&mut new, self)?;
        let extents = own.iter().map(|it| number(it.0)).collect();
        blocks.arrays.push(declared(Role::Register, &held, extents, copy.element));
        let (block, depth) = self.reader(&mut blocks.body)?;
        // Through the threads into the loop inside.
        let mut own_block = block.last_mut()?;
        for _ in 0..self.cuts.len() {
            own_block = inner_block(own_block)?.last_mut()?;
        }
        let block = inner_block(own_block)?;
        let read = match own.is_empty() {
            true => name(&held),
            false => element_of(&held, own.iter().map(|it| name(&it.1)).collect()),
        };
        put(block.last_mut()?, &copy.name, &read);
        let end = block.len() - 1;
        block.insert(end, nest);
        let (depth, array) = (depth + 2, copy.name.clone());
        Some((new, Proof::Copies(Copies { depth, array, copy: held })))
    }

    /// The listing in which elements beyond the range are computed, too, and thrown away.
    pub(super) fn without_guards(&self, listing: &Listing) -> Option<(Listing, Proof)> {
        let mut new = listing.clone();
        let guard = self.guard().to_string();
        let blocks = of_blocks(&mut new, self)?;
        let (at, _) = self.inner.as_ref()?;
        let kept = usize::from(at + 1 < self.body.len());
        let count = blocks.body.len() - kept;
        drop_guards(&mut blocks.body[..count], &guard);
        Some((new, Proof::Speculation(Speculation { depth: self.depth })))
    }
}

/// Puts an expression in the place of every read of an array.
fn put(statement: &mut StatementNode, array: &str, read: &ExprNode) {
    each_expr(std::slice::from_mut(statement), &mut |it| {
        if matches!(&it.kind, ExprNodeKind::Element { array: of, .. } if of == array) {
            *it = read.clone();
        }
    });
}

/// Statements behind a guard, without it.
fn drop_guards(block: &mut [StatementNode], guard: &str) {
    for it in block {
        let Some(inner) = inner_block(it) else { continue };
        drop_guards(inner, guard);
        let old = std::mem::take(inner);
        for it in old {
            match it.kind {
                StatementKind::If { condition, then, otherwise }
                    if otherwise.is_empty() && condition.to_string() == guard =>
                {
                    inner.extend(then);
                }
                kind => inner.push(StatementNode { kind, span: it.span }),
            }
        }
    }
}
