//! Pictures, as SVG text; the caller writes the files.

mod access;
mod cells;
mod compare;
mod curves;
pub mod dependences;
pub mod dot;
mod heat;
pub mod measured;
mod number;
mod occupancy;
pub mod parse_tree;
pub mod pipeline;
mod plane;
pub mod points;
mod quantity;
mod regime;
mod rows;
mod scale;
mod scene;
mod shares;
mod theme;
mod trails;
pub mod triangulation;

pub use self::access::access;
pub use self::cells::{Grid, cells};
pub use self::compare::{Style, curves};
pub use self::heat::heat;
pub use self::number::{bandwidth, bytes, per_second, seconds};
pub use self::occupancy::occupancy;
pub use self::quantity::Quantity;
pub use self::regime::regime;
pub use self::rows::{Column, Row};
pub use self::scene::Scene;
pub use self::shares::phases;
pub use self::theme::Theme;

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

use thiserror::Error;

use crate::diagnostic::visible;

/// A picture that cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChartError {
    /// A chord to a vertex that the polygon does not have.
    #[error("chord {a}–{b} does not fit {n} vertices; draw chords with the polygon they belong to")]
    Chord {
        /// The lower end of the chord, from 0.
        a: usize,
        /// Its higher end.
        b: usize,
        /// Vertices of the polygon.
        n: usize,
    },
    /// Nothing to be triangulated.
    #[error("{n} vertices are no polygon; draw at least three")]
    TooFew {
        /// As many as were given.
        n: usize,
    },
    /// Nothing to be drawn.
    #[error("there are no points; draw at least one")]
    NoPoints,
    /// A line to a point that is not there.
    #[error("point {index} does not fit {n} points; draw lines with the points they belong to")]
    Point {
        /// The end of the line, from 0.
        index: u32,
        /// As many as were given.
        n: usize,
    },
    /// More time units or vertices than can be shown side by side.
    #[error("the picture would be {width} columns wide; {widest} are the most")]
    TooWide {
        /// Columns that were asked for.
        width: usize,
        /// The most columns of such a picture.
        widest: usize,
    },
    /// A graph too large to be read.
    #[error("the picture would hold {nodes} nodes; {most} are the most that can be read")]
    TooMany {
        /// Nodes that were asked for.
        nodes: usize,
        /// The most nodes of such a picture.
        most: usize,
    },
    /// The rows do not hold what the picture shows.
    #[error("{0}")]
    Data(String),
    /// The backend failed: fonts or encoding.
    #[error("cannot draw the picture: {0}")]
    Drawing(String),
}

/// Okabe and Ito's palette, which colour-blind readers tell apart.
mod palette {
    use plotters::style::RGBColor;

    pub(super) const BLACK: RGBColor = RGBColor(0, 0, 0);
    pub(super) const ORANGE: RGBColor = RGBColor(230, 159, 0);
    pub(super) const SKY_BLUE: RGBColor = RGBColor(86, 180, 233);
    pub(super) const GREEN: RGBColor = RGBColor(0, 158, 115);
    pub(super) const YELLOW: RGBColor = RGBColor(240, 228, 66);
    pub(super) const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub(super) const VERMILLION: RGBColor = RGBColor(213, 94, 0);
    pub(super) const PURPLE: RGBColor = RGBColor(204, 121, 167);
}

/// Pixels.
const TITLE_SIZE: f64 = 24.0;
const LABEL_SIZE: f64 = 18.0;

/// The SVG text of what `draw` draws on a white page of `size` pixels. Text is [`visible`] in it:
/// control characters would make it no XML.
fn picture(
    size: (u32, u32),
    draw: impl for<'a> FnOnce(&DrawingArea<SVGBackend<'a>, Shift>) -> Result<(), Box<dyn Error + 'a>>,
) -> Result<String, ChartError> {
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = (|| {
        root.fill(&WHITE)?;
        draw(&root)?;
        Ok(root.present()?)
    })();
    drawn.map_err(|error: Box<dyn Error + '_>| ChartError::Drawing(error.to_string()))?;
    drop(root);
    Ok(visible(&text).into_owned())
}
