//! Listings over a grid of sizes and machines.

use std::ffi::OsString;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::limits::LimitOptions;
use super::model::ModelParser;
use super::options::{ANY, os, source, whole};
use crate::case::load;
use crate::case::{Case, CaseError};
use crate::grid::Grid;
use crate::language::program::Program;
use crate::models::Model;
use crate::sweep::{GridError, Points, SweepSpec, counts, positive};
use crate::units::{Latency, Threads, Width};

/// Sizes and machines, all combined. A GRID is a list of values and ranges: 64, 1,2,4, 16..512*2,
/// 9..99+10.
#[derive(Debug, Args)]
pub(crate) struct GridOptions {
    /// Values of a parameter, as in n=16..512*2; repeatable
    #[arg(long = "set", value_name = "NAME=GRID", value_parser = setting)]
    settings: Vec<(String, Grid)>,
    /// Numbers of threads; with --bulk, of inputs [default: 1024]
    #[arg(short = 'p', long, value_name = "GRID")]
    threads: Option<String>,
    /// A described machine that gives -m, -w and -l where they are not given (see `umm models`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Option<Model>,
    /// Of HMMs: numbers of DMMs [default: 1]
    #[arg(short, long, value_name = "GRID")]
    dmms: Option<String>,
    /// Of HMMs: latencies of the DMMs' shared memories [default: 1]
    #[arg(long, value_name = "GRID")]
    shared_latency: Option<String>,
    /// Of HMMs: blocks that are on a DMM at a time [default: 1]
    #[arg(long, value_name = "GRID")]
    resident: Option<String>,
    /// Widths [default: 32]
    #[arg(short, long, value_name = "GRID")]
    width: Option<String>,
    /// Latencies in time units [default: 100]
    #[arg(short, long, value_name = "GRID")]
    latency: Option<String>,
    /// What an array holds at first, where the time depends on it: as for `umm run`; repeatable
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    inputs: Vec<(String, OsString)>,
    /// Seed of random inputs, where the time depends on them [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    #[command(flatten)]
    limits: LimitOptions,
}

/// The value of a `--set`.
pub(crate) fn setting(text: &str) -> Result<(String, Grid), String> {
    match text.split_once('=') {
        Some((name, values)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), values.parse()?))
        }
        _ => Err("write NAME=GRID, as in n=16..512*2".to_owned()),
    }
}

impl GridOptions {
    /// The parameter that is given most values.
    pub(crate) fn widest_setting(&self) -> Option<&str> {
        let widest = self.settings.iter().rev().max_by_key(|(_, grid)| grid.0.len());
        widest.map(|(name, _)| name.as_str())
    }

    /// Whether a parameter is given several values.
    pub(crate) fn varies(&self) -> bool {
        self.settings.iter().any(|(_, grid)| grid.0.len() > 1)
    }

    /// What the flags say, over what `spec` says.
    pub(crate) fn over(&self, mut spec: SweepSpec) -> Result<SweepSpec, Failure> {
        for (index, (name, grid)) in self.settings.iter().enumerate() {
            if self.settings[..index].iter().any(|(it, _)| it == name) {
                return Err(Failure::input(format_args!(
                    "--set {name} is given twice; give all its values at once: {name}=16,32"
                )));
            }
            spec.set.insert(name.clone(), grid.clone());
        }
        if let Some(machine) = self.model.as_ref().map(Model::machine) {
            spec.set_machine(machine);
        }
        take(&mut spec.dmms, &self.dmms, "--dmms", counts)?;
        take(&mut spec.shared_latencies, &self.shared_latency, "--shared-latency", |it| {
            positive(it, Latency::new)
        })?;
        take(&mut spec.residents, &self.resident, "--resident", counts)?;
        take(&mut spec.widths, &self.width, "--width", |it| positive(it, Width::new))?;
        take(&mut spec.latencies, &self.latency, "--latency", |it| positive(it, Latency::new))?;
        take(&mut spec.threads, &self.threads, "--threads", |it| positive(it, Threads::new))?;
        spec.inputs.extend(self.inputs.iter().cloned());
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.while_iterations = self.limits.while_limit.unwrap_or(spec.while_iterations);
        spec.work = self.limits.work();
        Ok(spec)
    }
}

/// Replaces `place` by what a flag says, if it is given.
pub(crate) fn take<T>(
    place: &mut T,
    text: &Option<String>,
    flag: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<(), Failure> {
    if let Some(text) = text {
        let fail = |error| Failure::input(format_args!("{flag} {text}: {error}"));
        *place = parse(text).map_err(fail)?;
    }
    Ok(())
}

/// The listings of a grid.
pub(crate) fn programs(spec: &SweepSpec) -> Result<Vec<Arc<Program>>, Failure> {
    let mut programs: Vec<Arc<Program>> = vec![];
    for name in &spec.algorithms {
        let program = load(name)?;
        if programs.iter().any(|it| it.name == program.name) {
            return Err(Failure::input(format_args!(
                "two listings of this sweep are called `{}`; nothing would tell their rows apart",
                program.name
            )));
        }
        programs.push(Arc::new(program));
    }
    Ok(programs)
}

/// The points of a grid, all of which make sense.
pub(crate) fn points<'a>(
    spec: &'a SweepSpec,
    programs: &[Arc<Program>],
) -> Result<Points<'a>, Failure> {
    let explain = |error| match error {
        GridError::Program(located) => Failure::from(located),
        error => Failure::input(error),
    };
    let points = Points::new(spec, programs).map_err(explain)?;
    points.check().map_err(explain)?;
    Ok(points)
}

/// Why a point has no time.
pub(crate) fn failed(case: &Case, error: CaseError) -> Failure {
    match error {
        CaseError::Program(mut located) => {
            located.diagnostic.notes.push(format!("at the point {case}"));
            Failure::from(located)
        }
        error => Failure::input(format_args!("{case}: {error}")),
    }
}
