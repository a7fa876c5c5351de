//! Which PRAM class a run needed, and races between the iterations of parallel loops.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::observer::{Accesses, Observer};
use crate::language::program::{Nest, Program, SiteId};
use crate::trace::Kind;

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
}

/// One iteration of a parallel loop writes what another reads or writes in a different access step,
/// so that the result depends on the number of threads.
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
    /// The loop variables' values in the iteration.
    pub iteration: Vec<(String, i64)>,
}

#[derive(Clone, Copy)]
struct Record {
    address: u64,
    iteration: u32,
    step: u32,
    site: SiteId,
    writes: bool,
}

/// Observes an execution in which every iteration has a thread of its own. Memory grows with the
/// accesses of the largest parallel nest; time is `O(accesses · log accesses)`.
pub struct Pram<'a> {
    program: &'a Program,
    class: PramClass,
    in_nest: bool,
    step: u32,
    /// The accesses of the present nest.
    records: Vec<Record>,
    /// One race for each pair of places in the listing.
    races: BTreeMap<(SiteId, SiteId), Race>,
    /// Scratch: the value at each address of a step.
    seen: HashMap<u64, u64>,
}

impl<'a> Pram<'a> {
    /// An observer of a run from its start.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            class: PramClass::Erew,
            in_nest: false,
            step: 0,
            records: vec![],
            races: BTreeMap::new(),
            seen: HashMap::new(),
        }
    }

    /// The class that was needed, and a race for each pair of places that race.
    pub fn finish(self) -> (PramClass, Vec<Race>) {
        (self.class, self.races.into_values().collect())
    }

    fn classify(&mut self, accesses: &Accesses<'_>, kind: Kind) {
        self.seen.clear();
        let (seen, mut class) = (&mut self.seen, self.class);
        accesses.active.for_each(|lane| {
            let value = accesses.values[lane];
            if let Some(other) = seen.insert(accesses.addresses[lane], value) {
                class = class.max(match kind {
                    Kind::Read => PramClass::Crew,
                    Kind::Write if other == value => PramClass::CrcwCommon,
                    Kind::Write => PramClass::CrcwArbitrary,
                });
            }
        });
        self.class = class;
    }
}

impl Observer for Pram<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        if !self.in_nest {
            return;
        }
        let site = accesses.site;
        let kind = self.program.sites[site.0].kind;
        self.classify(accesses, kind);
        let (records, step) = (&mut self.records, self.step);
        accesses.active.for_each(|lane| {
            let address = accesses.addresses[lane];
            let writes = kind == Kind::Write;
            records.push(Record { address, iteration: lane as u32, step, site, writes });
        });
        self.step += 1;
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.in_nest = true;
        self.step = 0;
        self.records.clear();
    }

    fn leave_nest(&mut self, _: &Nest, variables: &[(&str, &[u64])]) {
        self.in_nest = false;
        self.records.sort_unstable_by_key(|it| (it.address, !it.writes, it.step, it.iteration));
        for word in self.records.chunk_by(|a, b| a.address == b.address) {
            for (write, other) in racing(word) {
                self.races.entry((write.site, other.site)).or_insert_with(|| Race {
                    address: write.address,
                    accesses: [write, other].map(|it| RacingAccess {
                        site: it.site,
                        iteration: variables
                            .iter()
                            .map(|&(name, values)| {
                                (name.to_owned(), values[it.iteration as usize].cast_signed())
                            })
                            .collect(),
                    }),
                });
            }
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
    let mut tried: HashMap<(SiteId, u32), u32> = HashMap::new();
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
