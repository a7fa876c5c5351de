//! Least squares with coefficients of at least 0.

use nalgebra::{DMatrix, DVector};

/// What rounding leaves of a number of size 1.
const ROUNDING: f64 = 1e-13;

/// The x ≥ 0 for which ‖A·x − b‖ is least: the active-set method NNLS of Lawson and Hanson (*Solving
/// Least Squares Problems*, 1974, chapter 23). Columns of A have about the length 1; of columns that
/// depend on each other some get 0.
///
/// Time: O(m·n²) for each set of columns that is tried, of which few more than n are.
pub(super) fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let columns = a.ncols();
    let mut x = DVector::zeros(columns);
    let mut is_passive = vec![false; columns];
    // Columns that rounding keeps out of the passive set that there is.
    let mut is_barred = vec![false; columns];
    let small = ROUNDING * b.norm();
    loop {
        let gradient = a.tr_mul(&(b - a * &x));
        let may_enter = |&it: &usize| !is_passive[it] && !is_barred[it] && gradient[it] > small;
        let best =
            (0..columns).filter(may_enter).max_by(|&i, &j| gradient[i].total_cmp(&gradient[j]));
        let Some(entering) = best else { return x };
        is_passive[entering] = true;
        let at_entry = passive(&is_passive);
        let enters = solve(a, b, &at_entry).is_some_and(|it| {
            at_entry.iter().zip(&it).any(|(&at, &value)| at == entering && value > 0.0)
        });
        if !enters {
            is_passive[entering] = false;
            is_barred[entering] = true;
            continue;
        }
        is_barred.fill(false);
        settle(a, b, &mut x, &mut is_passive);
    }
}

/// Moves x to the optimum of its passive columns; on the way, those that reach 0 leave.
fn settle(a: &DMatrix<f64>, b: &DVector<f64>, x: &mut DVector<f64>, is_passive: &mut [bool]) {
    loop {
        let columns = passive(is_passive);
        let Some(optimum) = solve(a, b, &columns) else { return };
        let reach = |&(at, value): &(usize, f64)| (at, x[at] / (x[at] - value));
        let ends = columns.iter().copied().zip(optimum.iter().copied());
        let falling = ends.clone().filter(|(_, value)| *value <= 0.0);
        let first = falling.map(|it| reach(&it)).min_by(|a, b| a.1.total_cmp(&b.1));
        let step = first.map_or(1.0, |(_, step)| step);
        for (at, value) in ends {
            x[at] += step * (value - x[at]);
        }
        let Some((leaving, _)) = first else { return };
        for at in columns {
            if at == leaving || x[at] <= 0.0 {
                x[at] = 0.0;
                is_passive[at] = false;
            }
        }
    }
}

fn passive(is_passive: &[bool]) -> Vec<usize> {
    (0..is_passive.len()).filter(|&it| is_passive[it]).collect()
}

/// The least squares of some columns, without bounds; `None` if they depend on each other.
fn solve(a: &DMatrix<f64>, b: &DVector<f64>, columns: &[usize]) -> Option<Vec<f64>> {
    let (q, r) = a.select_columns(columns).qr().unpack();
    if r.diagonal().iter().any(|it| it.abs() < ROUNDING) {
        return None;
    }
    let solution = r.solve_upper_triangular(&q.tr_mul(b))?;
    Some(solution.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The optimum is the point at which no gradient is positive, and that of every positive
        /// coefficient is 0 (Karush, Kuhn, Tucker).
        #[test]
        fn nothing_near_is_better(
            (rows, columns, numbers) in (1_usize..6).prop_flat_map(|columns| {
                (columns..20).prop_flat_map(move |rows| {
                    let cells = prop::collection::vec(-4_i32..5, rows * columns + rows);
                    (Just(rows), Just(columns), cells)
                })
            }),
        ) {
            let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
            let a = DMatrix::from_row_slice(rows, columns, &numbers[..rows * columns]);
            let b = DVector::from_row_slice(&numbers[rows * columns..]);
            let x = least_squares(&a, &b);
            let gradient = a.tr_mul(&(&b - &a * &x));
            for column in 0..columns {
                prop_assert!(x[column] >= 0.0);
                prop_assert!(gradient[column] < 1e-9, "{gradient}");
                prop_assert!(x[column] == 0.0 || gradient[column].abs() < 1e-9, "{gradient}");
            }
        }
    }
}
