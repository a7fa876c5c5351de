//! Standard output as a terminal: how wide it is, and tables that fit.

use comfy_table::{ContentArrangement, Table, presets};
use console::Term;

/// Columns of the terminal that standard output is, if it is one.
pub(crate) fn width() -> Option<u16> {
    Term::stdout().size_checked().map(|(_, columns)| columns)
}

/// A table without lines, whose cells are broken where a terminal would break them.
pub(crate) fn table() -> Table {
    fitting(width())
}

fn fitting(width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_narrow_terminal_breaks_cells_not_lines() {
        let text = |width| {
            let mut table = fitting(width);
            table.set_header(["algorithm", "what it does"]);
            table.add_row(["transpose", "copies a matrix by rows, by columns and by diagonals"]);
            table.trim_fmt()
        };
        let widest = |text: &str| text.lines().map(str::len).max().unwrap();
        assert_eq!(text(None).lines().count(), 2);
        assert_eq!(text(Some(200)), text(None));
        assert!(widest(&text(None)) > 40 && widest(&text(Some(40))) <= 40, "{}", text(Some(40)));
    }
}
