//! Loops over the elements of an array.

use super::{Reader, Result};
use crate::diagnostic::Diagnostic;
use crate::notation::output::words;
use crate::notation::token::{Token, position};

impl Reader {
    /// `for (int x : a)`: every element of an array.
    pub(super) fn for_each(&mut self, word: &Token, inside: &[Token]) -> Result<()> {
        let Some(at) = position(inside, &[":"]) else {
            return Err(Diagnostic::new(word.span, "this `for` has no three parts")
                .help("write `for (i = 0; i < n; i++)`"));
        };
        let ([.., name], [array]) = (&inside[..at], &inside[at + 1..]) else {
            return Err(Diagnostic::new(word.span, "a loop over the elements of what is no array")
                .help("write `for (i = 0; i < n; i++)`"));
        };
        let index = word.with(self.out.fresh("e"));
        let (name, array) = (Token::variable(name), Token::variable(array));
        self.arrays.push(array.text.clone());
        let head = format!("for {} ← 0 to length({}) - 1 do", index.text, array.text);
        self.out.line(words(word, &head, &[]));
        let element = words(&name, &format!("{} [ {} ]", array.text, index.text), &[]);
        let is_reference = inside[..at].iter().any(|it| it.is_any(&["&", "&&"]));
        if is_reference && !inside[0].is("const") {
            // What it is given is given to the element.
            let end = (self.at + self.body_tokens().len()).min(self.tokens.len());
            for place in (self.at..end).rev() {
                if self.tokens[place].is(&name.text) {
                    self.replace(place, place + 1, element.clone());
                }
            }
            return self.inner_body();
        }
        self.out.depth += 1;
        self.out.line(words(&name, "{} ← {}", &[std::slice::from_ref(&name), &element]));
        self.out.depth -= 1;
        self.inner_body()
    }
}
