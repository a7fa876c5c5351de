//! What warps wait for at an instruction, in the words of profilers; and what it moves beyond the first cache.

/// Cycles of all warps of a block that ran.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StallCycles {
    /// In which it was begun.
    pub issue: f64,
    /// For what an earlier one takes at any time (`wait`).
    pub fixed: f64,
    /// For global, local or constant memory (`long_scoreboard`).
    pub memory: f64,
    /// For shared memory and units of a multiprocessor that take long (`short_scoreboard`).
    pub near: f64,
    /// Until its unit was free (`math_pipe_throttle`).
    pub units: f64,
    /// Until the instruction was there (`no_instruction`).
    pub fetch: f64,
    /// For other warps (`barrier`).
    pub barrier: f64,
}

/// What a block does at an instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InstructionProfile {
    /// What its warps wait for.
    pub stalls: StallCycles,
    /// Sectors that it reads or writes beyond the first cache; of writes that wait for others and go on with
    /// them, at the last of them.
    pub l2_sectors: f64,
    /// Pairs of sectors that memory moves for it.
    pub dram_pairs: f64,
}

impl InstructionProfile {
    /// Adds this many times another's.
    pub fn add(&mut self, other: &Self, times: f64) {
        self.stalls.add(&other.stalls, times);
        self.l2_sectors += times * other.l2_sectors;
        self.dram_pairs += times * other.dram_pairs;
    }
}

impl StallCycles {
    /// By reason, as profilers call it.
    pub fn reasons(&self) -> [(&'static str, f64); 7] {
        [
            ("issue", self.issue),
            ("wait", self.fixed),
            ("long_scoreboard", self.memory),
            ("short_scoreboard", self.near),
            ("math_pipe_throttle", self.units),
            ("no_instruction", self.fetch),
            ("barrier", self.barrier),
        ]
    }

    /// Of all.
    pub fn all(&self) -> f64 {
        self.reasons().iter().map(|it| it.1).sum()
    }

    /// Adds this many times another's.
    pub fn add(&mut self, other: &Self, times: f64) {
        self.issue += times * other.issue;
        self.fixed += times * other.fixed;
        self.memory += times * other.memory;
        self.near += times * other.near;
        self.units += times * other.units;
        self.fetch += times * other.fetch;
        self.barrier += times * other.barrier;
    }
}
