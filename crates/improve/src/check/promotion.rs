//! A cell that a loop reads and writes again and again is held in a scalar meanwhile: legal if the loop
//! touches no other cell of the array, runs at least once, and reads the cell before anything else.

use std::collections::BTreeSet;

use memory_machine_core::language::program::{
    Access, Expr, ExprKind, For, Program, ScalarId, Statement,
};
use memory_machine_core::language::syntax::BinaryOp;

use super::certificate::{Promotion, Refusal};
use super::leaves::{assigned, span, within};
use super::matching::Matching;
use super::part::part;
use super::schedule::{context, scope, too_large};
use crate::integers::System;

pub(super) fn verify(before: &Program, after: &Program, proof: &Promotion) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &Default::default())?;
    let part = part(&mut matching, proof.depth)?;
    let wrong = |why: &str| Refusal::new(format!("no cell is held in a scalar: {why}"));
    let ([own @ Statement::For(old)], [first, second, last]) = (&part.before[..], &part.after[..])
    else {
        return Err(wrong("a loop becomes three statements"));
    };
    let refuse =
        |why: &str| Refusal::at(before, span(own), format!("no cell is held in a scalar: {why}"));
    let (
        Statement::Assign { target: held, value, .. },
        Statement::Store { access: stored, value: restored, .. },
    ) = (first, last)
    else {
        return Err(wrong("it is read before the loop, and written after it"));
    };
    let ExprKind::Element(read) = &value.kind else { return Err(wrong("no cell is read")) };
    let array = before.array_named(&proof.array).ok_or_else(|| wrong("there is no such array"))?;
    let of = &before.arrays[array.0];
    let is_plain = value.element == of.element
        && after.scalars[held.0].element == of.element
        && matches!(restored.kind, ExprKind::Scalar(it) if it == *held)
        && read.array == matching.arrays[&array].0
        && stored.array == read.array;
    if !is_plain {
        return Err(wrong("another cell, or another type"));
    }
    only_there(after, *held, &[first, second, last])?;
    // One cell, whatever the loop does.
    let accesses = within(own).into_iter().flat_map(Statement::accesses);
    let accesses: Vec<&Access> = accesses.filter(|it| it.array == array).collect();
    let mut changing: BTreeSet<ScalarId> = assigned(&part.before);
    changing.extend(within(own).into_iter().flat_map(Statement::ranges).map(|it| it.variable));
    for access in &accesses {
        let is_fixed = access.indices.iter().all(|it| {
            it.reads().next().is_none() && it.scalars().all(|it| !changing.contains(&it))
        });
        if !is_fixed {
            return Err(refuse("the loop changes which cell it is"));
        }
        for other in [read.as_ref(), stored] {
            let mut pairs = access.indices.iter().zip(&other.indices);
            if !pairs.all(|(p, q)| matching.clone().expr(p, q)) {
                return Err(refuse("the loop touches another cell of the array"));
            }
        }
    }
    if !reads_first(old, array.0) {
        return Err(refuse("its first statement does not read and write the cell"));
    }
    let mut scope = scope(before, &part.before, true);
    let context = context(&mut scope, &part, &matching).ok_or_else(too_large)?;
    let mut none = System::default();
    let from = scope.affine(&old.range.from, &mut none).filter(|_| none == System::default());
    let runs = from.and_then(|it| scope.range(&old.range, &it));
    let runs = runs.and_then(|it| it.substitute(&|it| matching.forms.get(&it).cloned()));
    if !runs.is_some_and(|it| context.implies(&it)) {
        return Err(refuse("the loop may not run at all"));
    }
    matching.held = Some((array, *held));
    let is_same = matching.statement(own, second);
    matching.held = None;
    if !is_same {
        return Err(refuse("the loop is not the same"));
    }
    if part.rest_matches(&mut matching) {
        return Ok(());
    }
    Err(wrong("what follows the part is not the same"))
}

/// Nothing else knows the scalar.
fn only_there(after: &Program, held: ScalarId, part: &[&Statement]) -> Result<(), Refusal> {
    let count = |all: Vec<&Statement>| {
        let mentions = |it: &&Statement| {
            let assigns = matches!(it, Statement::Assign { target, .. } if *target == held);
            assigns || it.expressions().any(|it| it.scalars().any(|it| it == held))
        };
        all.iter().filter(|it| mentions(it)).count()
    };
    let inside = count(part.iter().flat_map(|it| within(it)).collect());
    let all = count(after.body.iter().flat_map(within).collect());
    let is_answer = after.answer.iter().any(|it| it.scalars().any(|it| it == held));
    if inside == all && !is_answer { Ok(()) } else { Err(Refusal::new("the scalar is not new")) }
}

/// Whether the first thing that each iteration does to an array is to read it, for sure, and then it
/// writes it.
fn reads_first(it: &For, array: usize) -> bool {
    fn reads(expr: &Expr, array: usize) -> bool {
        match &expr.kind {
            ExprKind::Element(access) => access.array.0 == array,
            ExprKind::Conditional(_) => false,
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, _) => reads(left, array),
            _ => expr.operands().any(|it| reads(it, array)),
        }
    }
    match it.body.first() {
        Some(Statement::Store { access, value, .. }) => {
            access.array.0 == array && reads(value, array) && it.while_true.is_none()
        }
        _ => false,
    }
}
