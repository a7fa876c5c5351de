//! Numbers as the axes show them.

/// What an axis measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    TimeUnits,
    Seconds,
    /// A quotient: `2×`.
    Times,
    /// A size or a number of threads: `1K` is 1024.
    Size,
    /// `512 KiB`.
    Bytes,
    /// Bytes a second, by powers of ten: `3.2 TB/s`.
    Bandwidth,
    /// Relaxations a second: `2·10¹²`.
    Rate,
    /// A part of one: `50 %`.
    Share,
    /// Pipeline stages a warp access.
    Stages,
}

impl Unit {
    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::TimeUnits | Self::Rate => count(value),
            Self::Seconds => seconds(value),
            Self::Times => format!("{}×", plain(value)),
            Self::Size => size(value),
            Self::Bytes => bytes(value),
            Self::Bandwidth => bandwidth(value),
            Self::Share => format!("{} %", plain(100.0 * value)),
            Self::Stages => plain(value),
        }
    }

    /// The values of one axis in one notation: all as powers of ten, if [`Unit::text`] makes one of
    /// them so.
    pub(super) fn texts(self, values: &[f64]) -> Vec<String> {
        let counts = matches!(self, Self::TimeUnits | Self::Rate);
        if counts && values.iter().any(|it| is_raised(*it)) {
            return values.iter().map(|it| raised(*it)).collect();
        }
        values.iter().map(|it| self.text(*it)).collect()
    }
}

/// `1K` = 1024 and so on, where the value is a multiple.
fn size(value: f64) -> String {
    for (power, name) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")] {
        let unit = 2_f64.powi(power);
        if value >= unit && value % unit == 0.0 {
            return format!("{}{name}", value / unit);
        }
    }
    plain(value)
}

/// `5 000`, `10⁵`, `2·10⁵`.
pub fn count(value: f64) -> String {
    if is_raised(value) { raised(value) } else { plain(value) }
}

/// Whether a power of ten says a count more briefly than its digits.
fn is_raised(value: f64) -> bool {
    !(-3.0..5.0).contains(&value.abs().log10().floor())
}

/// `10⁵`, `2·10⁵`.
fn raised(value: f64) -> String {
    let power = value.abs().log10().floor();
    let mantissa = value / 10_f64.powf(power);
    let power = format!("10{}", superscript(power as i32));
    match (mantissa * 100.0).round() / 100.0 {
        1.0 => power,
        mantissa => format!("{mantissa}·{power}"),
    }
}

/// Three digits or more, without the zeros that say nothing; thousands apart.
pub fn plain(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text.contains('.') { text.to_owned() } else { group_digits(text) }
}

/// A whole number, its thousands apart.
pub fn grouped(number: impl Into<u128>) -> String {
    group_digits(&number.into().to_string())
}

fn group_digits(text: &str) -> String {
    if text.len() < 4 {
        return text.to_owned();
    }
    let mut grouped = String::new();
    for (index, digit) in text.chars().enumerate() {
        if index > 0 && (text.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// With an SI prefix: `37 µs`.
pub fn seconds(value: f64) -> String {
    if value == 0.0 {
        return "0 s".to_owned();
    }
    const PREFIXES: [(i32, &str); 5] = [(0, "s"), (-3, "ms"), (-6, "µs"), (-9, "ns"), (-12, "ps")];
    let found = PREFIXES.into_iter().find(|(power, _)| value >= 0.9995 * 10_f64.powi(*power));
    let (power, unit) = found.unwrap_or((-12, "ps"));
    format!("{} {unit}", plain(value / 10_f64.powi(power)))
}

/// `512 KiB`; three digits where that says less than all.
pub fn bytes(value: f64) -> String {
    const PREFIXES: [(i32, &str); 5] = [(40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki"), (0, "")];
    let found = PREFIXES.into_iter().find(|(power, _)| value >= 2_f64.powi(*power));
    let (power, prefix) = found.unwrap_or((0, ""));
    format!("{} {prefix}B", plain(value / 2_f64.powi(power)))
}

/// With an SI prefix: `3.2 TB/s`.
pub fn bandwidth(value: f64) -> String {
    format!("{}B/s", prefixed(value))
}

/// With an SI prefix: `46.2 M/s`.
pub fn per_second(value: f64) -> String {
    format!("{}/s", prefixed(value))
}

fn prefixed(value: f64) -> String {
    const PREFIXES: [(i32, &str); 5] = [(12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, "")];
    let found = PREFIXES.into_iter().find(|(power, _)| value >= 0.9995 * 10_f64.powi(*power));
    let (power, prefix) = found.unwrap_or((0, ""));
    format!("{} {prefix}", plain(value / 10_f64.powi(power)))
}

fn superscript(power: i32) -> String {
    power
        .to_string()
        .chars()
        .map(|digit| match digit.to_digit(10) {
            Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
            None => '⁻',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_a_prefix() {
        assert_eq!([4.62e7, 999.9, 3.0].map(per_second), ["46.2 M/s", "1 k/s", "3 /s"]);
    }

    #[test]
    fn an_axis_has_one_notation() {
        let axis = |values: &[f64]| Unit::TimeUnits.texts(values).join(" ");
        assert_eq!(axis(&[1e3, 1e4]), "1\u{202f}000 10\u{202f}000");
        assert_eq!(axis(&[1e2, 1e4, 1e5]), "10² 10⁴ 10⁵");
        assert_eq!(axis(&[2e4, 5e4, 1e5]), "2·10⁴ 5·10⁴ 10⁵");
        assert_eq!(Unit::Size.texts(&[64.0, 1024.0]), ["64", "1K"]);
    }

    #[test]
    fn numbers_are_readable() {
        for (unit, value, text) in [
            (Unit::Size, 64.0, "64"),
            (Unit::Size, 8_388_608.0, "8M"),
            (Unit::Size, 1000.0, "1\u{202f}000"),
            (Unit::Size, 1024.0, "1K"),
            (Unit::TimeUnits, 5000.0, "5\u{202f}000"),
            (Unit::TimeUnits, 1e5, "10⁵"),
            (Unit::TimeUnits, 2e12, "2·10¹²"),
            (Unit::Seconds, 37e-6, "37 µs"),
            (Unit::Seconds, 1e-3, "1 ms"),
            (Unit::Seconds, 1e-9, "1 ns"),
            (Unit::Seconds, 120.0, "120 s"),
            (Unit::Bytes, 524_288.0, "512 KiB"),
            (Unit::Bytes, 146_591_680.0 * 1024.0, "140 GiB"),
            (Unit::Bytes, 1000.0, "1\u{202f}000 B"),
            (Unit::Bandwidth, 3.2e12, "3.2 TB/s"),
            (Unit::Rate, 1.31e13, "1.31·10¹³"),
            (Unit::Share, 0.0152, "1.52 %"),
            (Unit::Times, 0.5, "0.5×"),
            (Unit::Times, 31.68, "31.7×"),
        ] {
            assert_eq!(unit.text(value), text);
        }
    }
}
