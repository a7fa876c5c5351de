//! Expressions in the plain form.

use super::operator::{is_comparison, strength};
use super::{Tree, first};
use crate::notation::token::Token;

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
