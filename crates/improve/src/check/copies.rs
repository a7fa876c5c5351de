//! Reads of an array become reads of a copy in shared memory: legal if what is read of the copy was
//! written to it from the very cell, and nothing writes the array meanwhile.

use std::collections::BTreeSet;

use memory_machine_core::language::program::{ArrayId, ExprKind, Program, Statement};
use memory_machine_core::language::syntax::Role;

use super::certificate::{Copies, Refusal};
use super::definition::is_defined;
use super::expression::Scope;
use super::leaves::{Leaf, Storage, leaves, within};
use super::matching::Matching;
use super::part::{Part, part};
use super::schedule::{context, in_bounds, scope, too_large};
use crate::integers::{Affine, System, Variable};

pub(super) fn verify(before: &Program, after: &Program, proof: &Copies) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &Default::default())?;
    let part = part(&mut matching, proof.depth)?;
    let ([_], [copying, used]) = (&part.before[..], &part.after[..]) else {
        return Err(Refusal::new("a copy is one statement before another"));
    };
    let array = named(before, &proof.array).ok_or_else(|| Refusal::new("no such array"))?;
    let copy = named(after, &proof.copy).ok_or_else(|| Refusal::new("no such copy"))?;
    let source_array = named(after, &proof.array).ok_or_else(|| Refusal::new("no such array"))?;
    let (of, to) = (&before.arrays[array.0], &after.arrays[copy.0]);
    let is_held = to.role == Role::Register;
    let is_known = of.role.is_given() || is_held && of.role == Role::Shared;
    if !is_known || !is_held && to.role != Role::Shared || of.element != to.element {
        let message = "a copy is shared, or in registers, and of a given array of its type";
        return Err(Refusal::new(message));
    }
    if before.arrays.iter().any(|it| it.name == proof.copy) {
        return Err(Refusal::new("the copy is not new"));
    }
    unwritten(before, &part, array)?;
    if is_held {
        one_iteration(before, &part)?;
    }
    let own: BTreeSet<usize> = [copying, used]
        .into_iter()
        .flat_map(|it| within(it))
        .flat_map(Statement::accesses)
        .map(|it| it.site.0)
        .collect();
    let mut sites = after.sites.iter().enumerate().filter(|it| it.1.array == copy);
    if !sites.all(|it| own.contains(&it.0)) {
        return Err(Refusal::new("the copy is used elsewhere, too"));
    }
    let mut old_scope = scope(before, &part.before, true);
    let context = context(&mut old_scope, &part, &matching).ok_or_else(too_large)?;
    let mut new_scope = scope(after, &part.after, false);
    let copied = leaves(&mut new_scope, &[copying]);
    let [writer] = &copied[..] else { return Err(Refusal::new("a copy is one statement")) };
    if matching.arrays.get(&array).is_some_and(|it| it.0 != source_array) {
        return Err(Refusal::new("the copy is of another array"));
    }
    let source = source(&mut new_scope, writer, copy, source_array)?;
    for (array, domain) in [(copy, &writer.domain), (source_array, &source.reads)] {
        if in_bounds(after, &context.and(domain), writer, array) != Some(true) {
            let name = &after.arrays[array.0].name;
            return Err(Refusal::new(format!("a copy leaves the bounds of `{name}`")));
        }
    }
    if of.role == Role::Shared && !is_defined(after, copying, source_array) {
        return Err(Refusal::new("what is copied may not have been written"));
    }
    matching.copy = Some((array, copy));
    if !matching.statement(part.before[0], used) {
        return Err(Refusal::at(before, super::leaves::span(part.before[0]), "it is not the same"));
    }
    if matching.arrays.values().any(|it| it.0 == copy) {
        return Err(Refusal::new("the copy stands for another array, too"));
    }
    let readers = leaves(&mut new_scope, &[used]);
    for read in std::mem::take(&mut matching.copied) {
        let refuse = |message: &str| Refusal::at(before, read.span, message);
        let has = |leaf: &&Leaf<'_>| {
            within(leaf.statement)
                .into_iter()
                .flat_map(Statement::accesses)
                .any(|it| it.site == read.site)
        };
        let reader = readers.iter().find(has).ok_or_else(|| refuse("it is not read there"))?;
        // The iteration that wrote the cell.
        let value = |it: Variable| {
            let place = source.places.iter().position(|place| *place == it)?;
            Some(read.cell[place].clone())
        };
        let mut wanted = source.reads.substitute(&value).ok_or_else(too_large)?;
        for (from, meant) in source.cell.iter().zip(&read.meant) {
            let from = from.substitute(&value).ok_or_else(too_large)?;
            wanted.equal(&from, meant).ok_or_else(too_large)?;
        }
        if !context.and(&reader.domain).implies(&wanted) {
            return Err(refuse("what is read of the copy was not copied from there"));
        }
    }
    matching.copy = None;
    if part.rest_matches(&mut matching) {
        return Ok(());
    }
    Err(Refusal::new("what follows the part is not the same"))
}

/// The only array of a name.
pub(super) fn named(program: &Program, name: &str) -> Option<ArrayId> {
    let mut all = program.arrays.iter().enumerate().filter(|it| it.1.name == name);
    let first = all.next()?.0;
    all.next().is_none().then_some(ArrayId(first))
}

/// Nothing on the DMMs writes the array; of a shared one, nothing between two barriers.
fn unwritten(before: &Program, part: &Part<'_>, array: ArrayId) -> Result<(), Refusal> {
    let is_shared = before.arrays[array.0].role == Role::Shared;
    let mut around = part.around.iter().filter_map(|it| it.0);
    let is_meant = |it: &&Statement| match it {
        Statement::Blocks(_) => !is_shared,
        Statement::Parallel(_) => is_shared,
        _ => false,
    };
    let Some(outer) = around.find(is_meant) else {
        return Err(Refusal::new("a copy is in a loop on DMMs"));
    };
    for statement in within(outer) {
        if let Statement::Store { access, .. } = statement
            && access.array == array
        {
            return Err(Refusal::at(before, access.span, "the array is written, too"));
        }
    }
    Ok(())
}

/// Each thread of a block has one iteration of the nest around, so that its registers are that one's.
fn one_iteration(before: &Program, part: &Part<'_>) -> Result<(), Refusal> {
    let around = || part.around.iter().filter_map(|it| it.0);
    let threads = around().find_map(|it| match it {
        Statement::Blocks(it) => Some(&before.blocks[it.id.0].threads.kind),
        _ => None,
    });
    let nest = around().find(|it| it.is_nest());
    let mut all = 1_i64;
    for range in nest.iter().flat_map(|it| it.ranges()) {
        let (ExprKind::Integer(from), ExprKind::Integer(to)) = (&range.from.kind, &range.to.kind)
        else {
            return Err(Refusal::new("how many iterations a thread has depends on sizes"));
        };
        let count = (to - from + 1).max(0);
        all = all.checked_mul(count).ok_or_else(too_large)?;
    }
    match (threads, nest) {
        (Some(ExprKind::Integer(threads)), Some(_)) if *threads >= all => Ok(()),
        _ => Err(Refusal::new("a thread may have several iterations")),
    }
}

/// Where a copy comes from.
struct CopySource {
    /// For each index of the copy, which loop's variable it is.
    places: Vec<Variable>,
    /// The cell of the array, in terms of these variables.
    cell: Vec<Affine>,
    /// For which values of them it is read; for others the copy has a number.
    reads: System,
}

/// What a leaf writes to the copy, if each of its points writes another cell.
fn source(
    scope: &mut Scope<'_>,
    writer: &Leaf<'_>,
    copy: ArrayId,
    array: ArrayId,
) -> Result<CopySource, Refusal> {
    let wrong = || Refusal::new("a copy is `copy[x, y] ← array[…]` for every x and y");
    let Statement::Store { access, value, .. } = writer.statement else { return Err(wrong()) };
    let mut reads = writer.domain.clone();
    let value = match &value.kind {
        ExprKind::Conditional(parts) => {
            let [condition, value, otherwise] = &**parts;
            let is_number = matches!(otherwise.kind, ExprKind::Integer(_) | ExprKind::Float(_));
            // Nothing but loops' variables and sizes decides.
            let known = scope.conjunction(condition).filter(|_| is_number).ok_or_else(wrong)?;
            reads = reads.and(&known);
            value
        }
        _ => value,
    };
    let ExprKind::Element(read) = &value.kind else { return Err(wrong()) };
    if access.array != copy || read.array != array || writer.touches.len() != 2 {
        return Err(wrong());
    }
    let cell = |storage| {
        let touch = writer.touches.iter().find(|it| it.storage == Storage::Array(storage))?;
        let is_plain = touch.alternatives.iter().all(|it| *it == System::default());
        touch.cell.clone().filter(|_| is_plain)
    };
    let (to, from) = (cell(copy).ok_or_else(wrong)?, cell(array).ok_or_else(wrong)?);
    let mut places = vec![];
    for index in &to {
        let level = writer.levels.iter().find(|it| Affine::variable(it.variable) == *index);
        let variable = level.ok_or_else(wrong)?.variable;
        if places.contains(&variable) {
            return Err(wrong());
        }
        places.push(variable);
    }
    if places.len() != writer.levels.len() {
        return Err(wrong());
    }
    Ok(CopySource { places, cell: from, reads })
}
