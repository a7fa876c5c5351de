//! A dependence graph, layer by layer: a column holds the accesses of one depth.

use std::collections::HashSet;
use std::error::Error;

use petgraph::Direction::Incoming;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::scene::text_width;
use super::{ChartError, LABEL_SIZE, TITLE_SIZE, palette, picture};
use crate::language::program::Program;
use crate::run::layout::Layout;
use crate::theory::graph::{Dependences, critical_path, label};
use crate::trace::Space;

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

/// Pixels.
const MARGIN: i32 = 32;
const HEAD: i32 = 112;
const GAP: i32 = 76;
const ROW: i32 = 30;
const HEIGHT: i32 = 22;
const SIZE: f64 = 14.0;
const CHARACTER: f64 = 0.6;
/// More nodes than this cannot be read.
const MOST: usize = 1500;

/// The picture as SVG: an access is coloured by its phase, pale if it is one to shared memory, and
/// stands in the column of its depth; lines lead from what is needed, on the left, to what needs it; the critical path is bold.
///
/// # Errors
/// [`ChartError::TooMany`] for more than 1500 accesses.
pub fn svg(
    program: &Program,
    layout: &Layout,
    graph: &Dependences,
    title: &str,
) -> Result<String, ChartError> {
    let nodes = graph.node_count();
    if nodes > MOST {
        return Err(ChartError::TooMany { nodes, most: MOST });
    }
    let mut page = Page::new(program, layout, graph);
    let title_width = (text_width(title, TITLE_SIZE).ceil() as i32 + 2 * MARGIN).cast_unsigned();
    page.size.0 = page.size.0.max(title_width);
    picture(page.size, |root| page.draw(root, title))
}

/// A third of a colour on white.
fn pale(RGBColor(r, g, b): RGBColor) -> RGBColor {
    let [r, g, b] = [r, g, b].map(|it| 255 - (255 - it) / 3);
    RGBColor(r, g, b)
}

struct Page<'a> {
    program: &'a Program,
    graph: &'a Dependences,
    labels: Vec<String>,
    /// Left end and middle of each node's box.
    places: Vec<(i32, i32)>,
    width: i32,
    columns: usize,
    size: (u32, u32),
}

impl<'a> Page<'a> {
    fn new(program: &'a Program, layout: &Layout, graph: &'a Dependences) -> Self {
        let labels: Vec<String> =
            graph.node_weights().map(|node| label(program, layout, node)).collect();
        let widest = labels.iter().map(|it| it.chars().count()).max().unwrap_or(0);
        let width = (widest as f64 * SIZE * CHARACTER) as i32 + 10;
        let mut columns: Vec<Vec<NodeIndex>> = vec![];
        for node in graph.node_indices() {
            let column = graph[node].depth as usize - 1;
            columns.resize((column + 1).max(columns.len()), vec![]);
            columns[column].push(node);
        }
        let tallest = columns.iter().map(Vec::len).max().unwrap_or(0) as i32;
        let mut places = vec![(0, 0); graph.node_count()];
        for (column, nodes) in columns.iter_mut().enumerate() {
            // Near the middle of what each needs; in order of execution where that is equal.
            let wanted = |node: NodeIndex| -> i32 {
                let needed = graph.edges_directed(node, Incoming).map(|edge| edge.source());
                let heights: Vec<i32> = needed.map(|it| places[it.index()].1).collect();
                heights.iter().sum::<i32>() / heights.len().max(1) as i32
            };
            nodes.sort_by_key(|&node| (wanted(node), node));
            let top = HEAD + ROW * (tallest - nodes.len() as i32) / 2;
            for (row, node) in (0..).zip(nodes) {
                let x = MARGIN + (width + GAP) * column as i32;
                places[node.index()] = (x, top + ROW * row + ROW / 2);
            }
        }
        let across = MARGIN * 2 + (width + GAP) * columns.len() as i32 - GAP;
        let size =
            (across.max(760).cast_unsigned(), (HEAD + ROW * tallest + MARGIN).cast_unsigned());
        Self { program, graph, labels, places, width, columns: columns.len(), size }
    }

    fn draw<'b>(
        &self,
        root: &DrawingArea<SVGBackend<'b>, Shift>,
        title: &str,
    ) -> Result<(), Box<dyn Error + 'b>> {
        let left = Pos::new(HPos::Left, VPos::Center);
        let centred = Pos::new(HPos::Center, VPos::Center);
        let font = |size: f64, ink: &RGBColor| ("sans-serif", size).into_font().color(ink);
        root.draw(&Text::new(title, (MARGIN, 28), font(TITLE_SIZE, &BLACK).pos(left)))?;
        let mut x = MARGIN;
        for (name, (fill, _)) in self.program.phases.iter().zip(COLOURS.iter().cycle()) {
            root.draw(&Rectangle::new([(x, 52), (x + 18, 70)], fill.filled()))?;
            root.draw(&Text::new(name.as_str(), (x + 26, 61), font(LABEL_SIZE, &BLACK).pos(left)))?;
            x += 50 + (name.chars().count() as f64 * LABEL_SIZE * CHARACTER) as i32;
        }
        for column in 0..self.columns {
            let x = MARGIN + (self.width + GAP) * column as i32 + self.width / 2;
            let text = (column + 1).to_string();
            root.draw(&Text::new(text, (x, HEAD - 16), font(LABEL_SIZE, &BLACK).pos(centred)))?;
        }
        if self.program.first_loop_on_dmms().is_some() {
            let text = "pale: shared memory";
            root.draw(&Text::new(text, (x, 61), font(LABEL_SIZE, &BLACK).pos(left)))?;
        }
        let path = critical_path(self.graph);
        let on_path: HashSet<NodeIndex> = path.iter().copied().collect();
        let ends = |from: NodeIndex, to: NodeIndex| {
            let ((x, y), to) = (self.places[from.index()], self.places[to.index()]);
            [(x + self.width, y), to]
        };
        for edge in self.graph.edge_references() {
            let style = BLACK.mix(0.25).stroke_width(1);
            root.draw(&PathElement::new(ends(edge.source(), edge.target()), style))?;
        }
        for pair in path.windows(2) {
            root.draw(&PathElement::new(ends(pair[0], pair[1]), BLACK.stroke_width(4)))?;
        }
        for node in self.graph.node_indices() {
            let (x, y) = self.places[node.index()];
            let phase = self.program.sites[self.graph[node].site.0].phase.0 as usize;
            let (fill, ink) = COLOURS[phase % COLOURS.len()];
            let is_pale = self.graph[node].space(self.program) == Space::Shared;
            let (fill, ink) = if is_pale { (pale(fill), BLACK) } else { (fill, ink) };
            let corners = [(x, y - HEIGHT / 2), (x + self.width, y + HEIGHT / 2)];
            root.draw(&Rectangle::new(corners, fill.filled()))?;
            let border = if on_path.contains(&node) { 4 } else { 1 };
            let [(left, top), (right, bottom)] = corners;
            // Past the first side again, so that no corner is left open.
            let around = [(left, top), (right, top), (right, bottom), (left, bottom)];
            let around = around.iter().chain(&around[..2]).copied().collect::<Vec<_>>();
            root.draw(&PathElement::new(around, BLACK.stroke_width(border)))?;
            let text = self.labels[node.index()].as_str();
            let place = (x + self.width / 2, y);
            root.draw(&Text::new(text, place, font(SIZE, &ink).pos(centred)))?;
        }
        Ok(())
    }
}
