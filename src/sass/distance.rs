//! How much else was accessed since: the number of different address groups between two accesses to
//! the same one (Mattson's stack distance), each found in logarithmic time.

use rustc_hash::FxHashMap;

use super::combining::{touched, whole};

/// Address groups in the order of their last accesses, and what of each the first cache holds.
#[derive(Debug)]
pub(super) struct Distances {
    /// By group.
    accessed: FxHashMap<u64, Last>,
    /// Writes to the last-level cache, and sectors of them, a bit each.
    written: FxHashMap<u64, (usize, u8)>,
    /// A Fenwick tree: 1 where a group was last accessed.
    tree: Vec<u32>,
    /// Of the next access; at first 1.
    now: usize,
}

/// A group's last access.
#[derive(Debug, Clone, Copy)]
struct Last {
    time: usize,
    /// Sectors that ever were accessed, a bit each.
    known: u8,
    /// Bytes that are in the first cache, a bit each, as long as it keeps the group.
    held: u128,
    /// From which cycle on.
    there: f64,
}

/// What was there before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Before {
    /// Other groups since.
    pub(super) groups: f64,
    /// The part of the sectors that was accessed before.
    pub(super) known: f64,
    /// The part of which the first cache has what is wanted, if it kept the group.
    pub(super) held: f64,
    /// The cycle from which on they are in the first cache.
    pub(super) there: f64,
}

/// Times before they are numbered anew, at least: the tree is to stay in a core's first cache.
const TIMES: usize = 1 << 12;

impl Distances {
    pub(super) fn new() -> Self {
        Self {
            accessed: FxHashMap::default(),
            written: FxHashMap::default(),
            tree: vec![0; TIMES],
            now: 1,
        }
    }

    /// Some bytes of a group are read: their sectors are held. `keeps` says whether the first cache
    /// still has the group.
    pub(super) fn read(
        &mut self,
        group: u64,
        bytes: u128,
        keeps: impl Fn(&Before) -> bool,
    ) -> Before {
        self.access(group, bytes, |before, last| {
            let held = if keeps(before) { last.held } else { 0 };
            Last { held: held | whole(touched(bytes)), ..last }
        })
    }

    /// Some bytes of a group are written, and held: nothing else of a sector is fetched. A line that
    /// a read is on its way to is given up, with what it held and with what comes: measured on an H200
    /// (`models/measurements/nvidia-h200/2026-11-24/pending.csv`).
    pub(super) fn write(
        &mut self,
        group: u64,
        bytes: u128,
        now: f64,
        keeps: impl Fn(&Before) -> bool,
    ) -> Before {
        self.access(group, bytes, |before, last| {
            let is_kept = keeps(before) && last.there <= now;
            Last { held: bytes | if is_kept { last.held } else { 0 }, there: 0.0, ..last }
        })
    }

    fn access(&mut self, group: u64, bytes: u128, then: impl Fn(&Before, Last) -> Last) -> Before {
        if self.now + 2 >= self.tree.len() {
            self.number_anew();
        }
        let now = self.now;
        let sectors = touched(bytes);
        let last = self.accessed.get(&group).copied();
        let mut before = Before::default();
        if let Some(last) = last {
            let held = (0..4).filter(|it| {
                sectors >> it & 1 == 1 && {
                    let sector = whole(1 << it);
                    bytes & sector & !last.held == 0
                }
            });
            before = Before {
                groups: self.since(last.time),
                known: part(sectors & last.known, sectors),
                held: held.count() as f64 / f64::from(sectors.count_ones()),
                there: last.there,
            };
            self.add(last.time, u32::MAX);
        }
        self.add(now, 1);
        let last = last.unwrap_or(Last { time: now, known: 0, held: 0, there: 0.0 });
        let last = Last { time: now, known: last.known | sectors, ..then(&before, last) };
        self.accessed.insert(group, last);
        self.now += 1;
        before
    }

    /// The group that was accessed last is in the first cache from a cycle on.
    pub(super) fn arrives(&mut self, group: u64, there: f64) {
        if let Some(last) = self.accessed.get_mut(&group) {
            last.there = there;
        }
    }

    /// Sectors go on to the last-level cache: since they last did, other groups that were accessed, and
    /// the part of them that did.
    pub(super) fn goes(&mut self, group: u64, sectors: u8) -> Before {
        let last = self.written.get(&group).copied();
        let of_last = last.map_or(0, |it| it.1);
        self.written.insert(group, (self.now, sectors | of_last));
        let groups = last.map_or(0.0, |it| self.since(it.0));
        Before { groups, known: part(sectors & of_last, sectors), ..Before::default() }
    }

    /// Groups whose last access is after `time`.
    fn since(&self, time: usize) -> f64 {
        (self.accessed.len() - self.sum(time + 1) as usize) as f64
    }

    /// Numbers the groups from 1 on, in the same order.
    fn number_anew(&mut self) {
        let mut order: Vec<(usize, u64)> =
            self.accessed.iter().map(|(group, it)| (it.time, *group)).collect();
        order.sort_unstable();
        let times: Vec<usize> = order.iter().map(|it| it.0).collect();
        let new = |time: usize| times.partition_point(|it| *it <= time);
        self.accessed.values_mut().for_each(|it| it.time = new(it.time));
        self.written.values_mut().for_each(|it| it.0 = new(it.0));
        self.tree = vec![0; (4 * order.len()).max(TIMES)];
        (1..=order.len()).for_each(|time| self.add(time, 1));
        self.now = order.len() + 1;
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

fn part(some: u8, all: u8) -> f64 {
    f64::from(some.count_ones()) / f64::from(all.count_ones().max(1))
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
            let found = distances.read(group, 1, |_| true);
            match place {
                None => assert_eq!(found, Before::default()),
                Some(place) => {
                    assert_eq!(
                        found,
                        Before { groups: place as f64, known: 1.0, held: 1.0, there: 0.0 }
                    );
                    list.remove(place);
                }
            }
            list.insert(0, group);
        }
    }
}
