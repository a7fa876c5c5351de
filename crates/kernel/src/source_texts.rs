//! The text of the lines that a kernel's instructions are of.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory_machine_sass::{KernelCode, SourceLine};

/// By file, its lines.
#[derive(Debug, Clone, Default)]
pub struct SourceTexts(BTreeMap<Arc<str>, Vec<String>>);

impl SourceTexts {
    /// Of a kernel; `text` gives a file's text, if it can be read.
    pub fn new(kernel: &KernelCode, text: impl Fn(&str) -> Option<String>) -> Self {
        let mut all = Self::default();
        for line in (0..kernel.instructions()).filter_map(|at| kernel.line(at)) {
            all.0.entry(line.file.clone()).or_insert_with(|| {
                text(&line.file).unwrap_or_default().lines().map(str::to_owned).collect()
            });
        }
        all
    }

    /// A line without the blanks around it, where the source is at hand.
    pub fn line(&self, of: &SourceLine) -> Option<&str> {
        let lines = self.0.get(&of.file)?;
        lines.get((of.line as usize).checked_sub(1)?).map(|it| it.trim())
    }
}
