//! What a block's warps write, on its way to the last-level cache and to memory.

use super::GROUP;
use super::access::{LOOKED_UP, PAIRS, WRITTEN, bank_stages, groups, pairs};
use super::block::{Block, Left};
use super::combining::{incomplete, touched};
use super::instruction::Space;
use super::timing::{Before, Beyond};
use super::warp::{LOCALS, Warp};

impl Block<'_> {
    /// What a warp has written waits for no other writes once it reads.
    pub(super) fn wait_no_longer(&mut self, warp: &mut Warp) {
        while let Some(last) = warp.waiting.leave() {
            self.goes(last);
        }
    }

    pub(super) fn written(
        &mut self,
        warp: &mut Warp,
        now: f64,
        strays: bool,
        space: Space,
        places: &[(usize, u64)],
        bytes: u64,
    ) {
        if places.is_empty() {
            return;
        }
        if space == Space::Shared {
            let stages = bank_stages(places, bytes);
            self.counts.shared_stages += stages;
            self.queue(now, stages);
        } else {
            let mut all = std::mem::take(&mut self.groups);
            groups(places, bytes, &mut all);
            let stages = all.len() as f64;
            self.counts.stored_groups += stages;
            let queued = self.queue(now, WRITTEN * stages);
            let (timing, now) = (self.timing, now + queued);
            let waits = stages <= LOOKED_UP;
            let mut under_way = 0.0;
            for &(group, bytes) in &all {
                let goes =
                    if waits { warp.waiting.join(group, bytes) } else { Some((group, bytes)) };
                goes.into_iter().for_each(|it| self.goes(it));
                if strays {
                    self.left.entry(group).or_default().strays = true;
                }
                let sharing = self.memory.sharing(group);
                let before = self.distances.write(group, bytes, sharing, now, timing);
                under_way += if before.there > now { before.from_memory } else { 0.0 };
            }
            self.groups = all;
            // Those of the block's other warps that come at the same time add theirs.
            self.served = self.served.max(now) + timing.held_up(under_way) / self.of.warps as f64;
        }
    }

    /// Bytes of an address group go on to the last-level cache.
    pub(super) fn goes(&mut self, (group, bytes): (u64, u128)) {
        let (sectors, parts) = (touched(bytes), incomplete(bytes));
        self.counts.written_groups += 1.0;
        self.counts.written_sectors += f64::from(sectors.count_ones());
        self.counts.written_parts += f64::from(parts.count_ones());
        if let Beyond::First { .. } = self.timing.beyond {
            let anew = self.distances.rewrites(group, self.timing);
            let left = self.left.entry(group).or_default();
            let gone = if anew { std::mem::take(&mut left.bytes) } else { 0 };
            left.bytes |= bytes;
            self.leaves(gone, 1.0);
            return;
        }
        let gone = self.distances.goes(group, sectors, parts, self.timing);
        self.counts.memory_written_pairs += gone.is_new * pairs(sectors & !parts);
        self.counts.memory_part_pairs += gone.is_new * pairs(parts);
        self.counts.memory_part_groups += gone.part_groups;
        if gone.again != 0 {
            self.counts.memory_part_pairs += gone.likely * pairs(gone.again);
            self.counts.memory_part_groups += gone.likely;
        }
    }

    /// What the block's warps have written together goes on to memory, so large a part of it.
    pub(super) fn leave(&mut self) {
        let Beyond::First { part, .. } = self.timing.beyond else { return };
        // The next block writes to the same place of its threads' own memory.
        let own = Before { far_groups: self.distances.all(), cached: 1.0, ..Before::default() };
        let own = 1.0 - self.timing.kept(Before { known: 1.0, ..own });
        for (group, Left { bytes, strays }) in std::mem::take(&mut self.left) {
            let sectors = touched(bytes);
            if group >= LOCALS / GROUP {
                self.leaves(bytes, own);
                continue;
            }
            self.counts.first_sectors += f64::from(sectors.count_ones());
            if strays {
                self.memory.strays(group, sectors, 1.0);
            }
            let part = self.memory.stray(group, sectors).unwrap_or(part);
            self.leaves(bytes, part);
        }
    }

    /// Bytes of an address group go on to memory, so large a part of them.
    fn leaves(&mut self, bytes: u128, part: f64) {
        let parts = incomplete(bytes);
        self.counts.memory_written_pairs += part * pairs(touched(bytes) & !parts);
        self.counts.memory_part_pairs += part * pairs(parts);
        self.counts.memory_part_groups += part * pairs(parts) / PAIRS;
    }
}
