//! Tables that pages state.

use clap::Args;
use memory_machine::algorithms::greedy::fast::plane_partition;
use memory_machine::algorithms::points::random::{self, PointDistribution};
use rayon::prelude::*;

use crate::Failure;

/// Print the table of docs/mpi.md: points of four cells that are left for one rank.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo run --release -p xtask -- tables   seconds; without --release minutes")]
pub struct Tables {}

impl Tables {
    pub fn run(self) -> Result<(), Failure> {
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
