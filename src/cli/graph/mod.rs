//! `umm graph`

mod render;

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;

use self::render::{GraphReport, render_text};
use crate::case::Case;
use crate::case::dependences::{layers_of, report};
use crate::case::triangulation::Triangulation;
use crate::chart::{self, dot};
use crate::cli::support::Failure;
use crate::cli::support::case::opt_arrays;
use crate::cli::support::files;
use crate::cli::support::graph_files::{destination, tree_text};
use crate::cli::support::options::{ProgramOptions, os};
use crate::cli::support::progress::spin;
use crate::cli::support::terminal::wrapped;
use crate::host::files::{ends, path_text};
use crate::host::split_once;
use crate::run::NoopObserver;
use crate::run::layout::Layout;
use crate::theory::depth::DepthGrowth;
use crate::theory::graph::{Dependences, GraphError, MOST};

/// Say which accesses need one another, and bound the time by the longest chain
///
/// The program runs with one thread an iteration. A read needs the last write of its cell; a write
/// needs the reads from which its value, its address and the conditions around it were computed,
/// through registers. The longest chain of `depth` accesses takes depth·l time units on any machine;
/// of an HMM, accesses to shared memory take ls.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  umm graph umm_opt --set n=8 -o umm_opt.svg
  umm graph umm_opt --set n=8 --layers 1..8 -o first.svg
  umm graph sum --set n=8 -o - | dot -Tpdf -o sum.pdf
  umm graph dp_opt --set n=64 --growth
  umm graph sum_hmm --set n=8 --set b=2 --set q=2 -o sum_hmm.svg
  umm graph opt --input c=paper --parse-tree -o parse-tree.svg")]
pub(super) struct Graph {
    #[command(flatten)]
    program: ProgramOptions,
    /// Write the graph as FILE.svg or FILE.dot; - prints DOT
    #[arg(short, long, value_name = "FILE", value_parser = os(destination))]
    output: Option<PathBuf>,
    /// Draw only the accesses of these depths, as in 1..12: a wide picture in parts
    #[arg(long, value_name = "FROM..TO", value_parser = layers, requires = "output")]
    layers: Option<RangeInclusive<u64>>,
    /// Fit a formula to the depth at n = 2 … 33
    #[arg(long)]
    growth: bool,
    /// The parse tree of the optimal triangulation instead (listings with a table M and weights c)
    #[arg(long, requires = "output", conflicts_with_all = ["growth", "json"])]
    parse_tree: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Pixels; of a wider picture a person sees a part at a time, or letters too small to read.
const WIDEST: f64 = 2400.0;

/// The value of `--layers`.
fn layers(text: &str) -> Result<RangeInclusive<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| {
        let (from, to) = (from.parse().ok()?, to.parse().ok()?);
        (1 <= from && from <= to).then_some(from..=to)
    });
    range.ok_or_else(|| "write FROM..TO, as in 1..12; depths count from 1".to_owned())
}

impl Graph {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let prints_dot = self.output.as_deref().is_some_and(|path| path == Path::new("-"));
        if prints_dot && (self.json || self.growth) {
            return Err(Failure::input(
                "-o - prints DOT alone; name a file, or leave out --json and --growth",
            ));
        }
        let case = self.program.case()?.of_pram();
        let layout = case.layout()?;
        if self.parse_tree {
            return self.write_parse_tree(&case, &layout);
        }
        let (graph, depth, growth) = spin("which accesses need one another", || {
            let graph = self.graph(&case, &layout)?;
            let depth = case.depth(&layout, graph.as_ref())?;
            let growth = if self.growth { Some(self.grow(&case)?) } else { None };
            Ok::<_, Failure>((graph, depth, growth))
        })?;
        if let (Some(path), Some(graph)) = (&self.output, &graph) {
            let shown = self.window(graph, depth)?;
            self.write(path, &case, &layout, &shown, depth)?;
        }
        if prints_dot {
            return Ok(());
        }
        let (case, layout, graph, growth) = (&case, &layout, graph.as_ref(), growth.as_ref());
        if self.json {
            return files::print_json(&report(case, layout, graph, depth, growth));
        }
        files::print(&wrapped(&render_text(&GraphReport { case, layout, graph, depth, growth })))
    }

    /// The graph; `None` if it is too large and nobody asked for it to be written.
    fn graph(&self, case: &Case, layout: &Layout) -> Result<Option<Dependences>, Failure> {
        match (case.dependences(layout)?, &self.output) {
            (None, Some(_)) => Err(Failure::input(format_args!(
                "{}; choose smaller sizes (--set), or leave out -o for the depth alone",
                GraphError::TooLarge { most: MOST }
            ))),
            (graph, _) => Ok(graph),
        }
    }

    /// The accesses of `--layers`, of all that there are.
    fn window<'a>(
        &self,
        graph: &'a Dependences,
        depth: u64,
    ) -> Result<Cow<'a, Dependences>, Failure> {
        let Some(layers) = &self.layers else { return Ok(Cow::Borrowed(graph)) };
        if *layers.start() > depth {
            let from = layers.start();
            return Err(Failure::input(format_args!(
                "--layers {from}..: the longest chain has {depth} accesses; begin at {depth} or less"
            )));
        }
        Ok(Cow::Owned(layers_of(graph, layers)))
    }

    fn grow(&self, case: &Case) -> Result<DepthGrowth, Failure> {
        let program = &case.program;
        if !program.parameters.iter().any(|it| it.name == "n") {
            return Err(Failure::input(format_args!(
                "--growth samples n = 2 … 33, but `{}` has no parameter `n`",
                program.name
            )));
        }
        let fixes = |(_, source): &&(String, OsString)| {
            let word = split_once(source, b':').map_or(source.as_os_str(), |(word, _)| word);
            word != "random" && word != "permutation"
        };
        if let Some((array, source)) = self.program.inputs.iter().find(fixes) {
            let source = path_text(source);
            return Err(Failure::input(format_args!(
                "--growth samples n = 2 … 33, but --input {array}={source} has one size; leave it out"
            )));
        }
        Ok(case.depth_growth()?)
    }

    fn write(
        &self,
        path: &Path,
        case: &Case,
        layout: &Layout,
        graph: &Dependences,
        depth: u64,
    ) -> Result<(), Failure> {
        let program = &*case.program;
        let text = if ends(path, "svg") {
            let title = case.graph_title(layout, graph, depth, self.layers.as_ref());
            let scene = chart::dependences::scene(program, layout, graph, &title);
            let scene = scene.map_err(|error| {
                let path = path_text(path);
                Failure::input(format_args!(
                    "{path}: {error}; choose smaller sizes (--set), draw a part (--layers 1..12), or write \
                     FILE.dot"
                ))
            });
            let scene = scene?;
            if scene.width() > WIDEST {
                eprintln!(
                    "{}: {} pixels wide, more than a screen shows; draw a part (--layers 1..8)",
                    path_text(path),
                    scene.width()
                );
            }
            scene.svg()
        } else {
            dot::dependences(program, layout, graph)
        };
        put(path, &text)
    }

    fn write_parse_tree(&self, case: &Case, layout: &Layout) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        let arrays = opt_arrays(case, layout, "--parse-tree")?;
        let mut memory = case.memory(layout)?;
        case.execute(layout, &mut memory, &mut NoopObserver)?;
        let Triangulation { n, chords, weight } =
            arrays.triangulation(layout, &memory).map_err(Failure::run)?;
        put(path, &tree_text(path, n, &chords, weight)?)
    }
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    files::write(path, |file| file.write_all(text.as_bytes()))
}
