//! What a block's warps did.

/// Sums over the warps that ran, and the block's cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts {
    /// Until its last warp is done.
    pub cycles: f64,
    /// Instructions of machine code.
    pub instructions: f64,
    /// Cycles of a scheduler.
    pub slots: f64,
    /// Stages of the first cache for reads, and address groups that stores touch.
    pub read_stages: f64,
    /// As above.
    pub stored_groups: f64,
    /// Address groups and sectors that writes go on to, and sectors that are written in part.
    pub written_groups: f64,
    /// As above.
    pub written_sectors: f64,
    /// As above.
    pub written_parts: f64,
    /// Stages of shared memory.
    pub shared_stages: f64,
    /// Address groups of reads beyond the first cache.
    pub groups_beyond: f64,
    /// Sectors of them.
    pub sectors_beyond: f64,
    /// Address groups that come from memory.
    pub memory_groups: f64,
    /// Pairs of sectors that do.
    pub memory_pairs: f64,
    /// Pairs of sectors that go there.
    pub memory_written_pairs: f64,
}

impl Counts {
    /// So many times as much.
    pub fn times(mut self, times: f64) -> Self {
        self.numbers().into_iter().for_each(|it| *it *= times);
        self
    }

    /// Adds what another block did, and its cycles.
    pub fn add(&mut self, other: &Self) {
        let mut other = *other;
        for (sum, more) in self.numbers().into_iter().zip(other.numbers()) {
            *sum += *more;
        }
    }

    fn numbers(&mut self) -> [&mut f64; 14] {
        [
            &mut self.cycles,
            &mut self.instructions,
            &mut self.slots,
            &mut self.read_stages,
            &mut self.stored_groups,
            &mut self.written_groups,
            &mut self.written_sectors,
            &mut self.written_parts,
            &mut self.shared_stages,
            &mut self.groups_beyond,
            &mut self.sectors_beyond,
            &mut self.memory_groups,
            &mut self.memory_pairs,
            &mut self.memory_written_pairs,
        ]
    }
}
