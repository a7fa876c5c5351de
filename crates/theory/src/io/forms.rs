//! What references depend on, as linear forms of counters.

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
