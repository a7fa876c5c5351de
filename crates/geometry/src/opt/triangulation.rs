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
