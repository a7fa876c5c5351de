//! Machines as data: width, latency and published fits, every number with its source.

pub mod calibration;
mod read;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use self::calibration::Calibration;
use crate::Subject;
use memory_machine_case::sample::Settings;
use memory_machine_core::cost::{Device, operations_with_peaks, peak_of};
use memory_machine_core::diagnostic::{Located, Source};
use memory_machine_core::machine::{Dmms, Machine, MachineKind};
use memory_machine_core::run::Operation;
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::units::{Latency, Width};

/// A number and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "{ value = …, source = \"…\" }")]
pub struct Sourced<T> {
    /// The number.
    pub value: T,
    /// Paper, data sheet, or a person's word.
    pub source: String,
}

/// A machine that a paper, a data sheet or a person describes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Model {
    /// As reports show it; of a shipped one, what `--model` calls it.
    pub name: String,
    /// In a line.
    pub description: String,
    /// UMM or DMM.
    pub kind: MachineKind,
    /// w, in words.
    pub width: Sourced<Width>,
    /// l, in time units.
    pub latency: Sourced<Latency>,
    /// Other numbers about it.
    pub facts: BTreeMap<String, Sourced<f64>>,
    /// Lines that a paper publishes for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fits: Vec<LinearFit>,
    /// What predictions in seconds need.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibration>,
}

/// A published straight line: seconds of a bulk run of `p` inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearFit {
    /// The listing's name.
    pub algorithm: String,
    /// Parameters of the algorithm.
    #[serde(default)]
    pub set: Settings,
    /// `row` or `column`.
    pub bulk: Option<Arrangement>,
    /// Seconds for any number of inputs.
    pub fixed_s: f64,
    /// Seconds more for each input.
    pub per_input_s: f64,
    /// Where the line stands.
    pub source: String,
}

impl LinearFit {
    /// Seconds for `inputs` inputs.
    pub fn time_s(&self, inputs: u64) -> f64 {
        self.fixed_s + self.per_input_s * inputs as f64
    }
}

impl Model {
    /// Reads a model from TOML text.
    ///
    /// # Errors
    /// The place that is no TOML, lacks a key, has an unknown one, or makes no sense.
    pub fn parse(source: Source) -> Result<Self, Box<Located>> {
        read::read(&source.text)
            .map_err(|diagnostic| Box::new(Located { source, diagnostic: *diagnostic }))
    }

    /// Names in a model's text that earlier versions gave to numbers, each with the present name: they are
    /// read as that.
    pub fn former_names(text: &str) -> Vec<(&'static str, &'static str)> {
        read::former_names(text)
    }

    /// The model as TOML text, without published fits.
    pub fn text(&self) -> String {
        write::write(self)
    }

    /// The machine without its sources.
    pub const fn machine(&self) -> Machine {
        Machine { kind: self.kind, width: self.width.value, latency: self.latency.value }
    }

    /// The same as an HMM, which runs loops on DMMs, too: a DMM for each multiprocessor, with as many
    /// blocks of the most threads as fit. Nothing without a calibration, or of what is no UMM.
    pub fn hierarchy(&self) -> Option<Machine> {
        let is_umm = self.kind.has_groups() && self.kind.dmms().is_none();
        let known = self.calibration.as_ref().filter(|_| is_umm)?;
        let latency = (known.shared_latency_s.value / known.time_unit_s.value).round().max(1.0);
        let kind = MachineKind::hierarchical(Dmms {
            number: known.multiprocessors.value.max(1.0) as u64,
            latency: Latency::new(latency as u64).ok()?,
            resident: (known.resident_threads.value / MOST_THREADS).max(1.0) as u64,
        });
        Some(Machine { kind, ..self.machine() })
    }
}

/// Threads of a block at most.
const MOST_THREADS: f64 = 1024.0;

macro_rules! shipped {
    ($($name:literal),*) => {
        &[$(($name, include_str!(concat!("../../models/", $name, ".toml")))),*]
    };
}

/// Names and texts of the models of `models/`.
pub const SHIPPED: &[(&str, &str)] = shipped!["textbook", "gtx-titan", "gtx-680", "h200", "h100"];

/// The shipped model that predicts for a device, which is called as the end of the device's name:
/// `h200` for an NVIDIA H200.
pub fn calibrated_for(device: &str) -> Option<Model> {
    let device = device.to_lowercase();
    let words: Vec<&str> = device.split_whitespace().collect();
    let named = |it: &&(&str, &str)| words.join("-").ends_with(it.0);
    let (name, _) = SHIPPED.iter().find(named)?;
    find(name).filter(|it| it.calibration.is_some())
}

/// The shipped model of this name.
///
/// ```
/// use memory_machine_core::run::layout::Arrangement;
///
/// let titan = memory_machine_measure::models::find("gtx-titan").unwrap();
/// // Column-wise prefix-sums of 32 numbers each, for 2^20 inputs.
/// let fit = titan.fits.iter().find(|it| it.bulk == Some(Arrangement::ColumnWise)).unwrap();
/// assert_eq!((fit.time_s(1 << 20) * 1e6).round(), 1430.0);
/// ```
pub fn find(name: &str) -> Option<Model> {
    let (name, text) = SHIPPED.iter().find(|(it, _)| *it == name)?;
    let source = Source { name: format!("{name}.toml"), text: (*text).to_owned() };
    // A unit test holds that they all parse.
    Model::parse(source).ok()
}

/// A line that a paper publishes, and the shipped model that has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PublishedFit {
    /// Its name.
    pub model: String,
    /// The line, with its source.
    #[serde(flatten)]
    pub fit: LinearFit,
}

impl PublishedFit {
    /// Whether it is of the same algorithm, size and arrangement as a bulk run on one GPU.
    pub fn is_of(&self, subject: &Subject) -> bool {
        let LinearFit { algorithm, set, bulk, .. } = &self.fit;
        !subject.is_cpu()
            && subject.devices == 1
            && (algorithm, set, bulk) == (&subject.name, &subject.set, &subject.bulk)
    }
}

/// The published lines of all shipped models.
pub fn published() -> Vec<PublishedFit> {
    let models = SHIPPED.iter().filter_map(|(name, _)| find(name));
    let lines = |model: Model| {
        let name = model.name;
        model.fits.into_iter().map(move |fit| PublishedFit { model: name.clone(), fit })
    };
    models.flat_map(lines).collect()
}

/// Lanes of a warp.
const LANES: f64 = 32.0;

/// A calibrated machine as the roofline's: what is given, and for the rest what a calibrated model says; the H100's if nothing is given. Peaks are
/// of operations that [`peak_of`] names.
///
/// # Errors
/// Nothing says the bandwidth.
pub fn device(
    model: Option<&Model>,
    given: &[(String, f64)],
    bandwidth: Option<f64>,
) -> Result<Device, String> {
    let known = find("h100").filter(|_| given.is_empty() && bandwidth.is_none());
    let model = model.or(known.as_ref());
    let calibration = model.and_then(|it| it.calibration.as_ref());
    let of_model = |operation: Operation| {
        let calibration = calibration?;
        let lanes = LANES * calibration.multiprocessors.value;
        Some(lanes / calibration.operation(operation, false)[0])
    };
    let mut peaks = vec![];
    for operation in operations_with_peaks() {
        let given = given.iter().find(|it| it.0 == peak_of(operation)).map(|it| it.1);
        peaks.extend(given.or_else(|| of_model(operation)).map(|peak| (operation, peak)));
    }
    let of_model = calibration.map(|it| it.dram_peak_bytes_per_s.value).filter(|it| *it > 0.0);
    let bandwidth = bandwidth.or(of_model).ok_or(
        "-m roofline needs a bandwidth: --bandwidth 2e12, or a calibrated --model such as h100",
    )?;
    let name = model.map_or_else(|| "as given".to_owned(), |it| it.name.clone());
    Ok(Device { name, peaks, bandwidth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_models_parse() {
        for (name, _) in SHIPPED {
            assert_eq!(find(name).unwrap().name, *name);
        }
        assert_eq!(find("textbook").unwrap().machine().width.get(), 4);
        assert_eq!(find("none"), None);
    }

    #[test]
    fn former_names_of_numbers_are_read_on() {
        let text = SHIPPED.iter().find(|it| it.0 == "h200").unwrap().1;
        assert!(Model::former_names(text).is_empty());
        let mut former = text.to_owned();
        for (before, now) in Calibration::FORMER_NAMES {
            former =
                former.replace(&format!("[calibration.{now}]"), &format!("[calibration.{before}]"));
        }
        assert_eq!(Model::former_names(&former), Calibration::FORMER_NAMES);
        let source = Source { name: "former.toml".to_owned(), text: former };
        assert_eq!(Model::parse(source).unwrap(), find("h200").unwrap());
    }
}
