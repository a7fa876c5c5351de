//! Whether what is read of a block's own arrays has been written before, for sure: what was not is an error.

use memory_machine_core::language::program::{ArrayId, Program, Statement};
use memory_machine_core::language::walk;

use super::leaves::{Leaf, Sequence, Storage, Touch, leaves};
use super::schedule::{scope, sizes};
use crate::integers::{Affine, System};

/// Whether every cell that a statement on the DMMs reads of one of their arrays was written before.
pub(super) fn is_defined(program: &Program, reader: &Statement, array: ArrayId) -> bool {
    let Some(at) = program.blocks.iter().position(|it| it.arrays.contains(&array.0)) else {
        return false;
    };
    let is_own = |it: &&Statement| matches!(it, Statement::Blocks(it) if it.id.0 == at);
    let Some(blocks) = walk::statements(&program.body).find(is_own) else { return false };
    let mut scope = scope(program, &[blocks], false);
    let Some(context) = sizes(&mut scope) else { return false };
    let all = leaves(&mut scope, &[blocks]);
    let inside: Vec<&Statement> = super::leaves::within(reader);
    let own = |it: &&Leaf<'_>| inside.iter().any(|other| std::ptr::eq(*other, it.statement));
    all.iter().filter(own).all(|it| reads_written(&all, it, array, &context.and(&it.domain)))
}

/// Whether a leaf reads only cells of an array that leaves before it have written for the same points.
pub(super) fn reads_written(
    all: &[Leaf<'_>],
    reader: &Leaf<'_>,
    array: ArrayId,
    domain: &System,
) -> bool {
    let is_read = |it: &&Touch| it.storage == Storage::Array(array) && !it.writes;
    reader.touches.iter().filter(is_read).all(|touch| {
        let before = all.iter().filter(|it| it.at < reader.at);
        before.into_iter().any(|it| writes(it, reader, touch, domain) == Some(true))
    })
}

/// Whether a leaf has written what another reads, in the same iteration of the loops around both.
fn writes(writer: &Leaf<'_>, reader: &Leaf<'_>, read: &Touch, domain: &System) -> Option<bool> {
    let Statement::Store { .. } = writer.statement else { return None };
    let is_write = |it: &&Touch| it.storage == read.storage && it.writes;
    let written = writer.touches.iter().find(is_write)?;
    let is_plain = |it: &Touch| it.alternatives.iter().all(|it| *it == System::default());
    if !is_plain(written) || !is_plain(read) {
        return None;
    }
    let (cell, owner) = (written.cell.as_ref()?, written.owner.as_ref()?);
    let (read_cell, read_owner) = (read.cell.as_ref()?, read.owner.as_ref()?);
    let levels = writer.levels.iter().zip(&reader.levels);
    let common = levels.take_while(|(one, other)| one.id == other.id).count();
    let is_nest = |it: &&super::leaves::Level| it.sequence == Sequence::Nest;
    let mut threads = reader.levels[common..].iter().filter(is_nest);
    let mut known = vec![];
    for level in &writer.levels[common..] {
        let own = Affine::variable(level.variable);
        let thread = if is_nest(&level) { threads.next() } else { None };
        // The point that wrote the cell: by its index, or the same thread.
        let value = match (cell.iter().position(|it| *it == own), thread) {
            (Some(at), _) => read_cell[at].clone(),
            (None, Some(it)) => Affine::variable(it.variable),
            (None, None) => return None,
        };
        known.push((level.variable, value));
    }
    let value = |it| known.iter().find(|(variable, _)| *variable == it).map(|it| it.1.clone());
    let mut wanted = writer.domain.substitute(&value)?;
    let pairs = cell.iter().zip(read_cell).chain(owner.iter().zip(read_owner));
    if owner.len() != read_owner.len() {
        return None;
    }
    for (one, other) in pairs {
        wanted.equal(&one.substitute(&value)?, other)?;
    }
    Some(domain.implies(&wanted))
}
