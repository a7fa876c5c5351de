//! Runs of one listing over a grid of sizes and machines, timed in parallel.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use clap::Args;
use rayon::prelude::*;

use super::Failure;
use super::growth::Depths;
use super::models::ModelParser;
use super::options::{ArrangementOption, DEFAULT, KindOption, ModeOption, ProgramOptions};
use super::program::Prepared;
use crate::count::{self, CountError};
use crate::grid::Grid;
use crate::machine::{Counts, Machine, MachineKind, Mode};
use crate::models::Model;
use crate::run::layout::{Arrangement, Bulk};
use crate::run::{Limits, WHILE_ITERATIONS};
use crate::sample::{Sample, Settings};
use crate::theory::profile::Profile;
use crate::theory::{Point, optimal};
use crate::units::{Latency, Threads, Width};

/// A listing over a grid. A GRID is a list of values and ranges: 64, 1,2,4, 16..512*2, 9..99+10.
#[derive(Debug, Args)]
pub(super) struct PointOptions {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: String,
    /// Values of a parameter, as in n=16..512*2; repeatable
    #[arg(long = "set", value_name = "NAME=GRID", value_parser = setting)]
    settings: Vec<(String, Grid)>,
    /// Numbers of threads; with --bulk, of inputs
    #[arg(short = 'p', long, default_value = "1024", value_name = "GRID", value_parser = positive)]
    threads: Grid,
    /// A described machine that gives -m, -w and -l where they are not given (see `umm models`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser)]
    model: Option<Model>,
    /// Widths [default: 32]
    #[arg(short, long, value_name = "GRID", value_parser = positive)]
    width: Option<Grid>,
    /// Latencies in time units [default: 100]
    #[arg(short, long, value_name = "GRID", value_parser = positive)]
    latency: Option<Grid>,
    /// The kind of memory machine [default: umm]
    #[arg(short, long, value_enum, value_name = "KIND")]
    machine: Option<KindOption>,
    /// How steps follow each other
    #[arg(long, value_enum, default_value_t = ModeOption::Sync)]
    mode: ModeOption,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_enum, value_name = "ARRANGEMENT")]
    bulk: Option<ArrangementOption>,
    /// A sequential loop that is executed and iterates more often is taken for infinite
    #[arg(long, value_name = "ITERATIONS", default_value_t = WHILE_ITERATIONS)]
    while_limit: u64,
    /// Seed of random inputs, where the time depends on them
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn setting(text: &str) -> Result<(String, Grid), String> {
    match text.split_once('=') {
        Some((name, grid)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), grid.parse()?))
        }
        _ => Err("write NAME=GRID, as in n=16..512*2".to_owned()),
    }
}

/// Larger machine parameters could overflow times.
const LARGEST: i64 = 1 << 48;

fn positive(text: &str) -> Result<Grid, String> {
    let grid: Grid = text.parse()?;
    match grid.0.iter().find(|value| !(1..=LARGEST).contains(*value)) {
        Some(value) => Err(format!("{value} is not from 1 to 2^48")),
        None => Ok(grid),
    }
}

/// More points than this are taken for a slip.
const MOST_POINTS: usize = 1_000_000;

/// Programs with more accesses are bounded without their profile.
const MOST_PROFILED: u128 = 1 << 24;

/// One timed point.
pub(super) struct Timed {
    pub(super) algorithm: String,
    pub(super) set: Settings,
    pub(super) machine: Machine,
    pub(super) threads: Threads,
    pub(super) counts: Counts,
}

impl PointOptions {
    pub(super) const fn mode(&self) -> Mode {
        self.mode.mode()
    }

    /// The machine that is meant where flags say nothing.
    fn known(&self) -> Machine {
        self.model.as_ref().map_or(DEFAULT, Model::machine)
    }

    pub(super) fn kind(&self) -> MachineKind {
        self.machine.map_or_else(|| self.known().kind, KindOption::kind)
    }

    pub(super) fn arrangement(&self) -> Option<Arrangement> {
        self.bulk.map(ArrangementOption::arrangement)
    }

    pub(super) fn algorithm(&self) -> &str {
        &self.algorithm
    }

    /// The parameter that is given most values.
    pub(super) fn widest_setting(&self) -> Option<&str> {
        let widest = self.settings.iter().rev().max_by_key(|(_, grid)| grid.0.len());
        widest.map(|(name, _)| name.as_str())
    }

    /// A point as a row.
    pub(super) fn sample(&self, timed: &Timed) -> Sample {
        let Counts { accesses, dispatches, stages, time_units } = timed.counts;
        let word = |it: &dyn std::fmt::Debug| format!("{it:?}").to_lowercase();
        Sample {
            algorithm: timed.algorithm.clone(),
            set: timed.set.clone(),
            machine: Some(word(&timed.machine.kind)),
            width: Some(timed.machine.width.get()),
            latency: Some(timed.machine.latency.get()),
            threads: Some(timed.threads.get()),
            mode: Some(word(&self.mode())),
            bulk: self.bulk.as_ref().map(|it| word(it)),
            accesses: Some(accesses),
            dispatches: Some(dispatches),
            stages: Some(stages),
            time_units: Some(time_units.0),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Sample::default()
        }
    }

    /// Times every point and calls `look` for it, in parallel; the results are in the order of the
    /// grids, parameters outermost.
    pub(super) fn each<T: Send>(
        &self,
        look: impl Fn(&Timed, &Point<'_>, &[Counts]) -> T + Sync,
    ) -> Result<Vec<T>, Failure> {
        let (sizes, machines) = (self.sizes()?, self.machines()?);
        if sizes.len().saturating_mul(machines.len()) > MOST_POINTS {
            return Err(Failure::input(format_args!(
                "the grids make more than {MOST_POINTS} points; choose fewer values"
            )));
        }
        let depths = Depths::default();
        let one = |set: &Settings| -> Result<Vec<T>, Failure> {
            let profile = OnceLock::new();
            let time = |&(threads, machine): &(Threads, Machine)| {
                self.time(set, threads, machine, (&profile, &depths), &look)
            };
            machines.par_iter().map(time).collect()
        };
        let all: Result<Vec<Vec<T>>, Failure> = sizes.par_iter().map(one).collect();
        Ok(all?.into_iter().flatten().collect())
    }

    /// Every combination of parameters' values.
    fn sizes(&self) -> Result<Vec<Settings>, Failure> {
        let mut sizes = vec![BTreeMap::new()];
        for (name, grid) in &self.settings {
            if sizes.iter().any(|set| set.contains_key(name)) {
                return Err(Failure::input(format_args!(
                    "--set {name} is given twice; give all its values at once: {name}=16,32"
                )));
            }
            if sizes.len().saturating_mul(grid.0.len()) > MOST_POINTS {
                return Err(Failure::input(format_args!(
                    "the grids make more than {MOST_POINTS} points; choose fewer values"
                )));
            }
            let with = |set: &BTreeMap<String, i64>, value: i64| {
                let mut set = set.clone();
                set.insert(name.clone(), value);
                set
            };
            let values = &grid.0;
            sizes = sizes
                .iter()
                .flat_map(|set| values.iter().map(|&value| with(set, value)).collect::<Vec<_>>())
                .collect();
        }
        Ok(sizes.into_iter().map(Settings).collect())
    }

    fn machines(&self) -> Result<Vec<(Threads, Machine)>, Failure> {
        let kind = self.kind();
        let known = self.known();
        let grid = |grid: &Option<Grid>, known: u64| match grid {
            Some(grid) => grid.0.clone(),
            None => vec![known.cast_signed()],
        };
        let widths = grid(&self.width, known.width.get());
        let latencies = grid(&self.latency, known.latency.get());
        let mut machines = vec![];
        for &p in &self.threads.0 {
            for &w in &widths {
                for &l in &latencies {
                    let units = || {
                        let [p, w, l] = [p, w, l].map(i64::cast_unsigned);
                        let (width, latency) = (Width::new(w)?, Latency::new(l)?);
                        Ok((Threads::new(p)?, Machine { kind, width, latency }))
                    };
                    let units: Result<_, crate::units::NotPositive> = units();
                    machines.push(units.map_err(Failure::input)?);
                }
            }
        }
        Ok(machines)
    }

    fn time<T>(
        &self,
        set: &Settings,
        threads: Threads,
        machine: Machine,
        (profile, depths): (&OnceLock<Option<Profile>>, &Depths),
        look: &impl Fn(&Timed, &Point<'_>, &[Counts]) -> T,
    ) -> Result<T, Failure> {
        let options = ProgramOptions {
            algorithm: self.algorithm.clone().into(),
            settings: set.0.iter().map(|(name, &value)| (name.clone(), value)).collect(),
            inputs: vec![],
            seed: self.seed,
            while_limit: self.while_limit,
        };
        let bulk = self.arrangement();
        let bulk = bulk.map(|arrangement| Bulk { inputs: threads.get(), arrangement });
        let prepared = Prepared::new(&options, machine.width, bulk)?;
        let (program, layout) = (&prepared.program, &prepared.layout);
        let limits = Limits { threads, while_iterations: self.while_limit };
        let mode = self.mode();
        let (counts, depends) = match count::count(program, layout, machine, mode, limits) {
            Ok(counted) => (counted.counts, false),
            Err(CountError::DependsOnMemory(_)) => {
                let mut memory = prepared.memory()?;
                (count::execute(program, layout, &mut memory, machine, mode, limits)?, true)
            }
            Err(CountError::Run(located)) => return Err(located.into()),
        };
        let shipped = prepared.entry.map(|entry| entry.name);
        let total: Counts = counts.iter().copied().sum();
        let names = program.parameters.iter().map(|it| it.name.clone());
        let set = Settings(names.zip(layout.parameters.iter().copied()).collect());
        let known = || {
            let n = program.parameters.iter().position(|it| it.name == "n");
            if let (Some("umm_opt"), Some(n)) = (shipped, n) {
                return optimal::table_one(program, u64::try_from(layout.parameters[n]).ok()?);
            }
            let parallel = program.first_parallel_loop().is_some();
            let small = parallel && !depends && total.accesses <= MOST_PROFILED;
            small.then(|| Profile::of(program, layout, self.while_limit).ok()).flatten()
        };
        let point = Point {
            program,
            shipped,
            layout,
            machine,
            mode,
            threads: threads.get(),
            accesses: total.accesses,
            profile: profile.get_or_init(known).as_ref(),
            depth: depths.at(program, &options, &set),
        };
        let algorithm = program.name.clone();
        let timed = Timed { algorithm, set, machine, threads, counts: total };
        Ok(look(&timed, &point, &counts))
    }
}
