//! Types of numbers as a device holds them.

use memory_machine_core::number::Number;
use serde::{Serialize, Serializer};

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// A byte that is 0 or 1.
    Bool,
    /// Signed integers of so many bytes.
    Signed(u8),
    /// Others.
    Unsigned(u8),
    /// IEEE half, single, double.
    Float(u8),
    /// The upper half of an f32.
    Bf16,
}

/// Names, by which arguments say a type.
const NAMES: [(&str, Element); 13] = [
    ("bool", Element::Bool),
    ("i8", Element::Signed(1)),
    ("u8", Element::Unsigned(1)),
    ("i16", Element::Signed(2)),
    ("u16", Element::Unsigned(2)),
    ("i32", Element::Signed(4)),
    ("u32", Element::Unsigned(4)),
    ("i64", Element::Signed(8)),
    ("u64", Element::Unsigned(8)),
    ("f16", Element::Float(2)),
    ("bf16", Element::Bf16),
    ("f32", Element::Float(4)),
    ("f64", Element::Float(8)),
];

impl Element {
    /// The type of a name such as `f32`.
    pub fn of(name: &str) -> Option<Self> {
        NAMES.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|it| it.1 == self).map_or("bool", |it| it.0)
    }

    /// What NumPy calls it.
    pub fn numpy(self) -> Option<&'static str> {
        Some(match self {
            Self::Bool => "|b1",
            Self::Signed(1) => "|i1",
            Self::Unsigned(1) => "|u1",
            Self::Signed(2) => "<i2",
            Self::Unsigned(2) => "<u2",
            Self::Signed(4) => "<i4",
            Self::Unsigned(4) => "<u4",
            Self::Signed(_) => "<i8",
            Self::Unsigned(_) => "<u8",
            Self::Float(2) => "<f2",
            Self::Float(4) => "<f4",
            Self::Float(_) => "<f8",
            Self::Bf16 => return None,
        })
    }

    /// The type that NumPy calls so.
    pub fn of_numpy(kind: &str) -> Option<Self> {
        NAMES.iter().map(|it| it.1).find(|it| it.numpy() == Some(kind))
    }

    /// All names, for messages.
    pub fn names() -> String {
        NAMES.map(|it| it.0).join(", ")
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Signed(bytes) | Self::Unsigned(bytes) | Self::Float(bytes) => bytes.into(),
            Self::Bf16 => 2,
        }
    }

    /// Whether an array of these may be given to a kernel that declares others: bytes as anything, integers
    /// with a sign or without.
    pub fn is_read_as(self, declared: Self) -> bool {
        let is_integer = |it: Self| matches!(it, Self::Signed(_) | Self::Unsigned(_));
        self == declared
            || declared.bytes() == 1
            || is_integer(self) && is_integer(declared) && self.bytes() == declared.bytes()
    }

    /// Whether it has fractions.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float(_) | Self::Bf16)
    }

    /// The bits of a number that is written out.
    ///
    /// # Errors
    /// Why it is none of this type.
    pub fn parse(self, text: &str) -> Result<u64, String> {
        let text = text.trim();
        let integer = || {
            let plain = text.replace('_', "");
            match plain.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16).ok(),
                None => plain.parse::<i128>().ok(),
            }
        };
        if !self.is_float() {
            let bits = 8 * self.bytes() as u32;
            let (low, high) = match self {
                Self::Bool => (0, 1),
                Self::Signed(_) => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
                _ => (0, (1_i128 << bits) - 1),
            };
            return match (text, integer()) {
                ("true", _) => Ok(1),
                ("false", _) => Ok(0),
                (_, Some(it)) if (low..=high).contains(&it) => {
                    Ok(it as u64 & u64::MAX >> (64 - bits))
                }
                (_, Some(_)) => Err(format!("is no {}: {low} to {high}", self.name())),
                _ => Err("is no whole number".to_owned()),
            };
        }
        let number: f64 = text.parse().map_err(|_| "is no number".to_owned())?;
        Ok(self.bits(number))
    }

    /// The bits of the nearest number of it.
    pub fn bits(self, number: f64) -> u64 {
        match self {
            Self::Float(8) => number.to_bits(),
            Self::Float(4) => u64::from((number as f32).to_bits()),
            Self::Float(_) => memory_machine_sass::half_bits(number).into(),
            Self::Bf16 => memory_machine_sass::bfloat_bits(number).into(),
            Self::Bool => u64::from(number != 0.0),
            Self::Signed(bytes) => (number as i64).cast_unsigned() & u64::MAX >> (64 - 8 * bytes),
            Self::Unsigned(bytes) => number as u64 & u64::MAX >> (64 - 8 * bytes),
        }
    }

    /// A number of it, from its bytes.
    pub fn number(self, bytes: &[u8]) -> f64 {
        let bits = self.word(bytes);
        match self {
            Self::Float(8) => f64::from_bits(bits),
            Self::Float(4) => f32::from_bits(bits as u32).into(),
            Self::Float(_) => memory_machine_sass::half_value(bits as u16),
            Self::Bf16 => f32::from_bits((bits as u32) << 16).into(),
            Self::Bool | Self::Unsigned(_) => bits as f64,
            Self::Signed(bytes) => signed(bits, bytes) as f64,
        }
    }

    /// The same exactly.
    pub fn exact(self, bytes: &[u8]) -> Number {
        let bits = self.word(bytes);
        match self {
            Self::Bool | Self::Unsigned(_) => Number::Integer(bits.into()),
            Self::Signed(bytes) => Number::Integer(signed(bits, bytes).into()),
            Self::Float(_) | Self::Bf16 => Number::Float(self.number(bytes)),
        }
    }

    fn word(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        let count = self.bytes().min(bytes.len());
        word[..count].copy_from_slice(&bytes[..count]);
        u64::from_le_bytes(word)
    }

    /// The same as text, so that reading it gives the same bits.
    pub fn text(self, bytes: &[u8]) -> String {
        match self {
            Self::Float(4) => f32::from_bits(self.word(bytes) as u32).to_string(),
            _ => self.exact(bytes).to_string(),
        }
    }
}

/// An integer of so many bytes.
fn signed(bits: u64, bytes: u8) -> i64 {
    let unused = 64 - 8 * u32::from(bytes);
    (bits << unused).cast_signed() >> unused
}

impl Serialize for Element {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
