//! The kernels of PolyBench 4.2, from what they compute: sums are added up in the order of their index.

use super::{Expected, Given, Outputs, exact, partly, size};

/// Rows of numbers.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) columns: usize,
    pub(super) cells: Vec<f64>,
}

impl Table {
    pub(super) fn of(given: &dyn Given, columns: usize) -> Self {
        Self { columns, cells: given.numbers().collect() }
    }

    pub(super) fn new(rows: usize, columns: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let cells = (0..rows * columns).map(|at| cell(at / columns, at % columns)).collect();
        Self { columns, cells }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.columns + column]
    }

    pub(super) fn named<'a>(self, array: &'static str) -> Expected<'a> {
        exact(array, self.cells.into_iter())
    }
}

fn sum(start: f64, count: usize, term: impl Fn(usize) -> f64) -> f64 {
    (0..count).fold(start, |sum, at| sum + term(at))
}

pub(super) fn vector(given: &dyn Given) -> Vec<f64> {
    given.numbers().collect()
}

pub(crate) fn two_products<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b, c, d] = given else { return None };
    let [a, b, c, d] = [a, b, c, d].map(|it| Table::of(*it, n));
    let t = Table::new(n, n, |i, j| sum(0.0, n, |k| 1.5 * a.at(i, k) * b.at(k, j)));
    let d = Table::new(n, n, |i, j| sum(1.2 * d.at(i, j), n, |k| t.at(i, k) * c.at(k, j)));
    Some(vec![d.named("d")])
}

pub(crate) fn product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b, c] = given else { return None };
    let [a, b, c] = [a, b, c].map(|it| Table::of(*it, n));
    let cell = |i, j| sum(1.2 * c.at(i, j), n, |k| 1.5 * a.at(i, k) * b.at(k, j));
    Some(vec![Table::new(n, n, cell).named("c")])
}

pub(crate) fn three_products<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b, c, d] = given else { return None };
    let [a, b, c, d] = [a, b, c, d].map(|it| Table::of(*it, n));
    let product =
        |x: &Table, y: &Table| Table::new(n, n, |i, j| sum(0.0, n, |k| x.at(i, k) * y.at(k, j)));
    Some(vec![product(&product(&a, &b), &product(&c, &d)).named("g")])
}

pub(crate) fn symmetric_product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, c) = (Table::of(given[0], m), Table::of(given[1], n));
    let lower = |i, j| sum(1.2 * c.at(i, j), m, |k| 1.5 * a.at(i, k) * a.at(j, k));
    let c = Table::new(n, n, |i, j| if j <= i { lower(i, j) } else { c.at(i, j) });
    Some(vec![c.named("c")])
}

pub(crate) fn two_symmetric_products<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, b, c) = (Table::of(given[0], m), Table::of(given[1], m), Table::of(given[2], n));
    let lower = |i, j| {
        (0..m).fold(1.2 * c.at(i, j), |sum, k| {
            sum + a.at(j, k) * b.at(i, k) + b.at(j, k) * a.at(i, k)
        })
    };
    let c = Table::new(n, n, |i, j| if j <= i { lower(i, j) } else { c.at(i, j) });
    Some(vec![c.named("c")])
}

pub(crate) fn triangular_product<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (m, n) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, b) = (Table::of(given[0], m), Table::of(given[1], n));
    let cell =
        |i: usize, j| 1.5 * (i + 1..m).fold(b.at(i, j), |sum, k| sum + a.at(k, i) * b.at(k, j));
    Some(vec![Table::new(m, n, cell).named("b")])
}

/// Below row i come terms of each row after it, in turn.
pub(crate) fn symmetric_left<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (m, n) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, b, c) = (Table::of(given[0], m), Table::of(given[1], n), Table::of(given[2], n));
    let cell = |i: usize, j| {
        let left = sum(0.0, i, |k| b.at(k, j) * a.at(i, k));
        let own = 1.2 * c.at(i, j) + 1.5 * b.at(i, j) * a.at(i, i) + 1.5 * left;
        (i + 1..m).fold(own, |sum, k| sum + 1.5 * b.at(k, j) * a.at(k, i))
    };
    Some(vec![Table::new(m, n, cell).named("c")])
}

pub(crate) fn row_products<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (r, q, p) = (size(parameters, 0)?, size(parameters, 1)?, size(parameters, 2)?);
    let (a, c) = (Table::of(given[0], p), Table::of(given[1], p));
    let cell = |row, k| sum(0.0, p, |s| a.at(row, s) * c.at(s, k));
    Some(vec![Table::new(r * q, p, cell).named("a")])
}

/// Column by column: what the columns before it leave of it, and its length.
pub(crate) fn gram_schmidt<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let a = Table::of(given[0], n);
    let mut columns: Vec<Vec<f64>> = (0..n).map(|j| (0..m).map(|i| a.at(i, j)).collect()).collect();
    let mut units: Vec<Vec<f64>> = vec![];
    let mut r = vec![None; n * n];
    for (j, column) in columns.iter_mut().enumerate() {
        for (k, unit) in units.iter().enumerate() {
            let along = sum(0.0, m, |i| unit[i] * column[i]);
            r[k * n + j] = Some(along);
            column.iter_mut().zip(unit).for_each(|(it, unit)| *it -= unit * along);
        }
        let length = sum(0.0, m, |i| column[i] * column[i]).sqrt();
        r[j * n + j] = Some(length);
        units.push(column.iter().map(|it| it / length).collect());
    }
    let rows = |of: &[Vec<f64>]| Table::new(m, n, |i, j| of[j][i]);
    let [a, q] = [rows(&columns), rows(&units)];
    Some(vec![a.named("a"), q.named("q"), partly("r", r)])
}

/// The means of columns taken away.
fn centred(a: &Table, n: usize, m: usize) -> Table {
    let means: Vec<f64> = (0..m).map(|j| sum(0.0, n, |i| a.at(i, j)) / n as f64).collect();
    Table::new(n, m, |i, j| a.at(i, j) - means[j])
}

pub(crate) fn covariance<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (m, n) = (size(parameters, 0)?, size(parameters, 1)?);
    let a = centred(&Table::of(given[0], m), n, m);
    let cell = |i: usize, j: usize| {
        let (i, j) = (i.min(j), i.max(j));
        sum(0.0, n, |k| a.at(k, i) * a.at(k, j)) / (n as f64 - 1.0)
    };
    Some(vec![Table::new(m, m, cell).named("c"), a.named("a")])
}

pub(crate) fn correlation<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (m, n) = (size(parameters, 0)?, size(parameters, 1)?);
    let a = centred(&Table::of(given[0], m), n, m);
    let deviation = |j| (sum(0.0, n, |i| a.at(i, j) * a.at(i, j)) / n as f64).sqrt();
    let deviations: Vec<f64> =
        (0..m).map(|j| if deviation(j) <= 0.1 { 1.0 } else { deviation(j) }).collect();
    let scaled = Table::new(n, m, |i, j| a.at(i, j) / ((n as f64).sqrt() * deviations[j]));
    let cell = |i: usize, j: usize| {
        let (low, high) = (i.min(j), i.max(j));
        if i == j { 1.0 } else { sum(0.0, n, |k| scaled.at(k, low) * scaled.at(k, high)) }
    };
    Some(vec![Table::new(m, m, cell).named("c"), scaled.named("a")])
}

pub(crate) fn twice_applied<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, x) = (Table::of(given[0], n), vector(given[1]));
    let t: Vec<f64> = (0..m).map(|i| sum(0.0, n, |j| a.at(i, j) * x[j])).collect();
    let y = (0..n).map(|j| sum(0.0, m, |i| a.at(i, j) * t[i]));
    Some(vec![exact("y", y.collect::<Vec<_>>().into_iter())])
}

pub(crate) fn both_sides<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, r, p) = (Table::of(given[0], m), vector(given[1]), vector(given[2]));
    let s: Vec<f64> = (0..m).map(|j| sum(0.0, n, |i| r[i] * a.at(i, j))).collect();
    let q: Vec<f64> = (0..n).map(|i| sum(0.0, m, |j| a.at(i, j) * p[j])).collect();
    Some(vec![exact("s", s.into_iter()), exact("q", q.into_iter())])
}

pub(crate) fn both_vectors<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let a = Table::of(given[0], n);
    let [p, q, x, y] = [1, 2, 3, 4].map(|it| vector(given[it]));
    let x: Vec<f64> = (0..n).map(|i| sum(x[i], n, |j| a.at(i, j) * p[j])).collect();
    let y: Vec<f64> = (0..n).map(|i| sum(y[i], n, |j| a.at(j, i) * q[j])).collect();
    Some(vec![exact("x", x.into_iter()), exact("y", y.into_iter())])
}

pub(crate) fn two_updates<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let a = Table::of(given[0], n);
    let [u, v, y, z, x] = [1, 2, 3, 4, 5].map(|it| vector(given[it]));
    let a = Table::new(n, n, |i, j| a.at(i, j) + u[i] * v[j] + y[i] * z[j]);
    let x: Vec<f64> = (0..n).map(|i| sum(x[i], n, |j| 1.2 * a.at(j, i) * y[j]) + z[i]).collect();
    let w: Vec<f64> = (0..n).map(|i| sum(0.0, n, |j| 1.5 * a.at(i, j) * x[j])).collect();
    Some(vec![a.named("a"), exact("x", x.into_iter()), exact("w", w.into_iter())])
}

pub(crate) fn sum_of_products<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (a, b, x) = (Table::of(given[0], n), Table::of(given[1], n), vector(given[2]));
    let row = |of: &Table, i| sum(0.0, n, |j| of.at(i, j) * x[j]);
    let y: Vec<f64> = (0..n).map(|i| 1.5 * row(&a, i) + 1.2 * row(&b, i)).collect();
    Some(vec![exact("y", y.into_iter())])
}

/// A grid of this many dimensions with sides of n, after k steps and after k − 1; borders stay.
fn steps(
    start: Vec<f64>,
    (n, dimensions, k): (usize, u32, usize),
    value: impl Fn(&dyn Fn(isize) -> f64) -> f64,
) -> [Vec<f64>; 2] {
    let is_inner = |cell: usize| {
        (0..dimensions).all(|it| (1..n.saturating_sub(1)).contains(&(cell / n.pow(it) % n)))
    };
    let mut both = [start.clone(), start];
    for step in 1..=k {
        let before = &both[(step - 1) % 2];
        let cell = |at: usize| {
            let near = |by: isize| before[at.wrapping_add_signed(by)];
            value(&near)
        };
        let new: Vec<(usize, f64)> =
            (0..before.len()).filter(|it| is_inner(*it)).map(|it| (it, cell(it))).collect();
        new.into_iter().for_each(|(at, value)| both[step % 2][at] = value);
    }
    both
}

fn grid<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
    dimensions: u32,
    value: impl Fn(&dyn Fn(isize) -> f64, isize) -> f64,
) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let width = isize::try_from(n).ok()?;
    let both = steps(vector(given[0]), (n, dimensions, k), |near| value(near, width));
    Some(vec![exact("u", both.concat().into_iter())])
}

pub(crate) fn jacobi_1d<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    grid(parameters, given, 1, |near, _| (near(-1) + near(0) + near(1)) / 3.0)
}

pub(crate) fn jacobi_2d<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    grid(parameters, given, 2, |near, n| (near(-n) + near(-1) + near(0) + near(1) + near(n)) / 5.0)
}

pub(crate) fn heat_3d<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    grid(parameters, given, 3, |near, n| {
        let plane = n * n;
        let sides = near(-plane) + near(plane) + near(-n) + near(n) + near(-1) + near(1);
        near(0) / 4.0 + sides / 8.0
    })
}

pub(crate) fn seidel_2d<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut u = Table::of(given[0], n);
    let inner = 1..n.saturating_sub(1);
    for _ in 0..k {
        for cell in inner.clone().flat_map(|i| inner.clone().map(move |j| i * n + j)) {
            let rows = [cell - n, cell, cell + n];
            let near = rows.iter().flat_map(|row| [row - 1, *row, row + 1]).map(|it| u.cells[it]);
            u.cells[cell] = near.reduce(|sum, it| sum + it)? / 9.0;
        }
    }
    Some(vec![u.named("u")])
}

/// y of each order from that of the order before.
pub(crate) fn toeplitz<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, r) = (size(parameters, 0)?, vector(given[0]));
    let (mut y, mut last, mut error) = (vec![-r[0]], -r[0], 1.0);
    for k in 1..n {
        error *= 1.0 - last * last;
        last = -(r[k] + sum(0.0, k, |i| r[k - i - 1] * y[i])) / error;
        y = (0..k).map(|i| y[i] + last * y[k - i - 1]).chain([last]).collect();
    }
    Some(vec![exact("y", y.into_iter())])
}

pub(crate) fn lu_solution<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (mut a, b) = (Table::of(given[0], n), vector(given[1]));
    super::linear_algebra::decomposed(n, &mut a.cells);
    let mut y: Vec<f64> = vec![];
    for (i, b) in b.iter().enumerate() {
        y.push((0..i).fold(*b, |s, j| s - a.at(i, j) * y[j]));
    }
    let mut x = y;
    for i in (0..n).rev() {
        let s = (i + 1..n).fold(x[i], |s, j| s - a.at(i, j) * x[j]);
        x[i] = s / a.at(i, i);
    }
    Some(vec![a.named("a"), exact("x", x.into_iter())])
}
