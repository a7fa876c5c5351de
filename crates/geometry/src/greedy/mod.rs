//! The greedy triangulation of points: of all lines between them, from the shortest to the longest,
//! each that conflicts with none taken before.
//!
//! Points are distinct. Lines `[i, j]`, i < j, come in the order of (length², i, j), compared
//! exactly. Two lines [conflict](conflict()) if they share any point other than one common end. If all points
//! lie on one line, the result is the path of n − 1 gaps; otherwise it has 3n − 3 − h edges, where h
//! points are on the boundary of the hull, corners or not.
//!
//! Every engine gives the same edges in the same order: [`paper`], the algorithm of the literature;
//! [`fast`], for a million points; [`definition`], to test the others with. [`verify`] proves a
//! result right.
//!
//! ```
//! use memory_machine_geometry::greedy::{fast, paper, verify};
//! use memory_machine_geometry::points::Point;
//!
//! // A unit square: four sides, and of two equal diagonals the one with the smaller numbers.
//! let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point { x, y });
//! let edges = fast::triangulate(&square);
//! assert_eq!(edges, [[0, 1], [0, 3], [1, 2], [2, 3], [0, 2]]);
//! assert_eq!(paper::triangulate(&square)?, edges);
//! verify::greedy(&square, &edges)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod branches;
mod conflict;
pub mod definition;
pub mod fast;
mod line;
pub mod paper;
pub mod verify;

pub use conflict::conflict;
