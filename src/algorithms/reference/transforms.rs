//! Transforms and convolutions.

use super::{Expected, Given, Outputs, exact, floats, integers, size, whole};

pub(in crate::algorithms) fn convolution<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let [x, y] = given else { return None };
    let (x, y) = (floats(*x), floats(*y));
    let number = move |i| f64::from((0..m).fold(0.0_f32, |r, j| r + x[j] * y[i + j]));
    Some(vec![exact("z", (0..n).map(number))])
}

/// Term by term: the sign is that of the bits that both numbers have.
pub(in crate::algorithms) fn walsh_hadamard<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = 1_usize << size(parameters, 0)?;
    let a = integers(given[0]);
    let sum = move |i: usize| {
        let terms = (0..n).map(|j| if (i & j).count_ones() % 2 == 0 { a[j] } else { -a[j] });
        terms.sum::<i64>() as i32
    };
    Some(vec![whole("a", (0..n).map(sum))])
}

/// From the mean of all to those of pairs: cell 2^s + i has half the difference between the means of
/// the halves of the i-th of 2^s parts.
pub(in crate::algorithms) fn haar<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = 1_usize << size(parameters, 0)?;
    let a: Vec<f64> = given[0].numbers().collect();
    let largest = a.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    let tolerance = largest * f64::EPSILON * 4.0 * (n as f64).log2();
    let cell = move |cell: usize| {
        let mean = |from: usize, count: usize| {
            a[from..from + count].iter().map(|it| it / count as f64).sum::<f64>()
        };
        let Some(s) = cell.checked_ilog2() else { return mean(0, n) };
        let (part, half) = (cell - (1 << s), n >> (s + 1));
        (mean(part * 2 * half, half) - mean(part * 2 * half + half, half)) / 2.0
    };
    Some(vec![Expected { tolerance, ..exact("a", (0..n).map(cell)) }])
}

/// The polynomial's values at the powers of the root. `None` where a number is not one modulo p.
pub(in crate::algorithms) fn number_theoretic<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    const P: u64 = 119 << 23 | 1;
    let n = 1_usize << size(parameters, 0)?;
    let power = |base: u64, e: u64| (0..e).fold(1, |r, _| r * base % P);
    let root = (0..23 - parameters[0]).fold(power(3, 119), |r, _| r * r % P);
    let is_one = |a: f64| (0.0..P as f64).contains(&a).then_some(a as u64);
    let a: Vec<u64> = given[0].numbers().map(is_one).collect::<Option<_>>()?;
    let value = move |i: usize| {
        let x = power(root, i as u64);
        a.iter().rev().fold(0, |value, a| (value * x + a) % P) as i64
    };
    Some(vec![whole("a", (0..n).map(value))])
}
