//! `umm fit`

use std::path::PathBuf;

use clap::Args;

use crate::chart::seconds;
use crate::cli::support::Failure;
use crate::cli::support::files::{self, print, print_json};
use crate::cli::support::table::Table;
use crate::cli::support::terminal::wrapped;
use crate::fit::Coefficient;
use crate::measure::DEVICE;
use crate::models::PublishedFit;
use crate::report::fits::{CurveFit, FitComparison, FolderFits};

/// Fit measured times of bulk runs to a + b·p seconds for p inputs, as the papers do
///
/// One line for each algorithm, size, arrangement, processor, number of GPUs and kind of launch
/// with three numbers of inputs or more, through the medians of the repetitions. Relative errors
/// are least, neither a nor b is negative, intervals are those of 95 % confidence (Student's t).
/// R² is of the relative errors; MAPE is the mean of |fitted − measured| / measured.
///
/// A folder of times that a paper states, as those of models/measurements, has no description of the
/// device: its times stand beside the lines that the paper publishes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm fit measured
  umm fit measured --json
  umm fit measured --csv fits.csv
  umm fit models/measurements/tani-gtx-titan

A folder of measurements is described in docs/measurements.md.")]
pub(super) struct Fit {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the fits as rows of a CSV file
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

impl Fit {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let found = FolderFits::read(&self.folder).map_err(Failure::input)?;
        if let Some(lack) = found.lack() {
            let folder = self.folder.display();
            return Err(Failure::input(format_args!("{folder}: {lack}")));
        }
        self.write_csv(&found.fits)?;
        if self.json {
            return print_json(&found);
        }
        let FolderFits { device, fits, points, .. } = &found;
        let Some(points) = points else {
            return print(&format!("{device}\n\n{}\n", render_text(fits)));
        };
        let mut text = wrapped(&format!(
            "{device}: times that a paper states; there is no {DEVICE} that describes the \
             device\n\n"
        ));
        if !fits.is_empty() {
            text += &format!("{}\n\n", render_text(fits));
        }
        print(&format!("{text}{}\n", each(points)))
    }

    fn write_csv(&self, fits: &[CurveFit]) -> Result<(), Failure> {
        let Some(path) = &self.csv else { return Ok(()) };
        let table = csv(fits).map_err(Failure::run)?;
        files::write(path, |file| file.write_all(&table))
    }
}

/// Times beside what published lines say of the same number of inputs.
fn each(points: &[FitComparison]) -> String {
    let header =
        ["algorithm", "execution", "inputs p", "stated", "published line", "at p", "off by"];
    let mut table = Table::new(header).numbers([2, 3, 5, 6]);
    for FitComparison { subject, time_s, published } in points {
        let inputs = subject.threads.unwrap_or(1);
        let cells = [subject.what(), subject.execution(), inputs.to_string(), seconds(*time_s)];
        let lines = published.iter().map(|it| {
            let line = it.fit.time_s(inputs);
            let off = 100.0 * (line - time_s) / time_s;
            [named(it), seconds(line), format!("{off:+.1} %")]
        });
        let lines: Vec<_> = lines.collect();
        for line in if lines.is_empty() { vec![Default::default()] } else { lines } {
            table.row(cells.iter().chain(&line));
        }
    }
    table.text()
}

/// A published line with its model: `gtx-titan: 14 µs + 1.35 ns·p`.
fn named(line: &PublishedFit) -> String {
    let (a, b) = (seconds(line.fit.fixed_s), seconds(line.fit.per_input_s));
    format!("{}: {a} + {b}·p", line.model)
}

fn render_text(fits: &[CurveFit]) -> String {
    let header = [
        "algorithm",
        "execution",
        "inputs p",
        "points",
        "a",
        "b",
        "R²",
        "MAPE",
        "95 % of a",
        "95 % of b",
        "published",
    ];
    let mut table = Table::new(header).numbers(3..10).long(8..11);
    for it in fits {
        let line = &it.line;
        let published = it.published.iter().map(named);
        table.row([
            it.subject.what(),
            it.subject.execution(),
            format!("{} … {}", it.inputs_from, it.inputs_to),
            line.points.to_string(),
            seconds(line.fixed_s.coefficient),
            seconds(line.per_input_s.coefficient),
            format!("{:.4}", line.r2),
            format!("{:.1} %", 100.0 * line.mape),
            interval(line.fixed_s),
            interval(line.per_input_s),
            published.collect::<Vec<_>>().join(", "),
        ]);
    }
    table.text()
}

fn interval(it: Coefficient) -> String {
    if it.high <= 0.0 {
        // Less than 0 would fit better, and is no time: there is no interval about it.
        "–".to_owned()
    } else if it.high.is_finite() {
        format!("{} … {}", seconds(it.low), seconds(it.high))
    } else {
        "any".to_owned()
    }
}

fn csv(fits: &[CurveFit]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut writer = csv::Writer::from_writer(vec![]);
    writer.write_record([
        "name",
        "set",
        "bulk",
        "launch",
        "processor",
        "devices",
        "inputs_from",
        "inputs_to",
        "points",
        "fixed_s",
        "fixed_s_low",
        "fixed_s_high",
        "per_input_s",
        "per_input_s_low",
        "per_input_s_high",
        "r2",
        "mape",
    ])?;
    for it in fits {
        let (subject, line) = (&it.subject, &it.line);
        let Coefficient { coefficient: a, low: a_low, high: a_high } = line.fixed_s;
        let Coefficient { coefficient: b, low: b_low, high: b_high } = line.per_input_s;
        writer.serialize((
            (&subject.name, &subject.set, &subject.bulk, &subject.launch, &subject.processor),
            (subject.devices, it.inputs_from, it.inputs_to, line.points),
            (a, a_low, a_high, b, b_low, b_high, line.r2, line.mape),
        ))?;
    }
    Ok(writer.into_inner()?)
}
