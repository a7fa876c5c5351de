//! How many registers a thread has, and which values take them.
//!
//! `ptxas` gives a thread as few registers as let a multiprocessor hold all threads that it can (32 of
//! 65,536 for 2,048 threads), and more only where the values of a kernel need them, in steps of eight.
//! So few reads of a loop that is written out are under way at once.

use std::collections::HashMap;

use super::instruction::{Class, Form, Instruction, Opcode, Preset, depending};
use super::predication::{Labelled, Line};

/// Registers that a thread has at least, and the steps of more.
const LEAST: u32 = 32;
const STEP: u32 = 8;
/// Registers that hold no value of the kernel.
const RESERVED: u32 = 2;
/// Registers that values take at most which a block neither reads nor writes: more of them are computed
/// anew, or are the same for all threads.
const PASSING: u32 = 10;

/// A set of virtual registers, a bit each.
type Set = Vec<u64>;

fn has(set: &Set, register: u32) -> bool {
    set[register as usize / 64] >> (register % 64) & 1 == 1
}

/// What the scheduler must know of a kernel's values.
#[derive(Debug)]
pub(super) struct Registers {
    /// By virtual register, how many of the machine's it takes.
    widths: Vec<u32>,
    /// By block, virtual registers that are read after it.
    live: Vec<Set>,
}

/// Registers that the values of a kernel have which cannot do without so many.
pub(super) fn budget(needs: u32) -> u32 {
    (needs + RESERVED).max(LEAST).next_multiple_of(STEP) - RESERVED
}

impl Registers {
    /// Of a kernel with so many virtual registers.
    pub(super) fn of(blocks: &[Labelled], count: usize, presets: &[(u32, Preset)]) -> Self {
        Self { widths: widths(blocks, count, presets), live: live(blocks, count) }
    }

    /// The values of a block.
    pub(super) fn values(&self, number: usize, block: &[Line]) -> Values {
        let mut values =
            Values { widths: vec![], uses: vec![], read: vec![], written: vec![], before: 0 };
        let mut current: HashMap<u32, usize> = HashMap::new();
        let mut of = |values: &mut Values, register: u32, is_new: bool| {
            let known = current.get(&register).copied().filter(|_| !is_new);
            known.unwrap_or_else(|| {
                let value = values.widths.len();
                values.widths.push(self.widths[register as usize]);
                values.uses.push(0);
                current.insert(register, value);
                value
            })
        };
        let mut from_before = vec![];
        for (instruction, _) in block {
            let mut read: Vec<usize> = vec![];
            for register in kept_for(instruction) {
                let count = values.widths.len();
                let value = of(&mut values, register, false);
                if value == count {
                    from_before.push(value);
                }
                read.push(value);
            }
            read.sort_unstable();
            read.dedup();
            for &value in &read {
                values.uses[value] += 1;
            }
            let written = instruction.to.iter().map(|it| of(&mut values, *it, true)).collect();
            values.read.push(read);
            values.written.push(written);
        }
        // What is read after the block is held to its end, and what only passes through it, too.
        for register in (0..self.widths.len() as u32).filter(|it| has(&self.live[number], *it)) {
            match current.get(&register) {
                Some(&value) => values.uses[value] += 1,
                None => values.before += self.widths[register as usize],
            }
        }
        values.before = values.before.min(PASSING);
        values.before += from_before.iter().map(|it| values.widths[*it]).sum::<u32>();
        values
    }
}

/// Values of a block: those that registers hold when it begins, and those that it computes.
#[derive(Debug, Clone)]
pub(super) struct Values {
    /// By value, registers that it takes, and how often it is still read.
    widths: Vec<u32>,
    uses: Vec<u32>,
    /// By instruction, values that it reads, and that it writes.
    read: Vec<Vec<usize>>,
    written: Vec<Vec<usize>>,
    /// Registers that are taken when the block begins.
    pub(super) before: u32,
}

impl Values {
    /// How many registers more are taken after an instruction than before it.
    pub(super) fn change(&self, at: usize) -> i64 {
        let sum = |values: &[usize], uses: u32| -> i64 {
            let found = values.iter().filter(|it| match uses {
                0 => self.uses[**it] > 0,
                _ => self.uses[**it] == uses,
            });
            found.map(|it| i64::from(self.widths[*it])).sum()
        };
        sum(&self.written[at], 0) - sum(&self.read[at], 1)
    }

    /// An instruction is done.
    pub(super) fn done(&mut self, at: usize) {
        for &value in &self.read[at] {
            self.uses[value] -= 1;
        }
    }
}

/// By virtual register, how many of the machine's it takes.
///
/// What is the same for all threads of a warp has registers of its own, which `ptxas` uses where the
/// threads stay together.
fn widths(blocks: &[Labelled], count: usize, presets: &[(u32, Preset)]) -> Vec<u32> {
    let mut is_thread = vec![false; count];
    let mut widths = vec![0; count];
    for &(register, preset) in presets {
        is_thread[register as usize] = preset == Preset::Thread;
        widths[register as usize] = u32::from(preset == Preset::Thread);
    }
    let all = || blocks.iter().flat_map(|it| &it.1).map(|it| &it.0);
    let differs = depending(all, is_thread);
    // But for a first branch to the end of those that have nothing to do.
    let last = blocks
        .iter()
        .rev()
        .find(|it| it.1.len() > 1 || it.0.is_some())
        .and_then(|it| it.0.as_deref());
    let parts = all_branches(blocks).any(|(it, label)| {
        it.guard.is_some_and(|guard| differs[guard.0 as usize]) && Some(label) != last
    });
    for it in all() {
        let bytes = match it.opcode {
            Opcode::Setp(_) => 0,
            // What is multiplied waits in its place.
            Opcode::MulWide if it.form == Form::Fused => it.ty.bytes,
            Opcode::MulWide => 2 * it.ty.bytes,
            Opcode::Unpack => 4,
            Opcode::Pack => 8,
            // The upper half of an integer that is made wider is computed where it is used.
            Opcode::Cvt(from, _) if !from.is_float() && !it.ty.is_float() => {
                from.bytes.min(it.ty.bytes)
            }
            _ if it.ty.class == Class::Predicate => 0,
            _ => it.ty.bytes,
        };
        for &to in &it.to {
            let takes = differs[to as usize] || parts && it.opcode != Opcode::Mov;
            widths[to as usize] = if takes { bytes.div_ceil(4) as u32 } else { 0 };
        }
    }
    widths
}

/// Registers whose values must be there for an instruction: what is written under a predicate stays as it
/// is in some threads.
fn kept_for(it: &Instruction) -> impl Iterator<Item = u32> {
    it.reads().chain(it.to.iter().copied().filter(|_| it.guard.is_some()))
}

fn all_branches(blocks: &[Labelled]) -> impl Iterator<Item = (&Instruction, &str)> {
    let all = blocks.iter().flat_map(|it| &it.1);
    all.filter(|it| it.0.opcode == Opcode::Bra).map(|it| (&it.0, &*it.1))
}

/// By block, what is read after it before it is written.
fn live(blocks: &[Labelled], count: usize) -> Vec<Set> {
    let words = count.div_ceil(64);
    let places: HashMap<&str, usize> =
        blocks.iter().enumerate().filter_map(|(at, it)| Some((it.0.as_deref()?, at))).collect();
    let next = |at: usize| {
        let last = blocks[at].1.last();
        let to = last.filter(|it| it.0.opcode == Opcode::Bra).and_then(|it| places.get(&*it.1));
        let ends = last.is_some_and(|(it, _)| {
            matches!(it.opcode, Opcode::Bra | Opcode::Ret) && it.guard.is_none()
        });
        let following = (at + 1 < blocks.len() && !ends).then_some(at + 1);
        to.copied().into_iter().chain(following)
    };
    let mut reads: Vec<Set> = vec![vec![0; words]; blocks.len()];
    let mut writes = reads.clone();
    for (at, (_, block)) in blocks.iter().enumerate() {
        for (it, _) in block {
            for register in kept_for(it).filter(|from| !has(&writes[at], *from)) {
                reads[at][register as usize / 64] |= 1 << (register % 64);
            }
            for &to in &it.to {
                writes[at][to as usize / 64] |= 1 << (to % 64);
            }
        }
    }
    let mut before = reads.clone();
    let mut after: Vec<Set> = vec![vec![0; words]; blocks.len()];
    loop {
        let mut has_changed = false;
        for at in (0..blocks.len()).rev() {
            for following in next(at) {
                for word in 0..words {
                    after[at][word] |= before[following][word];
                }
            }
            for word in 0..words {
                let new = reads[at][word] | after[at][word] & !writes[at][word];
                has_changed |= new != before[at][word];
                before[at][word] = new;
            }
        }
        if !has_changed {
            return after;
        }
    }
}
