//! `umm opt solve`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::engine::{EngineOptions, Solution, TypeOption, check_precision, planned, read_plans};
use super::outputs::{Output, no_places, output, times, tree};
use super::regions::{RegionOptions, RegionOutputs};
use crate::algorithms::layer::Layer;
use crate::algorithms::opt::triangulation::chords;
use crate::algorithms::opt::{Chord, Nearest, Problem, Weight, Weights, weights_csv};
use crate::algorithms::polygon::chords::Chords;
use crate::algorithms::polygon::{self, Polygon, random};
use crate::chart::triangulation::{VertexLayout, scene};
use crate::cli::support::Failure;
use crate::cli::support::files::{self, StagedOutput};
use crate::cli::support::graph_files::{check_tree, tree_text};
use crate::cli::support::layer_options::{DEGREES, LayerOptions, tell};
use crate::cli::support::numbers::{grouped, rate};
use crate::cli::support::options::{ANY, ThemeOption, os, whole};
use crate::cli::support::picture::{encode, picture};
use crate::cli::support::progress::Bar;
use crate::gpu::opt::tiled::Number;
use crate::host::files::path_text;

/// Find a triangulation of least total weight
///
/// The n − 3 chords that cut a simple polygon into triangles with the least sum of weights: of the
/// chords' lengths, or of weights that a matrix gives.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm opt solve tests/data/laos.geojson --draw laos.svg
  umm opt solve tests/data/great-britain.geojson --type f64 --output chords.geojson
  umm opt solve tests/data/layers/parcels.wkt --definition optimal,greedy,delaunay
  umm opt solve tests/data/layers/faults.geojson --repair --triangles triangles.geojson
  umm opt solve random -n 4096 --seed 7 --json
  mpirun -n 5 umm opt solve random -n 4096 --engine mpi
  umm opt solve --weights tests/data/paper-8-gon-weights.csv --tree tree.svg")]
pub(super) struct Solve {
    /// Polygons (CSV, GeoJSON, TopoJSON, WKT, .shp, .obj, .poly, …, packed or not; - for standard
    /// input), or `random`: a random convex polygon, less than 1024 wide and high
    #[arg(value_name = "FILE|random")]
    polygon: Option<PathBuf>,
    /// Vertices of the random polygon [default: 1024]
    #[arg(short, value_name = "N", value_parser = whole::<usize>(ANY))]
    n: Option<usize>,
    /// Seed of the random polygon [default: 1]
    #[arg(long, value_parser = whole::<u64>(ANY))]
    seed: Option<u64>,
    /// Numbers to compute with; i32 rounds lengths to whole units
    #[arg(long = "type", value_enum, default_value_t = TypeOption::F32)]
    kind: TypeOption,
    #[command(flatten)]
    pub(super) engine: EngineOptions,
    /// Compute stage by stage on a GPU, as `umm opt tune` has planned
    #[arg(long, value_name = "PLAN.toml", conflicts_with = "engine")]
    plan: Option<PathBuf>,
    /// What chords weigh: their lengths, or a matrix of n × n numbers whose upper triangle is read
    /// (inf: may not be used)
    #[arg(long, value_name = "length|FILE.csv", default_value = "length")]
    weights: PathBuf,
    /// Draw the triangulation
    #[arg(short = 'o', long, value_name = "FILE.svg|.png", value_parser = os(picture))]
    draw: Option<PathBuf>,
    /// Colours for light or for dark pages
    #[arg(long, value_enum, default_value_t = ThemeOption::Light)]
    theme: ThemeOption,
    /// Write the chords with their weights; repeatable
    #[arg(long = "output", visible_alias = "csv", value_name = "FILE.geojson|.csv", value_parser = os(output))]
    outputs: Vec<Output>,
    /// Write the parse tree
    #[arg(long, value_name = "FILE.svg|.dot", value_parser = os(tree))]
    tree: Option<PathBuf>,
    #[command(flatten)]
    layer: LayerOptions,
    #[command(flatten)]
    regions: RegionOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is solved.
enum ChordWeights<'a, T> {
    Lengths(Chords<'a>),
    Given(Weights<T>),
}

impl<T: Nearest> Problem<T> for ChordWeights<'_, T> {
    fn n(&self) -> usize {
        match self {
            Self::Lengths(chords) => Problem::<T>::n(chords),
            Self::Given(weights) => weights.n(),
        }
    }

    fn whole(&self, a: usize, b: usize) -> T {
        match self {
            Self::Lengths(chords) => chords.whole(a, b),
            Self::Given(weights) => weights.whole(a, b),
        }
    }
}

/// What came out, as `--json` prints it.
#[derive(Serialize)]
struct SolveReport<T> {
    n: usize,
    weight: T,
    chords: Vec<[usize; 2]>,
    engine: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    seed: Option<u64>,
    /// Of the table alone.
    seconds: f64,
    relaxations: u64,
    relaxations_per_s: f64,
    weights_s: f64,
    chords_s: f64,
    /// What was inferred of a file, or left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Solve {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.check()?;
        let mut notes = vec![];
        let polygon = match self.polygon.as_deref().filter(|_| !self.is_random()) {
            None => None,
            Some(path) => {
                let layer = self.layer.read(path)?;
                notes.clone_from(&layer.notes);
                match polygon::only(path, &layer) {
                    Ok(polygon) if !self.regions.are_given() => Some(polygon),
                    Ok(_) => return self.solve_regions(path, &layer),
                    // A matrix, a tree and the like are of one ring.
                    Err(error) if self.needs_one_ring() => return Err(Failure::input(error)),
                    Err(_) => return self.solve_regions(path, &layer),
                }
            }
        };
        match self.kind {
            TypeOption::F32 => self.solve::<f32>(polygon, notes),
            TypeOption::F64 => self.solve::<f64>(polygon, notes),
            TypeOption::I32 => self.solve::<i32>(polygon, notes),
        }
    }

    /// Whether something is asked for that is of one polygon without holes.
    fn needs_one_ring(&self) -> bool {
        self.matrix().is_some() || self.tree.is_some() || self.plan.is_some()
    }

    /// Each polygon of a file on its own.
    fn solve_regions(&self, path: &Path, layer: &Layer) -> Result<(), Failure> {
        if self.needs_one_ring() {
            return Err(Failure::input(
                "--weights FILE, --tree and --plan are for one polygon without holes; leave them out, \
                 or leave out --definition, --metric, --repair and --triangles",
            ));
        }
        if !self.engine.is_cpu() || self.kind == TypeOption::I32 {
            return Err(Failure::input(
                "several polygons, holes and --definition are solved by the engine cpu, in f64; leave \
                 out --engine and --type",
            ));
        }
        let written = self.outputs.iter().map(|it| &it.path);
        files::check_outputs(written.chain(&self.draw).chain(self.regions.outputs()))?;
        let outputs = RegionOutputs {
            draw: self.draw.as_deref().map(|it| (it, self.theme.theme())),
            chords: self.outputs.iter().map(|it| &*it.path).collect(),
            json: self.json,
        };
        self.regions.run(path, layer, &outputs)
    }

    fn is_random(&self) -> bool {
        self.polygon.as_deref() == Some(Path::new("random"))
    }

    /// The matrix of weights, if one is given.
    fn matrix(&self) -> Option<&Path> {
        (self.weights.as_os_str() != OsStr::new("length")).then_some(self.weights.as_path())
    }

    fn check(&self) -> Result<(), Failure> {
        let refuse = |why: &str| Err(Failure::input(why));
        match (&self.polygon, self.matrix()) {
            (None, None) => {
                return refuse(
                    "nothing to triangulate: name a polygon (FILE or random), or give --weights \
                     FILE.csv",
                );
            }
            (Some(_), Some(_)) if self.is_random() => {
                return refuse(
                    "a random polygon has its own weights; leave out random or --weights",
                );
            }
            _ => {}
        }
        if !self.is_random() && (self.n.is_some() || self.seed.is_some()) {
            return refuse("-n and --seed are for random; leave them out");
        }
        if (self.is_random() || self.polygon.is_none())
            && (self.regions.are_given() || !self.layer.is_empty())
        {
            return refuse(
                "--definition, --metric, --repair, --triangles, --columns, --missing and --member are \
                 for files of polygons; name one",
            );
        }
        if self.is_random() && self.n.is_some_and(|n| n < 3) {
            return refuse("-n: a polygon has at least three vertices");
        }
        if let Some(it) = self.outputs.iter().find(|it| it.needs_places() && self.polygon.is_none())
        {
            return Err(no_places(&it.path));
        }
        Ok(())
    }

    fn solve<T: Nearest + Number + Serialize>(
        &self,
        polygon: Option<Polygon>,
        mut notes: Vec<String>,
    ) -> Result<(), Failure> {
        let plans = self.plan.as_deref().map(read_plans).transpose()?;
        let (polygon, seed) = match self.random()? {
            Some((polygon, seed)) => (Some(polygon), Some(seed)),
            None => (polygon, None),
        };
        let started = Instant::now();
        let problem = self.problem::<T>(polygon.as_ref())?;
        let weights_s = started.elapsed().as_secs_f64();
        let outputs = self.outputs.iter().map(|it| &it.path);
        files::check_outputs(outputs.chain(&self.draw).chain(&self.tree))?;
        if polygon.as_ref().is_some_and(Polygon::is_geographic) && self.matrix().is_none() {
            notes.push(format!("{DEGREES}; --metric geodesic gives metres"));
        }
        tell(&notes, self.json);
        let n = problem.n();
        if let Some(path) = &self.tree {
            check_tree(path, n)?;
        }

        let solved = match &plans {
            Some(plans) => Some(planned(&problem, plans, self.engine.device)?),
            None => self.engine.solve(&problem)?,
        };
        let Some(solved) = solved else { return Ok(()) };
        let Solution { weight, triangles, relaxations, seconds, triangles_s, engine } = solved;
        let mut chords = chords(&triangles);
        chords.sort_unstable();
        if let ChordWeights::Lengths(_) = problem {
            check_precision::<T>(n, number(weight))?;
        }

        self.write(&problem, polygon.as_ref(), &chords, weight)?;
        let report = SolveReport {
            n,
            weight,
            chords: chords.iter().map(|&Chord { a, b }| [a, b]).collect(),
            engine,
            kind: T::NAME,
            seed,
            seconds,
            relaxations,
            relaxations_per_s: relaxations as f64 / seconds,
            weights_s,
            chords_s: triangles_s,
            notes,
        };
        if self.json {
            return files::print_json(&report);
        }
        files::print(&self.render_text(&report))
    }

    /// The random polygon and its seed, if one is asked for.
    fn random(&self) -> Result<Option<(Polygon, u64)>, Failure> {
        if !self.is_random() {
            return Ok(None);
        }
        let (n, seed) = (self.n.unwrap_or(1024), self.seed.unwrap_or(1));
        if n > polygon::chords::MOST_VERTICES {
            return Err(Failure::input(format_args!(
                "-n: at most {} vertices are triangulated",
                polygon::chords::MOST_VERTICES
            )));
        }
        Ok(Some((random::convex(n, seed), seed)))
    }

    fn problem<'a, T: Nearest>(
        &self,
        polygon: Option<&'a Polygon>,
    ) -> Result<ChordWeights<'a, T>, Failure> {
        if let Some(path) = self.matrix() {
            let weights = weights_csv::read::<T>(path).map_err(Failure::input)?;
            let (path, n) = (path_text(path), weights.n());
            return match polygon {
                Some(polygon) if polygon.n() != n => Err(Failure::input(format_args!(
                    "{path}: {n} × {n} weights, but the polygon has {} vertices; give the weights \
                     of its chords",
                    polygon.n()
                ))),
                _ => Ok(ChordWeights::Given(weights)),
            };
        }
        // `check` has seen to it that there is one or the other.
        let Some(polygon) = polygon else {
            return Err(Failure::input("name a polygon, or give --weights FILE.csv"));
        };
        let n = polygon.n();
        let bar = Bar::new(n as u64, "vertices");
        let chords = Chords::of(polygon, &|done| bar.add(done)).map_err(Failure::input)?;
        if !T::holds(n, chords.longest()) {
            return Err(Failure::input(format_args!(
                "the sum of {} chords as long as {} could leave the range of {}; use --type f64, \
                 or rescale the polygon",
                n - 2,
                chords.longest(),
                T::NAME
            )));
        }
        check_precision::<T>(n, (n - 2) as f64 * chords.longest())?;
        Ok(ChordWeights::Lengths(chords))
    }

    /// Every file is written before the first takes its place: all appear, or none.
    fn write<T: Nearest>(
        &self,
        problem: &ChordWeights<'_, T>,
        polygon: Option<&Polygon>,
        chords: &[Chord],
        weight: T,
    ) -> Result<(), Failure> {
        let n = problem.n();
        let mut staged = vec![];
        if !self.outputs.is_empty() {
            let weighed: Vec<(Chord, String)> =
                chords.iter().map(|&it| (it, problem.whole(it.a, it.b).to_string())).collect();
            for output in &self.outputs {
                staged.push(output.write(&weighed, polygon)?);
            }
        }
        if let Some(path) = &self.draw {
            let shape = polygon.map_or(VertexLayout::Regular(n), VertexLayout::Polygon);
            let (name, theme) = ("Optimal triangulation", self.theme.theme());
            let scene =
                scene(shape, chords, name, number(weight), theme).map_err(Failure::input)?;
            let picture = encode(&scene, path)?;
            staged.push(StagedOutput::new(path, |file| file.write_all(&picture))?);
        }
        if let Some(path) = &self.tree {
            let text = tree_text(path, n, chords, weight)?;
            staged.push(StagedOutput::new(path, |file| file.write_all(text.as_bytes()))?);
        }
        staged.into_iter().try_for_each(StagedOutput::keep)
    }

    /// The report as a person reads it.
    fn render_text<T: Weight>(&self, report: &SolveReport<T>) -> String {
        let SolveReport { n, kind, engine, weight, .. } = report;
        let name = path_text(self.polygon.as_deref().unwrap_or(&self.weights));
        let seed = report.seed.map_or_else(String::new, |seed| format!("  seed {seed}"));
        let parts =
            [("weights", report.weights_s), ("table", report.seconds), ("chords", report.chords_s)];
        format!(
            "{name}  n = {n}{seed}\n{kind}  engine {engine}\n\n{}\n\n\
             relaxations   {} ({} a second)\nchords        {}\ntotal weight  {weight}\n",
            times(&parts),
            grouped(report.relaxations.into()),
            rate(report.relaxations_per_s),
            grouped(report.chords.len() as u128),
        )
    }
}

fn number<T: Weight>(weight: T) -> f64 {
    weight.to_string().parse().unwrap_or(f64::NAN)
}
