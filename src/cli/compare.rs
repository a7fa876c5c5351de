//! `umm compare`

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use comfy_table::CellAlignment;
use rayon::prelude::*;
use serde_json::json;

use super::Failure;
use super::files::{self, print, print_json};
use super::models::ModelParser;
use super::options::{ANY, os, source, whole};
use super::predict::{Code, CountedOptions, calibration, compiled};
use super::progress::Bar;
use super::terminal;
use crate::case::LoadError;
use crate::chart::measured::{PredictedTime, Predictions};
use crate::measure::folder::Folder;
use crate::measure::listings::ListingError;
use crate::measure::predictions::PredictedRow;
use crate::measure::{Subject, Timing};
use crate::models::Model;
use crate::predict::compare::{
    Alike, CompareError, Compared, ModelErrors as Errors, alike, models,
};
use crate::predict::{Compile, Extension};
use crate::report::fidelity::{Ablation, Accuracy, FidelityTables};
use crate::run::WHILE_ITERATIONS;

/// Compare a calibrated machine's predictions with measured times of algorithms
///
/// Every point of one GPU in DIR/algorithms.csv: its median against the extended machine, against
/// the plain memory machine, and, where the listing is counted, against the extended with each
/// extension left out. Errors are |predicted − measured| / measured; the rank correlation is
/// Spearman's. Compiled code is counted as `umm predict` does.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm compare measured --model h200
  umm compare measured --model h200 --listing
  umm compare measured --model mine.toml --without overlap
  umm compare measured --model h200 --csv points.csv --json

A folder of measurements is described in docs/measurements.md, extensions in docs/fidelity.md.")]
pub(super) struct Compare {
    /// A folder of measurements
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A calibrated machine (see `umm calibrate`)
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = ModelParser)]
    model: Model,
    #[command(flatten)]
    counted: CountedOptions,
    /// What an array holds at first, where accesses depend on it: as for `umm run`; repeatable
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    inputs: Vec<(String, OsString)>,
    /// A sequential loop that is executed and iterates more often counts as endless
    #[arg(long, value_name = "ITERATIONS", default_value_t = WHILE_ITERATIONS, value_parser = whole::<u64>(ANY))]
    while_limit: u64,
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
            while_iterations: self.while_limit,
            is_compiled: self.counted.code() != Code::Listing,
        };
        let without = &self.counted.without;
        let points = compared(&folder.path, &timed, &self.model, without, settings)?;
        let models = models(&points);
        let Some((extended, others)) = models.split_first() else {
            return Err(Failure::input(format_args!(
                "{}: no algorithm was measured on one GPU; measure some: umm gpu measure",
                self.folder.display()
            )));
        };
        if let Some(path) = &self.csv {
            let table = csv(&points).map_err(Failure::run)?;
            files::write(path, |file| file.write_all(&table))?;
        }
        let compiled = points.iter().filter(|it| it.is_compiled).count();
        if self.json {
            let algorithms: Vec<_> = extended
                .algorithms
                .iter()
                .map(|(name, it)| json!({ "name": name, "points": it.points, "mape": it.mape }))
                .collect();
            // The plain machine takes too long to execute of some.
            let (plain, ablations) = match others {
                [plain, ablations @ ..] if plain.name == "plain" => (Some(plain), ablations),
                _ => (None, others),
            };
            let ablation: Vec<_> = ablations
                .iter()
                .map(|it| json!({ "name": it.name, "mape": it.all.mape }))
                .collect();
            return print_json(&json!({
                "points": extended.all.points,
                "mape": extended.all.mape,
                "median_ape": extended.all.median_ape,
                "worst_ape": extended.all.worst_ape,
                "rank_correlation": extended.all.rank_correlation,
                "algorithms": algorithms,
                "plain": { "mape": plain.map(|it| it.all.mape) },
                "compiled_points": compiled,
                "ablation": ablation,
            }));
        }
        let table = human(&folder.device.name, &self.model.name, &models);
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

/// The last question without inputs of its own, and its answer: a gallery asks for each picture of
/// predictions, in two themes, and an answer takes half a minute.
static LAST: Mutex<Option<(String, Vec<Compared>)>> = Mutex::new(None);

/// How programs are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings<'a> {
    /// What arrays hold at first.
    pub(super) inputs: &'a [(String, OsString)],
    /// More iterations of a loop that is executed count as endless.
    pub(super) while_iterations: u64,
    /// Whether compiled code is counted where it can be, in place of the listing.
    pub(super) is_compiled: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { inputs: &[], while_iterations: WHILE_ITERATIONS, is_compiled: false }
    }
}

/// Those of `points` of one GPU with their predictions, in order; listings are `folder`'s.
pub(super) fn compared(
    folder: &Path,
    points: &[&Timing],
    model: &Model,
    without: &[Extension],
    settings: Settings<'_>,
) -> Result<Vec<Compared>, Failure> {
    let asked = (folder, points, model, without, settings);
    let question = format!("{asked:?}");
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, answer)) = last.as_ref().filter(|it| it.0 == question) {
        return Ok(answer.clone());
    }
    let answer = compare(folder, points, model, without, settings)?;
    if settings.inputs.is_empty() {
        *last = Some((question, answer.clone()));
    }
    Ok(answer)
}

fn compare(
    folder: &Path,
    points: &[&Timing],
    model: &Model,
    without: &[Extension],
    settings: Settings<'_>,
) -> Result<Vec<Compared>, Failure> {
    let compile: Option<Compile<'_>> = settings.is_compiled.then_some(&compiled);
    let machine = calibration(model)?;
    let alike = alike(folder, points, settings.inputs)?;
    let bar = Bar::new(alike.iter().map(|it| it.points.len() as u64).sum(), "points");
    let of_alike = |points: Alike<'_>| {
        let compared = points.compared(model, machine, without, settings.while_iterations, compile);
        bar.add(compared.len() as u64);
        compared
    };
    let mut all: Vec<_> = alike.into_par_iter().flat_map_iter(of_alike).collect();
    all.sort_by_key(|it| it.0);
    let (mut found, mut too_large) = (vec![], vec![]);
    for (_, point) in all {
        match point {
            Ok(point) => found.push(point),
            Err(error) if error.is_of_size() => too_large.push(error),
            Err(error) => return Err(error.into()),
        }
    }
    // The others are worth having.
    if found.is_empty() && !too_large.is_empty() {
        return Err(too_large.swap_remove(0).into());
    }
    too_large.iter().for_each(|it| eprintln!("left out: {it}"));
    Ok(found)
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Case { subject, error } => {
                Self::from(error).after(&format!("at the measured point {subject}"))
            }
            CompareError::Listing {
                subject,
                error: ListingError::Load(LoadError::Unknown(name)),
            } => Self::input(format_args!(
                "{subject}: no shipped listing is called `{name}`, and the folder has neither \
                     listings/{name}-….alg nor a row of it in listings.csv; measure it again, so that \
                     its text is kept"
            )),
            CompareError::Listing { error: ListingError::Load(error), .. } => error.into(),
            CompareError::Listing { error, .. } => Self::input(error),
        }
    }
}

/// Predictions of the extended and the plain machine, as charts show them: 0, as in tables, is none.
pub(super) fn predictions(points: impl Iterator<Item = (Subject, f64, f64)>) -> Predictions {
    let prediction = |model: &str, time_s| PredictedTime { model: model.to_owned(), time_s };
    let both = |(subject, extended_s, plain_s)| {
        (subject, vec![prediction("extended", extended_s), prediction("plain UMM", plain_s)])
    };
    Predictions(points.map(both).collect())
}

pub(super) fn predictions_of(points: &[Compared]) -> Predictions {
    let of = |it: &Compared| (it.subject.clone(), it.predicted_s, it.plain_s.unwrap_or(0.0));
    predictions(points.iter().map(of))
}

/// What the page on measurements says of the predictions.
pub(super) fn tables(points: &[Compared]) -> FidelityTables {
    let models = models(points);
    let accuracies = models.iter().take(2).flat_map(|model| {
        model.algorithms.iter().map(|(algorithm, it)| Accuracy {
            model: model.name.clone(),
            algorithm: algorithm.clone(),
            points: it.points,
            mape: it.mape,
            worst: it.worst_ape,
        })
    });
    let ablations = models.iter().filter(|it| it.name != "plain").map(|it| Ablation {
        without: it.name.strip_prefix("without ").unwrap_or_default().to_owned(),
        points: it.all.points,
        mape: it.all.mape,
    });
    FidelityTables {
        accuracies: accuracies.collect(),
        ablations: ablations.collect(),
        predictions: predictions_of(points),
    }
}

fn human(device: &str, model: &str, models: &[Errors]) -> String {
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    let table = |header: &[&str], rows: Vec<Vec<String>>| {
        let mut table = terminal::table();
        table.set_header(header);
        table.add_rows(rows);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.trim_fmt()
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
    let numbers = ["points", "MAPE", "median", "worst", "rank correlation"];
    format!(
        "{device}  model {model}\n\n{}\n\n{}\n",
        table(&[&["machine"], &numbers[..]].concat(), all.collect()),
        table(&[&["algorithm", "machine"], &numbers[..]].concat(), each.collect())
    )
}

fn csv(points: &[Compared]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    let left = points.first().map_or(&[][..], |it| &it.ablated_s);
    let names = left.iter().map(|it| format!("without_{}_s", it.0));
    let fixed = PredictedRow::COLUMNS.into_iter().map(str::to_owned);
    writer.write_record(fixed.chain(names))?;
    for it in points {
        let Subject { name, set, bulk, threads, launch, prefetch, .. } = it.subject.clone();
        let (measured_s, extended_s, plain_s) = (it.measured_s, it.predicted_s, it.plain_s);
        let row = PredictedRow {
            name,
            set,
            bulk,
            threads,
            launch,
            prefetch,
            measured_s,
            extended_s,
            plain_s: plain_s.unwrap_or(0.0),
        };
        let ablated: Vec<f64> = it.ablated_s.iter().map(|it| it.1).collect();
        writer.serialize((row, ablated))?;
    }
    Ok(writer.into_inner()?)
}

/// The model that predicts for a folder's device if none is named: a shipped one of the device's
/// name.
pub(super) fn shipped(folder: &Folder) -> Option<Model> {
    let device = folder.device.name.to_lowercase();
    let words: Vec<&str> = device.split_whitespace().collect();
    let named = |it: &&(&str, &str)| words.join("-").ends_with(it.0);
    let (name, _) = crate::models::SHIPPED.iter().find(named)?;
    crate::models::find(name).filter(|it| it.calibration.is_some())
}
