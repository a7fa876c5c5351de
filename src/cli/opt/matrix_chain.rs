//! `umm opt matrix-chain`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::engine::EngineOptions;
use super::interval::{SHOWN, Solved, Times, random_size};
use super::outputs::tree;
use crate::algorithms::matrix::Matrix;
use crate::algorithms::opt::matrix_chain::{self, MatrixChain as Chain};
use crate::chart::parse_tree::{product, products_title};
use crate::cli::options::{ANY, os, whole};
use crate::cli::outcome::grouped;
use crate::cli::{Failure, files};

/// Find the cheapest order to multiply a chain of matrices
///
/// Matrix A_i has p_(i−1) rows and p_i columns; m matrices have m + 1 dimensions p_0 … p_m. A
/// product of a p × q and a q × r matrix costs p·q·r multiplications of numbers.
#[derive(Debug, Args)]
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
    /// Matrices of the random chain [default: 1000]
    #[arg(short, value_name = "N", value_parser = whole::<u64>(ANY))]
    n: Option<u64>,
    /// Seed of the random chain [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    /// Write the tree of products
    #[arg(long, value_name = "FILE.svg|.dot", value_parser = os(tree))]
    tree: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct Report {
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
        if self.tree.is_some() && matrices == 1 {
            return Err(Failure::input(
                "--tree: one matrix is no product; give two, or leave it out",
            ));
        }
        let solved = Solved::new(&chain, self.engine, self.tree.as_deref())?;
        let Some(solved) = solved else { return Ok(()) };
        let multiplications = solved.total as u64;
        if let Some(path) = &self.tree {
            let title = products_title(matrices, multiplications);
            solved.write_tree(path, &title, &product)?;
        }
        let (order, times) = (chain.order(&solved.triangles), solved.times);
        let report = Report { matrices, multiplications, order, seed, times };
        if self.json { files::print_json(&report) } else { files::print(&human(&report)) }
    }

    /// The chain, and the seed, if it is random.
    fn chain(&self) -> Result<(Chain, Option<u64>), Failure> {
        let random = self.dimensions == ["random"];
        if !random && (self.n.is_some() || self.seed.is_some()) {
            return Err(Failure::input("-n and --seed are for random; leave them out"));
        }
        if random {
            let (matrices, seed) = random_size((self.n, self.seed), "matrices", 1)?;
            let chain =
                Chain::new(&matrix_chain::random(matrices, seed)).map_err(Failure::input)?;
            return Ok((chain, Some(seed)));
        }
        let chain = match &self.file {
            Some(path) => Chain::new(&read(path)?)
                .map_err(|error| Failure::input(format_args!("{}: {error}", path.display())))?,
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
            path.display()
        )));
    }
    let whole = |(place, &number): (usize, &f64)| {
        // Up to here f64 holds every whole number.
        if number >= 1.0 && number < f64::EPSILON.recip() && number.fract() == 0.0 {
            return Ok(number as u64);
        }
        Err(Failure::input(format_args!(
            "{}:{}: column {}: {number} is no dimension; write a whole number from 1, below 2^52",
            path.display(),
            matrix.line(place / columns),
            place % columns + 1,
        )))
    };
    matrix.numbers.iter().enumerate().map(whole).collect()
}

fn human(report: &Report) -> String {
    let Report { matrices, seed, .. } = report;
    let seed = seed.map_or_else(String::new, |seed| format!("  seed {seed}"));
    let order = if *matrices <= SHOWN { &report.order } else { "long: see --json" };
    format!(
        "matrix-chain  n = {matrices}{seed}\n{}multiplications  {}\norder            {order}\n",
        report.times.human(),
        grouped(report.multiplications.into()),
    )
}
