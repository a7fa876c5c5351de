//! Whole numbers as people write them: `1e6`, `2^20`, `1_000`, `1K`, `64Ki`.

/// Behind a number: what it is multiplied by, as a power of ten or of two.
const SUFFIXES: [(&str, i128); 8] = [
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("K", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
];

/// Reads a whole number: digits, which `_` may part; an exponent of ten, as in `1e6` and `2.5e6`; a
/// power, as in `2^20`; K, M, G, T for thousands (k, too), Ki, Mi, Gi, Ti for powers of 1024.
///
/// ```
/// use memory_machine_core::whole_number::read;
///
/// assert_eq!(read("1_000"), Ok(1000));
/// assert_eq!(read("64Ki"), Ok(1 << 16));
/// assert_eq!(read("2^20"), Ok(1 << 20));
/// assert_eq!(read("2.5e3"), Ok(2500));
/// assert!(read("1.5").is_err());
/// ```
///
/// # Errors
/// That it is no whole number, or has no place in 64 bits.
pub fn read(text: &str) -> Result<i128, String> {
    let text = text.trim();
    let wrong = || format!("`{text}` is no whole number");
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { -1 } else { 1 }, rest),
        None => (1, text),
    };
    let (digits, factor) =
        match SUFFIXES.iter().find_map(|it| Some((suffixed(digits, it.0)?, it.1))) {
            Some((digits, factor)) => (digits, factor),
            None => (digits, 1),
        };
    let number = match digits.split_once('^') {
        Some((base, exponent)) => {
            let exponent = u32::try_from(plain(exponent).ok_or_else(wrong)?).ok();
            let base = plain(base).ok_or_else(wrong)?;
            exponent.and_then(|it| base.checked_pow(it))
        }
        None => decimal(digits, factor).ok_or_else(wrong)?,
    };
    let factor = if digits.contains('^') { factor } else { 1 };
    let number = number.and_then(|it| it.checked_mul(factor));
    let fits = |it: &i128| i64::try_from(*it).is_ok() || u64::try_from(*it).is_ok();
    number.map(|it| sign * it).filter(fits).ok_or_else(|| format!("`{text}` is too large a number"))
}

/// The text before a suffix; a small k is a large one.
fn suffixed<'a>(text: &'a str, suffix: &str) -> Option<&'a str> {
    text.strip_suffix(suffix)
        .or_else(|| (suffix == "K").then(|| text.strip_suffix('k')).flatten())
        .map(str::trim_end)
}

/// Digits, parted by `_` or not.
fn plain(text: &str) -> Option<i128> {
    let is_parted = text.starts_with('_') || text.ends_with('_') || text.contains("__");
    let digits: String = text.chars().filter(|&it| it != '_').collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    // More digits are too large, which is not to be called no number.
    let value = || digits.parse().unwrap_or(i128::MAX);
    (is_number && !is_parted).then(value)
}

/// `2.5e6` times a factor, exactly: `None` outside if it is no whole number, inside if it is too large.
fn decimal(text: &str, factor: i128) -> Option<Option<i128>> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, plain(exponent.strip_prefix('+').unwrap_or(exponent))?)
        }
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = plain(whole)?;
    let numerator = match fraction {
        "" if mantissa.ends_with('.') => return None,
        "" => 0,
        digits => plain(digits)?,
    };
    let places = u32::try_from(fraction.len()).ok()?;
    let scale = u32::try_from(exponent).ok().and_then(|it| 10_i128.checked_pow(it));
    let Some(scale) = scale.and_then(|it| it.checked_mul(factor)) else {
        return Some(if whole == 0 && numerator == 0 { Some(0) } else { None });
    };
    let of_fraction = numerator.checked_mul(scale)?;
    let denominator = 10_i128.checked_pow(places)?;
    if of_fraction % denominator != 0 {
        return None;
    }
    Some(whole.checked_mul(scale).and_then(|it| it.checked_add(of_fraction / denominator)))
}

/// The same of a number that may be negative and is below 2⁶³.
///
/// # Errors
/// What is none.
pub fn signed(text: &str) -> Result<i64, String> {
    i64::try_from(read(text)?).map_err(|_| format!("`{}` is too large a number", text.trim()))
}

/// The same of a number that is not negative, and below 2⁶⁴.
///
/// # Errors
/// What is none.
pub fn unsigned(text: &str) -> Result<u64, String> {
    u64::try_from(read(text)?).map_err(|_| format!("`{}` is below 0", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        for (text, value) in [
            ("0", 0),
            ("1e6", 1_000_000),
            ("1E+3", 1000),
            ("2.5e6", 2_500_000),
            ("2^20", 1 << 20),
            ("2^10K", 1024 * 1000),
            ("1_000_000", 1_000_000),
            ("1K", 1000),
            ("1k", 1000),
            ("1.5K", 1500),
            ("64Ki", 65_536),
            ("-3", -3),
            ("-2^3", -8),
            (" 7 ", 7),
            ("18446744073709551615", i128::from(u64::MAX)),
            ("-9223372036854775808", i128::from(i64::MIN)),
            ("1.50", i128::MAX),
        ] {
            if value == i128::MAX {
                assert!(read(text).is_err(), "{text}");
            } else {
                assert_eq!(read(text), Ok(value), "{text}");
            }
        }
        assert_eq!(signed("-9223372036854775808"), Ok(i64::MIN));
    }

    #[test]
    fn what_is_no_whole_number_is_refused() {
        for text in [
            "", "-", "x", "1.5", "1e-1", "1.25e1", "e3", "2^", "^2", "2^-1", "_1", "1_", "1__0",
            "K", "1KK", "0x10", "1,000", "1.", "inf", "NaN", "1e", "٣",
        ] {
            assert!(read(text).unwrap_err().contains("no whole number"), "{text}");
        }
        for text in ["2^64", "1e40", "18446744073709551616", "1e99999999999", "20000000T", "10^99"]
        {
            assert!(read(text).unwrap_err().contains("too large"), "{text}");
        }
        assert!(signed("2^63").is_err() && unsigned("-1").is_err());
    }
}
