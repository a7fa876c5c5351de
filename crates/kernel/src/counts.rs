//! What each instruction of a kernel did, summed over all warps.

use memory_machine_core::units::{BANK_BYTES, SECTOR_BYTES, WARP};
use memory_machine_sass::launch::{MemoryAccess, MemorySpace, WarpAccess};

/// How many of them are counted.
pub(crate) const QUANTITIES: usize = 9;

/// Sums of one instruction, or of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InstructionCounts {
    /// Warp instructions.
    pub executions: u64,
    /// Thread instructions: those of active threads.
    pub threads: u64,
    /// Warp instructions that none of the threads does, by a predicate.
    pub skipped: u64,
    /// Branches at which threads parted.
    pub divergences: u64,
    /// Warp accesses of global and local memory.
    pub requests: u64,
    /// Sectors of 32 bytes that they touch, and the least for the bytes that are asked for.
    pub sectors: u64,
    /// As above.
    pub ideal_sectors: u64,
    /// Warp accesses of shared memory.
    pub shared_requests: u64,
    /// Wavefronts that they take, and the least for as many different words.
    pub wavefronts: u64,
    /// As above.
    pub ideal_wavefronts: u64,
    /// Bytes between neighbouring threads, as most accesses have it; and how many more have it than not.
    pub stride: i64,
    stride_votes: u64,
    /// The block that says so, from 1 on: the first that accesses memory here.
    stride_block: u64,
    /// Bytes of each thread's access, at most.
    pub bytes: u64,
    /// Whether it writes.
    pub writes: bool,
}

impl InstructionCounts {
    /// What is counted: its name, that of Nsight Compute where it has one, and how often.
    pub fn quantities(&self) -> [(&'static str, Option<&'static str>, u64); QUANTITIES] {
        [
            ("executions", Some("smsp__inst_executed"), self.executions),
            ("threads", Some("smsp__thread_inst_executed_pred_on"), self.threads),
            ("divergences", Some("smsp__sass_branch_targets_threads_divergent"), self.divergences),
            ("requests", Some("l1tex__t_requests"), self.requests),
            ("sectors", Some("l1tex__t_sectors"), self.sectors),
            ("ideal_sectors", None, self.ideal_sectors),
            ("shared_requests", Some("smsp__sass_inst_executed_op_shared"), self.shared_requests),
            (
                "wavefronts",
                Some("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld+op_st"),
                self.wavefronts,
            ),
            ("ideal_wavefronts", None, self.ideal_wavefronts),
        ]
    }

    pub(crate) fn execute(&mut self, active: u32) {
        self.executions += 1;
        self.threads += u64::from(active.count_ones());
        self.skipped += u64::from(active == 0);
    }

    pub(crate) fn access(&mut self, it: &WarpAccess<'_>) {
        let mut lanes = [0_u64; 32];
        let mut count = 0;
        for lane in (0..WARP as usize).filter(|lane| it.warp.active >> lane & 1 == 1) {
            lanes[count] = it.addresses[lane];
            count += 1;
        }
        let lanes = &mut lanes[..count];
        self.note_stride(it, lanes);
        self.bytes = self.bytes.max(it.bytes);
        self.writes |= it.access.writes();
        match it.space {
            MemorySpace::Shared => {
                let (wavefronts, ideal) = wavefronts(lanes, it.bytes, it.access);
                self.shared_requests += 1;
                self.wavefronts += wavefronts;
                self.ideal_wavefronts += ideal;
            }
            _ => {
                let (sectors, ideal) = sectors(lanes, it.bytes);
                self.requests += 1;
                self.sectors += sectors;
                self.ideal_sectors += ideal;
            }
        }
    }

    /// What most have (Boyer and Moore 1981).
    fn note_stride(&mut self, it: &WarpAccess<'_>, lanes: &[u64]) {
        let neighbours = it.warp.active & it.warp.active >> 1;
        if neighbours == 0 || lanes.len() < 2 {
            return;
        }
        let block = it.warp.block + 1;
        if self.stride_block == 0 {
            self.stride_block = block;
        } else if self.stride_block != block {
            return;
        }
        let first = neighbours.trailing_zeros() as usize;
        let stride = it.addresses[first + 1].wrapping_sub(it.addresses[first]).cast_signed();
        match self.stride_votes {
            0 => (self.stride, self.stride_votes) = (stride, 1),
            _ if self.stride == stride => self.stride_votes += 1,
            _ => self.stride_votes -= 1,
        }
    }

    /// Of the same instruction, what later blocks did.
    pub(crate) fn join(&mut self, later: &Self) {
        let of_stride = |it: &Self| (it.stride, it.stride_votes, it.stride_block);
        let stride = of_stride(if self.stride_block == 0 { later } else { self });
        self.add(later);
        (self.stride, self.stride_votes, self.stride_block) = stride;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        if other.excess() > self.excess() || self.stride_votes == 0 {
            (self.stride, self.stride_votes) = (other.stride, other.stride_votes);
        }
        self.executions += other.executions;
        self.threads += other.threads;
        self.skipped += other.skipped;
        self.divergences += other.divergences;
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.ideal_sectors += other.ideal_sectors;
        self.shared_requests += other.shared_requests;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
        self.bytes = self.bytes.max(other.bytes);
        self.writes |= other.writes;
    }

    fn excess(&self) -> u64 {
        self.sectors + self.wavefronts - self.ideal_sectors - self.ideal_wavefronts
    }
}

/// Sectors that threads touch, and the least for the bytes that are asked for, each once.
fn sectors(lanes: &mut [u64], bytes: u64) -> (u64, u64) {
    if !lanes.is_sorted() {
        lanes.sort_unstable();
    }
    let (mut touched, mut asked, mut last, mut end) = (0, 0, u64::MAX, 0);
    for &at in lanes.iter() {
        let (first, final_one) = (at / SECTOR_BYTES, (at + bytes - 1) / SECTOR_BYTES);
        touched += final_one - first + 1 - u64::from(last == first);
        last = final_one;
        asked += (at + bytes).saturating_sub(at.max(end));
        end = end.max(at + bytes);
    }
    // A repeated address touches and asks for nothing anew: its sectors are those of the one before.
    (touched, asked.div_ceil(SECTOR_BYTES))
}

/// Wavefronts of shared memory: passes of so many threads as ask for 128 bytes, each the most different
/// words of a bank; and the least for as many different words. Of loads of 16 bytes two passes are one where
/// no two of their words are in one bank: a half of a warp at a time, as profiles of an H100 have it
/// (`models/measurements/nvidia-h100/2026-11-27/kernels`).
fn wavefronts(lanes: &[u64], bytes: u64, access: MemoryAccess) -> (u64, u64) {
    let per_pass = (WARP * BANK_BYTES / bytes.max(BANK_BYTES)) as usize;
    let is_wide = bytes == 16 && access == MemoryAccess::Load;
    let at_once = if is_wide { 2 * per_pass } else { per_pass };
    let (mut taken, mut different) = (0, 0);
    for together in lanes.chunks(at_once) {
        let mut words = [0_u64; 2 * WARP as usize];
        let words = words_of(together, bytes, &mut words);
        if access != MemoryAccess::Atomic
            && let Some(count) = without_conflict(words)
        {
            (taken, different) = (taken + 1, different + count);
            continue;
        }
        for pass in together.chunks(per_pass) {
            let mut words = [0_u64; 2 * WARP as usize];
            let words = words_of(pass, bytes, &mut words);
            let mut banks = [0_u8; WARP as usize];
            words.sort_unstable();
            let mut before = u64::MAX;
            for &word in words.iter() {
                // Those that combine a word with another go one by one.
                if word != before || access == MemoryAccess::Atomic {
                    banks[(word % WARP) as usize] += 1;
                    different += u64::from(word != before);
                }
                before = word;
            }
            taken += u64::from(banks.into_iter().max().unwrap_or(0));
        }
    }
    let least = if is_wide { lanes.len().div_ceil(at_once) as u64 } else { 1 };
    (taken, u64::div_ceil(different, WARP).max(least))
}

/// The words that threads ask for.
fn words_of<'a>(lanes: &[u64], bytes: u64, room: &'a mut [u64]) -> &'a mut [u64] {
    let each = bytes.div_ceil(BANK_BYTES);
    let mut count = 0;
    for at in lanes {
        for word in 0..each {
            room[count] = at / BANK_BYTES + word;
            count += 1;
        }
    }
    &mut room[..count]
}

/// How many different words these are, if no two of them are in one bank.
fn without_conflict(words: &[u64]) -> Option<u64> {
    let (mut of_bank, mut seen) = ([0; WARP as usize], 0_u32);
    for &word in words {
        let bank = (word % WARP) as usize;
        if seen >> bank & 1 == 1 && of_bank[bank] != word {
            return None;
        }
        of_bank[bank] = word;
        seen |= 1 << bank;
    }
    Some(seen.count_ones().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(stride: u64) -> Vec<u64> {
        (0..32).map(|it| 4096 + it * stride).collect()
    }

    #[test]
    fn sectors_of_strides() {
        for (stride, bytes, expected) in [
            (4, 4, (4, 4)),
            (128, 4, (32, 4)),
            (0, 4, (1, 1)),
            (16, 16, (16, 16)),
            (8, 4, (8, 4)),
            (1, 1, (1, 1)),
        ] {
            assert_eq!(sectors(&mut lanes(stride), bytes), expected, "{stride}");
        }
        let mut shifted: Vec<u64> = lanes(4).iter().map(|it| it + 4).collect();
        assert_eq!(sectors(&mut shifted, 4), (5, 4));
        let mut backward: Vec<u64> = lanes(4).into_iter().rev().collect();
        assert_eq!(sectors(&mut backward, 4), (4, 4));
    }

    #[test]
    fn wavefronts_of_strides() {
        let load = MemoryAccess::Load;
        for (stride, bytes, expected) in [
            (4, 4, (1, 1)),
            (128, 4, (32, 1)),
            (132, 4, (1, 1)),
            (0, 4, (1, 1)),
            (8, 8, (2, 2)),
            (16, 16, (4, 4)),
            (8, 4, (2, 1)),
        ] {
            assert_eq!(wavefronts(&lanes(stride), bytes, load), expected, "{stride}");
        }
        assert_eq!(wavefronts(&lanes(0), 4, MemoryAccess::Atomic), (32, 1));
        // Of 16 bytes: the same of all threads, a row of each half, and every other 16 bytes, as SGEMM_CUDA's
        // kernels 3, 7 and 6 read them.
        assert_eq!(wavefronts(&lanes(0), 16, load), (2, 2));
        let rows: Vec<u64> = (0..32).map(|it| 4096 + it / 16 * 32).collect();
        assert_eq!(wavefronts(&rows, 16, load), (2, 2));
        let columns: Vec<u64> = (0..32).map(|it| 4096 + it % 16 * 32).collect();
        assert_eq!(wavefronts(&columns, 16, load).0, 8);
        assert_eq!(wavefronts(&lanes(16), 16, MemoryAccess::Store), (4, 4));
    }
}
