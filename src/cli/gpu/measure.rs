//! `umm gpu measure`

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::support::device::DeviceOptions;

use crate::case::Inputs;
use crate::case::load;
use crate::cli::support::Failure;
use crate::cli::support::campaign::{Table, Tally, bar, describe};
use crate::cli::support::grid::setting;
use crate::cli::support::limits::LimitOptions;
use crate::cli::support::options::{ANY, os, source, whole, word};
use crate::codegen::Launch;
use crate::diagnostic::Source;
use crate::gpu::measure::{Gpus, Protocol, Workload, host, microbenchmark, suite};
use crate::gpu::{self, Gpu};
use crate::grid::Grid;
use crate::host::files::{DESCRIPTION, ends, read};
use crate::measure::{
    ALGORITHMS, Device, Job, MICROBENCHMARKS, MeasurementSpec, Subject, listings,
};
use crate::run::layout::Arrangement;

/// Measure algorithms or microbenchmarks on a GPU, repetition by repetition
///
/// Every point is verified against the CPU on random inputs, warmed up, and timed by the GPU's own
/// events; each repetition is a row of DIR/algorithms.csv or DIR/microbenchmarks.csv, with the GPU
/// described in DIR/device.json. Points are saved as they are finished: the same command goes on
/// where it was interrupted. Points that do not fit the GPU's memory are refused and named.
#[derive(Debug, Args)]
#[command(after_help = "\
A GRID is one value, values with commas between, or a range: 64..4096*2 multiplies, 10..50+10 adds.

A file SPEC.toml measures several:
  microbenchmarks = true
  [[measure]]
  algorithm = \"opt\"
  set.n = \"8,64\"
  bulk = [\"row\", \"column\"]        # row, column; leave out for parallel listings
  threads = \"64..1048576*4\"       # inputs of a bulk run
  launch = [\"plain\", \"graph\"]     # plain, graph, cooperative
  prefetch = \"1,128\"              # reads made early; 1: as the listing has them
  devices = \"1,2\"                 # GPUs that share the inputs
  cpu = true                      # one core of the host, too (prefix_sums, opt)
  most_bytes = 8589934592         # leave out larger points

Examples:
  umm gpu measure microbenchmarks -o measured
  umm gpu measure prefix_sums --set n=32 --bulk row,column -p 64..1048576*4 --cpu -o measured
  umm gpu measure umm_opt --set n=64..1024*2 --launch plain,graph,cooperative -o measured
  umm gpu measure opt --set n=64 --bulk column -p 65536 --devices all -o measured
  umm gpu measure models/measurements/campaign.toml -o measured")]
pub(super) struct Measure {
    /// A listing's name, FILE.alg, SPEC.toml, or `microbenchmarks`
    #[arg(value_name = "ALGORITHM|SPEC.toml|microbenchmarks")]
    what: String,
    /// Values of a parameter, as in n=64..4096*2; repeatable
    #[arg(long = "set", value_name = "NAME=GRID", value_parser = setting)]
    settings: Vec<(String, Grid)>,
    /// Bulk runs of a sequential program: row, column
    #[arg(long, value_parser = word::<Arrangement>(), value_delimiter = ',', value_name = "LIST")]
    bulk: Vec<Arrangement>,
    /// Inputs of a bulk run
    #[arg(short = 'p', long, value_name = "GRID", default_value = "1024")]
    threads: Grid,
    /// How sequential statements around parallel loops are done [default: plain, if the host can]
    #[arg(long, value_parser = word::<Launch>(), value_delimiter = ',', value_name = "LIST")]
    launch: Vec<Launch>,
    /// Iterations by which an innermost loop's reads are made early; 1: as the listing has it
    #[arg(long, alias = "ahead", value_name = "GRID", default_value = "1")]
    prefetch: Grid,
    #[command(flatten)]
    device: DeviceOptions,
    /// Numbers of GPUs, from --device on, that share a bulk run's inputs, or all
    #[arg(long, value_name = "GRID|all", default_value = "1")]
    devices: String,
    /// Measure one core of the host, too (prefix_sums and opt)
    #[arg(long)]
    cpu: bool,
    /// Repetitions of every point; 7 of those that take over a second
    #[arg(long, default_value_t = 11, value_parser = whole::<u32>(7..=1000))]
    repetitions: u32,
    /// What an array holds at first: as for `umm run`; repeatable [default: random numbers]
    #[arg(long = "input", value_name = "ARRAY=SOURCE", value_parser = os(source))]
    inputs: Vec<(String, OsString)>,
    /// Seed of random inputs
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(ANY))]
    seed: u64,
    #[command(flatten)]
    limits: LimitOptions,
    /// Results are compared with a run on the CPU, or of bulk runs a sample is, up to this many accesses
    #[arg(long, value_name = "ACCESSES", default_value_t = Protocol::MOST_ACCESSES, value_parser = whole::<u64>(ANY))]
    verify_accesses: u64,
    /// The folder to write into
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Measure {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let spec = self.spec()?;
        // Mistakes in the spec come before the GPU is asked for.
        let campaign = spec
            .measure
            .iter()
            .map(|job| Ok((job, self.points(job)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        let count = gpu::count()?;
        let gpu = self.device.open()?;
        let device = describe(&self.output, gpu::describe(&gpu, count as u64)?)?;
        let mut tally = Tally::default();
        if spec.microbenchmarks {
            self.microbenchmarks(&gpu, &device, &mut tally)?;
        }
        self.algorithms(&campaign, gpu, &device, &mut tally)?;
        tally.print(&self.output)
    }

    /// The points of a job, made ready.
    fn points(&self, job: &Job) -> Result<Vec<(Subject, Workload)>, Failure> {
        let program = Arc::new(load(&job.algorithm)?);
        let inputs = Inputs::read(&program, &self.inputs, self.seed)?;
        let point = |subject: Subject| {
            let case = self.limits.bound(subject.case(program.clone()));
            let point = Workload::new(case, &subject, inputs.clone())?;
            Ok((subject, point))
        };
        job.subjects().into_iter().map(point).collect()
    }

    fn protocol(&self) -> Protocol {
        Protocol {
            repetitions: self.repetitions as usize,
            seed: self.seed,
            most_accesses: self.verify_accesses.into(),
        }
    }

    fn spec(&self) -> Result<MeasurementSpec, Failure> {
        let path = Path::new(&self.what);
        if ends(path, "toml") {
            let source = Source { name: self.what.clone(), text: read(path, DESCRIPTION)? };
            return Ok(MeasurementSpec::parse(source)?);
        }
        if self.what == "microbenchmarks" {
            return Ok(MeasurementSpec { microbenchmarks: true, measure: vec![] });
        }
        let devices = match self.devices.as_str() {
            "all" => {
                let others = gpu::count()?.saturating_sub(self.device.device);
                Grid(vec![others.max(1) as i64])
            }
            list => list.parse().map_err(|error| {
                Failure::input(format_args!("--devices {list}: {error}; or write all"))
            })?,
        };
        let job = Job {
            set: self.settings.iter().cloned().collect(),
            bulk: self.bulk.clone(),
            threads: self.threads.clone(),
            launch: self.launch.iter().map(Launch::to_string).collect(),
            prefetch: self.prefetch.clone(),
            devices,
            cpu: self.cpu,
            ..Job::new(&self.what)
        };
        if let Some((key, value, most)) = job.out_of_range() {
            let flag = if key == "threads" { "-p".to_owned() } else { format!("--{key}") };
            let bound = match value {
                ..1 => "at least 1".to_owned(),
                _ => format!("at most {most}"),
            };
            return Err(Failure::input(format_args!("{flag} {value}: it must be {bound}")));
        }
        Ok(MeasurementSpec { microbenchmarks: false, measure: vec![job] })
    }

    fn microbenchmarks(
        &self,
        gpu: &Gpu,
        device: &Device,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut table = Table::open(&self.output.join(MICROBENCHMARKS), tally)?;
        let resident = device.multiprocessors * device.threads_per_multiprocessor;
        let benchmarks = microbenchmark::Microbenchmarks::new(gpu, resident, device.l2_bytes)?;
        let subjects = suite::all(resident, device.l2_bytes, device.multiprocessors);
        for subject in bar(&subjects) {
            let subject = benchmarks.completed(subject.clone());
            table.point(&subject, || {
                let times = benchmarks.measure(&subject, self.protocol())?;
                Ok(subject.repetitions("none", self.seed, &times))
            })?;
        }
        Ok(())
    }

    fn algorithms(
        &self,
        campaign: &[(&Job, Vec<(Subject, Workload)>)],
        gpu: Gpu,
        device: &Device,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        if campaign.is_empty() {
            return Ok(());
        }
        let mut table: Table<'_> = Table::open(&self.output.join(ALGORITHMS), tally)?;
        let mut gpus = Gpus::new(gpu, self.device.device, device.count);
        for (_, points) in campaign {
            let Some((_, point)) = points.first() else { continue };
            let program = &point.case.program;
            let before = table.log.subjects().any(|it| it.name == program.name);
            listings::keep(&self.output, program, before)?;
        }
        let points = campaign.iter().flat_map(|(job, all)| all.iter().map(move |it| (*job, it)));
        for (job, (subject, point)) in bar(&points.collect::<Vec<_>>()) {
            let subject = point.complete(subject, device);
            if job.most_bytes.is_some_and(|most| subject.bytes > most) {
                continue;
            }
            if let Some(on_host) = host::subject(&subject).filter(|_| job.cpu)
                && !table.log.is_done(&on_host)
            {
                table.point(&on_host, || Ok(host::measure(&on_host, self.protocol())))?;
            }
            match gpus.too_few(&subject).filter(|_| !table.log.is_done(&subject)) {
                Some(why) => table.tally.refuse(&subject, &why),
                None => table
                    .point(&subject, || Ok(gpus.measure(&subject, point, self.protocol())?))?,
            }
        }
        Ok(())
    }
}
