//! Numbers, as they are.

use memory_machine::language::syntax::Type;

#[derive(Debug, Clone, Copy)]
pub enum Value {
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
    F64(f64),
    Bool(bool),
    /// Of 8 or 16 bits.
    Few(Type, i64),
}

pub(super) use Value::{Bool, F32, F64, Few, I32, I64, U32, U64};

impl Value {
    /// As the crate's memory holds it; every NaN is one NaN.
    pub fn bits(self) -> u64 {
        match self {
            I32(x) => i64::from(x) as u64,
            U32(x) => x.into(),
            I64(x) => x as u64,
            U64(x) => x,
            F32(x) if x.is_nan() => f32::NAN.to_bits().into(),
            F32(x) => x.to_bits().into(),
            F64(x) if x.is_nan() => f64::NAN.to_bits(),
            F64(x) => x.to_bits(),
            Bool(x) => x.into(),
            Few(_, x) => x as u64,
        }
    }

    pub fn from_bits(element: Type, bits: u64) -> Self {
        match element {
            Type::I32 => I32(bits as u32 as i32),
            Type::U32 => U32(bits as u32),
            Type::I64 => I64(bits as i64),
            Type::U64 => U64(bits),
            Type::F32 => F32(f32::from_bits(bits as u32)),
            Type::F64 => F64(f64::from_bits(bits)),
            Type::Bool => Bool(bits != 0),
            _ => Few(element, bits as i64),
        }
    }

    pub(super) fn truth(self) -> bool {
        matches!(self, Bool(true))
    }

    pub(super) fn integer(self) -> i64 {
        self.whole().try_into().unwrap()
    }

    pub(super) fn whole(self) -> i128 {
        match self {
            I32(x) => x.into(),
            U32(x) => x.into(),
            I64(x) => x.into(),
            U64(x) => x.into(),
            Few(_, x) => x.into(),
            other => panic!("{other:?} is no integer"),
        }
    }
}
