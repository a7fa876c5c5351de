//! A trace as text, as it comes.

use std::fmt::Display;
use std::io::{self, Write};

use super::{BlockAt, BlockEvent, Phase, Sink, Space, Step};
use crate::units::Threads;

/// Writes a trace line by line; remembers the first error.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    result: io::Result<()>,
}

impl<'a> Writer<'a> {
    /// Of a run by so many threads.
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
