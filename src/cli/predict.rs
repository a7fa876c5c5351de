//! `umm predict`

use std::ffi::OsString;

use clap::Args;
use serde_json::json;

use super::Failure;
use super::cuda::LaunchOption;
use super::files::{print, print_json};
use super::models::ModelParser;
use super::options::ArrangementOption;
use super::program::{load, parameters};
use crate::chart::seconds;
use crate::emission::{self, Launch, MOST_AHEAD};
use crate::fidelity::{self, Extension, Manner, Work, WorkError};
use crate::language::program::Program;
use crate::measurement::Subject;
use crate::models::{Calibration, Model};
use crate::run::WHILE_ITERATIONS;
use crate::run::layout::{Arrangement, Bulk, LayoutError};

/// Predict the seconds of an algorithm on a calibrated machine
///
/// What the listing does is counted on the machine, nothing is measured. Parts overlap, so that they
/// do not add up to the whole; docs/fidelity.md has the formulas.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm predict prefix_sums --set n=1024 --bulk column -p 65536 --model h200
  umm predict prefix_sums --set n=1024 --bulk column -p 65536 --ahead 128 --model h200
  umm predict umm_opt --set n=512 --launch graph --model h200 --without sectors,overlap
  umm predict mine.alg --set n=512 --model mine.toml --json")]
pub(super) struct Predict {
    /// A shipped listing's name (see `umm list`) or a file FILE.alg
    algorithm: OsString,
    /// A calibrated machine (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser)]
    model: Model,
    /// Gives a parameter its value; repeatable
    #[arg(long = "set", value_name = "NAME=INTEGER", value_parser = super::options::setting)]
    settings: Vec<(String, i64)>,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_enum, value_name = "ARRANGEMENT")]
    bulk: Option<ArrangementOption>,
    /// Inputs of a bulk run
    #[arg(short = 'p', long, default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    threads: u64,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_enum)]
    launch: Option<LaunchOption>,
    /// Iterations by which a bulk run's reads are made early; 1: as the listing has them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_AHEAD)))]
    ahead: u32,
    /// Extensions of the plain memory machine to leave out
    #[arg(long, value_delimiter = ',', value_name = "EXTENSION,…")]
    without: Vec<Extension>,
    /// A sequential loop that is executed and iterates more often is taken for infinite
    #[arg(long, value_name = "ITERATIONS", default_value_t = WHILE_ITERATIONS)]
    while_limit: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Predict {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let machine = calibration(&self.model)?;
        let (program, _) = load(&self.algorithm)?;
        if let Some((name, value)) = self
            .settings
            .iter()
            .find(|it| !program.parameters.iter().any(|known| known.name == it.0))
        {
            let known = parameters(&program);
            return Err(Failure::input(format_args!(
                "--set {name}={value}: `{}` has no parameter `{name}`; {known}",
                program.name
            )));
        }
        let bulk = self.bulk.map(|it| Bulk { inputs: self.threads, arrangement: it.arrangement() });
        let launch = self.launch.map(LaunchOption::launch);
        let subject_of =
            |name: &str| self.settings.iter().rev().find(|it| it.0 == name).map(|it| it.1);
        let work = work(
            &program,
            subject_of,
            (bulk, launch, self.ahead.into(), self.while_limit),
            (&self.model, machine),
            &mut None,
        )?;
        let it = fidelity::predict(&work, machine, &self.without);
        let plain = fidelity::plain(&work, machine);
        if self.json {
            return print_json(&json!({
                "algorithm": program.name,
                "model": self.model.name,
                "without": self.without,
                "prediction": it,
                "plain_s": plain,
                "launches": work.launches(),
            }));
        }
        let without: Vec<&str> = self.without.iter().map(|it| it.word()).collect();
        let without = if without.is_empty() {
            String::new()
        } else {
            format!("  without {}", without.join(", "))
        };
        let parts = [
            ("launches", it.launches_s),
            ("latency", it.latency_s),
            ("stages near, addresses", it.near_s),
            ("stages of the last cache", it.cache_s),
            ("writes", it.writes_s),
            ("memory", it.memory_s),
        ];
        let lines: String = parts
            .iter()
            .map(|(name, time)| format!("  {name:<26}{:>10}\n", seconds(*time)))
            .collect();
        print(&format!(
            "{}  {}{without}\n\n{lines}{:<28}{:>10}\n{:<28}{:>10}\n",
            program.name,
            self.model.name,
            "predicted",
            seconds(it.time_s),
            "plain UMM",
            seconds(plain)
        ))
    }
}

/// The calibration of a model.
pub(super) fn calibration(model: &Model) -> Result<&Calibration, Failure> {
    model.calibration.as_ref().ok_or_else(|| {
        Failure::input(format_args!(
            "--model {}: it is not calibrated, so that it predicts no seconds; name one that is, such \
             as h200, or make one: umm calibrate DIR -o mine.toml",
            model.name
        ))
    })
}

/// What a program does on a model's machine. Without a launch, it is the first that the listing
/// allows.
pub(super) fn work(
    program: &Program,
    parameter: impl Fn(&str) -> Option<i64>,
    (bulk, launch, ahead, while_iterations): (Option<Bulk>, Option<Launch>, u64, u64),
    (model, machine): (&Model, &Calibration),
    known: &mut Option<fidelity::Known>,
) -> Result<Work, Failure> {
    let launch = launch.unwrap_or(emission::launches(program)[0]);
    // The emitter knows what cannot be run so.
    let options = emission::Options {
        bulk: bulk.map(|it| it.arrangement),
        launch,
        ahead: u32::try_from(ahead).unwrap_or(1),
        standalone: false,
    };
    emission::emit(program, options)?;
    if bulk.is_none()
        && (program.first_parallel_loop().is_none() || emission::launches(program).len() == 1)
    {
        return Err(Failure::input(format_args!(
            "{}: a program's seconds are predicted as a bulk run (--bulk row, --bulk column), or if \
             it has parallel loops with no access to memory between them",
            program.name
        )));
    }
    let manner = Manner { bulk, launch, ahead, while_iterations };
    let resident = machine.multiprocessors.value * machine.resident_threads.value;
    Work::of(program, parameter, manner, (model.machine(), resident as u64), known).map_err(
        |error| match error {
            WorkError::Listing(located) => located.into(),
            WorkError::Layout(LayoutError::MissingParameter(name)) => Failure::input(format_args!(
                "the parameter `{name}` has no value; give it: --set {name}=16"
            )),
            WorkError::Layout(error) => Failure::input(format_args!("{error}; change --set")),
            WorkError::TooLarge(_) => Failure::input(error),
        },
    )
}

/// How a measured subject ran, and the iterations after which its loops are taken for infinite.
pub(super) fn how(subject: &Subject) -> (Option<Bulk>, Option<Launch>, u64, u64) {
    let arrangement = match subject.bulk.as_deref() {
        Some("row") => Some(Arrangement::RowWise),
        Some(_) => Some(Arrangement::ColumnWise),
        None => None,
    };
    let bulk =
        arrangement.map(|arrangement| Bulk { inputs: subject.threads.unwrap_or(1), arrangement });
    let launch = Launch::ALL.into_iter().find(|it| Some(it.word()) == subject.launch.as_deref());
    (bulk, launch, subject.ahead, WHILE_ITERATIONS)
}
