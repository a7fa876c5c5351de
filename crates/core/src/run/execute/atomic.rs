//! Atomics: threads of a step one after another, in their order.

use super::{Executor, Result};
use crate::language::program::AtomicOp;
use crate::run::active::Active;
use crate::run::code::AtomicCode;
use crate::run::lanes;
use crate::run::observer::{Accesses, BlockGroup, Observer};
use crate::trace::Space;

impl<W: Observer + ?Sized> Executor<'_, W> {
    pub(super) fn atomic(&mut self, code: &AtomicCode, active: &Active) -> Result<()> {
        let AtomicCode { site, array, op, element, cell, value, compare, .. } = *code;
        self.locate(array, cell, active);
        let blocks = self.of_blocks(array);
        let is_given = self.program.arrays[array.0].role.is_given();
        let mut written = std::mem::take(&mut self.registers[code.written.0]);
        let mut old = code.old.map(|it| std::mem::take(&mut self.registers[it.0]));
        let values = &self.registers[value.0];
        let compare = compare.map(|it| &self.registers[it.0]);
        let addresses = &self.addresses;
        let (mut shared_words, mut memory) = (None, self.memory.as_deref_mut());
        if let (Some(_), Some(resident), Some(BlockGroup { lanes, space: Space::Shared, .. })) =
            (&memory, &mut self.resident, blocks)
        {
            shared_words = Some((lanes, resident.shared_words));
            memory = Some(&mut resident.shared);
        }
        let undefined = active.find(|lane| {
            // Without values every word is 0.
            let Some(memory) = &mut memory else {
                written[lane] = 0;
                if let Some(old) = &mut old {
                    old[lane] = 0;
                }
                return false;
            };
            let word = match shared_words {
                Some((lanes, words)) => addresses[lane] + (lane / lanes) as u64 * words,
                None => addresses[lane],
            };
            let before = memory.cells[word as usize];
            let is_defined = (is_given && shared_words.is_none()) || memory.is_defined(word);
            let after = match (op, compare) {
                (AtomicOp::CompareExchange, Some(compare)) if compare[lane] != before => before,
                (AtomicOp::CompareExchange | AtomicOp::Exchange, _) => values[lane],
                _ => lanes::atomic(op, element, before, values[lane]),
            };
            written[lane] = after;
            if let Some(old) = &mut old {
                old[lane] = before;
            }
            // What is exchanged may be undefined as long as nobody asks for it.
            if is_defined || (op == AtomicOp::Exchange && old.is_none()) {
                memory.write(word, after);
                return false;
            }
            true
        });
        self.registers[code.written.0] = written;
        if let (Some(register), Some(old)) = (code.old, old) {
            self.registers[register.0] = old;
            self.computed(register, &[cell, value], active);
        }
        if let Some(lane) = undefined {
            return Err(self.undefined(array, self.registers[cell.0][lane], code.span, lane));
        }
        let (addresses, values) = (&*self.addresses, &*self.registers[code.written.0]);
        let (value, turn) = (code.written, self.turn);
        let accesses = Accesses { site, active, addresses, values, cell, value, turn, blocks };
        self.observer.access(&accesses);
        Ok(())
    }
}
