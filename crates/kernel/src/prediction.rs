//! What a model predicts of a launch, by instruction.

use serde::Serialize;

use memory_machine_sass::StallCycles;

/// Bytes of sectors that are read or written at each level of the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct MovedBytes {
    /// At the first cache: what global and local accesses touch.
    pub l1: f64,
    /// At the last one: reads that the first has not, and writes.
    pub l2: f64,
    /// At memory.
    pub dram: f64,
}

/// Of an instruction, or of a line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InstructionPrediction {
    /// What warps of a mean block wait for there.
    pub stalls: StallCycles,
    /// What all blocks move there.
    pub moved: MovedBytes,
}

impl InstructionPrediction {
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.stalls.add(&other.stalls, 1.0);
        self.moved.l1 += other.moved.l1;
        self.moved.l2 += other.moved.l2;
        self.moved.dram += other.moved.dram;
    }
}
