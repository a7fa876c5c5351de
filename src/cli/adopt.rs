//! `umm adopt`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{ProgramOptions, os};
use crate::keyword::Keyword;
use crate::language::program::Program;

/// Write a paste from a book, a paper or a program as a listing with declarations
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm adopt sort.txt
  umm adopt paper.tex --nth 2 -o scan.alg
  umm adopt matmul.c --set n=8 --json")]
pub(super) struct Adopt {
    #[command(flatten)]
    program: ProgramOptions,
    /// Where the listing goes, with the reasons in its comments [default: standard output]
    #[arg(short = 'o', long, value_name = "FILE.alg", value_parser = os(path))]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

fn path(value: std::ffi::OsString) -> Result<PathBuf, String> {
    Ok(value.into())
}

impl Adopt {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let program = self.program.program()?;
        if self.json {
            let said = program.reading.said.iter();
            return files::print_json(&json!({
                "notation": program.reading.notation.word(),
                "listing": text(&program),
                "said": said.map(|it| json!({ "line": it.line, "text": it.text })).collect::<Vec<_>>(),
            }));
        }
        let listing = reasons(&program) + text(&program);
        match &self.output {
            None => files::print(&listing),
            Some(path) => files::write(path, |it| it.write_all(listing.as_bytes())),
        }
    }
}

fn text(program: &Program) -> &str {
    program.reading.plain.as_deref().unwrap_or(&program.source.text)
}

/// What was taken for what, as comments.
fn reasons(program: &Program) -> String {
    let line =
        |it: &crate::language::program::Remark| format!("// line {}: {}\n", it.line, it.text);
    program.reading.said.iter().map(line).collect()
}
