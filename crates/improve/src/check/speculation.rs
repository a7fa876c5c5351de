//! Guards are dropped of what is computed in registers: legal if what the new points write, no old point
//! reads, and if the new points cannot fail.

use std::collections::BTreeMap;

use memory_machine_core::language::program::{ExprKind, Program, Statement};
use memory_machine_core::language::syntax::{BinaryOp, Role};

use super::certificate::{Refusal, Speculation};
use super::definition::reads_written;
use super::leaves::{Leaf, Storage, Touch, leaves};
use super::matching::Matching;
use super::order::second;
use super::part::part;
use super::schedule::{context, in_bounds, scope, too_large};
use crate::integers::{Affine, System, Variable};

/// A leaf after the step, with the points that it had before.
struct Guarded<'a> {
    leaf: Leaf<'a>,
    real: System,
}

pub(super) fn verify(
    before: &Program,
    after: &Program,
    proof: &Speculation,
) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &Default::default())?;
    let part = part(&mut matching, proof.depth)?;
    let ([old @ Statement::Blocks(p)], [new @ Statement::Blocks(q)]) =
        (&part.before[..], &part.after[..])
    else {
        return Err(Refusal::new("guards are dropped in a loop on DMMs"));
    };
    let shapes = (&before.blocks[p.id.0], &after.blocks[q.id.0]);
    if shapes.0.arrays != shapes.1.arrays || !matching.expr(&shapes.0.threads, &shapes.1.threads) {
        return Err(Refusal::new("the loop on DMMs has another head"));
    }
    let mut old_scope = scope(before, &part.before, true);
    let mut new_scope = scope(after, &part.after, false);
    let context = context(&mut old_scope, &part, &matching).ok_or_else(too_large)?;
    let old_leaves = leaves(&mut old_scope, &[old]);
    let new_leaves = leaves(&mut new_scope, &[new]);
    if old_leaves.len() != new_leaves.len() {
        return Err(Refusal::new("guards aside, the statements are not the same"));
    }
    let mut ids = (BTreeMap::new(), BTreeMap::new());
    let mut all = vec![];
    for (old, new) in old_leaves.into_iter().zip(new_leaves) {
        let refuse = |message: &str| Refusal::at(before, old.span, message);
        let is_same = old.levels.len() == new.levels.len()
            && old.levels.iter().zip(&new.levels).all(|(p, q)| {
                p.sequence == q.sequence
                    && *ids.0.entry(p.id).or_insert(q.id) == q.id
                    && *ids.1.entry(q.id).or_insert(p.id) == p.id
            });
        if !is_same {
            return Err(refuse("the loops around it are not the same"));
        }
        for (p, q) in old.levels.iter().zip(&new.levels) {
            matching.forget(p.scalar);
            if !matching.scalar(p.scalar, q.scalar) {
                return Err(refuse("the loops around it are not the same"));
            }
        }
        let put = |it: Variable| matching.forms.get(&it).cloned();
        let real = old.domain.substitute(&put).ok_or_else(too_large)?;
        if !context.and(&real).implies(&new.domain) {
            return Err(refuse("the statement runs less often"));
        }
        if !matching.statement(old.statement, new.statement) {
            return Err(refuse("the statement is not the same"));
        }
        old.levels.iter().for_each(|it| matching.forget(it.scalar));
        all.push(Guarded { leaf: new, real });
    }
    let leaves: Vec<Leaf<'_>> = all.iter().map(|it| it.leaf.clone()).collect();
    for it in &all {
        if !context.and(&it.leaf.domain).implies(&it.real) {
            cannot_fail(after, it, &leaves, &context)
                .and_then(|()| is_unread(it, &all, &context))
                .map_err(|why| Refusal::at(after, it.leaf.span, why))?;
        }
    }
    if part.rest_matches(&mut matching) {
        return Ok(());
    }
    Err(Refusal::new("what follows the part is not the same"))
}

/// Whether a statement does nothing but compute in registers, wherever it runs now.
fn cannot_fail(
    after: &Program,
    it: &Guarded<'_>,
    all: &[Leaf<'_>],
    context: &System,
) -> Result<(), &'static str> {
    let Statement::Store { access, value, atomic: None, .. } = it.leaf.statement else {
        return Err("without its guard it does more than to write a register");
    };
    if after.arrays[access.array.0].role != Role::Register {
        return Err("without its guard it does more than to write a register");
    }
    let is_safe = |op: BinaryOp| {
        use BinaryOp::{Add, Max, Min, Multiply, Subtract};
        matches!(op, Add | Subtract | Multiply | Min | Max)
    };
    let mut parts = value.parts().chain(access.indices.iter().flat_map(|it| it.parts()));
    let is_total = parts.all(|part| match &part.kind {
        ExprKind::Binary(op, ..) => {
            is_safe(*op) || part.element.is_float() && *op == BinaryOp::Divide
        }
        ExprKind::Entry(..) | ExprKind::Convert(_) | ExprKind::Let(..) => false,
        _ => true,
    });
    if !is_total {
        return Err("without its guard it might fail");
    }
    let domain = context.and(&it.leaf.domain);
    for touch in &it.leaf.touches {
        let Storage::Array(array) = touch.storage else {
            return Err("without its guard it needs a scalar");
        };
        if !after.arrays[array.0].role.is_local() {
            return Err("without its guard it needs global memory");
        }
        if in_bounds(after, &domain, &it.leaf, array) != Some(true) {
            return Err("without its guard it leaves the bounds of an array");
        }
        if !reads_written(all, &it.leaf, array, &domain) {
            return Err("without its guard it may read what was never written");
        }
    }
    Ok(())
}

/// Whether no point that ran before reads what the new points write.
fn is_unread(it: &Guarded<'_>, all: &[Guarded<'_>], context: &System) -> Result<(), &'static str> {
    const UNKNOWN: &str = "whose register it is cannot be told";
    let regions = beyond(&it.leaf.domain, &it.real).ok_or(UNKNOWN)?;
    for write in it.leaf.touches.iter().filter(|it| it.writes) {
        for other in all {
            let reads = other.leaf.touches.iter();
            for read in reads.filter(|it| it.storage == write.storage && !it.writes) {
                let moved = |it: Variable| second(&other.leaf.levels, it);
                let real = context.and(&other.real).substitute(&moved).ok_or(UNKNOWN)?;
                let same = same_cell(write, read, &moved).ok_or(UNKNOWN)?;
                let both = context.and(&real).and(&same);
                if !regions.iter().all(|region| both.and(region).is_empty()) {
                    return Err("what it writes without its guard is read");
                }
            }
        }
    }
    Ok(())
}

/// When a write and a read, whose variables are moved, are of one cell.
fn same_cell(
    write: &Touch,
    read: &Touch,
    moved: &impl Fn(Variable) -> Option<Affine>,
) -> Option<System> {
    let mut system = System::default();
    let (owner, other) = (write.owner.as_ref()?, read.owner.as_ref()?);
    let cells = write.cell.as_ref()?.iter().zip(read.cell.as_ref()?);
    for (one, other) in owner.iter().zip(other).chain(cells) {
        system.equal(one, &other.substitute(moved)?)?;
    }
    Some(system)
}

/// The points of a domain that are not in another: one of these systems holds for each.
fn beyond(domain: &System, real: &System) -> Option<Vec<System>> {
    let mut found = vec![];
    let mut without = |it: &Affine, by: i128| {
        let mut system = domain.clone();
        system.quotients.extend(real.quotients.iter().cloned());
        system.least.push(it.scale(-by)?.plus(&Affine::constant(1), -1)?);
        found.push(system);
        Some(())
    };
    for it in &real.zero {
        without(it, 1)?;
        without(it, -1)?;
    }
    for it in &real.least {
        without(it, 1)?;
    }
    Some(found)
}
