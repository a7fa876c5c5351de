//! The parse tree of a triangulation: root on top, the polygon's edges in turn from left to right.

use petgraph::graph::NodeIndex;
use plotters::style::colors::{BLACK, WHITE};
use plotters::style::text_anchor::HPos;

use super::letters::text_width;
use super::number::grouped;
use super::scene::{Place, Scene};
use super::theme::Theme;
use super::{ChartError, TITLE_SIZE, palette};
use memory_machine_geometry::opt::Chord;
use memory_machine_geometry::opt::parse_tree::{ParseTree, apex};

/// What is written at a side, from the side and the third vertex of the triangle on its far side.
pub type Label<'a> = &'a dyn Fn(Chord, Option<usize>) -> String;

/// What the tree of an order of matrix products is called.
pub fn products_title(matrices: usize, multiplications: u64) -> String {
    format!("Products: {matrices} matrices, {} multiplications", grouped(multiplications))
}

/// What is written at its sides: a matrix, or the product of several.
pub fn product(side: Chord, _: Option<usize>) -> String {
    match side.b - side.a {
        1 => format!("A{}", side.b),
        _ => format!("A{}..{}", side.a + 1, side.b),
    }
}

/// What a search tree is called.
pub fn search_tree_title(keys: usize, cost: f64) -> String {
    format!("Search tree: {keys} keys, cost {cost}")
}

/// What is written at its sides: the key at the root of a subtree, or an empty leaf.
pub fn key_or_leaf(side: Chord, key: Option<usize>) -> String {
    key.map_or_else(|| format!("d{}", side.a), |key| format!("k{key}"))
}

/// Pixels.
const MARGIN: f64 = 40.0;
const TITLE_HEIGHT: f64 = 56.0;
const COLUMN: f64 = 76.0;
const ROW: f64 = 72.0;
const BOX: (f64, f64) = (32.0, 15.0);
const SIZE: f64 = 17.0;
const LEAST_WIDTH: f64 = 420.0;
/// A wider or deeper tree is no picture any more.
const WIDEST: usize = 150;

/// The picture: chords in blue, the root in orange, edges of the polygon in white; `label` writes
/// at most some nine characters.
///
/// # Errors
/// [`ChartError::TooWide`] for more than 150 leaves.
pub fn scene(tree: &ParseTree, title: &str, label: Label) -> Result<Scene, ChartError> {
    let leaves = tree.node_count().div_ceil(2);
    check_width(leaves)?;
    let places = places(tree);
    let deepest = places.iter().map(|it| it.1).fold(0.0, f64::max);
    let title_width = text_width(title, TITLE_SIZE) + MARGIN;
    let width = (2.0 * MARGIN + COLUMN * leaves as f64).max(LEAST_WIDTH).max(title_width);
    let size = (width.ceil() as u32, (deepest + ROW).ceil() as u32);
    let mut scene = Scene::new(size, Theme::Light);
    draw(&mut scene, tree, &places, title, label);
    Ok(scene)
}

/// Whether a tree of this many leaves is a picture.
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
fn places(tree: &ParseTree) -> Vec<Place> {
    let mut places = vec![(0.0, TITLE_HEIGHT + ROW / 4.0); tree.node_count()];
    // Parents come before their children in the numbering.
    for node in tree.node_indices() {
        for child in tree.neighbors(node) {
            places[child.index()].1 = places[node.index()].1 + ROW;
        }
    }
    for node in tree.node_indices().rev() {
        let children: Vec<NodeIndex> = tree.neighbors(node).collect();
        places[node.index()].0 = if children.is_empty() {
            MARGIN + COLUMN * (tree[node].a as f64 + 0.5)
        } else {
            children.iter().map(|it| places[it.index()].0).sum::<f64>() / children.len() as f64
        };
    }
    places
}

fn draw(scene: &mut Scene, tree: &ParseTree, places: &[Place], title: &str, label: Label) {
    let leaves = tree.node_count().div_ceil(2);
    scene.describe(title, &format!("A binary tree of {leaves} leaves, its root on top"));
    let middle = scene.width() / 2.0;
    scene.text(title, (middle, TITLE_HEIGHT / 2.0), TITLE_SIZE, BLACK, HPos::Center);
    for edge in tree.raw_edges() {
        let ends = [edge.source(), edge.target()].map(|it| places[it.index()]);
        scene.line(ends.to_vec(), BLACK, 2.0);
    }
    let root_node = NodeIndex::new(0);
    for node in tree.node_indices() {
        let ((x, y), side) = (places[node.index()], tree[node]);
        let (fill, ink) = match (node == root_node, side.b == side.a + 1) {
            (true, _) => (palette::ORANGE, BLACK),
            (_, true) => (WHITE, BLACK),
            _ => (palette::BLUE, WHITE),
        };
        let (left, right, top, bottom) = (x - BOX.0, x + BOX.0, y - BOX.1, y + BOX.1);
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom)];
        scene.area(corners.clone(), fill);
        scene.outline(corners, BLACK, 1.0);
        scene.text(&label(side, apex(tree, node)), (x, y), SIZE, ink, HPos::Center);
    }
}
