//! The parse tree of a triangulation: root on top, the polygon's edges in turn from left to right.

use std::error::Error;

use petgraph::graph::NodeIndex;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::scene::text_width;
use super::{ChartError, TITLE_SIZE, palette, picture};
use crate::algorithms::opt::Chord;
use crate::algorithms::opt::parse_tree::{ParseTree, apex};

/// What is written at a side, from the side and the third vertex of the triangle on its far side.
pub type Label<'a> = &'a dyn Fn(Chord, Option<usize>) -> String;

/// Pixels.
const MARGIN: i32 = 40;
const TITLE_HEIGHT: i32 = 56;
const COLUMN: i32 = 76;
const ROW: i32 = 72;
const BOX: (i32, i32) = (32, 15);
const SIZE: f64 = 15.0;
const LEAST_WIDTH: i32 = 420;
/// A wider or deeper tree is no picture any more.
const WIDEST: usize = 150;

/// The picture as SVG: chords in blue, the root in orange, edges of the polygon in white; `label`
/// writes at most some nine characters.
///
/// # Errors
/// [`ChartError::TooWide`] for more than 150 leaves.
pub fn svg(tree: &ParseTree, title: &str, label: Label) -> Result<String, ChartError> {
    let leaves = tree.node_count().div_ceil(2);
    check_width(leaves)?;
    let places = places(tree);
    let deepest = places.iter().map(|&(_, y)| y).max().unwrap_or(0);
    let title_width = text_width(title, TITLE_SIZE).ceil() as i32 + MARGIN;
    let width = (2 * MARGIN + COLUMN * leaves as i32).max(LEAST_WIDTH).max(title_width);
    let size = (width.cast_unsigned(), (deepest + ROW).cast_unsigned());
    picture(size, |root| draw(root, tree, &places, title, label))
}

/// Whether a tree of so many leaves is a picture.
///
/// # Errors
/// [`ChartError::TooWide`] for more than 150.
pub fn check_width(leaves: usize) -> Result<(), ChartError> {
    if leaves > WIDEST {
        return Err(ChartError::TooWide { width: leaves, widest: WIDEST });
    }
    Ok(())
}

/// The middle of each node: leaves side by side, a parent above the middle of its children.
fn places(tree: &ParseTree) -> Vec<(i32, i32)> {
    let mut places = vec![(0, 0); tree.node_count()];
    // Parents come before their children in the numbering.
    for node in tree.node_indices() {
        for child in tree.neighbors(node) {
            places[child.index()].1 = places[node.index()].1 + ROW;
        }
    }
    for node in tree.node_indices().rev() {
        let children: Vec<NodeIndex> = tree.neighbors(node).collect();
        places[node.index()].0 = if children.is_empty() {
            MARGIN + COLUMN / 2 + COLUMN * tree[node].a as i32
        } else {
            children.iter().map(|it| places[it.index()].0).sum::<i32>() / children.len() as i32
        };
    }
    for place in &mut places {
        place.1 += TITLE_HEIGHT + ROW / 2;
    }
    places.iter().map(|&(x, y)| (x, y - ROW / 4)).collect()
}

fn draw<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    tree: &ParseTree,
    places: &[(i32, i32)],
    title: &str,
    label: Label,
) -> Result<(), Box<dyn Error + 'a>> {
    let centred = Pos::new(HPos::Center, VPos::Center);
    let middle = (root.dim_in_pixel().0 / 2).cast_signed();
    let font = ("sans-serif", TITLE_SIZE).into_font().color(&BLACK).pos(centred);
    root.draw(&Text::new(title, (middle, TITLE_HEIGHT / 2), font))?;
    for edge in tree.raw_edges() {
        let ends = [edge.source(), edge.target()].map(|it| places[it.index()]);
        root.draw(&PathElement::new(ends, BLACK.stroke_width(2)))?;
    }
    let root_node = NodeIndex::new(0);
    for node in tree.node_indices() {
        let ((x, y), side) = (places[node.index()], tree[node]);
        let (fill, ink) = match (node == root_node, side.b == side.a + 1) {
            (true, _) => (palette::ORANGE, &BLACK),
            (_, true) => (WHITE, &BLACK),
            _ => (palette::BLUE, &WHITE),
        };
        let corners = [(x - BOX.0, y - BOX.1), (x + BOX.0, y + BOX.1)];
        root.draw(&Rectangle::new(corners, fill.filled()))?;
        root.draw(&Rectangle::new(corners, BLACK.stroke_width(1)))?;
        let font = ("sans-serif", SIZE).into_font().color(ink).pos(centred);
        root.draw(&Text::new(label(side, apex(tree, node)), (x, y), font))?;
    }
    Ok(())
}
