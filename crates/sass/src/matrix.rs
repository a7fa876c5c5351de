//! Products of small matrices that a warp holds: D = A · B + C, as the tensor cores of an H100 make them.
//!
//! Floating-point numbers are added as [`super::tensor_sum`] says. Doubles are added one after another, each
//! fused and rounded to the nearest, and bytes as integers that wrap, or stay at their ends.

use super::instruction::Instruction;
use super::lanes::Lanes;
use super::opcode::{GroupProduct, MatrixElement, MatrixProduct};
use super::operand::Operand;
use super::tensor_sum::Split;
use super::values::Registers;

/// Columns of B that stand in the registers of a sum together.
const COLUMNS: usize = 8;
/// Rows of A that a warp of a group has.
const GROUP_ROWS: usize = 16;

impl MatrixElement {
    /// Of an element of the factors, and of the sum.
    pub(super) fn bits(self) -> (u32, u32) {
        match self {
            Self::Half(_, is_wide) => (16, if is_wide { 32 } else { 16 }),
            Self::Float8(_, is_wide) => (8, if is_wide { 32 } else { 16 }),
            Self::Tf32 => (32, 32),
            Self::Double => (64, 64),
            Self::Byte(_) => (8, 32),
            Self::Bit => (1, 32),
        }
    }
}

/// Where elements stand in the registers of a warp, which of 32 bits hold several, or half of one.
#[derive(Clone, Copy)]
struct Held {
    bits: usize,
}

impl Held {
    fn of_register(self) -> usize {
        (32 / self.bits).max(1)
    }

    /// The words of element `part` of its register, or pair of registers, `number`.
    fn value(self, registers: &[Lanes], lane: usize, number: usize, part: usize) -> u64 {
        if self.bits == 64 {
            let word = |at: usize| u64::from(registers[2 * number + at][lane]);
            return word(1) << 32 | word(0);
        }
        let word = u64::from(registers[number][lane]);
        word >> (self.bits * part) & (u64::MAX >> (64 - self.bits))
    }

    /// Of A, whose rows are dealt to four threads each: all rows, one after another.
    fn rows(self, registers: &[Lanes], rows: usize, depth: usize) -> Vec<u64> {
        let of = self.of_register();
        let upper = rows / 8;
        let at = |row: usize, k: usize| {
            let (lane, part) = (row % 8 * 4 + k / of % 4, k % of);
            self.value(registers, lane, row / 8 + upper * (k / (4 * of)), part)
        };
        (0..rows * depth).map(|it| at(it / depth, it % depth)).collect()
    }

    /// Of B, whose columns are.
    fn columns(self, registers: &[Lanes], depth: usize) -> Vec<u64> {
        let of = self.of_register();
        let at = |k: usize, column: usize| {
            self.value(registers, column * 4 + k / of % 4, k / (4 * of), k % of)
        };
        (0..COLUMNS * depth).map(|it| at(it % depth, it / depth)).collect()
    }

    /// Of a sum, whose rows are dealt in pairs: a lane's register and the part of it.
    fn sum_place(self, row: usize, column: usize) -> (usize, usize, usize) {
        let lane = row % 8 * 4 + column % COLUMNS / 2;
        let (more, pair) = (column / COLUMNS, row / 8);
        match self.of_register() {
            2 => (lane, 2 * more + pair, column % 2),
            _ => (lane, 4 * more + 2 * pair + column % 2, 0),
        }
    }
}

/// Rows of A and columns of B, one after another, and what is done to them.
struct Factors {
    a: Vec<u64>,
    b: Vec<u64>,
    depth: usize,
    negates: [bool; 2],
    /// Whether what stood there before is added.
    adds: bool,
    saturates: bool,
}

impl Registers<'_> {
    fn lanes_of(&self, operand: Operand) -> Vec<Lanes> {
        (0..u16::from(operand.words)).map(|word| self.word(operand, word)).collect()
    }

    /// For all threads of a warp.
    pub(super) fn multiply_matrices(&mut self, it: &Instruction, of: MatrixProduct) {
        let [a, b] = [it.a, it.b].map(|it| self.lanes_of(it));
        let held = Held { bits: of.element.bits().0 as usize };
        let (rows, depth) = (usize::from(of.rows), usize::from(of.depth));
        let factors = Factors {
            a: held.rows(&a, rows, depth),
            b: held.columns(&b, depth),
            depth,
            negates: [false; 2],
            adds: true,
            saturates: false,
        };
        self.multiply(it, of.element, &factors);
    }

    /// For a warp of a group, whose rows stand in its registers, if they are not given.
    pub(super) fn multiply_group(
        &mut self,
        it: &Instruction,
        of: GroupProduct,
        (a, b): (Option<Vec<u64>>, Vec<u64>),
    ) {
        let held = Held { bits: of.element.bits().0 as usize };
        let depth = usize::from(of.depth);
        let factors = Factors {
            a: a.unwrap_or_else(|| held.rows(&self.lanes_of(it.a), GROUP_ROWS, depth)),
            b,
            depth,
            negates: of.negates,
            adds: self.condition(it.conditions[0])[0],
            saturates: of.saturates,
        };
        self.multiply(it, of.element, &factors);
    }

    fn multiply(&mut self, it: &Instruction, element: MatrixElement, of: &Factors) {
        let c = self.lanes_of(it.c);
        let sum_bits = element.bits().1;
        let sums = Held { bits: sum_bits as usize };
        let depth = of.depth;
        let splits = element.formats().map(|[a, b]| {
            let [negates_a, negates_b] = of.negates;
            let split = |word: Split, negates: bool| if negates { word.negated() } else { word };
            let a: Vec<Split> = of.a.iter().map(|it| split(a.factor(*it), negates_a)).collect();
            let b: Vec<Split> = of.b.iter().map(|it| split(b.factor(*it), negates_b)).collect();
            (a, b)
        });
        let mut to = vec![[0; 32]; usize::from(it.words)];
        for row in 0..of.a.len() / depth {
            for column in 0..of.b.len() / depth {
                let (lane, register, part) = sums.sum_place(row, column);
                let old = if of.adds { sums.value(&c, lane, register, part) } else { 0 };
                let (from_a, from_b) = (row * depth, column * depth);
                let sum = match &splits {
                    Some((a, b)) => {
                        element.float_sum(&a[from_a..][..depth], &b[from_b..][..depth], old)
                    }
                    None => {
                        let (a, b) = (&of.a[from_a..][..depth], &of.b[from_b..][..depth]);
                        element.fused_sum(a, b, old, of.saturates)
                    }
                };
                match sum_bits {
                    64 => {
                        to[2 * register][lane] = sum as u32;
                        to[2 * register + 1][lane] = (sum >> 32) as u32;
                    }
                    bits => to[register][lane] |= (sum as u32) << (bits as usize * part),
                }
            }
        }
        for (word, lanes) in to.iter().enumerate() {
            self.put_word(it.to, word as u16, lanes, u32::MAX);
        }
    }
}

impl MatrixElement {
    /// Of doubles, bytes, or bits.
    fn fused_sum(self, a: &[u64], b: &[u64], c: u64, saturates: bool) -> u64 {
        let pairs = a.iter().zip(b);
        if self == Self::Bit {
            let both = pairs.filter(|(a, b)| **a & **b == 1).count();
            return u64::from((c as u32).wrapping_add(both as u32));
        }
        let Self::Byte(signed) = self else {
            let sum = pairs.fold(f64::from_bits(c), |sum, (a, b)| {
                f64::from_bits(*a).mul_add(f64::from_bits(*b), sum)
            });
            return sum.to_bits();
        };
        let value = |byte: u64, is_signed: bool| match is_signed {
            true => i64::from(byte as u8 as i8),
            false => i64::from(byte as u8),
        };
        let sum = pairs.fold(i64::from(c as u32 as i32), |sum, (a, b)| {
            sum + value(*a, signed[0]) * value(*b, signed[1])
        });
        let sum = match saturates {
            true => sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            false => sum as i32,
        };
        u64::from(sum.cast_unsigned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_a_sign_or_none() {
        let mixed = MatrixElement::Byte([true, false]);
        assert_eq!(mixed.fused_sum(&[0xff], &[0xff], 1, false), -254_i32 as u32 as u64);
        let end = u64::from(i32::MAX.cast_unsigned());
        assert_eq!(mixed.fused_sum(&[1], &[1], end, true), end);
        assert_eq!(mixed.fused_sum(&[1], &[1], end, false), end + 1);
    }
}
