//! Folders of times that a paper states: samples, and no description of the device.

use std::path::{Path, PathBuf};

use super::{DEVICE, MeasurementError, Subject, Timing, read, repetitions};
use memory_machine_case::sample::Sample;
use memory_machine_core::run::layout::Arrangement;

/// Bulk runs that a paper states the time of.
#[derive(Debug, Clone)]
pub struct PublishedRuns {
    /// As the rows name it; empty if they do not.
    pub device: String,
    /// One repetition each.
    pub points: Vec<Timing>,
}

impl PublishedRuns {
    /// The bulk runs on a GPU in all tables of samples of a folder. `None` where the device is
    /// described, so that it is no such folder, or where there is no such table.
    ///
    /// # Errors
    /// [`MeasurementError`] if a table is malformed.
    pub fn read(folder: &Path) -> Result<Option<Self>, MeasurementError> {
        if folder.join(DEVICE).exists() {
            return Ok(None);
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut tables: Vec<PathBuf> = entries.map(|it| it.path()).collect();
        tables.retain(|it| it.extension().is_some_and(|it| it == "csv") && is_of_samples(it));
        tables.sort();
        if tables.is_empty() {
            return Ok(None);
        }
        let mut samples: Vec<Sample> = vec![];
        for table in &tables {
            samples.extend(read::<Sample>(table)?);
        }
        let rows = samples.iter().filter_map(|it| {
            let subject = Subject {
                name: it.algorithm.clone(),
                set: it.set.clone(),
                bulk: Some(it.bulk.as_deref()?.parse::<Arrangement>().ok()?),
                threads: Some(it.threads?),
                prefetch: 1,
                processor: "gpu".to_owned(),
                devices: 1,
                ..Subject::default()
            };
            subject.repetitions("none", 0, &[it.time_s?]).pop()
        });
        let points = repetitions(rows.collect());
        let device = samples.iter().find_map(|it| it.device.clone()).unwrap_or_default();
        Ok(Some(Self { device, points }))
    }
}

/// Whether a file's columns are those of samples: a paper may have tables of other things.
fn is_of_samples(table: &Path) -> bool {
    let mut reader = csv::Reader::from_path(table);
    let header = reader.as_mut().map(csv::Reader::headers);
    header.is_ok_and(|it| it.is_ok_and(|it| it.iter().any(|column| column == "algorithm")))
}
