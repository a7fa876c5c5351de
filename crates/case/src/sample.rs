//! One row of everything that is predicted, simulated or measured. Charts and fits see nothing
//! else.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use memory_machine_core::cost::{Cost, Value};
use memory_machine_core::keyword::as_text;
use memory_machine_core::machine::Counts;

/// What one run took, or is predicted to take. A CSV column bears its field's name; what does not apply
/// is left empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The listing's name.
    pub algorithm: String,
    /// The algorithm's parameters, as in `n=64 f=2`.
    pub set: Settings,
    /// `umm`, `dmm` or `hmm`; empty for a measurement on a device.
    pub machine: Option<String>,
    /// w, in words.
    pub width: Option<u64>,
    /// l, in time units.
    pub latency: Option<u64>,
    /// p; of a bulk run, its inputs.
    pub threads: Option<u64>,
    /// `sync` or `async`.
    pub mode: Option<String>,
    /// Arrangement of a bulk run: `row` or `column`.
    pub bulk: Option<String>,
    /// A phase of the algorithm; empty for the whole.
    pub phase: Option<String>,
    /// As [`Counts::accesses`].
    pub accesses: Option<u128>,
    /// As [`Counts::dispatches`].
    pub dispatches: Option<u128>,
    /// As [`Counts::stages`].
    pub stages: Option<u128>,
    /// Simulated or counted.
    pub time_units: Option<u128>,
    /// Measured or published, in seconds.
    pub time_s: Option<f64>,
    /// In time units.
    pub lower_bound: Option<f64>,
    /// In time units.
    pub upper_bound: Option<f64>,
    /// Where it was measured: a GPU, a CPU.
    pub device: Option<String>,
    /// Where a published value stands.
    pub source: Option<String>,
    /// Of random inputs.
    pub seed: Option<u64>,
    /// Version of this program that made the row.
    pub version: Option<String>,
    /// d: DMMs of an HMM.
    pub dmms: Option<u64>,
    /// ls: the latency of their shared memories, in time units.
    pub shared_latency: Option<u64>,
    /// R: blocks that are on a DMM at a time.
    pub resident: Option<u64>,
    /// Of the accesses those to shared memory, on an HMM; likewise below.
    pub shared_accesses: Option<u128>,
    /// Of the dispatches.
    pub shared_dispatches: Option<u128>,
    /// Of the stages.
    pub shared_stages: Option<u128>,
    /// Parameters of a machine that is no memory machine, as in `cache=64; line=8; policy=lru`.
    pub rules: Option<Pairs>,
    /// What it says besides time and accesses, as in `misses=12; write_backs=4`.
    pub figures: Option<Pairs>,
}

impl Sample {
    /// The row with what a run took.
    #[must_use]
    pub fn taking(self, counts: Counts) -> Self {
        let shared = self.dmms.map(|_| counts.shared);
        Self {
            shared_accesses: shared.map(|it| it.accesses),
            shared_dispatches: shared.map(|it| it.dispatches),
            shared_stages: shared.map(|it| it.stages),
            accesses: Some(counts.accesses),
            dispatches: Some(counts.dispatches),
            stages: Some(counts.stages),
            time_units: Some(counts.time_units.0),
            ..self
        }
    }

    /// The row with what a run cost on a machine that is no memory machine.
    #[must_use]
    pub fn costing(self, cost: &Cost) -> Self {
        let has_column = |key: &str| ["accesses", "time_units", "time_s"].contains(&key);
        let figures = cost.figures.iter().filter(|it| !has_column(it.key));
        Self {
            accesses: cost.count("accesses"),
            time_units: cost.count("time_units"),
            time_s: match cost.get("time_s") {
                Some(Value::Number(seconds)) => Some(*seconds),
                _ => None,
            },
            figures: Some(figures.map(|it| (it.key, it.value.to_string())).collect()),
            ..self
        }
    }
}

/// Names with texts; written `cache=64; policy=lru`, in the order in which they are given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs(pub Vec<(String, String)>);

impl Pairs {
    /// The text of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|it| it.0 == name).map(|it| &*it.1)
    }
}

impl<'a> FromIterator<(&'a str, String)> for Pairs {
    fn from_iter<I: IntoIterator<Item = (&'a str, String)>>(pairs: I) -> Self {
        // A name of a device may hold what divides pairs.
        let pair = |(name, text): (&str, String)| (name.to_owned(), text.replace(';', ","));
        Self(pairs.into_iter().map(pair).collect())
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, text)) in self.0.iter().enumerate() {
            let divider = if index > 0 { "; " } else { "" };
            write!(f, "{divider}{name}={text}")?;
        }
        Ok(())
    }
}

impl FromStr for Pairs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pair = |word: &str| {
            let (name, text) =
                word.trim().split_once('=').ok_or_else(|| format!("`{word}` is no NAME=TEXT"))?;
            Ok((name.to_owned(), text.to_owned()))
        };
        text.split(';').map(pair).collect::<Result<_, _>>().map(Self)
    }
}

/// Values of parameters by name; written `n=64 f=2`, in the order of the names.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Settings(pub BTreeMap<String, i64>);

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.0.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            write!(f, "{blank}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Settings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let setting = |word: &str| {
            let (name, value) = word.split_once('=')?;
            Some((name.to_owned(), value.parse().ok()?))
        };
        text.split_whitespace()
            .map(|word| setting(word).ok_or_else(|| format!("`{word}` is no NAME=INTEGER")))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

as_text!(Settings);
as_text!(Pairs);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_back() {
        let sample = Sample {
            algorithm: "opt".to_owned(),
            set: "n=8 f=2".parse().unwrap(),
            threads: Some(64),
            time_units: Some(1 << 70),
            time_s: Some(0.1),
            rules: Some("cache=64; owner=block,a=cyclic; device=as given".parse().unwrap()),
            ..Sample::default()
        };
        let mut writer = csv::Writer::from_writer(vec![]);
        writer.serialize(&sample).unwrap();
        let text = writer.into_inner().unwrap();
        let rows: Vec<Sample> =
            csv::Reader::from_reader(&*text).deserialize().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows, [sample]);
    }

    #[test]
    fn malformed_settings_are_named() {
        assert_eq!("n=8 m".parse::<Settings>(), Err("`m` is no NAME=INTEGER".to_owned()));
    }
}
