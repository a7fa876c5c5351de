//! The pictures of `plots/`: each is a command line.

use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};

use super::Plot;
use crate::cli::Failure;

/// Measurements, from the folder of data.
const H200: &str = "../../models/measurements/nvidia-h200/2026-11-21";

/// Name, and what follows `umm plot`; a file is in the folder of data.
const PICTURES: &[(&str, &[&str])] = &[
    (
        "prefix-sums-time",
        &[
            "time",
            "prefix_sums.csv",
            "--title",
            "Bulk prefix-sums: predicted by the UMM, and published for GTX Titan",
        ],
    ),
    (
        "prefix-sums-speedup",
        &[
            "speedup",
            "prefix_sums.csv",
            "--baseline",
            "bulk=row",
            "--title",
            "Bulk prefix-sums: column-wise against row-wise",
        ],
    ),
    (
        "opt-time",
        &[
            "time",
            "opt.csv",
            "--title",
            "Bulk OPT: predicted by the UMM, and published for GTX Titan",
        ],
    ),
    (
        "opt-speedup",
        &[
            "speedup",
            "opt.csv",
            "--baseline",
            "bulk=row",
            "--title",
            "Bulk OPT: column-wise against row-wise",
        ],
    ),
    (
        "umm-opt-phases",
        &["phases", "umm_opt_phases.csv", "--title", "Algorithm UMM-OPT: where the time goes"],
    ),
    (
        "umm-opt-regime",
        &["regime", "umm_opt.csv", "--title", "Algorithm UMM-OPT: what bounds its time"],
    ),
    (
        "gtx-680-opt",
        &[
            "heat",
            "../../models/measurements/ito-nakano-gtx-680/table-1a.csv",
            "../../models/measurements/ito-nakano-gtx-680/table-1b.csv",
            "--title",
            "OPT of an 8192-gon: thread-based and block-based, by arrangement (Ito and Nakano 2013)",
        ],
    ),
    (
        "transpose",
        &[
            "arrangements",
            "transpose.csv",
            "--title",
            "Transpose on the DMM: rows, columns, diagonals",
        ],
    ),
    (
        "occupancy",
        &[
            "occupancy",
            "prefix_sums_parallel.trace",
            "-w",
            "4",
            "-l",
            "8",
            "--title",
            "The pipeline of parallel prefix-sums, n = 64",
        ],
    ),
    (
        "transpose-access",
        &[
            "access",
            "transpose.trace",
            "--step",
            "2",
            "-m",
            "dmm",
            "-w",
            "8",
            "--title",
            "Transpose by rows: a warp's writes meet in one bank",
        ],
    ),
    ("h200-prefix-sums", &["measured", H200, "--chart", "bulk", "--of", "prefix_sums n=32"]),
    ("h200-opt", &["measured", H200, "--chart", "bulk", "--of", "opt n=8"]),
    ("h200-arrangement", &["measured", H200, "--chart", "ratio", "--of", "GPU"]),
    ("h200-conflicts", &["measured", H200, "--chart", "staircase"]),
    ("h200-opt-time", &["measured", H200, "--chart", "opt-time"]),
    ("h200-opt-rate", &["measured", H200, "--chart", "opt-rate"]),
    (
        "h200-tb-bb",
        &[
            "heat",
            "../../models/measurements/nvidia-h200/2026-11-21/opt/table-1.csv",
            "--of",
            "n=8192",
            "--title",
            "OPT of an 8192-gon on NVIDIA H200: TB and BB, by arrangement",
        ],
    ),
    ("h200-umm-opt", &["measured", H200, "--chart", "time", "--of", "umm_opt", "--model", "h200"]),
    (
        "h200-fidelity",
        &["measured", H200, "--chart", "scatter", "--of", "extended", "--model", "h200"],
    ),
    ("h200-greedy-time", &["measured", H200, "--chart", "greedy-time"]),
    ("h200-greedy-grid", &["measured", H200, "--chart", "greedy-grid", "--of", "n=8192"]),
    ("h200-greedy-rounds", &["measured", H200, "--chart", "greedy-rounds"]),
    ("h200-hull-time", &["measured", H200, "--chart", "hull-time", "--of", "square"]),
    ("h200-hull-workers", &["measured", H200, "--chart", "hull-workers", "--of", "square"]),
    (
        "airports-pipeline",
        &[
            "pipeline",
            "../../tests/data/airports-australia.csv",
            "--title",
            "Airports of Australia: hull, optimal and greedy triangulation",
        ],
    ),
    (
        "random-pipeline",
        &["pipeline", "random", "-n", "250", "--distribution", "gauss", "--seed", "7"],
    ),
];

/// Of these a PNG, too.
const BITMAPS: &[&str] = &["prefix-sums-time"];

/// Draws all, light and dark, into the folder of `-o`, or into `plots`.
pub(super) fn draw(plot: &Plot) -> Result<(), Failure> {
    let data = match &plot.samples[..] {
        [] => Path::new("plots/data"),
        [folder] => folder,
        _ => return Err(Failure::input("name one folder of data for the gallery")),
    };
    let folder = plot.output.clone().unwrap_or_else(|| PathBuf::from("plots"));
    for (name, arguments) in PICTURES {
        for (theme, ending) in [("light", ""), ("dark", "-dark")] {
            let svg = folder.join(format!("{name}{ending}.svg"));
            picture(data, arguments, theme, svg)?;
            if BITMAPS.contains(name) {
                picture(data, arguments, theme, folder.join(format!("{name}{ending}.png")))?;
            }
        }
    }
    Ok(())
}

fn picture(data: &Path, arguments: &[&str], theme: &str, path: PathBuf) -> Result<(), Failure> {
    let theme = ["--theme", theme];
    let words = ["plot"].iter().chain(arguments).chain(&theme);
    let matches = Plot::augment_args(Command::new("plot")).try_get_matches_from(words);
    let plot = matches.and_then(|it| Plot::from_arg_matches(&it)).map_err(Failure::run)?;
    let in_data = |it: &PathBuf| if it == "random" { it.clone() } else { data.join(it) };
    let samples = plot.samples.iter().map(in_data).collect();
    Plot { samples, output: Some(path), ..plot }.run()
}
