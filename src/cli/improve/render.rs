//! What `umm improve` prints.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use crate::case::{Case, Improvement, LowerBound};
use crate::chart;
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::describe;
use crate::improve::check::Certificate;
use crate::improve::search::{Ladder, Rung, Step};

/// What was found.
pub(super) struct LadderReport<'a> {
    pub(super) case: &'a Case,
    /// Parameters with their values.
    pub(super) sizes: String,
    pub(super) found: &'a Improvement,
}

/// The ladder as a person reads it, with the lines that change if they are asked for.
pub(super) fn render_text(report: &LadderReport<'_>, explains: bool) -> String {
    let LadderReport { case, sizes, found: Improvement { ladder, lower_bound } } = report;
    let machine = describe(case.machine, case.mode);
    let program = &case.program;
    let mut text = format!("{}  {sizes}\n{machine}  p = {}\n\n", program.name, case.threads);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let has_seconds = ladder.rungs.iter().any(|it| it.seconds.is_some());
    let mut header = vec!["rung", "time units", "stages", "faster", "step"];
    if has_seconds {
        header.insert(4, "predicted");
    }
    table.set_header(header);
    let first = ladder.rungs.first().map_or(0, |it| it.time.time_units);
    for (at, rung) in ladder.rungs.iter().enumerate() {
        let what = rung.step.as_ref().map_or("as it was", |it| &it.what);
        let faster = first as f64 / rung.time.time_units.max(1) as f64;
        let time = rung.time;
        let mut row = vec![
            at.to_string(),
            grouped(time.time_units),
            grouped(time.stages),
            format!("{faster:.2} ×"),
            what.to_owned(),
        ];
        if has_seconds {
            row.insert(4, rung.seconds.map_or_else(|| "-".to_owned(), chart::seconds));
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().take(4 + usize::from(has_seconds)) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    text += &table.trim_fmt();
    text.push_str("\n\n");
    let mut is_exact = true;
    for (at, pair) in ladder.rungs.windows(2).enumerate() {
        if let Some(step) = &pair[1].step {
            is_exact &= !step.certificates.iter().any(Certificate::reassociates);
            let same = if is_exact { "same bits" } else { "same but for rounding" };
            let (rung, Step { line, why, runs, .. }) = (at + 1, step);
            let _ = writeln!(text, "rung {rung}, line {line}: {why}; {same} in {runs} runs");
            if explains {
                text += &difference(&pair[0], &pair[1]);
            }
        }
    }
    if let (Some(LowerBound { name, time_units: bound }), Some(best)) =
        (lower_bound, ladder.rungs.last())
    {
        let ratio = best.time.time_units as f64 / (*bound).max(1) as f64;
        let _ = writeln!(
            text,
            "the last rung is optimal within {ratio:.2} × for its accesses: the lower bound is {} ({name})",
            grouped(*bound)
        );
    }
    text += &launches(ladder);
    for refused in ladder.refused.iter().take(5) {
        let _ = writeln!(
            text,
            "refused: {} ({} time units): {}",
            refused.what,
            grouped(refused.time_units),
            refused.reason
        );
    }
    if ladder.is_cut {
        text += "stopped by --budget: a longer search may find more\n";
    }
    if let Some(best) = ladder.rungs.last().filter(|_| ladder.rungs.len() > 1) {
        let _ = write!(text, "\n{}", best.listing);
    }
    text
}

/// What the time leaves out: how often the last rung starts a parallel loop, and what that may take.
fn launches(ladder: &Ladder) -> String {
    let [Some(first), Some(last)] = [ladder.rungs.first(), ladder.rungs.last()] else {
        return String::new();
    };
    if last.seconds.is_some() {
        return match first.seconds {
            Some(_) => String::new(),
            None => "the first rung is not predicted: the last may be slower\n".to_owned(),
        };
    }
    let [before, after] = [first, last].map(|it| u128::from(it.time.launches.unwrap_or(0)));
    if after <= before.max(1) {
        return String::new();
    }
    let gain = first.time.time_units.saturating_sub(last.time.time_units) / (after - before);
    format!(
        "the last rung starts parallel loops {} times, which takes no time units here: \
         it is faster if each start takes less than {} (--launch, --model)\n",
        grouped(after),
        grouped(gain)
    )
}

/// The lines of the second listing, with `+` before those that are new, and `-` before those that went.
fn difference(before: &Rung, after: &Rung) -> String {
    let [old, new] = [before, after].map(|it| it.listing.lines().collect::<Vec<_>>());
    // Longest common subsequences of what is left from each place on.
    let mut longest = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] = match old[i] == new[j] {
                true => longest[i + 1][j + 1] + 1,
                false => longest[i + 1][j].max(longest[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut text) = (0, 0, String::new());
    while i < old.len() || j < new.len() {
        let (sign, line) = if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
            (' ', old[i - 1])
        } else if j == new.len() || i < old.len() && longest[i + 1][j] >= longest[i][j + 1] {
            i += 1;
            ('-', old[i - 1])
        } else {
            j += 1;
            ('+', new[j - 1])
        };
        let _ = writeln!(text, "{}", format!("  {sign} {line}").trim_end());
    }
    text
}
