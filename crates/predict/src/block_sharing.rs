//! What blocks of a launch read in common: a multiprocessor's first cache has it once for all of them.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::arrays::ARRAY_ADDRESS_STRIDE;
use super::atomic_spread::AtomicSpread;
use super::indirect::{self, IndirectFootprint, IndirectTotal};
use memory_machine_core::units::GROUP_BYTES;
use memory_machine_sass::{AccessMode, DeviceMemory, PeerReads, Sharing};

/// Of less than so large a part of what they read empty is gained.
const MIN_COMMON_PART: f64 = 0.05;
/// Blocks that come after each other have this many times as much in common as others, or as much as these.
const SUCCESSOR_RATIO: f64 = 2.0;

/// Address groups that some blocks of a launch read, spread over it: they stand for those that a
/// multiprocessor has. Two more tell what those have in common that come after each other: the next one
/// of a multiprocessor after the middle one of these, and the one just after that.
#[derive(Debug)]
pub(super) struct BlockSharing {
    /// Blocks of a multiprocessor, one after another or at once, and how many of them at once.
    each: f64,
    at_once: f64,
    /// Blocks that stand for all.
    chosen: usize,
    /// By group, which of them read it.
    read: FxHashMap<u64, Readers>,
    /// Once all were looked at, if enough is common.
    known: Option<GroupStatistics>,
    /// Address groups of the next one, and those of them that the middle one read, too.
    next: [f64; 2],
    /// Blocks of the device at once.
    all_at_once: f64,
    /// Arrays, by their numbers from 1 on.
    shared: BTreeMap<u64, ArraySharing>,
    /// As above.
    indirect: BTreeMap<u64, IndirectFootprint>,
    /// Where their atomic operations go.
    pub(super) atomics: AtomicSpread,
}

/// What a block that runs is looked at for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SampleRole {
    /// As one of those that stand for all, the number of them from 0 on.
    Representative(usize),
    /// As the next one of a multiprocessor after the middle one of these.
    Successor,
    /// As the one just after that in number.
    Neighbour,
    /// For what it does, and not for what it has in common with others.
    CostOnly,
}

/// Blocks that read an address group.
#[derive(Debug, Clone, Copy, Default)]
struct Readers {
    count: u32,
    last: Option<SampleRole>,
    /// Whether the middle one did.
    by_middle: bool,
}

/// An array that blocks read.
#[derive(Debug, Clone, Copy)]
struct ArraySharing {
    /// Address groups that a block reads on the mean, and those of them that another one reads, too.
    groups: f64,
    in_common: f64,
    /// Of blocks that are there at once.
    sharing: Sharing,
}

impl ArraySharing {
    const NONE: Self = Self { groups: 0.0, in_common: 0.0, sharing: Sharing::NONE };

    /// Where this many blocks are there at once, and the array has this many groups, which is all that they can
    /// access.
    fn finish(&mut self, at_once: f64, groups: f64) {
        let part = self.in_common / self.groups;
        let room = (1.0 + (at_once - 1.0) * (1.0 - part)).min(groups / self.groups) / at_once;
        self.sharing = Sharing { peer_accesses: part * (at_once - 1.0), room };
    }
}

/// What a block reads on the mean.
#[derive(Debug, Clone, Copy)]
struct GroupStatistics {
    /// Address groups, and the room that they take in the last-level cache.
    groups: f64,
    /// As above.
    l2_groups: f64,
    /// The part of them that another block reads, too.
    part: f64,
    /// Whether so of any, since those that come after each other have more in common than others.
    of_any: bool,
}

impl BlockSharing {
    pub(super) fn new(each: f64, [at_once, all_at_once]: [f64; 2], chosen: usize) -> Self {
        Self {
            each,
            at_once: at_once.min(each),
            chosen,
            read: FxHashMap::default(),
            known: None,
            next: [0.0; 2],
            all_at_once,
            shared: BTreeMap::new(),
            indirect: BTreeMap::new(),
            atomics: AtomicSpread::default(),
        }
    }

    /// The memory of a block that runs. Those that stand for all come first.
    pub(super) fn of<'a>(
        &'a mut self,
        memory: &'a mut dyn DeviceMemory,
        role: SampleRole,
    ) -> BlockMemory<'a> {
        BlockMemory { common: self, memory, role, last: u64::MAX }
    }

    /// Whether enough is common, now that all were looked at. Given are the bytes of all arrays.
    pub(super) fn finish_sampling(&mut self, array_bytes: &[f64]) -> bool {
        self.finish_arrays(array_bytes);
        let sum = |of: &dyn Fn(&ArraySharing) -> f64| self.shared.values().map(of).sum::<f64>();
        let groups = sum(&|it| it.groups);
        let part = if groups > 0.0 { sum(&|it| it.in_common) / groups } else { 0.0 };
        let of_next = self.next[1] / self.next[0].max(1.0);
        let known = GroupStatistics {
            groups,
            l2_groups: sum(&|it| it.groups * it.sharing.room),
            part: part.max(of_next),
            of_any: of_next > SUCCESSOR_RATIO * part,
        };
        self.known = (self.each > 1.0 && known.part > MIN_COMMON_PART).then_some(known);
        self.known.is_some()
    }

    fn finish_arrays(&mut self, array_bytes: &[f64]) {
        let chosen = self.chosen as f64;
        let others = (chosen - 1.0).max(1.0);
        self.shared.clear();
        for (group, it) in &self.read {
            let shared = self.shared.entry(array_of(*group)).or_insert(ArraySharing::NONE);
            let count = f64::from(it.count);
            shared.groups += count;
            shared.in_common += count * (count - 1.0);
        }
        for (array, it) in &mut self.shared {
            (it.groups, it.in_common) = (it.groups / chosen, it.in_common / others / chosen);
            let groups =
                array_bytes.get(*array as usize - 1).map_or(0.0, |it| it / GROUP_BYTES as f64);
            it.finish(self.all_at_once, groups);
        }
    }

    /// Whether values decide on any address.
    pub(super) fn has_indirect(&self) -> bool {
        !self.indirect.is_empty()
    }

    /// Arrays that blocks go to and fro through, where values say, are known by themselves now: their
    /// bytes, and sectors that a block accesses of them, of those that are read and of those that are
    /// written. Given are the bytes of all arrays.
    pub(super) fn finish_indirect(
        &mut self,
        bytes: &[f64],
        held_bytes: f64,
        blocks: f64,
    ) -> [IndirectTotal; 2] {
        let of = |array: u64| bytes.get(array as usize - 1).copied().unwrap_or(0.0);
        let arrays = self.indirect.iter_mut().map(|(array, strays)| (strays, of(*array)));
        indirect::finish(arrays, held_bytes, blocks)
    }

    /// The blocks that are there at once use the first cache as this many without anything in common.
    pub(super) fn distinct_blocks(&self) -> f64 {
        let more = self.at_once - 1.0;
        self.known.map_or(self.at_once, |it| 1.0 + more * (1.0 - it.part))
    }
}

/// The number of an array, from 1 on.
fn array_of(group: u64) -> u64 {
    group / (ARRAY_ADDRESS_STRIDE / GROUP_BYTES)
}

/// Memory as one of the blocks sees it.
pub(super) struct BlockMemory<'a> {
    common: &'a mut BlockSharing,
    memory: &'a mut dyn DeviceMemory,
    role: SampleRole,
    /// The group that was read last; at first none.
    last: u64,
}

impl DeviceMemory for BlockMemory<'_> {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        self.memory.load(address, bytes)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        self.memory.store(address, bytes, value);
    }

    fn note_read(&mut self, group: u64) {
        if !matches!(self.role, SampleRole::Representative(_) | SampleRole::Successor)
            || group == self.last
        {
            return;
        }
        self.last = group;
        let read = self.common.read.entry(group).or_default();
        if read.last.replace(self.role) == Some(self.role) {
            return;
        }
        if let SampleRole::Representative(number) = self.role {
            read.count += 1;
            read.by_middle |= number == self.common.chosen / 2;
        } else {
            self.common.next[0] += 1.0;
            self.common.next[1] += f64::from(u8::from(read.by_middle));
        }
    }

    fn note_atomic(&mut self, group: u64) {
        if let SampleRole::Representative(number) = self.role {
            self.common.atomics.note(number, group);
        }
    }

    fn note_indirect(&mut self, group: u64, sectors: u8, first: f64, mode: AccessMode) {
        let footprint = self.common.indirect.entry(array_of(group));
        match self.role {
            SampleRole::Representative(number) => {
                footprint.or_default().note(number, group, (sectors, first), mode)
            }
            SampleRole::Neighbour => {
                footprint.and_modify(|it| it.note_neighbour(group, sectors, first));
            }
            SampleRole::Successor | SampleRole::CostOnly => {}
        }
    }

    fn indirect_part(&self, group: u64, sectors: u8) -> Option<f64> {
        self.common.indirect.get(&array_of(group))?.in_memory(group, sectors)
    }

    fn sharing(&self, group: u64) -> Sharing {
        self.common.shared.get(&array_of(group)).map_or(Sharing::NONE, |it| it.sharing)
    }

    fn peer_reads(&self, group: u64) -> Option<PeerReads> {
        let common = &*self.common;
        let GroupStatistics { groups, l2_groups, of_any, part } = common.known?;
        let part = match of_any {
            true => part,
            false => f64::from(common.read.get(&group)?.count - 1) / (common.chosen as f64 - 1.0),
        };
        // The first of all fetches it; those that are there together do the same at the same time.
        let [known, sooner] = [1.0, common.at_once].map(|it| 1.0 - it / common.each);
        let (known, sooner) = (part * known, sooner / known);
        (part > 0.0).then_some(PeerReads { known, sooner, groups, l2_groups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct EmptyMemory;

    impl DeviceMemory for EmptyMemory {
        fn load(&mut self, _: u64, _: u64) -> u64 {
            0
        }

        fn store(&mut self, _: u64, _: u64, _: u64) {}
    }

    /// Three blocks of a multiprocessor's six read 8 groups each: 6 of all, 2 of their own.
    #[test]
    fn what_all_read_takes_its_room_once() {
        let mut common = BlockSharing::new(6.0, [4.0, 4.0], 3);
        let first = ARRAY_ADDRESS_STRIDE / GROUP_BYTES;
        assert_eq!(common.distinct_blocks(), 4.0);
        for block in 0..3_usize {
            let mut empty = EmptyMemory;
            let mut memory = common.of(&mut empty, SampleRole::Representative(block));
            let own = (0..2).map(|it| 100 + 2 * block as u64 + it);
            for group in (0..6).chain(own) {
                memory.note_read(first + group);
                memory.note_read(first + group);
                assert_eq!(memory.peer_reads(first + group), None);
            }
        }
        assert!(common.finish_sampling(&[1024.0]));
        assert!((common.distinct_blocks() - (1.0 + 3.0 * 0.25)).abs() < 1e-12);
        let mut empty = EmptyMemory;
        let memory = common.of(&mut empty, SampleRole::CostOnly);
        // One of six is the first; a block reads eight groups.
        let others = memory.peer_reads(first + 5).unwrap();
        assert!((others.known - 5.0 / 6.0).abs() < 1e-12);
        // Four are there together.
        assert!((others.known * others.sooner - 2.0 / 6.0).abs() < 1e-12);
        assert_eq!(others.groups, 8.0);
        assert_eq!(memory.peer_reads(first + 101), None);
        assert_eq!(memory.peer_reads(first + 50), None);
    }

    /// Of 101 blocks that are there at once, two out of three read a part of a small array that the third
    /// does not, and each has 10 groups of a large one for itself.
    #[test]
    fn an_array_takes_no_more_room_than_it_has() {
        let mut common = BlockSharing::new(6.0, [4.0, 101.0], 3);
        let first = |array: u64| array * (ARRAY_ADDRESS_STRIDE / GROUP_BYTES);
        for block in 0..3_u64 {
            let mut empty = EmptyMemory;
            let mut memory = common.of(&mut empty, SampleRole::Representative(block as usize));
            (0..10).for_each(|it| memory.note_read(first(2) + 10 * block + it));
            (0..10).filter(|_| block < 2).for_each(|it| memory.note_read(first(1) + it));
        }
        common.finish_sampling(&[20.0 * GROUP_BYTES as f64, 1e9]);
        let mut empty = EmptyMemory;
        let memory = common.of(&mut empty, SampleRole::CostOnly);
        // Each group is read by one more of two others.
        let small = memory.sharing(first(1) + 9);
        assert!((small.peer_accesses - 50.0).abs() < 1e-9, "{small:?}");
        // A block has 20 / 3 of its 20 groups on the mean.
        assert!((small.room - 3.0 / 101.0).abs() < 1e-9, "{small:?}");
        assert_eq!(memory.sharing(first(2)), Sharing::NONE);
        assert_eq!(memory.sharing(first(3)), Sharing::NONE);
    }
}
