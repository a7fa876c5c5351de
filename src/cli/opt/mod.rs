//! `umm opt`

mod engine;
mod interval;
mod matrix_chain;
mod measure;
mod outputs;
mod region_report;
mod regions;
mod search_tree;
mod solve;
mod tune;

use clap::{Args, Subcommand};

use crate::cli::support::Failure;

/// Triangulate polygons of least weight, and solve what has the same recurrence
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm opt solve tests/data/laos.geojson --draw laos.svg
  umm opt matrix-chain 30 35 15 5 10 20 25
  umm opt search-tree -p 0.15,0.10,0.05,0.10,0.20
  umm opt tune -n 8192 -o plan.toml
  umm opt measure -n 1024..65536*2 -o measured")]
pub(super) struct Opt {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Solve),
    Measure(measure::Measure),
    Tune(tune::Tune),
    MatrixChain(matrix_chain::MatrixChain),
    SearchTree(search_tree::SearchTree),
}

impl Opt {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Solve(solve) => solve.engine.fail_once(solve.run()),
            Command::Measure(measure) => measure.run(),
            Command::Tune(tune) => tune.run(),
            Command::MatrixChain(matrix_chain) => {
                matrix_chain.options.engine.fail_once(matrix_chain.run())
            }
            Command::SearchTree(search_tree) => {
                search_tree.options.engine.fail_once(search_tree.run())
            }
        }
    }
}
