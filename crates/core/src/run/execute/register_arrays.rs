//! Arrays of registers, which threads hold besides their scalars: those of the blocks of a loop on DMMs,
//! of the iterations of a nest, or of a run's threads.

use super::{Executor, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::ArrayId;
use crate::run::active::Active;
use crate::run::code::Register;
use crate::run::flow::Flow;
use crate::run::memory::Memory;
use crate::run::observer::Observer;

/// What threads hold, one thread's arrays after another's.
#[derive(Default)]
pub(super) struct RegisterArrays {
    pub(super) words: Memory,
    /// Words of a thread.
    pub(super) a_thread: u64,
    /// Words from the first of a block to the first of the next; outside of loops on DMMs all threads
    /// are one block.
    pub(super) a_block: u64,
}

impl<W: Observer + ?Sized> Executor<'_, W> {
    /// Gives this many threads outside of loops on DMMs arrays of registers that hold nothing.
    pub(super) fn hold_registers(&mut self, threads: usize, span: Span) -> Result<()> {
        let a_thread = self.layout.registers;
        if a_thread == 0 {
            return Ok(());
        }
        if self.kept.words.forget(threads as u64 * a_thread) {
            return Ok(());
        }
        let words = a_thread.checked_mul(threads.next_power_of_two() as u64);
        let Some(words) = words.and_then(Memory::of_words) else {
            let message = format!("{threads} threads hold arrays of {a_thread} registers at once");
            return Err(Box::new(
                Diagnostic::new(span, message)
                    .help("they do not fit memory: choose smaller sizes, or fewer threads with -p"),
            ));
        };
        self.kept = RegisterArrays { words, a_thread, a_block: 0 };
        Ok(())
    }

    fn kept(&self) -> (&RegisterArrays, usize) {
        match &self.resident {
            Some(resident) => (&resident.kept, self.lanes_a_block(resident)),
            None => (&self.kept, usize::MAX),
        }
    }

    /// Reads a thread's array of registers.
    pub(super) fn fetch(
        &mut self,
        array: ArrayId,
        to: Register,
        cell: Register,
        span: Span,
        active: &Active,
    ) -> Result<()> {
        self.locate_kept(array, cell, active);
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let (held, words) = (&self.kept().0.words, &*self.addresses);
        let undefined = active.find(|lane| {
            out[lane] = held.cells[words[lane] as usize];
            !held.is_defined(words[lane])
        });
        self.registers[to.0] = out;
        let words = &*self.addresses;
        self.observer.flow(Flow::Fetched { to, cell, words, active });
        match undefined {
            Some(lane) if !self.unknown.contains(&array) => {
                Err(self.undefined(array, self.registers[cell.0][lane], span, lane))
            }
            _ => Ok(()),
        }
    }

    /// Writes a thread's array of registers.
    pub(super) fn keep(
        &mut self,
        array: ArrayId,
        cell: Register,
        value: Register,
        active: &Active,
    ) {
        self.locate_kept(array, cell, active);
        let held = match &mut self.resident {
            Some(resident) => &mut resident.kept.words,
            None => &mut self.kept.words,
        };
        let (words, values) = (&*self.addresses, &self.registers[value.0]);
        active.for_each(|lane| held.write(words[lane], values[lane]));
        self.observer.flow(Flow::Kept { value, cell, words, active });
    }

    /// Puts where the cells of threads' arrays of registers lie into the addresses.
    fn locate_kept(&mut self, array: ArrayId, cell: Register, active: &Active) {
        let (&RegisterArrays { a_block, a_thread, .. }, lanes) = self.kept();
        let base = self.layout.regions[array.0].base.0;
        let (cells, words) = (&self.registers[cell.0], &mut self.addresses);
        active.for_each(|lane| {
            let (block, thread) = (lane / lanes, lane % lanes);
            words[lane] = base + block as u64 * a_block + thread as u64 * a_thread + cells[lane];
        });
    }
}
