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

use super::word::{Fault, TraceWord, TraceWords};
use super::{AccessKind, BlockAt, BlockEvent, Event, Piece, Sink, Space, Step, StridedRun, Trace};
use crate::units::Threads;

const HEADER_HELP: &str = "begin the trace with the number of threads, such as `threads 8`";
const BLOCKS_HELP: &str = "a loop on DMMs begins with the threads of a block, such as `D 8`";
const BLOCK_HELP: &str = "write the step, the block, and what it does: `@3 0 R 0+1x4` (or `W`, of \
                          shared memory `SR` or `SW`) or `@3 0 B`; `E` ends the loop";

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
        let (kind, of) = first.kind()?;
        let kind = match kind {
            "threads" => return self.header(first, words).map(TraceLine::Threads),
            "R" => Some(AccessKind::Read),
            "W" | "A" => Some(AccessKind::Write),
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
                let help = "a line begins with `R` (read), `W` (write), `A` (atomic), `B` (barrier), `D` (a loop on \
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
        let step = step(kind, words, threads, ["the trace", "threads"])?;
        Ok(TraceLine::Event(Event::Step(Step {
            is_atomic: first.text.starts_with('A'),
            words: of,
            ..step
        })))
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
        let (kind, of) = what.kind()?;
        let (space, kind) = match kind {
            "R" => (Space::Global, Some(AccessKind::Read)),
            "W" | "A" => (Space::Global, Some(AccessKind::Write)),
            "SR" => (Space::Shared, Some(AccessKind::Read)),
            "SW" | "SA" => (Space::Shared, Some(AccessKind::Write)),
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
        let is_atomic = what.text.contains('A');
        Ok(TraceLine::Block(at, BlockEvent::Step(space, Step { is_atomic, words: of, ..step })))
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
