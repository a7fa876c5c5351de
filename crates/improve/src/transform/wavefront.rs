//! Two sequential loops whose iterations need their neighbours: those of one diagonal need only earlier
//! diagonals, so the diagonals go in turn and each runs in parallel.

use std::collections::BTreeMap;

use memory_machine_core::language::syntax::{Listing, Order};

use super::form::{Form, bounds, follows};
use super::proposal::Proposal;
use super::tree::{
    as_for, blocks, bounded, constraints, line, loop_over, new_name, numbers, replace, substitute,
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

pub(super) fn propose(listing: &Listing, text: &str) -> Vec<Proposal> {
    let names = numbers(listing);
    let mut found = vec![];
    for (path, depth, block) in blocks(listing) {
        for (at, statement) in block.iter().enumerate() {
            let pair = as_for(statement).and_then(|outer| match &outer.body[..] {
                [inner] => Some((outer, as_for(inner)?)),
                _ => None,
            });
            let Some((outer, inner)) = pair else { continue };
            if outer.order != Order::InTurn || inner.order != Order::InTurn {
                continue;
            }
            let d = new_name(listing, &["d", "e", "diagonal"]);
            let (i, j) = (&outer.variable.text, &inner.variable.text);
            let of =
                |a: i64, b: i64| Form::default().plus(&Form::name(i), a).plus(&Form::name(j), b);
            for (a, b) in [(1, 1), (-1, 1), (1, -1)] {
                for (kept, gone) in [(i, j), (j, i)] {
                    // d = a·i + b·j, so the one that goes is ±(d − ± the one that stays).
                    let factor = |it: &String| if it == i { a } else { b };
                    let value = Form::default()
                        .plus(&Form::name(&d), factor(gone))
                        .plus(&Form::name(kept), -factor(kept) * factor(gone));
                    let proposal = (|| {
                        let mut least = constraints(outer, &names)?;
                        least.extend(constraints(inner, &names)?);
                        let least: Vec<Form> =
                            least.iter().map(|it| it.substitute(gone, &value)).collect();
                        let [first, second] = eliminate(&d, kept, &least)?;
                        let mut body = inner.body.clone();
                        let mut names = names.clone();
                        names.insert(d.clone());
                        substitute(&mut body, gone, &value, &names);
                        let body = bounded(kept, &second, false, Order::InParallel, body)?;
                        let new = bounded(&d, &first, false, Order::InTurn, vec![loop_over(body)])?;
                        let listing = replace(listing, (&path, at, 1), vec![loop_over(new)])?;
                        let proof = Schedule {
                            depth,
                            old: BTreeMap::from([(gone.clone(), value.linear(1))]),
                            new: BTreeMap::from([(d.clone(), of(a, b).linear(1))]),
                            ..Schedule::default()
                        };
                        let sum = of(a, b).expr();
                        Some(Proposal {
                            what: format!(
                                "run the diagonals {d} = {sum} in turn, each over `{kept}` in parallel"
                            ),
                            why: "a point needs only points of earlier diagonals",
                            line: line(text, statement.span),
                            path: vec![(listing, Proof::Schedule(proof))],
                        })
                    })();
                    found.extend(proposal);
                }
            }
        }
    }
    found
}
