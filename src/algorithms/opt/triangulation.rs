//! The chords of an optimal triangulation, from the table `M`: the papers' "few extra bookkeeping
//! steps" (Nakano 2013, Section III).

use std::fmt::Display;

use thiserror::Error;

/// Chord `v_a v_b`, `a < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chord {
    pub a: usize,
    pub b: usize,
}

/// A number that a table `M` may hold.
pub trait Weight: Copy + PartialEq + Display {
    const ZERO: Self;
    /// The sum as the engine that filled the table computes it.
    fn plus(self, other: Self) -> Self;
    /// Whether this is the total of a triangulation, rather than a sign that there is none.
    fn is_finite(self) -> bool;
}

macro_rules! floating_weight {
    ($float:ty) => {
        impl Weight for $float {
            const ZERO: Self = 0.0;
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn is_finite(self) -> bool {
                self.is_finite()
            }
        }
    };
}
floating_weight!(f32);
floating_weight!(f64);

/// `i32::MAX` stands for +∞: it absorbs what is added to it.
impl Weight for i32 {
    const ZERO: Self = 0;
    fn plus(self, other: Self) -> Self {
        if self.is_finite() && other.is_finite() { self.saturating_add(other) } else { Self::MAX }
    }
    fn is_finite(self) -> bool {
        self != Self::MAX
    }
}

/// A table that no triangulation can be read from.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecoverError {
    #[error(
        "{what} has {found} cells, but {n} vertices need {n} × {n}; pass the whole square table"
    )]
    Shape { what: &'static str, found: usize, n: usize },
    #[error(
        "M[{i}][{j}] = {value}: vertices {} to {j} have no triangulation of finite weight; \
         give more chords a finite weight", i - 1
    )]
    Infinite { i: usize, j: usize, value: String },
    #[error(
        "M[{i}][{j}] = {value} is not M[{i}][k] + M[k+1][{j}] + c[{}][{j}] for any k; \
         the table was not filled from these weights, or not with these additions", i - 1
    )]
    Inconsistent { i: usize, j: usize, value: String },
    #[error("M[{i}][{i}] = {value}, but a polygon edge weighs 0; the table was not filled")]
    Leaf { i: usize, value: String },
}

/// The `n − 3` chords of the triangulation that `m` stands for, each after the chord that encloses
/// it; none for `n ≤ 3`.
///
/// `m` and `c` are the `n × n` tables of [`super`]. Chord `v_{i−1} v_j` is split at the least `k`
/// whose `M[i][k] + M[k+1][j] + c[i−1][j]` equals `M[i][j]` exactly. Rounding may let more than one
/// `k` do so; each of them has the computed weight.
///
/// `O(n²)` time at worst, `O(n)` memory and no recursion, however deep the parse tree is.
///
/// # Errors
/// [`RecoverError`] names the first cell, from the root down, that the recurrence does not explain.
pub fn recover<T: Weight>(n: usize, m: &[T], c: &[T]) -> Result<Vec<Chord>, RecoverError> {
    for (what, cells) in [("table M", m), ("weights c", c)] {
        if n.checked_mul(n) != Some(cells.len()) {
            let found = cells.len();
            return Err(RecoverError::Shape { what, found, n });
        }
    }
    let mut chords = Vec::with_capacity(n.saturating_sub(3));
    if n < 3 {
        return Ok(chords);
    }
    // Polygons still to be split, each cut off by chord v_{i−1} v_j.
    let mut pending = vec![(1, n - 1)];
    while let Some((i, j)) = pending.pop() {
        let target = m[i * n + j];
        let value = || target.to_string();
        if i == j {
            if target != T::ZERO {
                return Err(RecoverError::Leaf { i, value: value() });
            }
            continue;
        }
        if !target.is_finite() {
            let value = value();
            return Err(RecoverError::Infinite { i, j, value });
        }
        if (i, j) != (1, n - 1) {
            chords.push(Chord { a: i - 1, b: j });
        }
        let chord = c[(i - 1) * n + j];
        let k = (i..j)
            .find(|&k| m[i * n + k].plus(m[(k + 1) * n + j]).plus(chord) == target)
            .ok_or_else(|| RecoverError::Inconsistent { i, j, value: value() })?;
        pending.push((k + 1, j));
        pending.push((i, k));
    }
    Ok(chords)
}

#[cfg(test)]
mod tests {
    use super::super::{Weights, paper, reference};
    use super::{Chord, RecoverError, recover};

    #[test]
    fn papers_polygon_weighs_six() {
        let c = paper::weights();
        let mut chords = recover(8, &paper::TABLE.concat(), c.as_slice()).unwrap();
        let total: f32 = chords.iter().map(|&Chord { a, b }| c.get(a, b)).sum();
        assert_eq!(total, paper::OPTIMUM);
        chords.sort();
        let pairs: Vec<_> = chords.iter().map(|&Chord { a, b }| (a, b)).collect();
        assert_eq!(pairs, [(1, 3), (1, 7), (3, 6), (3, 7), (4, 6)]);
    }

    #[test]
    fn few_vertices_need_no_chord() {
        for n in 0..=3 {
            assert_eq!(recover(n, &vec![0; n * n], &vec![0; n * n]), Ok(vec![]));
        }
    }

    #[test]
    fn a_tampered_table_is_refused() {
        let c = paper::weights();
        let mut m = paper::TABLE.concat();
        m[8 + 7] = 5.0;
        assert!(matches!(
            recover(8, &m, c.as_slice()),
            Err(RecoverError::Inconsistent { i: 1, j: 7, .. })
        ));
        m[8 + 7] = f32::NAN;
        assert!(matches!(
            recover(8, &m, c.as_slice()),
            Err(RecoverError::Infinite { i: 1, j: 7, .. })
        ));
        assert!(matches!(
            recover(8, &m[1..], c.as_slice()),
            Err(RecoverError::Shape { found: 63, .. })
        ));
    }

    #[test]
    fn a_polygon_without_finite_triangulation_is_refused() {
        let c = Weights::from_chords(5, |_, _| f32::INFINITY);
        assert!(matches!(
            recover(5, &reference::table(c.n(), c.as_slice()), c.as_slice()),
            Err(RecoverError::Infinite { i: 1, j: 4, .. })
        ));
    }

    #[test]
    fn whole_numbers_have_an_infinity_too() {
        // A 5-gon in which only chords 0–2 and 2–4 are allowed.
        const X: i32 = i32::MAX;
        let c =
            [[0, 0, 3, X, 0], [0, 0, 0, X, X], [3, 0, 0, 0, 4], [X, X, 0, 0, 0], [0, X, 4, 0, 0]];
        let m =
            [[0, 0, 0, 0, 0], [0, 0, 3, X, 7], [0, 0, 0, X, X], [0, 0, 0, 0, 4], [0, 0, 0, 0, 0]];
        let chords = recover(5, &m.concat(), &c.concat()).unwrap();
        assert_eq!(chords, [Chord { a: 0, b: 2 }, Chord { a: 2, b: 4 }]);
    }

    #[test]
    fn a_deep_parse_tree_needs_no_call_stack() {
        // Only the chords at v_0 are cheap: the parse tree is a path.
        let n = 1500;
        let c = Weights::from_chords(n, |a, _| if a == 0 { 1.0 } else { 1e6 });
        let m = reference::table(c.n(), c.as_slice());
        assert_eq!(m[n + n - 1], (n - 3) as f32);
        let chords = recover(n, &m, c.as_slice()).unwrap();
        assert!(chords.iter().all(|chord| chord.a == 0));
        assert_eq!(chords.len(), n - 3);
    }
}
