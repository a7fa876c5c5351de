//! `umm replay`

use std::path::PathBuf;

use clap::Args;

use crate::case::replay::ReplayReport;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{MachineOptions, describe};
use crate::cli::support::progress::spin;
use crate::cli::support::trace_text::read_for;
use crate::kernel::trace_file::{TraceFormat, format_of, time_file};
use crate::machine::{Counts, Memories};

/// Time a trace given as text, or one that another tool recorded
///
/// Files say by themselves what they are: traces of Accel-Sim (.traceg, kernelslist.g), what NVBit's mem_trace
/// and valgrind's lackey print, Dinero's, DRAMsim3's and Ramulator's, and tables with a column `address`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm replay access.trace -m dmm -w 4 -l 5
  umm replay kernel-1.traceg -m hmm -d 4
  valgrind --tool=lackey --trace-mem=yes --log-file=ls.log ls && umm replay ls.log -l 100
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
    /// What another tool recorded it as; what is no file is read as text, which says what is wrong.
    fn recorded(&self) -> Result<Option<TraceFormat>, Failure> {
        match self.trace.is_file() {
            true => format_of(&self.trace).map_err(Failure::input),
            false => Ok(None),
        }
    }

    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let report = spin("replaying", || match self.recorded()? {
            Some(format) => {
                let timed =
                    time_file(&self.trace, format, machine, mode).map_err(Failure::input)?;
                Ok(ReplayReport::of(machine, mode, timed.threads, timed.counts))
            }
            None => read_for(machine, &self.trace).map(|it| ReplayReport::new(machine, mode, &it)),
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
