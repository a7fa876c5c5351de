//! A file line by line, in bounded memory.

use std::io::{BufRead, Read};

use super::TraceFileError;

/// Bytes of a line, at most.
const MOST_LINE_BYTES: u64 = 1 << 16;

/// The lines of a file, without the space around them.
pub(crate) struct Lines<'a> {
    name: &'a str,
    from: &'a mut dyn BufRead,
    number: u64,
    line: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(name: &'a str, from: &'a mut dyn BufRead) -> Self {
        Self { name, from, number: 0, line: vec![] }
    }

    /// The next one; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<String>, TraceFileError> {
        self.line.clear();
        self.number += 1;
        let mut rest = (&mut *self.from).take(MOST_LINE_BYTES);
        let read = rest.read_until(b'\n', &mut self.line);
        let count = read.map_err(|it| TraceFileError::File(self.name.to_owned(), it))?;
        if count as u64 == MOST_LINE_BYTES && !self.line.ends_with(b"\n") {
            return Err(self.wrong("is longer than any of a trace"));
        }
        let text = String::from_utf8_lossy(&self.line).trim().to_owned();
        Ok((count > 0).then_some(text))
    }

    /// What is wrong with the line that was read last.
    pub(crate) fn wrong(&self, why: impl Into<String>) -> TraceFileError {
        TraceFileError::Line { name: self.name.to_owned(), line: self.number, why: why.into() }
    }
}

/// A number in base 16, with `0x` or without.
pub(crate) fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    u64::from_str_radix(digits, 16).ok()
}
