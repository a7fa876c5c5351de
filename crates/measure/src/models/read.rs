//! TOML → model.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Calibration, LinearFit, Model, Sourced};
use memory_machine_core::diagnostic::{Diagnostic, Span};
use memory_machine_core::machine::MachineKind;
use memory_machine_core::units::{Latency, Width};

/// Larger machine parameters could overflow times.
const LARGEST: u64 = 1 << 48;
/// Of seconds and bytes: larger ones could overflow predictions.
const LARGEST_FIT: f64 = 1e18;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    #[serde(default)]
    description: String,
    kind: MachineKind,
    width: Sourced<Spanned<i64>>,
    latency: Sourced<Spanned<i64>>,
    #[serde(default)]
    facts: BTreeMap<String, Sourced<f64>>,
    #[serde(default)]
    fits: Vec<Spanned<LinearFit>>,
    calibration: Option<Spanned<Calibration>>,
}

pub(super) fn read(text: &str) -> Result<Model, Box<Diagnostic>> {
    let file: File = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or_default();
        Diagnostic::new(Span::new(span.start, span.end), error.message().trim()).help(
            "a model has name, kind (\"umm\" or \"dmm\"), and width and latency with value and \
             source each; see models/README.md",
        )
    })?;
    let fits = file.fits.into_iter().map(fit).collect::<Result<_, _>>()?;
    Ok(Model {
        name: file.name,
        description: file.description,
        kind: file.kind,
        width: positive(file.width, Width::new)?,
        latency: positive(file.latency, Latency::new)?,
        facts: file.facts,
        fits,
        calibration: file.calibration.map(calibration).transpose()?,
    })
}

/// Names of the calibration in a text that are former ones, each with the present one.
pub(super) fn former_names(text: &str) -> Vec<(&'static str, &'static str)> {
    let file: toml::Table = toml::from_str(text).unwrap_or_default();
    let calibration = file.get("calibration").and_then(toml::Value::as_table);
    let is_there = |name: &str| calibration.is_some_and(|it| it.contains_key(name));
    Calibration::FORMER_NAMES.iter().copied().filter(|it| is_there(it.0)).collect()
}

fn positive<T, E: ToString>(
    number: Sourced<Spanned<i64>>,
    new: fn(u64) -> Result<T, E>,
) -> Result<Sourced<T>, Box<Diagnostic>> {
    let Sourced { value, source } = number;
    let number = u64::try_from(*value.get_ref()).ok().filter(|&it| it <= LARGEST);
    match number.map(new) {
        Some(Ok(value)) => Ok(Sourced { value, source }),
        _ => Err(wrong(&value, "it must be from 1 to 2^48", "change the value")),
    }
}

fn fit(fit: Spanned<LinearFit>) -> Result<LinearFit, Box<Diagnostic>> {
    let LinearFit { fixed_s, per_input_s, .. } = fit.get_ref();
    if ![fixed_s, per_input_s].iter().all(|it| (0.0..=LARGEST_FIT).contains(*it)) {
        let message = format!("the fit's seconds are not from 0 to {LARGEST_FIT:e}");
        return Err(wrong(&fit, &message, "change `fixed_s` or `per_input_s`"));
    }
    Ok(fit.into_inner())
}

fn calibration(calibration: Spanned<Calibration>) -> Result<Calibration, Box<Diagnostic>> {
    let numbers = calibration.get_ref().all();
    if let Some((name, _)) = numbers.iter().find(|(_, it)| !(0.0..=LARGEST_FIT).contains(&it.value))
    {
        let message = format!("the calibration's `{name}` is not from 0 to {LARGEST_FIT:e}");
        return Err(wrong(&calibration, &message, "calibrate again: umm calibrate DIR"));
    }
    Ok(calibration.into_inner())
}

fn wrong<T>(place: &Spanned<T>, message: &str, help: &str) -> Box<Diagnostic> {
    let span = place.span();
    Box::new(Diagnostic::new(Span::new(span.start, span.end), message).help(help))
}
