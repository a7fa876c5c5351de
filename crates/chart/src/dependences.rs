//! A dependence graph, layer by layer: a column holds the accesses of one depth.

use std::collections::HashSet;

use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use plotters::style::RGBColor;
use plotters::style::colors::{BLACK, WHITE};
use plotters::style::text_anchor::HPos;

use super::letters::text_width;
use super::scene::{Place, Scene};
use super::theme::Theme;
use super::{ChartError, LABEL_SIZE, TITLE_SIZE, palette};
use memory_machine_core::language::program::Program;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::trace::Space;
use memory_machine_theory::graph::{Dependences, critical_path, label};

/// By phase, in turn, with the ink that can be read on it.
const COLOURS: [(RGBColor, RGBColor); 7] = [
    (palette::SKY_BLUE, BLACK),
    (palette::ORANGE, BLACK),
    (palette::GREEN, BLACK),
    (palette::YELLOW, BLACK),
    (palette::PURPLE, BLACK),
    (palette::VERMILLION, BLACK),
    (palette::BLUE, WHITE),
];

/// Lines that are not on the critical path.
const FAINT: RGBColor = RGBColor(191, 191, 191);

/// Pixels.
const MARGIN: f64 = 32.0;
const HEAD: f64 = 112.0;
const GAP: f64 = 76.0;
const ROW: f64 = 30.0;
const HEIGHT: f64 = 22.0;
const SIZE: f64 = 14.0;
const CHARACTER: f64 = 0.6;
/// More nodes than this cannot be read.
const MOST: usize = 1500;

/// The picture: an access is coloured by its phase, pale if it is one to shared memory, and
/// stands in the column of its depth; lines lead from what is needed, on the left, to what needs it;
/// the critical path is bold.
///
/// # Errors
/// [`ChartError::TooMany`] for more than 1500 accesses.
pub fn scene(
    program: &Program,
    layout: &Layout,
    graph: &Dependences,
    title: &str,
) -> Result<Scene, ChartError> {
    let nodes = graph.node_count();
    if nodes > MOST {
        return Err(ChartError::TooMany { nodes, most: MOST });
    }
    let page = GraphPage::new(program, layout, graph);
    let width = page.size.0.max(text_width(title, TITLE_SIZE) + 2.0 * MARGIN);
    let mut scene = Scene::new((width.ceil() as u32, page.size.1.ceil() as u32), Theme::Light);
    page.draw(&mut scene, title);
    Ok(scene)
}

/// A third of a colour on white.
fn pale(RGBColor(r, g, b): RGBColor) -> RGBColor {
    let [r, g, b] = [r, g, b].map(|it| 255 - (255 - it) / 3);
    RGBColor(r, g, b)
}

struct GraphPage<'a> {
    program: &'a Program,
    graph: &'a Dependences,
    labels: Vec<String>,
    /// Left end and middle of each node's box.
    places: Vec<Place>,
    width: f64,
    columns: usize,
    /// The least depth.
    first: u64,
    size: (f64, f64),
}

impl<'a> GraphPage<'a> {
    fn new(program: &'a Program, layout: &Layout, graph: &'a Dependences) -> Self {
        let labels: Vec<String> =
            graph.node_weights().map(|node| label(program, layout, node)).collect();
        let widest = labels.iter().map(|it| it.chars().count()).max().unwrap_or(0);
        let width = widest as f64 * SIZE * CHARACTER + 10.0;
        let first = graph.node_weights().map(|it| it.depth).min().unwrap_or(1);
        let mut columns: Vec<Vec<NodeIndex>> = vec![];
        for node in graph.node_indices() {
            let column = (graph[node].depth - first) as usize;
            columns.resize((column + 1).max(columns.len()), vec![]);
            columns[column].push(node);
        }
        let tallest = columns.iter().map(Vec::len).max().unwrap_or(0) as f64;
        let mut places = vec![(0.0, 0.0); graph.node_count()];
        for (column, nodes) in columns.iter_mut().enumerate() {
            // Near the middle of what each needs; in order of execution where that is equal.
            let wanted = |node: NodeIndex| {
                let needed = graph.edges_directed(node, Incoming).map(|edge| edge.source());
                let heights: Vec<f64> = needed.map(|it| places[it.index()].1).collect();
                heights.iter().sum::<f64>() / heights.len().max(1) as f64
            };
            nodes.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)).then(a.cmp(&b)));
            let top = HEAD + ROW * (tallest - nodes.len() as f64) / 2.0;
            for (row, node) in nodes.iter().enumerate() {
                let x = MARGIN + (width + GAP) * column as f64;
                places[node.index()] = (x, top + ROW * (row as f64 + 0.5));
            }
        }
        let across = MARGIN * 2.0 + (width + GAP) * columns.len() as f64 - GAP;
        let size = (across.max(760.0), HEAD + ROW * tallest + MARGIN);
        Self { program, graph, labels, places, width, columns: columns.len(), first, size }
    }

    fn draw(&self, scene: &mut Scene, title: &str) {
        let path = critical_path(self.graph);
        let chain: Vec<&str> = path.iter().map(|it| &self.labels[it.index()][..]).collect();
        scene.describe(title, &format!("The longest chain: {}", chain.join(", ")));
        scene.text(title, (MARGIN, 28.0), TITLE_SIZE, BLACK, HPos::Left);
        let mut x = MARGIN;
        for (name, (fill, _)) in self.program.phases.iter().zip(COLOURS.iter().cycle()) {
            scene.rectangle((x, 52.0), (x + 18.0, 70.0), *fill);
            scene.text(name, (x + 26.0, 61.0), LABEL_SIZE, BLACK, HPos::Left);
            x += 50.0 + name.chars().count() as f64 * LABEL_SIZE * CHARACTER;
        }
        for column in 0..self.columns {
            let x = MARGIN + (self.width + GAP) * column as f64 + self.width / 2.0;
            let place = (x, HEAD - 16.0);
            scene.text(
                &(column as u64 + self.first).to_string(),
                place,
                LABEL_SIZE,
                BLACK,
                HPos::Center,
            );
        }
        if self.program.first_loop_on_dmms().is_some() {
            scene.text("pale: shared memory", (x, 61.0), LABEL_SIZE, BLACK, HPos::Left);
        }
        let on_path: HashSet<NodeIndex> = path.iter().copied().collect();
        let ends = |from: NodeIndex, to: NodeIndex| {
            let ((x, y), to) = (self.places[from.index()], self.places[to.index()]);
            vec![(x + self.width, y), to]
        };
        for edge in self.graph.edge_references() {
            scene.line(ends(edge.source(), edge.target()), FAINT, 1.0);
        }
        for pair in path.windows(2) {
            scene.line(ends(pair[0], pair[1]), BLACK, 4.0);
        }
        for node in self.graph.node_indices() {
            let (x, y) = self.places[node.index()];
            let phase = self.program.sites[self.graph[node].site.0].phase.0 as usize;
            let (fill, ink) = COLOURS[phase % COLOURS.len()];
            let is_pale = self.graph[node].space(self.program) == Space::Shared;
            let (fill, ink) = if is_pale { (pale(fill), BLACK) } else { (fill, ink) };
            let (top, bottom) = (y - HEIGHT / 2.0, y + HEIGHT / 2.0);
            let corners = [(x, top), (x + self.width, top), (x + self.width, bottom), (x, bottom)];
            scene.area(corners.to_vec(), fill);
            let border = if on_path.contains(&node) { 4.0 } else { 1.0 };
            scene.outline(corners.to_vec(), BLACK, border);
            let place = (x + self.width / 2.0, y);
            scene.text(&self.labels[node.index()], place, SIZE, ink, HPos::Center);
        }
    }
}
