//! What matrix chains and search trees have in common: the table, and what is said of it.

use std::path::Path;

use serde::Serialize;

use super::engine::{self, EngineOptions, relaxations};
use super::outputs::times;
use crate::algorithms::opt::triangulation::chords;
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
    engine: &'static str,
    /// Of the table alone.
    seconds: f64,
    relaxations: u64,
    relaxations_per_s: f64,
    triangles_s: f64,
}

impl Solved {
    /// Solves what will be written as `tree`; `None` where another process tells what was found.
    pub(super) fn new(
        problem: &impl Problem<f64>,
        engine: EngineOptions,
        tree: Option<&Path>,
    ) -> Result<Option<Self>, Failure> {
        let n = problem.n();
        if let Some(path) = tree {
            files::check_outputs([path])?;
            check_tree(path, n)?;
        }
        let Some(solved) = engine.solve(problem)? else { return Ok(None) };
        let engine::Solved { weight: total, triangles, seconds, triangles_s, engine } = solved;
        let relaxations = relaxations(n);
        let relaxations_per_s = relaxations as f64 / seconds;
        let times = Times { engine, seconds, relaxations, relaxations_per_s, triangles_s };
        Ok(Some(Self { n, total, triangles, times }))
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
            "f64  engine {}\n\n{}\n\nrelaxations      {} ({:.3}·10⁹ a second)\n",
            self.engine,
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
