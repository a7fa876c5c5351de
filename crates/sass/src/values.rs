//! What instructions compute, for the threads of a warp.

use std::array::from_fn;

use super::instruction::Instruction;
use super::lanes::{Lanes, MapLanes, WideLanes, each, looked_up};
use super::opcode::{Combination, Opcode};
use super::operand::{CONDITIONS, Condition, Operand, OperandSource, is_fixed};

/// The bits of a value of this many bytes, extended by its sign.
pub(super) fn signed(value: u64, bytes: u8) -> i64 {
    let unused = 64 - 8 * u32::from(bytes);
    (value << unused).cast_signed() >> unused
}

/// Constants of a kernel, by bank.
pub(super) type Constants = [Vec<u8>; 5];

/// The registers of a warp, with what their operands may be besides.
pub(super) struct Registers<'a> {
    pub(super) lanes: &'a mut [Lanes],
    pub(super) constants: &'a Constants,
}

/// The bit of an f32 that says whether it is below 0.
const F32_SIGN: u32 = 1 << 31;

/// A word of this many bytes; 0 beyond the end.
pub(super) fn word_at(all: &[u8], at: usize, bytes: usize) -> u64 {
    if bytes == 4
        && let Some(word) = all.get(at..).and_then(|it| it.first_chunk())
    {
        return u32::from_le_bytes(*word).into();
    }
    let mut value = [0; 8];
    let from = all.get(at..).into_iter().flatten();
    value[..bytes].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    u64::from_le_bytes(value)
}

/// A word of a bank of constants; 0 where there is none.
pub(super) fn constant(constants: &Constants, bank: u8, at: usize, bytes: u8) -> u64 {
    constants.get(usize::from(bank)).map_or(0, |it| word_at(it, at, bytes.into()))
}

/// What a word adds: −x is x's complement and 1; of upper words, a carry has that 1.
#[inline(always)]
pub(super) fn term(word: u32, is_negated: bool, is_upper: bool) -> u64 {
    match (is_negated, is_upper) {
        (false, _) => word.into(),
        (true, true) => (!word).into(),
        (true, false) => u64::from(!word) + 1,
    }
}

/// Two words as one.
#[inline(always)]
pub(super) fn joined(low: &Lanes, high: &Lanes) -> WideLanes {
    each!(|it| u64::from(high[it]) << 32 | u64::from(low[it]))
}

impl Registers<'_> {
    /// A word of an operand as it stands, the first or the next one.
    #[inline(always)]
    pub(super) fn word(&self, operand: Operand, next: u16) -> Lanes {
        match operand.source {
            OperandSource::Register(register) if next == 0 || is_fixed(register) => {
                self.lanes[usize::from(register)]
            }
            OperandSource::Register(register) => self.lanes[usize::from(register + next)],
            OperandSource::Number(number) => [number; 32],
            OperandSource::Constant(bank, at) => {
                [constant(self.constants, bank, usize::from(at + 4 * next), 4) as u32; 32]
            }
        }
    }

    /// An integer, negated if so said.
    #[inline(always)]
    pub(super) fn integer(&self, operand: Operand) -> Lanes {
        let word = self.word(operand, 0);
        // −x is x's complement and 1.
        let (flipped, more) = if operand.is_negated { (u32::MAX, 1) } else { (0, 0) };
        each!(|at| (word[at] ^ flipped).wrapping_add(more))
    }

    /// Two words as they stand; of a number, which has one, extended by its sign.
    #[inline(always)]
    pub(super) fn long(&self, operand: Operand) -> WideLanes {
        let low = self.word(operand, 0);
        if let OperandSource::Number(number) = operand.source {
            return [i64::from(number.cast_signed()).cast_unsigned(); 32];
        }
        joined(&low, &self.word(operand, 1))
    }

    #[inline(always)]
    pub(super) fn f32(&self, operand: Operand) -> [f32; 32] {
        let kept = if operand.is_absolute { !F32_SIGN } else { u32::MAX };
        let flipped = if operand.is_negated { F32_SIGN } else { 0 };
        let word = self.word(operand, 0);
        each!(|at| f32::from_bits(word[at] & kept ^ flipped))
    }

    /// Of a number, which has one word, it is the upper one.
    #[inline(always)]
    pub(super) fn f64(&self, operand: Operand) -> [f64; 32] {
        let wide = match operand.source {
            OperandSource::Number(number) => [u64::from(number) << 32; 32],
            _ => self.long(operand),
        };
        let sign = |it: f64| if operand.is_negated { -it } else { it };
        let size = |it: f64| if operand.is_absolute { it.abs() } else { it };
        wide.each(|it| sign(size(f64::from_bits(it))))
    }

    #[inline(always)]
    pub(super) fn condition(&self, condition: Condition) -> [bool; 32] {
        self.lanes[usize::from(condition.register)].each(|it| (it != 0) != condition.is_negated)
    }

    /// Writes a register for the threads of `active`, a bit each.
    #[inline(always)]
    pub(super) fn put(&mut self, register: u16, value: &Lanes, active: u32) {
        if is_fixed(register) {
            return;
        }
        let to = &mut self.lanes[usize::from(register)];
        if active == u32::MAX {
            *to = *value;
        } else {
            for (lane, (to, value)) in to.iter_mut().zip(value).enumerate() {
                *to = if active >> lane & 1 == 1 { *value } else { *to };
            }
        }
    }

    /// Writes a word of several; nothing, where they are to be nowhere.
    #[inline(always)]
    pub(super) fn put_word(&mut self, first: u16, word: u16, value: &Lanes, active: u32) {
        if !is_fixed(first) {
            self.put(first + word, value, active);
        }
    }

    #[inline(always)]
    pub(super) fn put_long(&mut self, register: u16, value: &WideLanes, active: u32) {
        self.put(register, &value.each(|it| it as u32), active);
        if !is_fixed(register) {
            self.put(register + 1, &value.each(|it| (it >> 32) as u32), active);
        }
    }

    #[inline(always)]
    pub(super) fn put_f32(&mut self, register: u16, value: [f32; 32], active: u32) {
        self.put(register, &value.each(f32::to_bits), active);
    }

    #[inline(always)]
    pub(super) fn put_f64(&mut self, register: u16, value: [f64; 32], active: u32) {
        self.put_long(register, &value.each(f64::to_bits), active);
    }

    #[inline(always)]
    pub(super) fn put_condition(&mut self, register: u16, value: [bool; 32], active: u32) {
        self.put(register, &value.each(u32::from), active);
    }

    /// A comparison and what it is combined with.
    #[inline(always)]
    pub(super) fn put_compared(
        &mut self,
        it: &Instruction,
        is: [bool; 32],
        how: Combination,
        active: u32,
    ) {
        let other = self.condition(it.conditions[0]);
        let combined = |is: [bool; 32]| match how {
            Combination::And => each!(|at| is[at] & other[at]),
            Combination::Or => each!(|at| is[at] | other[at]),
            Combination::Xor => each!(|at| is[at] ^ other[at]),
        };
        self.put_condition(it.conditions_to[0], combined(is), active);
        if !is_fixed(it.conditions_to[1]) {
            self.put_condition(it.conditions_to[1], combined(is.each(|it| !it)), active);
        }
    }

    /// Does an instruction for the threads of `active`, a bit each.
    pub(super) fn compute(&mut self, it: &Instruction, active: u32) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has the features.
            return unsafe { self.compute_wide(it, active) };
        }
        self.compute_any(it, active);
    }

    /// The same with vectors of 32 bytes, and fused products and sums in one instruction: the same bits.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn compute_wide(&mut self, it: &Instruction, active: u32) {
        self.compute_any(it, active);
    }

    #[inline(always)]
    fn compute_any(&mut self, it: &Instruction, active: u32) {
        match it.opcode {
            Opcode::Vote(kind) => return self.vote(it, kind, active),
            Opcode::Shfl(kind) => return self.shuffle(it, kind, active),
            Opcode::Match { is_all } => return self.matching(it, is_all, active),
            Opcode::Redux { operation, is_signed } => {
                return self.reduce(it, operation, is_signed, active);
            }
            Opcode::Elect => {
                let first = active.trailing_zeros() as usize;
                return self.put_condition(it.conditions_to[0], each!(|at| at == first), active);
            }
            _ => {}
        }
        // What the warp has once, all threads write alike.
        let active = it.for_all(active);
        match it.opcode {
            Opcode::Fmul | Opcode::Fadd | Opcode::Ffma | Opcode::Fsel | Opcode::Fmnmx { .. } => {
                self.single(it, active);
            }
            Opcode::Dmul | Opcode::Dadd | Opcode::Dfma => self.double(it, active),
            Opcode::Fsetp(comparison, how) => {
                let is = self.compared_singles(it, comparison);
                self.put_compared(it, is, how, active);
            }
            Opcode::Fset(comparison) => {
                let is = self.compared_singles(it, comparison);
                let other = self.condition(it.conditions[0]);
                let value = each!(|at| f32::from(u8::from(is[at] & other[at])));
                self.put_f32(it.to, value, active);
            }
            Opcode::Dsetp(comparison, how) => self.compare_doubles(it, comparison, how, active),
            Opcode::Isetp { comparison, is_signed, is_upper, combination } => {
                let is = self.compared(it, comparison, (is_signed, is_upper));
                self.put_compared(it, is, combination, active);
            }
            Opcode::Plop3(first, second) => {
                let (a, b) = (self.condition(it.conditions[0]), self.condition(it.conditions[1]));
                let c = self.condition(it.conditions[2]);
                let of = |table: u8, at: usize| {
                    let place = u8::from(a[at]) << 2 | u8::from(b[at]) << 1 | u8::from(c[at]);
                    table >> place & 1 == 1
                };
                self.put_condition(it.conditions_to[0], each!(|at| of(first, at)), active);
                self.put_condition(it.conditions_to[1], each!(|at| of(second, at)), active);
            }
            Opcode::Imad { .. } | Opcode::ImadWide { .. } | Opcode::ImadHi { .. } => {
                self.product(it, active);
            }
            Opcode::Idp { .. } => self.sum_of_products(it, active),
            Opcode::Iadd3 { is_upper } => self.sum(it, is_upper, active),
            Opcode::Setmaxreg => self.put_condition(it.conditions_to[0], [true; 32], u32::MAX),
            Opcode::Iadd64 => {
                let [a, b, c] = [it.a, it.b, it.c].map(|it| self.long(it));
                let sum = each!(|at| a[at].wrapping_add(b[at]).wrapping_add(c[at]));
                self.put_long(it.to, &sum, active);
            }
            Opcode::Lea { .. } => self.shifted_sum(it, active),
            Opcode::F2f { .. }
            | Opcode::F2i { .. }
            | Opcode::I2f { .. }
            | Opcode::I2fp { .. }
            | Opcode::Frnd { .. }
            | Opcode::Mufu(..)
            | Opcode::Fchk => self.convert(it, active),
            Opcode::Hadd2(halves)
            | Opcode::Hmul2(halves)
            | Opcode::Hfma2(halves)
            | Opcode::Hmnmx2(halves)
            | Opcode::Hset2 { halves, .. } => self.halves(it, halves, active),
            Opcode::Hsetp2 { .. } => self.compare_halves(it, active),
            Opcode::F2fpPack(format) => self.pack(it, format, active),
            Opcode::F2fpBytes(format, pack) => self.pack_bytes(it, (format, pack), active),
            _ => self.bits(it, active),
        }
    }

    /// Bits, choices, and copies.
    #[inline(always)]
    fn bits(&mut self, it: &Instruction, active: u32) {
        if matches!(it.opcode, Opcode::Mov) {
            let value = self.integer(it.b);
            return (0..u16::from(it.words))
                .for_each(|word| self.put_word(it.to, word, &value, active));
        }
        let (a, b, c) = (self.word(it.a, 0), self.integer(it.b), self.word(it.c, 0));
        let value: Lanes = match it.opcode {
            Opcode::Sel => self.chosen(it, &a, &b),
            Opcode::Vimnmx { .. } | Opcode::Vimnmx3 { .. } | Opcode::Viaddmnmx { .. } => {
                self.extremum(it)
            }
            Opcode::Viadd => {
                let a = self.integer(it.a);
                each!(|at| a[at].wrapping_add(b[at]))
            }
            Opcode::Lop3 { table, needs_both } => {
                let value = looked_up(table, [&a, &b, &c]);
                if it.writes_conditions() {
                    let is = self.condition(it.conditions[0]);
                    let any = each!(|at| match needs_both {
                        true => value[at] != 0 && is[at],
                        false => value[at] != 0 || is[at],
                    });
                    self.put_condition(it.conditions_to[0], any, active);
                }
                value
            }
            Opcode::Bmsk { wraps } => each!(|at| {
                let [from, count] =
                    [a[at], b[at]].map(|it| if wraps { it & 31 } else { it.min(32) });
                let mask = !(u64::MAX << count) << from;
                mask as u32
            }),
            Opcode::Sgxt { is_signed, wraps } => each!(|at| {
                let count = if wraps { b[at] & 31 } else { b[at].min(32) };
                let unused = 32 - count;
                match (count, is_signed) {
                    (0, _) => 0,
                    (_, true) => {
                        (a[at] << unused).cast_signed().wrapping_shr(unused).cast_unsigned()
                    }
                    (_, false) => a[at] << unused >> unused,
                }
            }),
            Opcode::Iabs => b.each(|it| it.cast_signed().unsigned_abs()),
            Opcode::Popc => b.each(u32::count_ones),
            Opcode::Brev => b.each(u32::reverse_bits),
            Opcode::Flo { is_signed, is_distance } => b.each(|it| {
                let it = if is_signed && it.cast_signed() < 0 { !it } else { it };
                match (it, is_distance) {
                    (0, _) => u32::MAX,
                    (it, true) => it.leading_zeros(),
                    (it, false) => it.ilog2(),
                }
            }),
            Opcode::Prmt => each!(|at| {
                let bytes = u64::from(c[at]) << 32 | u64::from(a[at]);
                let byte = |place: u32| {
                    let which = b[at] >> (4 * place) & 15;
                    let byte = (bytes >> (8 * (which & 7)) & 0xff) as u32;
                    // The eighth bit of a nibble asks for the byte's sign.
                    if which & 8 == 0 { byte } else { 0xff * (byte >> 7) }
                };
                (0..4).fold(0, |all, place| all | byte(place) << (8 * place))
            }),
            Opcode::Shf { is_long, is_signed, wraps, is_right, is_upper } => each!(|at| {
                let bits = if is_long { 64 } else { 32 };
                let by = if wraps { b[at] % bits } else { b[at].min(bits) };
                let value = u64::from(c[at]) << 32 | u64::from(a[at]);
                let shifted = match (is_right, is_signed) {
                    (false, _) => value.checked_shl(by).unwrap_or(0),
                    (true, false) => value.checked_shr(by).unwrap_or(0),
                    (true, true) => (value.cast_signed() >> by.min(63)).cast_unsigned(),
                };
                (shifted >> if is_upper { 32 } else { 0 }) as u32
            }),
            Opcode::P2r => {
                let conditions: [Lanes; 7] = from_fn(|at| self.lanes[usize::from(CONDITIONS) + at]);
                each!(|at| {
                    let bits = conditions.iter().rev().fold(0, |all, it| all << 1 | it[at]);
                    a[at] & !b[at] | bits & b[at]
                })
            }
            Opcode::R2p { byte } => {
                for register in it.writes() {
                    let bits = a.each(|it| it >> (8 * byte) >> (register - CONDITIONS) & 1);
                    self.put(register, &bits, active);
                }
                a
            }
            // Cs2r.
            _ => [0; 32],
        };
        for word in 0..u16::from(it.words) {
            self.put_word(it.to, word, &value, active);
        }
    }
}
