//! `umm greedy`

mod branches;
mod measure;
mod ranks;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use self::ranks::over_ranks;
use crate::algorithms::export::{self, TriangleFormat, TriangleGroup, TriangleSet};
use crate::algorithms::greedy::fast::triangles_between;
use crate::algorithms::layer::CoordinateUnit;
use crate::algorithms::points::random::PointDistribution;
use crate::algorithms::points::{Point, distinct, length, total_length};
use crate::chart;
use crate::cli::support::Failure;
use crate::cli::support::campaign::PointFailure;
use crate::cli::support::device::DeviceOptions;
use crate::cli::support::files::{self, StagedOutput};
use crate::cli::support::layer_options::{DEGREES, tell, triangles};
use crate::cli::support::numbers::grouped;
use crate::cli::support::options::{os, whole, word_or_auto};
use crate::cli::support::point_outputs::Outputs;
use crate::cli::support::point_set::{GREEDY_BYTES, PointList, PointSet, of_random};
use crate::cli::support::progress::{Bar, spin};
use crate::gpu::measure::greedy::run;
use crate::gpu::{self, greedy::MOST_POINTS};
use crate::measure::Engine as _;
use crate::measure::engines::greedy::GreedyRun;
use crate::measure::greedy::GreedyEngine;

/// Find the greedy triangulation of points of the plane
///
/// Of all lines between the points, from the shortest to the longest, each that conflicts with none
/// taken before. Exact; of equal lengths the line of smaller indices is first, and of repeated points
/// the smallest index counts.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  umm greedy tests/data/airports-australia.csv --draw greedy.svg
  umm greedy random -n 1000000 --seed 7 --csv edges.csv
  umm greedy random -n 1024 --engine paper --json             n^3 tests: 4 s on one core; 2048 points
  30 s
  umm greedy random -n 8192 --engine gpu --blocks 512 --threads 1024
  mpirun -n 5 umm greedy random -n 4096 --engine mpi
  mpirun -n 5 umm greedy random -n 1000000 --engine mpi-fast
  umm greedy measure -o measured
  umm greedy branches -n 64"
)]
pub(super) struct Greedy {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    find: Find,
}

#[derive(Debug, Subcommand)]
enum Command {
    Measure(measure::Measure),
    Branches(branches::CountBranches),
}

impl Greedy {
    pub(super) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Some(Command::Measure(measure)) => measure.run(),
            Some(Command::Branches(branches)) => branches.run(),
            None if self.find.engine.is_over_ranks() => {
                self.find.run().map_err(Failure::of_one_rank)
            }
            None => self.find.run(),
        }
    }
}

#[derive(Debug, Args)]
#[command(
    mut_arg("draw", |it| it.help("Draw the triangulation")),
    mut_arg("csv", |it| it.help("Write the edges, as indices i < j, with their lengths"))
)]
struct Find {
    #[command(flatten)]
    points: PointSet,
    #[arg(long, value_parser = word_or_auto(GreedyEngine::Fast, "Fast"), default_value = "auto")]
    engine: GreedyEngine,
    /// Blocks of the engine gpu [default: 512]
    #[arg(long, value_name = "B", value_parser = whole::<u32>(1..=0x7fff_ffff))]
    blocks: Option<u32>,
    /// Threads of a block of the engine gpu [default: 1024]
    #[arg(long, value_name = "T", value_parser = whole::<u32>(1..=1024))]
    threads: Option<u32>,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    outputs: Outputs,
    /// Write the triangles: .csv (numbers of points), .npy, .geojson, .wkt, .obj, .ply, .off, .stl or
    /// .poly
    #[arg(long, value_name = "FILE", value_parser = os(triangles))]
    triangles: Option<PathBuf>,
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct GreedyReport {
    n: usize,
    /// In the order in which they were accepted.
    edges: Vec<[u32; 2]>,
    engine: GreedyEngine,
    /// From distinct points in memory to edges in memory.
    seconds: f64,
    distribution: Option<PointDistribution>,
    seed: Option<u64>,
    /// Points without their copies.
    distinct: usize,
    /// The edges' total length, in the unit of the coordinates.
    length: f64,
    /// What was inferred of a file, or left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Find {
    fn run(&self) -> Result<(), Failure> {
        let engine = self.engine;
        if engine != GreedyEngine::Gpu && (self.blocks.is_some() || self.threads.is_some()) {
            return Err(Failure::input(
                "--blocks and --threads are for the engine gpu; leave them out",
            ));
        }
        let PointList { points, drawn, unit, crs, mut notes } = self.points.load(GREEDY_BYTES)?;
        self.outputs.check()?;
        files::check_outputs(&self.triangles)?;
        let once = distinct(&points);
        let Some(GreedyRun { mut edges, steps, time_s }) = self.solve(&once.points)? else {
            return Ok(());
        };
        // Points keep their order, and so do the ends of an edge.
        for end in edges.as_flattened_mut() {
            *end = once.index[*end as usize];
        }

        let mut staged = vec![];
        if let Some(path) = &self.triangles {
            staged.push(self.triangles(path, &points, &edges, crs.as_deref())?);
        }
        if unit == CoordinateUnit::Degrees {
            notes.push(format!("{DEGREES}; project the points to have them in metres"));
        }
        tell(&notes, self.outputs.is_json());
        let title = self.points.title(drawn);
        self.outputs.write(
            |theme| chart::points::edges(&points, &edges, &title, theme),
            |file| lines(file, &points, &edges),
            |file| layer(file, &points, &edges, crs.as_deref()),
            staged,
        )?;
        let (distribution, seed) = drawn.unzip();
        let report = GreedyReport {
            n: points.len(),
            length: total_length(&points, &edges),
            edges,
            engine,
            seconds: steps.map_or(time_s, |it| it.iter().sum()),
            distribution,
            seed,
            distinct: once.points.len(),
            notes,
        };
        self.outputs.print(&report, |it| self.render_text(it))
    }

    /// `None` where another process tells what was found.
    fn solve(&self, points: &[Point]) -> Result<Option<GreedyRun>, Failure> {
        let n = points.len();
        if self.engine.is_on_gpu() && n > MOST_POINTS {
            return Err(Failure::input(format_args!(
                "the engine gpu numbers points in 16 bits: give at most {MOST_POINTS} distinct \
                 points, or choose the engine fast"
            )));
        }
        let gpu = self.device.open_for(self.engine)?;
        let kernels = gpu.as_ref().map(gpu::greedy::GreedyKernels::new).transpose()?;
        let shape = (self.blocks.unwrap_or(512), self.threads.unwrap_or(1024));
        let on_gpu = kernels.as_ref().map(|it| (it, shape.0, shape.1));
        // Nearly as many as there are.
        let bar = Bar::new(3 * n as u64, "edges");
        if self.engine.is_over_ranks() {
            return over_ranks(self.engine, points, &|edges| bar.add(edges));
        }
        let solve = || run(self.engine, points, on_gpu, &|edges| bar.add(edges));
        let what = format!("a round for each edge of {} points", grouped(n as u128));
        let run = if on_gpu.is_some() { spin(&what, solve) } else { solve() };
        Ok(Some(run.map_err(PointFailure::from)?))
    }

    /// The triangles between edges that are a triangulation.
    fn triangles(
        &self,
        path: &Path,
        points: &[Point],
        edges: &[[u32; 2]],
        crs: Option<&str>,
    ) -> Result<StagedOutput, Failure> {
        let triangles = triangles_between(points, edges);
        let groups = [TriangleGroup { triangles, ..TriangleGroup::default() }];
        let set = TriangleSet { points, groups: &groups, crs };
        let format = TriangleFormat::of(path).unwrap_or(TriangleFormat::Csv);
        StagedOutput::new(path, |file| set.write(format, file))
    }

    /// The report as a person reads it.
    fn render_text(&self, report: &GreedyReport) -> String {
        let GreedyReport { n, edges, engine, seconds, distinct, length, .. } = report;
        let count = |n: usize| grouped(n as u128);
        let drawn = of_random(report.distribution.zip(report.seed));
        let copies = match n - distinct {
            0 => String::new(),
            copies => format!("copies  {}, left out\n", count(copies)),
        };
        // A triangulation of m points, h of them on the hull's boundary, has 3m − 3 − h edges.
        let on_hull = (3 * distinct).checked_sub(3 + edges.len()).filter(|_| *distinct > 2);
        let edges = match on_hull {
            Some(h) if edges.len() + 1 > *distinct => {
                format!("{} = 3·{} − 3 − {}", count(edges.len()), count(*distinct), count(h))
            }
            Some(_) => format!("{}, a path: the points lie on one line", count(edges.len())),
            None => count(edges.len()),
        };
        format!(
            "{}  n = {}{drawn}\nengine {engine}\n\ntime    {}\n{copies}edges   {edges}\n\
             length  {length:?}\n",
            self.points.name(),
            count(*n),
            chart::seconds(*seconds),
        )
    }
}

fn lines(file: &mut dyn Write, points: &[Point], edges: &[[u32; 2]]) -> io::Result<()> {
    writeln!(file, "i,j,length")?;
    edges.iter().try_for_each(|&[i, j]| writeln!(file, "{i},{j},{}", length(points, [i, j])))
}

/// Edges as a layer of lines.
fn layer(
    file: &mut dyn Write,
    points: &[Point],
    edges: &[[u32; 2]],
    crs: Option<&str>,
) -> io::Result<()> {
    let line = |&[i, j]: &[u32; 2]| {
        let ends = [i, j].map(|end| points[end as usize]);
        let length = length(points, [i, j]);
        let properties = [("i", i.into()), ("j", j.into()), ("length", length.into())];
        (ends, properties.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
    };
    export::lines(file, edges.iter().map(line), crs)
}
