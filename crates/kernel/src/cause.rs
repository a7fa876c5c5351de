//! Why a line takes longer than it need, and what to do.

use super::counts::InstructionCounts;
use memory_machine_core::units::{BANK_BYTES, WARP};
use serde::Serialize;

/// What a line loses most by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Threads of a warp access words that lie apart.
    Uncoalesced,
    /// They access different words of one bank.
    BankConflicts,
    /// Few of them are active.
    Divergence,
}

/// Cycles of a multiprocessor that a sector, a wavefront, and an instruction take: 64 bytes a cycle come from
/// the last-level cache, shared memory serves a wavefront a cycle, and four schedulers an instruction each.
const SECTOR_CYCLES: f64 = 0.5;
const WAVEFRONT_CYCLES: f64 = 1.0;
const INSTRUCTION_CYCLES: f64 = 0.25;

impl InstructionCounts {
    /// Cycles of a multiprocessor, each of its parts for itself: what lines are ranked by, and no
    /// prediction.
    pub fn cycles(&self) -> f64 {
        SECTOR_CYCLES * self.sectors as f64
            + WAVEFRONT_CYCLES * self.wavefronts as f64
            + INSTRUCTION_CYCLES * self.executions as f64
    }

    /// What of them would not be with the least sectors and wavefronts, and all threads active.
    fn losses(&self) -> [(Cause, f64); 3] {
        // What a whole warp skips divides nobody.
        let done = self.executions - self.skipped;
        let idle = (WARP * done).saturating_sub(self.threads) as f64 / WARP as f64;
        let sectors = self.sectors.saturating_sub(self.ideal_sectors) as f64;
        let wavefronts = self.wavefronts.saturating_sub(self.ideal_wavefronts) as f64;
        [
            (Cause::Uncoalesced, SECTOR_CYCLES * sectors),
            (Cause::BankConflicts, WAVEFRONT_CYCLES * wavefronts),
            (Cause::Divergence, INSTRUCTION_CYCLES * idle),
        ]
    }

    /// All of it.
    pub fn lost_cycles(&self) -> f64 {
        self.losses().iter().map(|it| it.1).sum()
    }

    /// The most of it, if it is worth a word: a tenth of what the line takes.
    pub fn cause(&self) -> Option<Cause> {
        let most = self.losses().into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (most.1 > 0.1 * self.cycles()).then_some(most.0)
    }

    /// The cause and the remedy in words.
    pub fn explanation(&self) -> Option<String> {
        let of = |sum: u64, count: u64| {
            let each = sum as f64 / count.max(1) as f64;
            if each.fract() == 0.0 { format!("{each:.0}") } else { format!("{each:.1}") }
        };
        let stride = self.stride.unsigned_abs();
        let words = stride / BANK_BYTES;
        let apart = match (stride.is_multiple_of(BANK_BYTES), words) {
            (_, 0) => String::new(),
            (true, 1) => "stride of 1 word: ".to_owned(),
            (true, _) => format!("stride of {words} words: "),
            _ => format!("stride of {stride} bytes: "),
        };
        Some(match self.cause()? {
            Cause::Uncoalesced => {
                let remedy = match (stride, self.bytes) {
                    (0, _) => "let neighbouring threads access neighbouring elements",
                    (at, bytes) if at == bytes => "begin each warp's row at a multiple of 32 bytes",
                    (at, bytes) if at <= 4 * bytes => {
                        "let each thread access one vector (float2, float4), or keep fields in arrays of \
                         their own"
                    }
                    _ => "let threadIdx.x run along the last index, or go through shared memory",
                };
                format!(
                    "{apart}{} sectors a request, {} would do; {remedy}",
                    of(self.sectors, self.requests),
                    of(self.ideal_sectors, self.requests),
                )
            }
            Cause::BankConflicts => {
                let remedy = match words {
                    0 => "spread the words that threads combine over banks",
                    it if it % 2 == 0 => "add a column to the rows, as in tile[32][33]",
                    _ => "let neighbouring threads access neighbouring words",
                };
                format!(
                    "{apart}{} wavefronts a request, {} would do; {remedy}",
                    of(self.wavefronts, self.shared_requests),
                    of(self.ideal_wavefronts, self.shared_requests),
                )
            }
            Cause::Divergence => format!(
                "{} of 32 threads are active; let all threads of a warp take the same branch, give idle ones \
                 work, or let blocks have a multiple of 32 threads",
                of(self.threads, self.executions - self.skipped)
            ),
        })
    }
}
