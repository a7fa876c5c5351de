//! `umm sweep`

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

#[cfg(feature = "mpi")]
use crate::case::Case;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::grid::{GridOptions, failed, points, programs, take};
use crate::diagnostic::Source;
use crate::host::files::{DESCRIPTION, ends, path_text, read};
use crate::language::program::Program;
#[cfg(feature = "mpi")]
use crate::mpi::{PieceResult, WorkDealer, World, work};
use crate::sweep::{
    self, LogError, PartError, PartFile, Parts, Points, Shard, SweepError, SweepLog, SweepSpec,
};

/// Time a grid of sizes and machines, as rows of a CSV file
///
/// A GRID is one value, values with commas between, or a range: 64..4096*2 multiplies, 10..50+10
/// adds, 3..6 counts. Time is counted without values where it does not depend on them; else the
/// program runs on random inputs.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
An interrupted sweep goes on where it stopped when its command is repeated; until it is finished its
rows stand in FILE.csv.partial.

A file SPEC.toml has the long flags' names as keys; flags given beside it replace its values:
  algorithm = [\"prefix_sums\", \"opt\"]
  set.n = [8, 64]
  threads = \"64..4096*2\"
  width = 32
  latency = [100, 400]
  machine = \"umm\"              # umm, dmm, hmm; of the last: dmms, shared_latency, resident
                               # others have rule.NAME, as in rule.cache = \"64..4096*2\"
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
  umm sweep matrix_multiply --set n=16 -m ideal-cache --rule cache=64..1024*2 --rule line=8 -o q.csv
  umm sweep sum --set n=256 -m bsp --rule processors=2..16*2 --rule L=10,100 -o bsp.csv
  umm sweep spec.toml -o samples.csv
  umm sweep spec.toml --shard 1/2 -o part1.csv       on one machine
  umm sweep spec.toml --shard 2/2 -o part2.csv       on another
  mpirun -n 5 umm sweep spec.toml -o mpi.csv         one deals points, four time them"
)]
pub(super) struct Sweep {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    table: Table,
}

#[derive(Debug, Subcommand)]
enum Command {
    Merge(Merge),
}

impl Sweep {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Some(Command::Merge(merge)) => merge.run(),
            None => self.table.run().map_err(Failure::of_one_rank),
        }
    }
}

#[derive(Debug, Args)]
struct Table {
    /// Shipped listings or files FILE.alg, with commas between; or a file SPEC.toml
    // `None` only beside a subcommand, as the output.
    #[arg(value_name = "ALGORITHM,…|SPEC.toml", required = true)]
    algorithms: Option<String>,
    #[command(flatten)]
    grid: GridOptions,
    /// Kinds of memory machines: umm, dmm, hmm [default: umm]; or of others: pram, work-span,
    /// ideal-cache, pem, bsp, logp, loggp, mpc, agpu, tmm, roofline
    #[arg(short, long, value_name = "LIST")]
    machine: Option<String>,
    /// Of those others: values of a parameter, as in cache=64..4096*2 or owner=block,cyclic; repeatable
    #[arg(long = "rule", value_name = "NAME=LIST", value_parser = rule)]
    rules: Vec<(String, Vec<String>)>,
    /// How steps follow each other: sync, async [default: sync]
    #[arg(long, value_name = "LIST")]
    mode: Option<String>,
    /// Bulk runs of sequential programs: none, row, column [default: none]
    #[arg(long, value_name = "LIST")]
    bulk: Option<String>,
    /// One more row for each phase of a program
    #[arg(long)]
    phases: bool,
    /// Time every N-th point only, from the K-th on: a part for `umm sweep merge`
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    output: Output,
}

fn rule(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, values) = text.split_once('=').ok_or("write NAME=LIST, as in cache=64..4096*2")?;
    Ok((name.trim().to_owned(), sweep::rule(values)?))
}

#[derive(Debug, Args)]
struct Output {
    /// The table to write
    #[arg(short, long, alias = "csv", value_name = "FILE.csv", required = true)]
    output: Option<PathBuf>,
    /// Replace the table if it exists, and the unfinished one of another sweep
    #[arg(long)]
    force: bool,
}

impl Output {
    fn path(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new(""))
    }

    fn check(&self) -> Result<(), Failure> {
        let path = self.path();
        if path.exists() && !self.force {
            return Err(Failure::input(format_args!(
                "{} exists; give --force to replace it, or another -o",
                path_text(path)
            )));
        }
        Ok(())
    }

    /// `remedy` is what to do if the table appeared meanwhile.
    fn write(
        &self,
        table: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
        remedy: &str,
    ) -> Result<(), Failure> {
        if self.force {
            files::write(self.path(), table)
        } else {
            files::create(self.path(), table, remedy)
        }
    }
}

impl Table {
    fn run(&self) -> Result<(), Failure> {
        let spec = self.spec()?;
        let programs = programs(&spec)?;
        let points = points(&spec, &programs)?.in_part(self.shard);
        #[cfg(feature = "mpi")]
        if let Some(world) = World::launched()? {
            if world.rank() > 0 {
                work(&world, |index| answer(points.get(index), spec.phases));
                return Ok(());
            }
            let dealer = WorkDealer::new(&world);
            return self.write(&spec, &programs, &points, |log, partial| {
                deal(&dealer, &points, spec.phases, log, partial)
            });
        }
        self.write(&spec, &programs, &points, |log, partial| {
            sweep(&points, spec.phases, log, partial)
        })
    }

    /// The table, with what `time` adds to the log.
    fn write(
        &self,
        spec: &SweepSpec,
        programs: &[Arc<Program>],
        points: &Points<'_>,
        time: impl FnOnce(SweepLog, &Path) -> Result<SweepLog, Failure>,
    ) -> Result<(), Failure> {
        let path = self.output.path();
        let output = path_text(path);
        // A sweep to standard output is not gone on with.
        let printed = (path == Path::new("-")).then(tempfile::tempdir);
        let printed = printed.transpose().map_err(Failure::run)?;
        let partial = printed.as_ref().map_or_else(|| partial(path), |it| it.path().join("rows"));
        files::check_outputs([path, &*partial])?;
        self.output.check()?;
        let fail = |error: LogError| {
            let path = path_text(&partial);
            match error {
                LogError::Foreign => Failure::input(format_args!(
                    "{path}: {error}; finish that one with its own command, give --force to drop \
                     it, or another -o"
                )),
                LogError::Busy => Failure::input(format_args!("{path}: {error}; wait for it")),
                LogError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                    Failure::input(format_args!("{output}: no such folder; create it first"))
                }
                LogError::Io(error) => {
                    Failure::of_file(format_args!("{path}: {error}; change -o"), &error)
                }
            }
        };
        let log =
            SweepLog::open(&partial, spec, programs, points, self.output.force).map_err(fail)?;
        let mut log = time(log, &partial)?;
        self.output.write(
            |table| log.finish(points, table),
            "repeat the command with --force to replace it, or with another -o after renaming \
             FILE.partial; no row is lost",
        )?;
        std::fs::remove_file(&partial)
            .map_err(|error| Failure::run(format_args!("{}: {error}", path_text(&partial))))?;
        let part = self.shard.map_or_else(String::new, |it| format!("part {it}, "));
        let rows: usize = points.numbers().map(|index| points.rows(index)).sum();
        files::print(&format!(
            "{output}: {part}{} points, {rows} rows, seed {}\n",
            points.numbers().count(),
            spec.seed
        ))
    }

    /// What the file says, if there is one, and over it what the flags say.
    fn spec(&self) -> Result<SweepSpec, Failure> {
        let given = self.algorithms.as_deref().unwrap_or_default();
        let path = Path::new(given);
        let mut spec = if ends(path, "toml") {
            SweepSpec::parse(Source { name: given.to_owned(), text: read(path, DESCRIPTION)? })?
        } else {
            let algorithms = given.split(',').map(|it| it.trim().to_owned());
            SweepSpec { algorithms: algorithms.collect(), ..SweepSpec::default() }
        };
        spec = self.grid.over(spec)?;
        let mut machines = None;
        take(&mut machines, &self.machine, "--machine", |text| sweep::machines(text).map(Some))?;
        machines.into_iter().for_each(|it| spec.set_machines(it));
        spec.rules.extend(self.rules.iter().cloned());
        take(&mut spec.modes, &self.mode, "--mode", sweep::words)?;
        take(&mut spec.bulk, &self.bulk, "--bulk", sweep::arrangements)?;
        spec.phases |= self.phases;
        Ok(spec)
    }
}

/// Put the parts that `umm sweep --shard` wrote together
///
/// The table is, byte for byte, that of one `umm sweep` over the whole grid. Parts that are missing,
/// cut off, given twice or of different sweeps are named, and nothing is written.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm sweep merge part1.csv part2.csv -o all.csv")]
struct Merge {
    /// All parts, in any order
    #[arg(value_name = "PART.csv", required = true)]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

impl Merge {
    fn run(&self) -> Result<(), Failure> {
        let parts: Result<Vec<PartFile>, PartError> =
            self.parts.iter().map(|path| PartFile::read(path)).collect();
        let parts = parts.and_then(Parts::new).map_err(Failure::input)?;
        files::check_outputs([self.output.path()])?;
        self.output.check()?;
        self.output
            .write(|table| parts.merge(table), "give --force to replace it, or another -o")?;
        files::print(&format!(
            "{}: {} points, {} rows, from {} parts\n",
            path_text(self.output.path()),
            parts.points(),
            parts.rows(),
            parts.number()
        ))
    }
}

/// `samples.csv.partial` beside `samples.csv`.
fn partial(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// A bar of all points, of which some are done. It is hidden by itself where standard error is no
/// terminal.
fn bar(points: &Points<'_>, log: &SweepLog) -> ProgressBar {
    let (all, left) = (points.numbers().count(), log.missing(points).len());
    let bar = ProgressBar::new(all as u64).with_position((all - left) as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} points, {eta} left")
    {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

fn failure(error: SweepError, partial: &Path) -> Failure {
    match error {
        SweepError::Point(case, error) => failed(&case, error),
        SweepError::Log(error) => Failure::run(format_args!("{}: {error}", path_text(partial))),
    }
}

/// Times the points that the log lacks, on all cores.
fn sweep(
    points: &Points<'_>,
    phases: bool,
    log: SweepLog,
    partial: &Path,
) -> Result<SweepLog, Failure> {
    let bar = bar(points, &log);
    let outcome = sweep::run(points, phases, log, &|| bar.inc(1));
    bar.finish_and_clear();
    outcome.map_err(|error| failure(error, partial))
}

/// The same by the other ranks, each of which has a point at a time.
#[cfg(feature = "mpi")]
fn deal(
    dealer: &WorkDealer<'_>,
    points: &Points<'_>,
    phases: bool,
    mut log: SweepLog,
    partial: &Path,
) -> Result<SweepLog, Failure> {
    let bar = bar(points, &log);
    let outcome = dealer.deal(log.missing(points), |index, answer| {
        match answer {
            PieceResult::Done(text) => log.append_text(index, &text)?,
            // It fails here, too, and says why.
            PieceResult::Failed => log.append(index, &sweep::rows(points.get(index), phases)?)?,
        }
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    outcome.map(|()| log).map_err(|error| failure(error, partial))
}

#[cfg(feature = "mpi")]
fn answer(case: Case, phases: bool) -> PieceResult {
    let rows = sweep::rows(case, phases).ok().and_then(|rows| sweep::text(&rows).ok());
    rows.map_or(PieceResult::Failed, PieceResult::Done)
}
