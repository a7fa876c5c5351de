//! A trace as simulators of caches and of DRAM read one: an access of a thread a line.

use std::io::{self, Write};

use super::{AccessKind, BlockAt, Phase, Piece, Sink, Space, Step};
use crate::units::{BANK_BYTES, Threads};

/// How an access is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessFormat {
    /// As valgrind's lackey prints it: with its byte and bytes.
    Lackey,
    /// Of Dinero: word by word. What changes a word reads and writes it, here and below.
    Dinero,
    /// Of DRAMsim3: with a cycle, which is the step's number.
    Dramsim3,
    /// Of Ramulator.
    Ramulator,
}

/// Writes accesses one by one, in the order of threads; remembers the first error. Barriers leave nothing, and
/// neither do accesses to memory of DMMs: there is one memory.
pub struct AccessWriter<'a> {
    out: &'a mut dyn Write,
    format: AccessFormat,
    steps: u64,
    result: io::Result<()>,
}

impl<'a> AccessWriter<'a> {
    /// Into a file.
    pub fn new(out: &'a mut dyn Write, format: AccessFormat) -> Self {
        Self { out, format, steps: 0, result: Ok(()) }
    }

    /// # Errors
    /// The first that the system told.
    pub fn finish(self) -> io::Result<()> {
        self.result
    }

    fn access(&mut self, step: &Step, word: u64) -> io::Result<()> {
        let (out, cycle) = (&mut *self.out, self.steps);
        let byte = u128::from(word) * u128::from(BANK_BYTES);
        let bytes = step.words * BANK_BYTES;
        if self.format == AccessFormat::Lackey {
            let kind = match step.kind {
                _ if step.is_atomic => 'M',
                AccessKind::Read => 'L',
                AccessKind::Write => 'S',
            };
            return writeln!(out, " {kind} {byte:08x},{bytes}");
        }
        let is_write = usize::from(step.kind == AccessKind::Write);
        let kinds = if step.is_atomic { 0..=1 } else { is_write..=is_write };
        for kind in kinds {
            match self.format {
                AccessFormat::Dramsim3 => {
                    writeln!(out, "{byte:#x} {} {cycle}", ["READ", "WRITE"][kind])?;
                }
                AccessFormat::Ramulator => writeln!(out, "{byte:#x} {}", ["R", "W"][kind])?,
                _ => {
                    for at in (0..bytes).step_by(BANK_BYTES as usize) {
                        writeln!(out, "{kind} {:x}", byte + u128::from(at))?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Sink for AccessWriter<'_> {
    fn step(&mut self, _: Phase, step: &Step) {
        for piece in &step.pieces {
            let Piece::Run(run) = piece else { continue };
            for at in 0..run.count {
                if self.result.is_ok() {
                    self.result = self.access(step, run.at(at).0);
                }
            }
        }
        self.steps += 1;
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
