//! Array references: cells, addresses, loads.

use super::failure::join;
use super::{Executor, Result};
use crate::diagnostic::Span;
use crate::language::program::{ArrayId, SiteId, TableId};
use crate::language::syntax::Role;
use crate::run::active::Active;
use crate::run::code::Register;
use crate::run::observer::{Accesses, BlockGroup, Observer, Winner};
use crate::trace::Space;

impl<W: Observer + ?Sized> Executor<'_, W> {
    pub(super) fn cell(
        &mut self,
        array: ArrayId,
        to: Register,
        indices: &[Register],
        span: Span,
        active: &Active,
    ) -> Result<()> {
        let extents = &self.layout.regions[array.0].extents;
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let register = |dimension: usize| &*self.registers[indices[dimension].0];
        // A negative index is a huge unsigned one: one comparison finds both ends.
        let outside = match *extents.as_slice() {
            [a] => {
                let i = register(0);
                active.find(|lane| {
                    out[lane] = i[lane];
                    i[lane] >= a
                })
            }
            [a, b] => {
                let (i, j) = (register(0), register(1));
                active.find(|lane| {
                    out[lane] = i[lane].wrapping_mul(b).wrapping_add(j[lane]);
                    i[lane] >= a || j[lane] >= b
                })
            }
            _ => active.find(|lane| {
                let mut cell = 0_u64;
                let mut outside = false;
                for (dimension, &extent) in extents.iter().enumerate() {
                    let index = register(dimension)[lane];
                    cell = cell.wrapping_mul(extent).wrapping_add(index);
                    outside |= index >= extent;
                }
                out[lane] = cell;
                outside
            }),
        };
        self.registers[to.0] = out;
        self.computed(to, indices, active);
        match outside {
            None => Ok(()),
            Some(lane) => {
                let values: Vec<i64> =
                    indices.iter().map(|index| self.value(*index, lane)).collect();
                let firsts = &self.layout.regions[array.0].firsts;
                let array = &self.program.arrays[array.0];
                let name = &array.name;
                let counted =
                    values.iter().zip(firsts).map(|(value, first)| value.wrapping_add(*first));
                let element = array.element_text(&counted.collect::<Vec<_>>());
                let message = format!("{element} is outside `{name}`");
                let mut error = self.error(span, message, lane);
                let sides = values.iter().zip(extents).zip(1..);
                for ((_, extent), dimension) in sides.filter(|((value, extent), _)| {
                    u64::try_from(**value).map_or(true, |it| it >= **extent)
                }) {
                    let which = if extents.len() == 1 {
                        "the index".to_owned()
                    } else {
                        format!("index {dimension}")
                    };
                    let first = firsts[dimension - 1];
                    let last = first.wrapping_add_unsigned(extent - 1);
                    error = error.note(format!("{which} of `{name}` runs from {first} to {last}"));
                }
                Err(Box::new(error))
            }
        }
    }

    /// Whether neighbours that are accessed at once begin where as many end.
    pub(super) fn aligned(
        &self,
        array: ArrayId,
        cell: Register,
        lanes: u64,
        span: Span,
        active: &Active,
    ) -> Result<()> {
        let cells = &self.registers[cell.0];
        if lanes == 1 {
            return Ok(());
        }
        let Some(lane) = active.find(|lane| !cells[lane].is_multiple_of(lanes)) else {
            return Ok(());
        };
        let name = &self.program.arrays[array.0].name;
        let indices = self.layout.regions[array.0].indices(cells[lane]);
        let message = format!(
            "{lanes} neighbours from {name}[{}] on are not aligned",
            join(indices.into_iter())
        );
        let help =
            format!("begin at a multiple of {lanes}, counted row by row from the first element");
        Err(Box::new(self.error(span, message, lane).help(help)))
    }

    /// Entries of a table.
    pub(super) fn entry(
        &mut self,
        table: TableId,
        to: Register,
        index: Register,
        span: Span,
        active: &Active,
    ) -> Result<()> {
        let entries = &self.tables[table.0];
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let indices = &self.registers[index.0];
        let outside = active.find(|lane| {
            let entry = usize::try_from(indices[lane]).ok().and_then(|at| entries.get(at));
            out[lane] = entry.copied().unwrap_or(0);
            entry.is_none()
        });
        self.registers[to.0] = out;
        self.computed(to, &[index], active);
        let Some(lane) = outside else { return Ok(()) };
        let (name, value) = (&self.program.tables[table.0].name, self.value(index, lane));
        let error = self.error(span, format!("{name}[{value}] is outside `{name}`"), lane);
        let last = entries.len() - 1;
        Err(Box::new(error.note(format!("the index of `{name}` runs from 0 to {last}"))))
    }

    /// Physical addresses of the cells that the active threads name.
    pub(super) fn locate(&mut self, array: ArrayId, cell: Register, active: &Active) {
        let cells = &self.registers[cell.0];
        let (layout, addresses) = (self.layout, &mut self.addresses);
        let region = &layout.regions[array.0];
        if layout.bulk.is_none() && !region.order.is_plain() {
            let base = region.base.0;
            active.for_each(|lane| addresses[lane] = base + region.word(cells[lane]));
        } else if layout.bulk.is_none() {
            let base = region.base.0;
            match active {
                Active::First(count) => {
                    for (address, &cell) in addresses[..*count].iter_mut().zip(&cells[..*count]) {
                        *address = base + cell;
                    }
                }
                Active::Some(_) => active.for_each(|lane| addresses[lane] = base + cells[lane]),
            }
        } else {
            active.for_each(|lane| {
                addresses[lane] = layout.address(array, cells[lane], lane as u64).0;
            });
        }
    }

    pub(super) fn load(
        &mut self,
        site: SiteId,
        array: ArrayId,
        to: Register,
        cell: Register,
        span: Span,
        active: &Active,
    ) -> Result<()> {
        self.locate(array, cell, active);
        let mut out = std::mem::take(&mut self.registers[to.0]);
        let (blocks, is_given) =
            (self.of_blocks(array), self.program.arrays[array.0].role.is_given());
        let addresses = &self.addresses;
        let undefined = match (&self.memory, &self.resident, blocks) {
            (Some(_), Some(resident), Some(BlockGroup { lanes, space: Space::Shared, .. })) => {
                let (shared, words) = (&resident.shared, resident.shared_words);
                active.find(|lane| {
                    let word = addresses[lane] + (lane / lanes) as u64 * words;
                    out[lane] = shared.cells[word as usize];
                    !shared.is_defined(word)
                })
            }
            (Some(memory), ..) if is_given => {
                active.for_each(|lane| out[lane] = memory.cells[addresses[lane] as usize]);
                None
            }
            (Some(memory), ..) => active.find(|lane| {
                out[lane] = memory.cells[addresses[lane] as usize];
                !memory.is_defined(addresses[lane])
            }),
            // What was in the register before need not be of this type.
            (None, ..) => {
                active.for_each(|lane| out[lane] = 0);
                None
            }
        };
        self.registers[to.0] = out;
        if let Some(lane) = undefined {
            return Err(self.undefined(array, self.registers[cell.0][lane], span, lane));
        }
        if !self.unobserved {
            let (addresses, values) = (&*self.addresses, &*self.registers[to.0]);
            let (value, turn) = (to, self.turn);
            let accesses = Accesses { site, active, addresses, values, cell, value, turn, blocks };
            self.observer.access(&accesses);
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        site: SiteId,
        array: ArrayId,
        cell: Register,
        value: Register,
        active: &Active,
    ) {
        self.locate(array, cell, active);
        let blocks = self.of_blocks(array);
        let (addresses, values) = (&*self.addresses, &*self.registers[value.0]);
        match (&mut self.memory, &mut self.resident, blocks) {
            (Some(_), Some(resident), Some(BlockGroup { lanes, space: Space::Shared, .. })) => {
                let (shared, words) = (&mut resident.shared, resident.shared_words);
                active.for_each(|lane| {
                    shared.write(addresses[lane] + (lane / lanes) as u64 * words, values[lane]);
                });
            }
            (Some(memory), ..) => {
                let mut write = |lane: usize| memory.write(addresses[lane], values[lane]);
                match self.observer.winner() {
                    Winner::Highest => active.for_each(write),
                    Winner::Lowest => active.lanes().rev().for_each(&mut write),
                }
            }
            (None, ..) => {}
        }
        let turn = self.turn;
        let accesses = Accesses { site, active, addresses, values, cell, value, turn, blocks };
        self.observer.access(&accesses);
    }

    /// In a loop on DMMs: whose lanes access an array.
    pub(super) fn of_blocks(&self, array: ArrayId) -> Option<BlockGroup> {
        let is_shared = self.program.arrays[array.0].role == Role::Shared;
        let space = if is_shared { Space::Shared } else { Space::Global };
        let resident = self.resident.as_ref()?;
        Some(BlockGroup { first: resident.first, lanes: self.lanes_a_block(resident), space })
    }
}
