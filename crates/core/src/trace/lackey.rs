//! A trace as valgrind's lackey prints one: an access of a thread a line, with its byte and bytes.

use std::io::{self, Write};

use super::{AccessKind, BlockAt, Phase, Piece, Sink, Space, Step};
use crate::units::{BANK_BYTES, Threads};

/// Writes accesses one by one, in the order of threads; remembers the first error. Barriers leave nothing, and
/// neither do accesses to memory of DMMs: there is one memory.
pub struct LackeyWriter<'a> {
    out: &'a mut dyn Write,
    result: io::Result<()>,
}

impl<'a> LackeyWriter<'a> {
    /// Into a file.
    pub fn new(out: &'a mut dyn Write) -> Self {
        Self { out, result: Ok(()) }
    }

    /// # Errors
    /// The first that the system told.
    pub fn finish(self) -> io::Result<()> {
        self.result
    }
}

impl Sink for LackeyWriter<'_> {
    fn step(&mut self, _: Phase, step: &Step) {
        let kind = match step.kind {
            _ if step.is_atomic => 'M',
            AccessKind::Read => 'L',
            AccessKind::Write => 'S',
        };
        let bytes = step.words * BANK_BYTES;
        for piece in &step.pieces {
            let Piece::Run(run) = piece else { continue };
            for at in 0..run.count {
                if self.result.is_ok() {
                    let byte = u128::from(run.at(at).0) * u128::from(BANK_BYTES);
                    self.result = writeln!(self.out, " {kind} {byte:08x},{bytes}");
                }
            }
        }
    }

    fn barrier(&mut self) {}

    fn begin_blocks(&mut self, _: Threads) {}

    fn block_step(&mut self, _: BlockAt, phase: Phase, space: Space, step: &Step) {
        if space == Space::Global {
            self.step(phase, step);
        }
    }

    fn block_barrier(&mut self, _: BlockAt) {}

    fn end_blocks(&mut self) {}
}
