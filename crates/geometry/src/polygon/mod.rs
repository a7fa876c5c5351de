//! Simple polygons, convex or not, and the weights of their chords.
//!
//! A *flat* vertex, at which the boundary goes straight on, is a vertex like any other. A chord
//! must lie inside the polygon and touch its boundary only at its two ends; so a line through a
//! flat vertex, or along an edge, is no chord and weighs +∞. With this rule every simple polygon
//! still has a triangulation of finite weight: an extreme vertex `v` with neighbours `u` and `w`
//! either can be cut off by `u w`, or sees the vertex of triangle `u v w` farthest from `u w`.
//!
//! All predicates are exact (Shewchuk's adaptive arithmetic, crate `robust`).
//!
//! ```
//! use memory_machine_geometry::opt::{reference, triangulation};
//! use memory_machine_geometry::polygon::{Point, Polygon, chords};
//!
//! // An arrow head: v_3 is the dent, and chord v_0 v_2 would run outside.
//! let corners = [(0.0, 0.0), (2.0, 3.0), (4.0, 0.0), (2.0, 1.0)];
//! let arrow = Polygon::new(corners.map(|(x, y)| Point { x, y }).to_vec())?;
//! let c = chords::weights::<f32>(&arrow)?;
//! assert_eq!(c.get(0, 2), f32::INFINITY);
//! assert_eq!(c.get(1, 3), 2.0);
//! let m = reference::table(c.n(), c.as_slice());
//! let chords = triangulation::recover(arrow.n(), &m, c.as_slice())?;
//! assert_eq!((chords[0].a, chords[0].b), (1, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod chords;
mod definition;
mod ears;
#[doc(hidden)]
pub mod faults;
pub mod random;
mod read;
pub mod region;
mod simple;

pub use faults::{MOST_LISTED, RingEdge, RingFault};
pub use read::{PolygonReadError, only, read};

use thiserror::Error;

pub use super::points::Point;
use crate::points::{lexicographic, orientation};

/// A simple polygon: at least three distinct vertices, and no two edges meet but neighbours in
/// their common vertex. Vertices keep the order of the input, clockwise or counter-clockwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    vertices: Vec<Point>,
    is_geographic: bool,
}

/// Why a ring of vertices, numbered from 0, is no simple polygon. Edge `i` runs from vertex `i` to
/// the next one.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PolygonFlaw {
    /// Fewer than three vertices.
    #[error("{n} distinct vertices, but a polygon has at least three; add vertices")]
    TooFew {
        /// Distinct vertices.
        n: usize,
    },
    /// A coordinate that is infinite or no number.
    #[error("vertex {vertex} has coordinate {value}; write a finite number")]
    NotFinite {
        /// Its number, from 0.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// A magnitude for which predicates would not be exact.
    #[error(
        "vertex {vertex} has coordinate {value:e}, outside 1e-120 … 1e30, where lengths and exact \
         predicates are safe; rescale the polygon"
    )]
    OutOfRange {
        /// Its number, from 0.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// Two vertices at one place.
    #[error("vertices {first} and {second} are the same point; remove one of them")]
    Repeated {
        /// The number of one of them.
        first: usize,
        /// The number of the other.
        second: usize,
    },
    /// All vertices are on one line.
    #[error("all vertices lie on one line, so the area is zero; add a vertex off the line")]
    NoArea,
    /// Two edges that have more in common than an end of neighbours.
    #[error(
        "edges {first} (from vertex {first}) and {second} (from vertex {second}) meet; \
         list the vertices in order along the boundary"
    )]
    Crossing {
        /// The number of one edge.
        first: usize,
        /// The number of the other.
        second: usize,
    },
}

impl Polygon {
    /// Checks that `vertices` form a simple polygon. A last vertex equal to the first is dropped.
    ///
    /// `O(n log n)` for boundaries whose edges are short against the whole; `O(n²)` at worst.
    ///
    /// # Errors
    /// [`PolygonFlaw`] names the vertices or edges at fault.
    pub fn new(mut vertices: Vec<Point>) -> Result<Self, PolygonFlaw> {
        if vertices.len() > 1 && vertices.first() == vertices.last() {
            vertices.pop();
        }
        simple::check(&vertices)?;
        Ok(Self { vertices, is_geographic: false })
    }

    /// The same, of degrees of longitude and latitude, as GeoJSON has them (RFC 7946, section 4), unless
    /// a coordinate is none: those of older files may be metres.
    #[must_use]
    pub fn geographic(self) -> Self {
        let is_degrees = |it: &Point| it.x.abs() <= 360.0 && it.y.abs() <= 90.0;
        let is_geographic = self.vertices.iter().all(is_degrees);
        Self { is_geographic, ..self }
    }

    /// Whether coordinates, and so lengths, are in degrees.
    pub const fn is_geographic(&self) -> bool {
        self.is_geographic
    }

    /// Number of vertices, at least 3.
    pub const fn n(&self) -> usize {
        self.vertices.len()
    }

    /// The vertices `v_0 … v_{n−1}`.
    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Whether the vertices run counter-clockwise (`y` upwards). `O(n)` time, exact.
    pub fn is_counter_clockwise(&self) -> bool {
        let vertices = &self.vertices;
        // The lowest of the leftmost vertices is a strictly convex corner, so its turn tells.
        let corner =
            (0..self.n()).min_by(|&i, &j| lexicographic(vertices[i], vertices[j])).unwrap_or(0);
        let next = vertices[(corner + 1) % self.n()];
        let previous = vertices[(corner + self.n() - 1) % self.n()];
        orientation(previous, vertices[corner], next) > 0.0
    }

    /// Whether the boundary turns the same way at every vertex, and goes straight on at none.
    /// `O(n)` time, exact.
    pub fn is_strictly_convex(&self) -> bool {
        let (v, n) = (&self.vertices, self.n());
        let left = self.is_counter_clockwise();
        (0..n).all(|i| {
            let turn = orientation(v[i], v[(i + 1) % n], v[(i + 2) % n]);
            if left { turn > 0.0 } else { turn < 0.0 }
        })
    }
}
