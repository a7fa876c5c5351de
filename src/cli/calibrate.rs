//! `umm calibrate`

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use super::files::{self, print};
use crate::measure::{MICROBENCHMARKS, read, read_device, repetitions};
use crate::predict;

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

A folder of measurements is described in docs/measurements.md, the numbers in docs/fidelity.md.")]
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
        let device = read_device(&self.folder).map_err(Failure::input)?;
        let rows = read(&self.folder.join(MICROBENCHMARKS)).map_err(Failure::input)?;
        let name =
            self.name.clone().unwrap_or_else(|| device.name.to_lowercase().replace(' ', "-"));
        let model = predict::calibrate(&name, &device, &repetitions(rows))
            .map_err(|error| Failure::input(format_args!("{}/{error}", self.folder.display())))?;
        let text = model.text();
        match &self.output {
            Some(path) => files::write(path, |file| file.write_all(text.as_bytes())),
            None => print(&text),
        }
    }
}
