//! A table of the page, and how it names what was measured.

use super::prose::prose;
use crate::grouped;
use memory_machine_case::sample::Settings;
use memory_machine_measure::Subject;

/// Rows under a head; the first column names them.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Its caption.
    pub(super) title: String,
    /// Said below it, where there is something to say; HTML.
    pub(super) note: String,
    /// Empty where the rows' names say all.
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// Columns of words, from the left; the others are numbers.
    pub(super) words: usize,
}

impl Table {
    /// Whose first column alone are words.
    pub(super) fn new(title: impl Into<String>, head: &[&str], rows: Vec<Vec<String>>) -> Self {
        let head = head.iter().map(|&it| it.to_owned()).collect();
        Self { title: title.into(), note: String::new(), head, rows, words: 1 }
    }

    pub(super) fn noted(self, note: impl Into<String>) -> Self {
        Self { note: prose(&note.into()), ..self }
    }

    pub(super) fn worded(self, words: usize) -> Self {
        Self { words, ..self }
    }
}

/// `opt, n = 1 024`.
pub(super) fn what(subject: &Subject) -> String {
    let set = parameters(&subject.set);
    if set.is_empty() { subject.name.clone() } else { format!("{}, {set}", subject.name) }
}

/// `n = 1 024, stride = 2`.
pub(super) fn parameters(set: &Settings) -> String {
    let value = |it: i64| {
        let sign = if it < 0 { "−" } else { "" };
        format!("{sign}{}", grouped(it.unsigned_abs()))
    };
    let words: Vec<String> =
        set.0.iter().map(|(name, it)| format!("{name} = {}", value(*it))).collect();
    words.join(", ")
}
