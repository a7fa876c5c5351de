//! `\begin{cases} … \end{cases}`: a value for each condition.

use super::{Reader, Result};
use crate::diagnostic::{Diagnostic, Span};

/// `\left\{\begin{array}{ll} … \end{array}\right.` as cases, in as many letters.
pub(super) fn by_array(source: &str) -> String {
    let mut out = source.to_owned();
    let mut at = 0;
    while let Some(start) = out[at..].find("\\left\\{").map(|it| at + it) {
        at = start + 1;
        let rest = out[start + "\\left\\{".len()..].trim_start();
        let Some(columns) = rest.strip_prefix("\\begin{array}").map(str::trim_start) else {
            continue;
        };
        let Some(close) = columns.find('}').filter(|_| columns.starts_with('{')) else { continue };
        let begin = out.len() - columns.len() + close + 1;
        let Some(end) = out[begin..].find("\\end{array}").map(|it| begin + it) else { continue };
        let behind = end + "\\end{array}".len();
        let Some(right) = out[behind..].trim_start().strip_prefix("\\right.") else { continue };
        let stop = out.len() - right.len();
        let padded = |word: &str, length: usize| format!("{word:<length$}");
        out.replace_range(end..stop, &padded("\\end{cases}", stop - end));
        out.replace_range(start..begin, &padded("\\begin{cases}", begin - start));
    }
    out
}

/// Rows of cases, each with its value and its condition.
pub(super) fn rows(inside: &str) -> Vec<(&str, &str)> {
    let rows = inside.split("\\\\").map(str::trim).filter(|it| !it.is_empty());
    rows.map(row).collect()
}

/// A value without what separates it, and its condition without its word.
fn row(row: &str) -> (&str, &str) {
    const WORDS: [&str; 5] = ["\\text{if", "\\text{for", "\\text{when", "\\mbox{if", "\\textrm{if"];
    let (value, condition) = row.split_once('&').unwrap_or((row, ""));
    let condition = condition.trim();
    // `\text{if } i = 0` and `\text{if $i = 0$}`.
    let condition = match WORDS.iter().find_map(|it| condition.strip_prefix(it)) {
        Some(rest) if rest.trim_start().starts_with('}') => {
            rest.trim_start().trim_start_matches('}')
        }
        Some(rest) => rest.trim_end_matches(['.', ',', ' ']).trim_end_matches('}'),
        None => condition,
    };
    let trimmed = |it: &'static [char]| move |of: char| it.contains(&of);
    let value = value.trim().trim_end_matches(trimmed(&[',', ';', ' ']));
    (value, condition.trim().trim_end_matches(trimmed(&['.', ',', ';', ' '])))
}

/// Whether a condition is that of all other cases.
pub(super) fn is_otherwise(condition: &str) -> bool {
    ["otherwise", "else"].iter().any(|it| condition.contains(it))
}

impl Reader {
    /// From behind `\begin{cases}` on; gives the place behind its end.
    pub(super) fn cases(
        &mut self,
        source: &str,
        at: usize,
        end: usize,
        place: Span,
    ) -> Result<usize> {
        let close = source[at..end].find("\\end{").map_or(end, |it| at + it);
        let behind = source[close..end].find('}').map_or(end, |it| close + it + 1);
        let inside = &source[at..close];
        let start = |row: &str| at + (row.as_ptr().addr() - inside.as_ptr().addr());
        let rows = inside.split("\\\\").map(str::trim).filter(|it| !it.is_empty());
        let rows: Vec<&str> = rows.collect();
        let mut is_closed = false;
        // `\min \begin{cases} … \end{cases}`: the values that it is taken of.
        let above = self.out.text.trim_end().trim_end_matches('{').trim_end();
        let is_set = above.ends_with("min") || above.ends_with("max");
        if is_set && rows.iter().all(|it| !it.trim_end_matches('&').contains('&')) {
            self.push("(", place);
            for (nth, row) in rows.iter().enumerate() {
                if nth > 0 {
                    self.push(", ", place);
                }
                let value = row.trim_end_matches([',', ';', ' ', '&']);
                self.read(source, Span::new(start(value), start(value) + value.len()))?;
            }
            self.push(") ", place);
            return Ok(behind);
        }
        self.push(" (", place);
        for (nth, row) in rows.iter().enumerate() {
            let (value, condition) = self::row(row);
            let span = |of: &str| Span::new(start(of), start(of) + of.len());
            if is_otherwise(condition) && nth + 1 == rows.len() {
                is_closed = true;
                self.read(source, span(value))?;
                continue;
            }
            if condition.is_empty() {
                break;
            }
            self.push(" if ", place);
            self.read(source, span(condition))?;
            self.push(" then ", place);
            self.read(source, span(value))?;
            self.push(" else ", place);
        }
        self.push(") ", place);
        match is_closed {
            true => Ok(behind),
            false => Err(Diagnostic::new(place, "cases that do not end in `otherwise`")
                .help("write `\\text{otherwise}` behind the last one")),
        }
    }
}
