//! `umm replay`

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::files;
use super::options::{MachineOptions, describe};
use super::progress::spin;
use crate::case::replay::{self, ReplayReport};
use crate::diagnostic::Source;
use crate::host::files::{DATA, read as text_of};
use crate::machine::{Counts, Machine, Memories};
use crate::trace::Trace;

/// Time a trace given as text
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm replay access.trace -m dmm -w 4 -l 5
  printf 'threads 8\\nR 7 5 15 0 10+0x4\\n' | umm replay - -w 4 -l 5")]
pub(super) struct Replay {
    /// A trace file, or - for standard input
    trace: PathBuf,
    #[command(flatten)]
    machine: MachineOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let report = spin("replaying", || {
            read_for(machine, &self.trace).map(|it| ReplayReport::new(machine, mode, &it))
        })?;
        if self.json {
            return files::print_json(&report);
        }
        let Counts { accesses, dispatches, stages, time_units, .. } = report.counts;
        let mut text = format!(
            "{}  p = {}\n\naccesses    {accesses}\ndispatches  {dispatches}\nstages      {stages}\n\
             time units  {time_units}\n",
            describe(machine, mode),
            report.threads
        );
        if let Some(Memories { global, shared }) = report.memories {
            for (name, it) in [("global", global), ("shared", shared)] {
                text += &format!(
                    "{name}      {} accesses, {} dispatches, {} stages\n",
                    it.accesses, it.dispatches, it.stages
                );
            }
        }
        files::print(&text)
    }
}

/// Reads a trace that a machine can run.
pub(super) fn read_for(machine: Machine, path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse_for(machine, source(path)?)?)
}

/// Reads a trace; an error shows the line with a caret.
pub(super) fn read(path: &Path) -> Result<Trace, Failure> {
    Ok(replay::parse(source(path)?)?)
}

fn source(path: &Path) -> Result<Source, Failure> {
    let name = if path == "-" { "standard input".to_owned() } else { path.display().to_string() };
    Ok(Source { name, text: text_of(path, DATA)? })
}
