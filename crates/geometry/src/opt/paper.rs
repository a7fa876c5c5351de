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

#[cfg(test)]
mod tests {
    use super::{CHORDS, N, OPTIMUM, TABLE};

    #[test]
    fn weights_follow_from_the_printed_table() {
        for i in 1..N {
            for j in i + 1..N {
                let least =
                    (i..j).map(|k| TABLE[i][k] + TABLE[k + 1][j]).fold(f32::INFINITY, f32::min);
                assert_eq!(CHORDS[i - 1][j], TABLE[i][j] - least, "c[{}][{j}]", i - 1);
            }
        }
        assert_eq!(CHORDS[0][N - 1], 0.0);
        assert_eq!(TABLE[1][N - 1], OPTIMUM);
    }
}
