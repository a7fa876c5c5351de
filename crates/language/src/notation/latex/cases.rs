//! `\begin{cases} … \end{cases}`: a value for each condition.

use super::{Reader, Result};
use crate::diagnostic::{Diagnostic, Span};

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
        let above = self.out.text.trim_end();
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
            let (value, condition) = row.split_once('&').unwrap_or((row, ""));
            let words = ["\\text{if", "\\text{for", "\\text{when", "\\mbox{if", "\\textrm{if"];
            let condition = condition.trim();
            let is_last = nth + 1 == rows.len();
            let otherwise = ["otherwise", "else"].iter().any(|it| condition.contains(it));
            let value = value.trim().trim_end_matches([',', ';', ' ']);
            let span = |of: &str| Span::new(start(of), start(of) + of.len());
            if otherwise && is_last {
                is_closed = true;
                self.read(source, span(value))?;
                continue;
            }
            // `\text{if } i = 0` and `\text{if $i = 0$}`.
            let of_word = words.iter().find_map(|it| condition.strip_prefix(it));
            let condition = match of_word {
                Some(rest) if rest.trim_start().starts_with('}') => {
                    rest.trim_start().trim_start_matches('}')
                }
                Some(rest) => rest.trim_end_matches(['.', ',', ' ']).trim_end_matches('}'),
                None => condition,
            };
            let condition = condition.trim().trim_end_matches(['.', ',', ';', ' ']);
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
