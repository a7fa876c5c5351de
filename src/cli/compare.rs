//! `umm compare`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::support::Failure;
use super::support::comparison::{Settings, compared};
use super::support::files::{self, print, print_json};
use super::support::limits::LimitOptions;
use super::support::model::ModelParser;
use super::support::options::{os, source};
use super::support::prediction::{Code, CountedOptions};
use super::support::table::Table;
use crate::gpu::nvrtc;
use crate::host::files::path_text;
use crate::measure::folder::Folder;
use crate::models::Model;
use crate::predict::compare::{ModelErrors as Errors, model_errors, to_csv};

/// Compare a calibrated machine's predictions with measured times of algorithms
///
/// Every point of one GPU in DIR/algorithms.csv: its median against the calibrated machine, against
/// the plain memory machine, and, where the listing is counted, against the calibrated with each
/// extension left out. Errors are |predicted − measured| / measured; the rank correlation is
/// Spearman's. Compiled code is counted as `umm predict` does.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm compare measured --model h200
  umm compare measured --model h200 --listing
  umm compare measured --model mine.toml --without overlap
  umm compare measured --model h200 --csv points.csv --json

A folder of measurements is described in docs/measurements.md, extensions in docs/prediction-model.md.")]
pub(super) struct Compare {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A calibrated machine (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser, hide_possible_values = true)]
    model: Model,
    #[command(flatten)]
    counted: CountedOptions,
    /// What an array holds at first, where accesses depend on it: as for `umm run`; repeatable
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    inputs: Vec<(String, OsString)>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Write every point with all predictions as a row of a CSV file, of which `umm plot measured --predicted` draws
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let folder = Folder::read(&self.folder).map_err(Failure::input)?;
        files::check_outputs(&self.csv)?;
        let timed: Vec<_> = folder.algorithms.iter().collect();
        let settings = Settings {
            inputs: &self.inputs,
            while_iterations: self.limits.while_iterations(),
            work: self.limits.work(),
            is_compiled: match self.counted.code() {
                Code::Listing => false,
                Code::Compiled => true,
                Code::CompiledIfItCanBe => nvrtc::is_present(),
            },
        };
        let without = &self.counted.without;
        let comparison = compared(&folder.path, &timed, &self.model, without, settings)?;
        let Some(report) = comparison.json() else {
            return Err(Failure::input(format_args!(
                "{}: no algorithm was measured on one GPU; measure some: umm gpu measure",
                path_text(&self.folder)
            )));
        };
        let points = &comparison.points;
        if let Some(path) = &self.csv {
            let table = to_csv(points).map_err(Failure::run)?;
            files::write(path, |file| file.write_all(&table))?;
        }
        for (subject, reason) in comparison.fallbacks() {
            eprintln!("counted of the listing: {subject}: {reason}");
        }
        if self.json {
            return print_json(&report);
        }
        let compiled = comparison.compiled();
        let table = render_text(&folder.device.name, &self.model.name, &model_errors(points));
        let how = match settings.is_compiled {
            true => format!(
                "\nOf {compiled} points the compiled code was counted, of {} the listing.\n",
                points.len() - compiled
            ),
            false => String::new(),
        };
        print(&(table + &how))
    }
}

const NUMBERS: [&str; 5] = ["points", "MAPE", "median", "worst", "rank correlation"];

fn render_text(device: &str, model: &str, models: &[Errors]) -> String {
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    let table = |header: &[&str], rows: Vec<Vec<String>>| {
        // What names a row comes first.
        let numbers = header.len() - NUMBERS.len()..header.len();
        let mut table = Table::new(header.iter().copied()).numbers(numbers);
        rows.into_iter().for_each(|row| table.row(row));
        table.text()
    };
    let all = models.iter().map(|it| {
        let all = it.all;
        vec![
            it.name.clone(),
            all.points.to_string(),
            percent(all.mape),
            percent(all.median_ape),
            percent(all.worst_ape),
            format!("{:.3}", all.rank_correlation),
        ]
    });
    let each = models.iter().take(2).flat_map(|model| {
        model.algorithms.iter().map(|(name, it)| {
            vec![
                name.clone(),
                model.name.clone(),
                it.points.to_string(),
                percent(it.mape),
                percent(it.median_ape),
                percent(it.worst_ape),
                format!("{:.3}", it.rank_correlation),
            ]
        })
    });
    format!(
        "{device}  model {model}\n\n{}\n\n{}\n",
        table(&[&["machine"], &NUMBERS[..]].concat(), all.collect()),
        table(&[&["algorithm", "machine"], &NUMBERS[..]].concat(), each.collect())
    )
}
