//! Branches past a few instructions that machine code does not have.
//!
//! `ptxas` does what a short branch would pass under a predicate instead (CUDA C++ Programming Guide,
//! 'Control flow instructions'), and so has longer blocks to order: reads go ahead of what is decided.

use std::collections::HashMap;

use super::instruction::{Form, Instruction, Opcode};

/// Instructions of machine code that are done under a predicate at most.
const MOST: usize = 7;

/// An instruction, of a branch with its label.
pub(super) type Line = (Instruction, String);

/// A basic block: the label before it, and its instructions.
pub(super) type Labelled = (Option<String>, Vec<Line>);

/// The same without such branches.
pub(super) fn predicated(blocks: Vec<Labelled>) -> Vec<Labelled> {
    let mut comers: HashMap<String, usize> = HashMap::new();
    for (_, block) in &blocks {
        for (_, label) in block.iter().filter(|it| it.0.opcode == Opcode::Bra) {
            *comers.entry(label.clone()).or_default() += 1;
        }
    }
    let mut done: Vec<Labelled> = vec![];
    let mut blocks = blocks.into_iter().peekable();
    while let Some((label, block)) = blocks.next() {
        let next = blocks.peek().and_then(|it| it.0.as_deref());
        let before = done.last_mut().filter(|_| label.is_none());
        let Some((_, before)) = before.filter(|it| may_be_passed(&it.1, &block, next)) else {
            done.push((label, block));
            continue;
        };
        let Some((branch, end)) = before.pop() else { continue };
        let guard = branch.guard.map(|(register, is_negated)| (register, !is_negated));
        before.extend(block.into_iter().map(|(it, label)| (Instruction { guard, ..it }, label)));
        // Where nobody else comes from, the block goes on.
        if comers.get(&end) == Some(&1) {
            before.extend(blocks.next().into_iter().flat_map(|it| it.1));
        }
    }
    done
}

/// Whether a block ends with a branch past another one, to the next, and that can be done under its
/// predicate.
fn may_be_passed(before: &[Line], block: &[Line], next: Option<&str>) -> bool {
    let Some((Instruction { opcode: Opcode::Bra, guard: Some((guard, _)), .. }, to)) =
        before.last()
    else {
        return false;
    };
    let is_plain = |(it, _): &Line| {
        let is_moved = !matches!(it.opcode, Opcode::Bra | Opcode::Ret | Opcode::Bar | Opcode::Atom);
        let is_copy = matches!(
            it.opcode,
            Opcode::CpAsync(_) | Opcode::CpAsyncCommit | Opcode::CpAsyncWait(_)
        );
        is_moved && !is_copy && !it.has_branches() && it.guard.is_none() && !it.to.contains(guard)
    };
    let own = block.iter().filter(|it| it.0.form != Form::Fused).count();
    (1..=MOST).contains(&own) && next == Some(to) && block.iter().all(is_plain)
}
