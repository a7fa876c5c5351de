//! The order of instructions in a basic block of machine code.
//!
//! `ptxas` begins early what is waited for long. It is taken to schedule by lists: of what is ready and
//! finds a register the instruction with the longest way to the end of its block goes first. No access
//! passes a store to the same space, unless both addresses are known to differ or the kernel does not
//! write what it reads. Where a load from global memory stays behind a store so, the list is made from
//! the block's end: `ptxas` begins what the next iterations read one or two of them ahead, not all at
//! once (`shift_and`, `dp_opt`). Constants were chosen by comparing basic blocks with those of `ptxas` 13 for
//! sm_90 (`benches/peers/ptxas`); where several did as well there, by times of the sets in view.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::boards;
use super::instruction::{Form, Instruction, Opcode, Preset, Space};
use super::predication::{Labelled, Line};
use super::registers::{Registers, Values, budget};

/// Cycles that the compiler expects to wait.
const READ: u32 = 20;
const COMPUTED: u32 = 4;

/// Longer blocks stay as they are: each instruction is compared with all that are ready.
const LONGEST: usize = 4000;

/// By instruction, those that must come after it, and how many cycles.
type Dependences = Vec<Vec<(usize, u32)>>;

/// A kernel's basic blocks, of so many virtual registers, in the order in which a multiprocessor gets
/// them.
pub(super) fn in_machine_order(
    mut blocks: Vec<Labelled>,
    count: usize,
    presets: &[(u32, Preset)],
) -> Vec<Labelled> {
    let registers = Registers::of(&blocks, count, presets);
    let known = |(at, (_, block)): (usize, &Labelled)| {
        let after = (block.len() <= LONGEST).then(|| dependences(block));
        (after, registers.values(at, block))
    };
    let known: Vec<_> = blocks.iter().enumerate().map(known).collect();
    let needs = known.iter().map(|(after, values)| match after {
        Some(after) => needs(after, values),
        None => values.before,
    });
    let budget = i64::from(budget(needs.max().unwrap_or(0)));
    for ((_, block), (after, values)) in blocks.iter_mut().zip(known) {
        if let Some(after) = after {
            let late = loads_wait_for_stores(block).then(|| from_the_end(&after));
            let order = late
                .filter(|it| most_taken(it, values.clone()) <= budget)
                .unwrap_or_else(|| within_budget(&after, values, budget));
            let mut lines: Vec<Option<Line>> = block.drain(..).map(Some).collect();
            block.extend(order.into_iter().filter_map(|at| lines[at].take()));
        }
        boards::assign(block);
    }
    blocks
}

/// The order of a block's instructions: of what finds registers the longest way to the end goes first;
/// else what frees most.
fn within_budget(after: &Dependences, values: Values, budget: i64) -> Vec<usize> {
    // Cycles from an instruction to the end.
    let mut heights = vec![0; after.len()];
    for at in (0..after.len()).rev() {
        let height = |&(next, wait): &(usize, u32)| heights[next] + wait.max(1);
        heights[at] = after[at].iter().map(height).max().unwrap_or(0);
    }
    let key = |at: usize, wait, taken, more| {
        let over = if more <= 0 || taken + more <= budget { 0 } else { more };
        (Reverse(over), Reverse(wait), heights[at], Reverse(at))
    };
    listed(after, values, key).0
}

/// Whether a load from global memory has to stay behind a store of the block.
fn loads_wait_for_stores(block: &[Line]) -> bool {
    let mut stores: Vec<&Instruction> = vec![];
    block.iter().any(|(it, _)| match it.opcode {
        Opcode::Ld(Space::Global) => stores.iter().any(|store| may_meet(store, it)),
        Opcode::St(Space::Global) => {
            stores.push(it);
            false
        }
        _ => false,
    })
}

/// The most registers that are taken in an order.
fn most_taken(order: &[usize], mut values: Values) -> i64 {
    let (mut taken, mut most) = (i64::from(values.before), 0);
    for &at in order {
        taken += values.change(at);
        most = most.max(taken);
        values.done(at);
    }
    most
}

/// The order of a block's instructions, chosen from its end: each as late as what waits for it allows,
/// and of several the one with the longest way from the beginning.
fn from_the_end(after: &Dependences) -> Vec<usize> {
    let mut before: Dependences = vec![vec![]; after.len()];
    let mut depths = vec![0; after.len()];
    for (at, all) in after.iter().enumerate() {
        for &(next, wait) in all {
            before[next].push((at, wait));
            depths[next] = depths[next].max(depths[at] + wait.max(1));
        }
    }
    let mut left: Vec<usize> = after.iter().map(Vec::len).collect();
    let mut ready_at = vec![0_u32; after.len()];
    let mut ready: Vec<usize> = (0..after.len()).filter(|it| left[*it] == 0).collect();
    let (mut order, mut now) = (vec![], 0);
    while let Some(best) = (0..ready.len()).max_by_key(|&it| {
        let at = ready[it];
        (Reverse(ready_at[at].saturating_sub(now)), depths[at], at)
    }) {
        let at = ready.swap_remove(best);
        let begun = now.max(ready_at[at]);
        now = begun + 1;
        order.push(at);
        for &(from, wait) in &before[at] {
            left[from] -= 1;
            ready_at[from] = ready_at[from].max(begun + wait);
            if left[from] == 0 {
                ready.push(from);
            }
        }
    }
    order.reverse();
    order
}

/// How many registers a block cannot do without: as it is written, or if what needs fewest goes first.
fn needs(after: &Dependences, values: &Values) -> u32 {
    let as_written = listed(after, values.clone(), |at, _, _, _| Reverse(at)).1;
    let sparing = listed(after, values.clone(), |at, _, _, more| (Reverse(more), Reverse(at))).1;
    as_written.min(sparing) as u32
}

/// Instructions one after another, of those whose turn it may be the one with the greatest key: of its
/// number, cycles until it can begin, registers taken and how many more it takes. And the most registers
/// that are taken.
fn listed<K: Ord>(
    after: &Dependences,
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

fn dependences(block: &[Line]) -> Dependences {
    let mut after: Dependences = vec![vec![]; block.len()];
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
