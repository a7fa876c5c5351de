//! What `umm kernel` prints.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table, presets};

use crate::chart::{bytes, grouped, seconds};
use crate::cli::support::options::describe;
use crate::kernel::{InstructionPrediction, KernelReport};
use crate::predict::KernelPrediction;
use crate::sass::StallCycles;

/// What a line's warps wait for most, and the part of its time.
fn waits(stalls: &StallCycles) -> String {
    let most = stalls.reasons().into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let part = |it: f64| 100.0 * it / stalls.all().max(f64::MIN_POSITIVE);
    most.filter(|it| it.1 > 0.0)
        .map_or_else(String::new, |(name, it)| format!("{name} {:.0} %", part(it)))
}

/// Seconds on a machine, and what they rest on.
fn prediction(model: &str, it: &KernelPrediction) -> String {
    let KernelPrediction { occupancy, roofline, moved_bytes, .. } = it;
    let roof = match (roofline.of_roof, roofline.intensity) {
        (Some(part), Some(intensity)) => {
            format!("{:.0} % of the roof at {intensity:.2} operations a byte", 100.0 * part)
        }
        (Some(part), None) => format!("{:.0} % of the roof; memory moves nothing", 100.0 * part),
        (None, _) => "no floating-point operations, and memory moves nothing".to_owned(),
    };
    let blocks = occupancy.blocks;
    format!(
        "{model}: {} predicted, {} with the launch; bound by {}\n\
         occupancy {:.0} %: {blocks} block{} a multiprocessor, limited by {}\n\
         {} of the first cache, {} of the last, {} of memory\n{roof}\n\n",
        seconds(it.kernel_s),
        seconds(it.prediction.time_s),
        it.bound.word(),
        100.0 * occupancy.share,
        if blocks == 1.0 { "" } else { "s" },
        occupancy.limit.word(),
        bytes(moved_bytes.l1),
        bytes(moved_bytes.l2),
        bytes(moved_bytes.dram),
    )
}

/// All of it, with so many lines of the table.
pub(super) fn text(report: &KernelReport<'_>, most_lines: usize) -> String {
    let mut text = report.execution.printed.clone();
    let _ = writeln!(text, "{}\n{}", report.title(), report.subtitle());
    if let Some(estimates) = report.estimates() {
        let _ = writeln!(text, "{estimates}");
    }
    let _ = writeln!(
        text,
        "{} registers a thread, {} bytes of shared memory and {} of local memory\n",
        report.kernel.registers,
        report.kernel.shared_bytes + u64::from(report.plan.shared_bytes),
        report.kernel.local_bytes
    );
    if let Some((machine, mode, counts)) = &report.time {
        let _ = writeln!(
            text,
            "{}\n{} time units, {} stages, {} dispatches{}\n",
            describe(*machine, *mode),
            grouped(counts.time_units.0),
            grouped(counts.stages),
            grouped(counts.dispatches),
            if report.execution.sample.is_some() {
                " of the blocks that were executed"
            } else {
                ""
            }
        );
    }
    if let Some((model, predicted)) = report.predicted {
        text += &prediction(&model.name, predicted);
    }
    let _ = writeln!(text, "{}\n", lines(report, most_lines));
    for (number, (it, why)) in report.table.worst().iter().enumerate() {
        let _ = writeln!(text, "{}. {}: {why}", number + 1, it.place());
        if let Some(line) = &it.text {
            let _ = writeln!(text, "   {line}");
        }
    }
    for it in &report.execution.findings {
        let _ = writeln!(text, "{}", report.finding(it));
    }
    text
}

/// The lines that take most.
fn lines(report: &KernelReport<'_>, most: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut header = vec![
        "share",
        "line",
        "executions",
        "threads",
        "requests",
        "sectors",
        "ideal",
        "wavefronts",
        "ideal",
    ];
    if report.predicted.is_some() {
        header.extend(["L1", "L2", "memory", "waits most for"]);
    }
    table.set_header(header);
    let some = |it: u64| if it > 0 { it.to_string() } else { String::new() };
    for it in report.table.lines.iter().take(most) {
        let counts = it.counts;
        let ideal = if counts.wavefronts > 0 { counts.ideal_wavefronts } else { 0 };
        let mut row = vec![
            format!("{:.1} %", 100.0 * it.share),
            it.place(),
            counts.executions.to_string(),
            format!("{:.1}", counts.threads as f64 / counts.executions.max(1) as f64),
            some(counts.requests + counts.shared_requests),
            some(counts.sectors),
            some(counts.ideal_sectors),
            some(counts.wavefronts),
            some(ideal),
        ];
        if let Some(InstructionPrediction { stalls, moved }) = &it.predicted {
            let some = |it: f64| if it > 0.0 { bytes(it) } else { String::new() };
            row.extend([some(moved.l1), some(moved.l2), some(moved.dram), waits(stalls)]);
        }
        table.add_row(row);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        let is_name = at == 1 || at == 12;
        column.set_cell_alignment(if is_name { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}
