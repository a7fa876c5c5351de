//! Non-negative least squares of relative errors.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use thiserror::Error;

use super::non_negative;

/// A term's coefficient with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coefficient {
    /// At least 0, in units of time per unit of the term.
    pub coefficient: f64,
    /// The interval's lower end; at least 0.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
}

/// Times as a sum of terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// By term, in the order of the columns.
    pub coefficients: Vec<Coefficient>,
    /// Of the weighted squares: 1 − Σ((y − ŷ)/y)² / Σ((y − ȳ)/y)², ȳ being the best constant.
    pub r2: f64,
    /// The largest |ŷ − y| / y.
    pub worst_relative_residual: f64,
    /// ŷ for each row.
    pub fitted: Vec<f64>,
}

/// Why no coefficients are found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FitError {
    /// More terms than points can tell apart.
    #[error("{rows} points do not determine {terms} terms")]
    TooFew {
        /// Points given.
        rows: usize,
        /// Terms given.
        terms: usize,
    },
    /// A column that is no term: its number, from 0.
    #[error("term {0} is not a positive finite number at every point")]
    Term(usize),
    /// A time that is 0, negative, or not finite.
    #[error("a time is not positive")]
    Time,
    /// All coefficients would be 0.
    #[error("no combination of the terms fits")]
    Singular,
}

/// Fits `times ≈ Σ coefficient · term` with coefficients of at least 0, so that the squares of the
/// relative errors sum to the least. `rows` holds the terms' values, a row a point.
///
/// Intervals are those of ordinary least squares with the terms that take part; a term that does
/// not gets the upper end that it would have beside them. Simulated times have no noise: the
/// intervals tell how well the points determine a coefficient and how far the formula misses.
///
/// # Errors
/// Fewer rows than terms and one more; values that are not positive.
pub fn fit(rows: &[Vec<f64>], times: &[f64]) -> Result<Fit, FitError> {
    let terms = rows.first().map_or(0, Vec::len);
    if terms == 0 || rows.len() <= terms {
        return Err(FitError::TooFew { rows: rows.len(), terms });
    }
    if times.iter().any(|time| !time.is_finite() || *time <= 0.0) {
        return Err(FitError::Time);
    }
    // Relative errors: every row over its time. Columns are scaled to length 1 for the solver.
    let mut design = DMatrix::from_fn(rows.len(), terms, |row, term| rows[row][term] / times[row]);
    let scales: Vec<f64> = design.column_iter().map(|column| column.norm()).collect();
    if let Some(term) = scales.iter().position(|scale| !scale.is_finite() || *scale <= 0.0) {
        return Err(FitError::Term(term));
    }
    for (mut column, scale) in design.column_iter_mut().zip(&scales) {
        column /= *scale;
    }
    let ones = DVector::from_element(rows.len(), 1.0);
    let solved = non_negative::least_squares(&design, &ones);
    let active: Vec<usize> = (0..terms).filter(|&term| solved[term] > 1e-12).collect();
    if active.is_empty() {
        return Err(FitError::Singular);
    }
    let fitted: Vec<f64> = (0..rows.len())
        .map(|row| (0..terms).map(|term| solved[term] / scales[term] * rows[row][term]).sum())
        .collect();
    let coefficients = (0..terms)
        .map(|term| {
            let coefficient = solved[term] / scales[term];
            let mut with = active.clone();
            if !with.contains(&term) {
                with.push(term);
            }
            let (low, high) = interval(&design, &with, term).unwrap_or((0.0, f64::INFINITY));
            let (low, high) = (low.max(0.0) / scales[term], high.max(0.0) / scales[term]);
            Coefficient { coefficient, low: low.min(coefficient), high: high.max(coefficient) }
        })
        .collect();
    let relative = |fitted: &f64, time: &f64| (fitted - time).abs() / time;
    let worst = fitted.iter().zip(times).map(|(a, b)| relative(a, b)).fold(0.0, f64::max);
    let squares: f64 = fitted.iter().zip(times).map(|(a, b)| relative(a, b).powi(2)).sum();
    let (first, second) =
        times.iter().fold((0.0, 0.0), |(a, b), y| (a + 1.0 / y, b + 1.0 / (y * y)));
    let mean = first / second;
    let around: f64 = times.iter().map(|time| relative(&mean, time).powi(2)).sum();
    let r2 = if around > 0.0 { 1.0 - squares / around } else { 1.0 };
    Ok(Fit { coefficients, r2, worst_relative_residual: worst, fitted })
}

/// The 95 % interval of one scaled coefficient when `terms` are fitted to ones.
fn interval(design: &DMatrix<f64>, terms: &[usize], wanted: usize) -> Option<(f64, f64)> {
    let part = design.select_columns(terms);
    let freedom = part.nrows().checked_sub(terms.len()).filter(|it| *it > 0)? as f64;
    let ones = DVector::from_element(part.nrows(), 1.0);
    let inverse = (part.transpose() * &part).try_inverse()?;
    let solution = &inverse * part.transpose() * &ones;
    let variance = (ones - &part * &solution).norm_squared() / freedom;
    let at = terms.iter().position(|term| *term == wanted)?;
    let error = (variance * inverse[(at, at)]).sqrt();
    let quantile = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(0.975);
    Some((solution[at] - quantile * error, solution[at] + quantile * error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_come_back() {
        let rows: Vec<Vec<f64>> =
            (4..40).map(|n| vec![f64::from(n * n * n), f64::from(n)]).collect();
        let times: Vec<f64> = rows.iter().map(|row| 2.5 * row[0] + 7.0 * row[1]).collect();
        let fit = fit(&rows, &times).unwrap();
        let found: Vec<f64> = fit.coefficients.iter().map(|it| it.coefficient).collect();
        assert!((found[0] - 2.5).abs() < 1e-9 && (found[1] - 7.0).abs() < 1e-6, "{found:?}");
        assert!(fit.worst_relative_residual < 1e-9 && fit.r2 > 1.0 - 1e-9);
        for it in fit.coefficients {
            assert!(it.low <= it.coefficient && it.coefficient <= it.high);
        }
    }

    #[test]
    fn a_term_that_would_be_negative_gets_nothing() {
        let rows: Vec<Vec<f64>> = (4..40).map(|n| vec![f64::from(n * n), f64::from(n)]).collect();
        let times: Vec<f64> = rows.iter().map(|row| 2.0 * row[0] - row[1]).collect();
        let fit = fit(&rows, &times).unwrap();
        assert_eq!(fit.coefficients[1].coefficient, 0.0);
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let few = fit(&[vec![1.0, 2.0]], &[1.0]);
        assert_eq!(few, Err(FitError::TooFew { rows: 1, terms: 2 }));
        let infinite = fit(&[vec![f64::INFINITY], vec![1.0]], &[1.0, 1.0]);
        assert_eq!(infinite, Err(FitError::Term(0)));
        assert_eq!(fit(&[vec![1.0], vec![1.0]], &[1.0, 0.0]), Err(FitError::Time));
    }
}
