//! Products without a sign.

use crate::notation::names::is_greek_name;
use crate::notation::token::Token;

/// Words that stand behind a bracket and are no factors.
const NO_FACTORS: [&str; 27] = [
    "and", "or", "not", "mod", "div", "xor", "then", "else", "do", "to", "downto", "step", "by",
    "in", "is", "with", "if", "for", "while", "until", "return", "pardo", "end", "down", "such",
    "where", "unless",
];

/// Where the bracket that tokens end in opens.
pub(in crate::notation) fn opening(tokens: &[Token]) -> Option<usize> {
    let mut open = 0_usize;
    for (index, token) in tokens.iter().enumerate().rev() {
        open += usize::from(token.closes());
        if token.opens() {
            open = open.checked_sub(1)?;
        }
        if open == 0 {
            return (index + 1 < tokens.len()).then_some(index);
        }
    }
    None
}

/// Whether the bracket that tokens end in is around a value: neither arguments nor a condition.
fn closes_group(tokens: &[Token]) -> bool {
    let signs = ["←", ":=", "<-", "=", "+", "-", "−", "×", "*", "/", "(", "[", ","];
    opening(tokens).is_some_and(|at| at > 0 && tokens[at].is("(") && tokens[at - 1].is_any(&signs))
}

/// A Greek letter, as it is or with a number: β₁.
fn is_greek(name: &str) -> bool {
    let (letter, index) = name.split_once('_').unwrap_or((name, "0"));
    is_greek_name(letter) && index.bytes().all(|it| it.is_ascii_digit())
}

/// A sign behind the power that tokens end in: `2^k a[k]`.
pub(super) fn times_power(plain: &mut Vec<Token>, factor: &Token) {
    if ends_in_power(plain) {
        plain.push(Token::made("×", factor));
    }
}

/// Whether tokens end in a power: `2^k`, `(-1)^(k + 1)`.
fn ends_in_power(plain: &[Token]) -> bool {
    let [.., before, last] = plain else { return false };
    if !last.is(")") {
        return before.is("^") && last.ends_operand();
    }
    opening(plain).is_some_and(|at| at > 0 && plain[at - 1].is("^"))
}

/// Whether a name is a factor of what stands before it: `(1 - ω) x`, `η g`.
pub(super) fn follows_factor(token: &Token, plain: &[Token]) -> bool {
    let is_factor = |it: &Token| it.is(")") && closes_group(plain) || is_greek(&it.text);
    // `i δ`
    let is_greek = is_greek_name(&token.text)
        && !token.blank.is_empty()
        && plain.last().is_some_and(|it| it.ends_operand() && !it.is_any(&NO_FACTORS));
    let is_behind = plain.last().is_some_and(is_factor) || ends_in_power(plain) || is_greek;
    token.is_name() && is_behind && !token.is_any(&NO_FACTORS)
}

/// A sign between the factors of `x_i y_j`.
pub(super) fn times(plain: &mut Vec<Token>, factor: &Token) {
    // `θ x_i`, `h f_i`
    let is_letter = |it: &Token| {
        let is_short = it.text.len() == 1 || is_greek(&it.text);
        // A line that a bracket joins to the one before begins no factor.
        let is_beside = !factor.blank.is_empty() && factor.column > it.column;
        (it.is_name() && is_short || it.is_number()) && is_beside
    };
    let is_factor = |it: &Token| it.is("]") || it.is(")") && closes_group(plain) || is_letter(it);
    if plain.last().is_some_and(is_factor) {
        plain.push(Token::made("×", factor));
    }
}
