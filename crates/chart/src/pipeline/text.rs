//! The picture for a terminal.

use super::axis::{Cell, Column, Panel, cells, panels};
use super::labels::{pipeline as whose, requests, stages, warp};
use super::{Picture, notes, sums, title};
use crate::ChartError;
use memory_machine_core::machine::{Mode, WarpAccess};

/// Wider pictures are refused.
pub(super) const WIDEST: usize = 200;
/// Time units that stand side by side, however narrow the terminal is.
const FEWEST: usize = 4;

/// The picture as text, at most 200 columns wide; each access shows what its threads ask for and
/// then a line for each stage. In a terminal of `columns`, time units that do not fit follow below.
///
/// # Errors
/// [`ChartError::TooWide`] if it does not fit into 200 columns.
pub fn text<'a>(
    picture: impl Into<Picture<'a>>,
    columns: Option<u16>,
) -> Result<String, ChartError> {
    let picture = &picture.into();
    let pipeline = picture.pipeline;
    let rows: Vec<(String, String)> =
        pipeline.accesses.iter().flat_map(|it| stages(picture, it)).collect();
    let target = widest(rows.iter().map(|(target, _)| target));
    let addresses = widest(rows.iter().map(|(_, addresses)| addresses));
    let label = (target + addresses + 6).max("time unit".len());
    let largest = pipeline.time.0.to_string().len();

    let mut text = title(picture).join("  ") + "\n";
    let fitting = columns.map_or(usize::MAX, |columns| {
        (usize::from(columns).saturating_sub(label) / (largest + 1)).max(FEWEST)
    });
    for Panel { accesses, columns } in panels(pipeline) {
        let width = label + columns.len() * (largest + 1);
        if width > WIDEST {
            return Err(ChartError::TooWide { width, widest: WIDEST });
        }
        for from in (0..columns.len()).step_by(fitting) {
            let shown = from..columns.len().min(from.saturating_add(fitting));
            text += &format!("\n{:label$}", "time unit");
            for column in &columns[shown.clone()] {
                text += &match column {
                    Column::Unit(unit) => format!(" {unit:>largest$}"),
                    Column::Skipped => format!(" {:>largest$}", "…"),
                };
            }
            text.push('\n');
            let mut last = None;
            let mut before: Option<&WarpAccess> = None;
            for &access in &accesses {
                let head = picture.head(before.replace(access), access);
                if pipeline.has_blocks() && last.replace(access.dmm()) != Some(access.dmm()) {
                    text += &format!("{}\n", whose(access));
                }
                if access.after_barrier && pipeline.mode == Mode::Async {
                    text += "barrier\n";
                }
                text += &head.map_or_else(String::new, |it| it + "\n");
                text += &format!("{}  {}\n", warp(access), requests(picture, access));
                let first = access.start.0 + 1;
                for ((name, list), entered) in stages(picture, access).iter().zip(first..) {
                    let name = format!("{name}:");
                    let mut line = format!("  {name:0$}  {list:addresses$}", target + 1);
                    line = format!("{line:label$}");
                    let cells = cells(&columns, entered, access.memory.latency.get().into());
                    for cell in &cells[shown.clone()] {
                        line += &match cell {
                            Cell::Outside => format!(" {:largest$}", ""),
                            Cell::Stage(stage) => format!(" {stage:>largest$}"),
                            Cell::Moving => format!(" {:>largest$}", "…"),
                        };
                    }
                    text += line.trim_end();
                    text.push('\n');
                }
            }
        }
    }
    text.push('\n');
    for line in sums(picture).into_iter().chain(notes(picture)) {
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

/// In characters.
fn widest<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}
