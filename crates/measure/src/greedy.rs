//! Engines of greedy triangulation; how their lines become fewer, round by round; and the times that
//! Shoemaker publishes.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::read::{parse, read_if_there};
use super::{
    Checked, GREEDY, Implausible, MeasurementError, ROUNDS, Repetitions, Row, plausibility,
    repetitions,
};
use memory_machine_case::sample::{Sample, Settings};
use memory_machine_core::keyword::keywords;
use memory_machine_geometry::points::random::PointDistribution;

/// An engine. Variants stand by their words, as tables are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GreedyEngine {
    /// Without generating all lines, on the CPU.
    Fast,
    /// The paper's algorithm on a GPU.
    Gpu,
    /// The paper's algorithm over the ranks of MPI.
    Mpi,
    /// As [`Self::Fast`], in cells of the plane over the ranks of MPI.
    MpiFast,
    /// The paper's algorithm on one core, lines generated, sorted and tested one after another.
    Paper,
}

keywords! { GreedyEngine {
    Fast "fast" "Without generating all lines: near-linear time on the CPU"
    Paper "paper" "Shoemaker's algorithm on one core: all lines, sorted, then a round an edge"
    Gpu "gpu" "Shoemaker's algorithm on a GPU, in --blocks blocks of --threads threads"
    Mpi "mpi" "Shoemaker's algorithm over the ranks that mpirun starts: lines in shares"
    MpiFast "mpi-fast" "The engine fast over the ranks that mpirun starts: points in cells"
} }

impl GreedyEngine {
    /// Whether the ranks of MPI do it together.
    pub fn is_over_ranks(self) -> bool {
        matches!(self, Self::Mpi | Self::MpiFast)
    }
}

impl super::Engine for GreedyEngine {
    fn is_on_gpu(self) -> bool {
        self == Self::Gpu
    }
}

/// One triangulation: a row of `greedy.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GreedyRepetition {
    /// Which one ran.
    pub engine: GreedyEngine,
    /// Distinct points.
    pub n: u64,
    /// Of the random points.
    pub distribution: PointDistribution,
    /// Of the random points.
    pub seed: u64,
    /// On a GPU, its blocks.
    pub blocks: Option<u32>,
    /// Threads of each block, on a GPU.
    pub threads: Option<u32>,
    /// Of the triangulation.
    pub edges: u64,
    /// Lines accepted, by the paper's algorithm.
    pub rounds: Option<u64>,
    /// Tests of a line against an accepted one, by the paper's algorithm.
    pub tests: Option<u64>,
    /// Seconds to make all lines, of the paper's algorithm.
    pub generate_s: Option<f64>,
    /// Seconds to sort the lines, of the paper's algorithm.
    pub sort_s: Option<f64>,
    /// Seconds of all rounds, of the paper's algorithm.
    pub triangulate_s: Option<f64>,
    /// Seconds of the whole, from points in memory to edges in memory.
    pub time_s: f64,
    /// From 0.
    pub repetition: u64,
    /// `all` if every edge was compared with another engine's before timing, in order; `checked` if
    /// count, planarity and order were verified; or `none`.
    pub verified: String,
}

/// What all repetitions have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GreedySubject {
    /// As [`GreedyRepetition::engine`].
    pub engine: GreedyEngine,
    /// As [`GreedyRepetition::distribution`].
    pub distribution: PointDistribution,
    /// As [`GreedyRepetition::n`].
    pub n: u64,
    /// As [`GreedyRepetition::seed`].
    pub seed: u64,
    /// As [`GreedyRepetition::blocks`].
    pub blocks: Option<u32>,
    /// As [`GreedyRepetition::threads`].
    pub threads: Option<u32>,
}

impl Checked for GreedyRepetition {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::points(self.n, FEWEST_POINTS)?;
        let steps = [
            ("generate_s", self.generate_s),
            ("sort_s", self.sort_s),
            ("triangulate_s", self.triangulate_s),
        ];
        for (name, step) in steps {
            step.map_or(Ok(()), |it| plausibility::seconds(name, it))?;
        }
        plausibility::seconds("time_s", self.time_s)
    }
}

impl Row for GreedyRepetition {
    type Subject = GreedySubject;

    fn subject(&self) -> GreedySubject {
        GreedySubject {
            engine: self.engine,
            distribution: self.distribution,
            n: self.n,
            seed: self.seed,
            blocks: self.blocks,
            threads: self.threads,
        }
    }

    fn time_s(&self) -> f64 {
        self.time_s
    }
}

impl fmt::Display for GreedySubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} n={} seed={}", self.engine, self.distribution, self.n, self.seed)?;
        match (self.blocks, self.threads) {
            (Some(blocks), Some(threads)) => write!(f, " b={blocks} t={threads}"),
            _ => Ok(()),
        }
    }
}

/// Lines that are neither accepted nor eliminated when a round begins: a row of
/// `greedy_rounds.csv`, which has some of a run's rounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GreedyRound {
    /// Points.
    pub n: u64,
    /// Of the random points.
    pub distribution: PointDistribution,
    /// Of the random points.
    pub seed: u64,
    /// All of the run.
    pub rounds: u64,
    /// From 0.
    pub round: u64,
    /// Lines that are left, in the sense above.
    pub alive: u64,
}

impl Checked for GreedyRound {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::points(self.n, FEWEST_POINTS)?;
        plausibility::count("rounds", self.rounds, 1.max(self.round))?;
        plausibility::count("alive", self.alive, 0)
    }
}

/// The rows of `greedy_rounds.csv`; none if it is not there.
///
/// # Errors
/// [`MeasurementError`] if it is malformed.
pub fn read_rounds(path: &Path) -> Result<Vec<GreedyRound>, MeasurementError> {
    read_if_there(path)
}

/// What a folder holds of greedy triangulation.
#[derive(Debug, Clone, Default)]
pub struct GreedyMeasurements {
    /// One for each subject, of `greedy.csv`.
    pub runs: Vec<Repetitions<GreedyRepetition>>,
    /// In the order of `greedy_rounds.csv`.
    pub rounds: Vec<GreedyRound>,
}

impl GreedyMeasurements {
    /// # Errors
    /// [`MeasurementError`] if a file that is there is malformed.
    pub fn read(folder: &Path) -> Result<Self, MeasurementError> {
        let (runs, rounds) = (folder.join(GREEDY), folder.join(ROUNDS));
        Ok(Self { runs: repetitions(read_if_there(&runs)?), rounds: read_rounds(&rounds)? })
    }

    /// Whether neither file has a row.
    pub const fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.rounds.is_empty()
    }

    /// The runs of an engine on uniform points by ascending n: of several numbers of blocks and
    /// threads the fastest.
    pub fn engine(&self, engine: GreedyEngine) -> Vec<&Repetitions<GreedyRepetition>> {
        let mut best: Vec<&Repetitions<GreedyRepetition>> = vec![];
        for run in self.uniform().filter(|it| it.subject.engine == engine) {
            match best.iter_mut().find(|it| it.subject.n == run.subject.n) {
                Some(it) if run.median_s() < it.median_s() => *it = run,
                Some(_) => {}
                None => best.push(run),
            }
        }
        best.sort_by_key(|it| it.subject.n);
        best
    }

    /// Runs on points as the paper's are: uniform in a square.
    pub fn uniform(&self) -> impl Iterator<Item = &Repetitions<GreedyRepetition>> {
        self.runs.iter().filter(|it| it.subject.distribution == PointDistribution::Square)
    }
}

/// Fewer points have no greedy triangulation to time.
pub const FEWEST_POINTS: u64 = 4;

/// Times that Shoemaker publishes: seconds over n.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PublishedTimes {
    /// The whole serial program on the CPU of bg9.
    pub serial: Vec<(u64, f64)>,
    /// The triangulation step by 64 processes of a cluster.
    pub mpi: Vec<(u64, f64)>,
    /// The triangulation step on the GPU of bg9, best numbers of blocks and threads.
    pub gpu: Vec<(u64, f64)>,
    /// The same by n, blocks and threads of a block.
    pub grid: Vec<([u64; 3], f64)>,
}

/// # Panics
/// Never: a test reads the shipped tables.
pub fn published() -> PublishedTimes {
    macro_rules! table {
        ($name:literal) => {{
            let path = concat!("models/measurements/shoemaker-bg9/", $name);
            let text = include_str!(concat!("../models/measurements/shoemaker-bg9/", $name));
            parse(Path::new(path), text.as_bytes()).expect("shipped tables are well-formed")
        }};
    }
    let value = |set: &Settings, name: &str| set.0.get(name).and_then(|&it| u64::try_from(it).ok());
    let times = |rows: Vec<Sample>, phase: Option<&str>| {
        let rows = rows.into_iter().filter(|it| it.phase.as_deref() == phase);
        rows.filter_map(|it| Some((value(&it.set, "n")?, it.time_s?))).collect()
    };
    let cell = |it: &Sample| {
        let [n, blocks, threads] =
            ["n", "blocks", "threads_per_block"].map(|name| value(&it.set, name));
        Some(([n?, blocks?, threads?], it.time_s?))
    };
    PublishedTimes {
        serial: times(table!("serial.csv"), None),
        mpi: times(table!("mpi.csv"), Some("triangulation")),
        gpu: times(table!("gpu.csv"), Some("triangulation")),
        grid: table!("grid.csv").iter().filter_map(cell).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_tables_are_whole() {
        let it = published();
        assert_eq!([it.serial.len(), it.mpi.len(), it.gpu.len()], [5, 6, 8]);
        assert_eq!(it.serial[4], (2896, 1407.0545));
        assert_eq!(it.mpi[5], (4000, 177.73));
        assert_eq!(it.gpu[7], (8192, 240.101));
        assert_eq!(it.grid.len(), 98);
        assert!(it.grid.contains(&([8192, 1024, 512], 240.101)));
    }
}
