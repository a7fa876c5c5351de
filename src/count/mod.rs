//! Time without a trace: what a program takes on a machine, counted exactly and without its values.
//!
//! The program's outer loops are executed, without memory; but a parallel nest, or a sequential
//! loop, whose addresses are affine is not: its accesses are generated lazily as runs
//! `base + stride × count` and consumed at once. What is not affine is executed thread by thread,
//! still without values. A program whose addresses depend on memory cannot be counted at all.
//!
//! `docs/how-time-is-counted.md` explains the counting.

mod counter;
mod form;
mod guard;
mod lines;
mod nest;
mod relevant;
mod rows;
mod sequential;
mod skeleton;
mod streams;
mod synchronous;
mod whole;
mod work;

use thiserror::Error;

use self::counter::Counter;
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::language::oblivious::{Dependence, Origin, first_dependence};
use crate::language::program::Program;
use crate::machine::{Clock, Counts, Machine, Mode};
use crate::run::layout::Layout;
use crate::run::memory::Memory;
use crate::run::{self, Limits, Tracer};
use crate::units::Threads;

/// The time of a program, by phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// By phase of the program.
    pub counts: Vec<Counts>,
    /// Loops that were executed thread by thread because they are not affine.
    pub executed: Vec<Executed>,
}

/// A loop that was executed rather than counted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// Indices of the phases that access memory in it.
    pub phases: Vec<u32>,
    /// The place that is not affine.
    pub span: Span,
    pub why: &'static str,
}

#[derive(Debug, Error)]
pub enum CountError {
    /// The addresses depend on what memory holds: the program must run with its values.
    #[error("the time of this program depends on its data")]
    DependsOnMemory(Dependence),
    #[error(transparent)]
    Run(#[from] Box<Located>),
}

/// What counting needs to know at every place.
#[derive(Clone, Copy)]
struct Setting<'a> {
    program: &'a Program,
    layout: &'a Layout,
    machine: Machine,
    threads: Threads,
    /// Whether the order of steps matters, as it does asynchronously.
    ordered: bool,
}

/// Counts what `program` takes. Equal, to the unit, to executing it and timing its trace.
///
/// Time: synchronously, where rounds do not cut warps, `O(w)` for each stream of a block of rows;
/// else `O(runs)` for affine parallel nests; `O(w)` for each innermost affine sequential loop;
/// `O(accesses)` for the rest. Memory does not grow with the arrays, but by the runs of a round,
/// the dispatches of an asynchronous segment, and the addresses of a border warp.
///
/// An access outside its array is found; a single index that is too large for its dimension while
/// the cell stays inside the array, and reads of cells never written, are not.
///
/// # Errors
/// [`CountError`] if the time depends on memory, or the program fails as it would when run.
pub fn count(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
) -> Result<Counted, CountError> {
    if let Some(dependence) = first_dependence(program, Origin::AnyArray) {
        return Err(CountError::DependsOnMemory(dependence));
    }
    let ordered = mode == Mode::Async;
    let setting = Setting { program, layout, machine, threads: limits.threads, ordered };
    let mut counter = Counter::new(setting, mode);
    run::execute_without_values(program, layout, limits, &mut counter)?;
    let located = |diagnostic: Box<Diagnostic>| {
        Box::new(Located { source: program.source.clone(), diagnostic: *diagnostic })
    };
    Ok(counter.finish().map_err(located)?)
}

/// What `program` takes, by phase, run with its values: for a program whose time depends on memory.
///
/// # Errors
/// As [`run::execute`].
pub fn execute(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    machine: Machine,
    mode: Mode,
    limits: Limits,
) -> Result<Vec<Counts>, Box<Located>> {
    let mut tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    run::execute(program, layout, memory, limits, &mut tracer)?;
    let mut counts = tracer.sink.finish();
    counts.resize(program.phases.len(), Counts::default());
    Ok(counts)
}
