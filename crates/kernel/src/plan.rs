//! How a kernel is launched, and what its parameters are given.

use thiserror::Error;

use super::argument::Argument;
use super::element::Element;
use super::shape::Shape;
use super::signature::Parameter;
use memory_machine_sass::launch::{Fault, Launch};

/// Warp instructions of a launch, at most, where nobody says another number.
pub const MOST_INSTRUCTIONS: u64 = 1 << 34;

/// How a kernel is launched.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Blocks.
    pub grid: Shape,
    /// Threads of each.
    pub block: Shape,
    /// Bytes of shared memory beside what the kernel declares.
    pub shared_bytes: u32,
    /// In any order.
    pub arguments: Vec<Argument>,
    /// Constants of the module.
    pub constants: Vec<Argument>,
    /// What is known of their types.
    pub constant_types: Vec<Parameter>,
    /// Of random numbers.
    pub seed: u64,
    /// Blocks that are executed, one of each of so many parts of the grid; all where there is none.
    pub sample: Option<u64>,
    /// Warp instructions, at most.
    pub limit: u64,
    /// Whether races are looked for.
    pub checks: bool,
    /// Whether a trace is kept.
    pub traces: bool,
}

impl Plan {
    /// With these parameters, of all blocks or of those that are chosen.
    pub fn launch<'a>(&self, parameters: &'a [u8], chosen: Option<&'a [u64]>) -> Launch<'a> {
        Launch {
            grid: self.grid.0,
            block: self.block.0,
            dynamic_shared_bytes: self.shared_bytes,
            parameters,
            chosen,
            limit: self.limit,
        }
    }
}

/// Why nothing comes out.
#[derive(Debug, Error)]
pub enum KernelError {
    /// Of what is asked for.
    #[error("{0}")]
    Given(String),
    /// Of what the kernel does.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}

/// A part of the parameters, and what it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The parameter's name, or its place if it has none; of a structure's member the way to it, too, as in
    /// `m.elements`.
    pub name: String,
    /// The same with the parameter's place.
    pub place: String,
    /// What.
    pub value: GivenValue,
}

/// What a parameter or a member is given.
#[derive(Debug, Clone, PartialEq)]
pub enum GivenValue {
    /// Bytes of a number or a structure.
    Value(Vec<u8>),
    /// An array: its number in memory, and how it is written out.
    Array {
        /// In memory.
        number: usize,
        /// Of which numbers.
        element: Element,
        /// Of a row.
        columns: usize,
    },
}
