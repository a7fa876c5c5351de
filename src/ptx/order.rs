//! The order of instructions in a basic block of machine code.
//!
//! `ptxas` begins early what is waited for long. It is taken to schedule by lists: of what is ready the
//! instruction with the longest way to the end of its block goes first, but none passes many others. No
//! access passes a store to the same space, unless both addresses are known to differ.

use std::collections::HashMap;

use super::instruction::{Instruction, Opcode, Space};

/// Cycles that the compiler expects to wait.
const READ: u32 = 30;
const COMPUTED: u32 = 4;

/// Instructions by which one may pass others: registers are few, so that not all reads of a loop that is
/// written out are begun at once. (Disassembled loops have a turn or two under way.)
const AHEAD: usize = 32;

/// Longer blocks stay as they are: each instruction is compared with all that are ready.
const LONGEST: usize = 4000;

/// Instructions with the labels that branches go to.
type Block = Vec<(Instruction, String)>;

/// A basic block in the order in which a multiprocessor gets it.
pub(super) fn in_machine_order(block: Block) -> Block {
    if block.len() > LONGEST {
        return block;
    }
    let after = dependences(&block);
    let mut before = vec![0; block.len()];
    after.iter().flatten().for_each(|&(next, _)| before[next] += 1);
    // Cycles from an instruction to the end.
    let mut heights = vec![0; block.len()];
    for at in (0..block.len()).rev() {
        let height = |&(next, wait): &(usize, u32)| heights[next] + wait.max(1);
        heights[at] = after[at].iter().map(height).max().unwrap_or(0);
    }
    let mut ready_at = vec![0; block.len()];
    let mut ready: Vec<usize> = (0..block.len()).filter(|it| before[*it] == 0).collect();
    let (mut order, mut now) = (vec![], 0);
    let key = |at: usize, now: u32, ready_at: &[u32]| {
        let wait = ready_at[at].saturating_sub(now);
        (std::cmp::Reverse(wait), heights[at], std::cmp::Reverse(at))
    };
    let (mut oldest, mut is_done) = (0, vec![false; block.len()]);
    while let Some(best) = (0..ready.len())
        .filter(|it| ready[*it] < oldest + AHEAD)
        .max_by_key(|&it| key(ready[it], now, &ready_at))
    {
        let at = ready.swap_remove(best);
        is_done[at] = true;
        while is_done.get(oldest) == Some(&true) {
            oldest += 1;
        }
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
    let mut block: Vec<Option<_>> = block.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| block[at].take()).collect()
}

/// By instruction, those that must come after it, and how many cycles.
fn dependences(block: &Block) -> Vec<Vec<(usize, u32)>> {
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
            // One store ahead, as disassembled code has it.
            Opcode::LdReadOnly => {
                let is_global = |it: &&usize| block[**it].0.opcode == Opcode::St(Space::Global);
                let global = stores.iter().rev().filter(is_global);
                global.skip(1).for_each(|it| after[*it].push((at, 0)));
            }
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
