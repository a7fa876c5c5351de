//! Operators of each language, and how tightly they bind.

use crate::language::notation::scan::Dialect;
use crate::language::notation::token::Token;

/// How the plain form writes an operator, how tightly it binds here, and whether it groups to the right.
pub(super) fn operator(dialect: Dialect, token: &Token) -> Option<(&'static str, u8, bool)> {
    let word = token.text.to_ascii_lowercase();
    let left = |plain, strength| Some((plain, strength, false));
    match (dialect, word.as_str()) {
        (Dialect::C, "|") => left("|", 3),
        (Dialect::C, "^" | "xor") => left("xor", 4),
        (Dialect::C, "&") => left("&", 5),
        (Dialect::C, "==") => left("=", 6),
        (Dialect::C, "!=") => left("≠", 6),
        (Dialect::Python, "|") => left("|", 5),
        (Dialect::Python, "^") => left("xor", 6),
        (Dialect::Python, "&") => left("&", 7),
        (Dialect::Python, "==" | "is") => left("=", 4),
        (Dialect::Python, "!=") => left("≠", 4),
        (Dialect::Python, "<") => left("<", 4),
        (Dialect::Python, "<=") => left("≤", 4),
        (Dialect::Python, ">") => left(">", 4),
        (Dialect::Python, ">=") => left("≥", 4),
        (Dialect::Python, "**") => Some(("^", 13, true)),
        (Dialect::Matrix, "^" | ".^" | "**") => Some(("^", 13, true)),
        // Of Julia alone: its shifts bind more tightly than products.
        (Dialect::Matrix, "<<") => left("<<", 11),
        (Dialect::Matrix, ">>") => left(">>", 11),
        (Dialect::Matrix, "⊻") => left("xor", 9),
        // Texts joined in Fortran, a fraction in Julia. A shift of bits without their sign.
        (Dialect::Matrix, "//") | (_, ">>>") => None,
        (_, "||" | "or" | ".or.") => left("or", 1),
        (_, "&&" | "and" | ".and.") => left("and", 2),
        (_, "|") => left("|", 4),
        (_, "&") => left("&", 6),
        (_, "==" | "is" | ".eq." | "===") => left("=", 7),
        (_, "!=" | "~=" | "≠" | ".ne." | "!==") => left("≠", 7),
        (Dialect::Matrix, "/=") => left("≠", 7),
        (_, "<" | ".lt.") => left("<", 7),
        (_, "<=" | "≤" | ".le.") => left("≤", 7),
        (_, ">" | ".gt.") => left(">", 7),
        (_, ">=" | "≥" | ".ge.") => left("≥", 7),
        (_, "<<") => left("<<", 8),
        (_, ">>") => left(">>", 8),
        (_, "+") => left("+", 9),
        (_, "-" | "−") => left("-", 9),
        (_, "*" | ".*" | "×" | "·") => left("×", 10),
        (_, "/" | "./") => left("/", 10),
        (_, "//" | "÷") => left("//", 10),
        (_, "%") => left("mod", 10),
        _ => None,
    }
}

/// Of `&` and `|`, which MATLAB takes below comparisons and Julia among products and sums: whether they
/// mean the same to both, beside the operators around.
pub(super) fn groups_alike(tokens: &[Token], at: usize) -> bool {
    let signs = |side: &mut dyn Iterator<Item = &Token>| {
        let (mut depth, mut compares, mut computes) = (0_i32, false, false);
        for it in side {
            depth +=
                i32::from(it.is_any(&["(", "[", "{"])) - i32::from(it.is_any(&[")", "]", "}"]));
            let ends = ["&&", "||", ",", "=", "&", "|"];
            if depth == 0 && it.is_any(&ends) {
                break;
            }
            let (plain, ..) = match operator(Dialect::Matrix, it) {
                Some(found) if depth == 0 => found,
                _ => continue,
            };
            compares |= is_comparison(plain);
            computes |= !is_comparison(plain) && plain != "^";
        }
        (compares, computes)
    };
    let before = signs(&mut inside(tokens, at).0.iter().rev());
    let behind = signs(&mut inside(tokens, at).1.iter());
    match (before, behind) {
        ((true, _), (true, _)) => true,
        ((compares, computes), (other, others)) => !compares && !computes && !other && !others,
    }
}

/// What stands on both sides within the same brackets.
fn inside(tokens: &[Token], at: usize) -> (&[Token], &[Token]) {
    let opens = |it: &Token| it.is_any(&["(", "[", "{"]);
    let closes = |it: &Token| it.is_any(&[")", "]", "}"]);
    let (mut depth, mut start, mut end) = (0, at, at + 1);
    while start > 0 && (depth > 0 || !opens(&tokens[start - 1])) {
        start -= 1;
        depth += i32::from(closes(&tokens[start])) - i32::from(opens(&tokens[start]));
    }
    depth = 0;
    while end < tokens.len() && (depth > 0 || !closes(&tokens[end])) {
        depth += i32::from(opens(&tokens[end])) - i32::from(closes(&tokens[end]));
        end += 1;
    }
    (&tokens[start..at], &tokens[at + 1..end])
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
