//! Which instructions decide on branches, guards and addresses, and whether values in memory do.

use super::instruction::Instruction;
use super::opcode::Opcode;
use super::operand::{Condition, REGISTERS, is_fixed};

/// Registers, a bit each.
type RegisterSet = [u64; REGISTERS.div_ceil(64)];

const NO_REGISTERS: RegisterSet = [0; REGISTERS.div_ceil(64)];

fn has(set: &RegisterSet, register: u16) -> bool {
    set[usize::from(register / 64)] >> (register % 64) & 1 == 1
}

fn put(set: &mut RegisterSet, register: u16, is: bool) {
    let bit = 1 << (register % 64);
    let word = &mut set[usize::from(register / 64)];
    *word = if is { *word | bit } else { *word & !bit };
}

/// Adds what another has; whether there was any more.
fn join(set: &mut RegisterSet, other: &RegisterSet) -> bool {
    let before = *set;
    set.iter_mut().zip(other).for_each(|(it, other)| *it |= other);
    *set != before
}

/// By instruction, those that may follow; `jumps` are those that a table has.
fn successors(instructions: &[Instruction], jumps: &[usize]) -> Vec<Vec<usize>> {
    let calls = instructions.iter().enumerate().filter(|it| it.1.opcode == Opcode::Call);
    let calls: Vec<usize> = calls.map(|it| it.0 + 1).collect();
    let of = |(at, it): (usize, &Instruction)| {
        let may_pass = it.is_guarded() || it.conditions[0] != Condition::ALWAYS;
        let (mut all, goes_on) = match it.opcode {
            Opcode::Bra | Opcode::BraAny | Opcode::Call => (vec![it.target as usize], may_pass),
            Opcode::Brx => (jumps.to_vec(), may_pass),
            Opcode::Ret => (calls.clone(), may_pass),
            Opcode::Exit => (vec![], may_pass),
            _ => (vec![], true),
        };
        all.extend(goes_on.then_some(at + 1));
        all.retain(|it| *it < instructions.len());
        all
    };
    instructions.iter().enumerate().map(of).collect()
}

/// What an instruction reads that decides on what is done: not on values.
fn decisive(it: &Instruction) -> impl Iterator<Item = u16> + '_ {
    // Which constants threads look up decides on how long it takes.
    let is_lookup = matches!(it.opcode, Opcode::Ldc(_)) && !it.is_uniform();
    let address = it.a.registers().filter(move |_| it.is_access() || is_lookup);
    let shared = it.c.registers().filter(|_| it.is_access());
    let copied = it.b.registers().filter(|_| matches!(it.opcode, Opcode::Ldgsts { .. }));
    let branch = it.conditions.iter().map(|it| it.register).filter(|_| it.is_branch());
    let to = it.a.registers().filter(|_| matches!(it.opcode, Opcode::Brx | Opcode::Ret));
    let all = address.chain(shared).chain(copied).chain(branch).chain(to);
    all.filter(|it| !is_fixed(*it))
}

/// What is known of each instruction. Registers are followed along all ways that the code may go.
pub(super) struct Dataflow {
    /// Whether a branch, a guard or an address depends on what it computes.
    pub(super) decides: Vec<bool>,
    /// Whether values in memory decide on its address.
    pub(super) is_indirect: Vec<bool>,
    /// Whether they decide on any branch, guard or address.
    pub(super) depends_on_values: bool,
}

impl Dataflow {
    pub(super) fn of(instructions: &[Instruction], jumps: &[usize]) -> Self {
        let follow = successors(instructions, jumps);
        let (depends_on_values, is_indirect) = depends_on_values(instructions, &follow);
        let decides = match depends_on_values {
            true => vec![true; instructions.len()],
            false => decides(instructions, &follow),
        };
        Self { decides, is_indirect, depends_on_values }
    }
}

fn decides(instructions: &[Instruction], follow: &[Vec<usize>]) -> Vec<bool> {
    let mut precede = vec![vec![]; instructions.len()];
    for (at, all) in follow.iter().enumerate() {
        all.iter().for_each(|it| precede[*it].push(at));
    }
    // What is wanted after each instruction, from the last one on.
    let mut wanted = vec![NO_REGISTERS; instructions.len()];
    let mut decides = vec![false; instructions.len()];
    let mut left: Vec<usize> = (0..instructions.len()).collect();
    while let Some(at) = left.pop() {
        let it = &instructions[at];
        let mut before = wanted[at];
        let is_wanted = it.writes().any(|register| has(&before, register));
        decides[at] |= is_wanted;
        if !it.is_guarded() {
            it.writes().for_each(|register| put(&mut before, register, false));
        }
        if is_wanted && !it.is_access() {
            it.reads().for_each(|register| put(&mut before, register, true));
        }
        if it.is_guarded() && (is_wanted || it.is_access() || it.is_branch()) {
            put(&mut before, it.guard.register, true);
        }
        decisive(it).for_each(|register| put(&mut before, register, true));
        for &previous in &precede[at] {
            if join(&mut wanted[previous], &before) {
                left.push(previous);
            }
        }
    }
    decides
}

fn depends_on_values(instructions: &[Instruction], follow: &[Vec<usize>]) -> (bool, Vec<bool>) {
    let mut known = vec![None; instructions.len()];
    let mut left = vec![];
    if !instructions.is_empty() {
        known[0] = Some(NO_REGISTERS);
        left.push(0);
    }
    while let Some(at) = left.pop() {
        let (it, Some(before)) = (&instructions[at], known[at]) else { continue };
        let loads = matches!(it.opcode, Opcode::Ld(_) | Opcode::Atom(_));
        let guard = has(&before, it.guard.register);
        let is_value = loads || guard || it.reads().any(|register| has(&before, register));
        let mut after = before;
        for register in it.writes().filter(|_| is_value || !it.is_guarded()) {
            put(&mut after, register, is_value);
        }
        for &next in &follow[at] {
            let has_changed = match &mut known[next] {
                Some(set) => join(set, &after),
                none => {
                    *none = Some(after);
                    true
                }
            };
            if has_changed {
                left.push(next);
            }
        }
    }
    let all = || instructions.iter().zip(&known);
    let depends = all().any(|(it, known)| {
        let Some(known) = known else { return false };
        let guards = (it.is_access() || it.is_branch()) && has(known, it.guard.register);
        guards || decisive(it).any(|register| has(known, register))
    });
    let is_indirect = all().map(|(it, known)| {
        let is_value = |register| known.is_some_and(|known| has(&known, register));
        it.is_access() && it.a.registers().any(is_value)
    });
    (depends, is_indirect.collect())
}
