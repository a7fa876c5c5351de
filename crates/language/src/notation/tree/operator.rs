//! Operators of each language, and how tightly they bind.

use crate::notation::scan::Dialect;
use crate::notation::token::Token;

/// Of what the dialect of MATLAB, Fortran and Julia is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::notation) enum Family {
    /// What is meant by signs that they read differently is open.
    #[default]
    Open,
    Matlab,
    Fortran,
    Julia,
}

/// How the plain form writes an operator, how tightly it binds here, and whether it groups to the right.
pub(super) fn operator(
    dialect: Dialect,
    family: Family,
    token: &Token,
) -> Option<(&'static str, u8, bool)> {
    let word = token.text.to_ascii_lowercase();
    let left = |plain, strength| Some((plain, strength, false));
    // Comparisons bind less tightly than operators on bits, but in C.
    let (equals, compares) = if dialect == Dialect::C { (6, 7) } else { (4, 4) };
    let of_bits = match (dialect, family, word.as_str()) {
        // Of Java: the bits of a negative number without their sign.
        (Dialect::C, _, ">>>") => return None,
        (Dialect::C, _, "|") => left("|", 3),
        (Dialect::C, _, "^" | "xor") => left("xor", 4),
        (Dialect::C, _, "&") => left("&", 5),
        (Dialect::Python, _, "|") => left("|", 5),
        (Dialect::Python, _, "^") => left("xor", 6),
        (Dialect::Python, _, "&") => left("&", 7),
        (Dialect::Matrix, Family::Matlab, "|") => left("or", 1),
        (Dialect::Matrix, Family::Matlab, "&") => left("and", 2),
        (Dialect::Matrix, Family::Julia, "|") => left("|", 9),
        (Dialect::Matrix, Family::Julia, "⊻" | "xor") => left("xor", 9),
        (Dialect::Matrix, Family::Julia, "&") => left("&", 10),
        (Dialect::Matrix, Family::Julia, "<<") => left("<<", 11),
        (Dialect::Matrix, Family::Julia, ">>" | ">>>") => left(">>", 11),
        (Dialect::Matrix, Family::Matlab, "^" | ".^") => left("^", 13),
        (Dialect::Matrix | Dialect::Python, _, "**") => Some(("^", 13, true)),
        (Dialect::Matrix, _, "^" | ".^") => Some(("^", 13, true)),
        _ => None,
    };
    if of_bits.is_some() {
        return of_bits;
    }
    match word.as_str() {
        "||" | "or" | ".or." => left("or", 1),
        "&&" | "and" | ".and." => left("and", 2),
        "==" | "is" | ".eq." | "===" => left("=", equals),
        "!=" | "~=" | "≠" | ".ne." | "!==" => left("≠", equals),
        "/=" if dialect == Dialect::Matrix => left("≠", equals),
        "<" | ".lt." => left("<", compares),
        "<=" | "≤" | ".le." => left("≤", compares),
        ">" | ".gt." => left(">", compares),
        ">=" | "≥" | ".ge." => left("≥", compares),
        "<<" => left("<<", 8),
        ">>" | ">>>" => left(">>", 8),
        "+" => left("+", 9),
        "-" | "−" => left("-", 9),
        "*" | ".*" | "×" | "·" => left("×", 10),
        "/" | "./" => left("/", 10),
        "//" | "÷" => left("//", 10),
        "%" => left("mod", 10),
        _ => None,
    }
}

/// How tightly the plain form binds.
pub(super) fn strength(plain: &str) -> u8 {
    match plain {
        "or" => 0,
        "and" => 1,
        "=" | "≠" | "<" | "≤" | ">" | "≥" => 3,
        "|" => 4,
        "xor" => 5,
        "&" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "^" => 11,
        _ => 9,
    }
}

pub(super) fn is_comparison(plain: &str) -> bool {
    strength(plain) == 3
}
