//! Tables that pages state.

use clap::{Args, ValueEnum};
use memory_machine::algorithms::greedy::fast::plane_partition;
use memory_machine::algorithms::points::random::{self, PointDistribution};
use rayon::prelude::*;

use crate::{Failure, improvements};

/// Print a table of a page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo run --release -p xtask -- tables                seconds; without --release minutes
  cargo run --release -p xtask -- tables improvements   minutes")]
pub struct Tables {
    /// Which one.
    #[arg(value_enum, default_value = "mpi")]
    table: Table,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Table {
    /// Of docs/mpi.md: points of four cells that are left for one rank.
    Mpi,
    /// Of docs/improve.md: what the search makes of the listings of PolyBench.
    Improvements,
}

impl Tables {
    pub fn run(self) -> Result<(), Failure> {
        if matches!(self.table, Table::Improvements) {
            return improvements::print();
        }
        let (sizes, ranks) = ([1000, 10_000, 100_000], 4);
        let kinds =
            [PointDistribution::Square, PointDistribution::Clusters, PointDistribution::Gauss];
        println!("| n | square | clusters | Gauss |\n|---|---|---|---|");
        for n in sizes {
            let left = kinds.map(|kind| {
                let points = random::points(kind, n, 1);
                let of = |number| {
                    plane_partition::part(&points, number, ranks, &|_| ()).unfinished.len()
                };
                (0..ranks).into_par_iter().map(of).sum::<usize>().to_string()
            });
            println!("| {n} | {} |", left.join(" | "));
        }
        Ok(())
    }
}
