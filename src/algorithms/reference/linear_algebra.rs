//! Matrices and vectors.

use std::iter;

use super::{Expected, Given, Outputs, exact, floats, partly, size, whole};

pub(in crate::algorithms) fn matrix_multiply<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b] = given else { return None };
    let (a, b) = (floats(*a), floats(*b));
    let cell = move |cell| {
        let (i, j) = (cell / n, cell % n);
        let terms = (0..n).map(|k| a[i * n + k] * b[k * n + j]);
        f64::from(terms.fold(0.0_f32, |s, term| s + term))
    };
    Some(vec![exact("c", (0..n * n).map(cell))])
}

fn doubles(given: &dyn Given) -> Vec<f64> {
    given.numbers().collect()
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, it| most.max(it.abs()))
}

pub(in crate::algorithms) fn matrix_vector<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (a, x) = (floats(given[0]), floats(given[1]));
    let sums = |cell: &dyn Fn(usize, usize) -> usize| -> Vec<f64> {
        let sum = |i| (0..n).fold(0.0_f32, |s, j| s + a[cell(i, j)] * x[j]);
        (0..n).map(|i| sum(i).into()).collect()
    };
    let (y, z) = (sums(&|i, j| i * n + j), sums(&|i, j| j * n + i));
    Some(vec![exact("y", y.into_iter()), exact("z", z.into_iter())])
}

/// Each element by all its products at once (Crout), which are taken away in the listing's order.
fn decomposed(n: usize, a: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            let products = 0..i.min(j);
            let r = products.fold(a[i * n + j], |r, k| r - a[i * n + k] * a[k * n + j]);
            a[i * n + j] = if i > j { r / a[j * n + j] } else { r };
        }
    }
}

pub(in crate::algorithms) fn lu<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut a = doubles(given[0]);
    decomposed(size(parameters, 0)?, &mut a);
    Some(vec![exact("a", a.into_iter())])
}

/// The permutation column by column, each from the decomposition of the rows as they are then.
pub(in crate::algorithms) fn lu_pivoted<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let a = doubles(given[0]);
    let mut rows: Vec<usize> = (0..n).collect();
    let permuted = |rows: &[usize]| -> Vec<f64> {
        rows.iter().flat_map(|&row| a[row * n..row * n + n].to_vec()).collect()
    };
    for k in 0..n {
        let mut left = permuted(&rows);
        for i in 0..n {
            for j in 0..=k {
                let products = 0..i.min(j);
                let r =
                    products.fold(left[i * n + j], |r, k| r - left[i * n + k] * left[k * n + j]);
                left[i * n + j] = if i > j && j < k { r / left[j * n + j] } else { r };
            }
        }
        let pivot =
            (k..n).rev().max_by(|i, j| left[i * n + k].abs().total_cmp(&left[j * n + k].abs()))?;
        if !left[pivot * n + k].is_normal() {
            return None;
        }
        rows.swap(k, pivot);
    }
    let mut found = permuted(&rows);
    decomposed(n, &mut found);
    let rows: Vec<i64> = rows.into_iter().map(|it| it as i64).collect();
    Some(vec![exact("a", found.into_iter()), whole("p", rows)])
}

/// Row by row. `None` unless the matrix is positive definite.
pub(in crate::algorithms) fn cholesky<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let mut l = doubles(given[0]);
    for i in 0..n {
        for j in 0..=i {
            let r = (0..j).fold(l[i * n + j], |r, k| r - l[i * n + k] * l[j * n + k]);
            if i == j && (r <= 0.0 || r.is_nan()) {
                return None;
            }
            l[i * n + j] = if i == j { r.sqrt() } else { r / l[j * n + j] };
        }
    }
    let cells = (0..n * n).map(move |cell| (cell % n <= cell / n).then_some(l[cell]));
    Some(vec![partly("a", cells)])
}

/// The solution of a system by elimination with pivots.
fn solution(n: usize, mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
        b.swap(k, pivot);
        if !a[k * n + k].is_normal() {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            b[i] -= factor * b[k];
        }
    }
    Some((0..n).map(|i| b[i] / a[i * n + i]).collect())
}

/// Certain where the diagonal outweighs its row: elimination without pivots is stable then.
pub(in crate::algorithms) fn tridiagonal<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, b, c, d] = given else { return None };
    let (a, b, c, d) = (doubles(*a), doubles(*b), doubles(*c), doubles(*d));
    let n = b.len();
    let mut matrix = vec![0.0; n * n];
    let mut certain = true;
    for i in 0..n {
        matrix[i * n + i] = b[i];
        let mut besides = 0.0;
        if i > 0 {
            matrix[i * n + i - 1] = a[i];
            besides += a[i].abs();
        }
        if i + 1 < n {
            matrix[i * n + i + 1] = c[i];
            besides += c[i].abs();
        }
        certain &= b[i].abs() > 1.001 * besides;
    }
    let x = solution(n, matrix, d)?;
    let tolerance = 1e-11 * largest(&x);
    Some(vec![Expected { tolerance, certain, ..exact("x", x.into_iter()) }])
}

/// The same steps with plain sums. Certain where the matrix is symmetric and its diagonal outweighs
/// its rows.
pub(in crate::algorithms) fn conjugate_gradient<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (a, b) = (doubles(given[0]), doubles(given[1]));
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let certain = (0..n).all(|i| {
        let row = &a[i * n..i * n + n];
        let besides = row.iter().map(|it| it.abs()).sum::<f64>() - row[i].abs();
        row[i] > 1.001 * besides && (0..n).all(|j| a[i * n + j] == a[j * n + i])
    });
    let (mut x, mut r) = (vec![0.0; n], b);
    let mut p = r.clone();
    for _ in 0..parameters[1] {
        let q: Vec<f64> = (0..n).map(|i| dot(&a[i * n..i * n + n], &p)).collect();
        let (rr, pq) = (dot(&r, &r), dot(&p, &q));
        if pq <= 0.0 {
            break;
        }
        for i in 0..n {
            x[i] += rr / pq * p[i];
            r[i] -= rr / pq * q[i];
        }
        let beta = dot(&r, &r) / rr;
        (0..n).for_each(|i| p[i] = r[i] + beta * p[i]);
    }
    let tolerance = 1e-9 * largest(&x);
    Some(vec![Expected { tolerance, certain, ..exact("x", x.into_iter()) }])
}

/// `None` where a product leaves the range of f64, or all are 0.
pub(in crate::algorithms) fn power_iteration<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let a = doubles(given[0]);
    let (mut x, mut most) = (vec![1.0; n], None);
    for _ in 0..parameters[1] {
        let y: Vec<f64> =
            a.chunks(n).map(|row| row.iter().zip(&x).fold(0.0, |s, (a, x)| s + a * x)).collect();
        let scale = largest(&y);
        if !scale.is_normal() {
            return None;
        }
        x = y.iter().map(|y| y / scale).collect();
        most = Some(scale);
    }
    Some(vec![exact("x", x.into_iter()), exact("eigenvalue", iter::once(most?))])
}

/// Row by row.
pub(in crate::algorithms) fn forward_substitution<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (l, mut x) = (doubles(given[0]), doubles(given[1]));
    for i in 0..n {
        x[i] = (0..i).fold(x[i], |r, j| r - l[i * n + j] * x[j]);
    }
    Some(vec![exact("b", x.into_iter())])
}
