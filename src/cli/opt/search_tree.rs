//! `umm opt search-tree`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::engine::EngineOptions;
use super::interval::{SHOWN, Solved, Times, random_size};
use super::outputs::tree;
use crate::algorithms::opt::frequencies;
use crate::algorithms::opt::search_tree::{self, SearchTree as Problem};
use crate::chart::parse_tree::{key_or_leaf, search_tree_title};
use crate::cli::options::{ANY, os, whole};
use crate::cli::{Failure, files};

/// Find a binary search tree of least expected cost
///
/// Keys 1 … m are searched as often as their weights p_1 … p_m say, and what lies in the gaps before,
/// between and behind them as often as q_0 … q_m. A search costs the nodes on its path, the empty
/// leaf at which a gap ends included.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm opt search-tree -p 0.15,0.10,0.05,0.10,0.20 -q 0.05,0.10,0.05,0.05,0.05,0.10
  umm opt search-tree weights.csv --tree tree.svg
  umm opt search-tree random -n 2000 --seed 7 --json
  umm opt search-tree random -n 20000 --engine gpu")]
pub(super) struct SearchTree {
    /// Lines p,q of a key and the gap behind it, the first with an empty p; or `random`: whole
    /// weights from 0 to 999
    #[arg(
        value_name = "FILE.csv|random",
        conflicts_with_all = ["keys", "gaps"]
    )]
    weights: Option<PathBuf>,
    /// Weights of the keys
    #[arg(
        id = "keys",
        short = 'p',
        value_name = "P,…",
        value_delimiter = ',',
        value_parser = number,
        allow_hyphen_values = true
    )]
    keys: Vec<f64>,
    /// Weights of the gaps [default: 0 each]
    #[arg(
        id = "gaps",
        short = 'q',
        value_name = "Q,…",
        value_delimiter = ',',
        value_parser = number,
        allow_hyphen_values = true,
        requires = "keys"
    )]
    gaps: Vec<f64>,
    /// Keys of the random tree [default: 1000]
    #[arg(short, value_name = "N", value_parser = whole::<u64>(ANY))]
    n: Option<u64>,
    /// Seed of the random tree [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    /// Write the tree, its empty leaves d0 … among it
    #[arg(long, value_name = "FILE.svg|.dot", value_parser = os(tree))]
    tree: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "write numbers such as 0.15, with commas between".to_owned())
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct Report {
    keys: usize,
    cost: f64,
    root: Option<usize>,
    /// Of each key; null for the root.
    parents: Vec<Option<usize>>,
    tree: String,
    seed: Option<u64>,
    #[serde(flatten)]
    times: Times,
}

impl SearchTree {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (problem, seed) = self.problem()?;
        let keys = problem.keys();
        let solved = Solved::new(&problem, self.engine, self.tree.as_deref())?;
        let Some(solved) = solved else { return Ok(()) };
        let cost = problem.cost(solved.total);
        if let Some(path) = &self.tree {
            let title = search_tree_title(keys, cost);
            solved.write_tree(path, &title, &key_or_leaf)?;
        }
        let (parents, tree) =
            (problem.parents(&solved.triangles), problem.in_parentheses(&solved.triangles));
        let root = solved.triangles.first().map(|it| it.k);
        let report = Report { keys, cost, root, parents, tree, seed, times: solved.times };
        if self.json { files::print_json(&report) } else { files::print(&human(&report)) }
    }

    /// What is solved, and the seed, if it is random.
    fn problem(&self) -> Result<(Problem, Option<u64>), Failure> {
        let random = self.weights.as_deref() == Some(Path::new("random"));
        if !random && (self.n.is_some() || self.seed.is_some()) {
            return Err(Failure::input("-n and --seed are for random; leave them out"));
        }
        let (place, seed, [keys, gaps]) = match &self.weights {
            Some(_) if random => {
                let (keys, seed) = random_size((self.n, self.seed), "keys", 2)?;
                ("random".to_owned(), Some(seed), search_tree::random(keys, seed))
            }
            Some(path) => {
                let weights = frequencies::read(path).map_err(Failure::input)?;
                (path.display().to_string(), None, weights)
            }
            None if self.keys.is_empty() => {
                return Err(Failure::input(
                    "no weights: give -p P,… and -q Q,…, or name FILE.csv, or random",
                ));
            }
            None if self.gaps.is_empty() => {
                ("-p".to_owned(), None, [self.keys.clone(), vec![0.0; self.keys.len() + 1]])
            }
            None => ("-p, -q".to_owned(), None, [self.keys.clone(), self.gaps.clone()]),
        };
        let problem = Problem::new(&keys, &gaps)
            .map_err(|error| Failure::input(format_args!("{place}: {error}")))?;
        Ok((problem, seed))
    }
}

fn human(report: &Report) -> String {
    let Report { keys, seed, cost, parents, .. } = report;
    let seed = seed.map_or_else(String::new, |seed| format!("  seed {seed}"));
    let head =
        format!("search-tree  n = {keys}{seed}\n{}cost             {cost}\n", report.times.human());
    if *keys > SHOWN {
        return head + "tree             long: see --json\n";
    }
    let depth = |key: usize| std::iter::successors(Some(key), |&it| parents[it - 1]).count() - 1;
    let lines = (1..=*keys).map(|key| format!("{}{key}\n", "    ".repeat(depth(key))));
    head + &format!("tree             {}\n\n", report.tree) + &lines.collect::<String>()
}
