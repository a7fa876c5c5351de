//! Time without a trace: what a program takes on a machine, counted exactly and without its values.
//!
//! The program's outer loops are executed, without memory; but a parallel nest, or a sequential
//! loop, whose addresses are affine is not: its accesses are generated lazily as runs
//! `base + stride × count` and consumed at once. What is not affine is executed thread by thread,
//! still without values; of the blocks of a loop on DMMs one for each kind. A program whose addresses
//! depend on memory cannot be counted at all.
//!
//! `docs/how-time-is-counted.md` explains the counting.

mod address_analysis;
mod all_rounds;
mod blocks;
mod costs;
mod counter;
mod execution_without_values;
mod form;
mod guard;
mod iteration_row;
mod nest;
mod periodicity;
mod piecewise_linear;
mod row_blocks;
mod rows;
mod sequential;
mod skeleton;
mod slicing;
mod streams;
mod synchronous;
mod work;

use std::collections::{HashMap, HashSet};

use thiserror::Error;

pub use self::costs::count_cost;
use self::counter::Counter;
use self::form::Scalars;
use crate::diagnostic::{Diagnostic, Located, Span};
use crate::language::oblivious::{InputDependence, OnData, Origin, first_dependence, on_data};
use crate::language::program::{ArrayId, Expr, Program, ScalarId};
use crate::language::syntax::Role;
use crate::machine::{Clock, Counts, Machine, Mode};
use crate::run::layout::Layout;
use crate::run::memory::Memory;
use crate::run::{self, Limits, NoopObserver, Observer, Tracer};
use crate::trace::AccessKind;
use crate::units::Threads;

/// The time of a program, by phase.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// By phase of the program.
    pub counts: Vec<Counts>,
    /// Loops that were executed thread by thread, most because they are not affine.
    pub executed: Vec<ExecutedLoop>,
    /// What only a run with values can find out.
    pub unchecked: UncheckedFailure,
}

/// With what a run with values may fail though the program was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UncheckedFailure {
    /// Arrays that are not given before the run, and read: each cell must have been written.
    pub arrays: Vec<ArrayId>,
    /// Operations that fail or not as memory holds.
    pub places: Vec<Span>,
}

impl UncheckedFailure {
    fn of(program: &Program, on_data: OnData) -> Self {
        let reads = program.sites.iter().filter(|site| site.kind == AccessKind::Read);
        let mut read: HashSet<usize> = reads.map(|site| site.array.0).collect();
        read.extend(program.answer.iter().flat_map(Expr::reads).map(|it| it.array.0));
        // Registers hold their values in a count, too, unless memory decides.
        let is_checked = |it: ArrayId| match program.arrays[it.0].role {
            Role::Register => !on_data.registers.contains(&it),
            role => role.is_given(),
        };
        let undefined = |it: &ArrayId| read.contains(&it.0) && !is_checked(*it);
        let arrays = (0..program.arrays.len()).map(ArrayId).filter(undefined).collect();
        Self { arrays, places: on_data.failures }
    }
}

/// A loop that was executed rather than counted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutedLoop {
    /// Indices of the phases that access memory in it.
    pub phases: Vec<u32>,
    /// The place that is not affine, or at which registers decide.
    pub span: Span,
    /// Why it had to be executed, to stand beside the place.
    pub why: &'static str,
}

/// Why a program has no time without its values.
#[derive(Debug, Error)]
pub enum CountError {
    /// The addresses depend on what memory holds: the program must run with its values.
    #[error("the time of this program depends on its data")]
    DependsOnMemory(InputDependence),
    /// A mistake in the listing that shows when it runs.
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
    limits: Limits,
    on_data: &'a OnData,
    /// Whether the order of steps matters, as it does asynchronously.
    ordered: bool,
}

impl Setting<'_> {
    /// The value of every scalar.
    fn values(&self, scalars: &dyn Fn(ScalarId) -> i64) -> Scalars {
        (0..self.program.scalars.len()).map(|index| scalars(ScalarId(index))).collect()
    }
}

/// Counts what `program` takes. Equal, to the unit, to executing it and timing its trace.
///
/// Time: synchronously, where rounds do not cut warps, `O(w)` for each stream of a block of rows;
/// else `O(runs)` for affine parallel nests; `O(w)` for each innermost affine sequential loop;
/// for a loop on DMMs `O(blocks)`, and once for each kind of nest in them its accesses;
/// `O(accesses)` for the rest. Memory does not grow with the arrays, but by the runs of a round,
/// the dispatches of an asynchronous segment, and the addresses of a border warp.
///
/// # Errors
/// [`CountError`] if the time depends on memory, or the program fails as it would when run; but for
/// what is [`UncheckedFailure`].
pub fn count(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
) -> Result<Counted, CountError> {
    let counted = count_within(program, layout, machine, mode, limits, [u64::MAX; 2])?;
    // This many are never executed.
    Ok(counted.unwrap_or_default())
}

/// The same, unless more than this many accesses, or operations, had to be executed one by one.
///
/// # Errors
/// As [`count`].
pub fn count_within(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
    most: [u64; 2],
) -> Result<Option<Counted>, CountError> {
    if let Some(dependence) = first_dependence(program, Origin::AnyArray) {
        return Err(CountError::DependsOnMemory(dependence));
    }
    if let Some(span) = program.first_atomic() {
        let what = "how many threads meet at one word".to_owned();
        return Err(CountError::DependsOnMemory(InputDependence { span, what, chain: vec![span] }));
    }
    if program.first_layout().is_some() || program.first_vector().is_some() {
        return execution_without_values::count(program, layout, machine, mode, limits, most);
    }
    let ordered = mode == Mode::Async;
    let on_data = on_data(program);
    let threads = limits.threads;
    let setting = Setting { program, layout, machine, threads, limits, on_data: &on_data, ordered };
    let located = |diagnostic: Box<Diagnostic>| {
        Box::new(Located { source: program.source.clone(), diagnostic: *diagnostic })
    };
    let mut stepwise = HashMap::new();
    loop {
        let mut counter = Counter::new(setting, mode, stepwise.clone(), most);
        let run = run::execute_without_values(program, layout, limits, &mut counter)
            .and_then(|()| counter.count_batch().map_err(located));
        match (run, counter.uncountable) {
            (Ok(()), _) => {
                let (counts, executed) = counter.finish();
                let unchecked = UncheckedFailure::of(program, on_data);
                return Ok(Some(Counted { counts, executed, unchecked }));
            }
            (Err(_), _) if counter.has_seen_enough() => return Ok(None),
            // Found out late: again from the beginning, and that nest is executed.
            (Err(_), Some((nest, why))) => {
                stepwise.insert(nest, why);
            }
            (Err(located), None) => return Err(located.into()),
        }
    }
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
    let counts = execute_until(program, layout, memory, machine, mode, limits, NoopObserver)?;
    // Who is blind never sees enough.
    Ok(counts.unwrap_or_default())
}

/// The same, unless an observer has seen enough before the end.
///
/// # Errors
/// As [`execute`].
pub fn execute_until(
    program: &Program,
    layout: &Layout,
    memory: &mut Memory,
    machine: Machine,
    mode: Mode,
    limits: Limits,
    observer: impl Observer,
) -> Result<Option<Vec<Counts>>, Box<Located>> {
    let tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    let mut observers = (tracer, observer);
    match run::execute(program, layout, memory, limits, &mut observers) {
        Ok(_) => {
            let mut counts = observers.0.sink.finish();
            counts.resize(program.phases.len(), Counts::default());
            Ok(Some(counts))
        }
        Err(_) if observers.1.has_seen_enough() => Ok(None),
        Err(error) => Err(error),
    }
}
