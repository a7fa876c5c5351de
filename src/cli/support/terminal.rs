//! Standard output as a page of text: how wide it is, and prose that fits.

use std::env;

use console::{Term, measure_text_width};

/// Columns where nothing says how many there are: in a pipe, in a file.
const USUAL_WIDTH: usize = 100;

/// Columns of the terminal that standard output is, if it is one.
pub(crate) fn columns() -> Option<u16> {
    Term::stdout().size_checked().map(|(_, columns)| columns)
}

/// The same, else those that `COLUMNS` says, else the usual.
pub(crate) fn width() -> usize {
    let said = || env::var("COLUMNS").ok()?.parse().ok();
    columns().map(usize::from).or_else(said).filter(|it| *it > 0).unwrap_or(USUAL_WIDTH)
}

/// Text whose lines are broken between words where they are wider than standard output; what a line is
/// broken into stands two columns further to the right than its beginning.
pub(crate) fn wrapped(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        hanging(line, indent + 2, width())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line broken between words, into lines of at most `width` columns where words allow; all but the
/// first begin with `indent` blanks.
pub(crate) fn hanging(line: &str, indent: usize, width: usize) -> String {
    if measure_text_width(line) <= width {
        return line.to_owned();
    }
    let own = line.len() - line.trim_start_matches(' ').len();
    let mut text = " ".repeat(own);
    let (mut column, mut begins) = (own, true);
    // Several blanks between words are kept where the line goes on.
    for word in line[own..].split_inclusive(' ') {
        let letters = measure_text_width(word.trim_end_matches(' '));
        if !begins && letters > 0 && column + letters > width {
            text.truncate(text.trim_end_matches(' ').len());
            text += "\n";
            text += &" ".repeat(indent);
            column = indent;
        }
        text += word;
        column += measure_text_width(word);
        begins = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::hanging;

    #[test]
    fn lines_are_broken_between_words() {
        let line = "  time ≤ n²/w + n·l/p  (Nakano 2013)";
        assert_eq!(hanging(line, 4, 40), line);
        assert_eq!(hanging(line, 4, 22), "  time ≤ n²/w + n·l/p\n    (Nakano 2013)");
        assert_eq!(hanging("incomprehensibilities are", 2, 9), "incomprehensibilities\n  are");
    }
}
