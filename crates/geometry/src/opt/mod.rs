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
//! # Beyond triangulations
//!
//! With `T[a][b] = M[a+1][b]`, the least weight of polygon `v_a … v_b` and its chord `v_a v_b`, the
//! recurrence is that of every [`Problem`]: also of [`matrix_chain`] and [`search_tree`]. A
//! *relaxation* is one `min(s, T[a][k] + T[k][b])`; there is one for each triangle,
//! [`relaxations`] in all. [`solve`] does them in tiles and vectors on all cores, [`mod@reference`] in
//! three plain loops; both give the same bits, for f32, f64 and i32 ([`Weight`]).
//!
//! ```
//! use memory_machine_geometry::opt::{paper, reference, solve, triangulation};
//!
//! let c = paper::weights();
//! let table = solve(&c, &|_| ());
//! assert_eq!(table.get(0, paper::N - 1), paper::OPTIMUM);
//! assert_eq!(table.square(), reference::table(c.n(), c.as_slice()));
//! let chords = triangulation::recover_from(&c, |a, b| table.get(a, b))?;
//! assert_eq!(chords.len(), paper::N - 3);
//! # Ok::<(), triangulation::RecoverError>(())
//! ```

mod engine;
pub mod frequencies;
mod kernel;
pub mod knuth;
pub mod matrix_chain;
pub mod paper;
pub mod parse_tree;
pub mod plan;
mod problem;
pub mod reference;
mod rounding;
pub mod search_tree;
pub mod share;
pub mod simd;
mod table;
pub mod triangulation;
pub mod variant;
mod weight;
mod weights;
pub mod weights_csv;

pub use engine::{solve, solve_at};
pub use problem::{Problem, relaxations};
pub use rounding::Nearest;
pub use table::Table;
pub use triangulation::{Chord, Triangle};
pub use weight::Weight;
pub use weights::Weights;
