//! Closed forms and bounds of running times, each with the paper and theorem that it is from.
//!
//! Constants are explicit, so that a simulated time can contradict a bound. Values are whole time
//! units: a lower bound is rounded up, an upper bound down, which loses nothing as times are whole.

pub mod bulk;
mod def_use;
pub mod depth;
pub mod derive;
pub mod general;
pub mod graph;
pub mod greedy;
pub mod growth;
pub mod hmm;
pub mod io;
pub mod optimal;
pub mod pattern;
pub mod profile;
pub mod tree;

use serde::Serialize;

use self::profile::Profile;
use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Counts, Machine, Mode, Traffic};
use memory_machine_core::run::layout::Layout;

/// What a bound says of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundKind {
    /// The time is the value.
    Exact,
    /// The time is at most the value.
    Upper,
    /// The time is at least the value.
    Lower,
}

/// A statement on the time of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bound {
    /// What the statement is called in tables.
    pub name: &'static str,
    /// Paper and theorem, or what it is proven from here.
    pub source: &'static str,
    /// Under what it holds; all of it is fulfilled where the bound is given.
    pub assumptions: &'static str,
    /// Whether it bounds from below, from above, or is exact.
    pub kind: BoundKind,
    /// The phase whose time is meant; the whole run's if `None`.
    pub phase: Option<String>,
    /// In time units.
    pub value: u128,
    /// As in `n(n − 1)/2·l`.
    pub formula: &'static str,
}

/// What follows from the model itself.
const HERE: &str = "the model (docs: accesses, stages)";

/// A bound of the whole run.
const fn bound(
    name: &'static str,
    source: &'static str,
    assumptions: &'static str,
    kind: BoundKind,
    value: u128,
    formula: &'static str,
) -> Bound {
    Bound { name, source, assumptions, kind, phase: None, value, formula }
}

impl Bound {
    /// Whether a run of `time` time units agrees with the bound.
    pub const fn holds(&self, time: u128) -> bool {
        match self.kind {
            BoundKind::Exact => time == self.value,
            BoundKind::Upper => time <= self.value,
            BoundKind::Lower => time >= self.value,
        }
    }
}

/// One run: a program with its sizes on a machine. Memory is laid out for the machine's width.
#[derive(Clone, Copy)]
pub struct Instance<'a> {
    /// What runs.
    pub program: &'a Program,
    /// The name of the shipped listing that the program is, if it is one.
    pub shipped: Option<&'a str>,
    /// Its sizes, with the arrays' places.
    pub layout: &'a Layout,
    /// What it runs on.
    pub machine: Machine,
    /// Synchronous or asynchronous.
    pub mode: Mode,
    /// Threads; of a bulk run, inputs.
    pub threads: u64,
    /// All requests of the run, before equal ones merge.
    pub accesses: u128,
    /// Of them, what went to the shared memories of DMMs.
    pub shared: Traffic,
    /// What the parallel loops ask for, where it is known (see [`Profile`]).
    pub profile: Option<&'a Profile>,
    /// Of a bulk run of a semi-oblivious program, if it is known: steps in which any thread accesses.
    pub steps: Option<u128>,
    /// A number of accesses that must follow each other, proven elsewhere: the depth of the
    /// dependence graph, for one.
    pub depth: Option<u128>,
    /// Time units that accesses of loops on DMMs take which wait for each other, proven likewise.
    pub wait: Option<u128>,
}

impl Instance<'_> {
    const fn width(&self) -> u128 {
        self.machine.width.get() as u128
    }

    const fn latency(&self) -> u128 {
        self.machine.latency.get() as u128
    }

    const fn threads(&self) -> u128 {
        self.threads as u128
    }

    /// Whether global memory is that of a UMM, as an HMM's is.
    fn is_umm(&self) -> bool {
        self.machine.kind.has_groups()
    }

    /// Address groups (UMM) or addresses of one bank (DMM) in `w` neighbouring words at most, where
    /// they begin at any word: 2 or 1.
    fn stages_of_neighbours(&self) -> u128 {
        if self.is_umm() { 2 } else { 1 }
    }

    /// Rounds in which p threads make `lanes` iterations.
    const fn rounds(&self, lanes: u128) -> u128 {
        lanes.div_ceil(self.threads())
    }

    /// Warps that take part, summed over the rounds: `⌈threads of the round / w⌉` in each.
    const fn warps(&self, lanes: u128) -> u128 {
        let (p, w) = (self.threads(), self.width());
        (lanes / p) * p.div_ceil(w) + (lanes % p).div_ceil(w)
    }

    /// The value of a parameter of the listing.
    fn parameter(&self, name: &str) -> Option<u128> {
        let index = self.program.parameters.iter().position(|it| it.name == name)?;
        u128::try_from(self.layout.parameters[index]).ok()
    }

    /// What is exact synchronously is an upper bound asynchronously: every warp goes on as soon as
    /// it may, and the run is never longer.
    fn exact(&self) -> BoundKind {
        match self.mode {
            Mode::Sync => BoundKind::Exact,
            Mode::Async => BoundKind::Upper,
        }
    }
}

/// Every bound that is known for a point: those of any listing, then those of its own.
pub fn bounds(point: &Instance<'_>) -> Vec<Bound> {
    if point.program.first_loop_on_dmms().is_some() {
        return hmm::bounds(point);
    }
    let mut bounds = general::bounds(point);
    bounds.extend(bulk::bounds(point));
    if point.layout.bulk.is_none() {
        bounds.extend(pattern::bounds(point));
        bounds.extend(tree::bounds(point));
        bounds.extend(optimal::bounds(point));
        bounds.extend(greedy::bounds(point));
    }
    bounds
}

/// A bound that a run contradicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The bound that does not hold.
    pub bound: Bound,
    /// What the run took, or its phase that the bound is about.
    pub time_units: u128,
}

/// The bounds that the times of a program's phases contradict. A phase without counts took none.
pub fn violations(program: &Program, counts: &[Counts], bounds: &[Bound]) -> Vec<Violation> {
    let time = |bound: &Bound| time_of(program, counts, bound.phase.as_deref());
    bounds
        .iter()
        .filter(|bound| !bound.holds(time(bound)))
        .map(|bound| Violation { bound: bound.clone(), time_units: time(bound) })
        .collect()
}

/// The time of a phase, or of the whole run.
pub fn time_of(program: &Program, counts: &[Counts], phase: Option<&str>) -> u128 {
    let names = program.phases.iter().zip(counts);
    let wanted = names.filter(|(name, _)| phase.is_none_or(|phase| phase == *name));
    wanted.map(|(_, counts)| counts.time_units.0).sum()
}
