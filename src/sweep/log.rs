//! The file in which a sweep stands until it is finished: killed at any moment, it loses no point
//! that was written, and goes on where it stopped.
//!
//! Line 1 is a comment that says which sweep it is. Every other line is the number of a point,
//! a comma, and a row. Points are written in the order in which they are finished, each with one
//! write; the finished table has them in grid order, so that it is the same however often the sweep
//! was interrupted and however many cores it had.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::{Points, Spec};
use crate::language::program::Program;
use crate::sample::Sample;

/// An unfinished sweep's file, held against other processes.
pub struct Log {
    file: File,
    /// Where each point's rows begin in the text read or written so far; `None` before it is done.
    lines: Vec<Option<u64>>,
    end: u64,
}

/// Why a sweep cannot go on in a file.
#[derive(Debug, Error)]
pub enum LogError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("another process is sweeping into it")]
    Busy,
    #[error("it holds an unfinished sweep of other points, or by another version")]
    Foreign,
}

impl Log {
    /// Opens the file of an unfinished sweep, or begins it. `anew` replaces what belongs to another
    /// sweep.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open(
        path: &Path,
        spec: &Spec,
        programs: &[Arc<Program>],
        points: &Points<'_>,
        anew: bool,
    ) -> Result<Self, LogError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        let header = header(spec, programs);
        let mut log = Self { file, lines: vec![None; points.len()], end: 0 };
        if bytes.starts_with(header.as_bytes()) {
            log.end = header.len() as u64;
            log.recover(&bytes, points);
        } else if !anew && !header.as_bytes().starts_with(&bytes) {
            return Err(LogError::Foreign);
        }
        // What follows the last complete point was torn.
        log.file.set_len(log.end)?;
        log.file.seek(SeekFrom::Start(log.end))?;
        if log.end == 0 {
            log.file.write_all(header.as_bytes())?;
            log.end = header.len() as u64;
        }
        Ok(log)
    }

    /// Finds the points that are complete.
    fn recover(&mut self, bytes: &[u8], points: &Points<'_>) {
        loop {
            let mut at = self.end as usize;
            let Some(index) = number(&bytes[at..]).filter(|&it| it < self.lines.len()) else {
                return;
            };
            for _ in 0..points.rows(index) {
                let line = bytes[at..].iter().position(|&byte| byte == b'\n');
                match line {
                    Some(length) if number(&bytes[at..]) == Some(index) => at += length + 1,
                    _ => return,
                }
            }
            self.lines[index] = Some(self.end);
            self.end = at as u64;
        }
    }

    pub fn is_done(&self, index: usize) -> bool {
        self.lines[index].is_some()
    }

    /// Writes the rows of a point.
    ///
    /// # Errors
    /// What the system says; the point then counts as not done.
    pub fn append(&mut self, index: usize, rows: &[Sample]) -> io::Result<()> {
        let mut text = vec![];
        for row in rows {
            write!(text, "{index},")?;
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut text);
            writer.serialize(row).map_err(io::Error::other)?;
            writer.flush()?;
        }
        self.file.write_all(&text)?;
        self.lines[index] = Some(self.end);
        self.end += text.len() as u64;
        Ok(())
    }

    /// Writes the finished table: a header and all rows, in grid order.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(&mut self, points: &Points<'_>, table: &mut dyn Write) -> io::Result<()> {
        table.write_all(&columns()?)?;
        let mut bytes = vec![];
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        for (index, line) in self.lines.iter().enumerate() {
            let mut rest = line.and_then(|at| bytes.get(at as usize..)).unwrap_or_default();
            for _ in 0..points.rows(index) {
                let parts = rest.iter().position(|&byte| byte == b'\n').and_then(|end| {
                    let comma = rest[..end].iter().position(|&byte| byte == b',')?;
                    Some((&rest[comma + 1..=end], &rest[end + 1..]))
                });
                let lost = || io::Error::other("the file was changed during the sweep");
                let (row, next) = parts.ok_or_else(lost)?;
                table.write_all(row)?;
                rest = next;
            }
        }
        Ok(())
    }
}

/// The number that a line begins with.
fn number(line: &[u8]) -> Option<usize> {
    let comma = line.iter().take(24).position(|&byte| byte == b',')?;
    std::str::from_utf8(&line[..comma]).ok()?.parse().ok()
}

/// The names of a sample's columns, as a line.
fn columns() -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(vec![]);
    writer.serialize(Sample::default()).map_err(io::Error::other)?;
    let text = writer.into_inner().map_err(|error| error.into_error())?;
    let end = text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Ok(text[..end].to_vec())
}

/// Says which sweep a file belongs to: the version, the grid, and the listings' texts.
fn header(spec: &Spec, programs: &[Arc<Program>]) -> String {
    let Spec {
        algorithms: _,
        set,
        machines,
        widths,
        latencies,
        threads,
        modes,
        bulk,
        seed,
        phases,
        while_iterations,
    } = spec;
    let programs: Vec<_> =
        programs.iter().map(|it| (&it.name, hash(it.source.text.as_bytes()))).collect();
    let set: Vec<_> = set.iter().map(|(name, grid)| (name, &grid.0)).collect();
    let bulk: Vec<_> = bulk.iter().map(|it| it.map(|it| format!("{it:?}"))).collect();
    let grid = (programs, set, machines, widths, latencies, threads, modes, bulk);
    let grid = serde_json::json!([grid, seed, phases, while_iterations]);
    let version = env!("CARGO_PKG_VERSION");
    format!("# unfinished `umm sweep` {version}; repeat the command to go on {grid}\n")
}

/// FNV-1a: the same on every machine and by every compiler.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
