//! What instructions take of a scheduler, its units and its warp, in cycles.

use super::instruction::Instruction;
use super::opcode::{AddressSpace, Opcode};
use super::timing::Timing;

/// A scheduler's units: for integers and comparisons; for products, and of their two halves the one that
/// has integers, too; for conversions and special functions; for f64; its share of the cache of constants;
/// and for what is the same for a whole warp.
pub const UNIT_COUNT: usize = 7;
const INTEGER_UNIT: usize = 0;
const PRODUCT_UNIT: usize = 1;
const INTEGER_PRODUCT_UNIT: usize = 2;
const CONVERSION_UNIT: usize = 3;
const F64_UNIT: usize = 4;
pub(super) const CONSTANT_UNIT: usize = 5;
const UNIFORM_UNIT: usize = 6;
/// Scoreboards of a warp.
pub(super) const SCOREBOARDS: usize = 6;

/// Cycles of a scheduler that an instruction takes, and until its result is there, where no count of the
/// compiler's says so.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Cycles of the scheduler.
    pub slots: f64,
    /// Cycles that its warp waits beyond those that the compiler counts.
    pub late: f64,
    /// Cycles of each of its units.
    pub units: [f64; UNIT_COUNT],
    /// Cycles until its scoreboard is clear.
    pub latency: f64,
}

impl Cost {
    /// One cycle of the scheduler's, and this many of a unit.
    fn on(unit: usize, cycles: f64) -> Self {
        Self { slots: 1.0, ..Self::default() }.and(unit, cycles)
    }

    fn and(mut self, unit: usize, cycles: f64) -> Self {
        self.units[unit] = cycles;
        self
    }

    fn after(self, latency: f64) -> Self {
        Self { latency, ..self }
    }
}

/// Cycles that a warp loses at a branch that it does not take.
pub(super) const NOT_TAKEN_CYCLES: f64 = 6.0;
/// Cycles more where threads part at a branch, and wherever others of a warp go on: fitted, with those that
/// a branch takes, to 22 listings of one warp (`models/measurements/nvidia-h100/2026-11-27/branches`).
pub(super) const DIVERGE_CYCLES: f64 = 13.5;
/// As above.
pub(super) const SWITCH_CYCLES: f64 = 7.0;
/// Cycles until registers that an access or a conversion reads may be overwritten.
pub(super) const OPERAND_READ_CYCLES: f64 = 15.0;
/// Cycles that a warp loses where threads meet.
const RECONVERGE_CYCLES: f64 = 3.0;

/// Cycles of the units for conversions and special functions that one takes, and until it is there.
const CONVERSION_CYCLES: f64 = 8.0;
/// As above.
const CONVERSION_LATENCY_CYCLES: f64 = 17.0;
/// Cycles of the scheduler that operands of two words take.
const F64_SLOT_CYCLES: f64 = 1.65;
/// Cycles until a special register is there.
const SPECIAL_REGISTER_CYCLES: f64 = 20.0;
/// Cycles until a constant is there that is not an operand; if threads look different ones up, and for each
/// of these.
const CONSTANT_CYCLES: f64 = 39.0;
const DIVERGENT_CONSTANT_CYCLES: [f64; 2] = [14.0, 12.0];
/// Cycles that each takes of the four schedulers' cache of constants, in those of one: two of a
/// multiprocessor's (`models/measurements/nvidia-h100/2026-11-26/lookups.csv`, to a hundredth).
pub(super) const CONSTANT_LOOKUP_CYCLES: f64 = 8.0;

impl Timing {
    /// Cycles more until this many different constants are there.
    pub(super) fn constants(&self, different: usize) -> f64 {
        let [some, each] = DIVERGENT_CONSTANT_CYCLES;
        if different > 1 { some + each * (different as f64 - 1.0) } else { 0.0 }
    }

    /// What an instruction takes, memory aside: measured by units (H200's `throughput.csv` of 2026-11-25),
    /// and how long what no count of the compiler's covers takes (`chains.csv` of the H100).
    pub(super) fn cost(&self, instruction: &Instruction) -> Cost {
        let none = Cost { slots: 1.0, ..Cost::default() };
        match instruction.opcode {
            Opcode::Ldc(_) if instruction.is_uniform() => none,
            // Of `three_alignment`'s walk 29 of 38 instructions, which take 58.9 cycles on an H100.
            _ if instruction.is_uniform() => Cost::on(UNIFORM_UNIT, 2.0),
            Opcode::S2r(_) | Opcode::BmovSave => none.after(SPECIAL_REGISTER_CYCLES),
            Opcode::Ldc(_) => none.after(CONSTANT_CYCLES),
            Opcode::Atom(of) if of.space != AddressSpace::Shared => none.after(self.l2[0]),
            Opcode::Bsync => Cost { late: RECONVERGE_CYCLES, ..none },
            Opcode::Mov
            | Opcode::Iadd3 { .. }
            | Opcode::Lea { .. }
            | Opcode::Lop3 { .. }
            | Opcode::Shf { .. }
            | Opcode::Prmt
            | Opcode::Iabs
            | Opcode::Isetp { .. }
            | Opcode::Fsetp(..)
            | Opcode::Plop3(..)
            | Opcode::P2r
            | Opcode::Bmsk { .. }
            | Opcode::Sgxt { .. }
            | Opcode::F2fpPack(_)
            | Opcode::R2p { .. }
            | Opcode::Fset(_)
            | Opcode::Sel
            | Opcode::Fsel
            | Opcode::Fmnmx { .. }
            | Opcode::Vimnmx { .. }
            | Opcode::Vimnmx3 { .. }
            | Opcode::Viaddmnmx { .. }
            | Opcode::I2fp { .. } => Cost::on(INTEGER_UNIT, 2.0),
            Opcode::Fadd
            | Opcode::Fmul
            | Opcode::Ffma
            | Opcode::Hadd2(_)
            | Opcode::Hmul2(_)
            | Opcode::Hfma2(_) => Cost::on(PRODUCT_UNIT, 1.0),
            // Through shared memory's banks, as a word of each thread.
            Opcode::Shfl(_) => none.after(self.shared),
            Opcode::Atom(_) => none.after(self.shared),
            Opcode::Imad { .. } | Opcode::Viadd | Opcode::Idp { .. } => {
                Cost::on(PRODUCT_UNIT, 1.0).and(INTEGER_PRODUCT_UNIT, 2.0)
            }
            // Keeps the units for integers waiting, too, and its warp.
            Opcode::ImadWide { .. } | Opcode::ImadHi { .. } => {
                let of_integers = Cost { late: 2.4, ..Cost::on(INTEGER_UNIT, 2.3) };
                of_integers.and(PRODUCT_UNIT, 2.25).and(INTEGER_PRODUCT_UNIT, 4.5)
            }
            Opcode::Dadd | Opcode::Dmul | Opcode::Dfma | Opcode::Dsetp(..) => {
                Cost { slots: F64_SLOT_CYCLES, ..Cost::on(F64_UNIT, self.f64) }
            }
            Opcode::Mufu(..)
            | Opcode::Fchk
            | Opcode::F2f { .. }
            | Opcode::F2i { .. }
            | Opcode::I2f { .. }
            | Opcode::Frnd { .. }
            | Opcode::Popc
            | Opcode::Flo { .. }
            | Opcode::Match { .. }
            | Opcode::Redux { .. }
            | Opcode::Brev => {
                Cost::on(CONVERSION_UNIT, CONVERSION_CYCLES).after(CONVERSION_LATENCY_CYCLES)
            }
            _ => none,
        }
    }
}
