//! Floats of 16 bits: IEEE 754 binary16, and bfloat16, the upper half of binary32.
//!
//! What they are computed to is computed in binary32 and then rounded, to the nearest, of two as near to
//! the even one. A NaN has one pattern of bits alone, as a GPU's conversions give it.

use super::Type;

/// The pattern of every NaN.
const NAN: u16 = 0x7fff;

/// Of binary16: the least magnitude that becomes infinite, and the least that is not subnormal.
const BINARY16_OVERFLOW: f32 = 65520.0;
const BINARY16_NORMAL: f32 = 6.103_515_6e-5;

/// The bits of the number of this type that is nearest; `element` has 16 bits.
pub fn rounded(element: Type, number: f32) -> u16 {
    if number.is_nan() {
        return NAN;
    }
    let sign = (number.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = number.abs();
    let bits = magnitude.to_bits();
    // Half of the last place that stays, less where what stays is even.
    let up = |dropped: u32| bits + (1 << (dropped - 1)) - 1 + (bits >> dropped & 1);
    let rounded = match element {
        Type::Bf16 => up(16) >> 16,
        _ if magnitude >= BINARY16_OVERFLOW => 0x7c00,
        // A unit in the last place of ½ is that of the subnormal numbers.
        _ if magnitude < BINARY16_NORMAL => (magnitude + 0.5).to_bits() - 0.5_f32.to_bits(),
        // The exponent's bias is 15, and not 127.
        _ => (up(13) >> 13) - (112 << 10),
    };
    sign | rounded as u16
}

/// The number that these bits of a type of 16 bits are.
pub fn widened(element: Type, bits: u16) -> f32 {
    let bits = u32::from(bits);
    if element == Type::Bf16 {
        return f32::from_bits(bits << 16);
    }
    let (sign, exponent, fraction) = ((bits & 0x8000) << 16, bits >> 10 & 0x1f, bits & 0x3ff);
    let magnitude = match exponent {
        0 => (fraction as f32 / 16_777_216.0).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of 16 bits, and between each and its neighbour a quarter, the middle and three quarters.
    #[test]
    fn the_nearest_is_found() {
        for element in [Type::F16, Type::Bf16] {
            let infinite = if element == Type::F16 { 0x7c00 } else { 0x7f80 };
            for bits in 0..infinite {
                let (this, next) = (widened(element, bits), widened(element, bits + 1));
                assert_eq!(rounded(element, this), bits, "{this}");
                assert_eq!(rounded(element, -this), 0x8000 | bits, "{this}");
                // Behind the last is what would be the next power of two.
                let gap = match next.is_infinite() {
                    true => f64::from(this) - f64::from(widened(element, bits - 1)),
                    false => f64::from(next) - f64::from(this),
                };
                for (quarters, wanted) in [(1, bits), (2, bits + (bits & 1)), (3, bits + 1)] {
                    let between = f64::from(this) + gap * f64::from(quarters) / 4.0;
                    assert_eq!(rounded(element, between as f32), wanted, "{between}");
                }
            }
            assert!(widened(element, infinite).is_infinite());
            assert_eq!(rounded(element, f32::INFINITY), infinite);
            assert_eq!(rounded(element, f32::MAX), infinite);
            assert!(widened(element, rounded(element, -f32::NAN)).is_nan());
        }
        // IEEE 754-2019, Table 3.5, and Python's struct.pack('<e', x).
        for (number, bits) in [(1.0, 0x3c00), (0.1, 0x2e66), (65504.0, 0x7bff), (5.96e-8, 1)] {
            assert_eq!(rounded(Type::F16, number), bits);
        }
    }
}
