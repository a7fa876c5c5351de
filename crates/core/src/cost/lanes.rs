//! What each thread of a round has done.

use crate::run::Active;

/// A count for each thread. What all threads do is counted once.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    threads: usize,
    by_all: u64,
    more: Vec<u64>,
    most_more: u64,
}

impl Lanes {
    /// So many threads that have done nothing.
    pub(super) fn begin(&mut self, threads: usize) {
        // What those of the round before have done, who may be more.
        self.clear();
        self.threads = threads;
        self.more.resize(self.more.len().max(threads), 0);
    }

    /// Nobody has done anything.
    pub(super) fn clear(&mut self) {
        if self.most_more > 0 {
            self.more[..self.threads].fill(0);
        }
        (self.by_all, self.most_more) = (0, 0);
    }

    /// The active threads do something of this cost.
    #[inline]
    pub(super) fn add(&mut self, active: &Active, cost: u64) {
        if active.count() == self.threads {
            self.by_all += cost;
            return;
        }
        let (more, most) = (&mut self.more, &mut self.most_more);
        active.for_each(|lane| {
            more[lane] += cost;
            *most = (*most).max(more[lane]);
        });
    }

    /// What one thread has done.
    pub(super) fn of(&self, lane: usize) -> u64 {
        self.by_all + self.more[lane]
    }

    /// What the thread has done that did most.
    pub(super) const fn most(&self) -> u64 {
        self.by_all + self.most_more
    }
}
