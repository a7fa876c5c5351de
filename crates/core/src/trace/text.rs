//! Trace text, version 2; one without loops on DMMs is of version 1, too.
//!
//! ```text
//! threads 8
//! R 0+1x8          # a read step: addresses 0,1,…,7 for threads 0…7
//! W 16+0x4 -x4     # threads 0…3 write address 16, threads 4…7 idle
//! R 5 - 9 2+3x2    # single addresses, '-' idle, then 2 and 5; the rest of the threads idle
//! B                # barrier
//! D 4              # a loop on DMMs, with blocks of 4 threads
//! @0 0 R 0+1x4     # step 0 of the loop: block 0 reads global memory
//! @0 1 R 4+1x4     # and block 1, which makes this step together with it where they go in step
//! @1 0 B           # a barrier of block 0, before its step 1
//! @1 0 SW 0+4x4    # block 0 writes the shared memory of its DMM
//! E                # the end of the loop
//! ```
//! A block's lines are in its own order; its steps' numbers ascend.
//!
//! Printing ([`Display`](std::fmt::Display) of [`Trace`]) keeps the pieces as they are, so that a
//! printed trace reads back as the same trace.

use std::collections::HashMap;

use thiserror::Error;

use super::{AccessKind, BlockAt, BlockEvent, Event, Piece, Sink, Space, Step, StridedRun, Trace};
use crate::units::{Address, Threads};

/// What is wrong with a trace text, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// Length of the faulty stretch, in characters; 0 where something is missing.
    pub span: usize,
    /// What is wrong, in a line.
    pub message: String,
    /// The remedy.
    pub help: String,
}

/// What one line says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TraceLine {
    /// Blank, or only a comment.
    Blank,
    /// The head, `threads p`.
    Threads(Threads),
    /// A step or a barrier of all threads.
    Event(Event),
    /// The beginning of a loop on DMMs, with as many threads of a block.
    BeginBlocks(Threads),
    /// What one of its blocks does.
    Block(BlockAt, BlockEvent),
    /// Its end.
    EndBlocks,
}

/// Reads a trace line by line, for traces that do not fit memory.
#[derive(Debug, Clone, Default)]
pub struct Parser {
    threads: Option<Threads>,
    /// In a loop on DMMs: the threads of its blocks, and the least number of each block's next step.
    blocks: Option<(Threads, HashMap<u64, u64>)>,
    line: usize,
    /// Length of the last line in characters.
    length: usize,
}

/// Reads a whole trace. O(length of the text).
///
/// # Errors
/// The first [`TextError`].
pub fn parse(text: &str) -> Result<Trace, TextError> {
    let mut parser = Parser::default();
    let mut trace = Trace::new(Threads::ONE);
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for line in text.lines() {
        match parser.line(line)? {
            TraceLine::Blank | TraceLine::Threads(_) | TraceLine::EndBlocks => {}
            TraceLine::Event(event) => trace.events.push(event),
            TraceLine::BeginBlocks(threads) => trace.begin_blocks(threads),
            TraceLine::Block(at, event) => trace.push_block(at, event),
        }
    }
    trace.threads = parser.finish()?;
    Ok(trace)
}

impl Parser {
    /// Reads the next line, given without its end.
    ///
    /// # Errors
    /// [`TextError`] if the line is malformed, or is a step before the header; later lines can
    /// still be read.
    pub fn line(&mut self, text: &str) -> Result<TraceLine, TextError> {
        self.line += 1;
        self.length = text.chars().count();
        let code = text.split_once('#').map_or(text, |(code, _)| code);
        self.code(code).map_err(|fault| {
            let characters = |from, to| text[from..to].chars().count();
            TextError {
                line: self.line,
                column: 1 + characters(0, fault.at),
                span: characters(fault.at, fault.at + fault.len),
                message: fault.message,
                help: fault.help,
            }
        })
    }

    /// Ends the trace: the number of threads that its header named.
    ///
    /// # Errors
    /// [`TextError`] if there was no header, or a loop on DMMs has no end.
    pub fn finish(&self) -> Result<Threads, TextError> {
        let missing = |message: &str, help: &str| TextError {
            line: self.line.max(1),
            column: self.length + 1,
            span: 0,
            message: message.to_owned(),
            help: help.to_owned(),
        };
        if self.blocks.is_some() {
            return Err(missing("the loop on DMMs has no end", "end it with a line `E`"));
        }
        self.threads.ok_or_else(|| missing("the trace has no header", HEADER_HELP))
    }

    fn code(&mut self, code: &str) -> Result<TraceLine, Fault> {
        let mut words = TraceWords { code, at: 0 };
        let Some(first) = words.next() else {
            return Ok(TraceLine::Blank);
        };
        if self.blocks.is_some() {
            return self.of_blocks(first, words);
        }
        let kind = match first.text {
            "threads" => return self.header(first, words).map(TraceLine::Threads),
            "R" => Some(AccessKind::Read),
            "W" => Some(AccessKind::Write),
            "B" => None,
            "D" if self.threads.is_some() => {
                let threads = number_of_threads(first, &mut words, BLOCKS_HELP)?;
                nothing_more(words, BLOCKS_HELP)?;
                self.blocks = Some((threads, HashMap::new()));
                return Ok(TraceLine::BeginBlocks(threads));
            }
            "D" => return Err(first.fault("a loop comes before the header", HEADER_HELP)),
            other => {
                let message = format!("`{other}` is no kind of step");
                let help = "a line begins with `R` (read), `W` (write), `B` (barrier), `D` (a loop on \
                            DMMs) or, once at the top, `threads`";
                return Err(first.fault(message, help));
            }
        };
        let Some(threads) = self.threads else {
            return Err(first.fault("a step comes before the header", HEADER_HELP));
        };
        let Some(kind) = kind else {
            nothing_more(words, "a barrier stands alone on its line")?;
            return Ok(TraceLine::Event(Event::Barrier));
        };
        Ok(TraceLine::Event(Event::Step(step(kind, words, threads, ["the trace", "threads"])?)))
    }

    /// A line of a loop on DMMs.
    fn of_blocks(
        &mut self,
        first: TraceWord<'_>,
        mut words: TraceWords<'_>,
    ) -> Result<TraceLine, Fault> {
        if first.text == "E" {
            nothing_more(words, "the end of a loop stands alone on its line")?;
            self.blocks = None;
            return Ok(TraceLine::EndBlocks);
        }
        let Some((threads, numbers)) = &mut self.blocks else { return Ok(TraceLine::Blank) };
        let Some(number) = first.text.strip_prefix('@') else {
            let message = format!("`{}` is no line of a loop on DMMs", first.text);
            return Err(first.fault(message, BLOCK_HELP));
        };
        let number = TraceWord { at: first.at + 1, text: number }.whole_number(BLOCK_HELP)?;
        let mut next = || words.next().ok_or_else(|| first.fault("a word is missing", BLOCK_HELP));
        let block = next()?.whole_number(BLOCK_HELP)?;
        let what = next()?;
        let (space, kind) = match what.text {
            "R" => (Space::Global, Some(AccessKind::Read)),
            "W" => (Space::Global, Some(AccessKind::Write)),
            "SR" => (Space::Shared, Some(AccessKind::Read)),
            "SW" => (Space::Shared, Some(AccessKind::Write)),
            "B" => (Space::Global, None),
            other => {
                let message = format!("`{other}` is nothing that a block does");
                return Err(what.fault(message, BLOCK_HELP));
            }
        };
        let least = numbers.entry(block).or_default();
        if number < *least {
            let message = format!("block {block} goes back to step {number}");
            let help = format!("its next step has number {least} or more");
            return Err(first.fault(message, help));
        }
        *least = number + u64::from(kind.is_some());
        let at = BlockAt { block, number };
        let Some(kind) = kind else {
            nothing_more(words, "a barrier stands alone on its line")?;
            return Ok(TraceLine::Block(at, BlockEvent::Barrier));
        };
        let step = step(kind, words, *threads, ["a block", "D"])?;
        Ok(TraceLine::Block(at, BlockEvent::Step(space, step)))
    }

    fn header(
        &mut self,
        first: TraceWord<'_>,
        mut words: TraceWords<'_>,
    ) -> Result<Threads, Fault> {
        if let Some(threads) = self.threads {
            let message = format!("the header is repeated; it said `threads {threads}`");
            return Err(first.fault(message, "leave this line out"));
        }
        let threads = number_of_threads(first, &mut words, HEADER_HELP)?;
        nothing_more(words, "the header is `threads` and one number")?;
        self.threads = Some(threads);
        Ok(threads)
    }
}

const HEADER_HELP: &str = "begin the trace with the number of threads, such as `threads 8`";
const BLOCKS_HELP: &str = "a loop on DMMs begins with the threads of a block, such as `D 8`";
const BLOCK_HELP: &str = "write the step, the block, and what it does: `@3 0 R 0+1x4` (or `W`, of \
                          shared memory `SR` or `SW`) or `@3 0 B`; `E` ends the loop";
const PIECE_HELP: &str = "write an address `5`, a run `5+2x4` or `5-1x4` (address, stride, \
                          threads), or idle threads `-` or `-x4`";
const LIMIT: u64 = 1 << 63;

/// The number of threads that follows a line's first word.
fn number_of_threads(
    first: TraceWord<'_>,
    words: &mut TraceWords<'_>,
    help: &str,
) -> Result<Threads, Fault> {
    let Some(word) = words.next() else {
        return Err(first.fault("the number of threads is missing", help));
    };
    let number = word.whole_number(help)?;
    Threads::new(number).map_err(|error| {
        word.fault(error.to_string(), format!("write at least `{} 1`", first.text))
    })
}

/// The rest of a line: a step of at most as many threads as `owner` has by the line of that word.
fn step(
    kind: AccessKind,
    words: TraceWords<'_>,
    threads: Threads,
    [owner, line]: [&str; 2],
) -> Result<Step, Fault> {
    let mut step = Step::new(kind);
    let mut named = 0_u64;
    for word in words {
        let piece = word.piece()?;
        let (Piece::Run(StridedRun { count, .. }) | Piece::Idle(count)) = piece;
        named = named.checked_add(count).ok_or_else(|| word.overflow())?;
        if named > threads.get() {
            let message = format!("the step names {named} threads, {owner} has {threads}");
            let help = format!("shorten the step, or write at least `{line} {named}`");
            return Err(word.fault(message, help));
        }
        step.pieces.push(piece);
    }
    Ok(step)
}

fn nothing_more(mut words: TraceWords<'_>, help: &str) -> Result<(), Fault> {
    words.next().map_or(Ok(()), |word| {
        Err(word.fault(format!("`{}` is one word too many", word.text), help))
    })
}

/// An error whose place is known only within the line, in bytes.
struct Fault {
    at: usize,
    len: usize,
    message: String,
    help: String,
}

#[derive(Clone, Copy)]
struct TraceWord<'a> {
    at: usize,
    text: &'a str,
}

struct TraceWords<'a> {
    code: &'a str,
    at: usize,
}

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

impl TraceWord<'_> {
    fn fault(&self, message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { at: self.at, len: self.text.len(), message: message.into(), help: help.into() }
    }

    fn malformed(&self) -> Fault {
        let message = format!("`{}` is not a piece of a step", self.text);
        self.fault(message, PIECE_HELP)
    }

    fn overflow(&self) -> Fault {
        let message = format!("`{}` goes beyond the largest address or number", self.text);
        self.fault(message, format!("stay below 2^63 = {LIMIT}"))
    }

    fn whole_number(self, help: &str) -> Result<u64, Fault> {
        let mut scan = Scan(self.text);
        let number = scan.number(self);
        if !scan.0.is_empty() || self.text.is_empty() {
            return Err(self.fault(format!("`{}` is not a number", self.text), help));
        }
        number
    }

    fn piece(self) -> Result<Piece, Fault> {
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
