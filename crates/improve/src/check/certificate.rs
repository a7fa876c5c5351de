//! Certificates as data.

use std::collections::BTreeMap;

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::Program;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A step from one listing to another, with what shows that both compute the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The transformation's name.
    pub rule: String,
    /// The listing before the step.
    pub before: String,
    /// The listing after it.
    pub after: String,
    /// What shows that they compute the same.
    pub proof: Proof,
}

/// What shows that two listings compute the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Proof {
    /// The same statements for the same values, in an order that keeps every dependence.
    Schedule(Schedule),
    /// Part of an array is copied into the shared memory of a DMM or into registers, and read there.
    Copies(Copies),
    /// A cell is held in a scalar as long as a loop runs.
    Promotion(Promotion),
    /// Guards are dropped of what only writes registers that nobody else reads.
    Speculation(Speculation),
    /// A loop that joins values into a scalar becomes a tree.
    Reduction(Reduction),
    /// A loop that stores every partial result becomes a scan by blocks.
    Scan(Scan),
    /// Several threads of a block share the sum of each iteration of a nest.
    Team(Team),
    /// Steps that leave the row and the column that they read are made many at once.
    Bands(Bands),
    /// Several steps of a stencil are made in tiles that overlap.
    TimeTiles(TimeTiles),
    /// The elements of a shared array lie in another order.
    Swizzle(Swizzle),
    /// The elements of an array of global memory lie column by column.
    Columns(Columns),
    /// The rows of a shared array are turned.
    Diagonal(Diagonal),
    /// Iterations of a loop in turn are written out.
    Unrolling(Unrolling),
    /// A scalar that only names an index is written out.
    Substitution(Substitution),
    /// A minimum or maximum is written only where it changes something.
    Elision(Elision),
    /// The same listing, the inputs of a bulk run arranged in another way.
    Arrangement {
        /// The word for it before the step.
        from: String,
        /// And after it.
        to: String,
    },
}

/// How the points of loops of one listing are those of another's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// How many statements (loops, labels) around the part are the same.
    #[serde(default)]
    pub depth: usize,
    /// For each statement of the new part, which of the old part it is; empty if they are in order.
    #[serde(default)]
    pub order: Vec<usize>,
    /// Old loops' variables in terms of new ones; one that is not here is the new one of its name.
    #[serde(default)]
    pub old: BTreeMap<String, Linear>,
    /// New loops' variables in terms of old ones, and with `'` before its name of new ones further out.
    #[serde(default)]
    pub new: BTreeMap<String, Linear>,
    /// Of an array whose indices are permuted: which old index stands at each place.
    #[serde(default)]
    pub arrays: BTreeMap<String, Vec<usize>>,
    /// Scalars that become registers of a thread, with the registers' names.
    #[serde(default)]
    pub registers: BTreeMap<String, String>,
}

/// Which array is the copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// How many statements (loops, labels) around the part are the same.
    pub depth: usize,
    /// The array that is copied.
    pub array: String,
    /// The array of the copy: shared, or a thread's registers.
    pub copy: String,
}

/// Where guards are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speculation {
    /// How many statements (loops, labels) around the loop on DMMs are the same.
    pub depth: usize,
}

/// Which array has the cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// How many statements (loops, labels) around the part are the same.
    pub depth: usize,
    /// The array.
    pub array: String,
}

/// Which loop becomes a tree, and of which shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reduction {
    /// Where the loop stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// Partial results, of a tree on DMMs in each block; a power of 2.
    pub lanes: i64,
    /// Blocks of a tree on DMMs, a power of 2; 0 for a tree in global memory.
    pub blocks: i64,
    /// How many assignments after the loop are done by the last block, which then has the scalar alone.
    #[serde(default)]
    pub rest: usize,
    /// Whether floats may be joined in another order, which changes their last bits.
    pub reassociates: bool,
    /// The new names: of the array of partial results, of places, of a partial result, of half as many
    /// places, of blocks.
    pub names: [String; 5],
}

/// Which loop becomes a scan, and by which blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scan {
    /// Where the loop stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// Threads of a block; a power of 2.
    pub lanes: i64,
    /// Numbers of each thread.
    pub each: i64,
    /// Whether floats may be joined in another order, which changes their last bits.
    pub reassociates: bool,
    /// The new names: of the sums of blocks, and of what the blocks need.
    pub names: [String; 13],
}

/// Which nest of a block gets several threads for each iteration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Team {
    /// Where the nest stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// Threads of each iteration; a power of 2.
    pub lanes: i64,
    /// Iterations at most.
    pub columns: i64,
    /// Whether floats may be joined in another order, which changes their last bits.
    pub reassociates: bool,
    /// The new names: of the array of partial results, of threads of an iteration, of a partial result, of
    /// half as many threads.
    pub names: [String; 4],
}

/// Which steps are made by bands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bands {
    /// Where their loop stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// The new names: of the copies of rows and columns, of bands and tiles, and of what these need.
    pub names: [String; 16],
}

/// Which steps of a stencil are made in tiles that overlap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeTiles {
    /// Where their loop stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// Cells of a tile in each dimension.
    pub side: i64,
    /// Steps that a tile makes at once: an odd number.
    pub steps: i64,
    /// Threads of a block.
    pub threads: i64,
    /// The new names: of rounds, of steps in one, of the tile, of tiles and of places in each dimension.
    pub names: [String; 9],
}

/// Which shared array's rows are swizzled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swizzle {
    /// The array; if several loops on DMMs have one of this name, all of them.
    pub array: String,
}

/// Which array of global memory lies column by column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Columns {
    /// The array.
    pub array: String,
}

/// Which shared array's rows are turned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagonal {
    /// The array; if several loops on DMMs have one of this name, all of them.
    pub array: String,
}

/// Which loop's iterations are written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unrolling {
    /// Where the loop stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// How many iterations are written out; if there are no more for sure, all.
    pub by: i64,
    /// The new loop's variable.
    pub name: String,
}

/// Which scalar is written out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Substitution {
    /// Where it is assigned: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
}

/// Which write may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elision {
    /// Where it stands: at which place of the listing, then of the statement there, and so on.
    pub path: Vec<usize>,
    /// The new names: of what stood there, and of what is to stand there.
    pub names: [String; 2],
}

impl Proof {
    /// Whether floats are joined in another order, so that the result is the same but for rounding.
    pub fn reassociates(&self) -> bool {
        match self {
            Self::Reduction(it) => it.reassociates,
            Self::Scan(it) => it.reassociates,
            Self::Team(it) => it.reassociates,
            _ => false,
        }
    }
}

impl Certificate {
    /// Whether floats are joined in another order, so that the result is the same but for rounding.
    pub fn reassociates(&self) -> bool {
        self.proof.reassociates()
    }
}

/// `⌊(Σ factor · name + constant) / by⌋`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// Factors of names.
    pub terms: BTreeMap<String, i64>,
    /// The rest.
    #[serde(default)]
    pub constant: i64,
    /// What it is divided by, rounded down.
    #[serde(default = "one")]
    pub by: i64,
}

fn one() -> i64 {
    1
}

/// Why a certificate proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{message}", place(*line))]
pub struct Refusal {
    /// The line of the listing before the step, from 1, if there is one.
    pub line: Option<usize>,
    /// What is not shown.
    pub message: String,
}

fn place(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    pub(super) fn at(program: &Program, span: Span, message: impl Into<String>) -> Self {
        let line = program.source.text[..span.start.min(program.source.text.len())].matches('\n');
        Self { line: Some(line.count() + 1), message: message.into() }
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}
