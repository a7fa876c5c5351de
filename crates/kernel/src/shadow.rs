//! Who accessed each word last: a race is two accesses that nothing orders, of which one writes.
//!
//! Warps of a block are ordered by its barriers, and threads of a warp by the code. Blocks are ordered by
//! nothing, unless the kernel waits for writes to be seen by others (`__threadfence`): then it orders blocks
//! itself, and nothing is said of them. Likewise within a block that has barriers for a part of it.

use rustc_hash::FxHashMap;

use memory_machine_sass::launch::{MemoryAccess, MemorySpace, WarpAccess};

/// Two accesses that nothing orders; the instruction of the earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conflict {
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
    /// The warp; several where they read.
    warp: u16,
    is_atomic: bool,
    instruction: u32,
    /// Of the word's bytes those that are accessed, a bit each.
    bytes: u8,
}

const NOBODY: Access =
    Access { block: 0, epoch: 0, warp: 0, is_atomic: false, instruction: 0, bytes: 0 };
const SEVERAL_WARPS: u16 = u16::MAX;

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
        self.epochs.insert(block, 1);
    }

    pub(crate) fn barrier(&mut self, block: u64) {
        *self.epochs.entry(block).or_default() += 1;
    }

    pub(crate) fn give_up_within(&mut self, block: u64) {
        self.without.insert(block, ());
    }

    pub(crate) fn give_up_between(&mut self) {
        self.has_fence = true;
    }

    /// A thread accesses the words from an address on.
    pub(crate) fn access(
        &mut self,
        it: &WarpAccess<'_>,
        address: u64,
        changes: bool,
    ) -> Option<Conflict> {
        let block = it.warp.block;
        let epoch = self.epochs.get(&block).copied().unwrap_or(1);
        let gives_up = self.without.contains_key(&block);
        let has_fence = self.has_fence;
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
                warp: it.warp.warp as u16,
                is_atomic: it.access == MemoryAccess::Atomic,
                instruction: it.warp.instruction as u32,
                bytes,
            };
            let word = page(pages, at);
            let writes = it.access != MemoryAccess::Load;
            let conflicts = |before: Access| {
                let is_other = before.block != 0
                    && before.bytes & own.bytes != 0
                    && !(before.is_atomic && own.is_atomic);
                let instruction = before.instruction as usize;
                match (is_other, before.block == own.block) {
                    (true, true) if before.epoch == own.epoch && before.warp != own.warp => {
                        (!gives_up).then_some(Conflict::InBlock(instruction))
                    }
                    (true, false) => (!has_fence).then_some(Conflict::BetweenBlocks(instruction)),
                    _ => None,
                }
            };
            if !writes || changes {
                found = found.or_else(|| conflicts(word.written));
            }
            if writes && changes {
                found = found.or_else(|| conflicts(word.read));
            }
            if writes {
                word.written = own;
            } else {
                let before = word.read;
                let is_same = before.block == own.block && before.epoch == own.epoch;
                let warp =
                    if is_same && before.warp != own.warp { SEVERAL_WARPS } else { own.warp };
                word.read = Access { warp, ..own };
            }
            at = next;
        }
        found
    }
}
