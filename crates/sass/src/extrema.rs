//! The least and the greatest of integers.

use super::instruction::Instruction;
use super::lanes::{Lanes, each};
use super::opcode::Opcode;
use super::values::Registers;

impl Registers<'_> {
    /// Of two or three words, of halves, or of a sum and a word: by a condition the least or the greatest.
    pub(super) fn extremum(&self, it: &Instruction) -> Lanes {
        let (a, b, c) = (self.word(it.a, 0), self.integer(it.b), self.word(it.c, 0));
        let is = self.condition(it.conditions[0]);
        let chosen = |a: u32, b: u32, is_signed: bool, at: usize| match (is_signed, is[at]) {
            (true, true) => a.cast_signed().min(b.cast_signed()).cast_unsigned(),
            (true, false) => a.cast_signed().max(b.cast_signed()).cast_unsigned(),
            (false, true) => a.min(b),
            (false, false) => a.max(b),
        };
        let positive = |it: u32, is_positive| match is_positive {
            true => it.cast_signed().max(0).cast_unsigned(),
            false => it,
        };
        match it.opcode {
            Opcode::Vimnmx { is_signed, has_halves: true, .. } => each(|at| {
                let half = |word: u32, by: u32| {
                    let half = (word >> by) as u16;
                    if is_signed {
                        i32::from(half.cast_signed()).cast_unsigned()
                    } else {
                        half.into()
                    }
                };
                [0, 16].into_iter().fold(0, |all, by| {
                    let chosen = chosen(half(a[at], by), half(b[at], by), is_signed, at);
                    all | (chosen & 0xffff) << by
                })
            }),
            Opcode::Vimnmx { is_signed, is_positive, .. } => {
                each(|at| positive(chosen(a[at], b[at], is_signed, at), is_positive))
            }
            Opcode::Vimnmx3 { is_signed } => {
                each(|at| chosen(chosen(a[at], b[at], is_signed, at), c[at], is_signed, at))
            }
            Opcode::Viaddmnmx { is_signed, is_positive } => each(|at| {
                let sum = a[at].wrapping_add(b[at]);
                positive(chosen(sum, c[at], is_signed, at), is_positive)
            }),
            _ => [0; 32],
        }
    }
}
