//! `umm opt`

mod tune;

use clap::{Args, Subcommand};

use super::Failure;

/// Optimal polygon triangulation
#[derive(Debug, Args)]
pub(super) struct Opt {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Tune(tune::Tune),
}

impl Opt {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Tune(tune) => tune.run(),
        }
    }
}
