//! Model → TOML.

use std::fmt::Write;

use super::{Model, Sourced};

/// Digits of a fitted number that are written: measurements hold no more.
const DIGITS: usize = 5;

/// A machine without published fits as text that reads back.
pub(super) fn write(model: &Model) -> String {
    let kind = model.kind;
    let mut text = format!(
        "name = {}\ndescription = {}\nkind = \"{kind}\"\n",
        quoted(&model.name),
        quoted(&model.description)
    );
    let mut entry = |name: &str, value: &str, source: &str, residual: Option<f64>| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n[{name}]\nvalue = {value}\nsource = {}\n", quoted(source));
        if let Some(residual) = residual {
            let _ = writeln!(text, "residual = {residual:.3}");
        }
    };
    entry("width", &model.width.value.to_string(), &model.width.source, None);
    entry("latency", &model.latency.value.to_string(), &model.latency.source, None);
    for (name, Sourced { value, source }) in &model.facts {
        entry(&format!("facts.{name}"), &number(*value), source, None);
    }
    for (name, it) in model.calibration.iter().flat_map(super::Calibration::all) {
        entry(&format!("calibration.{name}"), &number(it.value), &it.source, it.residual);
    }
    text
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn number(value: f64) -> String {
    let whole = value.fract() == 0.0 && value.abs() < 1e15;
    if whole { format!("{value:.1}") } else { format!("{value:.*e}", DIGITS - 1) }
}
