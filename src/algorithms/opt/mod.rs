//! The optimal polygon triangulation problem (OPT): among the triangulations of a polygon, that is
//! the sets of `n − 3` non-crossing chords, one of least total weight (Nakano 2013, Section III).
//!
//! Vertices are `v_0 … v_{n−1}` and `c[i][j]` is the weight of chord `v_i v_j`. The papers' dynamic
//! programming fills the table
//!
//! ```text
//! M[i][i] = 0                                                              1 ≤ i ≤ n − 1
//! M[i][j] = min over i ≤ k < j of (M[i][k] + M[k+1][j]) + c[i−1][j]        1 ≤ i < j ≤ n − 1
//! ```
//!
//! whose `M[1][n−1]` is the optimum. The papers print the base as `M[i][j] = 0 if j − i ≤ 1`; their
//! own table and algorithm have `M[i][i+1] = c[i−1][i+1]`, which is what the recurrence above says.
//! Weights of polygon edges are 0, and with them `c[0][n−1]`.
//!
//! Both `c` and `M` are `n × n`, row-major, at `[i * n + j]`; row and column 0 of `M`, and all of
//! `M` below its main diagonal, are never read.
//!
//! ```
//! use memory_machine::algorithms::opt::{paper, reference, triangulation};
//!
//! let c = paper::weights();
//! let m = reference::table(c.n(), c.as_slice());
//! assert_eq!(m[paper::N + paper::N - 1], paper::OPTIMUM);
//! let chords = triangulation::recover(paper::N, &m, c.as_slice())?;
//! assert_eq!(chords.len(), paper::N - 3);
//! # Ok::<(), triangulation::RecoverError>(())
//! ```

mod engine;
pub mod given;
mod kernel;
mod nearest;
pub mod paper;
pub mod parse_tree;
mod problem;
pub mod reference;
pub mod simd;
mod table;
pub mod triangulation;
mod weight;
mod weights;

pub use engine::{solve, solve_at};
pub use nearest::Nearest;
pub use problem::{Problem, relaxations};
pub use table::Table;
pub use triangulation::Chord;
pub use weight::Weight;
pub use weights::Weights;
