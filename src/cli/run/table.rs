//! The rows of the table that `umm run` prints, as CSV has them.

use serde::Serialize;

use crate::case::outcome::RunReport;
use crate::machine::{Counts, Memories};

/// A phase, or `total`, which stands below several.
#[derive(Serialize)]
pub(super) struct PhaseRow<'a> {
    phase: &'a str,
    accesses: u128,
    /// Of warps, with at least one active thread.
    warp_accesses: u128,
    stages: u128,
    /// Of an HMM; likewise below.
    global_stages: Option<u128>,
    shared_stages: Option<u128>,
    time_units: u128,
}

pub(super) fn rows<'a>(report: &'a RunReport<'_>) -> impl Iterator<Item = PhaseRow<'a>> {
    let phases = report.phases.iter().map(|it| row(it.name, &it.counts, it.memories.as_ref()));
    let total =
        (report.phases.len() != 1).then(|| row("total", &report.total, report.memories.as_ref()));
    phases.chain(total)
}

fn row<'a>(phase: &'a str, counts: &Counts, memories: Option<&Memories>) -> PhaseRow<'a> {
    PhaseRow {
        phase,
        accesses: counts.accesses,
        warp_accesses: counts.dispatches,
        stages: counts.stages,
        global_stages: memories.map(|it| it.global.stages),
        shared_stages: memories.map(|it| it.shared.stages),
        time_units: counts.time_units.0,
    }
}
