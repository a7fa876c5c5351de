//! What is known of a value: whether it is real, never negative, or a number.

use super::operator::is_comparison;
use super::{Expressions, Known, Tree, first};
use crate::notation::scan::Dialect;
use crate::notation::token::Token;

impl Expressions<'_> {
    /// Whether a word negates what stands directly behind it, more tightly than any comparison.
    pub(super) fn negates(&self, word: &str) -> bool {
        match self.dialect {
            Dialect::C => word != "~",
            Dialect::Python => word == "!",
            Dialect::Matrix => word != "not",
        }
    }

    /// The type that C says behind a number, as in `1u`, where that makes a difference.
    pub(super) fn suffix(&self, number: &Token) -> Option<&'static str> {
        let text = number.text.to_ascii_lowercase();
        if let Some(digits) = text.strip_suffix('f').filter(|_| !text.starts_with("0x"))
            && let Ok(value) = digits.parse::<f64>()
        {
            let is_rounded = f64::from(value as f32) != value;
            return (self.dialect == Dialect::C && is_rounded).then_some("f32");
        }
        let is_unsigned = text.ends_with('u') || text.trim_end_matches('l').ends_with('u');
        let word = if text.contains('l') { "u64" } else { "u32" };
        (self.dialect == Dialect::C && is_unsigned).then_some(word)
    }
}

impl Known {
    /// Whether it is true or false.
    pub(in crate::notation) fn is_bool(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Atom(it) => it.is_any(&["true", "false"]) || self.bools.contains(&it.text),
            Tree::Binary(op, ..) => is_comparison(op) || ["and", "or"].contains(op),
            Tree::Prefix(op, ..) => *op == "not",
            Tree::Call(it, _) => it.is("is_nan"),
            _ => false,
        }
    }

    /// The operands of an operator on numbers, as these: 1 and 0; `&` of two conditions is that of conditions.
    pub(super) fn without_bools(
        &self,
        plain: &'static str,
        left: Tree,
        right: Tree,
    ) -> (&'static str, Tree, Tree) {
        let are = (self.is_bool(&left), self.is_bool(&right));
        let of_conditions = ["and", "or"].contains(&plain);
        let both = match plain {
            "&" => "and",
            "|" => "or",
            "xor" => "≠",
            other => other,
        };
        if of_conditions || are == (false, false) {
            return (plain, left, right);
        }
        if are == (true, true) && (both != plain || is_comparison(plain)) {
            return (both, left, right);
        }
        let as_number = |is_bool: bool, it: Tree| if is_bool { number(it) } else { it };
        (plain, as_number(are.0, left), as_number(are.1, right))
    }

    pub(in crate::notation) fn is_real(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Atom(it) if it.is_number() => {
                it.text.contains('.') || it.text.contains('e') && !it.text.starts_with("0x")
            }
            Tree::Atom(it) => it.is("∞") || it.is("π") || self.reals.contains(&it.text),
            Tree::Index(it, _) => self.reals.contains(&it.text),
            Tree::Call(it, of) => {
                it.is_any(&[
                    "sqrt", "exp", "log", "log2", "sin", "cos", "tan", "pow", "f32", "f64", "atan2",
                ]) || it.is_any(&["min", "max", "abs"]) && of.iter().any(|it| self.is_real(it))
            }
            Tree::Prefix(_, of, _) => self.is_real(of),
            Tree::Binary("real /", ..) => true,
            Tree::Binary(op, left, right) => {
                !is_comparison(op) && (self.is_real(left) || self.is_real(right))
            }
            Tree::Choice(parts) => self.is_real(&parts[1]) || self.is_real(&parts[2]),
            Tree::Round(..) => false,
        }
    }

    pub(in crate::notation) fn is_natural(&self, tree: &Tree) -> bool {
        match tree {
            Tree::Atom(it) => it.is_number() || self.naturals.contains(&it.text),
            Tree::Binary("+" | "×" | "/" | "mod" | ">>" | "<<" | "&", left, right) => {
                self.is_natural(left) && self.is_natural(right)
            }
            Tree::Binary("-", left, right) => match (&**left, &**right) {
                // `2 * i - i`, and n − 1 of a size, which is one at least.
                (Tree::Atom(of), Tree::Atom(one)) => {
                    one.is("1") && self.naturals.contains(&format!("{} >= 1", of.text))
                }
                _ => false,
            },
            Tree::Round(_, of) => self.is_natural(of),
            Tree::Call(it, of) if it.is_any(&["length", "rows", "columns"]) => !of.is_empty(),
            Tree::Call(it, of) if it.is_any(&["i32", "i64"]) => {
                of.iter().all(|it| self.is_natural(it))
            }
            Tree::Call(it, of) => {
                it.is_any(&["abs", "u8", "u16", "u32", "u64"])
                    || it.is_any(&["min", "max"]) && of.iter().all(|it| self.is_natural(it))
            }
            Tree::Choice(parts) => self.is_natural(&parts[1]) && self.is_natural(&parts[2]),
            Tree::Index(it, _) => self.naturals.contains(&it.text),
            Tree::Prefix(..) | Tree::Binary(..) => false,
        }
    }
}

/// A sum that ends in a number, with another number added to it.
pub(super) fn folded(plain: &str, left: &Tree, right: &Tree) -> Option<Tree> {
    let integer = |it: &Tree| match it {
        Tree::Atom(it) => it.text.parse::<i64>().ok(),
        _ => None,
    };
    let added = integer(right).map(|it| if plain == "+" { it } else { -it })?;
    let sum = |total: i64, of: &Tree, number: &Token| match total {
        0 => of.clone(),
        _ => {
            let number = Tree::Atom(number.with(total.unsigned_abs().to_string()));
            Tree::Binary(if total > 0 { "+" } else { "-" }, Box::new(of.clone()), Box::new(number))
        }
    };
    match left {
        Tree::Atom(token) => {
            let total = integer(left)?.checked_add(added).filter(|it| *it >= 0)?;
            Some(Tree::Atom(token.with(total.to_string())))
        }
        Tree::Binary(op @ ("+" | "-"), of, number) => {
            let before = integer(number).map(|it| if *op == "+" { it } else { -it })?;
            Some(sum(before.checked_add(added)?, of, &first(number)))
        }
        _ => None,
    }
}

/// Values that languages have names for.
pub(super) fn constant(name: &str) -> Option<&'static str> {
    Some(match name {
        "True" | "true" | "TRUE" | ".true." | ".TRUE." => "true",
        "False" | "false" | "FALSE" | ".false." | ".FALSE." => "false",
        "inf" | "Inf" | "INFINITY" | "HUGE_VAL" | "FLT_MAX_INF" => "∞",
        "INT_MAX" => "2147483647",
        "INT_MIN" => "(-2147483648)",
        "M_PI" | "pi" => "π",
        _ => return None,
    })
}

/// Indices that count from the end, as `d[-1]` of Python.
pub(super) fn from_end(array: &Token, indices: &mut [Tree]) {
    let rank = indices.len();
    for (at, index) in indices.iter_mut().enumerate() {
        let Tree::Prefix("-", back, _) = index else { continue };
        let word = ["length", "rows", "columns"][if rank == 1 { 0 } else { (at + 1).min(2) }];
        let name = Tree::Atom(Token::variable(array));
        let length = Tree::Call(array.with(word), vec![name]);
        *index = Tree::Binary("-", Box::new(length), back.clone());
    }
}

/// A condition as a number.
pub(in crate::notation) fn number(tree: Tree) -> Tree {
    let place = first(&tree);
    let [one, zero] = ["1", "0"].map(|it| Tree::Atom(place.with(it)));
    Tree::Choice(Box::new([tree, one, zero]))
}
