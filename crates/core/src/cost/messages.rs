//! Supersteps: what each processor computes between barriers, and which words cross. BSP, LogP and MPC
//! charge them differently.
//!
//! A nest is a superstep. What stands between nests runs on processor 0, and has no barrier of its own.

use std::collections::{HashMap, HashSet};

use super::{CountedLoop, Event, Owner, Owners, Touch};
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
    /// Words that each processor sends, and those that it receives, which were counted.
    pub(super) counted: Option<[Vec<u64>; 2]>,
    /// Whether it is a nest, and no serial part.
    pub(super) is_nest: bool,
}

impl Superstep {
    /// Words that each processor sends, and those that it receives.
    pub(super) fn traffic(&self) -> [Vec<u64>; 2] {
        let nothing = || [(); 2].map(|()| vec![0; self.operations.len()]);
        let [mut sent, mut received] = self.counted.clone().unwrap_or_else(nothing);
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
    owners: Vec<Owner>,
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
        let present = Superstep { operations, messages: vec![], counted: None, is_nest };
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

    /// Supersteps that are over with a loop that was counted; `None` if that must be executed.
    pub(super) fn counted(&mut self, it: &CountedLoop<'_>) -> Option<Vec<Superstep>> {
        if !it.is_nest {
            let all = u64::try_from(it.all_operations()).ok()?;
            let is_known = it.footprint.visit(self.threads, 1, &mut |touch| {
                for number in 0..touch.count {
                    let cell = touch.cell + number * touch.stride;
                    self.cross_cell(touch.kind, touch.array, cell, 0);
                }
            });
            self.is_busy |= it.accesses > 0 || all > 0;
            self.present.operations[0] += if is_known { all } else { 0 };
            return is_known.then(Vec::new);
        }
        let operations = self.operations_of(it)?;
        let mut over: Vec<Superstep> = self.end(true).into_iter().collect();
        self.present.operations = operations;
        let mut tally = Tally::new(self);
        let is_known =
            it.footprint.visit(self.threads, self.processors, &mut |touch| tally.add(touch));
        self.present.counted = Some(tally.finish().filter(|_| is_known)?);
        over.extend(self.end(false));
        Some(over)
    }

    /// The operators that each processor evaluates in a nest.
    fn operations_of(&self, it: &CountedLoop<'_>) -> Option<Vec<u64>> {
        let Some([_, each]) = it.each else {
            let found = it.footprint.operations(self.threads, self.processors)?;
            return found.into_iter().map(|it| u64::try_from(it).ok()).collect();
        };
        let iterations = u64::try_from(it.iterations).ok()?;
        let (rounds, rest) = (iterations / self.threads, iterations % self.threads);
        // The first thread of a processor.
        let first = |it: u64| {
            (u128::from(it) * u128::from(self.threads)).div_ceil(self.processors.into()) as u64
        };
        let of = |it: u64| {
            let (from, to) = (first(it), first(it + 1));
            let all = rounds * (to - from) + (rest.min(to) - rest.min(from));
            u64::try_from(u128::from(all) * each).ok()
        };
        (0..self.processors).map(of).collect()
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
        accesses.active.for_each(|lane| {
            let (cell, _) = self.layout.cell(ArrayId(array), accesses.addresses[lane]);
            self.cross_cell(kind, array, cell, self.processor(lane));
        });
    }

    fn cross_cell(&mut self, kind: AccessKind, array: usize, cell: u64, user: u32) {
        let region = &self.layout.regions[array];
        let owner = self.owners[array].of(cell, region.cells, self.processors) as u32;
        if owner != user && self.crossed.insert((kind, user, region.base.0 + cell)) {
            self.present.messages.push(match kind {
                AccessKind::Read => (owner, user),
                AccessKind::Write => (user, owner),
            });
        }
    }
}

/// Bits of this many words are kept, for all processors together.
const MOST_BITS: u64 = 1 << 32;

/// Words that cross in a superstep that was counted: each of a processor once.
struct Tally {
    /// By array: how its cells are owned, and how many it has.
    arrays: Vec<(Owner, u64)>,
    processors: u64,
    /// Of a processor and an array, read or written: a bit for each cell that has crossed.
    crossed: HashMap<(u32, usize, AccessKind), Vec<u64>>,
    /// How many more may be kept.
    left: u64,
    /// Words that each processor sends, and those that it receives.
    traffic: [Vec<u64>; 2],
}

impl Tally {
    fn new(supersteps: &Supersteps<'_>) -> Self {
        let regions = supersteps.layout.regions.iter().map(|it| it.cells);
        Self {
            arrays: supersteps.owners.iter().copied().zip(regions).collect(),
            processors: supersteps.processors,
            crossed: HashMap::new(),
            left: MOST_BITS,
            traffic: [(); 2].map(|()| vec![0; supersteps.processors as usize]),
        }
    }

    fn add(&mut self, touch: Touch) {
        let (owner, cells) = self.arrays[touch.array];
        let key = (touch.processor, touch.array, touch.kind);
        if !self.crossed.contains_key(&key) {
            self.left = self.left.saturating_sub(cells);
        }
        if self.left == 0 {
            return;
        }
        let words = cells.div_ceil(64) as usize;
        let bits = self.crossed.entry(key).or_insert_with(|| vec![0; words]);
        let user = touch.processor as usize;
        for number in 0..touch.count {
            let cell = touch.cell + number * touch.stride;
            let (word, bit) = (&mut bits[(cell / 64) as usize], 1 << (cell % 64));
            if *word & bit != 0 {
                continue;
            }
            *word |= bit;
            let home = owner.of(cell, cells, self.processors) as usize;
            if home != user {
                let (from, to) = match touch.kind {
                    AccessKind::Read => (home, user),
                    AccessKind::Write => (user, home),
                };
                self.traffic[0][from] += 1;
                self.traffic[1][to] += 1;
            }
        }
    }

    /// Words sent and received; `None` if there was no room to tell.
    fn finish(self) -> Option<[Vec<u64>; 2]> {
        (self.left > 0).then_some(self.traffic)
    }
}
