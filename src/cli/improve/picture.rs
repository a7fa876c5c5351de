//! The picture of a ladder.

use super::LadderReport;
use crate::chart::{self, AccessPanel, Canvas, Scene, Theme, WarpAccesses};
use crate::cli::support::Failure;
use crate::cli::support::options::describe;

/// Pixels of a rung, and of the picture's height.
const RUNG: u32 = 600;
const HEIGHT: u32 = 675;
/// More rungs would be too many side by side.
const MOST_RUNGS: usize = 6;

/// The words that warps access, a panel for each rung.
///
/// # Errors
/// Sizes too large to be drawn, more rungs than fit, and what a run meets.
pub(super) fn ladder_picture(report: &LadderReport<'_>, theme: Theme) -> Result<Scene, Failure> {
    let LadderReport { case, sizes, found } = report;
    let rungs = &found.ladder.rungs;
    if rungs.len() > MOST_RUNGS {
        return Err(Failure::input(format_args!(
            "--draw: {} rungs; at most {MOST_RUNGS} fit a picture: ask for fewer --steps",
            rungs.len()
        )));
    }
    let mut runs = vec![];
    for rung in rungs {
        let Some(case) = case.of_rung(rung) else { continue };
        let layout = case.layout()?;
        let accesses = case.trace(WarpAccesses::new(case.machine))?;
        let heading = rung.step.as_ref().map_or("as it was", |it| &it.what).to_owned();
        runs.push((case, layout, accesses, heading));
    }
    let panels: Vec<_> = runs
        .into_iter()
        .map(|(case, layout, accesses, heading)| AccessPanel {
            heading,
            program: case.program,
            layout,
            accesses,
        })
        .collect();
    let name = &case.program.name;
    let title = match rungs.len() {
        0 | 1 => format!("{name}: no step found"),
        _ => format!("{name}: the words that its warps access"),
    };
    let machine = describe(case.machine, case.mode);
    let caption = format!("{sizes}  {machine}  p = {}", case.threads);
    let canvas = Canvas { size: (RUNG * panels.len().max(2) as u32, HEIGHT), theme };
    chart::warp_accesses(&panels, &title, &caption, canvas).map_err(Failure::input)
}
