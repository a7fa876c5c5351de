//! Reads of an array become reads of a copy in shared memory: legal if what is read of the copy was
//! written to it from the very cell, and nothing writes the array meanwhile.

use std::collections::BTreeSet;

use memory_machine_core::language::program::{ArrayId, ExprKind, Program, Statement};
use memory_machine_core::language::syntax::Role;

use super::certificate::{Copies, Refusal};
use super::leaves::{Leaf, Storage, leaves, within};
use super::matching::Matching;
use super::part::{Part, part};
use super::schedule::{context, scope, too_large};
use crate::integers::{Affine, System, Variable};

pub(super) fn verify(before: &Program, after: &Program, proof: &Copies) -> Result<(), Refusal> {
    let mut matching = Matching::new([before, after], &Default::default())?;
    let part = part(&mut matching, proof.depth)?;
    let ([_], [copying, used]) = (&part.before[..], &part.after[..]) else {
        return Err(Refusal::new("a copy is one statement before another"));
    };
    let named = |program: &Program, name: &str| {
        program.arrays.iter().position(|it| it.name == name).map(ArrayId)
    };
    let array = before.array_named(&proof.array).ok_or_else(|| Refusal::new("no such array"))?;
    let copy = named(after, &proof.copy).ok_or_else(|| Refusal::new("no such copy"))?;
    let (of, to) = (&before.arrays[array.0], &after.arrays[copy.0]);
    if !of.role.is_given() || to.role != Role::Shared || of.element != to.element {
        return Err(Refusal::new("a copy is shared, and of a given array of its type"));
    }
    let names = |it: &Program| it.arrays.iter().filter(|it| it.name == proof.copy).count();
    if names(before) != 0 || names(after) != 1 {
        return Err(Refusal::new("the copy is not new"));
    }
    unwritten(before, &part, array)?;
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
    let source = source(writer, copy, matching.arrays[&array].0)?;
    in_bounds(after, &context, writer)?;
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
        let mut wanted = writer.domain.substitute(&value).ok_or_else(too_large)?;
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

/// Nothing on the DMMs writes the array.
fn unwritten(before: &Program, part: &Part<'_>, array: ArrayId) -> Result<(), Refusal> {
    let mut around = part.around.iter().filter_map(|it| it.0);
    let Some(blocks) = around.find(|it| matches!(it, Statement::Blocks(_))) else {
        return Err(Refusal::new("a copy is in a loop on DMMs"));
    };
    for statement in within(blocks) {
        if let Statement::Store { access, .. } = statement
            && access.array == array
        {
            return Err(Refusal::at(before, access.span, "the array is written, too"));
        }
    }
    Ok(())
}

/// Where a copy comes from.
struct CopySource {
    /// For each index of the copy, which loop's variable it is.
    places: Vec<Variable>,
    /// The cell of the array, in terms of these variables.
    cell: Vec<Affine>,
}

/// What a leaf writes to the copy, if each of its points writes another cell.
fn source(writer: &Leaf<'_>, copy: ArrayId, array: ArrayId) -> Result<CopySource, Refusal> {
    let wrong = || Refusal::new("a copy is `copy[x, y] ← array[…]` for every x and y");
    let Statement::Store { access, value, .. } = writer.statement else { return Err(wrong()) };
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
    Ok(CopySource { places, cell: from })
}

/// Whether a copy reads and writes no cell that does not exist.
fn in_bounds(after: &Program, context: &System, writer: &Leaf<'_>) -> Result<(), Refusal> {
    let base = context.and(&writer.domain);
    let mut sizes = scope(after, &[], false);
    for touch in &writer.touches {
        let (Storage::Array(array), Some(cell)) = (touch.storage, &touch.cell) else { continue };
        for (index, extent) in cell.iter().zip(&after.arrays[array.0].extents) {
            let mut wanted = System::default();
            let extent = sizes.affine(extent, &mut wanted).ok_or_else(too_large)?;
            wanted.at_most(&Affine::default(), index, 0).ok_or_else(too_large)?;
            wanted.at_most(index, &extent, 1).ok_or_else(too_large)?;
            if !base.implies(&wanted) {
                let name = &after.arrays[array.0].name;
                return Err(Refusal::new(format!("a copy leaves the bounds of `{name}`")));
            }
        }
    }
    Ok(())
}
