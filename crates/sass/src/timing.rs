//! How long accesses take, in cycles, and what caches keep.

/// A multiprocessor, as one of its blocks finds it: in cycles, and in address groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Cycles of its units that a sum or product of f64 takes.
    pub f64: f64,
    /// Cycles that a warp loses where a branch is taken.
    pub branch: f64,
    /// Until a word is there from the first cache, from the last-level cache, from memory.
    pub l1: f64,
    /// As above; what the multiprocessor had before, and what is new to it.
    pub l2: [f64; 2],
    /// As above.
    pub dram: f64,
    /// The same from shared memory.
    pub shared: f64,
    /// From the last warp's coming to a barrier until they go on, and for each warp more.
    pub barrier: [f64; 2],
    /// Address groups of the share of the first cache that the warps which run have.
    pub l1_groups: f64,
    /// What comes from memory.
    pub l2_misses: L2MissModel,
    /// Warps that are on the device at once.
    pub warps: f64,
}

/// What of the accesses beyond the first cache goes on to memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum L2MissModel {
    /// What was never accessed before, or so long ago that the last-level cache, of which the warps
    /// which run have this many address groups, does not hold it.
    Groups(f64),
    /// So large a part of what the block reads for the first time, which other blocks may have
    /// accessed before, and of what it leaves written; of the rest what was accessed so long ago.
    First {
        /// As above.
        part: f64,
        /// As above.
        written_part: f64,
        /// As above.
        groups: f64,
    },
}

impl L2MissModel {
    /// Nothing: the last-level cache has all that is accessed.
    pub const CACHED: Self = Self::First { part: 0.0, written_part: 0.0, groups: f64::INFINITY };
}

/// What of an address group was there before an access to it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LineHistory {
    /// Other groups since, and how many it were if each took as much room in the last-level cache as one
    /// that each block has for itself.
    pub(super) groups: f64,
    /// As above.
    pub(super) l2_groups: f64,
    /// The part of the sectors that was accessed before.
    pub(super) known: f64,
    /// Of pairs of sectors, the part of which one was.
    pub(super) known_pairs: f64,
    /// The part that the last-level cache has, if it kept the group.
    pub(super) cached: f64,
    /// Of pairs of sectors, the part of which it has one.
    pub(super) cached_pairs: f64,
    /// The part of which the first cache has what is wanted, if it kept the group.
    pub(super) held: f64,
    /// The cycle from which on they are in the first cache.
    pub(super) there: f64,
    /// How likely they come from memory.
    pub(super) from_memory: f64,
    /// How often other blocks accessed it since.
    pub(super) peer_accesses: f64,
}

impl LineHistory {
    /// The same of pairs of sectors.
    pub(super) fn of_pairs(self) -> Self {
        Self { cached: self.cached_pairs, known: self.known_pairs, ..self }
    }
}

/// A cache has all that was accessed before so small a part of the groups that it holds, nothing that
/// was accessed before so large a multiple of them, and of what lies between a part that falls evenly.
///
/// Of the first cache: rows of words, one a thread, traversed again and again by 64 to 1024 threads
/// of a multiprocessor (`models/measurements/nvidia-h200/2026-11-25/rows.csv`). Of the last-level cache,
/// whose size is found by one thread's chain: lines that each thread has for itself, read, written, or
/// both (`last_level.csv` beside it, and of the H100); a half of that cache keeps a copy of what its
/// multiprocessors read from the other.
const L1_LOSS_RANGE: [f64; 2] = [0.75, 1.5];
/// As above.
const L2_LOSS_RANGE: [f64; 2] = [1.4, 2.2];

/// How likely the last-level cache still has what was accessed before this many bytes, where it is found to hold
/// this many.
pub fn l2_share(holds: f64, bytes: f64) -> f64 {
    share(holds, bytes, L2_LOSS_RANGE)
}

/// How likely a cache of this many groups still has what was accessed before this many.
fn share(holds: f64, groups: f64, [all, nothing]: [f64; 2]) -> f64 {
    ((nothing - groups / holds) / (nothing - all)).clamp(0.0, 1.0)
}

/// Cycles that the last-level cache serves nothing for each write to an address group that a read is
/// under way to from memory, device-wide, and for all such writes that come at once, at most: measured on
/// an H100 and an H200 (`models/measurements/nvidia-h100/2026-11-26/behind.csv`, and of the H200).
const WRITE_BLOCKING_CYCLES: f64 = 3.7;
/// As above.
const MOST_WRITE_BLOCKING_CYCLES: f64 = 30_000.0;

/// A group of which a cache has less than so much comes anew.
pub(super) const PRESENT_SHARE: f64 = 0.5;

/// Cycles until a word of another stage of the first cache is there, or of shared memory.
pub(super) const STAGE_CYCLES: f64 = 2.0;

impl Timing {
    /// Caches that lose nothing.
    #[cfg(test)]
    pub(super) const ENDLESS: Self = Self {
        f64: 2.0,
        branch: 15.0,
        l1: 40.0,
        l2: [300.0; 2],
        dram: 600.0,
        shared: 30.0,
        barrier: [20.0, 2.0],
        l1_groups: 1e9,
        l2_misses: L2MissModel::Groups(1e9),
        warps: 1.0,
    };

    /// The parts of an access that the first cache, the last-level cache and memory serve.
    pub(super) fn level_parts(&self, before: LineHistory) -> [f64; 3] {
        let near = before.held * self.l1_share(before);
        let far = (1.0 - near) * self.l2_share(before);
        [near, far, (1.0 - near - far).max(0.0)]
    }

    /// How likely the first cache still has a group.
    pub(super) fn l1_share(&self, before: LineHistory) -> f64 {
        share(self.l1_groups, before.groups, L1_LOSS_RANGE)
    }

    /// The part of an access beyond the first cache that the last-level cache has.
    pub(super) fn l2_share(&self, before: LineHistory) -> f64 {
        match self.l2_misses {
            L2MissModel::Groups(holds) => {
                before.cached * share(holds, before.l2_groups, L2_LOSS_RANGE)
            }
            L2MissModel::First { part, groups, .. } => {
                let holds = groups * (1.0 + before.peer_accesses);
                before.cached * share(holds, before.l2_groups, L2_LOSS_RANGE)
                    + (1.0 - before.known) * (1.0 - part)
            }
        }
    }

    /// Where another part of what is accessed for the first time comes from memory.
    pub(super) fn with_first(mut self, of_first: f64) -> Self {
        if let L2MissModel::First { part, .. } = &mut self.l2_misses {
            *part = of_first;
        }
        self
    }

    /// Whether the first cache rather has a group than not.
    pub(super) fn is_in_l1(&self, before: &LineHistory) -> bool {
        self.l1_share(*before) >= PRESENT_SHARE
    }

    /// Whether the last-level cache has.
    pub(super) fn is_in_l2(&self, before: &LineHistory) -> bool {
        match self.l2_misses {
            L2MissModel::Groups(holds) => {
                share(holds, before.l2_groups, L2_LOSS_RANGE) >= PRESENT_SHARE
            }
            L2MissModel::First { groups: holds, .. } => {
                share(holds * (1.0 + before.peer_accesses), before.l2_groups, L2_LOSS_RANGE)
                    >= PRESENT_SHARE
            }
        }
    }

    /// Cycles until words are there that the levels serve in such parts, after this many stages.
    pub(super) fn read_cycles(
        &self,
        [near, far, memory]: [f64; 3],
        is_new: bool,
        stages: f64,
    ) -> f64 {
        let beyond = self.l2[usize::from(is_new)];
        near * self.l1 + far * beyond + memory * self.dram + STAGE_CYCLES * (stages - 1.0)
    }

    /// Cycles that the last-level cache serves no reads since each warp of the device writes to this many
    /// groups that reads are under way to from memory.
    pub(super) fn write_blocking_cycles(&self, groups: f64) -> f64 {
        (WRITE_BLOCKING_CYCLES * groups * self.warps).min(MOST_WRITE_BLOCKING_CYCLES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
        text.lines().skip(1).map(|it| it.split(',').collect())
    }

    /// Rows that are read again and again: of each sector's eight words the first may miss.
    #[test]
    fn the_first_cache_keeps_what_was_counted() {
        let counted = include_str!("../../../models/measurements/nvidia-h200/2026-11-25/rows.csv");
        let mut looked = 0;
        for row in rows(counted).filter(|it| it[0] == "0" && it[2] != "1024") {
            let [_, blocks, threads, words, turns, loads, hits] =
                [0, 1, 2, 3, 4, 5, 6].map(|at| row[at].parse::<f64>().unwrap());
            let sectors = blocks * threads * words / 8.0;
            // The first turn finds nothing.
            let missed = ((loads - hits) / sectors - 1.0) / (turns - 1.0);
            let kept = share(1720.0, threads * words / 32.0, L1_LOSS_RANGE);
            assert!((1.0 - kept - missed).abs() < 0.4, "{row:?}: {missed} and {kept}");
            looked += 1;
        }
        assert_eq!(looked, 24);
    }

    /// Reads of groups in memory, each with a write behind it, and without.
    #[test]
    fn writes_behind_reads_hold_up_as_long_as_was_measured() {
        let mut looked = 0;
        for measured in [
            include_str!("../../../models/measurements/nvidia-h100/2026-11-26/behind.csv"),
            include_str!("../../../models/measurements/nvidia-h200/2026-11-26/behind.csv"),
        ] {
            let all: Vec<Vec<&str>> =
                rows(measured).filter(|it| it[5] == "memory" && it[3] == "64").collect();
            for row in all.iter().filter(|it| it[0] == "1" && it[1] != "8") {
                let read = all.iter().find(|it| it[0] == "0" && it[1..6] == row[1..6]).unwrap();
                let number = |row: &[&str], at: usize| row[at].parse::<f64>().unwrap();
                let warps = number(row, 1) * number(row, 2);
                let timing = Timing { warps, ..Timing::ENDLESS };
                let told = timing.write_blocking_cycles(32.0) / (number(row, 6) - number(read, 6));
                assert!((0.7..1.4).contains(&told), "{row:?}: {told}");
                looked += 1;
            }
        }
        assert_eq!(looked, 24);
    }

    /// Lines of threads' own that are read again and again: from the cache, from memory, or in between.
    #[test]
    fn the_last_level_cache_keeps_what_was_measured() {
        // Bytes that a chain finds it to hold, as the machines' files say.
        for (measured, holds) in [
            (
                include_str!("../../../models/measurements/nvidia-h200/2026-11-25/last_level.csv"),
                30_899_321.0,
            ),
            (
                include_str!("../../../models/measurements/nvidia-h100/2026-11-25/last_level.csv"),
                25_259_681.0,
            ),
        ] {
            let of = |row: Vec<&str>| {
                let number = |at: usize| row[at].parse::<f64>().unwrap();
                (number(5), number(8) / (number(4) * number(6)))
            };
            let reads = rows(measured).filter(|it| it[0] == "private" && it[1] == "0");
            let reads = reads.filter(|it| (it[2], it[3]) == ("132", "256"));
            let lines: Vec<(f64, f64)> = reads.map(of).collect();
            let time = |is: &dyn Fn(f64) -> bool| {
                let of: Vec<f64> = lines.iter().filter(|it| is(it.0)).map(|it| it.1).collect();
                of.iter().sum::<f64>() / of.len() as f64
            };
            let cache = time(&|it| it > 0.5 * holds && it < holds);
            let memory = time(&|it| it > 4.0 * holds);
            for (bytes, time) in lines.into_iter().filter(|it| it.0 > 0.5 * holds) {
                let kept = (memory - time) / (memory - cache);
                let told = share(holds, bytes, L2_LOSS_RANGE);
                assert!((kept - told).abs() < 0.4, "{bytes}: {kept} and {told}");
            }
        }
    }
}
