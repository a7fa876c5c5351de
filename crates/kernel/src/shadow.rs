//! Who accessed each word last: a race is two accesses that nothing orders, of which one writes.
//!
//! Warps of a block are ordered by its barriers, and threads of a warp by what makes them meet
//! (`__syncwarp`, a shuffle, a vote), or by one instruction that they make together. Blocks are ordered by
//! nothing, unless the kernel waits for writes to be seen by others (`__threadfence`): then it orders blocks
//! itself, and nothing is said of them. Likewise within a block that has barriers for a part of it.

use rustc_hash::FxHashMap;

use super::records::{LANE_SHIFT, Records};
use memory_machine_sass::launch::{ARRAY_STRIDE, MemoryAccess, MemorySpace, WarpAccess};

/// Two accesses that nothing orders; the instruction of the earlier one, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conflict {
    InWarp(Option<usize>),
    InBlock(Option<usize>),
    BetweenBlocks(Option<usize>),
}

const WORD_BYTES: u64 = 4;

/// An access to a word, in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    /// Of a block, between two of its barriers; from 1 on.
    interval: u32,
    /// Between which meetings of its warp.
    order: u32,
    /// The instruction's number among those that access memory.
    number: u32,
    /// The warp; several where they read.
    warp: u32,
    /// Its lane; several where they read.
    lane: u32,
    is_atomic: bool,
    /// Of the word's bytes those that are accessed, a bit each.
    bytes: u32,
}

/// More intervals: what was before is forgotten.
const MOST_INTERVALS: u32 = (1 << 24) - 1;
/// More meetings of a warp between two barriers are taken for ordered: nothing is said of them.
const MOST_ORDERS: u32 = (1 << 9) - 1;
/// More instructions that access memory are not named.
const MOST_NUMBERS: u32 = (1 << 14) - 1;
const SEVERAL: u32 = (1 << 6) - 1;

impl Access {
    fn pack(self) -> u64 {
        let parts = [
            (self.order, 9),
            (self.number, 14),
            (self.warp, 6),
            (self.lane, 6),
            (u32::from(self.is_atomic), 1),
            (self.bytes, 4),
        ];
        parts.iter().fold(self.interval.into(), |all, (part, bits)| all << bits | u64::from(*part))
    }

    fn unpack(word: u64) -> Option<Self> {
        let part = |first: u32, bits: u32| (word >> first) as u32 & !(u32::MAX << bits);
        (word != 0).then(|| Self {
            interval: part(40, 24),
            order: part(31, 9),
            number: part(17, 14),
            warp: part(11, 6),
            lane: part(5, 6),
            is_atomic: part(4, 1) == 1,
            bytes: part(0, 4),
        })
    }

    /// One access for both, where threads read the same: the later, of whoever made the earlier, too.
    fn with_earlier(self, before: Self) -> Self {
        let is_of_warp = before.warp == self.warp && before.order == self.order;
        let warp = if before.warp != self.warp { SEVERAL } else { self.warp };
        let lane = if is_of_warp && before.lane != self.lane { SEVERAL } else { self.lane };
        Self { warp, lane, ..self }
    }
}

/// Of packed accesses, whether they are of one interval.
fn is_of_interval(one: u64, other: u64) -> bool {
    (one ^ other) >> 40 == 0
}

/// Whether they go to a byte in common.
fn share_bytes(one: u64, other: u64) -> bool {
    one & other & 15 != 0
}

/// A packed access of a lane to some bytes.
fn of_lane(all: u64, lane: usize, bytes: u64) -> u64 {
    all | (lane as u64) << LANE_SHIFT | bytes
}

/// Who read and who wrote last.
#[derive(Debug, Default)]
struct LastAccesses {
    reads: Records,
    writes: Records,
}

/// A block that is under way.
#[derive(Debug, Default)]
struct BlockShadow {
    interval: u32,
    /// Of its warps, how often their threads have met since the last barrier.
    orders: Vec<u32>,
    shared: LastAccesses,
    /// Whether nothing is said of accesses within it.
    is_without: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Shadow {
    global: LastAccesses,
    blocks: FxHashMap<u64, BlockShadow>,
    /// Blocks of intervals: each from the given one on.
    intervals: Vec<(u32, u64)>,
    last_interval: u32,
    /// Instructions that accessed memory, in the order in which they did first; and by instruction its number.
    instructions: Vec<usize>,
    numbers: FxHashMap<usize, u32>,
    has_fence: bool,
}

impl Shadow {
    pub(crate) fn begin_block(&mut self, block: u64) {
        // Those before are done, unless blocks wait for each other, which is rare.
        self.blocks.retain(|it, _| it + 1 >= block);
        self.blocks.remove(&block);
        self.block(block);
    }

    /// A block, which begins if nothing is known of it.
    fn block(&mut self, block: u64) -> &mut BlockShadow {
        if !self.blocks.contains_key(&block) {
            let interval = self.next_interval(block);
            self.blocks.insert(block, BlockShadow { interval, ..BlockShadow::default() });
        }
        self.blocks.entry(block).or_default()
    }

    fn next_interval(&mut self, block: u64) -> u32 {
        if self.last_interval == MOST_INTERVALS {
            self.last_interval = 0;
            self.global = LastAccesses::default();
            self.intervals.clear();
            self.blocks.clear();
        }
        self.last_interval += 1;
        if self.intervals.last().is_none_or(|it| it.1 != block) {
            self.intervals.push((self.last_interval, block));
        }
        self.last_interval
    }

    /// The block of an interval, and the first of its intervals in a row.
    fn block_of(&self, interval: u32) -> Option<(u32, u64)> {
        let last = self.intervals.last().filter(|it| it.0 <= interval);
        let found = last.or_else(|| {
            let end = self.intervals.partition_point(|it| it.0 <= interval);
            self.intervals.get(end.checked_sub(1)?)
        });
        found.copied()
    }

    /// What is still asked of an access, where a block is in an interval: of one that is over, neither the
    /// warp nor when it was.
    fn settled(&self, current: u32, access: u64) -> u64 {
        let interval = (access >> 40) as u32;
        let Some((first, block)) = self.block_of(interval).filter(|_| interval != current) else {
            return access;
        };
        if self.blocks.get(&block).is_some_and(|it| it.interval == interval) {
            return access;
        }
        Access::unpack(access)
            .map_or(0, |it| Access { interval: first, order: 0, warp: 0, lane: 0, ..it }.pack())
    }

    pub(crate) fn barrier(&mut self, block: u64) {
        let interval = self.next_interval(block);
        let it = self.block(block);
        it.interval = interval;
        it.orders.clear();
    }

    pub(crate) fn meet_warp(&mut self, block: u64, warp: u64) {
        let orders = &mut self.block(block).orders;
        if orders.len() <= warp as usize {
            orders.resize(warp as usize + 1, 0);
        }
        let order = &mut orders[warp as usize];
        *order = (*order + 1).min(MOST_ORDERS);
    }

    pub(crate) fn give_up_within(&mut self, block: u64) {
        self.block(block).is_without = true;
    }

    pub(crate) fn give_up_between(&mut self) {
        self.has_fence = true;
    }

    fn number(&mut self, instruction: usize) -> u32 {
        let instructions = &mut self.instructions;
        *self.numbers.entry(instruction).or_insert_with(|| {
            instructions.push(instruction);
            (instructions.len() as u32 - 1).min(MOST_NUMBERS)
        })
    }

    /// Whether nothing orders an access and an earlier one of which one writes.
    fn conflict(&self, own: u64, of: &BlockShadow, before: u64) -> Option<Conflict> {
        if !share_bytes(own, before) {
            return None;
        }
        let is_of_interval = is_of_interval(own, before);
        let (own, before) = (Access::unpack(own)?, Access::unpack(before)?);
        if before.is_atomic && own.is_atomic {
            return None;
        }
        let number = before.number as usize;
        let is_named = before.number != MOST_NUMBERS;
        let name = || self.instructions.get(number).copied().filter(|_| is_named);
        let block = |interval| self.block_of(interval).map(|it| it.1);
        if !is_of_interval {
            let is_between = !self.has_fence && block(before.interval) != block(own.interval);
            is_between.then(|| Conflict::BetweenBlocks(name()))
        } else if of.is_without {
            None
        } else if before.warp != own.warp {
            Some(Conflict::InBlock(name()))
        } else {
            let is_apart = before.lane != own.lane && before.number != own.number;
            let is_unordered = before.order == own.order && own.order != MOST_ORDERS;
            (is_apart && is_unordered).then(|| Conflict::InWarp(name()))
        }
    }

    /// Threads of some lanes access memory, and those of `changing` may change it; of a loop they may be about
    /// to swap what they read, if nobody has in between.
    pub(crate) fn access(
        &mut self,
        it: &WarpAccess<'_>,
        (lanes, changing, is_of_loop): (u32, u32, bool),
        mut note: impl FnMut(usize, Conflict),
    ) {
        let number = self.number(it.warp.instruction);
        let is_global = it.space != MemorySpace::Shared;
        let mut of = std::mem::take(self.block(it.warp.block));
        let mut all = std::mem::take(if is_global { &mut self.global } else { &mut of.shared });
        let writes = it.access.writes();
        let own = Access {
            interval: of.interval,
            order: of.orders.get(it.warp.warp as usize).copied().unwrap_or_default(),
            number,
            warp: it.warp.warp as u32,
            lane: 0,
            is_atomic: it.access == MemoryAccess::Atomic || is_of_loop,
            bytes: 0,
        };
        let own = own.pack();
        let settled = |access: u64| self.settled(of.interval, access);
        // In shared memory what is of another interval is of the same block, and ordered.
        let concerns = |before: u64| before != 0 && (is_global || is_of_interval(own, before));
        for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
            let changes = writes && changing >> lane & 1 == 1;
            let (array, begin) = match is_global {
                true => (it.addresses[lane] / ARRAY_STRIDE, it.addresses[lane] % ARRAY_STRIDE),
                false => (0, it.addresses[lane]),
            };
            let (array, end) = (array as usize, begin + it.bytes);
            let mut found = None;
            for word in begin / WORD_BYTES..end.div_ceil(WORD_BYTES) {
                let first = begin.saturating_sub(word * WORD_BYTES);
                let last = (end - word * WORD_BYTES).min(WORD_BYTES);
                let own = of_lane(own, lane, !(u64::MAX << last) & u64::MAX << first);
                let word = word as usize;
                if !writes || changes {
                    let before = all.writes.get(array, word);
                    if concerns(before) {
                        found = found.or_else(|| self.conflict(own, &of, before));
                    }
                }
                if changes {
                    let before = all.reads.get(array, word);
                    if concerns(before) {
                        found = found.or_else(|| self.conflict(own, &of, before));
                    }
                }
                if writes {
                    all.writes.set((array, word), own, settled);
                    continue;
                }
                let read = all.reads.get(array, word);
                let own = match (Access::unpack(own), Access::unpack(read)) {
                    (Some(now), Some(before))
                        if is_of_interval(own, read) && share_bytes(own, read) =>
                    {
                        now.with_earlier(before).pack()
                    }
                    _ => own,
                };
                all.reads.set((array, word), own, settled);
            }
            if let Some(found) = found {
                note(lane, found);
            }
        }
        *(if is_global { &mut self.global } else { &mut of.shared }) = all;
        *self.block(it.warp.block) = of;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_stands_in_64_bits() {
        let most = Access {
            interval: MOST_INTERVALS,
            order: MOST_ORDERS,
            number: MOST_NUMBERS,
            warp: SEVERAL,
            lane: SEVERAL,
            is_atomic: true,
            bytes: 15,
        };
        let least = Access {
            interval: 1,
            order: 0,
            number: 0,
            warp: 0,
            lane: 0,
            is_atomic: false,
            bytes: 1,
        };
        for it in [most, least, Access { warp: 31, lane: 5, ..least }, Access { order: 7, ..most }]
        {
            assert_eq!(Access::unpack(it.pack()), Some(it));
        }
        assert_eq!(most.pack(), u64::MAX);
        assert_eq!(of_lane(least.pack() & !15, 9, 6), Access { lane: 9, bytes: 6, ..least }.pack());
        assert_eq!(Access::unpack(0), None);
    }
}
