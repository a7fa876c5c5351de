//! Matrices and vectors.

use std::iter;

use super::{Expected, Given, Outputs, exact, floats, integers, partly, size, whole};

pub(crate) fn matrix_multiply<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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

pub(crate) fn matrix_vector<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(super) fn decomposed(n: usize, a: &mut [f64]) {
    for i in 0..n {
        for j in 0..n {
            let products = 0..i.min(j);
            let r = products.fold(a[i * n + j], |r, k| r - a[i * n + k] * a[k * n + j]);
            a[i * n + j] = if i > j { r / a[j * n + j] } else { r };
        }
    }
}

pub(crate) fn lu<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut a = doubles(given[0]);
    decomposed(size(parameters, 0)?, &mut a);
    Some(vec![exact("a", a.into_iter())])
}

/// Column after column: what the columns before do to it, its pivot, its quotients. `None` where a
/// column has no pivot.
pub(crate) fn lu_pivoted<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let mut rows: Vec<Vec<f64>> = doubles(given[0]).chunks(n).map(<[f64]>::to_vec).collect();
    let mut order: Vec<i64> = (0..parameters[0]).collect();
    for j in 0..n {
        for i in 1..n {
            let r = (0..i.min(j)).fold(rows[i][j], |r, k| r - rows[i][k] * rows[k][j]);
            rows[i][j] = r;
        }
        let size = |i: &usize| rows[*i][j].abs();
        let pivot = (j..n).rev().max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if !rows[pivot][j].is_normal() {
            return None;
        }
        rows.swap(j, pivot);
        order.swap(j, pivot);
        for i in j + 1..n {
            rows[i][j] /= rows[j][j];
        }
    }
    Some(vec![exact("a", rows.into_iter().flatten()), whole("p", order)])
}

/// Row by row. `None` unless the matrix is positive definite.
pub(crate) fn cholesky<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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

/// The solution of a tridiagonal system, by elimination with pivots: a row has up to three numbers
/// from its column on.
fn solution(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Option<Vec<f64>> {
    let n = b.len();
    let above = |i: usize| if i + 1 < n { c[i] } else { 0.0 };
    let mut rows: Vec<([f64; 3], f64)> = vec![];
    let mut row = ([b[0], above(0), 0.0], d[0]);
    for i in 1..n {
        let mut next = ([a[i], b[i], above(i)], d[i]);
        if next.0[0].abs() > row.0[0].abs() {
            std::mem::swap(&mut row, &mut next);
        }
        let factor = next.0[0] / row.0[0];
        let [_, x, y] = next.0;
        rows.push(row);
        row = ([x - factor * row.0[1], y - factor * row.0[2], 0.0], next.1 - factor * row.1);
    }
    rows.push(row);
    let mut x = vec![0.0; n + 2];
    for (i, ([b, c, e], d)) in rows.into_iter().enumerate().rev() {
        if !b.is_normal() {
            return None;
        }
        x[i] = (d - c * x[i + 1] - e * x[i + 2]) / b;
    }
    x.truncate(n);
    Some(x)
}

/// Certain where the diagonal outweighs its row: elimination without pivots is stable then.
pub(crate) fn tridiagonal<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, b, c, d] = given else { return None };
    let (a, b, c, d) = (doubles(*a), doubles(*b), doubles(*c), doubles(*d));
    let n = b.len();
    let besides = |i: usize| {
        let (before, after) = (i > 0, i + 1 < n);
        (if before { a[i].abs() } else { 0.0 }) + if after { c[i].abs() } else { 0.0 }
    };
    let certain = (0..n).all(|i| b[i].abs() > 1.0001 * besides(i));
    let x = solution(&a, &b, &c, &d)?;
    let tolerance = 1e-10 * largest(&x);
    Some(vec![Expected { tolerance, certain, ..exact("x", x.into_iter()) }])
}

/// The product as the definition has it; sums wrap as the listing's do.
pub(crate) fn integer_product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    product_of(2 * size(parameters, 0)?, given)
}

/// Of matrices of 2^k × 2^k.
pub(crate) fn power_of_two_product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    product_of(1 << size(parameters, 0)?, given)
}

fn product_of<'a>(n: usize, given: &[&'a dyn Given]) -> Outputs<'a> {
    let (a, b) = (integers(given[0]), integers(given[1]));
    let cell = move |cell: usize| {
        let terms = (0..n).map(|k| a[cell / n * n + k].wrapping_mul(b[k * n + cell % n]));
        terms.fold(0_i64, i64::wrapping_add) as i32
    };
    Some(vec![whole("c", (0..n * n).map(cell))])
}

/// The same steps with plain sums. Certain where the matrix is symmetric and its diagonal outweighs
/// its rows.
pub(crate) fn conjugate_gradient<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(crate) fn power_iteration<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
pub(crate) fn forward_substitution<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (l, mut x) = (doubles(given[0]), doubles(given[1]));
    for i in 0..n {
        x[i] = (0..i).fold(x[i], |r, j| r - l[i * n + j] * x[j]);
    }
    Some(vec![exact("b", x.into_iter())])
}
