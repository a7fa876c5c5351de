//! Numbers as a person reads them.

/// How many of a thing: `1 feature`, `2 features`.
pub(crate) fn number_of(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number as u128), if number == 1 { "" } else { "s" })
}

/// A rate with a unit of its own size: `950`, `12.3 thousand`, `4.56 million`, `7.89·10⁹`.
pub(crate) fn rate(per_second: f64) -> String {
    let scales = [(1e9, "·10⁹"), (1e6, " million"), (1e3, " thousand"), (0.0, "")];
    let (scale, word) = scales.into_iter().find(|it| per_second >= it.0).unwrap_or((0.0, ""));
    let number = per_second / if scale > 0.0 { scale } else { 1.0 };
    let digits = if number < 10.0 { 2 } else { usize::from(number < 100.0) };
    format!("{number:.digits$}{word}")
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
