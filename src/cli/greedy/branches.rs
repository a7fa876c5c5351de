//! `umm greedy branches`

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::algorithms::greedy::branches::{Branches, count};
use crate::algorithms::greedy::paper::{self, MOST_POINTS};
use crate::algorithms::points::distinct;
use crate::algorithms::points::random::{self, PointDistribution};
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::{ANY, whole, word};
use crate::cli::support::point_set::fits_memory;
use crate::cli::support::progress::Bar;
use crate::cli::support::table::{Table, TableFile};
use crate::cli::support::{Failure, files};
use crate::grid::Grid;
use crate::theory::greedy::{operations_per_test, operations_per_test_published};

/// Count how often each branch of the paper's conflict test is taken
///
/// Shoemaker's F_n, the operations of a test, takes every branch for equally likely. Here are the
/// tests of whole triangulations of random points, each accepted line against each line left after
/// it, with conditions computed until they are decided; shares are of the tests, those of
/// crossings and orientations of the tests of lines that share no end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm greedy branches
  umm greedy branches -n 100 --runs 20 --distribution clusters --json")]
pub(super) struct CountBranches {
    /// Points, as in 64..256*2
    #[arg(short, value_name = "GRID", default_value = "64..256*2")]
    n: Grid,
    /// Sets of points of each size
    #[arg(long, default_value_t = 10, value_parser = whole::<u64>(1..=1_000_000))]
    runs: u64,
    /// Seed of the first set; each has the next
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(ANY))]
    seed: u64,
    /// How points are spread
    #[arg(long, value_parser = word::<PointDistribution>(), default_value = "square")]
    distribution: PointDistribution,
    #[command(flatten)]
    table: TableFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A row of the table as CSV: shares are parts of one.
#[derive(Serialize)]
struct Shares {
    n: u64,
    distribution: PointDistribution,
    seed: u64,
    runs: u64,
    tests: u64,
    /// Of the tests.
    sharing_an_end: f64,
    /// Of the tests of lines that share none; likewise below.
    orientations_differ: f64,
    crossing: f64,
    on_line: f64,
    operations_per_test: f64,
    corrected_operations_per_test: f64,
    published_operations_per_test: f64,
}

impl Shares {
    fn of(row: &Row) -> Self {
        let Row { n, distribution, seed, runs, branches: it, .. } = *row;
        let left = (it.tests - it.sharing) as f64;
        Self {
            n,
            distribution,
            seed,
            runs,
            tests: it.tests,
            sharing_an_end: it.sharing as f64 / it.tests as f64,
            orientations_differ: it.apart as f64 / left,
            crossing: it.crossing as f64 / left,
            on_line: it.on_line as f64 / left,
            operations_per_test: it.operations_per_test(),
            corrected_operations_per_test: operations_per_test(n),
            published_operations_per_test: operations_per_test_published(n),
        }
    }
}

/// All sets of one size, as `--json` has them.
#[derive(Serialize)]
struct Row {
    n: u64,
    distribution: PointDistribution,
    seed: u64,
    runs: u64,
    #[serde(flatten)]
    branches: Branches,
    operations: u64,
}

impl CountBranches {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.table.check()?;
        let most = MOST_POINTS as i64;
        if let Some(n) = self.n.0.iter().find(|n| !(3..=most).contains(*n)) {
            return Err(Failure::input(format_args!("-n {n}: give from 3 to {most} points")));
        }
        let most = self.n.0.iter().copied().max().unwrap_or(0) as usize;
        // As many sets at once as there are threads.
        let lines_a_point = most.div_ceil(2) * rayon::current_num_threads();
        fits_memory(most, (lines_a_point * paper::BYTES_PER_LINE) as u64)?;
        let bar = Bar::new(self.n.0.len() as u64 * self.runs, "sets");
        let rows: Vec<Row> =
            self.n.0.iter().map(|&n| self.row(n as u64, &bar)).collect::<Result<_, _>>()?;
        self.table.write(rows.iter().map(Shares::of))?;
        if self.json {
            return files::print_json(&json!({ "sizes": rows }));
        }
        files::print(&render_text(&rows))
    }

    fn row(&self, n: u64, bar: &Bar) -> Result<Row, Failure> {
        let Self { distribution, seed, runs, .. } = *self;
        let set = |run: u64| {
            let points = random::points(distribution, n as usize, seed.wrapping_add(run));
            let counted = count(&distinct(&points).points);
            bar.add(1);
            counted
        };
        let branches: Branches = (0..runs)
            .into_par_iter()
            .map(set)
            .collect::<Result<Vec<_>, _>>()
            .map_err(Failure::input)?
            .into_iter()
            .sum();
        let operations = branches.operations();
        Ok(Row { n, distribution, seed, runs, branches, operations })
    }
}

fn render_text(rows: &[Row]) -> String {
    let header = [
        "n",
        "runs",
        "tests",
        "share an end",
        "o1 ≠ o2",
        "cross",
        "o = 0",
        "operations a test",
        "corrected F_n",
        "published F_n",
    ];
    let mut table = Table::new(header).numbers(0..header.len());
    for Row { n, runs, branches: it, .. } in rows {
        let share = |part: u64, whole: u64| match whole {
            0 => "–".to_owned(),
            _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
        };
        let left = it.tests - it.sharing;
        table.row([
            n.to_string(),
            runs.to_string(),
            grouped(it.tests.into()),
            share(it.sharing, it.tests),
            share(it.apart, left),
            share(it.crossing, left),
            share(it.on_line, left),
            format!("{:.2}", it.operations_per_test()),
            format!("{:.2}", operations_per_test(*n)),
            format!("{:.2}", operations_per_test_published(*n)),
        ]);
    }
    let Some(Row { distribution, seed, .. }) = rows.first() else { return String::new() };
    format!("{distribution}  seeds from {seed} on\n\n{}\n", table.text())
}
