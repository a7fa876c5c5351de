//! The rows of a table, in parallel.

use memchr::{memchr, memchr_iter, memrchr};
use rayon::prelude::*;

use super::super::Fault;
use super::dialect::Dialect;
use crate::input;
use crate::points::Point;

/// Bytes of one chunk, about.
const CHUNK: usize = 1 << 20;

/// The lines of a text that are neither blank nor comments, with their numbers from 1.
pub(super) struct Lines<'a> {
    rest: Option<&'a str>,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { rest: Some(text), line: 0 }
    }

    /// The last comment above the first row, without its mark.
    pub(super) fn comment_above(text: &str) -> Option<&str> {
        let head = text.lines().take_while(|it| is_skipped(it));
        let comment = head.filter(|it| !it.trim().is_empty()).last()?;
        Some(comment.trim().trim_start_matches(['#', '%', ' ']))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest?;
            let (line, after) = match memchr(b'\n', rest.as_bytes()) {
                Some(at) => (&rest[..at], Some(&rest[at + 1..])),
                None => (rest, None),
            };
            self.rest = after;
            self.line += 1;
            if !is_skipped(line) {
                return Some((self.line, line));
            }
        }
    }
}

/// Whether a line is blank or a comment.
fn is_skipped(line: &str) -> bool {
    match line.as_bytes().first() {
        Some(b'0'..=b'9' | b'-') => false,
        _ => {
            let line = line.trim_start();
            line.is_empty() || line.starts_with(['#', '%']) || line.starts_with("//")
        }
    }
}

/// What stands where a coordinate is missing.
pub(super) fn is_missing(field: &str) -> bool {
    const WORDS: [&str; 11] =
        ["", "na", "n/a", "nan", "null", "none", "nil", "-", "\\n", "<na>", "?"];
    WORDS.iter().any(|it| field.eq_ignore_ascii_case(it))
}

/// A finite number.
pub(super) fn number(field: &str, decimal_comma: bool) -> Option<f64> {
    let value = if decimal_comma && field.contains(',') {
        field.replace(',', ".").parse::<f64>()
    } else {
        field.parse::<f64>()
    };
    value.ok().filter(|it| it.is_finite())
}

/// How rows are read.
pub(super) struct Reader {
    pub(super) dialect: Dialect,
    pub(super) columns: [usize; 2],
    /// Fields of every row, where there is no header.
    pub(super) width: Option<usize>,
    /// Whether a header says which columns are read.
    pub(super) is_named: bool,
    /// Whether a row without a coordinate is left out.
    pub(super) skips: bool,
    /// The first row that is a point.
    pub(super) first: usize,
}

/// Points with their lines.
#[derive(Default)]
pub(super) struct Table {
    pub(super) points: Vec<Point>,
    /// As `Rows` has them.
    pub(super) breaks: Vec<(usize, usize)>,
    pub(super) skipped: usize,
}

impl Table {
    fn push(&mut self, line: usize, point: Point) {
        let follows = |&(first, at): &(usize, usize)| at + (self.points.len() - first) == line;
        if !self.breaks.last().is_some_and(follows) {
            self.breaks.push((self.points.len(), line));
        }
        self.points.push(point);
    }
}

impl Reader {
    pub(super) fn read(&self, text: &str) -> Result<Table, Fault> {
        // Quotes may hold line feeds.
        if memchr(b'"', text.as_bytes()).is_some() && self.dialect.delimiter != b' ' {
            return self.quoted(text);
        }
        let mut parts = vec![];
        let mut rest = text;
        while !rest.is_empty() {
            let (chunk, after) = match rest.as_bytes().get(..CHUNK) {
                None => (rest, ""),
                Some(head) => {
                    let end = memrchr(b'\n', head)
                        .or_else(|| memchr(b'\n', rest.as_bytes()))
                        .map_or(rest.len(), |at| at + 1);
                    rest.split_at(end)
                }
            };
            parts.push(chunk);
            rest = after;
        }
        let lines: Vec<usize> =
            parts.par_iter().map(|it| memchr_iter(b'\n', it.as_bytes()).count()).collect();
        // The header is in the first chunk.
        let read = |(rank, part): (usize, &&str)| {
            let mut table = Table::default();
            let rows = Lines::of(part).skip(if rank == 0 { self.first } else { 0 });
            for (line, row) in rows {
                self.row(line, row, &mut table)?;
            }
            Ok(table)
        };
        let tables: Vec<Result<Table, Fault>> = parts.par_iter().enumerate().map(read).collect();
        let mut all = Table::default();
        let mut above = 0;
        let total = tables.iter().flatten().map(|it| it.points.len()).sum();
        all.points.reserve_exact(total);
        for (table, lines) in tables.into_iter().zip(lines) {
            let table = table.map_err(|fault| Fault {
                line: fault.line.map(|it| it + above),
                what: fault.what,
            })?;
            let before = all.points.len();
            all.breaks.extend(table.breaks.iter().map(|(at, line)| (before + at, above + line)));
            all.points.extend(table.points);
            all.skipped += table.skipped;
            above += lines;
        }
        Ok(all)
    }

    fn row(&self, line: usize, row: &str, table: &mut Table) -> Result<(), Fault> {
        let row = self.dialect.inner(row);
        let mut found = 0;
        let mut values = [""; 2];
        let mut take = |field| {
            for (value, &column) in values.iter_mut().zip(&self.columns) {
                if column == found {
                    *value = field;
                }
            }
            found += 1;
        };
        match self.dialect.delimiter {
            b' ' => row.split_whitespace().for_each(&mut take),
            delimiter => {
                let mut start = 0;
                for at in memchr_iter(delimiter, row.as_bytes()) {
                    take(&row[start..at]);
                    start = at + 1;
                }
                take(&row[start..]);
            }
        }
        self.point(line, found, values, table)
    }

    fn point(
        &self,
        line: usize,
        found: usize,
        values: [&str; 2],
        table: &mut Table,
    ) -> Result<(), Fault> {
        let needed = self.columns[0].max(self.columns[1]) + 1;
        if self.width.is_some_and(|it| it != found) {
            return Err(Fault::at(
                line,
                format!(
                    "{found} columns, but a point has two; write x,y with a comma between, or name \
                     the columns in a header: {}",
                    super::header::NAMES
                ),
            ));
        }
        if found < needed && !self.skips {
            let who = if self.is_named { "the header names" } else { "--columns takes" };
            return Err(Fault::at(
                line,
                format!("{found} columns, but {who} column {needed}; write all of them"),
            ));
        }
        let values = values.map(|it| it.trim().trim_matches('"'));
        let [x, y] = values.map(|it| number(it, self.dialect.decimal_comma));
        if let (Some(x), Some(y)) = (x, y) {
            table.push(line, Point { x, y });
            return Ok(());
        }
        if self.skips && values.iter().any(|it| is_missing(it)) {
            table.skipped += 1;
            return Ok(());
        }
        let bad = usize::from(x.is_some());
        let (field, column) = (values[bad], self.columns[bad] + 1);
        let hint =
            if is_missing(field) { ", or leave such rows out by --missing skip" } else { "" };
        Err(Fault::at(
            line,
            format!(
                "column {column}: '{field}' is not a finite number; write a coordinate such as \
                 12.5{hint}"
            ),
        ))
    }

    /// Rows some of whose fields are in quotes.
    fn quoted(&self, text: &str) -> Result<Table, Fault> {
        let mut table = Table::default();
        let mut rank = 0;
        for record in input::records_of(text, self.dialect.delimiter) {
            let record = record.map_err(|it| Fault::new(format!("{it}; mend the quotes")))?;
            let (line, fields) = (record.line, &record.fields);
            let is_comment = fields.get(0).is_some_and(|it| it.starts_with(['#', '%']));
            if is_comment {
                continue;
            }
            rank += 1;
            if rank > self.first {
                let values = self.columns.map(|it| fields.get(it).unwrap_or_default());
                self.point(line, fields.len(), values, &mut table)?;
            }
        }
        Ok(table)
    }
}
