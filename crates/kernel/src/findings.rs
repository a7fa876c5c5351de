//! What is wrong with a launch though it ends: races, and reading what was never written.

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::shadow::{Conflict, Shadow};
use memory_machine_sass::launch::{Launch, MemorySpace, ThreadPlace, WarpAccess, WarpPlace};
use memory_machine_sass::{KernelCode, RESERVED_SHARED_BYTES};

/// So many are kept.
const MOST_FINDINGS: usize = 100;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Nobody has written what is read.
    Unwritten,
    /// It lies in shared memory, and beyond the array that its address is computed from.
    OutsideArray,
    /// Warps of a block meet at a barrier that stands at several places of the code.
    BarrierApart,
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
    /// Of which memory; a barrier is of none, and has no address and no value.
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

    pub(crate) fn barrier_apart(&mut self, launch: &Launch<'_>, warp: WarpPlace, other: usize) {
        let kind = FindingKind::BarrierApart;
        let is_new = self.known.insert((kind, warp.instruction, Some(other)));
        if is_new && self.found.len() < MOST_FINDINGS {
            let lane = u64::from(warp.active.trailing_zeros() % 32);
            self.found.push(Finding {
                kind,
                space: MemorySpace::Shared,
                instruction: warp.instruction,
                other: Some(other),
                thread: launch.place(warp.block, warp.warp * 32 + lane),
                address: 0,
                value: 0,
                reads: false,
            });
        }
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
        let Self { shadow, found, known } = self;
        let mut note = |lane: usize, kind, other| {
            let key = (kind, it.warp.instruction, other);
            if found.len() < MOST_FINDINGS && known.insert(key) {
                found.push(Finding {
                    kind,
                    space: it.space,
                    instruction: it.warp.instruction,
                    other,
                    thread: launch.place(it.warp.block, it.warp.warp * 32 + lane as u64),
                    address: it.addresses[lane],
                    value: it.values[lane],
                    reads: !it.access.writes(),
                });
            }
        };
        let mut lanes = it.warp.active;
        if it.space == MemorySpace::Shared {
            // Groups of several warps meet by what the run time has there, not by barriers.
            let is_reserved = |lane: &usize| it.addresses[*lane] < RESERVED_SHARED_BYTES;
            let reserved = (0..32).filter(is_reserved).fold(0, |all, lane| all | 1 << lane) & lanes;
            if reserved != 0 {
                shadow.give_up_within(it.warp.block);
                lanes &= !reserved;
            }
            if let Some(array) = code.kernel.shared_array(it.warp.instruction) {
                let is_inside = |at: u64| array.begin <= at && at + it.bytes <= array.end;
                let outside = (0..32).filter(|lane| lanes >> lane & 1 == 1);
                let outside = outside.filter(|lane| !is_inside(it.addresses[*lane]));
                outside.for_each(|lane| note(lane, FindingKind::OutsideArray, None));
            }
        }
        let is_local = it.space == MemorySpace::Local;
        let unwritten = it.unwritten & lanes;
        if unwritten != 0 && !(is_local && code.kernel.is_chosen_from(it.warp.instruction)) {
            let lanes = (0..32).filter(|lane| unwritten >> lane & 1 == 1);
            lanes.for_each(|lane| note(lane, FindingKind::Unwritten, None));
        }
        if is_local {
            return;
        }
        // To write what is there already is no race with others that do.
        let is_of_loop = code.swapped[it.warp.instruction];
        shadow.access(it, (lanes, !it.unchanged, is_of_loop), |lane, conflict| match conflict {
            Conflict::InWarp(other) => note(lane, FindingKind::RaceInWarp, other),
            Conflict::InBlock(other) => note(lane, FindingKind::RaceInBlock, other),
            Conflict::BetweenBlocks(other) => note(lane, FindingKind::RaceBetweenBlocks, other),
        });
    }
}
