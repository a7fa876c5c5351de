//! A finished part of a sweep, and parts put together.
//!
//! Line 1 is a comment: which part of which sweep it is, and how many rows it has. Every other line is
//! one of the [`Log`](super::SweepLog), in the order of the points; so what is cut off or changed is seen.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use super::Shard;
use super::lines::{UNFINISHED, columns, row};
use crate::host::files::{DATA, FileError, path_text, read};

/// What the first line of a part says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Title {
    pub(super) shard: Shard,
    /// Of all parts.
    pub(super) points: usize,
    /// Of this part.
    pub(super) rows: usize,
    /// Of the program that wrote it.
    pub(super) version: String,
    /// A number that follows from the grid, its listings and inputs.
    pub(super) grid: u64,
}

impl Title {
    pub(super) fn line(&self) -> String {
        let Self { shard, points, rows, version, grid } = self;
        format!(
            "# part {shard} of `umm sweep` {version} points {points} rows {rows} grid {grid:016x}\n"
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [
            "#",
            "part",
            shard,
            "of",
            "`umm",
            "sweep`",
            version,
            "points",
            points,
            "rows",
            rows,
            "grid",
            grid,
        ] = words[..]
        else {
            return None;
        };
        Some(Self {
            shard: Shard::from_str(shard).ok()?,
            points: points.parse().ok()?,
            rows: rows.parse().ok()?,
            version: version.to_owned(),
            grid: u64::from_str_radix(grid, 16).ok()?,
        })
    }
}

/// A part that is whole.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    title: Title,
    text: String,
}

/// Why files are not the parts of a sweep.
#[derive(Debug, Error)]
pub enum PartError {
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another file.
    #[error(
        "{}: is no part of a sweep; give the files that `umm sweep --shard K/N -o FILE.csv` wrote",
        path_text(.0)
    )]
    NoPart(PathBuf),
    /// A part that is being written, or was interrupted.
    #[error("{}: is not finished; repeat the `umm sweep --shard` that began it", path_text(.0))]
    Unfinished(PathBuf),
    /// Cut off, or changed.
    #[error(
        "{}:{line}: the rows from here on are not as they were written (there are {rows}); remove the \
         file and sweep --shard {shard} again",
        path_text(path)
    )]
    Damaged {
        /// The part's file.
        path: PathBuf,
        /// Of the file, from 1.
        line: usize,
        /// Of the whole part.
        rows: usize,
        /// Which part it is.
        shard: Shard,
    },
    /// Parts that do not belong together.
    #[error(
        "{} and {} are not parts of one sweep: {why}; merge the parts of each by themselves",
        path_text(&paths[0]),
        path_text(&paths[1])
    )]
    Foreign {
        /// Two of them.
        paths: [PathBuf; 2],
        /// What differs.
        why: String,
    },
    /// One part twice.
    #[error("{} and {} are both part {shard}; give one of them", path_text(&paths[0]), path_text(&paths[1]))]
    Twice {
        /// Both files.
        paths: [PathBuf; 2],
        /// Which part they are.
        shard: Shard,
    },
    /// Parts that are not given.
    #[error("missing: {missing} of {of} parts; sweep them with --shard K/{of}, and merge all")]
    Missing {
        /// Their numbers, as in `3, 7-9`.
        missing: String,
        /// How many there should be.
        of: usize,
    },
}

impl PartFile {
    /// Reads a part, and checks that every row is there, as it was written.
    ///
    /// # Errors
    /// [`PartError`] about this file.
    pub fn read(path: &Path) -> Result<Self, PartError> {
        let text = read(path, DATA)?;
        let first = text.split_inclusive('\n').next().unwrap_or_default();
        if first.starts_with(UNFINISHED) {
            return Err(PartError::Unfinished(path.into()));
        }
        let title = Title::parse(first).filter(|it| it.line() == first);
        let title = title.ok_or_else(|| PartError::NoPart(path.into()))?;
        let part = Self { path: path.into(), title, text };
        part.check()?;
        Ok(part)
    }

    /// The rows with the numbers of their points; `None` for a line that is not as it was written.
    fn rows(&self) -> impl Iterator<Item = Option<(usize, &[u8])>> {
        let mut last = (usize::MAX, 0);
        self.text.split_inclusive('\n').skip(1).map(move |line| {
            let goes_on = row(line.as_bytes(), last.1 + 1).filter(|it| it.0 == last.0);
            let rank = if goes_on.is_some() { last.1 + 1 } else { 0 };
            let row = goes_on.or_else(|| row(line.as_bytes(), 0))?;
            last = (row.0, rank);
            Some(row)
        })
    }

    fn check(&self) -> Result<(), PartError> {
        let Title { shard, points, rows, .. } = self.title;
        let damaged = |line| PartError::Damaged { path: self.path.clone(), line, rows, shard };
        let mut numbers = shard.numbers(points);
        let (mut last, mut found) = (None, 0);
        for row in self.rows() {
            let index = row.map(|it| it.0);
            if index.is_none() || (index != last && index != numbers.next()) {
                return Err(damaged(2 + found));
            }
            (last, found) = (index, found + 1);
        }
        if found != rows || numbers.next().is_some() {
            return Err(damaged(2 + found));
        }
        Ok(())
    }
}

/// All parts of one sweep, in their order.
#[derive(Debug)]
pub struct Parts(Vec<PartFile>);

impl Parts {
    /// Checks that these are all parts of one sweep, each once.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn new(mut parts: Vec<PartFile>) -> Result<Self, PartError> {
        parts.sort_by_key(|it| it.title.shard.number());
        for pair in parts.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            let paths = || [a.path.clone(), b.path.clone()];
            let foreign = |why| Err(PartError::Foreign { paths: paths(), why });
            let (Title { shard, version, .. }, other) = (&a.title, &b.title);
            if *version != other.version {
                return foreign(format!("versions {version} and {} wrote them", other.version));
            }
            if (a.title.grid, a.title.points) != (other.grid, other.points) {
                return foreign("their grids, listings or inputs differ".to_owned());
            }
            if shard.of() != other.shard.of() {
                return foreign(format!("they are {shard} and {}", other.shard));
            }
            if *shard == other.shard {
                return Err(PartError::Twice { paths: paths(), shard: *shard });
            }
        }
        let of = parts.first().map_or(1, |it| it.title.shard.of());
        let given: Vec<usize> = parts.iter().map(|it| it.title.shard.number()).collect();
        if given.len() < of {
            return Err(PartError::Missing { missing: gaps(&given, of), of });
        }
        Ok(Self(parts))
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.0.len()
    }

    /// Points of all.
    pub fn points(&self) -> usize {
        self.0.first().map_or(0, |it| it.title.points)
    }

    /// Rows of all.
    pub fn rows(&self) -> usize {
        self.0.iter().map(|it| it.title.rows).sum()
    }

    /// Writes the table of the whole sweep.
    ///
    /// # Errors
    /// What the system says.
    pub fn merge(&self, table: &mut dyn Write) -> io::Result<()> {
        table.write_all(&columns()?)?;
        let mut parts: Vec<_> = self.0.iter().map(|it| it.rows().flatten().peekable()).collect();
        for index in 0..self.points() {
            let part = &mut parts[index % self.0.len()];
            while let Some((_, row)) = part.next_if(|it| it.0 == index) {
                table.write_all(row)?;
            }
        }
        Ok(())
    }
}

/// The numbers from 1 to `of` that are not among `given`, which ascend: `3, 7-9`.
fn gaps(given: &[usize], of: usize) -> String {
    let mut gaps = vec![];
    let mut next = 1;
    for &number in given.iter().chain(&[of + 1]) {
        match number - next {
            0 => {}
            1 => gaps.push(next.to_string()),
            _ => gaps.push(format!("{next}-{}", number - 1)),
        }
        next = number + 1;
    }
    gaps.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_are_named_shortly() {
        assert_eq!(gaps(&[2, 4, 8], 9), "1, 3, 5-7, 9");
        assert_eq!(gaps(&[1, 2, 3], 3), "");
    }
}
