//! `umm explain`

use std::cell::Cell;
use std::path::{Path, PathBuf};

use clap::Args;

use super::support::trace_text;
use crate::case::{Case, is_built_in, suggestion};
use crate::chart::pipeline::{self, Picture};
use crate::cli::support::Failure;
use crate::cli::support::files;
use crate::cli::support::kernel_launch::{LaunchOptions, is_kernel};
use crate::cli::support::options::{
    MachineOptions, ProgramOptions, ThemeOption, os, threads, word,
};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::progress::spin;
use crate::cli::support::terminal;
use crate::grid::Grid;
use crate::host::files::{ends, path_text};
use crate::machine::{Dispatch, MOST_STAGES, PipelineDiagram, Recorder, TooLarge, time};
use crate::run::Observer;
use crate::run::layout::Arrangement;
use crate::steps::StepRecorder;
use crate::units::{Threads, TimeUnits};

/// Draw a small run's way through the pipeline
///
/// Each warp's access is shown with what its threads ask for, then a line for each pipeline stage
/// that it takes: the address group (UMM) or the banks (DMM), the addresses, and in each time unit
/// the stage in which these requests are. Of a listing, elements of arrays stand for addresses, with
/// their values, below the step's phase and line. The HMM has a pipeline for its global memory and
/// one for each DMM. Time units count from 1: the number of the last one is the time that the run
/// takes. Of a long run, --steps, --phase and --warps choose what is shown. A kernel is launched as
/// `umm kernel` launches it: elements of its arrays stand for addresses, without values, below the
/// line of its source.
#[derive(Debug, Args)]
#[command(
    mut_arg("algorithm", |arg| arg
        .value_name("TRACE|ALGORITHM|KERNEL")
        .help("A trace file, - for standard input, a shipped listing's name or a file FILE.alg; or a \
               kernel FILE.cu, .ptx, .cubin or .fatbin")),
    after_help = "\
Examples:
  printf 'threads 8\\nR 7 5 15 0 10 11 8 9\\n' | umm explain - -w 4 -l 5
  printf 'threads 8\\nR 7 5 15 0 10 11 8 9\\n' | umm explain - -m dmm -w 4 -l 5 --draw slide.svg
  umm explain sum --set n=8 -p 4 -w 4 -l 5 --mode async
  umm explain umm_opt --input c=paper -w 4 -l 5 -p 8 --phase D --steps 1..24
  umm explain umm_opt --set n=64 -w 4 -l 5 -p 8 --steps 500 --warps 0,1 --theme dark --draw s.svg
  umm explain prefix_sums --set n=4 --bulk column -p 8 -w 4 -l 5
  umm explain kernels/cuda/transpose.cu --kernel naive --block 32x2 --arg n=32 --arg in=count:f32[1024] --arg out=zeros:f32[1024] -l 5 --warps 0
  umm explain transpose_padded --set n=4 --set t=2 --set q=4 -m hmm -d 2 -w 4 -l 3"
)]
pub(super) struct Explain {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    machine: MachineOptions,
    /// Number of threads of a listing; with --bulk, of inputs [default: 1024]
    #[arg(short = 'p', long, value_parser = threads)]
    threads: Option<Threads>,
    /// Run a sequential program for p inputs at once, one thread each
    #[arg(long, value_parser = word::<Arrangement>(), value_name = "ARRANGEMENT")]
    bulk: Option<Arrangement>,
    /// Show these steps, counted from 1, as in 5 or 10..14
    #[arg(long)]
    steps: Option<Grid>,
    /// Show the steps of this phase of a listing; repeatable
    #[arg(long, value_name = "PHASE")]
    phase: Vec<String>,
    /// Show these warps, counted from 0, as in 0 or 0..3
    #[arg(long)]
    warps: Option<Grid>,
    /// Draw the picture for a slide of 16:9, too
    #[arg(short = 'o', long, alias = "svg", value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// What the slide is shown on
    #[arg(long, value_enum, default_value = "light", requires = "draw")]
    theme: ThemeOption,
    #[command(flatten, next_help_heading = "Of a kernel")]
    launch: Box<LaunchOptions>,
}

const LESS: &str = "show less of it (--steps 1..9, --phase, --warps)";
const SMALLER: &str =
    "explain a smaller run: smaller sizes (--set), fewer threads (-p), or a shorter trace";

/// Requests of a run that are kept, so that a part of it can be shown.
const MOST_KEPT: u64 = 1 << 20;

impl Explain {
    pub(super) fn run(&self) -> Result<(), Failure> {
        if self.is_algorithm() {
            return self.execute();
        }
        let path = Path::new(&self.program.algorithm);
        if is_kernel(path) {
            return self.launch(path);
        }
        if let Some(flag) = self.launch.given() {
            let name = path.display();
            return Err(Failure::input(format_args!(
                "{flag} is for kernels, and {name} is read as a trace; name a file FILE.cu, .ptx, .cubin or \
                 .fatbin"
            )));
        }
        let pipeline = spin("replaying", || self.replay())?;
        self.show(&Picture { has_all_warps: self.warps.is_none(), ..(&pipeline).into() })
    }

    fn show(&self, picture: &Picture<'_>) -> Result<(), Failure> {
        if picture.pipeline.accesses.is_empty() && self.is_part() {
            return Err(Failure::input(format_args!(
                "no access is of these --steps, --phase and --warps; the run has {} steps",
                picture.pipeline.steps
            )));
        }
        let text = pipeline::text(*picture, terminal::columns()).map_err(|error| {
            Failure::input(format_args!("{error}; lower the latency (-l), {LESS}, or {SMALLER}"))
        })?;
        if let Some(path) = &self.draw {
            let scene = pipeline::scene(*picture, self.theme.theme());
            let encoded = encode(&scene, path)?;
            files::write(path, |file| file.write_all(&encoded))?;
        }
        files::print(&text)
    }

    /// Whether less than the whole run is to be shown.
    const fn is_part(&self) -> bool {
        self.steps.is_some() || self.warps.is_some() || !self.phase.is_empty()
    }

    /// Whether a dispatch is to be shown, but for its phase.
    fn is_shown(&self, dispatch: &Dispatch, step: usize) -> bool {
        let has = |all: &Option<Grid>, it: u64| {
            all.as_ref().is_none_or(|all| i64::try_from(it).is_ok_and(|it| all.0.contains(&it)))
        };
        has(&self.steps, step as u64) && has(&self.warps, dispatch.warp)
    }

    fn is_algorithm(&self) -> bool {
        let path = Path::new(&self.program.algorithm);
        is_built_in(path.as_os_str()) || ends(path, "alg")
    }

    /// Of a kernel.
    fn launch(&self, path: &Path) -> Result<(), Failure> {
        if let Some(flag) = self.of_listing() {
            return Err(Failure::input(format_args!(
                "{}: {flag} is for listings; a kernel is given its parameters by --arg, and its threads by \
                 --grid and --block",
                path.display()
            )));
        }
        let seed = self.program.seed;
        let limit = self.program.limits.work();
        self.launch.explain((path, seed, limit), self.machine.machine()?, |of| {
            let shown = of.diagram(self.machine.mode(), |it, step| self.is_shown(it, step));
            let pipeline = shown.map_err(|stages| too_large(&TooLarge::Stages(stages)))?;
            let has_all_warps = self.warps.is_none();
            self.show(&Picture { source: Some(of), has_all_warps, ..(&pipeline).into() })
        })
    }

    /// The first flag that is given and says something to listings alone, if any is.
    fn of_listing(&self) -> Option<&'static str> {
        let given = [
            ("-p", self.threads.is_some()),
            ("--bulk", self.bulk.is_some()),
            ("--phase", !self.phase.is_empty()),
        ];
        let own = given.iter().find(|it| it.1).map(|it| it.0);
        own.or_else(|| self.program.of_listing())
    }

    fn execute(&self) -> Result<(), Failure> {
        if let Some(flag) = self.launch.given() {
            return Err(Failure::input(format_args!(
                "{flag} is for kernels; a listing is given its sizes by --set and its threads by -p"
            )));
        }
        let (machine, mode) = (self.machine.machine()?, self.machine.mode());
        let case = self.program.case()?;
        let threads = self.threads.unwrap_or(case.threads);
        let case = Case { machine, mode, threads, bulk: self.bulk, ..case };
        let program = &*case.program;
        if let Some(name) = self.phase.iter().find(|it| !program.phases.contains(it)) {
            return Err(Failure::input(format_args!(
                "--phase {name}: `{}` has no phase `{name}`; its phases are: {}",
                program.name,
                program.phases.join(", ")
            )));
        }
        let layout = case.layout()?;
        let mut memory = case.memory(&layout)?;
        let before = memory.clone();
        let run = (machine, mode, threads);
        let given = (program, &layout, &before);
        let mut recorder = StepRecorder::new(given, run, TimeUnits(0), [MOST_KEPT; 2]);
        let executed = spin("running", || {
            case.execute(&layout, &mut memory, &mut recorder as &mut dyn Observer)
        });
        let steps = recorder.finish();
        if !steps.is_to_the_end {
            let requests = case.time()?.total().accesses;
            return Err(too_large(&TooLarge::Requests { requests, most: MOST_KEPT }));
        }
        executed?;
        let is_of_phase = |event: usize| {
            let phase = program.sites[steps.site_of(event).0].phase.0 as usize;
            self.phase.is_empty() || self.phase.contains(&program.phases[phase])
        };
        let stages = Cell::new(0);
        let is_shown = |it: &Dispatch, step: usize, event: usize| {
            let is_shown = self.is_shown(it, step) && is_of_phase(event);
            if is_shown {
                stages.set(stages.get() + u128::from(it.stages));
            }
            is_shown && stages.get() <= MOST_STAGES.into()
        };
        let pipeline = steps.pipeline(is_shown);
        if stages.get() > MOST_STAGES.into() {
            return Err(too_large(&TooLarge::Stages(stages.get())));
        }
        let listing = Some((&steps, program, &layout));
        let has_all_warps = self.warps.is_none();
        self.show(&Picture { pipeline: &pipeline, listing, source: None, has_all_warps })
    }

    fn replay(&self) -> Result<PipelineDiagram, Failure> {
        let algorithm = &self.program.algorithm;
        let (path, name) = (Path::new(algorithm), path_text(algorithm));
        if path != "-" && !path.exists() {
            return Err(Failure::input(format_args!(
                "{name}: there is no such trace file, and no shipped listing of this name; {}see \
                 `umm list`, or name a file FILE.alg",
                suggestion(&algorithm.to_string_lossy())
            )));
        }
        if let Some(flag) = self.of_listing() {
            return Err(Failure::input(format_args!(
                "{name}: {flag} and its like are for listings, and this is read as a trace; leave it out, or \
                 name a shipped listing (see `umm list`) or a file FILE.alg"
            )));
        }
        self.program.limits.work();
        let machine = self.machine.machine()?;
        let trace = trace_text::read_for(machine, path)?;
        let mode = self.machine.mode();
        if !self.is_part() {
            let mut recorder = Recorder::new(machine, trace.threads);
            trace.replay(&mut recorder);
            return recorder.finish(mode).map_err(|error| too_large(&error));
        }
        let taken = time(machine, mode, &trace);
        if taken.accesses > MOST_KEPT.into() {
            let requests = taken.accesses;
            return Err(too_large(&TooLarge::Requests { requests, most: MOST_KEPT }));
        }
        let pipeline =
            PipelineDiagram::of(machine, mode, &trace, |it, step, _| self.is_shown(it, step));
        let stages: usize = pipeline.accesses.iter().map(|it| it.stages.len()).sum();
        match stages as u64 {
            ..=MOST_STAGES => Ok(pipeline),
            _ => Err(too_large(&TooLarge::Stages(stages as u128))),
        }
    }
}

fn too_large(error: &TooLarge) -> Failure {
    // Requests are kept of the whole run, whatever is shown of it.
    let less = match error {
        TooLarge::Stages(_) => format!("{LESS}, or "),
        TooLarge::Requests { .. } => String::new(),
    };
    Failure::input(format_args!("{error}; {less}{SMALLER}"))
}
