//! Folders of measurements: fits, comparisons, calibrations, the page.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use memory_machine::chart::measurement::{Chart, MeasurementSource, Predictions, figure};
use memory_machine::measure::Timing;
use memory_machine::measure::folder::{self, Folder};
use memory_machine::models::{self, Calibration, Model, calibrated_for, published};
use memory_machine::predict::compare::model_errors as errors_of;
use memory_machine::predict::{CompareOptions, Comparison, Extension, calibrate_folder};
use memory_machine::report::fidelity::predictions_of;
use memory_machine::report::fits::FolderFits;
use memory_machine::report::{FidelityTables, page};
use memory_machine::run::WHILE_ITERATIONS;
use pyo3::prelude::*;
use serde_json::json as value;

use crate::error;
use crate::interrupt::interruptible;
use crate::plot::{Look, canvas};
use crate::setting::{json, word};

/// The shipped models, as JSON.
#[pyfunction]
pub fn described_machines() -> PyResult<String> {
    let all: Vec<Model> = models::SHIPPED.iter().filter_map(|it| models::find(it.0)).collect();
    json(&all)
}

/// The lines of a folder's bulk runs, as JSON.
#[pyfunction]
pub fn fit(py: Python<'_>, folder: PathBuf) -> PyResult<String> {
    interruptible(py, |_| {
        let found = FolderFits::read(&folder).map_err(error)?;
        match found.lack() {
            Some(lack) => Err(error(format_args!("{}: {lack}", folder.display()))),
            None => json(&found),
        }
    })
}

/// The text of a machine's description.
#[pyfunction]
pub fn calibrate(py: Python<'_>, folder: PathBuf, name: Option<String>) -> PyResult<String> {
    interruptible(py, |_| Ok(calibrate_folder(&folder, name.as_deref()).map_err(error)?.text()))
}

/// A folder's times beside a machine's predictions, as JSON: the whole, and a row for each point.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    folder: PathBuf,
    model: String,
    without: Vec<String>,
    inputs: BTreeMap<String, String>,
    while_limit: Option<u64>,
) -> PyResult<(String, String)> {
    let (model, without) = (crate::setting::model(&model)?, extensions(&without)?);
    let inputs: Vec<(String, OsString)> =
        inputs.into_iter().map(|(name, source)| (name, source.into())).collect();
    interruptible(py, |stop| {
        let folder = Folder::read(&folder).map_err(error)?;
        let options = CompareOptions {
            without: &without,
            inputs: &inputs,
            while_iterations: while_limit.unwrap_or(WHILE_ITERATIONS),
            done: &|_| stop.check(),
            ..CompareOptions::default()
        };
        let points: Vec<&Timing> = folder.algorithms.iter().collect();
        let machine = calibration(&model)?;
        let found = Comparison::new(&folder.path, &points, &model, machine, options);
        let found = found.map_err(error)?;
        let Some(report) = found.json() else {
            return Err(error(format_args!(
                "{}: no algorithm was measured on one GPU",
                folder.path.display()
            )));
        };
        let points = found.points.iter().map(|it| {
            let mut row = value!(it.subject);
            row["measured_s"] = it.measured_s.into();
            row["calibrated_s"] = it.predicted_s.into();
            row["plain_s"] = it.plain_s.into();
            for (extension, seconds) in &it.ablated_s {
                row[format!("without_{extension}_s")] = (*seconds).into();
            }
            row
        });
        let errors = errors_of(&found.points).into_iter().map(|it| {
            value!({
                "machine": it.name, "points": it.all.points, "mape": it.all.mape,
                "median_ape": it.all.median_ape, "worst_ape": it.all.worst_ape,
                "rank_correlation": it.all.rank_correlation,
            })
        });
        let rows = value!({
            "points": points.collect::<Vec<_>>(),
            "machines": errors.collect::<Vec<_>>(),
            "left_out": found.left_out.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        Ok((json(&report)?, json(&rows)?))
    })
}

/// The page on a folder, and why it has no predictions, if it has none.
#[pyfunction]
pub fn report(
    py: Python<'_>,
    path: Option<PathBuf>,
    model: Option<String>,
) -> PyResult<(String, Option<String>)> {
    let model = model.as_deref().map(crate::setting::model).transpose()?;
    interruptible(py, |_| {
        let path = path.or_else(|| folder::latest(Path::new(MEASUREMENTS))).ok_or_else(|| {
            error(format_args!("{MEASUREMENTS}: no folder DEVICE/DAY is here; name a folder"))
        })?;
        let folder = Folder::read(&path).map_err(error)?;
        if folder.is_empty() {
            let path = path.display();
            return Err(error(format_args!("{path}: no times are in this folder")));
        }
        let predicted = predicted(&folder, model.or_else(|| calibrated_for(&folder.device.name)));
        let tables = predicted.as_ref().map_err(String::as_str);
        let text = page(&folder, &published(), tables).map_err(error)?;
        Ok((text, predicted.err()))
    })
}

/// Where measurements stand as DEVICE/DAY.
const MEASUREMENTS: &str = "models/measurements";

fn predicted(folder: &Folder, model: Option<Model>) -> Result<FidelityTables, String> {
    let Some(model) = model else {
        let device = &folder.device.name;
        return Err(format!("no calibrated machine of the name {device} is shipped; give model"));
    };
    let machine = model.calibration.as_ref();
    let machine = machine.ok_or_else(|| format!("{} is not calibrated", model.name))?;
    let points: Vec<&Timing> = folder.algorithms.iter().collect();
    let options = CompareOptions::default();
    let found = Comparison::new(&folder.path, &points, &model, machine, options);
    found.map(|it| FidelityTables::of(&it.points)).map_err(|it| it.to_string())
}

/// A chart of a folder.
#[pyfunction]
pub fn draw_measured(
    py: Python<'_>,
    path: PathBuf,
    chart: String,
    of: Option<String>,
    model: Option<String>,
    look: Look,
) -> PyResult<String> {
    let (chart, canvas) = (word::<Chart>("chart", &chart)?, canvas(&look)?);
    let model = model.as_deref().map(crate::setting::model).transpose()?;
    interruptible(py, |stop| {
        let folder = Folder::read(&path).map_err(error)?;
        let predictions = match &model {
            Some(model) => {
                let points = chart.predicted(of.as_deref(), &folder);
                let done = |_| stop.check();
                let options = CompareOptions { done: &done, ..CompareOptions::default() };
                let machine = calibration(model)?;
                let found = Comparison::new(&folder.path, &points, model, machine, options);
                predictions_of(&found.map_err(error)?.points)
            }
            None if matches!(chart, Chart::Residuals | Chart::Scatter) => {
                return Err(error(
                    "this chart shows predictions; give model, as in model=\"h200\"",
                ));
            }
            None => Predictions::default(),
        };
        let published = published();
        let measured =
            MeasurementSource { folder: &folder, published: &published, predictions: &predictions };
        let figure = figure(chart, of.as_deref(), measured)
            .map_err(|it| error(format_args!("{}: {it}", path.display())))?;
        let least = figure.least_height();
        if canvas.size.1 < least {
            let (width, height) = canvas.size;
            return Err(error(format_args!(
                "size=({width}, {height}): this chart is {least} pixels high at least"
            )));
        }
        let mut scene = figure.scene(canvas, look.3.as_deref());
        let device = &folder.device;
        let listings = if model.is_some() { "; predicted from the listings" } else { "" };
        scene.source(&format!(
            "data: {}: {}, driver {}, measured from {} on{listings}",
            path.display(),
            device.name,
            device.driver,
            device.date
        ));
        Ok(scene.svg())
    })
}

/// Extensions by their names.
pub fn extensions(names: &[String]) -> PyResult<Vec<Extension>> {
    names.iter().map(|it| it.parse().map_err(error)).collect()
}

/// The calibration of a model.
pub fn calibration(model: &Model) -> PyResult<&Calibration> {
    model.calibration.as_ref().ok_or_else(|| {
        error(format_args!("{} is not calibrated; name h200, or a calibrated file", model.name))
    })
}
