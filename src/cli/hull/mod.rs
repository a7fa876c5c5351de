//! `umm hull`

mod measure;

use std::io::{self, Write};

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::algorithms::export;
use crate::algorithms::points::Point;
use crate::algorithms::points::random::PointDistribution;
use crate::chart;
use crate::cli::support::Failure;
use crate::cli::support::campaign::PointFailure;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::layer_options::tell;
use crate::cli::support::numbers::{grouped, rate};
use crate::cli::support::options::{whole, word_or_auto};
use crate::cli::support::point_outputs::Outputs;
use crate::cli::support::point_set::{PointList, PointSet, of_random};
use crate::cli::support::progress::spin;
use crate::gpu;
use crate::gpu::measure::hull::PreparedHull;
use crate::measure::engines::hull::{HullRun, bytes};
use crate::measure::hull::HullEngine;

/// Which engine `auto` is, and why.
const AUTO: &str = "Cpu: to bring points to a GPU would take longer";

/// Find the convex hull of points of the plane
///
/// Its vertices, as indices of the points from 0, counter-clockwise from the lowest, of those the
/// leftmost point; strict vertices only, and the smallest index of repeated points. Exact.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  umm hull tests/data/airports-australia.csv --draw hull.svg
  umm hull random -n 10000000 --distribution disk --seed 7 --json
  umm hull random -n 1000000 --engine workers --workers 4 --no-simd
  umm hull random -n 1000 --distribution circle --csv ring.csv && umm opt solve ring.csv
  umm hull measure -o measured"
)]
pub(super) struct Hull {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    find: Find,
}

#[derive(Debug, Subcommand)]
enum Command {
    Measure(measure::Measure),
}

impl Hull {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Some(Command::Measure(measure)) => measure.run(),
            None => self.find.run(),
        }
    }
}

#[derive(Debug, Args)]
#[command(
    mut_arg("draw", |it| it.help("Draw the points and their hull")),
    mut_arg("csv", |it| it.help("Write the vertices with their coordinates, as a polygon"))
)]
struct Find {
    #[command(flatten)]
    points: PointSet,
    #[arg(long, value_parser = word_or_auto(HullEngine::Cpu, AUTO), default_value = "auto")]
    engine: HullEngine,
    /// Threads of the engines cpu, workers and workers-prefetch [default: one for each core]
    #[arg(long, value_name = "K", value_parser = whole::<u16>(1..=1024))]
    workers: Option<u16>,
    /// Let the same engines compute without vector instructions
    #[arg(long)]
    no_simd: bool,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    outputs: Outputs,
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct HullReport {
    n: usize,
    vertices: Vec<u32>,
    engine: HullEngine,
    /// From points in the engine's memory, a GPU's included, to vertices in the host's.
    seconds: f64,
    distribution: Option<PointDistribution>,
    seed: Option<u64>,
    workers: usize,
    simd: bool,
    /// What was inferred of a file, or left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// What a person wants to read whole.
const SHOWN: usize = 100;

impl Find {
    fn run(&self) -> Result<(), Failure> {
        let engine = self.engine;
        if !engine.has_workers() && (self.workers.is_some() || self.no_simd) {
            return Err(Failure::input(
                "--workers and --no-simd are for the engines cpu, workers and workers-prefetch; leave them out",
            ));
        }
        let PointList { points, drawn, crs, notes, .. } = self.points.load(bytes(engine))?;
        self.outputs.check()?;
        let workers = match self.workers {
            Some(workers) => workers.into(),
            None if engine.has_workers() => rayon::current_num_threads(),
            None => 1,
        };
        let simd = engine.has_workers() && !self.no_simd;

        let n = points.len();
        let what = format!("the hull of {} points", grouped(n as u128));
        let HullRun { vertices, time_s: seconds, .. } =
            spin(&what, || self.solve(&points, (workers, simd)))?;

        tell(&notes, self.outputs.is_json());
        let title = self.points.title(drawn);
        self.outputs.write(
            |theme| chart::points::hull(&points, &vertices, &title, theme),
            |file| polygon(file, &points, &vertices),
            |file| {
                let corners: Vec<Point> = vertices.iter().map(|&it| points[it as usize]).collect();
                export::ring(file, &corners, crs.as_deref())
            },
            vec![],
        )?;
        let (distribution, seed) = drawn.unzip();
        let report =
            HullReport { n, vertices, engine, seconds, distribution, seed, workers, simd, notes };
        self.outputs.print(&report, |it| self.render_text(it))
    }

    fn solve(&self, points: &[Point], threads: (usize, bool)) -> Result<HullRun, Failure> {
        let gpu = self.device.open_for(self.engine)?;
        let kernels = gpu.as_ref().map(gpu::hull::HullKernels::new).transpose()?;
        let hull = PreparedHull::new(self.engine, points, threads, kernels.as_ref());
        Ok(hull.and_then(|it| it.run()).map_err(PointFailure::from)?)
    }

    /// The report as a person reads it.
    fn render_text(&self, report: &HullReport) -> String {
        let HullReport { n, vertices, engine, seconds, workers, .. } = report;
        let drawn = of_random(report.distribution.zip(report.seed));
        let threads = match engine {
            engine if !engine.has_workers() => "",
            _ if report.simd => &format!("  workers {workers}"),
            _ => &format!("  workers {workers}  without SIMD"),
        };
        let mut text = format!(
            "{}  n = {}{drawn}\nengine {engine}{threads}\n\ntime      {} ({} points a second)\nvertices  {}\n",
            self.points.name(),
            grouped(*n as u128),
            chart::seconds(*seconds),
            rate(*n as f64 / seconds),
            grouped(vertices.len() as u128),
        );
        if vertices.len() <= SHOWN {
            let indices: Vec<String> = vertices.iter().map(u32::to_string).collect();
            text += &format!("\n{}\n", indices.join(" "));
        }
        text
    }
}

fn polygon(file: &mut dyn Write, points: &[Point], vertices: &[u32]) -> io::Result<()> {
    writeln!(file, "index,x,y")?;
    vertices.iter().try_for_each(|&index| {
        let Point { x, y } = points[index as usize];
        writeln!(file, "{index},{x},{y}")
    })
}
