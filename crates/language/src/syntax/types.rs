//! Types of elements and scalars.

use std::ops::RangeInclusive;

/// Element types of arrays, and the types that scalars are inferred to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `bool`: true or false.
    Bool,
    /// `i8`: 8 bits, signed.
    I8,
    /// `u8`: 8 bits, unsigned.
    U8,
    /// `i16`: 16 bits, signed.
    I16,
    /// `u16`: 16 bits, unsigned.
    U16,
    /// `i32`: 32 bits, signed.
    I32,
    /// `u32`: 32 bits, unsigned.
    U32,
    /// `i64`: 64 bits, signed.
    I64,
    /// `u64`: 64 bits, unsigned.
    U64,
    /// `f32`: IEEE 754 binary32.
    F32,
    /// `f64`: IEEE 754 binary64.
    F64,
    /// `f16`: IEEE 754 binary16.
    F16,
    /// `bf16`: bfloat16, the upper half of a binary32.
    Bf16,
}

impl Type {
    /// 2⁵³: beyond it an f64 stands for several integers.
    pub const EXACT: f64 = 9_007_199_254_740_992.0;

    /// Every type.
    pub const ALL: [Self; 13] = [
        Self::F32,
        Self::F64,
        Self::I32,
        Self::I64,
        Self::U32,
        Self::U64,
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::U8,
        Self::U16,
        Self::F16,
        Self::Bf16,
    ];

    /// Those of integers; each holds what an unsigned one before it holds, and each signed one what a
    /// signed one before it does.
    pub(crate) const INTEGERS: [Self; 8] =
        [Self::I8, Self::U8, Self::I16, Self::U16, Self::I32, Self::U32, Self::I64, Self::U64];

    /// The keyword, as in `f32`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }

    /// Whether it is a type of floats.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64) || self.is_short_float()
    }

    /// Whether it is `f16` or `bf16`, which are computed in binary32 and rounded.
    pub const fn is_short_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16)
    }

    /// Whether it is a type of integers, with or without a sign.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Self::Bool)
    }

    /// Whether its integers may be negative.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    /// Whether its word names nothing but the type: those of 8 and 16 bits name other things, too, where
    /// no type can stand.
    pub const fn is_reserved(self) -> bool {
        !self.is_narrow() && !self.is_short_float()
    }

    /// Whether it is a type of integers of 8 or 16 bits.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Self::I8 | Self::U8 | Self::I16 | Self::U16)
    }

    /// The integers of this type, as far as an i64 holds them.
    pub const fn limits(self) -> RangeInclusive<i64> {
        if self.is_signed() {
            let most = i64::MAX >> (64 - self.bits());
            return -most - 1..=most;
        }
        0..=i64::MAX >> 63_u32.saturating_sub(self.bits())
    }

    /// The smallest type that holds the floats of both.
    pub fn of_floats(self, other: Self) -> Self {
        match (self.bits(), other.bits()) {
            _ if self == other => self,
            (16, 16) => Self::F32,
            (a, b) if a > b => self,
            _ => other,
        }
    }

    /// Whether this type of integers holds every value of another.
    pub const fn holds(self, other: Self) -> bool {
        match (self.is_signed(), other.is_signed()) {
            (true, false) => self.bits() > other.bits(),
            (false, true) => false,
            _ => self.bits() >= other.bits(),
        }
    }

    /// The smallest type that holds the integers of both; u64 where there is none.
    pub fn of_both(self, other: Self) -> Self {
        let holds_both = |it: &Self| it.holds(self) && it.holds(other);
        Self::INTEGERS.into_iter().find(holds_both).unwrap_or(Self::U64)
    }

    /// The bits of a number.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bool => 1,
            Self::I8 | Self::U8 => 8,
            Self::I16 | Self::U16 | Self::F16 | Self::Bf16 => 16,
            Self::I32 | Self::U32 | Self::F32 => 32,
            Self::I64 | Self::U64 | Self::F64 => 64,
        }
    }
}
