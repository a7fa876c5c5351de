//! The order of instructions in a basic block of machine code.
//!
//! `ptxas` begins early what is waited for long. It is taken to schedule by lists: of what is ready and
//! finds a register the instruction with the longest way to the end of its block goes first. No access
//! passes a store to the same space, unless both addresses are known to differ or the kernel does not
//! write what it reads. Constants were chosen by comparing basic blocks with those of `ptxas` 13 for
//! sm_90 (`benches/peers/ptxas`); where several did as well there, by times of the sets in view.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::boards;
use super::instruction::{Form, Instruction, Opcode, Preset};
use super::predication::{Labelled, Line};
use super::registers::{Registers, Values, budget};

/// Cycles that the compiler expects to wait.
const READ: u32 = 20;
const COMPUTED: u32 = 4;

/// Longer blocks stay as they are: each instruction is compared with all that are ready.
const LONGEST: usize = 4000;

/// A kernel's basic blocks, of so many virtual registers, in the order in which a multiprocessor gets
/// them.
pub(super) fn in_machine_order(
    blocks: Vec<Labelled>,
    count: usize,
    presets: &[(u32, Preset)],
) -> Vec<Labelled> {
    let registers = Registers::of(&blocks, count, presets);
    let values = |at: usize, block: &[Line]| registers.values(at, block);
    let needs = blocks.iter().enumerate().map(|(at, (_, block))| needs(block, values(at, block)));
    let budget = budget(needs.max().unwrap_or(0));
    let ordered = |(at, (label, mut block)): (usize, Labelled)| {
        if block.len() <= LONGEST {
            let values = values(at, &block);
            block = listed_block(block, values, budget.into());
        }
        boards::assign(&mut block);
        (label, block)
    };
    blocks.into_iter().enumerate().map(ordered).collect()
}

fn listed_block(block: Vec<Line>, values: Values, budget: i64) -> Vec<Line> {
    let after = dependences(&block);
    // Cycles from an instruction to the end.
    let mut heights = vec![0; block.len()];
    for at in (0..block.len()).rev() {
        let height = |&(next, wait): &(usize, u32)| heights[next] + wait.max(1);
        heights[at] = after[at].iter().map(height).max().unwrap_or(0);
    }
    // Of what finds registers the longest way to the end goes first; else what frees most.
    let (order, _) = listed(&after, values, |at, wait, taken, more| {
        let over = if more <= 0 || taken + more <= budget { 0 } else { more };
        (Reverse(over), Reverse(wait), heights[at], Reverse(at))
    });
    let mut block: Vec<Option<_>> = block.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| block[at].take()).collect()
}

/// How many registers a block cannot do without: as it is written, or if what needs fewest goes first.
pub(super) fn needs(block: &[Line], values: Values) -> u32 {
    if block.len() > LONGEST {
        return values.before;
    }
    let after = dependences(block);
    let as_written = listed(&after, values.clone(), |at, _, _, _| Reverse(at)).1;
    let sparing = listed(&after, values, |at, _, _, more| (Reverse(more), Reverse(at))).1;
    as_written.min(sparing) as u32
}

/// Instructions one after another, of those whose turn it may be the one with the greatest key: of its
/// number, cycles until it can begin, registers taken and how many more it takes. And the most registers
/// that are taken.
fn listed<K: Ord>(
    after: &[Vec<(usize, u32)>],
    mut values: Values,
    key: impl Fn(usize, u32, i64, i64) -> K,
) -> (Vec<usize>, i64) {
    let mut before = vec![0; after.len()];
    after.iter().flatten().for_each(|&(next, _)| before[next] += 1);
    let mut ready_at = vec![0_u32; after.len()];
    let mut ready: Vec<usize> = (0..after.len()).filter(|it| before[*it] == 0).collect();
    let (mut order, mut now) = (vec![], 0);
    let mut taken = i64::from(values.before);
    let mut most = taken;
    while let Some(best) = (0..ready.len()).max_by_key(|&it| {
        let at = ready[it];
        key(at, ready_at[at].saturating_sub(now), taken, values.change(at))
    }) {
        let at = ready.swap_remove(best);
        taken += values.change(at);
        most = most.max(taken);
        values.done(at);
        let begun = now.max(ready_at[at]);
        now = begun + 1;
        order.push(at);
        for &(next, wait) in &after[at] {
            before[next] -= 1;
            ready_at[next] = ready_at[next].max(begun + wait);
            if before[next] == 0 {
                ready.push(next);
            }
        }
    }
    (order, most)
}

/// By instruction, those that must come after it, and how many cycles.
fn dependences(block: &[Line]) -> Vec<Vec<(usize, u32)>> {
    let mut after: Vec<Vec<(usize, u32)>> = vec![vec![]; block.len()];
    let mut written: HashMap<u32, usize> = HashMap::new();
    let mut read: HashMap<u32, Vec<usize>> = HashMap::new();
    let (mut stores, mut loads): (Vec<usize>, Vec<usize>) = (vec![], vec![]);
    let mut fence: Option<usize> = None;
    for (at, (instruction, _)) in block.iter().enumerate() {
        for register in instruction.reads() {
            if let Some(&from) = written.get(&register) {
                after[from].push((at, wait(&block[from].0)));
            }
            read.entry(register).or_default().push(at);
        }
        for &register in &instruction.to {
            for from in read.remove(&register).into_iter().flatten().filter(|it| *it != at) {
                after[from].push((at, 0));
            }
            if let Some(from) = written.insert(register, at) {
                after[from].push((at, 0));
            }
        }
        if let Some(from) = fence {
            after[from].push((at, 0));
        }
        let meets = |other: &&usize| may_meet(&block[**other].0, instruction);
        match instruction.opcode {
            Opcode::Ld(_) => {
                stores.iter().filter(meets).for_each(|it| after[*it].push((at, 0)));
                loads.push(at);
            }
            Opcode::St(_) => {
                let others = stores.iter().chain(&loads);
                others.filter(meets).for_each(|it| after[*it].push((at, 0)));
                stores.push(at);
            }
            _ if instruction.has_branches() => {
                (0..at).for_each(|it| after[it].push((at, 0)));
                fence = Some(at);
            }
            Opcode::Bar
            | Opcode::Bra
            | Opcode::Ret
            | Opcode::Atom
            | Opcode::CpAsync(_)
            | Opcode::CpAsyncCommit
            | Opcode::CpAsyncWait(_) => {
                (0..at).for_each(|it| after[it].push((at, 0)));
                fence = Some(at);
            }
            _ => {}
        }
    }
    after
}

fn wait(instruction: &Instruction) -> u32 {
    match instruction.opcode {
        _ if instruction.form == Form::Fused => 0,
        Opcode::Ld(_) | Opcode::LdReadOnly => READ,
        Opcode::Mov => 0,
        _ => COMPUTED,
    }
}

/// Whether two accesses may be to the same place.
fn may_meet(one: &Instruction, other: &Instruction) -> bool {
    let space = |it: &Instruction| match it.opcode {
        Opcode::Ld(space) | Opcode::St(space) => Some(space),
        _ => None,
    };
    let bytes = |it: &Instruction| it.ty.bytes * it.to.len().max(it.from.len() - 1) as u64;
    let are_apart = one.from[0] == other.from[0]
        && (one.offset - other.offset).unsigned_abs() >= bytes(one).max(bytes(other));
    space(one) == space(other) && !are_apart
}
