//! `umm calibrate`

use std::path::PathBuf;

use clap::Args;

use crate::cli::support::Failure;
use crate::cli::support::files::{self, print};
use crate::predict::calibrate_folder;

/// Calibrate a machine from microbenchmarks, for predictions in seconds
///
/// Reads DIR/device.json and DIR/microbenchmarks.csv and nothing else: no time of an algorithm. Every
/// number of the machine names the rows that it was fitted to, and how far it misses them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm gpu measure microbenchmarks -o measured
  umm calibrate measured -o mine.toml --name mine
  umm predict prefix_sums --set n=1024 --bulk column -p 65536 --model mine.toml

A folder of measurements is described in docs/measurements.md, the numbers in docs/prediction-model.md.")]
pub(super) struct Calibrate {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The described machine's name [default: the device's]
    #[arg(long)]
    name: Option<String>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
}

impl Calibrate {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let model = calibrate_folder(&self.folder, self.name.as_deref()).map_err(Failure::input)?;
        let text = model.text();
        match &self.output {
            Some(path) => files::write(path, |file| file.write_all(text.as_bytes())),
            None => print(&text),
        }
    }
}
