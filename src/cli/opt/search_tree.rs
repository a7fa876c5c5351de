//! `umm opt search-tree`

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::interval::{IntervalOptions, SHOWN, Times};
use crate::algorithms::opt::frequencies;
use crate::algorithms::opt::search_tree::{self, SearchTree as Problem};
use crate::chart::parse_tree::{key_or_leaf, search_tree_title};
use crate::cli::support::Failure;
use crate::host::files::path_text;

/// Find a binary search tree of least expected cost
///
/// Keys 1 … m are searched as often as their weights p_1 … p_m say, and what lies in the gaps before,
/// between and behind them as often as q_0 … q_m. A search costs the nodes on its path, the empty
/// leaf at which a gap ends included.
#[derive(Debug, Args)]
#[command(
    mut_arg("n", |it| it.help("Keys of the random tree [default: 1000]")),
    mut_arg("seed", |it| it.help("Seed of the random tree [default: 1]")),
    mut_arg("tree", |it| it.help("Write the tree, its empty leaves d0 … among it")),
)]
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
    #[command(flatten)]
    pub(super) options: IntervalOptions,
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "write numbers such as 0.15, with commas between".to_owned())
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct SearchTreeReport {
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
        let Some(solved) = self.options.solve(&problem)? else { return Ok(()) };
        let cost = problem.cost(solved.total);
        let title = search_tree_title(keys, cost);
        self.options.write_tree(&solved, &title, &key_or_leaf)?;
        let (parents, tree) =
            (problem.parents(&solved.triangles), problem.in_parentheses(&solved.triangles));
        let root = solved.triangles.first().map(|it| it.k);
        let report =
            SearchTreeReport { keys, cost, root, parents, tree, seed, times: solved.times };
        self.options.print(&report, render_text)
    }

    /// What is solved, and the seed, if it is random.
    fn problem(&self) -> Result<(Problem, Option<u64>), Failure> {
        let random = self.weights.as_deref() == Some(Path::new("random"));
        self.options.check(random)?;
        let (place, seed, [keys, gaps]) = match &self.weights {
            Some(_) if random => {
                let (keys, seed) = self.options.random_size("keys", 2)?;
                ("random".to_owned(), Some(seed), search_tree::random(keys, seed))
            }
            Some(path) => {
                let weights = frequencies::read(path).map_err(Failure::input)?;
                (path_text(path), None, weights)
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

fn render_text(report: &SearchTreeReport) -> String {
    let SearchTreeReport { keys, seed, cost, parents, .. } = report;
    let seed = seed.map_or_else(String::new, |seed| format!("  seed {seed}"));
    let head = format!(
        "search-tree  n = {keys}{seed}\n{}cost             {cost}\n",
        report.times.render_text()
    );
    if *keys > SHOWN {
        return head + "tree             long: see --json\n";
    }
    let depth = |key: usize| std::iter::successors(Some(key), |&it| parents[it - 1]).count() - 1;
    let lines = (1..=*keys).map(|key| format!("{}{key}\n", "    ".repeat(depth(key))));
    head + &format!("tree             {}\n\n", report.tree) + &lines.collect::<String>()
}
