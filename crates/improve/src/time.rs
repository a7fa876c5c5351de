//! The exact time of a listing on a machine.

use std::collections::BTreeMap;

use memory_machine_core::count::{self, CountError};
use memory_machine_core::diagnostic::{Diagnostic, Source, Span};
use memory_machine_core::language;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{ForNode, Order, StatementKind, StatementNode};
use memory_machine_core::machine::{Counts, Machine, Mode};
use memory_machine_core::run::layout::{Arrangement, Bulk, Layout};
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{Limits, each_launch};
use serde::{Deserialize, Serialize, Serializer};

use crate::transform::form::number as number_node;
use crate::transform::tree::{named, new_name, statement as node_of};

/// What memory holds at first, for a listing whose time depends on it.
pub type Given<'a> = &'a dyn Fn(&Program, &Layout) -> Result<Memory, String>;

/// What a listing runs on, and with which sizes.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// Values of parameters; others have their default.
    pub values: &'a BTreeMap<String, i64>,
    /// The machine.
    pub machine: Machine,
    /// Synchronous or asynchronous.
    pub mode: Mode,
    /// Threads (of a bulk run, inputs), and iterations of a `while` loop.
    pub limits: Limits,
    /// Of a bulk run.
    pub bulk: Option<Arrangement>,
    /// What memory holds at first.
    pub given: Given<'a>,
    /// Time units that starting a parallel loop is to cost in a comparison; the machine itself charges
    /// nothing for it.
    pub launch: u128,
}

/// What a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time {
    /// From its beginning to its end.
    #[serde(serialize_with = "number")]
    pub time_units: u128,
    /// Of the pipeline of global memory.
    #[serde(serialize_with = "number")]
    pub stages: u128,
    /// Requests, before equal ones merge.
    #[serde(serialize_with = "number")]
    pub accesses: u128,
    /// How often a parallel loop starts outside others, if that was counted and depends on no data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launches: Option<u64>,
}

impl Time {
    /// Time units, those of launches included.
    pub fn with_launches(&self, launch: u128) -> u128 {
        self.time_units.saturating_add(launch.saturating_mul(self.launches.unwrap_or(0).into()))
    }
}

/// JSON has integers up to 64 bits; floats beyond.
///
/// # Errors
/// Those of the serializer.
pub fn number<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*value) {
        Ok(value) => serializer.serialize_u64(value),
        Err(_) => serializer.serialize_f64(*value as f64),
    }
}

/// Where the arrays lie.
///
/// # Errors
/// Sizes that make no sense, or a machine that does not run the program.
pub fn layout(program: &Program, setting: &Setting<'_>) -> Result<Layout, String> {
    if program.first_loop_on_dmms().is_some() && setting.machine.kind.without_dmms().is_some() {
        return Err("only the HMM runs a loop on DMMs".to_owned());
    }
    if setting.bulk.is_some() && program.first_parallel_loop().is_some() {
        return Err("a bulk run executes a sequential program".to_owned());
    }
    let inputs = setting.limits.threads.get();
    let bulk = setting.bulk.map(|arrangement| Bulk { inputs, arrangement });
    let value = |name: &str| setting.values.get(name).copied();
    Layout::new(program, value, setting.machine.width, bulk).map_err(|it| it.to_string())
}

/// The time of a program: counted, and executed only where it depends on what memory holds.
///
/// # Errors
/// As [`layout`], or the program fails.
pub fn time(program: &Program, setting: &Setting<'_>) -> Result<Time, String> {
    let layout = layout(program, setting)?;
    let Setting { machine, mode, limits, .. } = *setting;
    let counts = match count::count(program, &layout, machine, mode, limits) {
        Ok(counted) => counted.counts,
        Err(CountError::DependsOnMemory(_)) => {
            let mut memory = (setting.given)(program, &layout)?;
            count::execute(program, &layout, &mut memory, machine, mode, limits)
                .map_err(|it| it.diagnostic.message.to_string())?
        }
        Err(CountError::Run(located)) => return Err(located.diagnostic.message.to_string()),
    };
    let sum = |of: fn(&Counts) -> u128| counts.iter().map(of).sum();
    Ok(Time {
        time_units: sum(|it| it.time_units.0),
        stages: sum(|it| it.stages),
        accesses: sum(|it| it.accesses),
        launches: if setting.launch > 0 { launches(program, &layout, limits) } else { None },
    })
}

/// Launches are counted up to this many.
const MOST_LAUNCHES: u64 = 1 << 22;

/// How often a parallel loop starts outside others, or [`MOST_LAUNCHES`]. Nothing if it may depend on data.
pub(crate) fn launches(program: &Program, layout: &Layout, limits: Limits) -> Option<u64> {
    if program.first_parallel_loop().is_none() {
        return Some(0);
    }
    // What a parallel loop does inside decides nothing.
    let mut listing = program.listing.clone();
    let name = new_name(&listing, &["at"]);
    hollow(&mut listing.body, &name);
    let text = listing.to_string();
    let program = &language::load(Source { name: "listing".to_owned(), text }).ok()?;
    if first_dependence(program, Origin::AnyArray).is_some() {
        return None;
    }
    let mut found = 0;
    let counted = each_launch(program, layout, limits, |_, _| {
        found += 1;
        let is_over = found == MOST_LAUNCHES;
        if is_over { Err(Diagnostic::new(Span::default(), "enough").into()) } else { Ok(()) }
    });
    (counted.is_ok() || found == MOST_LAUNCHES).then_some(found)
}

/// Leaves nothing inside parallel loops but an assignment to a scalar of this name, and nothing outside
/// that only writes arrays.
fn hollow(block: &mut Vec<StatementNode>, name: &str) {
    block.retain_mut(|statement| match &mut statement.kind {
        StatementKind::For(it) if it.order != Order::InTurn => {
            let (target, value) = (named(name), number_node(0));
            let assign = StatementKind::Assign { target, declared: None, indices: vec![], value };
            (it.body, it.arrays) = (vec![node_of(assign)], vec![]);
            true
        }
        StatementKind::For(ForNode { body, .. }) | StatementKind::Label { body, .. } => {
            hollow(body, name);
            !body.is_empty()
        }
        StatementKind::If { then, otherwise, .. } => {
            hollow(otherwise, name);
            // A condition has something to decide.
            let mut own = then.clone();
            hollow(&mut own, name);
            if !own.is_empty() || !otherwise.is_empty() {
                *then = if own.is_empty() { std::mem::take(then) } else { own };
                return true;
            }
            false
        }
        StatementKind::Assign { indices, .. } => indices.is_empty(),
        StatementKind::While { body, .. } | StatementKind::Repeat { body, .. } => {
            let mut own = body.clone();
            hollow(&mut own, name);
            if !own.is_empty() {
                *body = own;
            }
            true
        }
        _ => true,
    });
}
