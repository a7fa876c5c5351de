//! Counts by line of the source.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::counts::InstructionCounts;
use super::prediction::InstructionPrediction;
use super::source_texts::SourceTexts;
use memory_machine_sass::{KernelCode, SourceLine};

/// What a line did.
#[derive(Debug, Clone, PartialEq)]
pub struct LineCounts {
    /// The line; none for what the compiler says nothing of.
    pub line: Option<SourceLine>,
    /// Its text, where the source is at hand.
    pub text: Option<String>,
    /// Sums.
    pub counts: InstructionCounts,
    /// Of all cycles that lines are ranked by, its part: of those that warps spend there, where that was
    /// predicted.
    pub share: f64,
    /// What is predicted of it, where that was asked for.
    pub predicted: Option<InstructionPrediction>,
}

/// All lines of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceTable {
    /// That were executed, those that take most first.
    pub lines: Vec<LineCounts>,
    /// Of all.
    pub total: InstructionCounts,
}

impl SourceTable {
    /// Sums a kernel's counts by line, and what is predicted of them, if something is; `text` gives a
    /// file's text, if it can be read.
    pub fn new(
        kernel: &KernelCode,
        counts: &[InstructionCounts],
        predicted: Option<&[InstructionPrediction]>,
        text: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let mut by_line: BTreeMap<Option<SourceLine>, (InstructionCounts, InstructionPrediction)> =
            BTreeMap::new();
        let mut total = InstructionCounts::default();
        for (at, counts) in counts.iter().enumerate().filter(|it| it.1.executions > 0) {
            let of_line = by_line.entry(kernel.line(at).cloned()).or_default();
            of_line.0.add(counts);
            if let Some(it) = predicted.and_then(|it| it.get(at)) {
                of_line.1.add(it);
            }
            total.add(counts);
        }
        let texts = SourceTexts::new(kernel, text);
        let cycles = |counts: &InstructionCounts, of: &InstructionPrediction| match predicted {
            Some(_) => of.stalls.all(),
            None => counts.cycles(),
        };
        let all: f64 = by_line.values().map(|(counts, of)| cycles(counts, of)).sum();
        let all = all.max(f64::MIN_POSITIVE);
        let mut lines: Vec<LineCounts> = vec![];
        for (line, (counts, of)) in by_line {
            let found = line.as_ref().and_then(|it| texts.line(it)).map(str::to_owned);
            let share = cycles(&counts, &of) / all;
            let predicted = predicted.map(|_| of);
            lines.push(LineCounts { line, text: found, counts, share, predicted });
        }
        lines.sort_by(|a, b| b.share.total_cmp(&a.share));
        Self { lines, total }
    }

    /// The lines that lose most, at most three, with the cause in words and the remedy.
    pub fn worst(&self) -> Vec<(&LineCounts, String)> {
        let mut all: Vec<(&LineCounts, String)> =
            self.lines.iter().filter_map(|it| Some((it, it.counts.explanation()?))).collect();
        all.sort_by(|a, b| b.0.counts.lost_cycles().total_cmp(&a.0.counts.lost_cycles()));
        // What is lost at a line that hardly counts is not worth a word.
        let lost: f64 = all.iter().map(|it| it.0.counts.lost_cycles()).sum();
        all.retain(|it| it.0.counts.lost_cycles() > 0.02 * lost);
        all.truncate(3);
        all
    }
}

impl Serialize for InstructionCounts {
    /// With the names that Nsight Compute gives the same beside the model's.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, of_ncu, value) in self.quantities() {
            map.serialize_entry(name, &value)?;
            if let Some(of_ncu) = of_ncu {
                map.serialize_entry(of_ncu, &value)?;
            }
        }
        map.end()
    }
}

impl LineCounts {
    /// Where it is, without its folders.
    pub fn place(&self) -> String {
        match &self.line {
            Some(it) => {
                format!("{}:{}", it.file.rsplit('/').next().unwrap_or_default(), it.line)
            }
            None => "no known line".to_owned(),
        }
    }
}

impl Serialize for LineCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", &self.line.as_ref().map(|it| &*it.file))?;
        map.serialize_entry("line", &self.line.as_ref().map(|it| it.line))?;
        map.serialize_entry("text", &self.text)?;
        map.serialize_entry("share", &self.share)?;
        map.serialize_entry("cause", &self.counts.cause())?;
        map.serialize_entry("explanation", &self.counts.explanation())?;
        map.serialize_entry("counts", &self.counts)?;
        if let Some(predicted) = &self.predicted {
            let reasons: BTreeMap<&str, f64> = predicted.stalls.reasons().into();
            map.serialize_entry("stall_cycles", &reasons)?;
            map.serialize_entry("moved_bytes", &predicted.moved)?;
        }
        map.end()
    }
}
