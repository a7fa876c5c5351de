//! Engines of optimal polygon triangulation, and the tables of the system of Ito and Nakano (2013)
//! as they are published or tuned anew.

use std::path::Path;

use serde::Deserialize;

use super::read::{parse, read_if_there};
use super::{
    Checked, Implausible, MeasurementError, OPT, Subject, Timing, plausibility, repetitions,
};
use memory_machine_case::sample::{Sample, Settings};
use memory_machine_core::keyword::keywords;
use memory_machine_geometry::opt::relaxations;

/// The folder of what `umm opt tune --tables` writes.
const TUNED: &str = "opt";
/// Relaxations that a measured ceiling's seconds are of.
const CEILING: f64 = 1e12;

/// An engine that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptEngine {
    /// The tiled engine of a GPU, from row-major weights in its memory to the last value.
    Tiled,
    /// Polygons of few vertices in the shared memory of a GPU.
    Small,
    /// The blocked engine on all cores of the host.
    Cpu,
    /// The plain triple loop on one of them.
    Plain,
    /// 10¹² relaxations in registers of a GPU alone.
    Ceiling,
    /// The same in the form of `f32` that needs weights of 0 or more.
    NaturalCeiling,
}

keywords! { OptEngine {
    Tiled "tiled" "By tiles, on the GPU"
    Small "small" "In the GPU's shared memory, up to 64 vertices"
    Cpu "cpu" "Blocked and vectorised, on all cores of the host"
    Plain "plain" "The plain triple loop on one of them"
    Ceiling "ceiling" "What the GPU does in registers alone"
    NaturalCeiling "natural_ceiling" "The same, of numbers that are not negative"
} }

impl super::Engine for OptEngine {
    fn is_on_gpu(self) -> bool {
        !matches!(self, Self::Cpu | Self::Plain)
    }
}

impl OptEngine {
    /// As measurements name it with numbers of a type: `opt_tiled_f32`.
    pub fn name(self, kind: &str) -> String {
        format!("opt_{self}_{kind}")
    }

    /// Whether it is no solver, but what the GPU could do at most.
    pub const fn is_ceiling(self) -> bool {
        matches!(self, Self::Ceiling | Self::NaturalCeiling)
    }
}

/// What a folder of measurements holds of optimal polygon triangulation.
#[derive(Debug, Clone, Default)]
pub struct OptMeasurements {
    /// Of `opt.csv`; named by engine and type, as in `opt_tiled_f32`.
    pub engines: Vec<Timing>,
    /// The tables of Ito and Nakano (2013), as `umm opt tune` writes them.
    pub tuned: Tables,
}

/// Tables 1 to 3.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tables {
    /// Table 1: all stages in one way; `n`, `t` and, of BB, `b`.
    pub variants: Vec<Sample>,
    /// Table 2.
    pub stages: Vec<VariantStages>,
    /// Table 3: the plan, and published beside it a CPU.
    pub times: Vec<Sample>,
}

/// The stages that TB and BB compute; without an end there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantStages {
    /// Vertices of the polygon.
    pub n: u64,
    /// The first stage by threads.
    pub tb_first_stage: Option<u64>,
    /// The last stage by threads.
    pub tb_last_stage: Option<u64>,
    /// The first stage by blocks.
    pub bb_first_stage: Option<u64>,
    /// The last stage by blocks.
    pub bb_last_stage: Option<u64>,
}

impl Checked for VariantStages {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::count("n", self.n, 3)
    }
}

/// A row of Tables 1 and 3: a time of some size.
#[derive(Deserialize)]
#[serde(transparent)]
struct PublishedTime(Sample);

impl Checked for PublishedTime {
    fn check(&self) -> Result<(), Implausible> {
        plausibility::settings(&self.0.set)?;
        self.0.time_s.ok_or_else(|| Implausible::empty("time_s"))?;
        self.0.check()
    }
}

/// Of Table 3: all stages by the plan.
pub const PLAN: &str = "opt_combined";
/// Of Table 3: a CPU, diagonal by diagonal.
pub const DIAGONALS: &str = "opt_diagonals";

impl OptMeasurements {
    /// # Errors
    /// [`MeasurementError`] if a file that is there is malformed.
    pub fn read(folder: &Path) -> Result<Self, MeasurementError> {
        let (engines, tuned) = (folder.join(OPT), folder.join(TUNED));
        let samples = |name: &str| -> Result<Vec<Sample>, MeasurementError> {
            Ok(read_if_there(&tuned.join(name))?.into_iter().map(|PublishedTime(it)| it).collect())
        };
        Ok(Self {
            engines: repetitions(read_if_there(&engines)?),
            tuned: Tables {
                variants: samples("table-1.csv")?,
                stages: read_if_there(&tuned.join("table-2.csv"))?,
                times: samples("table-3.csv")?,
            },
        })
    }

    /// Whether the folder has neither rows nor tables.
    pub fn is_empty(&self) -> bool {
        self.engines.is_empty() && self.tuned == Tables::default()
    }

    /// The points of an engine and a type, as in `f32`, by ascending number of
    /// vertices: with one polygon each.
    pub fn single(&self, engine: OptEngine, kind: &str) -> Vec<(u64, &Timing)> {
        self.of(engine, kind, |it| it.threads.is_none().then(|| vertices(&it.set)).flatten())
    }

    /// With many `n`-gons at once, by ascending number of polygons.
    pub fn batch(&self, engine: OptEngine, kind: &str, n: u64) -> Vec<(u64, &Timing)> {
        self.of(engine, kind, |it| it.threads.filter(|_| vertices(&it.set) == Some(n)))
    }

    /// Relaxations a second that the GPU reaches in registers alone.
    pub fn ceiling(&self, engine: OptEngine, kind: &str) -> Option<f64> {
        let found = self.of(engine, kind, |_| Some(0));
        found.first().map(|it| CEILING / it.1.median_s())
    }

    fn of(
        &self,
        engine: OptEngine,
        kind: &str,
        at: impl Fn(&Subject) -> Option<u64>,
    ) -> Vec<(u64, &Timing)> {
        let name = engine.name(kind);
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
            let text = include_str!(concat!("../models/measurements/ito-nakano-gtx-680/", $name));
            parse(Path::new(path), text.as_bytes()).expect("shipped tables are well-formed")
        }};
    }
    let mut variants: Vec<Sample> = table!("table-1a.csv");
    variants.append(&mut table!("table-1b.csv"));
    Tables { variants, stages: table!("table-2.csv"), times: table!("table-3.csv") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_tables_are_whole() {
        let tables = published();
        assert_eq!((tables.variants.len(), tables.stages.len()), (60, 7));
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
        assert!(OptMeasurements::read(folder.path()).unwrap().is_empty());
        let write = |name: &str, text: &str| std::fs::write(tuned.join(name), text).unwrap();
        write("table-3.csv", "algorithm,set,time_s\nopt_combined,n=8,1.5\nopt_combined,n=16,\n");
        let error = || OptMeasurements::read(folder.path()).unwrap_err().to_string();
        assert!(
            error().ends_with("table-3.csv:3: `time_s` is empty; fill it in, or remove the row"),
            "{}",
            error()
        );
        write("table-3.csv", "algorithm,set,time_s\nopt_combined,n=8,1.5\n");
        write("table-2.csv", "n,tb_first_stage\n8,x\n");
        assert!(error().contains("table-2.csv"), "{}", error());
        write(
            "table-2.csv",
            "n,tb_first_stage,tb_last_stage,bb_first_stage,bb_last_stage\n8,0,6,,\n",
        );
        let read = OptMeasurements::read(folder.path()).unwrap();
        assert_eq!(read.tuned.curve(PLAN), [(8, 1.5)]);
        assert_eq!(read.tuned.stages[0].bb_first_stage, None);
    }
}
