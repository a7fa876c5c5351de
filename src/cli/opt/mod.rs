//! `umm opt`

mod engine;
mod measure;
mod outputs;
mod solve;
mod tune;

use clap::{Args, Subcommand};

use super::Failure;

/// Triangulate polygons with least total weight
#[derive(Debug, Args)]
pub(super) struct Opt {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Solve),
    Measure(measure::Measure),
    Tune(tune::Tune),
}

impl Opt {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Solve(solve) => solve.run(),
            Command::Measure(measure) => measure.run(),
            Command::Tune(tune) => tune.run(),
        }
    }
}
