//! The exact time of a listing on a machine.

use std::collections::BTreeMap;

use memory_machine_core::count::{self, CountError};
use memory_machine_core::language::program::Program;
use memory_machine_core::machine::{Counts, Machine, Mode};
use memory_machine_core::run::Limits;
use memory_machine_core::run::layout::{Arrangement, Bulk, Layout};
use memory_machine_core::run::memory::Memory;
use serde::Serialize;

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
}

/// What a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Time {
    /// From its beginning to its end.
    pub time_units: u128,
    /// Of the pipeline of global memory.
    pub stages: u128,
    /// Requests, before equal ones merge.
    pub accesses: u128,
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
    })
}
