//! Operators of each language, how tightly they bind, and expressions in the plain form.

use super::{Tree, first};
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
        (Dialect::C, _, ">>>") => left(">>>", 8),
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
        "%" | "%%" => left("mod", 10),
        "%/%" => left("//", 10),
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

/// An expression in the plain form, in brackets if it binds less tightly than `least`.
pub(in crate::notation) fn write(tree: &Tree, least: u8, out: &mut Vec<Token>) {
    let blank = |out: &Vec<Token>, glued: bool| {
        let opens = out.last().is_none_or(|it| it.is_any(&["(", "[", "⌊", "⌈"]));
        if glued || opens { String::new() } else { " ".to_owned() }
    };
    let push = |out: &mut Vec<Token>, token: &Token, text: &str, glued: bool| {
        let blank = blank(out, glued);
        out.push(Token { text: text.to_owned(), blank, ..token.clone() });
    };
    match tree {
        Tree::Atom(token) => push(out, token, &token.text, false),
        Tree::Index(token, of) | Tree::Call(token, of) => {
            let is_index = matches!(tree, Tree::Index(..));
            push(out, token, &token.text, false);
            push(out, token, if is_index { "[" } else { "(" }, true);
            for (at, it) in of.iter().enumerate() {
                if at > 0 {
                    push(out, token, ",", true);
                }
                write(it, 0, out);
            }
            push(out, token, if is_index { "]" } else { ")" }, true);
        }
        Tree::Prefix(op, of, token) => {
            let binds = if *op == "not" { 2 } else { 10 };
            let bracketed = binds < least || least > 0 && *op == "-";
            if bracketed {
                push(out, token, "(", false);
            }
            push(out, token, op, false);
            let at = out.len();
            write(of, binds, out);
            if *op != "not" {
                out[at].blank.clear();
            }
            if bracketed {
                push(out, token, ")", true);
            }
        }
        Tree::Binary(op, left, right) => {
            let token = first(left);
            let (op, is_real) = (op.strip_prefix("real ").unwrap_or(op), op.starts_with("real"));
            let binds = strength(op);
            if binds < least {
                push(out, &token, "(", false);
            }
            if is_real {
                push(out, &token, "f64", false);
                push(out, &token, "(", true);
                write(left, 0, out);
                push(out, &token, ")", true);
            } else {
                write(left, binds + u8::from(is_comparison(op) || op == "^"), out);
            }
            let last = out.last().cloned().unwrap_or(token.clone());
            push(out, &last, op, false);
            write(right, binds + u8::from(op != "^"), out);
            if binds < least {
                push(out, &token, ")", true);
            }
        }
        Tree::Choice(parts) => {
            let token = first(&parts[0]);
            push(out, &token, "(", false);
            push(out, &token, "if", true);
            for (part, word) in parts.iter().zip(["then", "else", ")"]) {
                write(part, 0, out);
                push(out, &token, word, word == ")");
            }
        }
        Tree::Round(up, of) => {
            let token = first(of);
            push(out, &token, if *up { "⌈" } else { "⌊" }, false);
            write(of, 0, out);
            push(out, &token, if *up { "⌉" } else { "⌋" }, true);
        }
    }
}

/// The tokens of an expression.
pub(in crate::notation) fn written(tree: &Tree) -> Vec<Token> {
    let mut out = vec![];
    write(tree, 0, &mut out);
    out
}
