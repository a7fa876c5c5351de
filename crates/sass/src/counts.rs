//! What a block's warps did.

use super::cost::UNIT_COUNT;

/// Sums over the warps that ran, and the block's cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExecutionCounts {
    /// Until its last warp is done.
    pub cycles: f64,
    /// The part of the kernel's code that was come to, of several blocks the most.
    pub reached_part: f64,
    /// Instructions of machine code.
    pub instructions: f64,
    /// Cycles of a scheduler.
    pub slots: f64,
    /// Cycles of each of its units.
    pub units: [f64; UNIT_COUNT],
    /// Cycles in which the multiprocessor fetches code.
    pub fetch_cycles: f64,
    /// Stages of the first cache for reads, and address groups that stores touch.
    pub l1_read_stages: f64,
    /// As above.
    pub l1_stored_groups: f64,
    /// Address groups and sectors that writes go on to, and sectors that are written in part.
    pub written_groups: f64,
    /// As above.
    pub written_sectors: f64,
    /// As above.
    pub written_part_sectors: f64,
    /// Sectors of atomic operations in the last-level cache.
    pub atomic_sectors: f64,
    /// Cycles that slices of the last-level cache are busy with atomic operations.
    pub atomic_cycles: f64,
    /// Cycles in which sums of floating-point numbers at one word follow each other.
    pub atomic_chain_cycles: f64,
    /// Stages of shared memory.
    pub shared_stages: f64,
    /// Address groups of reads beyond the first cache.
    pub l2_groups: f64,
    /// Sectors of them.
    pub l2_sectors: f64,
    /// Of reads beyond it, sectors that the block accesses for the first time.
    pub first_sectors: f64,
    /// Sectors that the block leaves written.
    pub stored_sectors: f64,
    /// Address groups that come from memory.
    pub dram_groups: f64,
    /// Pairs of sectors that do.
    pub dram_pairs: f64,
    /// Pairs of sectors that go there.
    pub dram_written_pairs: f64,
    /// Address groups that go there in part, and what is missing comes from there first.
    pub dram_part_groups: f64,
    /// Pairs of sectors of them.
    pub dram_part_pairs: f64,
}

impl ExecutionCounts {
    /// This many times as much.
    pub fn times(mut self, times: f64) -> Self {
        self.numbers().for_each(|it| *it *= times);
        self
    }

    /// Adds what another block did, and its cycles.
    pub fn add(&mut self, other: &Self) {
        let mut other = *other;
        self.reached_part = self.reached_part.max(other.reached_part);
        for (sum, more) in self.numbers().zip(other.numbers()) {
            *sum += *more;
        }
    }

    /// With what another block did more of.
    pub fn most(mut self, other: &Self) -> Self {
        let mut other = *other;
        self.reached_part = self.reached_part.max(other.reached_part);
        for (most, more) in self.numbers().zip(other.numbers()) {
            *most = most.max(*more);
        }
        self
    }

    /// Of several the most of each.
    pub fn most_of(all: &[Self]) -> Self {
        all.iter().fold(Self::default(), Self::most)
    }

    /// The mean.
    pub fn mean(all: &[Self]) -> Self {
        let mut sum = Self::default();
        all.iter().for_each(|it| sum.add(it));
        sum.times(1.0 / all.len().max(1) as f64)
    }

    /// The mean, and what is a standard deviation above it: half the mean square of what those that
    /// follow each other differ by, which a trend is no part of (von Neumann 1941).
    pub fn mean_and_above(all: &[Self]) -> (Self, Self) {
        let mut mean = Self::mean(all);
        let mut squares = Self::default();
        for pair in all.windows(2) {
            let [mut one, mut next] = [pair[0], pair[1]];
            let numbers = squares.numbers().zip(one.numbers()).zip(next.numbers());
            numbers.for_each(|((sum, one), next)| *sum += (*one - *next).powi(2) / 2.0);
        }
        let mut above = squares.times(1.0 / (all.len() as f64 - 1.0).max(1.0));
        above.numbers().zip(mean.numbers()).for_each(|(it, mean)| *it = *mean + it.sqrt());
        (mean, above)
    }

    /// Of the mean block, with so large a part of what the one that does most does more: of its time,
    /// and of what a multiprocessor does.
    pub fn with_tail(mut self, most: &Self, time: f64, work: f64) -> Self {
        self.cycles += time * (most.cycles - self.cycles);
        let units = self.units.iter_mut().zip(most.units);
        for (own, most) in units.chain([
            (&mut self.slots, most.slots),
            (&mut self.fetch_cycles, most.fetch_cycles),
            (&mut self.l1_read_stages, most.l1_read_stages),
            (&mut self.l1_stored_groups, most.l1_stored_groups),
            (&mut self.shared_stages, most.shared_stages),
            (&mut self.l2_groups, most.l2_groups),
            (&mut self.l2_sectors, most.l2_sectors),
        ]) {
            *own += work * (most - *own);
        }
        self
    }

    fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        self.units.iter_mut().chain([
            &mut self.cycles,
            &mut self.instructions,
            &mut self.slots,
            &mut self.fetch_cycles,
            &mut self.l1_read_stages,
            &mut self.l1_stored_groups,
            &mut self.written_groups,
            &mut self.written_sectors,
            &mut self.written_part_sectors,
            &mut self.atomic_sectors,
            &mut self.atomic_cycles,
            &mut self.atomic_chain_cycles,
            &mut self.shared_stages,
            &mut self.l2_groups,
            &mut self.l2_sectors,
            &mut self.first_sectors,
            &mut self.stored_sectors,
            &mut self.dram_groups,
            &mut self.dram_pairs,
            &mut self.dram_written_pairs,
            &mut self.dram_part_groups,
            &mut self.dram_part_pairs,
        ])
    }
}
