//! Pictures of a trace.

use std::path::{Path, PathBuf};

use clap::Args;

use super::page::{Page, shown};
use crate::chart;
use crate::cli::support::Failure;
use crate::cli::support::options::{ANY, MachineParameters, whole};
use crate::cli::support::trace_text;
use crate::host::files::path_text;
use crate::trace::Trace;

/// A trace on a machine.
#[derive(Debug, Args)]
pub(super) struct TraceChart {
    /// A trace file (see `umm trace`), or - for standard input
    trace: PathBuf,
    #[command(flatten)]
    machine: MachineParameters,
    #[command(flatten)]
    page: Page,
}

impl TraceChart {
    /// Draws when the pipeline is busy.
    pub(super) fn draw_occupancy(&self) -> Result<(), Failure> {
        let (trace, name) = self.read()?;
        let (machine, page) = (self.machine.machine()?, &self.page);
        let scene = chart::occupancy(machine, &trace, &name, page.title(), page.canvas());
        page.write(scene, &shown(&self.trace))
    }

    /// The trace, and what pictures call it.
    fn read(&self) -> Result<(Trace, String), Failure> {
        let trace = trace_text::read(&self.trace)?;
        if trace.has_blocks() {
            let trace = path_text(&self.trace);
            return Err(Failure::input(format_args!(
                "{trace}: it has a loop on DMMs, of which there are no pictures; time it with umm replay"
            )));
        }
        let name = match self.trace.file_stem() {
            _ if self.trace == Path::new("-") => "trace".to_owned(),
            stem => stem.unwrap_or_default().to_string_lossy().into_owned(),
        };
        Ok((trace, name))
    }
}

/// Draw the address groups and banks that one step of a trace asks for
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  umm plot access plots/data/transpose.trace --step 2 -m dmm -w 8 -o access.svg")]
pub(super) struct Access {
    #[command(flatten)]
    traced: TraceChart,
    /// Which step of the trace, from 1
    #[arg(long, default_value_t = 1, value_parser = whole::<usize>(ANY))]
    step: usize,
}

impl Access {
    pub(super) fn draw(&self) -> Result<(), Failure> {
        let (trace, name) = self.traced.read()?;
        let (machine, page) = (self.traced.machine.machine()?, &self.traced.page);
        let (title, canvas) = (page.title(), page.canvas());
        let scene = chart::access(machine, &trace, self.step, &name, title, canvas);
        page.write(scene, &shown(&self.traced.trace))
    }
}
