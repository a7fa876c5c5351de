//! A loop that was counted instead of executed, as a machine is told of it.

use crate::run::Evaluation;
use crate::trace::{AccessKind, Phase};

/// A parallel nest, or a sequential loop outside nests, from its beginning to its end.
pub struct CountedLoop<'a> {
    /// Whether it is a nest; else thread 0 runs it.
    pub is_nest: bool,
    /// Of the nest; one of a sequential loop.
    pub iterations: u128,
    /// Of all iterations.
    pub accesses: u128,
    /// Of all iterations, each kind once.
    pub operations: Vec<(Evaluation, u128)>,
    /// Of the iteration that has most of them: accesses, operations, and both together.
    pub longest: [u128; 3],
    /// Accesses and operations of an iteration, where all threads of a round do the same in step.
    pub each: Option<[u128; 2]>,
    /// Whether it is sure that no two iterations access one word in one step: with reads, with writes.
    pub exclusive: [bool; 2],
    /// Which words are accessed, if that is known.
    pub footprint: &'a dyn Footprint,
}

/// What each processor does in a loop, and which words it accesses.
pub trait Footprint {
    /// Visits all of them, some perhaps several times. A nest is dealt in rounds of `threads` to this
    /// many processors, of which each is visited apart. False if they are not known.
    fn visit(&self, threads: u64, processors: u64, visit: &mut dyn FnMut(Touch)) -> bool;

    /// The operators that each processor evaluates of a nest dealt so; `None` if that is not known.
    fn operations(&self, threads: u64, processors: u64) -> Option<Vec<u128>>;

    /// Time and steps of rounds in which threads do unlike things, where an access and an operator take so
    /// long each; `None` if that is not known.
    fn time_and_steps(&self, threads: u64, costs: [u64; 2]) -> Option<[u128; 2]>;
}

/// Words that a processor accesses: `cell`, `cell + stride`, … of one array.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// Which one.
    pub processor: u32,
    /// Index of the array.
    pub array: usize,
    /// Whether it reads or writes.
    pub kind: AccessKind,
    /// Of the access.
    pub phase: Phase,
    /// Row-major.
    pub cell: u64,
    /// 0 of a single cell.
    pub stride: u64,
    /// At least 1.
    pub count: u64,
}

impl CountedLoop<'_> {
    /// The number of operations of all iterations.
    pub fn all_operations(&self) -> u128 {
        self.operations.iter().map(|it| it.1).sum()
    }
}
