//! Tables: as text that fits what shows it, with cells broken between words and never inside one, and
//! as CSV.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width, presets};
use console::measure_text_width;
use serde::Serialize;

use super::terminal::{hanging, width};
use super::{Failure, files};

/// Where a table goes beside what is printed.
#[derive(Debug, Args)]
pub(crate) struct TableFile {
    /// Write the table, too: raw numbers, their units in the names of the columns (-: standard output)
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

impl TableFile {
    pub(crate) fn to(csv: Option<PathBuf>) -> Self {
        Self { csv }
    }

    pub(crate) fn path(&self) -> Option<&PathBuf> {
        self.csv.as_ref()
    }

    /// Refuses, before the work, a file that could not be written after it.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        files::check_outputs(&self.csv)
    }

    /// Writes a row for each of `rows`, below the names of their fields, if that was asked for.
    pub(crate) fn write<R: Serialize>(
        &self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.csv else { return Ok(()) };
        files::write(path, |file| {
            let mut writer = csv::Writer::from_writer(file);
            for row in rows {
                writer.serialize(row).map_err(io::Error::other)?;
            }
            writer.flush()
        })
    }
}

/// Rows below a header.
///
/// Of a table that is wider than the terminal, cells are broken between words. Where not even single words
/// fit, columns that were named by [`Table::long`] become notes beneath the table, under numbers; else
/// each row is a list: a line for each of its cells, with the column's name.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    numbers: Vec<usize>,
    formulas: Range<usize>,
    long: Range<usize>,
}

impl Table {
    pub(crate) fn new(header: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let header = header.into_iter().map(Into::into).collect();
        Self { header, rows: vec![], numbers: vec![], formulas: 0..0, long: 0..0 }
    }

    /// These columns hold numbers: they end where the column ends, and are never broken.
    pub(crate) fn numbers(self, columns: impl IntoIterator<Item = usize>) -> Self {
        Self { numbers: columns.into_iter().collect(), ..self }
    }

    /// These columns hold what is never broken either.
    pub(crate) fn formulas(self, columns: Range<usize>) -> Self {
        Self { formulas: columns, ..self }
    }

    /// These columns hold long text, which may stand beneath the table.
    pub(crate) fn long(self, columns: Range<usize>) -> Self {
        Self { long: columns, ..self }
    }

    /// Adds a row. What a short one lacks is empty.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    /// The table as standard output shows it, without an end of line after the last.
    pub(crate) fn text(&self) -> String {
        self.fitted(width())
    }

    fn fitted(&self, width: usize) -> String {
        let least = (0..self.header.len()).map(|column| PADDING + self.least(column));
        if least.sum::<usize>() <= width {
            self.arranged(width)
        } else if self.long.is_empty() {
            self.listed(width)
        } else {
            self.noted(width)
        }
    }

    /// Widths of columns with their blanks: what is left beyond the least goes where most is lacking.
    fn widths(&self, width: usize) -> Vec<usize> {
        let columns = 0..self.header.len();
        let least: Vec<usize> = columns.clone().map(|it| self.least(it)).collect();
        let lacking: Vec<usize> = columns.map(|it| self.most(it) - least[it]).collect();
        let spare = width.saturating_sub(least.iter().map(|it| PADDING + it).sum());
        let wanted = lacking.iter().sum::<usize>().max(1);
        let widths = least.iter().zip(&lacking);
        widths
            .map(|(least, lacking)| PADDING + least + (lacking * spare / wanted).min(*lacking))
            .collect()
    }

    /// The width of a column that breaks no cell.
    fn most(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| &row[column]).chain([&self.header[column]]);
        cells.map(|cell| measure_text_width(cell)).max().unwrap_or(0)
    }

    /// The least width of a column that breaks no word.
    fn least(&self, column: usize) -> usize {
        let is_whole = self.numbers.contains(&column) || self.formulas.contains(&column);
        let measure = if is_whole { measure_text_width } else { longest_word };
        let cells = self.rows.iter().map(|row| measure(&row[column]));
        cells.chain([longest_word(&self.header[column])]).max().unwrap_or(0)
    }

    fn arranged(&self, width: usize) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        table.set_header(&self.header).add_rows(&self.rows);
        for ((index, column), width) in table.column_iter_mut().enumerate().zip(self.widths(width))
        {
            let width = u16::try_from(width).unwrap_or(u16::MAX);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width)));
            if self.numbers.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.trim_fmt()
    }

    /// With what is long beneath it: a number stands for it, the same for the same text.
    fn noted(&self, width: usize) -> String {
        let mut notes: Vec<String> = vec![];
        let Range { start, end } = self.long.clone();
        let mut number = |cells: &[String]| {
            let cells = self.header[start..end].iter().zip(cells).filter(|it| !it.1.is_empty());
            let named = |(name, cell): (&String, &String)| format!("{name}: {cell}");
            let note = cells.map(named).collect::<Vec<_>>().join("; ");
            if note.is_empty() {
                return String::new();
            }
            let known = notes.iter().position(|it| *it == note);
            let index = known.unwrap_or_else(|| {
                notes.push(note);
                notes.len() - 1
            });
            format!("[{}]", index + 1)
        };
        let short =
            |row: &[String], number: String| [&row[..start], &[number], &row[end..]].concat();
        let place = |&it: &usize| if it < end { it } else { it + 1 + start - end };
        let mut table = Self::new(short(&self.header, "note".to_owned()))
            .numbers(self.numbers.iter().map(place));
        for row in &self.rows {
            table.row(short(row, number(&row[start..end])));
        }
        let mut text = table.fitted(width) + "\n";
        for (index, note) in (1..).zip(&notes) {
            let note = format!(" [{index}] {note}");
            text += &format!("\n{}", hanging(&note, 5, width));
        }
        text
    }

    fn listed(&self, width: usize) -> String {
        let names = self.header.iter().map(|it| measure_text_width(it)).max().unwrap_or(0);
        let rows = self.rows.iter().map(|row| {
            if row[1..].iter().all(String::is_empty) {
                return format!(" {}:", row[0]);
            }
            let cells = self.header.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
            let lines = cells.map(|(name, cell)| {
                let blanks = " ".repeat(names - measure_text_width(name) + 2);
                hanging(&format!(" {name}{blanks}{}", cell.trim_start()), names + 3, width)
            });
            lines.collect::<Vec<_>>().join("\n")
        });
        rows.collect::<Vec<_>>().join("\n\n")
    }
}

/// A blank on either side of a cell.
const PADDING: usize = 2;

fn longest_word(cell: &str) -> usize {
    // Blanks before the first word shift it.
    let begin = cell.len() - cell.trim_start().len();
    let words = cell.split_whitespace().map(measure_text_width);
    words.max().map_or(0, |it| it + begin)
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table() -> Table {
        let mut table = Table::new(["bound", "points", "time/bound", "formula", "source"]);
        table = table.numbers(1..3).formulas(3..4).long(3..5);
        let source = "Nakano 2013, Theorem 1";
        table.row(["occupancy", "12", "1.000 … 3.500", "⌈n/w⌉ + l - 1", source]);
        table.row(["latency", "9", "1.000 … 12.25", "⌈n/p⌉·l + (n mod p)·l/w", source]);
        table.row(["the same", "9", "–", "⌈n/w⌉ + l - 1", source]);
        table
    }

    fn widest(text: &str) -> usize {
        text.lines().map(|it| it.chars().count()).max().unwrap()
    }

    #[test]
    fn what_fits_stands_in_one_line() {
        let text = table().fitted(100);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(widest(&text) <= 100, "{text}");
    }

    #[test]
    fn long_columns_move_beneath_under_numbers() {
        let text = table().fitted(60);
        assert!(widest(&text) <= 60, "{text}");
        assert!(
            text.contains("\n [1] formula: ⌈n/w⌉ + l - 1; source: Nakano 2013, Theorem 1\n [2] "),
            "{text}"
        );
        assert_eq!(text.matches("[1]").count(), 3, "{text}");
    }

    #[test]
    fn no_word_and_no_number_is_broken() {
        for width in 30..120 {
            let text = table().fitted(width);
            for whole in ["occupancy", "1.000 … 12.25", "Theorem", "⌈n/p⌉·l"] {
                assert!(text.contains(whole), "{width}: {whole}\n{text}");
            }
            assert!(widest(&text) <= width.max(28), "{width}\n{text}");
        }
    }

    #[test]
    fn a_table_too_wide_for_its_words_is_a_list() {
        let text = table().fitted(30);
        assert!(text.starts_with(" bound       occupancy\n points      12\n"), "{text}");
    }
}
