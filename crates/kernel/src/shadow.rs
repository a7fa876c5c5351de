//! Who accessed each word last: a race is two accesses that nothing orders, of which one writes.
//!
//! Warps of a block are ordered by its barriers, and threads of a warp by what makes them meet
//! (`__syncwarp`, a shuffle, a vote), or by one instruction that they make together. Blocks are ordered by
//! nothing, unless the kernel waits for writes to be seen by others (`__threadfence`): then it orders blocks
//! itself, and nothing is said of them. Likewise within a block that has barriers for a part of it.

use rustc_hash::FxHashMap;

use memory_machine_sass::launch::{MemoryAccess, MemorySpace, WarpAccess};

/// Two accesses that nothing orders; the instruction of the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conflict {
    InWarp(usize),
    InBlock(usize),
    BetweenBlocks(usize),
}

/// Words of a page of the shadow.
const PAGE_WORDS: usize = 1 << 10;
const WORD_BYTES: u64 = 4;

/// An access: of which block, between which barriers, of which warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Access {
    /// From 1 on; 0: none.
    block: u32,
    epoch: u32,
    /// And between which meetings of its warp.
    order: u32,
    instruction: u32,
    /// The warp; several where they read.
    warp: u16,
    /// Its lane; several where they read.
    lane: u8,
    is_atomic: bool,
    /// Of the word's bytes those that are accessed, a bit each.
    bytes: u8,
}

const NOBODY: Access = Access {
    block: 0,
    epoch: 0,
    order: 0,
    instruction: 0,
    warp: 0,
    lane: 0,
    is_atomic: false,
    bytes: 0,
};
const SEVERAL_WARPS: u16 = u16::MAX;
const SEVERAL_LANES: u8 = u8::MAX;

impl Access {
    /// One access for both, where threads read the same: the later, of whoever made the earlier, too.
    fn with_earlier(self, before: Self) -> Self {
        let is_of_epoch = (before.block, before.epoch) == (self.block, self.epoch)
            && before.bytes & self.bytes != 0;
        let is_of_warp = is_of_epoch && before.warp == self.warp && before.order == self.order;
        let warp = if is_of_epoch && before.warp != self.warp { SEVERAL_WARPS } else { self.warp };
        let lane = if is_of_warp && before.lane != self.lane { SEVERAL_LANES } else { self.lane };
        Self { warp, lane, ..self }
    }

    /// Whether nothing orders it and an earlier one of which one writes.
    fn meets(self, before: Self, is_within: bool, is_between: bool) -> Option<Conflict> {
        let is_other = before.block != 0
            && before.bytes & self.bytes != 0
            && !(before.is_atomic && self.is_atomic);
        let instruction = before.instruction as usize;
        if !is_other {
            None
        } else if before.block != self.block {
            is_between.then_some(Conflict::BetweenBlocks(instruction))
        } else if before.epoch != self.epoch || !is_within {
            None
        } else if before.warp != self.warp {
            Some(Conflict::InBlock(instruction))
        } else {
            let is_apart = before.lane != self.lane && before.instruction != self.instruction;
            (is_apart && before.order == self.order).then_some(Conflict::InWarp(instruction))
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Word {
    read: Access,
    written: Access,
}

type Pages = FxHashMap<u64, Box<[Word; PAGE_WORDS]>>;

#[derive(Debug, Default)]
pub(crate) struct Shadow {
    global: Pages,
    /// By block.
    shared: FxHashMap<u64, Pages>,
    epochs: FxHashMap<u64, u32>,
    /// Of each block's warps, how often their threads have met.
    orders: FxHashMap<u64, Vec<u32>>,
    /// Blocks of which nothing is said.
    without: FxHashMap<u64, ()>,
    has_fence: bool,
}

fn page(pages: &mut Pages, at: u64) -> &mut Word {
    let word = at / WORD_BYTES;
    let page = pages
        .entry(word / PAGE_WORDS as u64)
        .or_insert_with(|| Box::new([Word { read: NOBODY, written: NOBODY }; PAGE_WORDS]));
    &mut page[(word % PAGE_WORDS as u64) as usize]
}

impl Shadow {
    pub(crate) fn begin_block(&mut self, block: u64) {
        // Those before are done, unless blocks wait for each other, which is rare.
        self.shared.retain(|it, _| it + 1 >= block);
        self.orders.retain(|it, _| it + 1 >= block);
        self.epochs.insert(block, 1);
    }

    pub(crate) fn barrier(&mut self, block: u64) {
        *self.epochs.entry(block).or_default() += 1;
    }

    pub(crate) fn meet_warp(&mut self, block: u64, warp: u64) {
        let warps = self.orders.entry(block).or_default();
        if warps.len() <= warp as usize {
            warps.resize(warp as usize + 1, 0);
        }
        warps[warp as usize] += 1;
    }

    pub(crate) fn give_up_within(&mut self, block: u64) {
        self.without.insert(block, ());
    }

    pub(crate) fn give_up_between(&mut self) {
        self.has_fence = true;
    }

    /// The thread of a lane accesses the words from an address on, and may be about to swap what it reads,
    /// if nobody has in between.
    pub(crate) fn access(
        &mut self,
        it: &WarpAccess<'_>,
        (lane, address): (usize, u64),
        (changes, is_of_loop): (bool, bool),
    ) -> Option<Conflict> {
        let block = it.warp.block;
        let epoch = self.epochs.get(&block).copied().unwrap_or(1);
        let orders = self.orders.get(&block).and_then(|all| all.get(it.warp.warp as usize));
        let order = orders.copied().unwrap_or_default();
        let is_within = !self.without.contains_key(&block);
        let is_between = !self.has_fence;
        let pages = match it.space {
            MemorySpace::Shared => self.shared.entry(block).or_default(),
            _ => &mut self.global,
        };
        let mut found = None;
        let end = address + it.bytes;
        let mut at = address;
        while at < end {
            let next = (at / WORD_BYTES + 1) * WORD_BYTES;
            let bytes = (at..next.min(end)).fold(0, |all, it| all | 1 << (it % WORD_BYTES));
            let own = Access {
                block: block as u32 + 1,
                epoch,
                order,
                instruction: it.warp.instruction as u32,
                warp: it.warp.warp as u16,
                lane: lane as u8,
                is_atomic: it.access == MemoryAccess::Atomic || is_of_loop,
                bytes,
            };
            let word = page(pages, at);
            let writes = it.access != MemoryAccess::Load;
            if !writes || changes {
                found = found.or_else(|| own.meets(word.written, is_within, is_between));
            }
            if writes && changes {
                found = found.or_else(|| own.meets(word.read, is_within, is_between));
            }
            if writes {
                word.written = own;
            } else {
                word.read = own.with_earlier(word.read);
            }
            at = next;
        }
        found
    }
}
