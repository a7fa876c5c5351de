//! The file in which a sweep stands until it is finished: killed at any moment, it loses no point
//! that was written, and goes on where it stopped.
//!
//! Line 1 is a comment that says which sweep it is. Every other line is the number of a point,
//! a checksum, and a row, with commas between; a point with a line that is not as it was written is
//! done again. Points are written in the order in which they are finished, each with one write; the
//! finished table has them in grid order, so that it is the same however often the sweep was
//! interrupted and however many cores it had.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::lines::{UNFINISHED, checksum, columns, row};
use super::part::Title;
use super::{Points, Shard, SweepSpec};
use crate::diagnostic::fingerprint;
use crate::language::program::Program;
use crate::sample::Sample;

/// An unfinished sweep's file, held against other processes.
pub struct SweepLog {
    file: File,
    /// Where each point's rows begin in the text read or written so far; `None` before it is done.
    lines: Vec<Option<u64>>,
    end: u64,
    /// A number that follows from the grid, its listings and inputs.
    grid: u64,
}

/// Why a sweep cannot go on in a file.
#[derive(Debug, Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A lock is held by another process.
    #[error("another process is sweeping into it")]
    Busy,
    /// Rows that this sweep cannot go on from.
    #[error("it holds an unfinished sweep of other points, or by another version")]
    Foreign,
}

impl SweepLog {
    /// Opens the file of an unfinished sweep, or begins it. `anew` replaces what belongs to another
    /// sweep.
    ///
    /// # Errors
    /// [`LogError`].
    pub fn open(
        path: &Path,
        spec: &SweepSpec,
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
        let grid = grid(spec, programs, points);
        let header = header(&grid, points.part());
        let grid = fingerprint(grid.as_bytes());
        let mut log = Self { file, lines: vec![None; points.len()], end: 0, grid };
        if bytes.starts_with(header.as_bytes()) {
            log.end = header.len() as u64;
            log.recover(&bytes, points);
        } else if !anew && !header.as_bytes().starts_with(&bytes) {
            return Err(LogError::Foreign);
        }
        // What follows the last complete point was torn, or is damaged.
        log.file.set_len(log.end)?;
        log.file.seek(SeekFrom::Start(log.end))?;
        if log.end == 0 {
            log.file.write_all(header.as_bytes())?;
            log.end = header.len() as u64;
        }
        Ok(log)
    }

    /// Finds the points that are complete and undamaged.
    fn recover(&mut self, bytes: &[u8], points: &Points<'_>) {
        let mut at = self.end as usize;
        // The point whose rows are being read, where they begin, and how many there were.
        let mut open: Option<(usize, usize, usize)> = None;
        for line in bytes[at..].split_inclusive(|&byte| byte == b'\n') {
            let goes_on = open
                .filter(|&(index, _, rank)| row(line, rank).is_some_and(|it| it.0 == index))
                .map(|(index, begin, rank)| (index, begin, rank + 1));
            let begins = || row(line, 0).map(|(index, _)| (index, at, 1));
            open = goes_on.or_else(begins).filter(|it| it.0 < self.lines.len());
            at += line.len();
            if let Some((index, begin, _)) = open.take_if(|it| it.2 == points.rows(it.0)) {
                self.lines[index] = Some(begin as u64);
                self.end = at as u64;
            }
        }
    }

    /// Whether point `index`, from 0, has its rows in the file.
    pub fn is_done(&self, index: usize) -> bool {
        self.lines[index].is_some()
    }

    /// The points that are to be timed and have no rows in the file.
    pub fn missing(&self, points: &Points<'_>) -> Vec<usize> {
        points.numbers().filter(|&index| !self.is_done(index)).collect()
    }

    /// Writes the rows of a point.
    ///
    /// # Errors
    /// What the system says; the point then counts as not done.
    pub fn append(&mut self, index: usize, rows: &[Sample]) -> io::Result<()> {
        self.append_text(index, &text(rows)?)
    }

    /// The same of rows as [`text`].
    ///
    /// # Errors
    /// As [`Self::append`].
    pub fn append_text(&mut self, index: usize, rows: &[u8]) -> io::Result<()> {
        let mut text = vec![];
        for (rank, row) in rows.split_inclusive(|&byte| byte == b'\n').enumerate() {
            write!(text, "{index},{},", checksum(index, rank, row))?;
            text.extend(row);
        }
        self.file.write_all(&text)?;
        self.lines[index] = Some(self.end);
        self.end += text.len() as u64;
        Ok(())
    }

    /// Writes the finished table: a header and all rows, in grid order; of a part of a sweep, the
    /// lines of which [`Parts`](super::Parts) make the table.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(&mut self, points: &Points<'_>, table: &mut dyn Write) -> io::Result<()> {
        match points.part() {
            None => table.write_all(&columns()?)?,
            Some(shard) => table.write_all(self.title(shard, points).line().as_bytes())?,
        }
        let mut bytes = vec![];
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_to_end(&mut bytes)?;
        for index in points.numbers() {
            let rest =
                self.lines[index].and_then(|at| bytes.get(at as usize..)).unwrap_or_default();
            let mut lines = rest.split_inclusive(|&byte| byte == b'\n');
            for rank in 0..points.rows(index) {
                let line = lines.next().unwrap_or_default();
                let row = row(line, rank).filter(|it| it.0 == index);
                let lost = || io::Error::other("the file was changed during the sweep");
                let (_, row) = row.ok_or_else(lost)?;
                table.write_all(if points.part().is_some() { line } else { row })?;
            }
        }
        Ok(())
    }

    fn title(&self, shard: Shard, points: &Points<'_>) -> Title {
        Title {
            shard,
            points: points.len(),
            rows: points.numbers().map(|index| points.rows(index)).sum(),
            version: VERSION.to_owned(),
            grid: self.grid,
        }
    }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Rows as lines of a table.
///
/// # Errors
/// A row that is no line: none.
pub fn text(rows: &[Sample]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(vec![]);
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other)?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// Says which sweep, or part of it, a file belongs to: the version and the grid.
fn header(grid: &str, part: Option<Shard>) -> String {
    let part = part.map_or_else(String::new, |it| format!(" part {it} of"));
    format!("{UNFINISHED}{part} `umm sweep` {VERSION}; repeat the command to go on {grid}\n")
}

/// A grid as one line, the listings by their texts.
fn grid(spec: &SweepSpec, programs: &[Arc<Program>], points: &Points<'_>) -> String {
    let SweepSpec {
        algorithms: _,
        set,
        machines,
        courses,
        rules,
        dmms,
        shared_latencies,
        residents,
        widths,
        latencies,
        threads,
        modes,
        bulk,
        inputs,
        seed,
        phases,
        while_iterations,
        // It changes no row.
        work: _,
    } = spec;
    let programs: Vec<_> =
        programs.iter().map(|it| (&it.name, fingerprint(it.source.text.as_bytes()))).collect();
    let set: Vec<_> = set.iter().map(|(name, grid)| (name, &grid.0)).collect();
    let bulk: Vec<_> = bulk.iter().map(|it| it.map(|it| format!("{it:?}"))).collect();
    let dmms = (dmms, shared_latencies, residents);
    let grid = (programs, set, machines, dmms, widths, latencies, threads, modes, bulk);
    let mut grid = serde_json::json!([grid, seed, phases, while_iterations]);
    if let (false, Some(all)) = (courses.is_empty(), grid.as_array_mut()) {
        let courses: Vec<String> = courses.iter().map(ToString::to_string).collect();
        all.push(serde_json::json!([courses, rules]));
    }
    if let (false, Some(all)) = (inputs.is_empty(), grid.as_array_mut()) {
        all.push(format!("{:016x}", points.fingerprint()).into());
    }
    grid.to_string()
}
