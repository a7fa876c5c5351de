//! Letters and digits above and below the line.

use super::token::{SUBSCRIPTS, Token, bracketed};

/// Ordinary letters and digits for those below the line, or above it.
pub(super) fn lowered(text: &str) -> String {
    let letter = |it: char| {
        let plain = "0123456789+-in".chars().zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁱⁿ".chars());
        let below = "0123456789+-ijknm".chars().zip(SUBSCRIPTS.chars());
        let above = "jkm".chars().zip("ʲᵏᵐ".chars());
        plain.chain(below).chain(above).find(|(_, raised)| *raised == it).map_or(it, |(it, _)| it)
    };
    text.chars().map(letter).collect()
}

/// The indices that letters and digits below the line are: of `i+1j`, i+1 and j.
pub(super) fn indices(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = vec![];
    let mut before = ' ';
    for letter in text.chars() {
        let is_sign = |it: char| "+-".contains(it);
        let both_digits = letter.is_ascii_digit() && before.is_ascii_digit();
        match parts.last_mut() {
            Some(last) if is_sign(letter) || is_sign(before) || both_digits => last.push(letter),
            _ => parts.push(letter.to_string()),
        }
        before = letter;
    }
    parts
}

/// The last of `plain` to the power of a raised `token`: squares of scalars are products.
pub(super) fn power(plain: &mut Vec<Token>, token: &Token) {
    let exponent = lowered(&token.text);
    let times = exponent.parse::<usize>().ok().filter(|it| (2..=3).contains(it));
    match (plain.last().cloned(), times) {
        (Some(base), Some(times)) if base.is_name() => {
            plain.pop();
            let mut product = vec![base.clone()];
            for _ in 1..times {
                product.extend([Token::made("×", &base), Token::made(&base.text, &base)]);
            }
            plain.extend(bracketed(product));
        }
        _ => {
            plain.push(Token::glued("^", token));
            let is_one = exponent.chars().all(|it| it.is_ascii_digit()) || exponent.len() == 1;
            let text = if is_one { exponent } else { format!("({exponent})") };
            plain.push(Token::glued(text, token));
        }
    }
}
