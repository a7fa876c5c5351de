//! `umm graph`

mod said;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;

use self::said::{human, report};
use super::Failure;
use super::files;
use super::options::{ProgramOptions, os};
use super::progress::spin;
use super::run::{opt_arrays, triangulated};
use crate::algorithms::opt::Chord;
use crate::algorithms::opt::parse_tree::parse_tree;
use crate::case::Case;
use crate::chart::parse_tree::Label;
use crate::chart::{self, ChartError, dot};
use crate::host::split_once;
use crate::run::NoopObserver;
use crate::run::layout::Layout;
use crate::theory::depth::{DepthGrowth, depth};
use crate::theory::graph::{AccessNode, Dependences, GraphError, MOST, graph};

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

pub(super) fn destination(value: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    if *path == *"-" || is(&path, "svg") || is(&path, "dot") || is(&path, "gv") {
        return Ok(path);
    }
    Err("name a file FILE.svg or FILE.dot, or - for DOT on standard output".to_owned())
}

/// The value of `--layers`.
fn layers(text: &str) -> Result<RangeInclusive<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| {
        let (from, to) = (from.parse().ok()?, to.parse().ok()?);
        (1 <= from && from <= to).then_some(from..=to)
    });
    range.ok_or_else(|| "write FROM..TO, as in 1..12; depths count from 1".to_owned())
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension))
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
            let depth = match &graph {
                Some(graph) => graph.node_weights().map(|it| it.depth).max().unwrap_or(0),
                None => depth(&case.program, &layout, &mut case.memory(&layout)?, case.limits())?,
            };
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
        if self.json {
            let report = report(&case, &layout, graph.as_ref(), depth, growth.as_ref());
            return files::print_json(&report);
        }
        files::print(&human(&case, &layout, graph.as_ref(), depth, growth.as_ref()))
    }

    /// The graph; `None` if it is too large and nobody asked for it to be written.
    fn graph(&self, case: &Case, layout: &Layout) -> Result<Option<Dependences>, Failure> {
        let too_large = |error: GraphError| match (error, &self.output) {
            (GraphError::Run(located), _) => Err(located.into()),
            (GraphError::TooLarge { .. }, None) => Ok(None),
            (error, Some(_)) => Err(Failure::input(format_args!(
                "{error}; choose smaller sizes (--set), or leave out -o for the depth alone"
            ))),
        };
        // Where counting is quick, a hopeless run is not begun.
        let counted = case.count(layout);
        let accesses: u128 = counted.map_or(0, |it| it.counts.iter().map(|it| it.accesses).sum());
        if accesses > MOST as u128 {
            return too_large(GraphError::TooLarge { most: MOST });
        }
        graph(&case.program, layout, &mut case.memory(layout)?, case.limits(), MOST)
            .map_or_else(too_large, |it| Ok(Some(it)))
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
        let is_in = |node: &AccessNode| layers.contains(&node.depth).then_some(*node);
        Ok(Cow::Owned(graph.filter_map(|_, node| is_in(node), |_, edge| Some(*edge))))
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
            let source = source.display();
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
        let text = if is(path, "svg") {
            let part = self.layers.as_ref().map_or_else(String::new, |it| {
                format!(", of these depths {} to {}", it.start(), depth.min(*it.end()))
            });
            let title = format!(
                "{}: {}, depth {depth}{part}, {} accesses",
                program.name,
                case.sizes(layout),
                graph.node_count()
            );
            let scene = chart::dependences::scene(program, layout, graph, &title);
            let scene = scene.map_err(|error| {
                let path = path.display();
                Failure::input(format_args!(
                    "{path}: {error}; choose smaller sizes (--set), draw a part (--layers 1..12), or write \
                     FILE.dot"
                ))
            });
            let scene = scene?;
            if scene.width() > WIDEST {
                eprintln!(
                    "{}: {} pixels wide, more than a screen shows; draw a part (--layers 1..8)",
                    path.display(),
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
        let (n, chords, weight) = triangulated(layout, &memory, arrays)?;
        put(path, &tree_text(path, n, &chords, weight)?)
    }
}

/// The parse tree of a triangulation as what the file's name says, SVG or DOT.
pub(super) fn tree_text(
    path: &Path,
    n: usize,
    chords: &[Chord],
    weight: impl Display,
) -> Result<String, Failure> {
    let title = format!("Parse tree: n = {n}, total weight {weight}");
    labelled_tree(path, n, chords, &title, &|side, _| format!("v{} v{}", side.a, side.b))
}

/// The same, of a polygon that stands for something else, as `label` says.
pub(super) fn labelled_tree(
    path: &Path,
    n: usize,
    chords: &[Chord],
    title: &str,
    label: Label,
) -> Result<String, Failure> {
    let tree = parse_tree(n, chords).map_err(Failure::input)?;
    if !is(path, "svg") {
        return Ok(dot::parse_tree(&tree, label));
    }
    let scene = chart::parse_tree::scene(&tree, title, label);
    Ok(scene.map_err(|error| undrawable(path, &error))?.svg())
}

/// Refuses to draw a parse tree of `n` vertices, before it is known, if it would be too wide.
pub(super) fn check_tree(path: &Path, n: usize) -> Result<(), Failure> {
    if !is(path, "svg") {
        return Ok(());
    }
    chart::parse_tree::check_width(n - 1).map_err(|error| undrawable(path, &error))
}

fn undrawable(path: &Path, error: &ChartError) -> Failure {
    let path = path.display();
    Failure::input(format_args!("{path}: {error}; choose a smaller n, or write FILE.dot"))
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    files::write(path, |file| file.write_all(text.as_bytes()))
}
