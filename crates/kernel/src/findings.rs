//! What is wrong with a launch though it ends: races, and reading what was never written.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::shadow::{Conflict, Shadow};
use memory_machine_sass::launch::{Launch, MemoryAccess, MemorySpace, ThreadPlace, WarpAccess};
use memory_machine_sass::{KernelCode, RESERVED_SHARED_BYTES};

/// So many are kept.
const MOST_FINDINGS: usize = 100;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Nobody has written what is read.
    Unwritten,
    /// Two threads of a warp access it, one writes, and nothing makes them meet in between.
    RaceInWarp,
    /// Two warps of a block access it between two barriers, and one of them writes.
    RaceInBlock,
    /// Two blocks access it, and one of them writes.
    RaceBetweenBlocks,
}

/// Something wrong, at its first place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Of which memory.
    pub space: MemorySpace,
    /// The instruction that is wrong.
    pub instruction: usize,
    /// The other access's, if there is one and it is known.
    pub other: Option<usize>,
    /// Who.
    pub thread: ThreadPlace,
    /// The address; of a thread's own memory that of the device.
    pub address: u64,
    /// The first word that is read, or is to be written.
    pub value: u32,
    /// Whether it is read.
    pub reads: bool,
}

/// A kernel, and which of its instructions read what is about to be swapped: found once, not at each access.
#[derive(Clone, Copy)]
pub(crate) struct Code<'a> {
    pub(crate) kernel: &'a KernelCode,
    pub(crate) swapped: &'a [bool],
}

/// Looks for them in the accesses of a launch.
#[derive(Debug, Default)]
pub(crate) struct Checker {
    shadow: Shadow,
    found: Vec<Finding>,
    known: FxHashSet<(FindingKind, usize, Option<usize>)>,
}

impl Checker {
    pub(crate) fn findings(self) -> Vec<Finding> {
        self.found
    }

    /// What another found in later blocks, which access nothing that these write.
    pub(crate) fn join(&mut self, later: Self) {
        for it in later.found {
            let is_new = self.known.insert((it.kind, it.instruction, it.other));
            if is_new && self.found.len() < MOST_FINDINGS {
                self.found.push(it);
            }
        }
    }

    pub(crate) fn begin_block(&mut self, block: u64) {
        self.shadow.begin_block(block);
    }

    pub(crate) fn barrier(&mut self, block: u64) {
        self.shadow.barrier(block);
    }

    pub(crate) fn meet_warp(&mut self, block: u64, warp: u64) {
        self.shadow.meet_warp(block, warp);
    }

    pub(crate) fn partial_barrier(&mut self, block: u64) {
        self.shadow.give_up_within(block);
    }

    pub(crate) fn fence(&mut self) {
        self.shadow.give_up_between();
    }

    pub(crate) fn access(&mut self, launch: &Launch<'_>, it: &WarpAccess<'_>, code: Code<'_>) {
        let is_of_loop = code.swapped[it.warp.instruction];
        let lanes = (0..32).filter(|lane| it.warp.active >> lane & 1 == 1);
        for lane in lanes {
            let address = it.addresses[lane];
            // Groups of several warps meet by what the run time has there, not by barriers.
            if it.space == MemorySpace::Shared && address < RESERVED_SHARED_BYTES {
                self.shadow.give_up_within(it.warp.block);
                continue;
            }
            let mut note = |kind, other| {
                let key = (kind, it.warp.instruction, other);
                if self.found.len() < MOST_FINDINGS && self.known.insert(key) {
                    self.found.push(Finding {
                        kind,
                        space: it.space,
                        instruction: it.warp.instruction,
                        other,
                        thread: launch.place(it.warp.block, it.warp.warp * 32 + lane as u64),
                        address,
                        value: it.values[lane],
                        reads: it.access == MemoryAccess::Load,
                    });
                }
            };
            let is_early = || {
                it.space == MemorySpace::Local && code.kernel.is_chosen_from(it.warp.instruction)
            };
            if it.unwritten >> lane & 1 == 1 && !is_early() {
                note(FindingKind::Unwritten, None);
            }
            if it.space == MemorySpace::Local {
                continue;
            }
            // To write what is there already is no race with others that do.
            let changes = it.access != MemoryAccess::Load && it.unchanged >> lane & 1 == 0;
            match self.shadow.access(it, (lane, address), (changes, is_of_loop)) {
                Some(Conflict::InWarp(other)) => note(FindingKind::RaceInWarp, Some(other)),
                Some(Conflict::InBlock(other)) => note(FindingKind::RaceInBlock, Some(other)),
                Some(Conflict::BetweenBlocks(other)) => {
                    note(FindingKind::RaceBetweenBlocks, Some(other));
                }
                None => {}
            }
        }
    }
}
