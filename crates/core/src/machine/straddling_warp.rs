//! One warp whose threads are covered by several pieces, or not all covered.

use crate::trace::StridedRun;
use crate::units::Address;

use super::conflict::{Conflict, PARTS};
use super::distinct::DistinctKeys;

/// Collects the runs of one warp, and counts its stages: by closed form if it is one run, by
/// intervals if it is a few runs without gaps, otherwise address by address.
#[derive(Debug, Clone)]
pub(super) struct Border {
    parts: [StridedRun; PARTS],
    held: usize,
    active: u64,
    /// Whether the parts went into the tallies, and later ones go there at once.
    tallied: bool,
    /// UMM: address groups. DMM: addresses.
    keys: DistinctKeys,
    /// DMM: distinct addresses by bank.
    banks: DistinctKeys,
    fullest_bank: u64,
}

const NO_RUN: StridedRun = StridedRun { base: Address(0), stride: 0, count: 0 };

impl Border {
    pub fn new() -> Self {
        Self {
            parts: [NO_RUN; PARTS],
            held: 0,
            active: 0,
            tallied: false,
            keys: DistinctKeys::new(),
            banks: DistinctKeys::new(),
            fullest_bank: 0,
        }
    }

    #[inline]
    pub fn add(&mut self, conflict: &Conflict, run: StridedRun) {
        self.active += run.count;
        if self.held < PARTS {
            self.parts[self.held] = run;
            self.held += 1;
        } else {
            if !self.tallied {
                self.tally_parts(conflict);
            }
            self.tally(conflict, run);
        }
    }

    /// The warp's `(active threads, stages)`, if it has any; makes room for the next warp.
    #[inline]
    pub fn take(&mut self, conflict: &mut Conflict) -> Option<(u64, u64)> {
        let stages = match &self.parts[..self.held] {
            [] => return None,
            _ if self.tallied => self.tallied_stages(conflict),
            &[one] => conflict.run(one),
            parts => conflict.parts(parts).unwrap_or_else(|| {
                self.tally_parts(conflict);
                self.tallied_stages(conflict)
            }),
        };
        self.held = 0;
        self.tallied = false;
        Some((std::mem::take(&mut self.active), stages))
    }

    /// Forgets what it has collected.
    pub fn clear(&mut self) {
        self.held = 0;
        self.active = 0;
        self.tallied = false;
    }

    fn tally_parts(&mut self, conflict: &Conflict) {
        self.keys.clear();
        self.banks.clear();
        self.fullest_bank = 0;
        self.tallied = true;
        for i in 0..self.held {
            self.tally(conflict, self.parts[i]);
        }
    }

    #[inline]
    fn tally(&mut self, conflict: &Conflict, run: StridedRun) {
        // Where threads share keys, each key once: a broadcast to 2⁴⁰ threads is one key.
        if let Some(keys) = conflict.keys(run) {
            for key in keys.first..=keys.last {
                self.tally_key(conflict, key);
            }
        } else {
            for i in 0..run.count {
                self.tally_key(conflict, conflict.key(run.at(i).0));
            }
        }
    }

    #[inline]
    fn tally_key(&mut self, conflict: &Conflict, key: u64) {
        let new = self.keys.insert(key);
        if let (true, Some(bank)) = (new, conflict.bank(key)) {
            self.fullest_bank = self.fullest_bank.max(self.banks.count(bank).into());
        }
    }

    const fn tallied_stages(&self, conflict: &Conflict) -> u64 {
        conflict.stages(self.keys.distinct(), self.fullest_bank)
    }
}
