//! What blocks of a launch read in common: a multiprocessor's first cache has it once for all of them.

use rustc_hash::FxHashMap;

use crate::sass::{Memory, Others};

/// Of less than so large a part of what they read nothing is gained.
const SOME: f64 = 0.05;

/// Address groups that some blocks of a launch read, spread over it: they stand for those that a
/// multiprocessor has.
#[derive(Debug)]
pub(super) struct Common {
    /// Blocks of a multiprocessor, one after another or at once, and how many of them at once.
    each: f64,
    at_once: f64,
    /// Blocks that are looked at, and runs of them so far.
    chosen: usize,
    runs: usize,
    /// By group, how many of them read it, and which one did last.
    read: FxHashMap<u64, (u32, usize)>,
    /// Once all were looked at, if enough is common.
    known: Option<Known>,
}

/// What a block reads on the mean.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// Address groups.
    groups: f64,
    /// The part of them that another block reads, too.
    part: f64,
}

impl Common {
    pub(super) fn new(each: f64, at_once: f64, chosen: usize) -> Self {
        Self {
            each,
            at_once: at_once.min(each),
            chosen,
            runs: 0,
            read: FxHashMap::default(),
            known: None,
        }
    }

    /// The memory of the next block that runs.
    pub(super) fn of<'a>(&'a mut self, memory: &'a mut dyn Memory) -> OfBlock<'a> {
        self.runs += 1;
        OfBlock { common: self, memory, last: u64::MAX }
    }

    /// Whether enough is common, now that all were looked at.
    pub(super) fn settles(&mut self) -> bool {
        let others = (self.chosen as f64 - 1.0).max(1.0);
        let counts = || self.read.values().map(|it| f64::from(it.0));
        let all: f64 = counts().sum();
        let common: f64 = counts().map(|it| it * (it - 1.0)).sum();
        let known =
            Known { groups: all / self.chosen as f64, part: common / others / all.max(1.0) };
        self.known = (self.each > 1.0 && known.part > SOME).then_some(known);
        self.known.is_some()
    }

    /// The blocks that are there at once use the cache as so many without anything in common.
    pub(super) fn apart(&self) -> f64 {
        let more = self.at_once - 1.0;
        self.known.map_or(self.at_once, |it| 1.0 + more * (1.0 - it.part))
    }
}

/// Memory as one of the blocks sees it.
pub(super) struct OfBlock<'a> {
    common: &'a mut Common,
    memory: &'a mut dyn Memory,
    /// The group that was read last; at first none.
    last: u64,
}

impl Memory for OfBlock<'_> {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.memory.load(address, bytes)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        self.memory.store(address, bytes, value);
    }

    fn reads(&mut self, group: u64) {
        let block = self.common.runs;
        if block <= self.common.chosen && group != self.last {
            self.last = group;
            let read = self.common.read.entry(group).or_default();
            if read.1 != block {
                *read = (read.0 + 1, block);
            }
        }
    }

    fn of_others(&self, group: u64) -> Option<Others> {
        let common = &*self.common;
        let groups = common.known?.groups;
        let others = f64::from(common.read.get(&group)?.0 - 1);
        let part = others / (common.chosen as f64 - 1.0);
        // The first of all fetches it; those that are there together do the same at the same time.
        let [known, sooner] = [1.0, common.at_once].map(|it| 1.0 - it / common.each);
        (part > 0.0).then_some(Others { known: part * known, sooner: sooner / known, groups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Memory for Nothing {
        fn load(&mut self, _: u64, _: u64) -> u64 {
            0
        }

        fn store(&mut self, _: u64, _: u64, _: u64) {}
    }

    /// Three blocks of a multiprocessor's six read 8 groups each: 6 of all, 2 of their own.
    #[test]
    fn what_all_read_takes_its_room_once() {
        let mut common = Common::new(6.0, 4.0, 3);
        assert_eq!(common.apart(), 4.0);
        for block in 0..3 {
            let mut nothing = Nothing;
            let mut memory = common.of(&mut nothing);
            for group in (0..6).chain(100 + 2 * block..102 + 2 * block) {
                memory.reads(group);
                memory.reads(group);
                assert_eq!(memory.of_others(group), None);
            }
        }
        assert!(common.settles());
        assert!((common.apart() - (1.0 + 3.0 * 0.25)).abs() < 1e-12);
        let mut nothing = Nothing;
        let memory = common.of(&mut nothing);
        // One of six is the first; a block reads eight groups.
        let others = memory.of_others(5).unwrap();
        assert!((others.known - 5.0 / 6.0).abs() < 1e-12);
        // Four are there together.
        assert!((others.known * others.sooner - 2.0 / 6.0).abs() < 1e-12);
        assert_eq!(others.groups, 8.0);
        assert_eq!(memory.of_others(101), None);
        assert_eq!(memory.of_others(50), None);
    }
}
