//! Which PRAM class a run needed, and races between the iterations of parallel loops.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::flow::Flow;
use super::observer::{Accesses, BlockGroup, BlocksEvent, Observer};
use super::parallel_calls::ParallelCalls;
use crate::language::program::{AtomicOp, Nest, Program, Site, SiteId};
use crate::trace::{AccessKind, Space};

/// The classes of the PRAM, weakest first. Reads and writes are of one access step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PramClass {
    /// No two threads access one word.
    #[serde(rename = "EREW")]
    Erew,
    /// Several threads read one word.
    #[serde(rename = "CREW")]
    Crew,
    /// Several threads write one word, all the same value.
    #[serde(rename = "CRCW common")]
    CrcwCommon,
    /// Several threads write different values to one word; one of them, arbitrary, stays.
    #[serde(rename = "CRCW arbitrary")]
    CrcwArbitrary,
    /// Atomics of several threads at one word combine.
    #[serde(rename = "CRCW combining")]
    CrcwCombining,
}

/// One iteration of a parallel loop writes what another reads or writes in a different access step,
/// so that the result depends on the number of threads; or one block of a loop on DMMs writes what
/// another accesses, so that it depends on which goes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Race {
    /// The word that both access.
    pub address: u64,
    /// The write first.
    pub accesses: [RacingAccess; 2],
}

/// One side of a race.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RacingAccess {
    /// The array reference of the listing.
    pub site: SiteId,
    /// The loop variables' values in the iteration; in a loop on DMMs, the numbers of the block and, if
    /// it matters, of the iteration. Nothing, if calls in parallel race.
    pub iteration: Vec<(String, i64)>,
}

#[derive(Clone, Copy)]
struct Record {
    /// Block and memory, in a loop on DMMs.
    owner: Option<(u64, Space)>,
    address: u64,
    iteration: u64,
    step: u64,
    site: SiteId,
    writes: bool,
}

/// Observes an execution in which every iteration has a thread of its own. Memory grows with the
/// accesses of the largest parallel nest; time is `O(accesses · log accesses)`.
pub struct Pram<'a> {
    program: &'a Program,
    class: PramClass,
    /// Of shared memories, if one is accessed.
    shared_class: Option<PramClass>,
    in_nest: bool,
    step: u64,
    /// The round of a nest of blocks.
    round: u64,
    /// What the blocks of the present loop on DMMs did to each word of global memory.
    between: HashMap<u64, BlockConflict>,
    /// What calls in parallel did.
    calls: ParallelCalls,
    /// The accesses of the present nest.
    records: Vec<Record>,
    /// One race for each pair of places in the listing.
    races: BTreeMap<(SiteId, SiteId), Race>,
    /// Scratch: the value at each address of a step.
    seen: HashMap<(Option<u64>, u64), u64>,
}

/// What blocks did to a word: the first write, with its value, the first atomic that commutes, and the
/// reads of the first two blocks.
#[derive(Default)]
struct BlockConflict {
    atomic: Option<(u64, SiteId, AtomicOp)>,
    write: Option<(u64, SiteId, u64)>,
    reads: [Option<(u64, SiteId)>; 2],
}

impl<'a> Pram<'a> {
    /// An observer of a run from its start.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            class: PramClass::Erew,
            shared_class: None,
            in_nest: false,
            step: 0,
            round: 0,
            between: HashMap::new(),
            calls: ParallelCalls::default(),
            records: vec![],
            races: BTreeMap::new(),
            seen: HashMap::new(),
        }
    }

    /// The class that shared memories needed, if one was accessed.
    pub const fn shared_class(&self) -> Option<PramClass> {
        self.shared_class
    }

    /// The class that was needed, and a race for each pair of places that race.
    pub fn finish(self) -> (PramClass, Vec<Race>) {
        (self.class, self.races.into_values().collect())
    }

    /// Whether a call in parallel is being made.
    pub(super) const fn is_in_call(&self) -> bool {
        self.calls.are_open()
    }

    /// Holds the accesses of a call to global memory against those of calls in parallel with it.
    pub(super) fn between_calls(&mut self, accesses: &Accesses<'_>) {
        if accesses.blocks.is_some_and(|it| it.space == Space::Shared) {
            return;
        }
        let (site, races) = (accesses.site, &mut self.races);
        let of = &self.program.sites[site.0];
        self.calls.access(accesses, of, |address, other| {
            let sides = if of.kind == AccessKind::Write { [site, other] } else { [other, site] };
            races.entry((sides[0], sides[1])).or_insert_with(|| Race {
                address,
                accesses: sides.map(|site| RacingAccess { site, iteration: vec![] }),
            });
        });
    }

    fn classify(&mut self, accesses: &Accesses<'_>, site: &Site) {
        self.seen.clear();
        let (seen, mut class) = (&mut self.seen, PramClass::Erew);
        let shared = accesses.blocks.filter(|it| it.space == Space::Shared);
        accesses.active.for_each(|lane| {
            let value = accesses.values[lane];
            let memory = shared.map(|it| block_of(it, lane));
            if let Some(other) = seen.insert((memory, accesses.addresses[lane]), value) {
                class = class.max(match site.kind {
                    AccessKind::Write if site.atomic.is_some() => PramClass::CrcwCombining,
                    AccessKind::Read => PramClass::Crew,
                    AccessKind::Write if other == value => PramClass::CrcwCommon,
                    AccessKind::Write => PramClass::CrcwArbitrary,
                });
            }
        });
        match shared {
            Some(_) => self.shared_class = self.shared_class.max(Some(class)),
            None => self.class = self.class.max(class),
        }
    }

    /// Holds the accesses of blocks to global memory against those of other blocks.
    fn between_blocks(&mut self, accesses: &Accesses<'_>, blocks: BlockGroup) {
        let site = accesses.site;
        let of = &self.program.sites[site.0];
        let (kind, atomic) = (of.kind, of.atomic);
        let commuting = atomic.filter(|it| it.commutes()).map(|it| it.op);
        let (between, races) = (&mut self.between, &mut self.races);
        accesses.active.for_each(|lane| {
            let (block, address) = (block_of(blocks, lane), accesses.addresses[lane]);
            let word = between.entry(address).or_default();
            let writes = word.write.filter(|it| it.0 != block);
            let atomics = word.atomic.filter(|it| it.0 != block && Some(it.2) != commuting);
            let atomics = atomics.map(|it| (it.0, it.1));
            let (mine, other) = match kind {
                AccessKind::Read => {
                    match word.reads {
                        [None, _] => word.reads[0] = Some((block, site)),
                        [Some((first, _)), None] if first != block => {
                            word.reads[1] = Some((block, site));
                        }
                        _ => {}
                    }
                    (false, writes.map(|it| (it.0, it.1)).or(atomics))
                }
                AccessKind::Write => {
                    let value = accesses.values[lane];
                    let read = word.reads.into_iter().flatten().find(|it| it.0 != block);
                    // Where all write the same, none goes first.
                    let is_plain = atomic.is_none();
                    let written = writes.filter(|it| !is_plain || it.2 != value);
                    let written = written.map(|it| (it.0, it.1));
                    match commuting {
                        Some(op) => {
                            word.atomic.get_or_insert((block, site, op));
                        }
                        None => {
                            word.write.get_or_insert((block, site, value));
                        }
                    }
                    (true, read.or(written).or(atomics))
                }
            };
            if let Some(other) = other {
                let sides = if mine { [(block, site), other] } else { [other, (block, site)] };
                races.entry((sides[0].1, sides[1].1)).or_insert_with(|| Race {
                    address,
                    accesses: sides.map(|(block, site)| RacingAccess {
                        site,
                        iteration: vec![("block".to_owned(), block.cast_signed())],
                    }),
                });
            }
        });
    }

    /// Looks for races in the present nest; `name` says which iteration a record is of.
    fn look(&mut self, name: impl Fn(&Record) -> Vec<(String, i64)>) {
        self.records.sort_unstable_by_key(|it| {
            let memory = it.owner.map(|(block, space)| (block, space as usize));
            (memory, it.address, !it.writes, it.step, it.iteration)
        });
        for word in self.records.chunk_by(|a, b| (a.owner, a.address) == (b.owner, b.address)) {
            for (write, other) in racing(word) {
                self.races.entry((write.site, other.site)).or_insert_with(|| Race {
                    address: write.address,
                    accesses: [write, other]
                        .map(|it| RacingAccess { site: it.site, iteration: name(&it) }),
                });
            }
        }
        self.records.clear();
    }
}

fn block_of(blocks: BlockGroup, lane: usize) -> u64 {
    blocks.first + (lane / blocks.lanes) as u64
}

impl Observer for Pram<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = accesses.site;
        let of = &self.program.sites[site.0];
        let (kind, atomic) = (of.kind, of.atomic);
        if self.in_nest || accesses.blocks.is_some() {
            self.classify(accesses, of);
        }
        if let Some(blocks) = accesses.blocks.filter(|it| it.space == Space::Global) {
            self.between_blocks(accesses, blocks);
        }
        self.between_calls(accesses);
        if !self.in_nest {
            return;
        }
        // Rounds of a block make the same steps: the same place at the same turn of the loops around.
        let again = (accesses.turn ^ site.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let step = if accesses.blocks.is_some() { again } else { self.step };
        let (records, round) = (&mut self.records, self.round);
        accesses.active.for_each(|lane| {
            let (owner, iteration) = match accesses.blocks {
                None => (None, lane as u64),
                Some(it) => (
                    Some((block_of(it, lane), it.space)),
                    round * it.lanes as u64 + (lane % it.lanes) as u64,
                ),
            };
            let (address, writes) = (accesses.addresses[lane], kind == AccessKind::Write);
            let step = atomic.map_or(step, |it| it.step_of_races(iteration));
            records.push(Record { owner, address, iteration, step, site, writes });
        });
        self.step += 1;
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.in_nest = true;
        self.step = 0;
    }

    fn leave_nest(&mut self, _: &Nest, variables: &[(&str, &[u64])]) {
        self.in_nest = false;
        self.look(|it| {
            let value = |values: &[u64]| values[it.iteration as usize].cast_signed();
            variables.iter().map(|&(name, values)| (name.to_owned(), value(values))).collect()
        });
    }

    fn flow(&mut self, flow: Flow<'_>) {
        if let Flow::Fork(step) = flow {
            self.calls.step(step);
        }
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { .. } | BlocksEvent::End => self.between.clear(),
            BlocksEvent::Deal { .. } => {}
            // Before a nest and behind it, in turn.
            BlocksEvent::Barrier { .. } => {
                self.in_nest = !self.in_nest;
                self.look(|it| {
                    let block = it.owner.map_or(0, |it| it.0);
                    let numbers = [("block", block), ("iteration", it.iteration)];
                    numbers.map(|(name, it)| (name.to_owned(), it.cast_signed())).into()
                });
            }
            BlocksEvent::Round(number) => self.round = number,
        }
    }
}

/// Pairs of accesses to one word that race: at least one for each pair of sites.
fn racing(word: &[Record]) -> Vec<(Record, Record)> {
    let mut found: Vec<(Record, Record)> = vec![];
    // The usual case: every word has its own iteration.
    if word.iter().all(|it| it.iteration == word[0].iteration) {
        return found;
    }
    let writes = word.iter().take_while(|it| it.writes).count();
    // Several writes of one site in one step race with the same others: their first two suffice.
    let mut tried: HashMap<(SiteId, u64), u32> = HashMap::new();
    for (index, write) in word[..writes].iter().enumerate() {
        let times = tried.entry((write.site, write.step)).or_default();
        *times += 1;
        if *times > 2 {
            continue;
        }
        for other in &word[index + 1..] {
            let apart = other.iteration != write.iteration && other.step != write.step;
            let pair = (write.site, other.site);
            if apart && !found.iter().any(|(a, b)| (a.site, b.site) == pair) {
                found.push((*write, *other));
            }
        }
    }
    found
}
