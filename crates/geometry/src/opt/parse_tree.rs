//! The parse tree of a triangulation (Nakano 2013, Section III): its root is edge `v_0 v_{n−1}`, its
//! leaves are the other edges, and each chord or root has as children the two other sides of the
//! triangle on its far side.

use petgraph::graph::{DiGraph, NodeIndex};
use thiserror::Error;

use super::Chord;

/// An edge from each side to its left child, then to its right child.
pub type ParseTree = DiGraph<Chord, ()>;

/// Chords that are no triangulation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseTreeError {
    /// There is no polygon.
    #[error("{n} vertices are no polygon; a parse tree needs at least three")]
    TooFew {
        /// Vertices.
        n: usize,
    },
    /// A triangulation has n − 3 chords.
    #[error("{chords} chords do not triangulate {n} vertices; give {} that do not cross", n - 3)]
    Count {
        /// As many as were given.
        chords: usize,
        /// Vertices.
        n: usize,
    },
    /// Chords that do not close a triangle on one of them.
    #[error("no triangle lies on chord {a}–{b}: the chords cross or leave the polygon")]
    NoTriangle {
        /// The lower end of the chord.
        a: usize,
        /// Its upper end.
        b: usize,
    },
}

/// The parse tree of a triangulation of `n` vertices, root first; `2n − 3` nodes.
///
/// `O(n log n)` time and no recursion, however deep the tree is.
///
/// # Errors
/// [`ParseTreeError`] if `chords` are no triangulation.
pub fn parse_tree(n: usize, chords: &[Chord]) -> Result<ParseTree, ParseTreeError> {
    if n < 3 {
        return Err(ParseTreeError::TooFew { n });
    }
    if chords.len() != n - 3 {
        return Err(ParseTreeError::Count { chords: chords.len(), n });
    }
    let mut sorted = chords.to_vec();
    sorted.sort_unstable();
    let is_side = |a: usize, b: usize| b == a + 1 || sorted.binary_search(&Chord { a, b }).is_ok();
    let mut tree = ParseTree::with_capacity(2 * n - 3, 2 * n - 4);
    let mut pending: Vec<NodeIndex> = vec![tree.add_node(Chord { a: 0, b: n - 1 })];
    while let Some(parent) = pending.pop() {
        let Chord { a, b } = tree[parent];
        if b == a + 1 {
            continue;
        }
        // The longest side from v_a that ends before v_b.
        let longer = sorted.partition_point(|it| *it < Chord { a, b });
        let before = longer.checked_sub(1).map(|index| sorted[index]).filter(|it| it.a == a);
        let apex = before.map_or(a + 1, |it| it.b);
        // A triangulation has 2n − 3 sides: with more, a chord was met twice.
        if !is_side(apex, b) || tree.node_count() + 2 > 2 * n - 3 {
            return Err(ParseTreeError::NoTriangle { a, b });
        }
        let [left, right] =
            [Chord { a, b: apex }, Chord { a: apex, b }].map(|side| tree.add_node(side));
        // Edges are listed latest first.
        tree.add_edge(parent, right, ());
        tree.add_edge(parent, left, ());
        pending.extend([right, left]);
    }
    Ok(tree)
}

/// The third vertex of the triangle on a side's far side; none for a leaf.
pub fn apex(tree: &ParseTree, node: NodeIndex) -> Option<usize> {
    tree.neighbors(node).next().map(|left| tree[left].b)
}
