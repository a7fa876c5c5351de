//! Numbers of a text between blanks, for formats that have no other structure.

use std::str::FromStr;

use super::Fault;

/// A line's words, with its number.
pub(super) struct Words<'a> {
    pub(super) line: usize,
    words: std::str::SplitAsciiWhitespace<'a>,
}

/// The lines of a text that have words, without what follows a `#`.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Words<'_>> {
    text.lines().zip(1..).filter_map(|(text, line)| {
        let text = text.split('#').next().unwrap_or_default();
        let words = text.split_ascii_whitespace();
        words.clone().next().is_some().then_some(Words { line, words })
    })
}

impl<'a> Words<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// The next word as a number; `what` it is, for messages.
    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        let word = self.words.next().unwrap_or_default();
        word.parse().map_err(|_| {
            Fault::at(self.line, format!("'{word}' is not {what}; write a number there"))
        })
    }

    /// The next word as a coordinate.
    pub(super) fn coordinate(&mut self) -> Result<f64, Fault> {
        let line = self.line;
        let value: f64 = self.number("a coordinate")?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(Fault::at(line, format!("'{value}' is not a finite number; write one such as 12.5")))
    }
}
