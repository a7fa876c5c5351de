//! What is asked of a processor, beside accesses.

use crate::language::syntax::Type;
use crate::trace::Phase;

/// An operator of the listing that threads evaluate, outside of indices and bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evaluation {
    /// What it asks of a processor.
    pub kind: Operation,
    /// The innermost label around it that has accesses.
    pub phase: Phase,
}

/// What an instruction asks of a processor, in kinds that take it differently long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// The beginning of a loop.
    Loop,
    /// A turn of one.
    Turn,
    /// Arithmetic of indices: of type i64, with nothing that is divided by a number unknown before.
    Place,
    /// A sum, a comparison, a logical operation, a selection, of 32 bits.
    Simple,
    /// The same of 64 bits.
    Simple64,
    /// A product of 32 bits.
    Product,
    /// A product of 64 bits.
    Product64,
    /// A quotient or rest of 32 bits by a number that is not known before.
    Quotient,
    /// The same of 64 bits.
    Quotient64,
    /// A sum or product of binary32.
    F32,
    /// A quotient of binary32.
    F32Quotient,
    /// A root of binary32.
    F32Root,
    /// A sum or product of binary64.
    F64,
    /// A quotient of binary64.
    F64Quotient,
    /// A root of binary64, or another function, which is a polynomial of binary64.
    F64Root,
}

impl Operation {
    /// Every kind, in the order above: `ALL[kind as usize]` is that kind.
    pub const ALL: [Self; 15] = [
        Self::Loop,
        Self::Turn,
        Self::Place,
        Self::Simple,
        Self::Simple64,
        Self::Product,
        Self::Product64,
        Self::Quotient,
        Self::Quotient64,
        Self::F32,
        Self::F32Quotient,
        Self::F32Root,
        Self::F64,
        Self::F64Quotient,
        Self::F64Root,
    ];

    pub(super) const fn of(element: Type, kinds: [Self; 4]) -> Self {
        let [short, long, f32, f64] = kinds;
        match element {
            Type::I64 | Type::U64 => long,
            Type::F32 | Type::F16 | Type::Bf16 => f32,
            Type::F64 => f64,
            _ => short,
        }
    }
}
