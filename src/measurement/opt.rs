//! Engines of optimal polygon triangulation, and the tables of the system of Ito and Nakano (2013)
//! as they are published or tuned anew.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::{MeasurementError, OPT, Point, Subject, points, read};
use crate::algorithms::opt::relaxations;
use crate::host::files;
use crate::sample::{Sample, Settings};

/// The folder of what `umm opt tune --csv` writes.
const TUNED: &str = "opt";
/// Relaxations that a measured ceiling's seconds are of.
const CEILING: f64 = 1e12;

/// What a folder of measurements holds of optimal polygon triangulation.
#[derive(Debug, Clone, Default)]
pub struct Opt {
    /// Of `opt.csv`; named by engine and type, as in `opt_tiled_f32`.
    pub engines: Vec<Point>,
    pub tuned: Tables,
}

/// Tables 1 to 3.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    /// Table 1: all stages in one way; `n`, `t` and, of BB, `b`.
    pub ways: Vec<Sample>,
    /// Table 2.
    pub stages: Vec<Stages>,
    /// Table 3: the plan, and published beside it a CPU.
    pub times: Vec<Sample>,
}

/// The stages that TB and BB compute; without an end there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stages {
    pub n: u64,
    pub tb_first_stage: Option<u64>,
    pub tb_last_stage: Option<u64>,
    pub bb_first_stage: Option<u64>,
    pub bb_last_stage: Option<u64>,
}

/// Of Table 3: all stages by the plan, and a CPU diagonal by diagonal.
pub const PLAN: &str = "opt_combined";
pub const DIAGONALS: &str = "opt_diagonals";

impl Opt {
    /// # Errors
    /// [`MeasurementError`] if a file that is there is malformed.
    pub fn read(folder: &Path) -> Result<Self, MeasurementError> {
        let (engines, tuned) = (folder.join(OPT), folder.join(TUNED));
        let samples = |names: &[&str]| {
            let mut all = vec![];
            for path in names.iter().map(|it| tuned.join(it)).filter(|it| it.exists()) {
                for (index, sample) in rows::<Sample>(&path)?.into_iter().enumerate() {
                    let Some(time_s) = sample.time_s.filter(|it| it.is_finite() && *it > 0.0)
                    else {
                        let (line, time_s) = (index + 2, sample.time_s.unwrap_or(0.0));
                        return Err(MeasurementError::Time { path, line, time_s });
                    };
                    all.push(Sample { time_s: Some(time_s), ..sample });
                }
            }
            Ok(all)
        };
        let table_2 = tuned.join("table-2.csv");
        Ok(Self {
            engines: if engines.exists() { points(&read(&engines)?) } else { vec![] },
            tuned: Tables {
                ways: samples(&["table-1.csv"])?,
                stages: if table_2.exists() { rows(&table_2)? } else { vec![] },
                times: samples(&["table-3.csv"])?,
            },
        })
    }

    pub fn is_empty(&self) -> bool {
        self.engines.is_empty() && self.tuned == Tables::default()
    }

    /// The points of an engine, as in `opt_tiled`, and a type, as in `f32`, by ascending number of
    /// vertices: with one polygon each.
    pub fn single(&self, engine: &str, kind: &str) -> Vec<(u64, &Point)> {
        self.of(engine, kind, |it| it.threads.is_none().then(|| vertices(&it.set)).flatten())
    }

    /// With many `n`-gons at once, by ascending number of polygons.
    pub fn batch(&self, engine: &str, kind: &str, n: u64) -> Vec<(u64, &Point)> {
        self.of(engine, kind, |it| it.threads.filter(|_| vertices(&it.set) == Some(n)))
    }

    /// Relaxations a second that the GPU reaches in registers alone.
    pub fn ceiling(&self, engine: &str, kind: &str) -> Option<f64> {
        let found = self.of(engine, kind, |_| Some(0));
        found.first().map(|it| CEILING / it.1.median_s())
    }

    fn of(
        &self,
        engine: &str,
        kind: &str,
        at: impl Fn(&Subject) -> Option<u64>,
    ) -> Vec<(u64, &Point)> {
        let name = format!("{engine}_{kind}");
        let named = self.engines.iter().filter(|it| it.subject.name == name);
        let mut found: Vec<_> = named.filter_map(|it| Some((at(&it.subject)?, it))).collect();
        found.sort_by_key(|it| it.0);
        found
    }
}

impl Tables {
    /// Seconds of a row of Table 3.
    pub fn time_s(&self, algorithm: &str, n: u64) -> Option<f64> {
        let is_meant = |it: &&Sample| it.algorithm == algorithm && vertices(&it.set) == Some(n);
        self.times.iter().find(is_meant)?.time_s
    }

    /// Seconds over the number of vertices, of Table 3.
    pub fn curve(&self, algorithm: &str) -> Vec<(u64, f64)> {
        let rows = self.times.iter().filter(|it| it.algorithm == algorithm);
        let mut curve: Vec<_> =
            rows.filter_map(|it| Some((vertices(&it.set)?, it.time_s?))).collect();
        curve.sort_by_key(|it| it.0);
        curve
    }
}

/// The parameter `n`, if that is a polygon.
pub fn vertices(set: &Settings) -> Option<u64> {
    set.0.get("n").and_then(|&it| u64::try_from(it).ok()).filter(|it| *it >= 3)
}

/// Relaxations a second of `polygons` `n`-gons.
pub fn rate(n: u64, polygons: u64, time_s: f64) -> f64 {
    polygons as f64 * relaxations(n) as f64 / time_s
}

/// What Ito and Nakano (2013) publish of a GeForce GTX 680, and of a Core i7 870.
///
/// # Panics
/// Never: a test reads the shipped tables.
pub fn published() -> Tables {
    macro_rules! table {
        ($name:literal) => {{
            let path = concat!("models/measurements/ito-nakano-gtx-680/", $name);
            let text =
                include_str!(concat!("../../models/measurements/ito-nakano-gtx-680/", $name));
            parse(Path::new(path), text.as_bytes()).expect("shipped tables are well-formed")
        }};
    }
    let mut ways: Vec<Sample> = table!("table-1a.csv");
    ways.append(&mut table!("table-1b.csv"));
    Tables { ways, stages: table!("table-2.csv"), times: table!("table-3.csv") }
}

pub(super) fn rows<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, MeasurementError> {
    let unreadable = |source| MeasurementError::Unreadable { path: path.into(), source };
    parse(path, files::open(path, files::DATA).map_err(unreadable)?)
}

pub(super) fn parse<T: for<'a> Deserialize<'a>>(
    path: &Path,
    text: impl Read,
) -> Result<Vec<T>, MeasurementError> {
    let rows = csv::Reader::from_reader(text).into_deserialize();
    rows.collect::<Result<_, _>>()
        .map_err(|source| MeasurementError::Malformed { path: path.into(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_tables_are_whole() {
        let tables = published();
        assert_eq!((tables.ways.len(), tables.stages.len()), (60, 7));
        assert_eq!(tables.time_s(PLAN, 8192), Some(5.57));
        assert_eq!(tables.curve(DIAGONALS).len(), 7);
        // As the abstract has it: 348 times faster.
        let gain = tables.time_s(DIAGONALS, 8192).unwrap() / tables.time_s(PLAN, 8192).unwrap();
        assert_eq!(gain.round(), 348.0);
    }

    #[test]
    fn times_that_are_none_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let tuned = folder.path().join(TUNED);
        std::fs::create_dir(&tuned).unwrap();
        assert!(Opt::read(folder.path()).unwrap().is_empty());
        let write = |name: &str, text: &str| std::fs::write(tuned.join(name), text).unwrap();
        write("table-3.csv", "algorithm,set,time_s\nopt_combined,n=8,1.5\nopt_combined,n=16,\n");
        let error = || Opt::read(folder.path()).unwrap_err().to_string();
        assert!(error().ends_with("table-3.csv:3: the time 0 is not positive"), "{}", error());
        write("table-3.csv", "algorithm,set,time_s\nopt_combined,n=8,1.5\n");
        write("table-2.csv", "n,tb_first_stage\n8,x\n");
        assert!(error().contains("table-2.csv"), "{}", error());
        write(
            "table-2.csv",
            "n,tb_first_stage,tb_last_stage,bb_first_stage,bb_last_stage\n8,0,6,,\n",
        );
        let read = Opt::read(folder.path()).unwrap();
        assert_eq!(read.tuned.curve(PLAN), [(8, 1.5)]);
        assert_eq!(read.tuned.stages[0].bb_first_stage, None);
    }
}
