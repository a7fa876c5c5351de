//! The chords of an optimal triangulation, from the table `M`: the papers' "few extra bookkeeping
//! steps" (Nakano 2013, Section III).

use thiserror::Error;

use super::problem::with_split;
use super::weights::Square;
use super::{Problem, Weight};

/// Chord `v_a v_b`, `a < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chord {
    /// The lower of its ends, from 0.
    pub a: usize,
    /// The higher one.
    pub b: usize,
}

/// Triangle `v_a v_k v_b`, `a < k < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Triangle {
    /// The lowest of its vertices, from 0.
    pub a: usize,
    /// The one between.
    pub k: usize,
    /// The highest one.
    pub b: usize,
}

/// A table that no triangulation can be read from.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecoverError {
    /// A table that is not `n × n`.
    #[error(
        "{what} has {found} cells, but {n} vertices need {n} × {n}; pass the whole square table"
    )]
    Shape {
        /// Which one: the table M, or the weights.
        what: &'static str,
        /// Its cells.
        found: usize,
        /// Vertices of the polygon.
        n: usize,
    },
    /// A polygon that cannot be triangulated with the weights given.
    #[error(
        "M[{i}][{j}] = {value}: vertices {} to {j} have no triangulation of finite weight; \
         give more chords a finite weight", i - 1
    )]
    Infinite {
        /// The row of M, from 1.
        i: usize,
        /// The column of M.
        j: usize,
        /// What stands there.
        value: String,
    },
    /// A cell that no split of its polygon gives.
    #[error(
        "M[{i}][{j}] = {value} is not M[{i}][k] + M[k+1][{j}] + c[{}][{j}] for any k; \
         the table was not filled from these weights, or not with these additions", i - 1
    )]
    Inconsistent {
        /// The row of M, from 1.
        i: usize,
        /// The column of M.
        j: usize,
        /// What stands there.
        value: String,
    },
    /// A polygon edge with another value than its weight.
    #[error("M[{i}][{i}] = {value}, but a polygon edge weighs {base}; the table was not filled")]
    Leaf {
        /// The row and the column of M, from 1.
        i: usize,
        /// What stands there.
        value: String,
        /// What should stand there.
        base: String,
    },
}

/// The `n − 3` chords of the triangulation that `m` stands for, each after the chord that encloses
/// it; none for `n ≤ 3`.
///
/// `m` and `c` are the `n × n` tables of [`super`]. As [`recover_from`].
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
    recover_from(&Square { n, cells: c }, |a, b| m[(a + 1) * n + b])
}

/// The `n − 3` chords of an optimal triangulation, each after the chord that encloses it. As
/// [`triangles`], of which they are the sides `a`–`b`.
///
/// # Errors
/// [`RecoverError`] names the first cell, from the root down, that the recurrence does not explain.
pub fn recover_from<T, P>(
    problem: &P,
    cell: impl Fn(usize, usize) -> T,
) -> Result<Vec<Chord>, RecoverError>
where
    T: Weight,
    P: Problem<T> + ?Sized,
{
    Ok(chords(&triangles(problem, cell)?))
}

/// The chords of a triangulation, in the order of [`triangles`]: their sides `a`–`b`.
pub fn chords(triangles: &[Triangle]) -> Vec<Chord> {
    // The first one lies on edge v_0 v_{n−1}.
    triangles.iter().skip(1).map(|&Triangle { a, b, .. }| Chord { a, b }).collect()
}

/// The `n − 2` triangles of an optimal triangulation, each after the one beyond its side `a`–`b`,
/// and all on `a`–`k` before those on `k`–`b`; `cell(a, b)`, `a < b`, is `T[a][b]` of [`Problem`].
///
/// Polygon `v_a … v_b` is split at the first `k` with the least `T[a][k] + T[k][b] [+ split]`, so that
/// every engine finds the same triangles; with `whole`, that must be `T[a][b]` exactly.
///
/// `O(n²)` time at worst, `O(n)` memory and no recursion, however deep the parse tree is.
///
/// # Errors
/// [`RecoverError`] names the first cell, from the root down, that the recurrence does not explain.
pub fn triangles<T, P>(
    problem: &P,
    cell: impl Fn(usize, usize) -> T,
) -> Result<Vec<Triangle>, RecoverError>
where
    T: Weight,
    P: Problem<T> + ?Sized,
{
    let sides = problem.sides();
    walk(problem.n(), |a, b| {
        let target = cell(a, b);
        if a + 1 == b {
            let (value, base) = (target.to_string(), problem.base(a));
            let leaf = || RecoverError::Leaf { i: b, value, base: base.to_string() };
            return if target == base { Ok(None) } else { Err(leaf()) };
        }
        let total = |k| with_split(cell(a, k).plus(cell(k, b)), sides, [a, k, b]).settled();
        let (k, least) = (a + 2..b).fold((a + 1, total(a + 1)), |(k, least), next| {
            let sum = total(next);
            if sum < least { (next, sum) } else { (k, least) }
        });
        explain(problem, [a, b], target, least)?;
        Ok(Some(k))
    })
}

/// From the root down, the triangles on whose sides polygons `v_a … v_b` are split, at the `k` that
/// `split(a, b)` gives; `None` for an edge of the polygon.
pub(super) fn walk(
    n: usize,
    mut split: impl FnMut(usize, usize) -> Result<Option<usize>, RecoverError>,
) -> Result<Vec<Triangle>, RecoverError> {
    let mut triangles = Vec::with_capacity(n.saturating_sub(2));
    if n < 3 {
        return Ok(triangles);
    }
    // Polygons still to be split, each cut off by chord v_a v_b.
    let mut pending = vec![(0, n - 1)];
    while let Some((a, b)) = pending.pop() {
        if let Some(k) = split(a, b)? {
            triangles.push(Triangle { a, k, b });
            pending.push((k, b));
            pending.push((a, k));
        }
    }
    Ok(triangles)
}

/// Whether `least`, of all splits of polygon `v_a … v_b`, is what its cell `target` comes from.
pub(super) fn explain<T, P>(
    problem: &P,
    [a, b]: [usize; 2],
    target: T,
    least: T,
) -> Result<(), RecoverError>
where
    T: Weight,
    P: Problem<T> + ?Sized,
{
    let value = || target.to_string();
    if !target.is_finite() {
        return Err(RecoverError::Infinite { i: a + 1, j: b, value: value() });
    }
    if least.plus(problem.whole(a, b)).settled() != target {
        return Err(RecoverError::Inconsistent { i: a + 1, j: b, value: value() });
    }
    Ok(())
}

/// How many of a triangulation's polygons `v_a … v_b` begin and how many end at each of `n` vertices:
/// the parentheses around what lies between.
pub(super) fn parentheses(n: usize, triangles: &[Triangle]) -> [Vec<usize>; 2] {
    let (mut opened, mut closed) = (vec![0; n], vec![0; n]);
    for &Triangle { a, b, .. } in triangles {
        opened[a] += 1;
        closed[b] += 1;
    }
    [opened, closed]
}

#[cfg(test)]
mod tests {
    use super::super::{Weight, Weights, paper, reference};
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
        const X: i32 = Weight::INFINITY;
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
        let n = 700;
        let c = Weights::from_chords(n, |a, _| if a == 0 { 1.0_f32 } else { 1e6 });
        let m = reference::table(c.n(), c.as_slice());
        assert_eq!(m[n + n - 1], (n - 3) as f32);
        let chords = recover(n, &m, c.as_slice()).unwrap();
        assert!(chords.iter().all(|chord| chord.a == 0));
        assert_eq!(chords.len(), n - 3);
    }
}
