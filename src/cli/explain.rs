//! `umm explain`

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use super::files;
use super::options::{MachineOptions, ProgramOptions, ThreadOptions, os};
use super::plot::encode;
use super::replay;
use super::run::picture;
use super::terminal;
use crate::algorithms::catalogue;
use crate::case::Case;
use crate::chart::pipeline;
use crate::machine::Recorder;

/// Draw a small run's way through the pipeline
///
/// Each warp's access is shown with what its threads ask for, then a line for each pipeline stage
/// that it takes: the address group (UMM) or the banks (DMM), the addresses, and in each time unit
/// the stage in which these requests are. The HMM has a pipeline for its global memory and one for
/// each DMM. Time units count from 1: the number of the last one is the time that the run takes.
#[derive(Debug, Args)]
#[command(
    mut_arg("algorithm", |arg| arg
        .value_name("TRACE|ALGORITHM")
        .help("A trace file, - for standard input, a shipped listing's name or a file FILE.alg")),
    after_help = "\
Examples:
  printf 'threads 8\\nR 7 5 15 0 10 11 8 9\\n' | umm explain - -w 4 -l 5
  printf 'threads 8\\nR 7 5 15 0 10 11 8 9\\n' | umm explain - -m dmm -w 4 -l 5 --draw slide.svg
  umm explain sum --set n=8 -p 4 -w 4 -l 5 --mode async
  umm explain prefix_sums --set n=4 --bulk column -p 8 -w 4 -l 5
  umm explain transpose_padded --set n=4 --set t=2 --set q=4 -m hmm -d 2 -w 4 -l 3"
)]
pub(super) struct Explain {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    /// Draw the picture for a slide, too
    #[arg(long, alias = "svg", value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
}

const SMALLER: &str = "explain a smaller run: smaller sizes (--set), fewer threads (-p), or a \
                       shorter trace";

impl Explain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let recorder = if self.is_algorithm() { self.execute()? } else { self.replay()? };
        let pipeline = recorder
            .finish(self.machine.mode())
            .map_err(|error| Failure::input(format_args!("{error}; {SMALLER}")))?;
        let text = pipeline::text(&pipeline, terminal::width()).map_err(|error| {
            Failure::input(format_args!("{error}; lower the latency (-l), or {SMALLER}"))
        })?;
        if let Some(path) = &self.draw {
            let picture = encode(&pipeline::scene(&pipeline), path)?;
            files::write(path, |file| file.write_all(&picture))?;
        }
        files::print(&text)
    }

    fn is_algorithm(&self) -> bool {
        let path = Path::new(&self.program.algorithm);
        path.to_str().and_then(catalogue::find).is_some()
            || path.extension().is_some_and(|it| it == "alg")
    }

    fn execute(&self) -> Result<Recorder, Failure> {
        let machine = self.machine.machine()?;
        let ThreadOptions { threads, bulk } = self.threads;
        let case = Case { machine, threads, bulk, ..self.program.case()? };
        Ok(case.trace(Recorder::new(machine, threads))?)
    }

    fn replay(&self) -> Result<Recorder, Failure> {
        let ProgramOptions { algorithm, settings, inputs, .. } = &self.program;
        let (path, name) = (Path::new(algorithm), algorithm.display());
        if !settings.is_empty() || !inputs.is_empty() || self.threads.bulk.is_some() {
            return Err(Failure::input(format_args!(
                "{name}: --set, --input and --bulk are for listings, and this is read as a trace; \
                 leave them out, or name a shipped listing (see `umm list`) or a file FILE.alg"
            )));
        }
        if path != "-" && !path.exists() {
            return Err(Failure::input(format_args!(
                "{name}: there is no such trace file, and no shipped listing of this name; see \
                 `umm list`"
            )));
        }
        let machine = self.machine.machine()?;
        let trace = replay::read_for(machine, path)?;
        let mut recorder = Recorder::new(machine, trace.threads);
        trace.replay(&mut recorder);
        Ok(recorder)
    }
}
