//! What a block's warps write, on its way to the last-level cache and to memory.

use super::access::{GROUP_PAIRS, L1_LOOKUP_GROUPS, STORE_STAGES, bank_stages, groups, pairs};
use super::block::{BlockExecution, PendingStores};
use super::memory::AccessMode;
use super::opcode::AddressSpace;
use super::store_buffer::{Store, incomplete, touched, whole};
use super::timing::{L2MissModel, LineHistory};
use super::warp::{LOCAL_ADDRESS, Warp};
use memory_machine_core::units::GROUP_BYTES;

impl BlockExecution<'_> {
    /// What a warp has written waits for no other writes once it reads.
    pub(super) fn flush_store_buffer(&mut self, warp: &mut Warp) {
        while let Some(last) = warp.store_buffer.pop() {
            self.write_back(last);
        }
    }

    pub(super) fn store_words(
        &mut self,
        warp: &mut Warp,
        now: f64,
        is_indirect: bool,
        space: AddressSpace,
        places: &[(usize, u64)],
        bytes: u64,
    ) {
        if places.is_empty() {
            return;
        }
        if space == AddressSpace::Shared {
            let stages = bank_stages(places, bytes);
            self.counts.shared_stages += stages;
            self.queue(now, stages);
        } else {
            let mut all = std::mem::take(&mut self.groups);
            groups(places, bytes, &mut all);
            let stages = all.len() as f64;
            self.counts.l1_stored_groups += stages;
            let queued = self.queue(now, STORE_STAGES * stages);
            let (timing, now) = (self.timing, now + queued);
            let waits = stages <= L1_LOOKUP_GROUPS;
            let mut under_way = 0.0;
            for &(group, bytes) in &all {
                let store = (group, bytes, self.at);
                let goes = if waits { warp.store_buffer.join(store) } else { Some(store) };
                goes.into_iter().for_each(|it| self.write_back(it));
                if is_indirect {
                    self.pending_stores.entry(group).or_default().is_indirect = true;
                }
                let sharing = self.memory.sharing(group);
                let before = self.distances.write(group, bytes, sharing, now, timing);
                under_way += if before.there > now { before.from_memory } else { 0.0 };
            }
            self.groups = all;
            // Those of the block's other warps that come at the same time add theirs.
            self.l2_free = self.l2_free.max(now)
                + timing.write_blocking_cycles(under_way) / self.of.warps as f64;
        }
    }

    /// Bytes of an address group go on to the last-level cache.
    pub(super) fn write_back(&mut self, (group, bytes, at): Store) {
        let (sectors, parts) = (touched(bytes), incomplete(bytes));
        self.counts.written_groups += 1.0;
        self.counts.written_sectors += f64::from(sectors.count_ones());
        self.moves(at, f64::from(sectors.count_ones()), 0.0);
        self.counts.written_part_sectors += f64::from(parts.count_ones());
        self.leave_written((group, bytes, at));
    }

    /// Bytes of an address group that are written in the last-level cache go on to memory some time.
    pub(super) fn leave_written(&mut self, (group, bytes, at): Store) {
        let (sectors, parts) = (touched(bytes), incomplete(bytes));
        if let L2MissModel::First { .. } = self.timing.l2_misses {
            let anew = self.distances.rewrites(group, self.timing);
            let left = self.pending_stores.entry(group).or_default();
            let gone = if anew { std::mem::take(&mut left.bytes) } else { 0 };
            left.bytes |= bytes;
            let before = std::mem::replace(&mut left.instruction, at);
            self.add_dram_writes(gone, 1.0, before);
            return;
        }
        let gone = self.distances.write_back(group, sectors, parts, self.timing);
        let written = gone.is_new * pairs(sectors & !parts);
        let mut partly = gone.is_new * pairs(parts);
        self.counts.dram_part_groups += gone.part_groups;
        if gone.again != 0 {
            partly += gone.likely * pairs(gone.again);
            self.counts.dram_part_groups += gone.likely;
        }
        self.counts.dram_written_pairs += written;
        self.counts.dram_part_pairs += partly;
        self.moves(at, 0.0, written + partly);
    }

    /// What the block's warps have written together goes on to memory, so large a part of it.
    pub(super) fn flush_stores(&mut self) {
        let L2MissModel::First { written_part, .. } = self.timing.l2_misses else { return };
        // The next block writes to the same place of its threads' own memory.
        let own =
            LineHistory { l2_groups: self.distances.all(), cached: 1.0, ..LineHistory::default() };
        let own = 1.0 - self.timing.l2_share(LineHistory { known: 1.0, ..own });
        for (group, PendingStores { bytes, instruction, is_indirect }) in
            std::mem::take(&mut self.pending_stores)
        {
            let sectors = touched(bytes);
            if group >= LOCAL_ADDRESS / GROUP_BYTES {
                self.add_dram_writes(bytes, own, instruction);
                continue;
            }
            self.counts.stored_sectors += f64::from(sectors.count_ones());
            if is_indirect {
                self.memory.note_indirect(group, sectors, 1.0, AccessMode::Store);
            }
            let part = self.memory.indirect_part(group, sectors).unwrap_or(written_part);
            // What the block has read of a sector is in the last-level cache: nothing is missing there.
            let read = sectors & self.distances.complete(group);
            self.add_dram_writes(bytes | whole(read), part, instruction);
        }
    }

    /// Bytes of an address group go on to memory, so large a part of them, that an instruction wrote last.
    fn add_dram_writes(&mut self, bytes: u128, part: f64, at: usize) {
        let parts = incomplete(bytes);
        let (written, partly) = (part * pairs(touched(bytes) & !parts), part * pairs(parts));
        self.counts.dram_written_pairs += written;
        self.counts.dram_part_pairs += partly;
        self.counts.dram_part_groups += partly / GROUP_PAIRS;
        self.moves(at, 0.0, written + partly);
    }

    /// An instruction moves so many sectors beyond the first cache, and so many pairs of memory.
    pub(super) fn moves(&mut self, at: usize, l2_sectors: f64, dram_pairs: f64) {
        let it = &mut self.profile[at];
        it.l2_sectors += l2_sectors;
        it.dram_pairs += dram_pairs;
    }
}
