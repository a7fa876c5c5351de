//! Two sequential loops whose iterations need their neighbours: those of one diagonal need only earlier
//! diagonals, so the diagonals go in turn and each runs in parallel.

use std::collections::BTreeMap;

use memory_machine_core::language::syntax::{BinaryOp, ForNode, Listing, Order, StatementKind};

use super::form::{Form, binary, bounds, follows};
use super::proposal::Proposal;
use super::tree::{
    Path, blocks, bounded, constraints, line, loop_over, new_name, numbers, pair_in_turn, replace,
    statement, substitute,
};
use crate::check::{Proof, Schedule};

/// Bounds of two loops, `outer` around `inner`, from what holds of both variables.
pub(super) fn eliminate(outer: &str, inner: &str, least: &[Form]) -> Option<[[Vec<Form>; 2]; 2]> {
    let of_inner = bounds(inner, least)?;
    let mut all: Vec<Form> =
        least.iter().filter(|it| !it.terms.contains_key(inner)).cloned().collect();
    for low in &of_inner[0] {
        all.extend(of_inner[1].iter().map(|high| high.plus(low, -1)));
    }
    all.retain(|it| it.terms.contains_key(outer));
    all.sort();
    all.dedup();
    // What follows from the rest need not be written.
    let mut at = 0;
    while at < all.len() {
        let mut rest = all.clone();
        let one = rest.remove(at);
        let is_last = |sign: i64| rest.iter().all(|it| it.terms[outer].signum() != sign);
        if !is_last(one.terms[outer].signum()) && follows(&rest, &one) {
            all = rest;
        } else {
            at += 1;
        }
    }
    let [lows, highs] = bounds(outer, &all)?;
    let known: Vec<Form> = all.clone();
    let of_inner = of_inner.map(|it| it.to_vec());
    let mut kept: [Vec<Form>; 2] = [vec![], vec![]];
    for (side, is_low) in [(0, true), (1, false)] {
        let mut forms = of_inner[side].clone();
        forms.sort();
        forms.dedup();
        let mut at = 0;
        while at < forms.len() && forms.len() > 1 {
            let one = forms[at].clone();
            let others: Vec<&Form> = forms.iter().filter(|it| **it != one).collect();
            let is_looser = |other: &&Form| {
                let gap = if is_low { other.plus(&one, -1) } else { one.plus(other, -1) };
                follows(&known, &gap)
            };
            if others.iter().any(is_looser) {
                forms.remove(at);
            } else {
                at += 1;
            }
        }
        kept[side] = forms;
    }
    Some([[lows, highs], kept])
}

/// Factors of both variables in the sums that name the diagonals.
const SUMS: [[i64; 2]; 5] = [[1, 1], [-1, 1], [1, -1], [2, 1], [1, 2]];

/// What holds of a variable by factors of 1 and without it, what by others, and what follows of other
/// names from the bounds of the variable.
fn split(of: &str, least: &[Form]) -> Option<(Vec<Form>, Vec<Form>)> {
    let is_steep = |it: &&Form| it.terms.get(of).is_some_and(|it| it.abs() > 1);
    let (steep, mut flat): (Vec<Form>, Vec<Form>) =
        least.iter().cloned().partition(|it| is_steep(&it));
    let [lows, highs] = bounds(of, &flat)?;
    for it in &steep {
        let limits = if it.terms[of] < 0 { &lows } else { &highs };
        flat.extend(limits.iter().map(|limit| it.substitute(of, limit)));
    }
    Some((flat, steep))
}

/// Two loops by their diagonals a·i + b·j, the points of each by the variable that is kept.
fn diagonals(
    listing: &Listing,
    (path, at, depth): (&Path, usize, usize),
    [outer, inner]: [&ForNode; 2],
    ([a, b], keeps_outer): ([i64; 2], bool),
) -> Option<(String, Listing, Proof)> {
    let mut names = numbers(listing);
    let d = new_name(listing, &["d", "e", "diagonal"]);
    let (i, j) = (&outer.variable.text, &inner.variable.text);
    let (kept, gone) = if keeps_outer { (i, j) } else { (j, i) };
    let sum = Form::default().plus(&Form::name(i), a).plus(&Form::name(j), b);
    // The one that goes is ±(d − the other's part of the sum).
    let factor = |it: &String| if it == i { a } else { b };
    let sign = factor(gone);
    if sign.abs() != 1 {
        return None;
    }
    let value =
        Form::default().plus(&Form::name(&d), sign).plus(&Form::name(kept), -factor(kept) * sign);
    let mut least = constraints(outer, &names)?;
    least.extend(constraints(inner, &names)?);
    let least: Vec<Form> = least.iter().map(|it| it.substitute(gone, &value)).collect();
    let (flat, steep) = split(kept, &least)?;
    let [first, second] = eliminate(&d, kept, &flat)?;
    let mut body = inner.body.clone();
    names.insert(d.clone());
    substitute(&mut body, gone, &value, &names);
    // Where a bound would be a quotient, a guard says it.
    let guards = steep.iter().map(|it| {
        let (mut low, mut high) = (Form::default(), Form::default());
        for (name, by) in &it.terms {
            let side = if *by < 0 { &mut low } else { &mut high };
            *side = side.plus(&Form::name(name), by.abs());
        }
        let (low, high) = match it.constant < 0 {
            true => (low.plus(&Form::number(-it.constant), 1), high),
            false => (low, high.plus(&Form::number(it.constant), 1)),
        };
        binary(BinaryOp::LessEqual, low.expr(), high.expr())
    });
    if let Some(condition) = guards.reduce(|all, it| binary(BinaryOp::And, all, it)) {
        body = vec![statement(StatementKind::If { condition, then: body, otherwise: vec![] })];
    }
    let body = bounded(kept, &second, false, Order::InParallel, body)?;
    let new = bounded(&d, &first, false, Order::InTurn, vec![loop_over(body)])?;
    let listing = replace(listing, (path, at, 1), vec![loop_over(new)])?;
    let proof = Schedule {
        depth,
        old: BTreeMap::from([(gone.clone(), value.linear(1))]),
        new: BTreeMap::from([(d.clone(), sum.linear(1))]),
        ..Schedule::default()
    };
    let what =
        format!("run the diagonals {d} = {} in turn, each over `{kept}` in parallel", sum.expr());
    Some((what, listing, Proof::Schedule(proof)))
}

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, own) in block.iter().enumerate() {
            let Some(pair) = pair_in_turn(own) else { continue };
            for sum in SUMS {
                for keeps_outer in [true, false] {
                    let way = diagonals(listing, (&path, at, depth), pair, (sum, keeps_outer));
                    found.extend(way.map(|(what, listing, proof)| Proposal {
                        what,
                        why: "a point needs only points of earlier diagonals",
                        line: line(text, own.span),
                        path: vec![(listing, proof)],
                    }));
                }
            }
        }
    }
    found
}
