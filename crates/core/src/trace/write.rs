//! A trace as [text](super::text): printed whole, or written as it comes.

use std::fmt::{self, Display};
use std::io::{self, Write};

use super::{
    AccessKind, BlockAt, BlockEvent, BlockLoop, Event, Phase, Piece, Sink, Space, Step, StridedRun,
    Trace,
};
use crate::units::Threads;

/// Writes a trace line by line; remembers the first error.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    result: io::Result<()>,
}

impl<'a> Writer<'a> {
    /// Of a run by this many threads.
    pub fn new(out: &'a mut dyn Write, threads: Threads) -> Self {
        let result = writeln!(out, "threads {threads}");
        Self { out, result }
    }

    /// # Errors
    /// The first that the system told.
    pub fn finish(self) -> io::Result<()> {
        self.result
    }

    fn line(&mut self, line: &dyn Display) {
        if self.result.is_ok() {
            self.result = writeln!(self.out, "{line}");
        }
    }
}

impl Sink for Writer<'_> {
    fn step(&mut self, _: Phase, step: &Step) {
        self.line(step);
    }

    fn barrier(&mut self) {
        self.line(&"B");
    }

    fn begin_blocks(&mut self, threads: Threads) {
        self.line(&format_args!("D {threads}"));
    }

    fn block_step(&mut self, at: BlockAt, _: Phase, space: Space, step: &Step) {
        self.line(&format_args!("{at} {}{step}", space.prefix()));
    }

    fn block_barrier(&mut self, at: BlockAt) {
        self.line(&format_args!("{at} {}", BlockEvent::Barrier));
    }

    fn end_blocks(&mut self) {
        self.line(&"E");
    }

    /// All, so that the steps' numbers hold on any machine.
    fn blocks_in_step(&self) -> Option<u64> {
        Some(u64::MAX)
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "threads {}", self.threads)?;
        self.events.iter().try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => step.fmt(f),
            Self::Barrier => f.write_str("B"),
            Self::Blocks(BlockLoop { threads, events }) => {
                writeln!(f, "D {threads}")?;
                events.iter().try_for_each(|(at, event)| writeln!(f, "{at} {event}"))?;
                f.write_str("E")
            }
        }
    }
}

impl fmt::Display for BlockAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{} {}", self.number, self.block)
    }
}

impl fmt::Display for BlockEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(space, step) => write!(f, "{}{step}", space.prefix()),
            Self::Barrier => f.write_str("B"),
        }
    }
}

impl Space {
    /// What stands before the kind of a step.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Global => "",
            Self::Shared => "S",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            AccessKind::Read => "R",
            AccessKind::Write if self.is_atomic => "A",
            AccessKind::Write => "W",
        })?;
        if self.words > 1 {
            write!(f, "{}", self.words)?;
        }
        self.pieces.iter().try_for_each(|piece| write!(f, " {piece}"))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Idle(1) => f.write_str("-"),
            Self::Idle(count) => write!(f, "-x{count}"),
            Self::Run(StridedRun { base, stride: 0, count: 1 }) => write!(f, "{}", base.0),
            Self::Run(run) => {
                write!(f, "{}{:+}x{}", run.base.0, run.stride, run.count)
            }
        }
    }
}
