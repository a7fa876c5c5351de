//! How much else was accessed since: the number of different address groups between two accesses to
//! the same one (Mattson's stack distance), each found in logarithmic time.

use std::collections::HashMap;

/// Address groups in the order of their last accesses.
#[derive(Debug)]
pub(super) struct Distances {
    /// By group, when it was last accessed, and sectors of it that ever were.
    accessed: HashMap<u64, Last>,
    /// The same of writes.
    written: HashMap<u64, Last>,
    /// A Fenwick tree: 1 where a group was last accessed.
    tree: Vec<u32>,
    now: usize,
}

/// When, and which sectors, a bit each; and from which cycle on they are in the first cache.
#[derive(Debug, Clone, Copy)]
struct Last {
    time: usize,
    sectors: u8,
    there: f64,
}

/// What was there before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Before {
    /// Other groups since.
    pub(super) groups: f64,
    /// The part of the sectors that was accessed before.
    pub(super) part: f64,
    /// The cycle from which on they are in the first cache.
    pub(super) there: f64,
}

/// Times before they are numbered anew.
const TIMES: usize = 1 << 16;

impl Distances {
    pub(super) fn new() -> Self {
        Self { accessed: HashMap::new(), written: HashMap::new(), tree: vec![0; TIMES], now: 0 }
    }

    /// Some sectors of a group are accessed.
    pub(super) fn access(&mut self, group: u64, sectors: u8) -> Before {
        if self.now + 2 >= self.tree.len() {
            self.number_anew();
        }
        let now = self.now;
        let last = self.accessed.get(&group).copied();
        let before = self.before(last, sectors);
        if let Some(last) = last {
            self.add(last.time, u32::MAX);
        }
        self.add(now, 1);
        let sectors = sectors | last.map_or(0, |it| it.sectors);
        self.accessed.insert(group, Last { time: now, sectors, there: before.there });
        self.now += 1;
        before
    }

    /// The group that was accessed last is in the first cache from a cycle on.
    pub(super) fn arrives(&mut self, group: u64, there: f64) {
        if let Some(last) = self.accessed.get_mut(&group) {
            last.there = there;
        }
    }

    /// They are about to be written: since they last were.
    pub(super) fn write(&mut self, group: u64, sectors: u8) -> Before {
        let last = self.written.get(&group).copied();
        let before = self.before(last, sectors);
        let sectors = sectors | last.map_or(0, |it| it.sectors);
        self.written.insert(group, Last { time: self.now, sectors, there: 0.0 });
        before
    }

    fn before(&self, last: Option<Last>, sectors: u8) -> Before {
        let Some(last) = last else { return Before::default() };
        let since = self.sum(self.now).wrapping_sub(self.sum(last.time + 1));
        let known = (sectors & last.sectors).count_ones();
        Before {
            groups: f64::from(since),
            part: f64::from(known) / f64::from(sectors.count_ones().max(1)),
            there: last.there,
        }
    }

    /// Numbers the groups from 0 on, in the same order.
    fn number_anew(&mut self) {
        let mut order: Vec<(usize, u64)> =
            self.accessed.iter().map(|(group, it)| (it.time, *group)).collect();
        order.sort_unstable();
        let times: Vec<usize> = order.iter().map(|it| it.0).collect();
        let new = |time: usize| times.partition_point(|it| *it < time);
        self.accessed.values_mut().chain(self.written.values_mut()).for_each(|it| {
            it.time = new(it.time);
        });
        self.tree = vec![0; (4 * order.len()).max(TIMES)];
        (0..order.len()).for_each(|time| self.add(time, 1));
        self.now = order.len();
    }

    fn add(&mut self, time: usize, more: u32) {
        let mut at = time + 1;
        while at < self.tree.len() {
            self.tree[at] = self.tree[at].wrapping_add(more);
            at += at & at.wrapping_neg();
        }
    }

    /// Groups whose last access is before `time`.
    fn sum(&self, time: usize) -> u32 {
        let (mut at, mut sum) = (time.min(self.tree.len() - 1), 0_u32);
        while at > 0 {
            sum = sum.wrapping_add(self.tree[at]);
            at -= at & at.wrapping_neg();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Groups are kept in a list, latest first.
    #[test]
    fn distances_are_those_in_a_list() {
        let (mut distances, mut list) = (Distances::new(), Vec::<u64>::new());
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let group = (state >> 33) % 50;
            let place = list.iter().position(|it| *it == group);
            let found = distances.access(group, 1);
            match place {
                None => assert_eq!(found, Before::default()),
                Some(place) => {
                    assert_eq!(found, Before { groups: place as f64, part: 1.0, there: 0.0 });
                    list.remove(place);
                }
            }
            list.insert(0, group);
        }
    }
}
