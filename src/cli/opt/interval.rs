//! What matrix chains and search trees have in common: the table, and what is said of it.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::engine::{relaxations, table};
use super::outputs::times;
use crate::algorithms::opt::triangulation::{chords, triangles};
use crate::algorithms::opt::{Problem, Triangle};
use crate::algorithms::polygon::chords::MOST_VERTICES;
use crate::chart::parse_tree::Label;
use crate::cli::Failure;
use crate::cli::files;
use crate::cli::graph::{check_tree, labelled_tree};
use crate::cli::outcome::grouped;

/// What a person wants to read whole.
pub(super) const SHOWN: usize = 100;

/// A solved problem.
pub(super) struct Solved {
    n: usize,
    pub(super) total: f64,
    pub(super) triangles: Vec<Triangle>,
    pub(super) times: Times,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Times {
    /// Of the table alone.
    seconds: f64,
    relaxations: u64,
    relaxations_per_s: f64,
    triangles_s: f64,
}

impl Solved {
    /// Solves what will be written as `tree`.
    pub(super) fn new(problem: &impl Problem<f64>, tree: Option<&Path>) -> Result<Self, Failure> {
        let n = problem.n();
        if let Some(path) = tree {
            files::check_outputs([path])?;
            check_tree(path, n)?;
        }
        let (table, seconds) = table(problem)?;
        let started = Instant::now();
        let triangles = triangles(problem, |a, b| table.get(a, b)).map_err(Failure::run)?;
        let triangles_s = started.elapsed().as_secs_f64();
        let relaxations = relaxations(n);
        let relaxations_per_s = relaxations as f64 / seconds;
        let times = Times { seconds, relaxations, relaxations_per_s, triangles_s };
        Ok(Self { n, total: table.get(0, n - 1), triangles, times })
    }

    /// Writes `--tree`.
    pub(super) fn write_tree(&self, path: &Path, title: &str, label: Label) -> Result<(), Failure> {
        let text = labelled_tree(path, self.n, &chords(&self.triangles), title, label)?;
        files::write(path, |file| file.write_all(text.as_bytes()))
    }
}

impl Times {
    /// As a person reads them.
    pub(super) fn human(&self) -> String {
        format!(
            "f64  engine cpu\n\n{}\n\nrelaxations      {} ({:.3}·10⁹ a second)\n",
            times(&[("table", self.seconds), ("triangles", self.triangles_s)]),
            grouped(self.relaxations.into()),
            self.relaxations_per_s / 1e9,
        )
    }
}

/// The size and the seed of a random problem, from `-n` and `--seed`. `what` is counted; its polygon
/// has `more` vertices.
pub(super) fn random_size(
    (n, seed): (Option<u64>, Option<u64>),
    what: &str,
    more: u64,
) -> Result<(usize, u64), Failure> {
    let (n, most) = (n.unwrap_or(1000), MOST_VERTICES as u64 - more);
    if n < 1 || n > most {
        return Err(Failure::input(format_args!("-n {n}: choose from 1 to {most} {what}")));
    }
    Ok((n as usize, seed.unwrap_or(1)))
}
