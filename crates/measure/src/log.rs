//! The file into which points are measured: killed at any moment, it loses none that was finished.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::read::malformed;
use super::{MeasurementError, Repetition, Row};

/// A growing table of repetitions, held against other processes. All of a point's are written with one
/// write.
pub struct MeasurementLog<R: Row = Repetition> {
    path: PathBuf,
    file: File,
    found: HashSet<R::Subject>,
}

/// A point of fewer repetitions was cut short, but for runs of [`LONG`] seconds.
pub const FEWEST: u64 = 7;

/// Seconds from which a run is not repeated.
pub const LONG: f64 = 20.0;

impl<R: Row> MeasurementLog<R> {
    /// Opens a table, or begins it. Of a point that was cut short, what stands there is dropped.
    ///
    /// # Errors
    /// What the system says; another process that measures into it; rows that are no repetitions.
    pub fn open(path: &Path) -> Result<Self, MeasurementError> {
        let unreadable = |source| MeasurementError::Unreadable { path: path.into(), source };
        let unwritable = |source| MeasurementError::Unwritable { path: path.into(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(MeasurementError::Busy { path: path.into() });
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(unreadable)?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut found = HashSet::new();
        // Where the last point of enough repetitions ends.
        let mut end = text.find('\n').map_or(0, |at| at + 1);
        let mut reader = csv::Reader::from_reader(&text.as_bytes()[..whole]);
        let header =
            reader.headers().map_err(|it| malformed(path, &it, &csv::StringRecord::new()))?.clone();
        let mut rows = reader.deserialize::<R>();
        let mut last: Option<(R::Subject, u64)> = None;
        while let Some(row) = rows.next() {
            let row = row.map_err(|error| malformed(path, &error, &header))?;
            row.check().map_err(|source| {
                let line = rows.reader().position().line() - 1;
                MeasurementError::Implausible { path: path.into(), line, source }
            })?;
            let subject = row.subject();
            let count = match last.take() {
                Some((before, count)) if before == subject => count + 1,
                _ => 1,
            };
            if count >= FEWEST || row.time_s() >= LONG {
                found.insert(subject.clone());
                end = rows.reader().position().byte() as usize;
            }
            last = Some((subject, count));
        }
        file.set_len(end as u64).map_err(unwritable)?;
        file.seek(SeekFrom::Start(end as u64)).map_err(unwritable)?;
        Ok(Self { path: path.into(), file, found })
    }

    /// What was measured.
    pub fn subjects(&self) -> impl Iterator<Item = &R::Subject> {
        self.found.iter()
    }

    /// Whether the table has all repetitions of it.
    pub fn is_done(&self, subject: &R::Subject) -> bool {
        self.found.contains(subject)
    }

    /// Writes a point's repetitions.
    ///
    /// # Errors
    /// What the system says; the point then counts as not done.
    pub fn append(&mut self, rows: &[R]) -> io::Result<()> {
        let begins = self.file.stream_position()? == 0;
        let mut writer = csv::WriterBuilder::new().has_headers(begins).from_writer(vec![]);
        for row in rows {
            writer.serialize(row).map_err(io::Error::other)?;
        }
        let text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        self.file.write_all(&text)?;
        self.file.sync_data()?;
        if let Some(row) = rows.first() {
            self.found.insert(row.subject());
        }
        Ok(())
    }

    /// The table's file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(p: u64) -> Vec<Repetition> {
        (0..FEWEST)
            .map(|repetition| Repetition {
                name: "opt".to_owned(),
                set: "n=8".parse().unwrap(),
                bulk: Some(memory_machine_core::run::layout::Arrangement::RowWise),
                threads: Some(p),
                launch: Some("plain".to_owned()),
                prefetch: 1,
                processor: "gpu".to_owned(),
                devices: 1,
                regime: "cache".to_owned(),
                bytes: 64 * p,
                verified: "all".to_owned(),
                seed: 1,
                repetition,
                time_s: 1e-6,
            })
            .collect()
    }

    #[test]
    fn a_table_is_held_against_other_processes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("algorithms.csv");
        let log = MeasurementLog::<Repetition>::open(&path).unwrap();
        let open = || MeasurementLog::<Repetition>::open(&path).map(drop);
        assert!(matches!(open(), Err(MeasurementError::Busy { .. })));
        drop(log);
        open().unwrap();
    }

    /// A folder stands where the table should: it can be opened by nobody for writing.
    #[test]
    fn a_table_that_cannot_be_written_is_not_called_unreadable() {
        let folder = tempfile::tempdir().unwrap();
        let open = MeasurementLog::<Repetition>::open(folder.path()).map(drop);
        assert!(matches!(open, Err(MeasurementError::Unwritable { .. })));
    }

    #[test]
    fn a_torn_table_goes_on_after_its_last_whole_point() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("algorithms.csv");
        let mut log = MeasurementLog::<Repetition>::open(&path).unwrap();
        log.append(&rows(64)).unwrap();
        log.append(&rows(128)).unwrap();
        drop(log);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut log = MeasurementLog::<Repetition>::open(&path).unwrap();
            for p in [64, 128] {
                if !log.is_done(&rows(p)[0].subject()) {
                    log.append(&rows(p)).unwrap();
                }
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {length}");
        }
    }

    #[test]
    fn rows_of_another_kind_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("algorithms.csv");
        std::fs::write(&path, "a,b\n1,2\n").unwrap();
        assert!(MeasurementLog::<Repetition>::open(&path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"a,b\n1,2\n");
    }
}
