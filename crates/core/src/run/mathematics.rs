//! Sine, exponential, logarithm and their like, to the same bits on every machine: sums, products and
//! quotients of doubles in a fixed order, none of them fused. Emitted code does the same operations
//! (`crates/codegen/src/mathematics.rs`). The polynomials are those of fdlibm (Sun Microsystems 1993).

// The coefficients have the digits that their source prints.
#![allow(clippy::excessive_precision)]

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LOG2_E, PI, TAU};

/// π/2 in pieces: a product of the first two with an integer below 2²⁰ is exact.
const HALF_PI: [f64; 3] = [
    1.570_796_326_734_125_614_17,
    6.077_100_506_303_965_976_60e-11,
    2.022_266_248_795_950_631_54e-21,
];
/// Above it the pieces do not suffice: arguments are taken modulo the double next to 2π.
const FAR: f64 = 1_000_000.0;
/// ln 2 in pieces, likewise.
const LN_2: [f64; 2] = [6.931_471_803_691_238_164_90e-1, 1.908_214_929_270_587_700_02e-10];
/// Integer exponents up to it are powers by multiplication.
const MULTIPLIED: f64 = 1024.0;

/// c₀ + x·(c₁ + x·(c₂ + …)).
fn polynomial<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for coefficient in coefficients.into_iter().rev() {
        sum = sum * x + coefficient;
    }
    sum
}

/// 2^k for −1022 ≤ k ≤ 1023.
fn two_to(k: i64) -> f64 {
    f64::from_bits(((k + 1023) << 52).cast_unsigned())
}

/// x = quadrant · π/2 + r, |r| ≤ π/4, as the sine and the cosine of r and the quadrant.
fn turned(x: f64) -> (f64, f64, i64) {
    let x = if x.abs() > FAR { x % TAU } else { x };
    let quadrant = (x * FRAC_2_PI).round_ties_even();
    let first = x - quadrant * HALF_PI[0];
    let second = quadrant * HALF_PI[1];
    let high = first - second;
    let third = quadrant * HALF_PI[2] - ((first - high) - second);
    let r = high - third;
    let tail = (high - r) - third;
    let z = r * r;
    let v = z * r;
    let odd = polynomial(
        z,
        [
            8.333_333_333_322_489_461_24e-3,
            -1.984_126_982_985_794_931_34e-4,
            2.755_731_370_707_006_767_89e-6,
            -2.505_076_025_340_686_341_95e-8,
            1.589_690_995_211_550_102_21e-10,
        ],
    );
    let sine = r - ((z * (0.5 * tail - v * odd) - tail) - v * -1.666_666_666_666_663_243_48e-1);
    let even = z * polynomial(
        z,
        [
            4.166_666_666_666_660_190_37e-2,
            -1.388_888_888_887_410_957_49e-3,
            2.480_158_728_947_672_941_78e-5,
            -2.755_731_435_139_066_330_35e-7,
            2.087_572_321_298_174_827_90e-9,
            -1.135_964_755_778_819_482_65e-11,
        ],
    );
    let half = 0.5 * z;
    let whole = 1.0 - half;
    let cosine = whole + (((1.0 - whole) - half) + (z * even - r * tail));
    (sine, cosine, quadrant as i64 & 3)
}

pub(super) fn sine(x: f64) -> f64 {
    let (sine, cosine, quadrant) = turned(x);
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    if quadrant & 2 == 0 { value } else { -value }
}

pub(super) fn cosine(x: f64) -> f64 {
    let (sine, cosine, quadrant) = turned(x);
    let value = if quadrant & 1 == 0 { cosine } else { sine };
    if quadrant == 1 || quadrant == 2 { -value } else { value }
}

pub(super) fn tangent(x: f64) -> f64 {
    let (sine, cosine, quadrant) = turned(x);
    if quadrant & 1 == 0 { sine / cosine } else { -cosine / sine }
}

pub(super) fn exponential(x: f64) -> f64 {
    if x > 709.782_712_893_384 {
        return f64::INFINITY;
    }
    if x < -745.133_219_101_941_1 {
        return 0.0;
    }
    if x.is_nan() {
        return x;
    }
    let k = (x * LOG2_E).round_ties_even();
    let high = x - k * LN_2[0];
    let low = k * LN_2[1];
    let r = high - low;
    let t = r * r;
    let c = r - t * polynomial(
        t,
        [
            1.666_666_666_666_660_190_37e-1,
            -2.777_777_777_701_559_338_42e-3,
            6.613_756_321_437_934_361_17e-5,
            -1.653_390_220_546_525_153_90e-6,
            4.138_136_797_057_238_460_39e-8,
        ],
    );
    let value = 1.0 + (r * c / (2.0 - c) - low + high);
    let k = k as i64;
    // In two steps, so that results below the least normal double are rounded once.
    value * two_to(k >> 1) * two_to(k - (k >> 1))
}

/// x = 2^k · (1 + f), √½ < 1 + f < √2, as k and ln(1 + f); x is positive and finite.
fn logarithm_and_exponent(x: f64) -> (f64, f64) {
    const ROOT_OF_HALF: u64 = 0x3fe6_a09e_0000_0000;
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * two_to(54), 54) } else { (x, 0) };
    let bits = x.to_bits().wrapping_sub(ROOT_OF_HALF);
    let k = (bits.cast_signed() >> 52) - shift;
    let f = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + ROOT_OF_HALF) - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial(
        z,
        [
            6.666_666_666_666_735_130e-1,
            3.999_999_999_940_941_908e-1,
            2.857_142_874_366_239_149e-1,
            2.222_219_843_214_978_396e-1,
            1.818_357_216_161_805_012e-1,
            1.531_383_769_920_937_332e-1,
            1.479_819_860_511_658_591e-1,
        ],
    );
    (k as f64, f - (half - s * (half + r)))
}

/// Logarithms of what has none: of 0, of negative numbers, of ∞ and NaN.
fn without_logarithm(x: f64) -> Option<f64> {
    match x {
        0.0 => Some(f64::NEG_INFINITY),
        _ if x < 0.0 => Some(f64::NAN),
        _ if x.is_finite() => None,
        _ => Some(x),
    }
}

pub(super) fn logarithm(x: f64) -> f64 {
    without_logarithm(x).unwrap_or_else(|| {
        let (k, rest) = logarithm_and_exponent(x);
        k * LN_2[0] + (rest + k * LN_2[1])
    })
}

/// Exact for powers of two.
pub(super) fn logarithm_2(x: f64) -> f64 {
    without_logarithm(x).unwrap_or_else(|| {
        let (k, rest) = logarithm_and_exponent(x);
        k + rest * LOG2_E
    })
}

/// x^n by squaring; 1 / x^|n| for negative n.
pub(super) fn power(x: f64, n: i64) -> f64 {
    let mut result = 1.0;
    let mut square = x;
    let mut rest = n.unsigned_abs();
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        rest >>= 1;
        if rest > 0 {
            square *= square;
        }
    }
    if n < 0 { 1.0 / result } else { result }
}

/// x^y; exp(y · ln x), but for small integers y.
pub(super) fn real_power(x: f64, y: f64) -> f64 {
    if y.abs() <= MULTIPLIED && y.trunc() == y {
        return power(x, y as i64);
    }
    if x == 1.0 {
        return 1.0;
    }
    exponential(y * logarithm(x))
}

/// The arc tangent of x ≥ 0.
fn arc_tangent(x: f64) -> f64 {
    let (t, high, low) = match x {
        _ if x < 0.4375 => (x, 0.0, 0.0),
        _ if x < 0.6875 => {
            let t = (2.0 * x - 1.0) / (2.0 + x);
            (t, 4.636_476_090_008_060_935_15e-1, 2.269_877_745_296_168_709_24e-17)
        }
        _ if x < 1.1875 => ((x - 1.0) / (x + 1.0), FRAC_PI_4, 3.061_616_997_868_383_017_93e-17),
        _ if x < 2.4375 => {
            let t = (x - 1.5) / (1.0 + 1.5 * x);
            (t, 9.827_937_232_473_290_540_82e-1, 1.390_331_103_123_099_845_16e-17)
        }
        _ => (-1.0 / x, FRAC_PI_2, 6.123_233_995_736_766_035_87e-17),
    };
    let z = t * t;
    let sum = z * polynomial(
        z,
        [
            3.333_333_333_333_293_180_27e-1,
            -1.999_999_999_987_648_324_76e-1,
            1.428_571_427_250_346_637_11e-1,
            -1.111_111_040_546_235_578_80e-1,
            9.090_887_133_436_506_561_96e-2,
            -7.691_876_205_044_829_994_95e-2,
            6.661_073_137_387_531_206_69e-2,
            -5.833_570_133_790_573_486_45e-2,
            4.976_877_994_615_932_360_17e-2,
            -3.653_157_274_421_691_552_70e-2,
            1.628_582_011_536_578_236_23e-2,
        ],
    );
    high - ((t * sum - low) - t)
}

/// The angle of the point (x, y), from −π to π.
pub(super) fn angle(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let ratio = match (y.abs(), x.abs()) {
        (a, b) if a == b && a > 0.0 => 1.0,
        (0.0, 0.0) => 0.0,
        (a, b) => a / b,
    };
    let first = arc_tangent(ratio);
    let angle =
        if x.is_sign_negative() { PI - (first - 1.224_646_799_147_353_207_17e-16) } else { first };
    if y.is_sign_negative() { -angle } else { angle }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How many doubles lie between.
    fn ulps_between(found: f64, expected: f64) -> u64 {
        let place = |it: f64| {
            let bits = it.to_bits().cast_signed();
            if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
        };
        if found.is_nan() && expected.is_nan() { 0 } else { place(found).abs_diff(place(expected)) }
    }

    fn near(name: &str, x: f64, found: f64, expected: f64, most: u64) {
        let distance = ulps_between(found, expected);
        assert!(distance <= most, "{name}({x:e}) = {found:e}, not {expected:e}: {distance} apart");
    }

    fn all(x: f64) {
        if x.abs() <= FAR || x.is_nan() {
            near("sin", x, sine(x), x.sin(), 1);
            near("cos", x, cosine(x), x.cos(), 1);
            near("tan", x, tangent(x), x.tan(), 3);
        }
        near("exp", x, exponential(x), x.exp(), 1);
        near("log", x, logarithm(x), x.ln(), 1);
        near("log2", x, logarithm_2(x), x.log2(), 2);
    }

    #[test]
    fn special_values() {
        let specials = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.0,
            10.0,
            1e-300,
            5e-324,
            -745.0,
            709.7,
            710.0,
            1e6,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            PI,
            FRAC_PI_2,
        ];
        for x in specials {
            if x.is_finite() || x.is_nan() {
                all(x);
            }
            for y in specials {
                near("atan2", x, angle(y, x), y.atan2(x), 1);
                if x.is_sign_positive() && x.is_finite() {
                    let within = 2 + (y * x.ln()).abs().min(800.0) as u64 * 2;
                    near("pow", x, real_power(x, y), x.powf(y), within);
                }
            }
        }
        for k in -1074..1024_i32 {
            // `powi` of −1074 goes by way of infinity.
            let power = 2_f64.powi(k / 2) * 2_f64.powi(k - k / 2);
            assert_eq!(logarithm_2(power), f64::from(k));
        }
        assert_eq!(sine(1e300).abs().min(1.0), sine(1e300).abs());
        assert!(sine(f64::INFINITY).is_nan());
    }

    proptest! {
        #[test]
        fn close_to_the_true_values(x in -1e6_f64..1e6, small in -5.0_f64..5.0, any in any::<f64>()) {
            for x in [x, small, any] {
                all(x);
            }
            near("atan2", x, angle(small, x), small.atan2(x), 2);
            near("atan2", small, angle(any, small), any.atan2(small), 2);
        }

        #[test]
        fn powers_are_as_near_as_the_page_says(x in 1e-3_f64..1e3, y in -20.0_f64..20.0) {
            let (found, expected) = (real_power(x, y), x.powf(y));
            let bound = (2.0 + (y * x.ln()).abs()) * 2_f64.powi(-52);
            prop_assert!(((found - expected) / expected).abs() <= bound, "{x}^{y}: {found}, {expected}");
        }
    }
}
