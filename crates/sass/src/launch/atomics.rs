//! What atomic operations make of a word.

use crate::halves::sum_of_halves;
use crate::opcode::{Atomic, AtomicElement, AtomicOperation, FloatMode, HalfFormat};
use crate::rounding::NAN;
use crate::values::signed;

impl Atomic {
    /// The word after it, of what stood there, the operand, and what is swapped in.
    pub(crate) fn apply(self, old: u64, with: u64, swapped: u64, bytes: u8) -> u64 {
        let mask = u64::MAX >> (64 - 8 * u32::from(bytes));
        let is_less = match self.element {
            AtomicElement::Signed => signed(with, bytes) < signed(old, bytes),
            _ => with < old,
        };
        let new = match self.operation {
            AtomicOperation::Add => self.sum(old, with, bytes),
            AtomicOperation::Min => {
                if is_less {
                    with
                } else {
                    old
                }
            }
            AtomicOperation::Max => {
                if is_less {
                    old
                } else {
                    with
                }
            }
            AtomicOperation::Increment => {
                if old >= with {
                    0
                } else {
                    old + 1
                }
            }
            AtomicOperation::Decrement => match old {
                0 => with,
                it if it > with => with,
                it => it - 1,
            },
            AtomicOperation::And => old & with,
            AtomicOperation::Or => old | with,
            AtomicOperation::Xor => old ^ with,
            AtomicOperation::Exchange => with,
            AtomicOperation::CompareAndSwap | AtomicOperation::CompareAndTry => {
                if old == with {
                    swapped
                } else {
                    old
                }
            }
            AtomicOperation::Count => old.wrapping_add(1),
        };
        new & mask
    }

    fn sum(self, old: u64, with: u64, bytes: u8) -> u64 {
        match (self.element, bytes) {
            (AtomicElement::Float, 8) => (f64::from_bits(old) + f64::from_bits(with)).to_bits(),
            (AtomicElement::Float, _) => {
                // Those in the last-level cache flush.
                let mode = FloatMode { flushes: true, ..FloatMode::PLAIN };
                let sum = mode.sum(f32::from_bits(old as u32), f32::from_bits(with as u32));
                (if sum.is_nan() { NAN } else { sum.to_bits() }).into()
            }
            (AtomicElement::Half2, _) => {
                sum_of_halves(HalfFormat::F16, old as u32, with as u32).into()
            }
            (AtomicElement::Bfloat2, _) => {
                sum_of_halves(HalfFormat::Bf16, old as u32, with as u32).into()
            }
            _ => old.wrapping_add(with),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::AddressSpace;

    #[test]
    fn words_after_each_operation() {
        let of = |operation, element| Atomic { operation, element, space: AddressSpace::Global };
        use {AtomicElement::*, AtomicOperation::*};
        let minus_one = u64::from(u32::MAX);
        for (operation, element, old, with, new) in [
            (Add, Unsigned, minus_one, 2, 1),
            (Min, Signed, 3, minus_one, minus_one),
            (Min, Unsigned, 3, minus_one, 3),
            (Max, Signed, 3, minus_one, 3),
            (Increment, Unsigned, 3, 3, 0),
            (Increment, Unsigned, 2, 3, 3),
            (Decrement, Unsigned, 0, 9, 9),
            (Decrement, Unsigned, 12, 9, 9),
            (Decrement, Unsigned, 5, 9, 4),
            (Exchange, Unsigned, 5, 9, 9),
            (Count, Unsigned, 5, 0, 6),
            (Add, Half2, 0x3c00_3c00, 0x3c00_4000, 0x4000_4200),
        ] {
            assert_eq!(of(operation, element).apply(old, with, 0, 4), new, "{operation:?}");
        }
        let swap = of(CompareAndSwap, Unsigned);
        assert_eq!([swap.apply(4, 4, 7, 8), swap.apply(5, 4, 7, 8)], [7, 5]);
        let bits = |it: f32| u64::from(it.to_bits());
        assert_eq!(of(Add, Float).apply(bits(1.5), bits(2.0), 0, 4), bits(3.5));
    }
}
