//! What textures are made of.

/// The weights of two texels add up to this.
pub(super) const UNIT: i64 = 256;

/// What a texel is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texel {
    /// An f32.
    Single,
    /// An f16, which is looked up as an f32.
    Half,
    /// A signed integer of so many bytes.
    Signed(u8),
    /// Another.
    Unsigned(u8),
}

impl Texel {
    /// Bytes of it.
    pub fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Half => 2,
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes.into(),
        }
    }

    /// What a whole number is divided by, if it is a fraction.
    pub(super) fn most(self) -> f64 {
        match self {
            Self::Signed(bytes) => f64::from((1_u32 << (8 * bytes - 1)) - 1),
            Self::Unsigned(bytes) => f64::from(u32::MAX >> (32 - 8 * bytes)),
            _ => 1.0,
        }
    }

    /// The number that bytes are.
    pub(super) fn number(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u32::from_le_bytes(word);
        let unused = 32 - 8 * bytes.len() as u32;
        match self {
            Self::Single => f32::from_bits(bits).into(),
            Self::Half => crate::half_value(bits as u16),
            Self::Signed(_) => ((bits << unused).cast_signed() >> unused).into(),
            Self::Unsigned(_) => bits.into(),
        }
    }

    /// What stands for a number where means are taken: of fractions a whole one of 16 bits.
    pub(super) fn filtered(self, number: f64) -> f64 {
        match self {
            Texel::Unsigned(1) => number * 257.0,
            Texel::Signed(1) => {
                let more = f64::from(i32::from(number >= 64.0) - i32::from(number <= -65.0));
                number * 258.0 + more
            }
            _ => number,
        }
    }

    /// Of a sum with the weights.
    pub(super) fn mean(self, sum: f64) -> u32 {
        let mean = sum / UNIT as f64;
        match self {
            Texel::Single => away(mean).to_bits(),
            Texel::Half => (crate::half_value(crate::half_bits(mean)) as f32).to_bits(),
            Texel::Signed(_) => (((mean + 0.5).floor() / 32767.0).max(-1.0) as f32).to_bits(),
            Texel::Unsigned(_) => (((mean + 0.5).floor() / 65535.0) as f32).to_bits(),
        }
    }
}

/// The nearest f32, of two the one farther from 0.
fn away(number: f64) -> f32 {
    let near = number as f32;
    let next = f32::from_bits(near.to_bits() + 1);
    let is_tie = f64::from(near).abs() < number.abs()
        && number.abs() - f64::from(near).abs() == f64::from(next).abs() - number.abs();
    if is_tie { next } else { near }
}
