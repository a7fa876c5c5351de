//! How long instructions take, in cycles.

use super::distance::Before;
use super::instruction::{Form, Instruction, Opcode, Type};

/// A scheduler's units: for integers and comparisons, for products, for conversions.
pub const UNITS: usize = 3;
const INTEGERS: usize = 0;
const PRODUCTS: usize = 1;
const CONVERSIONS: usize = 2;

/// Cycles of a scheduler that an instruction takes, and until its result is there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Instructions of machine code that it becomes.
    pub instructions: f64,
    /// Cycles until a scheduler begins the next one of this warp.
    pub slots: f64,
    /// Cycles of each of its units.
    pub units: [f64; UNITS],
    /// Cycles until another instruction can use the result.
    pub latency: f64,
}

impl Cost {
    fn of(instructions: f64, slots: f64, latency: f64) -> Self {
        Self { instructions, slots, units: [0.0; UNITS], latency }
    }

    /// Of so many that take so many cycles of units, one begun each cycle.
    fn on<const N: usize>(instructions: f64, units: [(usize, f64); N], latency: f64) -> Self {
        let mut cost = Self::of(instructions, instructions, latency);
        units.into_iter().for_each(|(unit, cycles)| cost.units[unit] = cycles);
        cost
    }

    /// Of so many that integers' units do, at half the rate.
    fn integers(instructions: f64, latency: f64) -> Self {
        Self::on(instructions, [(INTEGERS, 2.0 * instructions)], latency)
    }

    /// Of so many that either units do.
    fn sums(instructions: f64, latency: f64) -> Self {
        Self::on(instructions, [(INTEGERS, instructions), (PRODUCTS, instructions)], latency)
    }

    /// Of so many products of integers, which take so many cycles.
    fn products(instructions: f64, cycles: f64, latency: f64) -> Self {
        Self::on(instructions, [(PRODUCTS, cycles)], latency)
    }
}

/// A multiprocessor, as one of its blocks finds it: in cycles, and in address groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Latency of a sum or a comparison of 32 bits.
    pub simple: f64,
    /// Latency of a sum or product of f64, and cycles of a scheduler.
    pub f64: [f64; 2],
    /// The same of a product of 64-bit integers: two words' with 64 bits take half of it.
    pub product64: [f64; 2],
    /// Latency, and cycles of a scheduler, of quotients of integers of 32 and 64 bits.
    pub quotient: [f64; 2],
    /// As above.
    pub quotient64: [f64; 2],
    /// The same of quotients and roots of f32 and f64.
    pub f32_quotient: [f64; 2],
    /// As above.
    pub f64_quotient: [f64; 2],
    /// As above.
    pub f32_root: [f64; 2],
    /// As above.
    pub f64_root: [f64; 2],
    /// Cycles that a warp loses where a branch is taken.
    pub branch: f64,
    /// Until a word is there from the first cache, from the last-level cache, from memory.
    pub near: f64,
    /// As above; what the multiprocessor had before, and what is new to it.
    pub far: [f64; 2],
    /// As above.
    pub memory: f64,
    /// The same from shared memory.
    pub shared: f64,
    /// From the last warp's coming to a barrier until they go on, and for each warp more.
    pub barrier: [f64; 2],
    /// Address groups of the share of the first cache that the warps which run have.
    pub near_groups: f64,
    /// What comes from memory.
    pub beyond: Beyond,
}

/// What of the accesses beyond the first cache goes on to memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beyond {
    /// What was never accessed before, or so long ago that the last-level cache, of which the warps
    /// which run have so many address groups, does not hold it.
    Groups(f64),
    /// So large a part of them.
    Part(f64),
}

/// A cache has all that was accessed before so small a part of the groups that it holds, nothing that
/// was accessed before so large a multiple of them, and of what lies between a part that falls evenly.
///
/// Of the first cache: rows of words, one a thread, gone through again and again by 64 to 1024 threads
/// of a multiprocessor (`models/measurements/nvidia-h200/2026-11-25/rows.csv`). Of the last-level cache,
/// whose size is found by one thread's chain: lines that each thread has for itself, read, written, or
/// both (`last_level.csv` beside it, and of the H100); a half of that cache keeps a copy of what its
/// multiprocessors read from the other.
const NEAR: [f64; 2] = [0.75, 1.5];
/// As above.
const FAR: [f64; 2] = [1.4, 2.2];

/// How likely a cache of so many groups still has what was accessed before so many.
fn share(holds: f64, before: Before, [all, nothing]: [f64; 2]) -> f64 {
    ((nothing - before.groups / holds) / (nothing - all)).clamp(0.0, 1.0)
}

/// Cycles until a word of another stage of the first cache is there, or of shared memory.
pub(super) const STAGE: f64 = 2.0;
/// Cycles of the units for conversions that one takes, or a count of bits.
const CONVERTED: f64 = 8.0;
/// Cycles until what is decided is known to what it decides on.
pub(super) const DECIDED: f64 = 9.0;
/// Cycles that a warp loses at a branch that it does not take.
pub(super) const PASSED: f64 = 4.0;

impl Timing {
    /// The parts of an access that the first cache, the last-level cache and memory serve.
    pub(super) fn served(&self, before: Before) -> [f64; 3] {
        let near = before.held * self.near(before);
        let far = (1.0 - near) * self.kept(before);
        [near, far, (1.0 - near - far).max(0.0)]
    }

    /// How likely the first cache still has a group.
    pub(super) fn near(&self, before: Before) -> f64 {
        share(self.near_groups, before, NEAR)
    }

    /// The part of an access beyond the first cache that the last-level cache has.
    pub(super) fn kept(&self, before: Before) -> f64 {
        match self.beyond {
            Beyond::Groups(holds) => before.known * share(holds, before, FAR),
            Beyond::Part(part) => 1.0 - part,
        }
    }

    /// Cycles until words are there that the levels serve in such parts, after so many stages.
    pub(super) fn read(&self, [near, far, memory]: [f64; 3], is_new: bool, stages: f64) -> f64 {
        let beyond = self.far[usize::from(is_new)];
        near * self.near + far * beyond + memory * self.memory + STAGE * (stages - 1.0)
    }

    /// What an instruction takes, memory aside. How many instructions of machine code it becomes was
    /// read from disassembled kernels (sm_90): copies and conversions between integers vanish in
    /// register allocation, integers of 64 bits take two of 32.
    pub(super) fn cost(&self, instruction: &Instruction) -> Cost {
        let Type { bytes, .. } = instruction.ty;
        let (is_float, is_wide) = (instruction.ty.is_float(), bytes == 8);
        let simple = self.simple;
        let [latency, product] = self.product64;
        // Keeps the units for integers waiting, too.
        let wide = Cost::on(1.0, [(INTEGERS, 2.5), (PRODUCTS, 0.5 * product)], simple + 1.0);
        let of = |instructions, [latency, slots]: [f64; 2]| Cost::of(instructions, slots, latency);
        let conversion = || Cost::on(1.0, [(CONVERSIONS, CONVERTED)], 3.0 * CONVERTED);
        match instruction.opcode {
            _ if instruction.form == Form::Fused => Cost::default(),
            _ if instruction.form == Form::WithProduct => wide,
            _ if instruction.form == Form::Half => Cost::integers(1.0, simple),
            // Of a constant, as others are fused; of numbers that are no integers they stand in what
            // uses them, or in registers of the whole warp.
            Opcode::Mov if !is_float => {
                let words = if is_wide { 2.0 } else { 1.0 };
                Cost::products(words, 2.0 * words, simple)
            }
            Opcode::Mov | Opcode::Pack | Opcode::Unpack => Cost::default(),
            Opcode::Cvt(from, _) if !is_float && !from.is_float() => {
                // The upper half is copies of the sign.
                match is_wide && from.is_signed() && !from.is_wide() {
                    true => Cost::integers(1.0, simple),
                    false => Cost::default(),
                }
            }
            Opcode::Cvt(from, _) if !is_wide && !from.is_float() && from.bytes == 4 => {
                Cost::integers(1.0, simple)
            }
            Opcode::Cvt(..) => conversion(),
            Opcode::Popc | Opcode::Clz => match is_wide {
                true => Cost::on(
                    3.0,
                    [(CONVERSIONS, 2.0 * CONVERTED), (INTEGERS, 2.0)],
                    4.0 * CONVERTED,
                ),
                false => conversion(),
            },
            Opcode::Abs | Opcode::Neg if is_float => Cost::default(),
            Opcode::Div if is_float => match is_wide {
                true => of(14.0, self.f64_quotient),
                false => of(9.0, self.f32_quotient),
            },
            Opcode::Sqrt => match is_wide {
                true => of(14.0, self.f64_root),
                false => of(8.0, self.f32_root),
            },
            Opcode::Div | Opcode::Rem => match is_wide {
                true => of(70.0, self.quotient64),
                false => of(20.0, self.quotient),
            },
            Opcode::Add | Opcode::Sub | Opcode::MulLo | Opcode::Mad | Opcode::Setp(_)
                if is_float && is_wide =>
            {
                of(1.0, self.f64)
            }
            Opcode::Add | Opcode::Sub | Opcode::MulLo | Opcode::Mad if is_float => {
                Cost::products(1.0, 1.0, simple)
            }
            // Products of integers go to half as many units.
            Opcode::MulLo | Opcode::Mad => match is_wide {
                true => Cost::on(3.0, [(INTEGERS, 3.5), (PRODUCTS, product)], 0.6 * latency),
                false => Cost::products(1.0, 2.0, simple),
            },
            // Four wide ones, and corrections where factors have signs.
            Opcode::MulHi if is_wide => match instruction.ty.is_signed() {
                true => Cost::on(13.0, [(INTEGERS, 25.0), (PRODUCTS, 20.0)], 1.5 * latency),
                false => Cost::on(7.0, [(INTEGERS, 14.0), (PRODUCTS, 18.0)], 1.5 * latency),
            },
            Opcode::MulHi | Opcode::MulWide => wide,
            Opcode::Add | Opcode::Sub => match is_wide {
                // The upper half's goes to either units, as many a product.
                true => Cost::on(2.0, [(INTEGERS, 2.9), (PRODUCTS, 1.05)], 1.5 * simple),
                false => Cost::sums(1.0, simple),
            },
            Opcode::Min | Opcode::Max if is_wide => Cost::integers(4.0, 2.0 * simple),
            Opcode::Selp if is_wide => Cost::integers(2.0, 1.5 * simple),
            Opcode::Setp(_) => match is_wide {
                true => Cost::integers(2.0, 2.0 * simple),
                false => Cost::integers(1.0, simple),
            },
            Opcode::Atom => Cost::of(1.0, 1.0, self.far[0]),
            Opcode::Ld(_)
            | Opcode::LdReadOnly
            | Opcode::St(_)
            | Opcode::CpAsync(_)
            | Opcode::CpAsyncCommit
            | Opcode::CpAsyncWait(_)
            | Opcode::Bar
            | Opcode::Bra
            | Opcode::Ret => Cost::of(1.0, 1.0, 0.0),
            _ if bytes == 1 => {
                Cost { instructions: 0.5, slots: 0.5, ..Cost::integers(0.5, simple) }
            }
            _ if is_wide && !is_float => Cost::integers(2.0, 1.5 * simple),
            _ => Cost::integers(1.0, simple),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().skip(1).map(|it| it.split(',').collect())
    }

    fn after(groups: f64) -> Before {
        Before { groups, ..Before::default() }
    }

    /// Rows that are read again and again: of each sector's eight words the first may miss.
    #[test]
    fn the_first_cache_keeps_what_was_counted() {
        let counted = include_str!("../../models/measurements/nvidia-h200/2026-11-25/rows.csv");
        let mut looked = 0;
        for row in rows(counted).filter(|it| it[0] == "0" && it[2] != "1024") {
            let [_, blocks, threads, words, turns, loads, hits] =
                [0, 1, 2, 3, 4, 5, 6].map(|at| row[at].parse::<f64>().unwrap());
            let sectors = blocks * threads * words / 8.0;
            // The first turn finds nothing.
            let missed = ((loads - hits) / sectors - 1.0) / (turns - 1.0);
            let kept = share(1720.0, after(threads * words / 32.0), NEAR);
            assert!((1.0 - kept - missed).abs() < 0.4, "{row:?}: {missed} and {kept}");
            looked += 1;
        }
        assert_eq!(looked, 24);
    }

    /// Lines of threads' own that are read again and again: from the cache, from memory, or in between.
    #[test]
    fn the_last_level_cache_keeps_what_was_measured() {
        // Bytes that a chain finds it to hold, as the machines' files say.
        for (measured, holds) in [
            (
                include_str!("../../models/measurements/nvidia-h200/2026-11-25/last_level.csv"),
                30_899_321.0,
            ),
            (
                include_str!("../../models/measurements/nvidia-h100/2026-11-25/last_level.csv"),
                25_259_681.0,
            ),
        ] {
            let of = |row: Vec<&str>| {
                let number = |at: usize| row[at].parse::<f64>().unwrap();
                (number(5), number(8) / (number(4) * number(6)))
            };
            let reads = rows(measured).filter(|it| it[0] == "private" && it[1] == "0");
            let reads = reads.filter(|it| (it[2], it[3]) == ("132", "256"));
            let lines: Vec<(f64, f64)> = reads.map(of).collect();
            let time = |is: &dyn Fn(f64) -> bool| {
                let of: Vec<f64> = lines.iter().filter(|it| is(it.0)).map(|it| it.1).collect();
                of.iter().sum::<f64>() / of.len() as f64
            };
            let cache = time(&|it| it > 0.5 * holds && it < holds);
            let memory = time(&|it| it > 4.0 * holds);
            for (bytes, time) in lines.into_iter().filter(|it| it.0 > 0.5 * holds) {
                let kept = (memory - time) / (memory - cache);
                let told = share(holds, after(bytes), FAR);
                assert!((kept - told).abs() < 0.4, "{bytes}: {kept} and {told}");
            }
        }
    }
}
