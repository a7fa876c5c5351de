//! Pictures, as SVG text; the caller writes the files.

pub mod triangulation;

use thiserror::Error;

/// A picture that cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChartError {
    #[error("chord {a}–{b} does not fit {n} vertices; draw chords with the polygon they belong to")]
    Chord { a: usize, b: usize, n: usize },
    #[error("{n} vertices are no polygon; draw at least three")]
    TooFew { n: usize },
    #[error("cannot draw the picture: {0}")]
    Drawing(String),
}
