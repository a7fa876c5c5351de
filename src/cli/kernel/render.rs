//! What `umm kernel` prints.

use std::fmt::Write;
use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::chart::{grouped, seconds};
use crate::cli::support::Failure;
use crate::cli::support::options::describe;
use crate::host::files::ends;
use crate::kernel::{
    Execution, Finding, FindingKind, LineCounts, Plan, Signature, SourceTable, parameter_names,
};
use crate::machine::{Counts, Machine, Mode};
use crate::models::Model;
use crate::predict::KernelPrediction;
use crate::sass::launch::MemorySpace;
use crate::sass::{KernelCode, Module, StallCycles};

/// A source file's text, if it can be read.
pub(super) fn source_text(path: &str) -> Option<String> {
    const MOST_BYTES: u64 = 16 << 20;
    let size = std::fs::metadata(path).ok()?.len();
    (size <= MOST_BYTES)
        .then(|| std::fs::read(path).ok())
        .flatten()
        .map(|it| String::from_utf8_lossy(&it).into_owned())
}

/// What the kernel's parameters are called: its own source says so, or the one that its lines are of.
pub(super) fn names(file: &Path, kernel: &KernelCode) -> Option<Vec<String>> {
    let name = Signature::of(&kernel.name).name;
    let is_source = ends(file, "cu") || ends(file, "cuh");
    let own = is_source.then(|| file.to_string_lossy().into_owned());
    let mut of_lines: Vec<&str> =
        (0..kernel.instructions()).filter_map(|it| Some(&*kernel.line(it)?.file)).collect();
    of_lines.sort_unstable();
    of_lines.dedup();
    let all = own.as_deref().into_iter().chain(of_lines);
    all.filter_map(source_text).find_map(|it| parameter_names(&it, &name))
}

/// The kernel that is asked for.
pub(super) fn choose<'a>(
    module: &'a Module,
    name: Option<&str>,
    file: &str,
) -> Result<&'a KernelCode, Failure> {
    let short = |it: &KernelCode| Signature::of(&it.name).name;
    let all = || {
        let names: Vec<String> = module.kernels.iter().map(short).collect();
        names.join(", ")
    };
    let named = |name: &str| -> Vec<&KernelCode> {
        module.kernels.iter().filter(|it| it.name == name || short(it) == name).collect()
    };
    match (name, &module.kernels[..]) {
        (_, []) => Err(Failure::input(format_args!(
            "{file}: no kernel is in it; a template needs an instance: --instance 'f<float>'"
        ))),
        (None, [only]) => Ok(only),
        (None, _) => Err(Failure::input(format_args!(
            "{file}: has several kernels; choose one by --kernel: {}",
            all()
        ))),
        (Some(name), _) => match named(name)[..] {
            [only] => Ok(only),
            [] => Err(Failure::input(format_args!(
                "--kernel {name}: {file} has no such kernel; it has {}; a template needs an \
                 instance: --instance '{name}<float>'",
                all()
            ))),
            _ => {
                let own: Vec<&str> = named(name).iter().map(|it| it.name.as_str()).collect();
                Err(Failure::input(format_args!(
                    "--kernel {name}: there are several; say the compiler's name: {}",
                    own.join(", ")
                )))
            }
        },
    }
}

pub(super) struct Report<'a> {
    pub(super) kernel: &'a KernelCode,
    pub(super) plan: &'a Plan,
    pub(super) execution: &'a Execution,
    pub(super) table: &'a SourceTable,
    pub(super) time: Option<(Machine, Mode, Counts)>,
    pub(super) predicted: Option<(&'a Model, &'a KernelPrediction)>,
}

fn place(it: &LineCounts) -> String {
    match &it.line {
        Some(it) => format!("{}:{}", it.file.rsplit('/').next().unwrap_or_default(), it.line),
        None => "?".to_owned(),
    }
}

/// What a line's warps wait for most, and the part of its time.
fn waits(stalls: &StallCycles) -> String {
    let most = stalls.reasons().into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let part = |it: f64| 100.0 * it / stalls.all().max(f64::MIN_POSITIVE);
    most.filter(|it| it.1 > 0.0)
        .map_or_else(String::new, |(name, it)| format!("{name} {:.0} %", part(it)))
}

/// Seconds on a machine, and what they rest on.
fn prediction(model: &str, it: &KernelPrediction) -> String {
    let KernelPrediction { occupancy, roofline, .. } = it;
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
         occupancy {:.0} %: {blocks} block{} a multiprocessor, limited by {}\n{roof}\n\n",
        seconds(it.kernel_s),
        seconds(it.prediction.time_s),
        it.bound.word(),
        100.0 * occupancy.share,
        if blocks == 1.0 { "" } else { "s" },
        occupancy.limit.word()
    )
}

impl Report<'_> {
    pub(super) fn title(&self) -> String {
        format!(
            "{}  grid {}  block {}",
            self.execution.signature.name, self.plan.grid, self.plan.block
        )
    }

    pub(super) fn subtitle(&self) -> String {
        let counts = self.table.total;
        let (done, all) = self.execution.blocks;
        let of = if done < all { format!(" of {done} of {all} blocks") } else { String::new() };
        format!(
            "{} warp instructions{of}, {} sectors of global memory ({} ideal), {} wavefronts of \
             shared memory ({} ideal)",
            grouped(u128::from(counts.executions)),
            grouped(u128::from(counts.sectors)),
            grouped(u128::from(counts.ideal_sectors)),
            grouped(u128::from(counts.wavefronts)),
            grouped(u128::from(counts.ideal_wavefronts)),
        )
    }

    pub(super) fn text(&self, most_lines: usize) -> String {
        let mut text = self.execution.printed.clone();
        let _ = writeln!(text, "{}\n{}", self.title(), self.subtitle());
        let _ = writeln!(
            text,
            "{} registers a thread, {} bytes of shared memory and {} of local memory\n",
            self.kernel.registers,
            self.kernel.shared_bytes + u64::from(self.plan.shared_bytes),
            self.kernel.local_bytes
        );
        if let Some((machine, mode, counts)) = &self.time {
            let _ = writeln!(
                text,
                "{}\n{} time units, {} stages, {} dispatches\n",
                describe(*machine, *mode),
                grouped(counts.time_units.0),
                grouped(counts.stages),
                grouped(counts.dispatches)
            );
        }
        if let Some((model, predicted)) = self.predicted {
            text += &prediction(&model.name, predicted);
        }
        let _ = writeln!(text, "{}\n", self.lines(most_lines));
        for (number, (it, why)) in self.table.worst().iter().enumerate() {
            let _ = writeln!(text, "{}. {}: {why}", number + 1, place(it));
            if let Some(line) = &it.text {
                let _ = writeln!(text, "   {line}");
            }
        }
        for it in &self.execution.findings {
            let _ = writeln!(text, "{}", self.finding(it));
        }
        text
    }

    /// The lines that take most.
    fn lines(&self, most: usize) -> Table {
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
        if self.predicted.is_some() {
            header.push("waits most for");
        }
        table.set_header(header);
        let some = |it: u64| if it > 0 { it.to_string() } else { String::new() };
        for it in self.table.lines.iter().take(most) {
            let counts = it.counts;
            let ideal = if counts.wavefronts > 0 { counts.ideal_wavefronts } else { 0 };
            let mut row = vec![
                format!("{:.1} %", 100.0 * it.share),
                place(it),
                counts.executions.to_string(),
                format!("{:.1}", counts.threads as f64 / counts.executions.max(1) as f64),
                some(counts.requests + counts.shared_requests),
                some(counts.sectors),
                some(counts.ideal_sectors),
                some(counts.wavefronts),
                some(ideal),
            ];
            row.extend(it.stalls.as_ref().map(waits));
            table.add_row(row);
        }
        for (at, column) in table.column_iter_mut().enumerate() {
            let is_name = at == 1 || at == 9;
            column.set_cell_alignment(if is_name {
                CellAlignment::Left
            } else {
                CellAlignment::Right
            });
        }
        table
    }

    fn finding(&self, it: &Finding) -> String {
        let place = |at: usize| match self.kernel.line(at) {
            Some(it) => format!("{}:{}", it.file, it.line),
            None => format!("instruction {at}"),
        };
        let what = match it.kind {
            FindingKind::Unwritten => "reads what was never written".to_owned(),
            FindingKind::RaceInBlock => format!(
                "races with another warp of its block{}: no barrier is between them",
                it.other.map_or_else(String::new, |it| format!(" at {}", place(it)))
            ),
            FindingKind::RaceBetweenBlocks => format!(
                "races with another block{}",
                it.other.map_or_else(String::new, |it| format!(" at {}", place(it)))
            ),
        };
        let memory = match it.space {
            MemorySpace::Shared => {
                format!("shared memory, byte {}", it.address.saturating_sub(1024))
            }
            _ => self.execution.memory.describe(it.address),
        };
        format!("{}: {} {what}: {memory}", place(it.instruction), it.thread)
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kernel", &self.execution.signature.name)?;
        map.serialize_entry("mangled", &self.kernel.name)?;
        map.serialize_entry("grid", &self.plan.grid.0)?;
        map.serialize_entry("block", &self.plan.block.0)?;
        map.serialize_entry("blocks_executed", &self.execution.blocks.0)?;
        map.serialize_entry("blocks", &self.execution.blocks.1)?;
        map.serialize_entry("seed", &self.plan.seed)?;
        map.serialize_entry("registers", &self.kernel.registers)?;
        map.serialize_entry("instructions", &self.execution.instructions)?;
        map.serialize_entry("total", &self.table.total)?;
        map.serialize_entry("lines", &self.table.lines)?;
        let worst: Vec<String> =
            self.table.worst().iter().map(|(it, why)| format!("{}: {why}", place(it))).collect();
        map.serialize_entry("worst", &worst)?;
        let findings: Vec<serde_json::Value> = self
            .execution
            .findings
            .iter()
            .map(|it| serde_json::json!({ "kind": it.kind, "message": self.finding(it) }))
            .collect();
        map.serialize_entry("findings", &findings)?;
        map.serialize_entry("printed", &self.execution.printed)?;
        if let Some((model, predicted)) = self.predicted {
            map.serialize_entry("model", &model.name)?;
            map.serialize_entry("predicted", predicted)?;
        }
        if let Some((machine, mode, counts)) = &self.time {
            map.serialize_entry("machine", machine)?;
            map.serialize_entry("mode", mode)?;
            map.serialize_entry("counts", counts)?;
        }
        map.end()
    }
}
