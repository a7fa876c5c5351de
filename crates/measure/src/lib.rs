//! Times measured on a device: one row a repetition, and the points that they belong to.
//!
//! A folder of measurements holds `device.json`, `microbenchmarks.csv` (what machines are
//! calibrated from) and `algorithms.csv` (what predictions are held against), and nothing of the one
//! is in the other; `opt.csv` and the folder `opt` are of optimal polygon triangulation,
//! `greedy.csv` and `greedy_rounds.csv` of greedy triangulation, `hull.csv` of convex hulls.

pub mod curve;
mod device;
pub mod engines;
pub mod folder;
pub mod greedy;
pub mod hull;
pub mod listings;
mod log;
pub mod models;
pub mod opt;
pub mod plausibility;
pub mod predictions;
pub mod published;
pub mod read;
mod repetitions;
mod spec;

pub use self::device::{Device, read_device};
pub use self::log::{FEWEST, LONG, MeasurementLog};
pub use self::plausibility::{Checked, Implausible};
pub use self::read::{MeasurementError, read};
pub use self::repetitions::{Engine, Repetitions, Row, Spread, repetitions};
pub use self::spec::{Job, MeasurementSpec};

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use memory_machine_case::Case;
use memory_machine_case::sample::{Sample, Settings};
use memory_machine_codegen::Launch;
use memory_machine_core::keyword::Keyword;
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Arrangement;
use memory_machine_core::units::Threads;

/// The files of a folder. This one describes the device.
pub const DEVICE: &str = "device.json";
/// Repetitions of microbenchmarks.
pub const MICROBENCHMARKS: &str = "microbenchmarks.csv";
/// Repetitions of algorithms.
pub const ALGORITHMS: &str = "algorithms.csv";
/// Engines of optimal polygon triangulation.
pub const OPT: &str = "opt.csv";
/// Engines of greedy triangulation.
pub const GREEDY: &str = "greedy.csv";
/// How the lines of a greedy triangulation become fewer, round by round.
pub const ROUNDS: &str = "greedy_rounds.csv";
/// Engines of convex hulls.
pub const HULL: &str = "hull.csv";

/// Kernels that the host has launched one by one before the GPU begins the first. A run of more is
/// measured with what the host takes for them.
pub const PREPARED: usize = 16;

/// What ran where; every repetition of it has these.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// An algorithm or a microbenchmark.
    pub name: String,
    /// Its parameters, as in `n=64 f=2`.
    pub set: Settings,
    /// Of a bulk run.
    pub bulk: Option<Arrangement>,
    /// Threads p; of a bulk run, its inputs. Empty where the program has as many as iterations.
    pub threads: Option<u64>,
    /// `plain`, `graph` or `cooperative`; empty on a CPU.
    pub launch: Option<String>,
    /// Iterations by which reads are made ahead of their place; 1 for each in its place.
    #[serde(rename = "ahead")]
    pub prefetch: u64,
    /// `gpu`, or `cpu` for one core of the host.
    pub processor: String,
    /// GPUs that shared the inputs.
    pub devices: u64,
    /// `memory` for more data than the last-level cache holds, else `cache`.
    pub regime: String,
    /// Bytes of all arrays.
    pub bytes: u64,
}

impl Subject {
    /// The part of one of the devices, as a case: arrays lie as on a device, for warps of 32.
    pub fn case(&self, program: Arc<Program>) -> Case {
        let case = Case { set: self.set.clone(), ..Case::new(program) };
        let bulk = self.bulk;
        // Without an arrangement, each iteration has a thread.
        let threads =
            if bulk.is_some() { self.threads.unwrap_or(1) / self.devices.max(1) } else { 1 << 40 };
        Case { bulk, threads: Threads::at_least_one(threads), ..case }.with_dmms()
    }

    /// How sequential statements around parallel loops were done, if that is known.
    pub fn launch(&self) -> Option<Launch> {
        Launch::from_keyword(self.launch.as_deref()?).ok()
    }
}

/// One repetition: a row of a CSV file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repetition {
    /// As [`Subject::name`].
    pub name: String,
    /// As [`Subject::set`].
    pub set: Settings,
    /// As [`Subject::bulk`].
    pub bulk: Option<Arrangement>,
    /// As [`Subject::threads`].
    pub threads: Option<u64>,
    /// As [`Subject::launch`].
    pub launch: Option<String>,
    /// As [`Subject::prefetch`].
    #[serde(rename = "ahead")]
    pub prefetch: u64,
    /// As [`Subject::processor`].
    pub processor: String,
    /// As [`Subject::devices`].
    pub devices: u64,
    /// As [`Subject::regime`].
    pub regime: String,
    /// As [`Subject::bytes`].
    pub bytes: u64,
    /// What was compared with a run on the CPU before timing: `all` outputs, those of a `sample` of
    /// a bulk run's inputs, all of a `smaller` run of the same kernels, or `none`.
    pub verified: String,
    /// Of random inputs.
    pub seed: u64,
    /// From 0.
    pub repetition: u64,
    /// Seconds.
    pub time_s: f64,
}

impl Checked for Repetition {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::settings(&self.set)?;
        self.threads.map_or(Ok(()), |it| plausibility::count("threads", it, 1))?;
        plausibility::count("ahead", self.prefetch, 1)?;
        plausibility::count("devices", self.devices, 1)?;
        plausibility::seconds("time_s", self.time_s)
    }
}

impl Row for Repetition {
    type Subject = Subject;

    fn subject(&self) -> Subject {
        Subject {
            name: self.name.clone(),
            set: self.set.clone(),
            bulk: self.bulk,
            threads: self.threads,
            launch: self.launch.clone(),
            prefetch: self.prefetch,
            processor: self.processor.clone(),
            devices: self.devices,
            regime: self.regime.clone(),
            bytes: self.bytes,
        }
    }

    fn time_s(&self) -> f64 {
        self.time_s
    }
}

impl Subject {
    /// The rows of its repetitions.
    pub fn repetitions(&self, verified: &str, seed: u64, times: &[f64]) -> Vec<Repetition> {
        let row = |(repetition, &time_s): (u64, &f64)| {
            let it = self.clone();
            Repetition {
                name: it.name,
                set: it.set,
                bulk: it.bulk,
                threads: it.threads,
                launch: it.launch,
                prefetch: it.prefetch,
                processor: it.processor,
                devices: it.devices,
                regime: it.regime,
                bytes: it.bytes,
                verified: verified.to_owned(),
                seed,
                repetition,
                time_s,
            }
        };
        (0..).zip(times).map(row).collect()
    }
}

/// All repetitions of a subject.
pub type Timing = Repetitions<Repetition>;

impl Timing {
    /// The point as a row, its time the median, measured on `device`.
    pub fn sample(&self, device: &str) -> Sample {
        let Subject { name, set, bulk, threads, .. } = self.subject.clone();
        Sample {
            algorithm: name,
            set,
            bulk: bulk.map(|it| it.to_string()),
            threads,
            time_s: Some(self.median_s()),
            device: Some(device.to_owned()),
            seed: Some(self.first().seed),
            ..Sample::default()
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        for (name, value) in &self.set.0 {
            write!(f, " {name}={value}")?;
        }
        if let Some(threads) = self.threads {
            write!(f, " p={threads}")?;
        }
        if let Some(bulk) = &self.bulk {
            write!(f, " {}", bulk.name())?;
        }
        if let Some(launch) = &self.launch {
            write!(f, " {launch}")?;
        }
        if self.prefetch > 1 {
            write!(f, " ahead={}", self.prefetch)?;
        }
        if self.devices > 1 {
            write!(f, " on {} devices", self.devices)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(repetition: u64, time_s: f64) -> Repetition {
        Repetition {
            name: "opt".to_owned(),
            set: "n=8".parse().unwrap(),
            bulk: Some(Arrangement::RowWise),
            threads: Some(64),
            launch: Some("plain".to_owned()),
            prefetch: 1,
            processor: "gpu".to_owned(),
            devices: 1,
            regime: "cache".to_owned(),
            bytes: 1 << 20,
            verified: "all".to_owned(),
            seed: 1,
            repetition,
            time_s,
        }
    }

    #[test]
    fn repetitions_of_a_subject_make_a_point() {
        let times = [5.0, 1.0, 4.0, 2.0, 3.0, 9.0];
        let rows: Vec<_> = (0..).zip(times).map(|(at, time_s)| row(at, time_s)).collect();
        let points = repetitions(rows);
        assert_eq!(points.len(), 1);
        assert_eq!(points[0].times(), [1.0, 2.0, 3.0, 4.0, 5.0, 9.0]);
        assert_eq!(points[0].median_s(), 3.5);
        let Spread { low, high, .. } = points[0].time_s();
        assert_eq!((low, high), (2.0, 5.0));
        assert_eq!(points[0].subject.to_string(), "opt n=8 p=64 row-wise plain");
    }

    #[test]
    fn a_folder_reads_back_and_a_bad_time_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ALGORITHMS);
        let write = |rows: &[Repetition]| {
            let mut writer = csv::Writer::from_path(&path).unwrap();
            rows.iter().for_each(|row| writer.serialize(row).unwrap());
            writer.flush().unwrap();
        };
        let rows = [row(0, 0.5), row(1, 0.25)];
        write(&rows);
        assert_eq!(read::<Repetition>(&path).unwrap(), rows);
        write(&[row(0, 0.5), row(1, 0.0)]);
        let error = read::<Repetition>(&path).unwrap_err().to_string();
        assert!(error.ends_with("algorithms.csv:3: `time_s` is 0.0; it is from 1e-15 s to 1e10 s: correct it, or measure again"), "{error}");
        assert!(read_device(folder.path()).is_err());
    }
}
