//! The convex 8-gon that the papers use as their example (Nakano 2013, Figures 4 and 8;
//! Tani et al. 2014, Figures 3 and 8).
//!
//! The papers print the table `M`, not the weights. Each weight follows from the table as
//! `c[i−1][j] = M[i][j] − min over k of (M[i][k] + M[k+1][j])`.

use super::Weights;

/// Number of vertices.
pub const N: usize = 8;

/// Total weight of the optimal triangulation.
pub const OPTIMUM: f32 = 6.0;

/// The printed table: `M[i][j]` for `1 ≤ i ≤ j ≤ 7`, everything else 0.
#[rustfmt::skip]
pub const TABLE: [[f32; N]; N] = [
    [0.0; N],
    [0.0, 0.0, 4.0, 4.0, 7.0, 8.0, 11.0, 6.0],
    [0.0, 0.0, 0.0, 1.0, 5.0, 6.0,  6.0, 6.0],
    [0.0, 0.0, 0.0, 0.0, 3.0, 8.0,  7.0, 9.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 3.0,  3.0, 4.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0,  1.0, 4.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0,  0.0, 1.0],
    [0.0; N],
];

/// The weights: `c[i][j]` of chord `v_i v_j`, `i < j`, everything else 0.
#[rustfmt::skip]
pub const CHORDS: [[f32; N]; N] = [
    [0.0, 0.0, 4.0, 3.0, 3.0, 2.0, 5.0, 0.0],
    [0.0, 0.0, 0.0, 1.0, 4.0, 2.0, 2.0, 1.0],
    [0.0, 0.0, 0.0, 0.0, 3.0, 5.0, 4.0, 5.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 2.0, 1.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 3.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
];

/// The weights as a symmetric table.
pub fn weights() -> Weights {
    Weights::from_chords(N, |i, j| CHORDS[i][j])
}
