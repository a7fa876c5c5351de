//! Words of a trace's line, and the pieces that they spell.

use super::{Piece, StridedRun};
use crate::units::Address;

const PIECE_HELP: &str = "write an address `5`, a run `5+2x4` or `5-1x4` (address, stride, \
                          threads), or idle threads `-` or `-x4`";
const LIMIT: u64 = 1 << 63;

/// An error whose place is known only within the line, in bytes.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) message: String,
    pub(super) help: String,
}

#[derive(Clone, Copy)]
pub(super) struct TraceWord<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
}

pub(super) struct TraceWords<'a> {
    pub(super) code: &'a str,
    pub(super) at: usize,
}

/// Words that a thread accesses at once, at most.
const MOST_WORDS: u64 = 64;

impl<'a> Iterator for TraceWords<'a> {
    type Item = TraceWord<'a>;

    fn next(&mut self) -> Option<TraceWord<'a>> {
        let rest = self.code.get(self.at..)?;
        let begin = rest.bytes().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &rest[begin..];
        let end = rest.bytes().position(|byte| byte.is_ascii_whitespace());
        let text = &rest[..end.unwrap_or(rest.len())];
        let at = self.at + begin;
        self.at = at + text.len();
        Some(TraceWord { at, text })
    }
}

impl<'a> TraceWord<'a> {
    /// The kind of a step, and how many words each of its threads accesses: `R4`.
    pub(super) fn kind(&self) -> Result<(&'a str, u64), Fault> {
        let kind = self.text.trim_end_matches(|it: char| it.is_ascii_digit());
        match &self.text[kind.len()..] {
            "" => Ok((kind, 1)),
            words => match words.parse() {
                Ok(words @ 1..=MOST_WORDS) => Ok((kind, words)),
                _ => Err(self.fault(
                    format!("`{words}` is no number of words of an access"),
                    format!("write 1 to {MOST_WORDS}, as in `R4`"),
                )),
            },
        }
    }
}

impl TraceWord<'_> {
    pub(super) fn fault(&self, message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { at: self.at, len: self.text.len(), message: message.into(), help: help.into() }
    }

    pub(super) fn malformed(&self) -> Fault {
        let message = format!("`{}` is not a piece of a step", self.text);
        self.fault(message, PIECE_HELP)
    }

    pub(super) fn overflow(&self) -> Fault {
        let message = format!("`{}` goes beyond the largest address or number", self.text);
        self.fault(message, format!("stay below 2^63 = {LIMIT}"))
    }

    pub(super) fn whole_number(self, help: &str) -> Result<u64, Fault> {
        let mut scan = Scan(self.text);
        let number = scan.number(self);
        if !scan.0.is_empty() || self.text.is_empty() {
            return Err(self.fault(format!("`{}` is not a number", self.text), help));
        }
        number
    }

    pub(super) fn piece(self) -> Result<Piece, Fault> {
        let mut scan = Scan(self.text);
        if scan.eat(b'-') {
            if scan.0.is_empty() {
                return Ok(Piece::Idle(1));
            }
            let count = scan.count(self)?;
            scan.end(self)?;
            return Ok(Piece::Idle(count));
        }
        let base = scan.number(self)?;
        if scan.0.is_empty() {
            let (base, stride, count) = (Address(base), 0, 1);
            return Ok(Piece::Run(StridedRun { base, stride, count }));
        }
        let backwards = scan.eat(b'-');
        if !backwards && !scan.eat(b'+') {
            return Err(self.malformed());
        }
        let size = scan.number(self)?.cast_signed();
        let count = scan.count(self)?;
        scan.end(self)?;
        let run =
            StridedRun { base: Address(base), stride: if backwards { -size } else { size }, count };
        self.check_last(run)?;
        Ok(Piece::Run(run))
    }

    /// The run's last address, the only one that can be out of range, is not.
    fn check_last(&self, run: StridedRun) -> Result<(), Fault> {
        let last = i128::from(run.base.0) + i128::from(run.stride) * i128::from(run.count - 1);
        if last >= i128::from(LIMIT) {
            return Err(self.overflow());
        }
        if last < 0 {
            let message = format!("the run reaches address {last}");
            let most = run.base.0 / run.stride.unsigned_abs() + 1;
            let help = format!("addresses are not negative: take at most {most} threads");
            return Err(self.fault(message, help));
        }
        Ok(())
    }
}

/// What is left to read of a word.
struct Scan<'a>(&'a str);

impl Scan<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let found = self.0.as_bytes().first() == Some(&byte);
        if found {
            self.0 = &self.0[1..];
        }
        found
    }

    /// A number below 2⁶³.
    fn number(&mut self, word: TraceWord<'_>) -> Result<u64, Fault> {
        let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(word.malformed());
        }
        let (number, rest) = self.0.split_at(digits);
        self.0 = rest;
        let number = number.parse().ok().filter(|&number| number < LIMIT);
        number.ok_or_else(|| word.overflow())
    }

    /// `x` and a positive number.
    fn count(&mut self, word: TraceWord<'_>) -> Result<u64, Fault> {
        if !self.eat(b'x') {
            return Err(word.malformed());
        }
        match self.number(word)? {
            0 => Err(word.fault(
                format!("`{}` is for no thread", word.text),
                "leave it out, or give it at least one thread",
            )),
            count => Ok(count),
        }
    }

    fn end(&self, word: TraceWord<'_>) -> Result<(), Fault> {
        if self.0.is_empty() { Ok(()) } else { Err(word.malformed()) }
    }
}
