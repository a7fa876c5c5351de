//! The order of instructions in a basic block of machine code.
//!
//! `ptxas` begins early what is waited for long. It is taken to schedule by lists: of what is ready and
//! finds a register the instruction with the longest way to the end of its block goes first. No access
//! passes a store to the same space, unless both addresses are known to differ or the kernel does not
//! write what it reads. Where a load from global memory stays behind a store so, the list is made from
//! the block's end: `ptxas` begins what the next iterations read one or two of them ahead, not all at
//! once (`shift_and`, `dp_opt`). Constants were chosen by comparing basic blocks with those of `ptxas`
//! 13 for sm_90 (`benches/peers/ptxas`); where several did as well there, by times of the sets in view.

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

/// By instruction, those that must come after it (or before it), and how many cycles.
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
    for ((_, block), (after, values)) in blocks.iter_mut().zip(&known) {
        if let Some(after) = after {
            let late = loads_wait_for_stores(block).then(|| from_the_end(after));
            let order = late
                .filter(|it| Pressure::of(it, values) <= budget)
                .unwrap_or_else(|| within_budget(after, values, budget));
            let mut lines: Vec<Option<Line>> = block.drain(..).map(Some).collect();
            block.extend(order.into_iter().filter_map(|at| lines[at].take()));
        }
        boards::assign(block);
    }
    blocks
}

/// Registers that are taken, instruction after instruction.
#[derive(Clone)]
struct Pressure {
    values: Values,
    taken: i64,
    most: i64,
}

impl Pressure {
    fn before(values: &Values) -> Self {
        let taken = i64::from(values.before);
        Self { values: values.clone(), taken, most: taken }
    }

    /// The most that an order takes.
    fn of(order: &[usize], values: &Values) -> i64 {
        let mut pressure = Self::before(values);
        order.iter().for_each(|at| pressure.done(*at));
        pressure.most
    }

    /// How many more an instruction takes.
    fn more(&self, at: usize) -> i64 {
        self.values.change(at)
    }

    fn done(&mut self, at: usize) {
        self.taken += self.more(at);
        self.most = self.most.max(self.taken);
        self.values.done(at);
    }
}

/// The order of a block's instructions: of what finds registers the longest way to the end goes first;
/// else what frees most.
fn within_budget(after: &Dependences, values: &Values, budget: i64) -> Vec<usize> {
    let heights = ways(after, (0..after.len()).rev());
    let key = |pressure: &Pressure, at: usize, wait| {
        let more = pressure.more(at);
        let over = if more <= 0 || pressure.taken + more <= budget { 0 } else { more };
        (Reverse(over), Reverse(wait), heights[at], Reverse(at))
    };
    listed(after, &mut Pressure::before(values), key, Pressure::done)
}

/// Cycles of the longest way on from each instruction, those that it leads to being told before it.
fn ways(on: &Dependences, order: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut ways = vec![0; on.len()];
    for at in order {
        let way = |&(next, wait): &(usize, u32)| ways[next] + wait.max(1);
        ways[at] = on[at].iter().map(way).max().unwrap_or(0);
    }
    ways
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

/// The order of a block's instructions, chosen from its end: each as late as what waits for it allows,
/// and of several the one with the longest way from the beginning.
fn from_the_end(after: &Dependences) -> Vec<usize> {
    let mut before: Dependences = vec![vec![]; after.len()];
    for (at, all) in after.iter().enumerate() {
        all.iter().for_each(|&(next, wait)| before[next].push((at, wait)));
    }
    let depths = ways(&before, 0..after.len());
    let key = |(): &(), at: usize, wait| (Reverse(wait), depths[at], at);
    let mut order = listed(&before, &mut (), key, |(), _| ());
    order.reverse();
    order
}

/// How many registers a block cannot do without: as it is written, or if what needs fewest goes first.
fn needs(after: &Dependences, values: &Values) -> u32 {
    let as_written: Vec<usize> = (0..after.len()).collect();
    let mut sparing = Pressure::before(values);
    let key = |pressure: &Pressure, at: usize, _| (Reverse(pressure.more(at)), Reverse(at));
    listed(after, &mut sparing, key, Pressure::done);
    Pressure::of(&as_written, values).min(sparing.most) as u32
}

/// Instructions one after another, of those whose turn it may be the one with the greatest key: of what
/// was done so far, its number, and cycles until it can begin.
fn listed<S, K: Ord>(
    on: &Dependences,
    state: &mut S,
    key: impl Fn(&S, usize, u32) -> K,
    done: impl Fn(&mut S, usize),
) -> Vec<usize> {
    let mut left = vec![0; on.len()];
    on.iter().flatten().for_each(|&(next, _)| left[next] += 1);
    let mut ready_at = vec![0_u32; on.len()];
    let mut ready: Vec<usize> = (0..on.len()).filter(|it| left[*it] == 0).collect();
    let (mut order, mut now) = (vec![], 0);
    while let Some(best) = (0..ready.len()).max_by_key(|&it| {
        let at = ready[it];
        key(state, at, ready_at[at].saturating_sub(now))
    }) {
        let at = ready.swap_remove(best);
        done(state, at);
        let begun = now.max(ready_at[at]);
        now = begun + 1;
        order.push(at);
        for &(next, wait) in &on[at] {
            left[next] -= 1;
            ready_at[next] = ready_at[next].max(begun + wait);
            if left[next] == 0 {
                ready.push(next);
            }
        }
    }
    order
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
