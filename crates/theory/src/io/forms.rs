//! What references depend on, as linear forms of counters, and coordinates in which they leave out some and
//! keep the others.

use std::collections::BTreeSet;

use num_rational::BigRational;
use num_traits::{One, Zero};

use super::statements::{Reference, counter};
use crate::derive::polynomial::Polynomial;

/// An affine polynomial's factors of counters, if they are numbers.
pub(super) fn factors(of: &Polynomial, depth: usize) -> Option<Vec<BigRational>> {
    let factor = |at| match &of.by_powers(counter(at))?[..] {
        [] | [_] => Some(BigRational::zero()),
        [_, slope] => slope.as_constant(),
        _ => None,
    };
    (0..depth).map(factor).collect()
}

/// The counters that an affine reference's indices depend on, by rows; `None` if it is not affine.
pub(super) fn rows(of: &Reference, depth: usize) -> Option<Vec<Vec<BigRational>>> {
    of.indices.as_ref()?.iter().map(|it| factors(it, depth)).collect()
}

/// The counters of an affine reference, if no two of its points with different counters among these are
/// one cell.
pub(super) fn coordinates(of: &Reference, depth: usize) -> Option<Vec<usize>> {
    let rows = rows(of, depth)?;
    let used: Vec<usize> =
        (0..depth).filter(|&at| rows.iter().any(|row| !row[at].is_zero())).collect();
    (reduce(rows).len() == used.len()).then_some(used)
}

/// Directions in which all rows are 0.
pub(super) fn kernel(rows: Vec<Vec<BigRational>>, depth: usize) -> Vec<Vec<BigRational>> {
    let rows = reduce(rows);
    let pivot = |row: &Vec<BigRational>| row.iter().position(|it| !it.is_zero());
    let pivots: Vec<usize> = rows.iter().filter_map(pivot).collect();
    let free = (0..depth).filter(|it| !pivots.contains(it));
    let along = |at: usize| {
        let mut direction = vec![BigRational::zero(); depth];
        direction[at] = BigRational::one();
        for (row, &pivot) in rows.iter().zip(&pivots) {
            direction[pivot] = -row[at].clone();
        }
        direction
    };
    free.map(along).collect()
}

/// Rows that span the same, each with a first number, 1, that no other row has.
pub(super) fn reduce(mut rows: Vec<Vec<BigRational>>) -> Vec<Vec<BigRational>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..width {
        let Some(at) = (rank..rows.len()).find(|&at| !rows[at][column].is_zero()) else { continue };
        rows.swap(rank, at);
        let scale = rows[rank][column].recip();
        rows[rank].iter_mut().for_each(|it| *it *= &scale);
        let pivot = rows[rank].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            if at == rank || row[column].is_zero() {
                continue;
            }
            let factor = row[column].clone();
            for (it, of) in row.iter_mut().zip(&pivot) {
                *it -= &factor * of;
            }
        }
        rank += 1;
    }
    rows.truncate(rank);
    rows
}

type Vector = Vec<BigRational>;

/// Independent directions, as many as there are counters, and by reference which of them change what it is;
/// `None` for one whose kernel none of them span. A set of points has as many places under a reference as
/// under the projection to its coordinates.
/// What [`super`] asks for each statement; public for its test.
pub fn shared_coordinates(
    references: &[Vec<Vector>],
    depth: usize,
) -> Vec<Option<BTreeSet<usize>>> {
    let kernels: Vec<Vec<Vector>> = references.iter().map(|it| kernel(it.clone(), depth)).collect();
    let unit = |at: usize| -> Vector {
        (0..depth).map(|it| if it == at { One::one() } else { Zero::zero() }).collect()
    };
    // The smallest kernels first: they leave least choice.
    let mut order: Vec<&Vec<Vector>> = kernels.iter().collect();
    order.sort_by_key(|it| it.len());
    let units: Vec<Vector> = (0..depth).map(unit).collect();
    let is_plain = |it: &&Vector| it.iter().filter(|it| !it.is_zero()).count() == 1;
    let all = || order.iter().flat_map(|it| it.iter());
    let plain = all().all(|it| is_plain(&it));
    let wanted = all().filter(|_| !plain).chain(&units);
    let mut basis: Vec<Vector> = vec![];
    for direction in wanted {
        let more = [&basis[..], std::slice::from_ref(direction)].concat();
        if reduce(more.clone()).len() == more.len() {
            basis = more;
        }
    }
    let spanned = |kernel: &Vec<Vector>| {
        let mut left_out = BTreeSet::new();
        for direction in kernel {
            left_out.extend(parts(&basis, direction)?);
        }
        (left_out.len() == kernel.len())
            .then(|| (0..depth).filter(|it| !left_out.contains(it)).collect())
    };
    kernels.iter().map(spanned).collect()
}

/// Which directions of a basis a vector is a sum of.
fn parts(basis: &[Vector], of: &Vector) -> Option<Vec<usize>> {
    let depth = of.len();
    let row = |at: usize| -> Vector {
        basis.iter().map(|it| it[at].clone()).chain([of[at].clone()]).collect()
    };
    let rows = reduce((0..depth).map(row).collect());
    (rows.len() == depth).then(|| (0..depth).filter(|&at| !rows[at][depth].is_zero()).collect())
}
