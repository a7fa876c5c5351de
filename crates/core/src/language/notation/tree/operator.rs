//! Operators of each language, and how tightly they bind.

use crate::language::notation::scan::Dialect;
use crate::language::notation::token::Token;

/// How the plain form writes an operator, how tightly it binds here, and whether it groups to the right.
pub(super) fn operator(dialect: Dialect, token: &Token) -> Option<(&'static str, u8, bool)> {
    let word = token.text.to_ascii_lowercase();
    let left = |plain, strength| Some((plain, strength, false));
    match (dialect, word.as_str()) {
        (Dialect::C, "^") => left("xor", 4),
        (Dialect::Python, "^") => left("xor", 6),
        (Dialect::C, "&") => left("&", 5),
        (Dialect::C, "==") => left("=", 6),
        (Dialect::C, "!=") => left("≠", 6),
        (Dialect::Matrix, "^" | ".^" | "**") => Some(("^", 13, true)),
        (Dialect::Python, "**") => Some(("^", 13, true)),
        (_, "||" | "or" | ".or.") => left("or", 1),
        (_, "&&" | "and" | ".and.") => left("and", 2),
        (_, "|") => left("|", 4),
        (_, "⊻" | "xor") => left("xor", 5),
        (_, "&") => left("&", 6),
        (_, "==" | "is" | ".eq." | "===") => left("=", 7),
        (_, "!=" | "~=" | "≠" | ".ne." | "!==") => left("≠", 7),
        (Dialect::Matrix, "/=") => left("≠", 7),
        (_, "<" | ".lt.") => left("<", 7),
        (_, "<=" | "≤" | ".le.") => left("≤", 7),
        (_, ">" | ".gt.") => left(">", 7),
        (_, ">=" | "≥" | ".ge.") => left("≥", 7),
        (_, "<<") => left("<<", 8),
        (_, ">>" | ">>>") => left(">>", 8),
        (_, "+") => left("+", 9),
        (_, "-" | "−") => left("-", 9),
        (_, "*" | ".*" | "×" | "·") => left("×", 10),
        (_, "/" | "./") => left("/", 10),
        (_, "//" | "÷") => left("//", 10),
        (_, "%") => left("mod", 10),
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
