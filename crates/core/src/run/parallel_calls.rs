//! Races between calls in parallel.

use std::collections::HashMap;

use super::code::ForkStep;
use super::observer::Accesses;
use crate::language::program::{Site, SiteId};
use crate::trace::AccessKind;

/// Forks around, outermost first, each with the number of its branch.
type Place = Vec<(u64, u64)>;

/// What branches did to a word.
#[derive(Default)]
struct WordUse {
    /// The last write: where, by what, and whether it is an atomic that commutes.
    write: Option<(usize, SiteId, bool)>,
    /// Reads since then, one for each place.
    reads: Vec<(usize, SiteId)>,
}

/// Watches calls in parallel. A write forgets the reads before it: what is in parallel with such a read is so with
/// the write, too, or the two were. Memory grows with the words that are accessed and the branches that read them.
#[derive(Default)]
pub(super) struct ParallelCalls {
    forks: u64,
    place: Place,
    places: Vec<Place>,
    words: HashMap<u64, WordUse>,
}

impl ParallelCalls {
    /// Whether a call in parallel is being made.
    pub(super) const fn are_open(&self) -> bool {
        !self.place.is_empty()
    }

    pub(super) fn step(&mut self, step: ForkStep) {
        match step {
            ForkStep::Begins => {
                self.place.push((self.forks, 0));
                self.forks += 1;
            }
            ForkStep::BranchEnds => {
                if let Some((_, branch)) = self.place.last_mut() {
                    *branch += 1;
                }
            }
            ForkStep::Ends => {
                self.place.pop();
            }
        }
        if self.are_open() {
            self.places.push(self.place.clone());
        } else {
            self.places.clear();
            self.words.clear();
        }
    }

    /// Tells which words are accessed while another branch accesses them, with that one's access; of the two, one
    /// writes.
    pub(super) fn access(
        &mut self,
        accesses: &Accesses<'_>,
        of: &Site,
        mut race: impl FnMut(u64, SiteId),
    ) {
        let Some(now) = self.places.len().checked_sub(1) else { return };
        let site = accesses.site;
        let commutes = of.atomic.is_some_and(|it| it.commutes());
        let (places, words) = (&self.places, &mut self.words);
        accesses.active.for_each(|lane| {
            let address = accesses.addresses[lane];
            let word = words.entry(address).or_default();
            let is_apart = |other: usize| are_parallel(&places[other], &places[now]);
            let written = word.write.filter(|it| is_apart(it.0));
            let other = match of.kind {
                AccessKind::Read => written.map(|it| it.1),
                AccessKind::Write => {
                    let read = word.reads.iter().find(|it| is_apart(it.0)).map(|it| it.1);
                    read.or(written.filter(|it| !(commutes && it.2)).map(|it| it.1))
                }
            };
            match of.kind {
                AccessKind::Read if word.reads.iter().all(|it| it.0 != now) => {
                    word.reads.push((now, site));
                }
                AccessKind::Read => {}
                AccessKind::Write => {
                    *word = WordUse { write: Some((now, site, commutes)), reads: vec![] };
                }
            }
            if let Some(other) = other {
                race(address, other);
            }
        });
    }
}

/// Whether two places lie in different branches of one fork.
fn are_parallel(one: &Place, other: &Place) -> bool {
    let apart = one.iter().zip(other).find(|(a, b)| a != b);
    apart.is_some_and(|(a, b)| a.0 == b.0)
}
