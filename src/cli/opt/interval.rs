//! What matrix chains and search trees have in common: options, the table, and its times.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::engine::{self, EngineOptions};
use super::outputs::{times, tree};
use crate::algorithms::opt::triangulation::chords;
use crate::algorithms::opt::{Problem, Triangle};
use crate::algorithms::polygon::chords::MOST_VERTICES;
use crate::chart::parse_tree::Label;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::graph_files::{check_tree, labelled_tree};
use crate::cli::support::numbers::{grouped, rate};
use crate::cli::support::options::{ANY, os, whole};

/// Options of both.
#[derive(Debug, Args)]
pub(super) struct IntervalOptions {
    /// Size of the random problem [default: 1000]
    #[arg(short, value_name = "N", value_parser = whole::<u64>(ANY))]
    n: Option<u64>,
    /// Seed of the random problem [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    /// Write the tree
    #[arg(long, value_name = "FILE.svg|.dot", value_parser = os(tree))]
    pub(super) tree: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl IntervalOptions {
    /// Refuses the options of random problems beside another one.
    pub(super) fn check(&self, is_random: bool) -> Result<(), Failure> {
        if !is_random && (self.n.is_some() || self.seed.is_some()) {
            return Err(Failure::input("-n and --seed are for random; leave them out"));
        }
        Ok(())
    }

    /// The size and the seed of a random problem. `what` is counted; its polygon has `more` vertices.
    pub(super) fn random_size(&self, what: &str, more: u64) -> Result<(usize, u64), Failure> {
        let (n, most) = (self.n.unwrap_or(1000), MOST_VERTICES as u64 - more);
        if n < 1 || n > most {
            return Err(Failure::input(format_args!("-n {n}: choose from 1 to {most} {what}")));
        }
        Ok((n as usize, self.seed.unwrap_or(1)))
    }

    /// Solves; `None` where another process tells what was found.
    pub(super) fn solve(
        &self,
        problem: &impl Problem<f64>,
    ) -> Result<Option<IntervalSolution>, Failure> {
        let n = problem.n();
        if let Some(path) = &self.tree {
            files::check_outputs([path])?;
            check_tree(path, n)?;
        }
        let Some(solved) = self.engine.solve(problem)? else { return Ok(None) };
        let engine::Solution {
            weight: total,
            triangles,
            relaxations,
            seconds,
            triangles_s,
            engine,
        } = solved;
        let relaxations_per_s = relaxations as f64 / seconds;
        let times = Times { engine, seconds, relaxations, relaxations_per_s, triangles_s };
        Ok(Some(IntervalSolution { n, total, triangles, times }))
    }

    /// Writes `--tree`, if it is given.
    pub(super) fn write_tree(
        &self,
        solved: &IntervalSolution,
        title: &str,
        label: Label,
    ) -> Result<(), Failure> {
        let Some(path) = &self.tree else { return Ok(()) };
        let text = labelled_tree(path, solved.n, &chords(&solved.triangles), title, label)?;
        files::write(path, |file| file.write_all(text.as_bytes()))
    }

    /// Prints a report, for programs or for people.
    pub(super) fn print<R: Serialize>(
        &self,
        report: &R,
        render_text: impl FnOnce(&R) -> String,
    ) -> Result<(), Failure> {
        if self.json { files::print_json(report) } else { files::print(&render_text(report)) }
    }
}

/// What a person wants to read whole.
pub(super) const SHOWN: usize = 100;

/// A solved problem.
pub(super) struct IntervalSolution {
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

impl Times {
    /// As a person reads them.
    pub(super) fn render_text(&self) -> String {
        format!(
            "f64  engine {}\n\n{}\n\nrelaxations      {} ({} a second)\n",
            self.engine,
            times(&[("table", self.seconds), ("triangles", self.triangles_s)]),
            grouped(self.relaxations.into()),
            rate(self.relaxations_per_s),
        )
    }
}
