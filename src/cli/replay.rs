//! `umm replay`

use std::path::PathBuf;

use clap::Args;

use crate::case::replay::ReplayReport;
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::options::{MachineOptions, describe, word};
use crate::cli::support::progress::spin;
use crate::cli::support::trace_text::read_from;
use crate::kernel::trace_file::{OpenTrace, TraceFormat};
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
  xz -dc kernel-1.traceg.xz | umm replay - -w 32 -l 100
  printf 'threads 8\\nR 7 5 15 0 10+0x4\\n' | umm replay - -w 4 -l 5")]
pub(super) struct Replay {
    /// A trace file, or - for standard input
    trace: PathBuf,
    #[command(flatten)]
    machine: MachineOptions,
    /// What another tool recorded it as, where its beginning does not say it
    #[arg(long, value_parser = word::<TraceFormat>())]
    format: Option<TraceFormat>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let report = spin("replaying", || {
            let trace = OpenTrace::new(&self.trace).map_err(Failure::input)?;
            match self.format.or(trace.format) {
                Some(format) => {
                    let timed = trace.time(format, machine, mode).map_err(Failure::input)?;
                    Ok(ReplayReport::of(machine, mode, timed.threads, timed.counts))
                }
                // Read as text, which says what is wrong.
                None => read_from(machine, &self.trace, trace.into_read())
                    .map(|it| ReplayReport::new(machine, mode, &it)),
            }
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
