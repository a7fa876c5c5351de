//! A kernel's machine code beside the lines of its source.

use std::fmt::Write;

use memory_machine_sass::KernelCode;
use serde::Serialize;

use super::source_texts::SourceTexts;

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DisassemblyRow {
    /// Where it begins, in bytes.
    pub offset: usize,
    /// As the disassembler writes it.
    pub text: String,
    /// What the compiler says of its time ([`KernelCode::control`]).
    pub control: String,
    /// The source's file and line, where the compiler says so.
    pub file: Option<String>,
    /// From 1 on.
    pub line: Option<u32>,
}

/// All instructions of a kernel.
pub fn disassembly(kernel: &KernelCode) -> Vec<DisassemblyRow> {
    let row = |at: usize| {
        let line = kernel.line(at);
        DisassemblyRow {
            offset: INSTRUCTION_BYTES * at,
            text: kernel.text(at).unwrap_or_default(),
            control: kernel.control(at).unwrap_or_default(),
            file: line.map(|it| it.file.to_string()),
            line: line.map(|it| it.line),
        }
    };
    (0..kernel.instructions()).map(row).collect()
}

const INSTRUCTION_BYTES: usize = 16;

/// The same as text: where another line begins, it stands above; `source` gives a file's text, if it can be
/// read.
pub fn disassembly_text(
    name: &str,
    kernel: &KernelCode,
    source: impl Fn(&str) -> Option<String>,
) -> String {
    let rows = disassembly(kernel);
    let texts = SourceTexts::new(kernel, source);
    let width = rows.iter().map(|it| it.text.len()).max().unwrap_or(0).min(WIDEST);
    let mut text = format!("{name}: {} instructions, {} registers\n", rows.len(), kernel.registers);
    let mut before = None;
    for (at, it) in rows.iter().enumerate() {
        let here = kernel.line(at);
        if let Some(line) = here.filter(|_| before != here) {
            let code = texts.line(line).unwrap_or_default();
            let file = line.file.rsplit('/').next().unwrap_or_default();
            let _ = writeln!(text, "{}", format!("{file}:{}  {code}", line.line).trim_end());
        }
        before = here;
        let _ = writeln!(text, "  /*{:04x}*/  {:width$}  {}", it.offset, it.text, it.control);
    }
    text
}

/// Letters of an instruction beside which its control stands.
const WIDEST: usize = 64;
