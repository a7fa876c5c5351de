//! Pictures, as SVG text; the caller writes the files.

mod access;
mod bitmap;
mod cells;
mod compare;
mod counters;
mod courses;
mod curves;
mod decimation;
pub mod dependences;
pub mod dot;
#[cfg(test)]
mod gallery_audit;
mod heat;
mod inks;
mod label_layout;
mod letters;
pub mod measurement;
mod number;
mod occupancy;
pub mod pages;
pub mod parse_tree;
mod peers;
pub mod pipeline;
mod plane;
pub mod points;
mod quantity;
mod ratios;
mod regime;
pub mod report;
mod rows;
mod scale;
mod scene;
mod shares;
mod slides;
mod svg;
mod table;
mod theme;
mod trails;
pub mod triangulation;
mod warp_accesses;

pub use self::access::access;
pub use self::cells::{ArrayCells, cells};
pub use self::compare::{ChartStyle, curves};
pub use self::counters::{CounterPair, counters};
pub use self::courses::{RooflinePhase, relations, roofline};
pub use self::heat::heat;
pub use self::inks::Inks;
pub use self::number::{bandwidth, bytes, count, grouped, per_second, plain, seconds};
pub use self::occupancy::occupancy;
pub use self::peers::{Peer, peers};
pub use self::quantity::Quantity;
pub use self::regime::regime;
pub use self::rows::{Column, SampleRow};
pub use self::scene::Scene;
pub use self::shares::phases;
pub use self::slides::slides;
pub use self::table::samples;
pub use self::theme::{Canvas, Theme};
pub use self::warp_accesses::{AccessPanel, WarpAccesses, warp_accesses};

use thiserror::Error;

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

    pub(crate) const BLACK: RGBColor = RGBColor(0, 0, 0);
    pub(crate) const ORANGE: RGBColor = RGBColor(230, 159, 0);
    pub(crate) const SKY_BLUE: RGBColor = RGBColor(86, 180, 233);
    pub(crate) const GREEN: RGBColor = RGBColor(0, 158, 115);
    pub(crate) const YELLOW: RGBColor = RGBColor(240, 228, 66);
    pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub(crate) const VERMILLION: RGBColor = RGBColor(213, 94, 0);
    pub(crate) const PURPLE: RGBColor = RGBColor(204, 121, 167);
}

/// Pixels.
const TITLE_SIZE: f64 = 24.0;
const LABEL_SIZE: f64 = 18.0;
