//! Supersteps: what each processor computes between barriers, and which words cross. BSP, LogP and MPC
//! charge them differently.
//!
//! A nest is a superstep. What stands between nests runs on processor 0, and has no barrier of its own.

use std::collections::HashSet;

use super::{Event, Owners};
use crate::language::program::{ArrayId, Program};
use crate::run::Accesses;
use crate::run::layout::Layout;
use crate::trace::AccessKind;
use crate::units::Threads;

/// What happens between two barriers.
#[derive(Debug, Default)]
pub(super) struct Superstep {
    /// By processor.
    pub(super) operations: Vec<u64>,
    /// Words that cross, in the order in which the execution first asks for them: from, to.
    pub(super) messages: Vec<(u32, u32)>,
    /// Whether it is a nest, and no serial part.
    pub(super) is_nest: bool,
}

impl Superstep {
    /// Words that each processor sends, and those that it receives.
    pub(super) fn traffic(&self) -> [Vec<u64>; 2] {
        let [mut sent, mut received] = [(); 2].map(|()| vec![0; self.operations.len()]);
        for &(from, to) in &self.messages {
            sent[from as usize] += 1;
            received[to as usize] += 1;
        }
        [sent, received]
    }

    /// h: the most words that a processor sends or receives.
    pub(super) fn relation(&self) -> u64 {
        self.traffic().into_iter().flatten().max().unwrap_or(0)
    }

    /// w: the most operations of a processor.
    pub(super) fn work(&self) -> u64 {
        self.operations.iter().copied().max().unwrap_or(0)
    }
}

/// Makes supersteps of events.
pub(super) struct Supersteps<'a> {
    program: &'a Program,
    layout: &'a Layout,
    threads: u64,
    pub(super) processors: u64,
    /// By array.
    owners: Vec<super::Owner>,
    present: Superstep,
    is_busy: bool,
    /// Who has already got or sent which word in this superstep.
    crossed: HashSet<(AccessKind, u32, u64)>,
}

impl<'a> Supersteps<'a> {
    pub(super) fn new(
        program: &'a Program,
        layout: &'a Layout,
        threads: Threads,
        processors: u64,
        owners: &Owners,
    ) -> Self {
        let owners = program.arrays.iter().map(|it| owners.of(&it.name)).collect();
        let mut made = Self {
            program,
            layout,
            threads: threads.get(),
            processors,
            owners,
            present: Superstep::default(),
            is_busy: false,
            crossed: HashSet::new(),
        };
        made.begin(false);
        made
    }

    fn begin(&mut self, is_nest: bool) -> Superstep {
        self.crossed.clear();
        self.is_busy = is_nest;
        let operations = vec![0; self.processors as usize];
        let present = Superstep { operations, messages: vec![], is_nest };
        std::mem::replace(&mut self.present, present)
    }

    /// The superstep that is over with this event.
    pub(super) fn event(&mut self, event: &Event<'_>) -> Option<Superstep> {
        match event {
            Event::Access(accesses, site) => {
                self.is_busy = true;
                self.cross(accesses, site.kind, site.array.0);
            }
            Event::Operation(_, active) => {
                self.is_busy = true;
                active.for_each(|lane| {
                    let processor = self.processor(lane);
                    self.present.operations[processor as usize] += 1;
                });
            }
            Event::NestBegins => return self.end(true),
            Event::NestEnds => return self.end(false),
            _ => {}
        }
        None
    }

    /// Ends the present superstep, if it does anything.
    pub(super) fn end(&mut self, next_is_nest: bool) -> Option<Superstep> {
        let is_busy = self.is_busy;
        Some(self.begin(next_is_nest)).filter(|_| is_busy)
    }

    /// The most words of all arrays that a processor owns.
    pub(super) fn most_held(&self) -> u64 {
        let mut held = vec![0; self.processors as usize];
        let regions = self.program.global_arrays().zip(&self.layout.regions).zip(&self.owners);
        for ((_, region), owner) in regions {
            for element in 0..region.cells {
                held[owner.of(element, region.cells, self.processors) as usize] += 1;
            }
        }
        held.into_iter().max().unwrap_or(0)
    }

    /// The processor of a thread.
    fn processor(&self, lane: usize) -> u32 {
        if !self.present.is_nest {
            return 0;
        }
        (lane as u128 * u128::from(self.processors) / u128::from(self.threads)) as u32
    }

    fn cross(&mut self, accesses: &Accesses<'_>, kind: AccessKind, array: usize) {
        let region = &self.layout.regions[array];
        let owner = self.owners[array];
        accesses.active.for_each(|lane| {
            let address = accesses.addresses[lane];
            let (cell, _) = self.layout.cell(ArrayId(array), address);
            let owner = owner.of(cell, region.cells, self.processors) as u32;
            let user = self.processor(lane);
            if owner != user && self.crossed.insert((kind, user, address)) {
                self.present.messages.push(match kind {
                    AccessKind::Read => (owner, user),
                    AccessKind::Write => (user, owner),
                });
            }
        });
    }
}
