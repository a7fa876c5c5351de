//! Kernels from outside: what [`memory_machine_kernel`] executes, and one report of all that is known of a
//! launch, for every face.

use serde::ser::{Serialize, SerializeMap, Serializer};

#[cfg(feature = "plot")]
use crate::chart::grouped;
use crate::machine::{Counts, Machine, Mode};
use crate::models::Model;
use crate::predict::KernelPrediction;
use crate::sass::launch::MemorySpace;
use crate::sass::{KernelCode, RESERVED_SHARED_BYTES};

#[doc(inline)]
pub use memory_machine_kernel::*;

/// A launch, and what came out of it.
#[derive(Debug, Clone, Copy)]
pub struct KernelReport<'a> {
    /// The kernel.
    pub kernel: &'a KernelCode,
    /// How it was launched.
    pub plan: &'a Plan,
    /// What it left.
    pub execution: &'a Execution,
    /// By line.
    pub table: &'a SourceTable,
    /// On a memory machine, where that was asked for.
    pub time: Option<(Machine, Mode, Counts)>,
    /// Seconds on a calibrated machine, likewise.
    pub predicted: Option<(&'a Model, &'a KernelPrediction)>,
}

impl KernelReport<'_> {
    /// The kernel and its launch.
    pub fn title(&self) -> String {
        format!(
            "{}  grid {}  block {}",
            self.execution.signature.name, self.plan.grid, self.plan.block
        )
    }

    /// What it did in all.
    #[cfg(feature = "plot")]
    pub fn subtitle(&self) -> String {
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

    /// Of a part of the blocks, what all of them do.
    #[cfg(feature = "plot")]
    pub fn estimates(&self) -> Option<String> {
        let sample = self.execution.sample.as_ref()?;
        let whole = |it: f64| grouped(it.ceil() as u128);
        let of = |(name, word): (&str, &str)| {
            let it = sample.get(name).filter(|it| it.total > 0.0)?;
            let half = |[low, high]: [f64; 2]| (high - it.total).max(it.total - low);
            let error = it.interval.map_or_else(|| "?".to_owned(), |it| whole(half(it)));
            Some(format!("{} ± {error} {word}", whole(it.total)))
        };
        let all: Vec<String> = [
            ("executions", "warp instructions"),
            ("requests", "requests"),
            ("sectors", "sectors"),
            ("wavefronts", "wavefronts"),
        ]
        .into_iter()
        .filter_map(of)
        .collect();
        let (_, blocks) = self.execution.blocks;
        Some(format!("all {blocks} blocks, with a confidence of 95 %: {}", all.join(", ")))
    }

    /// What is wrong, in words.
    pub fn finding(&self, it: &Finding) -> String {
        let place = |at: usize| match self.kernel.line(at) {
            Some(it) => format!("{}:{}", it.file, it.line),
            None => format!("instruction {at}"),
        };
        let what = match it.kind {
            FindingKind::Unwritten => "reads what was never written".to_owned(),
            FindingKind::OutsideArray => match self.kernel.shared_array(it.instruction) {
                Some(array) => {
                    let size = array.end - array.begin;
                    let at = it.address.wrapping_sub(array.begin).cast_signed();
                    format!("leaves `{}`, at byte {at} of {size}", array.name)
                }
                None => "leaves its array".to_owned(),
            },
            FindingKind::BarrierApart => {
                let other = it.other.map_or_else(String::new, |it| format!(" at {}", place(it)));
                return format!(
                    "{}: {} comes to a barrier where others of its block come to another{other}",
                    place(it.instruction),
                    it.thread
                );
            }
            FindingKind::RaceInWarp => format!(
                "races with another thread of its warp{}: no __syncwarp is between them",
                it.other.map_or_else(String::new, |it| format!(" at {}", place(it)))
            ),
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
                format!("shared memory, byte {}", it.address.saturating_sub(RESERVED_SHARED_BYTES))
            }
            MemorySpace::Local => "its own memory".to_owned(),
            MemorySpace::Global => self.execution.memory.describe(it.address),
        };
        let value = format!("{} {:#x}", if it.reads { "reads" } else { "writes" }, it.value);
        format!("{}: {} {what}: {memory}; it {value}", place(it.instruction), it.thread)
    }
}

impl Serialize for KernelReport<'_> {
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
        if let Some(sample) = &self.execution.sample {
            map.serialize_entry("estimates", sample)?;
        }
        let worst: Vec<String> =
            self.table.worst().iter().map(|(it, why)| format!("{}: {why}", it.place())).collect();
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
