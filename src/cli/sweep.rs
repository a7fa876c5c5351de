//! `umm sweep`

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Failure;
use super::files;
use super::grid::{GridOptions, failed, points, programs, take};
use crate::diagnostic::Source;
use crate::host::files::{DESCRIPTION, read};
use crate::sweep::{self, Log, LogError, Points, Spec};

/// Time a grid of sizes and machines, as rows of a CSV file
///
/// A GRID is one value, values with commas between, or a range: 64..4096*2 multiplies, 10..50+10
/// adds, 3..6 counts. Time is counted without values where it does not depend on them; else the
/// program runs on random inputs.
#[derive(Debug, Args)]
#[command(after_help = "\
An interrupted sweep goes on where it stopped when its command is repeated; until it is finished its
rows stand in FILE.csv.partial.

A file SPEC.toml has the long flags' names as keys; flags given beside it replace its values:
  algorithm = [\"prefix_sums\", \"opt\"]
  set.n = [8, 64]
  threads = \"64..4096*2\"
  width = 32
  latency = [100, 400]
  machine = \"umm\"              # umm, dmm, hmm; of the last: dmms, shared_latency, resident
  mode = \"sync\"                # sync, async
  bulk = [\"row\", \"column\"]     # none, row, column
  seed = 1
  phases = false
  while_limit = 10000000

Examples:
  umm sweep umm_opt --set n=16..256*2 -p 64..4096*4 -l 100,400 -o opt.csv
  umm sweep prefix_sums --set n=32 --bulk row,column -p 64..4194304*2 -o bulk.csv
  umm sweep transpose --set n=64 -m umm,dmm -w 4..32*2 --phases -o transpose.csv
  umm sweep sum_hmm --set n=65536 -m hmm -d 1..64*2 --resident 1,2 -o sum.csv
  umm sweep spec.toml -o samples.csv")]
pub(super) struct Sweep {
    /// Shipped listings or files FILE.alg, with commas between; or a file SPEC.toml
    #[arg(value_name = "ALGORITHM,…|SPEC.toml")]
    algorithms: String,
    #[command(flatten)]
    grid: GridOptions,
    /// Kinds of memory machines: umm, dmm, hmm [default: umm]
    #[arg(short, long, value_name = "LIST")]
    machine: Option<String>,
    /// How steps follow each other: sync, async [default: sync]
    #[arg(long, value_name = "LIST")]
    mode: Option<String>,
    /// Bulk runs of sequential programs: none, row, column [default: none]
    #[arg(long, value_name = "LIST")]
    bulk: Option<String>,
    /// One more row for each phase of a program
    #[arg(long)]
    phases: bool,
    /// The table to write
    #[arg(short, long, alias = "csv", value_name = "FILE.csv")]
    output: PathBuf,
    /// Replace the table if it exists, and the unfinished one of another sweep
    #[arg(long)]
    force: bool,
}

impl Sweep {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let output = self.output.display();
        let spec = self.spec()?;
        let programs = programs(&spec)?;
        let partial = partial(&self.output);
        files::check_outputs([&self.output, &partial])?;
        if self.output.exists() && !self.force {
            return Err(Failure::input(format_args!(
                "{output} exists; give --force to replace it, or another -o"
            )));
        }
        let points = points(&spec, &programs)?;

        let fail = |error: LogError| {
            let path = partial.display();
            match error {
                LogError::Foreign => Failure::input(format_args!(
                    "{path}: {error}; finish that one with its own command, give --force to drop \
                     it, or another -o"
                )),
                LogError::Busy => Failure::input(format_args!("{path}: {error}; wait for it")),
                LogError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                    Failure::input(format_args!("{output}: no such folder; create it first"))
                }
                LogError::Io(error) => Failure::input(format_args!("{path}: {error}; change -o")),
            }
        };
        let log = Log::open(&partial, &spec, &programs, &points, self.force).map_err(fail)?;
        let mut log = sweep(&points, spec.phases, log, &partial)?;
        let table = |table: &mut dyn io::Write| log.finish(&points, table);
        if self.force {
            files::write(&self.output, table)?;
        } else {
            let remedy = "repeat the command with --force to replace it, or with another -o after \
                          renaming FILE.partial; no row is lost";
            files::create(&self.output, table, remedy)?;
        }
        std::fs::remove_file(&partial)
            .map_err(|error| Failure::run(format_args!("{}: {error}", partial.display())))?;
        let rows: usize = (0..points.len()).map(|index| points.rows(index)).sum();
        files::print(&format!(
            "{output}: {} points, {rows} rows, seed {}\n",
            points.len(),
            spec.seed
        ))
    }

    /// What the file says, if there is one, and over it what the flags say.
    fn spec(&self) -> Result<Spec, Failure> {
        let path = Path::new(&self.algorithms);
        let mut spec = if path.extension().is_some_and(|it| it == "toml") {
            Spec::parse(Source { name: self.algorithms.clone(), text: read(path, DESCRIPTION)? })?
        } else {
            let algorithms = self.algorithms.split(',').map(|it| it.trim().to_owned());
            Spec { algorithms: algorithms.collect(), ..Spec::default() }
        };
        spec = self.grid.over(spec)?;
        take(&mut spec.machines, &self.machine, "--machine", sweep::words)?;
        take(&mut spec.modes, &self.mode, "--mode", sweep::words)?;
        take(&mut spec.bulk, &self.bulk, "--bulk", sweep::arrangements)?;
        spec.phases |= self.phases;
        Ok(spec)
    }
}

/// `samples.csv.partial` beside `samples.csv`.
fn partial(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// Times the points that the log lacks, on all cores.
fn sweep(points: &Points<'_>, phases: bool, log: Log, partial: &Path) -> Result<Log, Failure> {
    let left: Vec<usize> = (0..points.len()).filter(|&index| !log.is_done(index)).collect();
    // Hidden by itself where standard error is no terminal.
    let bar =
        ProgressBar::new(points.len() as u64).with_position((points.len() - left.len()) as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} points, {eta} left")
    {
        bar.set_style(style);
    }
    bar.reset_eta();
    let log = Mutex::new(log);
    let outcome = left.into_par_iter().try_for_each(|index| {
        let case = points.get(index);
        let rows = match phases {
            true => case.samples(),
            false => case.sample().map(|row| vec![row]),
        };
        let rows = rows.map_err(|error| failed(&case, error))?;
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.append(index, &rows)
            .map_err(|error| Failure::run(format_args!("{}: {error}", partial.display())))?;
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    outcome.map(|()| log.into_inner().unwrap_or_else(PoisonError::into_inner))
}
