//! `umm replay`

use std::path::PathBuf;

use clap::Args;

use crate::case::replay::ReplayReport;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{MachineOptions, describe};
use crate::cli::support::progress::spin;
use crate::cli::support::trace_text::read_for;
use crate::machine::{Counts, Memories};

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
