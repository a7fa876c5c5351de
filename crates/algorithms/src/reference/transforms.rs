//! Transforms and convolutions.

use std::iter;

use super::{Expected, Given, Outputs, exact, floats, integers, partly, size, whole};

pub(crate) fn convolution<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let [x, y] = given else { return None };
    let (x, y) = (floats(*x), floats(*y));
    let number = move |i| f64::from((0..m).fold(0.0_f32, |r, j| r + x[j] * y[i + j]));
    Some(vec![exact("z", (0..n).map(number))])
}

/// By halves: the transform of a half is that of the other one's sign.
pub(crate) fn walsh_hadamard<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    fn transform(a: &[i64]) -> Vec<i64> {
        let (low, high) = a.split_at(a.len() / 2);
        if low.is_empty() {
            return a.to_vec();
        }
        let (low, high) = (transform(low), transform(high));
        let pairs = || low.iter().zip(&high);
        pairs().map(|(x, y)| x + y).chain(pairs().map(|(x, y)| x - y)).collect()
    }
    Some(vec![whole("a", transform(&integers(given[0])).into_iter().map(|it| it as i32))])
}

/// From sums of all numbers before: cell 2^s + i has half the difference between the means of the
/// halves of the i-th of 2^s parts, cell 0 the mean of all.
pub(crate) fn haar<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = 1_usize << size(parameters, 0)?;
    let mut before = vec![0.0];
    let mut magnitude = 0.0;
    for a in given[0].numbers() {
        before.push(before[before.len() - 1] + a);
        magnitude += a.abs();
    }
    let tolerance = magnitude * f64::EPSILON * n as f64;
    let cell = move |cell: usize| {
        let mean = |from: usize, count: usize| (before[from + count] - before[from]) / count as f64;
        let Some(s) = cell.checked_ilog2() else { return mean(0, n) };
        let (part, half) = (cell - (1 << s), n >> (s + 1));
        (mean(part * 2 * half, half) - mean(part * 2 * half + half, half)) / 2.0
    };
    magnitude.is_finite().then(|| vec![Expected { tolerance, ..exact("a", (0..n).map(cell)) }])
}

/// By even and odd places: the polynomial's values at the powers of the root. `None` where a number is
/// not one modulo p.
pub(crate) fn number_theoretic<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    const P: u64 = 119 << 23 | 1;
    fn values(a: &[u64], root: u64) -> Vec<u64> {
        if a.len() == 1 {
            return a.to_vec();
        }
        let half = |from: usize| {
            let a: Vec<u64> = a.iter().skip(from).step_by(2).copied().collect();
            values(&a, root * root % P)
        };
        let (even, odd) = (half(0), half(1));
        let powers = iter::successors(Some(1), |r| Some(r * root % P)).take(a.len());
        let value = |(i, power)| (even[i % even.len()] + power * odd[i % odd.len()]) % P;
        powers.enumerate().map(value).collect()
    }
    let power = (0..119).fold(1, |r, _| r * 3 % P);
    let root = (0..23 - parameters[0]).fold(power, |r, _| r * r % P);
    let is_one = |a: f64| (0.0..P as f64).contains(&a).then_some(a as u64);
    let a: Vec<u64> = given[0].numbers().map(is_one).collect::<Option<_>>()?;
    Some(vec![whole("a", values(&a, root).into_iter().map(|it| it as i64))])
}

/// The sums `a[j]·e^(turn·i·j·r/n)`, by even and odd j.
fn fourier(a: &[[f64; 2]], turn: f64) -> Vec<[f64; 2]> {
    if a.len() == 1 {
        return a.to_vec();
    }
    let half =
        |from: usize| fourier(&a.iter().skip(from).step_by(2).copied().collect::<Vec<_>>(), turn);
    let (even, odd) = (half(0), half(1));
    let sum = |r: usize| {
        let (sin, cos) = (turn * r as f64 / a.len() as f64).sin_cos();
        let ([x, y], [u, v]) = (even[r % even.len()], odd[r % odd.len()]);
        [x + u * cos - v * sin, y + u * sin + v * cos]
    };
    (0..a.len()).map(sum).collect()
}

/// In arrays x and y, behind cells that do not matter.
fn fourier_behind<'a>(given: &[&'a dyn Given], turn: f64, behind: usize) -> Outputs<'a> {
    let [a, b] = given else { return None };
    let a: Vec<[f64; 2]> = a.numbers().zip(b.numbers()).map(|(a, b)| [a, b]).collect();
    let magnitude: f64 = a.iter().map(|it| it[0].abs() + it[1].abs()).sum();
    let tolerance = 4.0 * f64::EPSILON * magnitude * (a.len() as f64);
    let sums = fourier(&a, turn);
    let part = |array, of: usize| {
        let parts: Vec<_> = sums.iter().map(|it| Some(it[of])).collect();
        let cells = iter::repeat_n(None, behind * a.len()).chain(parts);
        Expected { tolerance, ..partly(array, cells) }
    };
    magnitude.is_finite().then(|| vec![part("x", 0), part("y", 1)])
}

/// Of rows of 1024 numbers, in single precision.
pub(crate) fn fft_of_rows<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, b] = given else { return None };
    let all: Vec<[f64; 2]> = a.numbers().zip(b.numbers()).map(|(a, b)| [a, b]).collect();
    let sum = |row: &[[f64; 2]]| row.iter().map(|it| it[0].abs() + it[1].abs()).sum::<f64>();
    let magnitude = all.chunks(1024).map(sum).fold(0.0, f64::max);
    let tolerance = 10.0 * f64::from(f32::EPSILON) * magnitude;
    let sums: Vec<_> =
        all.chunks(1024).flat_map(|row| fourier(row, -std::f64::consts::TAU)).collect();
    let part = |array, of: usize| {
        let cells: Vec<_> = sums.iter().map(|it| it[of]).collect();
        Expected { tolerance, ..exact(array, cells.into_iter()) }
    };
    magnitude.is_finite().then(|| vec![part("x", 0), part("y", 1)])
}

pub(crate) fn fft<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    fourier_behind(given, std::f64::consts::TAU, 0)
}

pub(crate) fn fft_by_turns<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    fourier_behind(given, -std::f64::consts::TAU, size(parameters, 0)? % 2)
}

/// By the definition, with angles below a full turn.
pub(crate) fn cosine_transform<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let t = size(parameters, 1)?;
    let a: Vec<f64> = given[0].numbers().collect();
    let largest = a.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    let tolerance = 64.0 * f64::EPSILON * largest * (t * t) as f64;
    let mut sums = vec![];
    for block in a.chunks(t) {
        for u in 0..t {
            let term = |(j, a): (usize, &f64)| {
                let turns = (2 * j + 1) * u % (4 * t);
                a * (std::f64::consts::TAU * turns as f64 / (4 * t) as f64).cos()
            };
            let scale = if u == 0 { 1.0 } else { 2.0 } / t as f64;
            sums.push(block.iter().enumerate().map(term).sum::<f64>() * scale.sqrt());
        }
    }
    largest.is_finite().then(|| vec![Expected { tolerance, ..exact("b", sums.into_iter()) }])
}
