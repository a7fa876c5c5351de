//! The pictures of `plots/`: each is a command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};

use super::Plot;
use crate::cli::Failure;

/// Draw every picture of plots/, light and dark
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm plot gallery
  umm plot gallery -o /tmp")]
pub(super) struct Gallery {
    /// The folder of its data
    #[arg(default_value = "plots/data")]
    data: PathBuf,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR", default_value = "plots")]
    output: PathBuf,
}

/// Measurements.
const H200: &str = "DATA/../../models/measurements/nvidia-h200/2026-11-21";
const COMPARED: &str = "DATA/../../models/measurements/nvidia-h200/2026-11-22";
const PREDICTED: &str = "DATA/../../models/measurements/nvidia-h200/2026-11-22/predicted.csv";

/// Name, and what follows `umm plot`; `DATA` is the folder of data.
const PICTURES: &[(&str, &[&str])] = &[
    (
        "prefix-sums-time",
        &[
            "time",
            "DATA/prefix_sums.csv",
            "--title",
            "Bulk prefix-sums: column-wise stays on the latency's plateau for 32 times as many inputs",
        ],
    ),
    (
        "prefix-sums-speedup",
        &[
            "speedup",
            "DATA/prefix_sums.csv",
            "--baseline",
            "bulk=row",
            "--title",
            "Bulk prefix-sums: column-wise up to 32 times as fast on the UMM, 6 times on a GTX Titan",
        ],
    ),
    (
        "opt-time",
        &[
            "time",
            "DATA/opt.csv",
            "--title",
            "Bulk OPT: column-wise stays on the latency's plateau for 32 times as many inputs",
        ],
    ),
    (
        "opt-speedup",
        &[
            "speedup",
            "DATA/opt.csv",
            "--baseline",
            "bulk=row",
            "--title",
            "Bulk OPT: column-wise up to 32 times as fast on the UMM, 24 times on a GTX Titan",
        ],
    ),
    (
        "umm-opt-phases",
        &[
            "phases",
            "DATA/umm_opt_phases.csv",
            "--title",
            "Algorithm UMM-OPT: loops D and E take more than 90 % of the time",
        ],
    ),
    (
        "umm-opt-diagonals",
        &[
            "cells",
            "umm_opt",
            "--set",
            "n=12",
            "--phase",
            "D,E",
            "--time",
            "3",
            "--title",
            "Algorithm UMM-OPT, stage 3: the diagonals that it computes (Nakano 2013, Figure 10)",
        ],
    ),
    (
        "umm-opt-case-1",
        &[
            "cells",
            "umm_opt",
            "--set",
            "n=12",
            "--phase",
            "D",
            "--time",
            "3",
            "--iteration",
            "i=2",
            "--title",
            "Algorithm UMM-OPT, stage 3: Case 1 for row 2 (Nakano 2013, Figure 11)",
        ],
    ),
    (
        "umm-opt-case-2",
        &[
            "cells",
            "umm_opt",
            "--set",
            "n=12",
            "--phase",
            "E",
            "--time",
            "3",
            "--iteration",
            "i=2",
            "--title",
            "Algorithm UMM-OPT, stage 3: Case 2 for row 2, diagonal 2 copied to b (Nakano 2013, Figure 12)",
        ],
    ),
    (
        "umm-opt-regime",
        &[
            "regime",
            "DATA/umm_opt.csv",
            "--title",
            "Algorithm UMM-OPT: within 3.5 times the largest of three bounds",
        ],
    ),
    (
        "gtx-680-opt",
        &[
            "heat",
            "DATA/../../models/measurements/ito-nakano-gtx-680/table-1a.csv",
            "DATA/../../models/measurements/ito-nakano-gtx-680/table-1b.csv",
            "--title",
            "OPT of an 8192-gon on a GTX 680: mirrored blocks are the fastest, 5.94 s (Ito and Nakano 2013)",
        ],
    ),
    (
        "transpose",
        &[
            "arrangements",
            "DATA/transpose.csv",
            "--title",
            "Transpose on the DMM: by diagonals 16 times as fast as by rows or columns",
        ],
    ),
    (
        "occupancy",
        &[
            "occupancy",
            "DATA/prefix_sums_parallel.trace",
            "-w",
            "4",
            "-l",
            "8",
            "--title",
            "Parallel prefix-sums, n = 64: the pipeline is idle for more than half of the time",
        ],
    ),
    (
        "transpose-access",
        &[
            "access",
            "DATA/transpose.trace",
            "--step",
            "2",
            "-m",
            "dmm",
            "-w",
            "8",
            "--title",
            "Transpose by rows: eight writes meet in one bank and take eight stages",
            "--size",
            "900x560",
        ],
    ),
    (
        "hmm-sat-d",
        &[
            "time",
            "DATA/hmm_sat_d.csv",
            "--x",
            "d",
            "--by",
            "algorithm",
            "--title",
            "Summed area tables: 1R1W is fastest on few DMMs, 2R1W from 32 on",
        ],
    ),
    (
        "hmm-sat-w",
        &[
            "time",
            "DATA/hmm_sat_w.csv",
            "--x",
            "w",
            "--by",
            "algorithm",
            "--title",
            "Summed area tables: 1R1W is fastest up to w = 32, 2R1W beyond",
        ],
    ),
    (
        "hmm-transpose-d",
        &[
            "time",
            "DATA/hmm_transpose_d.csv",
            "--x",
            "d",
            "--by",
            "algorithm",
            "--title",
            "Transpose: through shared memory up to 14 times as fast as by rows",
        ],
    ),
    (
        "hmm-transpose-w",
        &[
            "time",
            "DATA/hmm_transpose_w.csv",
            "--x",
            "w",
            "--by",
            "algorithm",
            "--title",
            "Transpose: the wider its tiles the faster, as long as they are many",
        ],
    ),
    (
        "hmm-rap",
        &[
            "stages",
            "DATA/hmm_rap.csv",
            "--x",
            "w",
            "--by",
            "algorithm",
            "--title",
            "RAP: columns without conflicts, random accesses like balls into bins",
        ],
    ),
    (
        "hmm-sum",
        &[
            "regime",
            "DATA/hmm_sum.csv",
            "--title",
            "Sum on the HMM: bandwidth or latency rules, log n nowhere",
        ],
    ),
    (
        "hmm-opt-d",
        &[
            "time",
            "DATA/hmm_opt_d.csv",
            "--x",
            "d",
            "--by",
            "algorithm",
            "--title",
            "OPT of a 2048-gon: tiles in shared memory are 18 to 28 times as fast",
        ],
    ),
    (
        "hmm-opt-w",
        &[
            "time",
            "DATA/hmm_opt_w.csv",
            "--x",
            "w",
            "--by",
            "algorithm",
            "--title",
            "OPT of a 2048-gon: tiles of w × w are 4 to 27 times as fast",
        ],
    ),
    (
        "hmm-opt-n",
        &[
            "time",
            "DATA/hmm_opt_n.csv",
            "--x",
            "n",
            "--by",
            "algorithm",
            "--bounds",
            "--title",
            "OPT: tiles take less than Theorem 3 asks of a table in global memory",
        ],
    ),
    ("h200-prefix-sums", &["measured", H200, "--chart", "bulk", "--of", "prefix_sums n=32"]),
    ("h200-opt", &["measured", H200, "--chart", "bulk", "--of", "opt n=8"]),
    ("h200-arrangement", &["measured", H200, "--chart", "ratio", "--of", "GPU"]),
    ("h200-conflicts", &["measured", H200, "--chart", "staircase"]),
    (
        "h200-peers",
        &[
            "peers",
            "DATA/peers.csv",
            "--title",
            "Emitted CUDA on an H200: stencils, sums and transposes keep up with a person's",
        ],
    ),
    (
        "h200-opt-time",
        &[
            "measured",
            H200,
            "--chart",
            "opt-time",
            "--title",
            "An 8192-gon on NVIDIA H200: 9.3 ms by tiles, 257 ms by the paper's plan",
        ],
    ),
    (
        "h200-opt-rate",
        &[
            "measured",
            H200,
            "--chart",
            "opt-rate",
            "--title",
            "OPT on NVIDIA H200: f32 tiles reach 73 % of what registers alone do",
        ],
    ),
    (
        "h200-tb-bb",
        &[
            "heat",
            "DATA/../../models/measurements/nvidia-h200/2026-11-21/opt/table-1.csv",
            "--of",
            "n=8192",
            "--title",
            "OPT of an 8192-gon on NVIDIA H200: mirrored blocks are the fastest, 271 ms",
        ],
    ),
    (
        "h200-umm-opt",
        &[
            "measured", H200, "--chart", "time", "--of", "umm_opt", "--model", "h200", "--size",
            "1100x720",
        ],
    ),
    (
        "h200-fidelity",
        &[
            "measured",
            COMPARED,
            "--chart",
            "residuals",
            "--of",
            "extended",
            "--predicted",
            PREDICTED,
        ],
    ),
    (
        "h200-fidelity-scatter",
        &["measured", COMPARED, "--chart", "scatter", "--of", "extended", "--predicted", PREDICTED],
    ),
    (
        "h200-greedy-time",
        &[
            "measured",
            H200,
            "--chart",
            "greedy-time",
            "--title",
            "Greedy triangulation: 8192 points in 9 ms on a CPU, in 0.8 s by the paper's way on NVIDIA H200",
        ],
    ),
    ("h200-greedy-grid", &["measured", H200, "--chart", "greedy-grid", "--of", "n=8192"]),
    (
        "h200-greedy-rounds",
        &[
            "measured",
            H200,
            "--chart",
            "greedy-rounds",
            "--title",
            "Greedy triangulation: lines go much sooner than if each round eliminated as many",
        ],
    ),
    (
        "h200-hull-time",
        &[
            "measured",
            H200,
            "--chart",
            "hull-time",
            "--of",
            "square",
            "--title",
            "Convex hull of points in a square, NVIDIA H200: 128M points in 1.6 ms, filtered first",
        ],
    ),
    (
        "h200-hull-workers",
        &[
            "measured",
            H200,
            "--chart",
            "hull-workers",
            "--of",
            "square",
            "--title",
            "Convex hull of 16M points: 16 workers are 3 times as fast in chunks, 7 to 10 times filtered",
        ],
    ),
    (
        "h200-hull-crossover",
        &[
            "measured",
            H200,
            "--chart",
            "hull-crossover",
            "--title",
            "Convex hull in chunks: 16 workers are the fastest from a million points on",
        ],
    ),
    (
        "ranks",
        &[
            "time",
            "DATA/../../models/measurements/ranks/ranks.csv",
            "--x",
            "ranks",
            "--by",
            "algorithm",
            "--title",
            "MPI on one host of 16 cores: 16 ranks are 4 to 8 times as fast as one",
        ],
    ),
    (
        "airports-pipeline",
        &[
            "pipeline",
            "DATA/../../tests/data/airports-australia.csv",
            "--title",
            "Airports of Australia, in degrees: hull, optimal and greedy triangulation",
        ],
    ),
    (
        "random-pipeline",
        &[
            "pipeline",
            "random",
            "-n",
            "250",
            "--distribution",
            "gauss",
            "--seed",
            "7",
            "--title",
            "Of 250 points around a centre, 11 are on the hull",
        ],
    ),
];

/// Of these a PNG, too.
const BITMAPS: &[&str] = &["prefix-sums-time"];

impl Gallery {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        for (name, words) in PICTURES {
            for (theme, ending) in [("light", ""), ("dark", "-dark")] {
                let formats = if BITMAPS.contains(name) { &["svg", "png"][..] } else { &["svg"] };
                for format in formats {
                    let path = self.output.join(format!("{name}{ending}.{format}"));
                    self.picture(words, theme, &path)?;
                }
            }
        }
        Ok(())
    }

    fn picture(&self, words: &[&str], theme: &str, path: &Path) -> Result<(), Failure> {
        let word = |word: &&str| match word.strip_prefix("DATA/") {
            Some(file) => self.data.join(file).into_os_string(),
            None => word.into(),
        };
        let more = ["--theme".into(), theme.into(), "--output".into(), path.into()];
        let line = [OsString::from("plot")].into_iter().chain(words.iter().map(word)).chain(more);
        let matches = Plot::augment_args(Command::new("plot")).try_get_matches_from(line);
        let plot = matches.and_then(|it| Plot::from_arg_matches(&it)).map_err(Failure::run)?;
        plot.run()
    }
}
