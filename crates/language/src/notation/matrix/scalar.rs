//! Scalars that Fortran declares: what they hold, and whether they are given back.

use super::Reader;
use crate::notation::token::Token;
use crate::notation::tree::{Tree, first};

/// What declarations say of scalars.
#[derive(Debug, Default)]
pub(super) struct Scalars {
    integers: Vec<String>,
    /// Those that `intent(out)` or `intent(inout)` gives back, in order.
    pub(super) given_back: Vec<Token>,
    /// Those of them that have no value before.
    made: Vec<String>,
}

impl Reader {
    /// Takes note of a scalar that is declared.
    pub(super) fn scalar(&mut self, word: &Token, attributes: &[Token], name: &Token) {
        if word.is_word("integer") {
            self.scalars.integers.push(name.text.clone());
        }
        let intent = attributes.windows(3).find(|it| it[0].is_word("intent") && it[1].is("("));
        match intent.map(|it| it[2].text.to_ascii_lowercase()).as_deref() {
            Some("out") => {
                self.scalars.given_back.push(name.clone());
                self.scalars.made.push(name.text.clone());
            }
            Some("inout") => self.scalars.given_back.push(name.clone()),
            _ => {}
        }
    }

    /// Whether an argument has no value before.
    pub(super) fn is_made(&self, name: &Token) -> bool {
        self.scalars.made.contains(&name.text)
    }

    /// What an integer gets is cut off.
    pub(super) fn cut(&self, target: &[Token], value: Tree) -> Tree {
        let is_integer = matches!(target, [name] if self.scalars.integers.contains(&name.text));
        match is_integer && self.known.is_real(&value) {
            true => Tree::Call(first(&value).with("i64"), vec![value]),
            false => value,
        }
    }
}
