//! `umm opt matrix-chain`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::interval::{IntervalOptions, SHOWN, Times};
use crate::algorithms::matrix::Matrix;
use crate::algorithms::opt::matrix_chain::{self, MatrixChain as Chain};
use crate::chart::parse_tree::{product, products_title};
use crate::cli::support::Failure;
use crate::cli::support::numbers::grouped;
use crate::host::files::path_text;

/// Find the cheapest order to multiply a chain of matrices
///
/// Matrix A_i has p_(i−1) rows and p_i columns; m matrices have m + 1 dimensions p_0 … p_m. A
/// product of a p × q and a q × r matrix costs p·q·r multiplications of numbers.
#[derive(Debug, Args)]
#[command(
    mut_arg("n", |it| it.help("Matrices of the random chain [default: 1000]")),
    mut_arg("seed", |it| it.help("Seed of the random chain [default: 1]")),
    mut_arg("tree", |it| it.help("Write the tree of products")),
)]
#[command(after_help = "\
Examples:
  umm opt matrix-chain 30 35 15 5 10 20 25
  umm opt matrix-chain --file dimensions.csv --tree order.svg
  umm opt matrix-chain random -n 2000 --seed 7 --json
  umm opt matrix-chain random -n 20000 --engine gpu")]
pub(super) struct MatrixChain {
    /// The dimensions, or `random`: whole numbers from 1 to 100
    #[arg(
        value_name = "P|random",
        allow_negative_numbers = true,
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    dimensions: Vec<String>,
    /// Read the dimensions from one line or one column of a file
    #[arg(long, value_name = "FILE.csv")]
    file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: IntervalOptions,
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct MatrixChainReport {
    matrices: usize,
    multiplications: u64,
    order: String,
    seed: Option<u64>,
    #[serde(flatten)]
    times: Times,
}

impl MatrixChain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (chain, seed) = self.chain()?;
        let matrices = chain.matrices();
        if self.options.tree.is_some() && matrices == 1 {
            return Err(Failure::input(
                "--tree: one matrix is no product; give two, or leave it out",
            ));
        }
        let Some(solved) = self.options.solve(&chain)? else { return Ok(()) };
        let multiplications = solved.total as u64;
        let title = products_title(matrices, multiplications);
        self.options.write_tree(&solved, &title, &product)?;
        let (order, times) = (chain.order(&solved.triangles), solved.times);
        let report = MatrixChainReport { matrices, multiplications, order, seed, times };
        self.options.print(&report, render_text)
    }

    /// The chain, and the seed, if it is random.
    fn chain(&self) -> Result<(Chain, Option<u64>), Failure> {
        let random = self.dimensions == ["random"];
        self.options.check(random)?;
        if random {
            let (matrices, seed) = self.options.random_size("matrices", 1)?;
            let chain =
                Chain::new(&matrix_chain::random(matrices, seed)).map_err(Failure::input)?;
            return Ok((chain, Some(seed)));
        }
        let chain = match &self.file {
            Some(path) => Chain::new(&read(path)?)
                .map_err(|error| Failure::input(format_args!("{}: {error}", path_text(path))))?,
            None => {
                let dimensions: Result<Vec<u64>, Failure> =
                    self.dimensions.iter().map(|it| dimension(it)).collect();
                Chain::new(&dimensions?).map_err(Failure::input)?
            }
        };
        Ok((chain, None))
    }
}

fn dimension(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| {
        Failure::input(format_args!(
            "'{text}' is no dimension; write whole numbers from 1, or --file FILE.csv, or random alone"
        ))
    })
}

/// Dimensions in one row or one column.
fn read(path: &Path) -> Result<Vec<u64>, Failure> {
    let matrix = Matrix::read_csv(path).map_err(Failure::input)?;
    let (rows, columns) = (matrix.rows, matrix.columns);
    if rows != 1 && columns != 1 {
        return Err(Failure::input(format_args!(
            "{}: {rows} rows of {columns} numbers; write all dimensions in one row or one column",
            path_text(path)
        )));
    }
    let whole = |(place, &number): (usize, &f64)| {
        // Up to here f64 holds every whole number.
        if number >= 1.0 && number < f64::EPSILON.recip() && number.fract() == 0.0 {
            return Ok(number as u64);
        }
        Err(Failure::input(format_args!(
            "{}:{}: column {}: {number} is no dimension; write a whole number from 1, below 2^52",
            path_text(path),
            matrix.line(place / columns),
            place % columns + 1,
        )))
    };
    matrix.numbers.iter().enumerate().map(whole).collect()
}

fn render_text(report: &MatrixChainReport) -> String {
    let MatrixChainReport { matrices, seed, .. } = report;
    let seed = seed.map_or_else(String::new, |seed| format!("  seed {seed}"));
    let order = if *matrices <= SHOWN { &report.order } else { "long: see --json" };
    format!(
        "matrix-chain  n = {matrices}{seed}\n{}multiplications  {}\norder            {order}\n",
        report.times.render_text(),
        grouped(report.multiplications.into()),
    )
}
