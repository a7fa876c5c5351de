//! Sums and prefix-sums.

use std::iter;

use super::{Expected, Given, Outputs, deep_error, exact, integers, size, tree_error, whole};

pub(crate) fn prefix_sums<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut r = 0.0_f32;
    let sums = given[0].numbers().map(move |b| {
        r += b as f32;
        r.into()
    });
    Some(vec![exact("b", sums)])
}

pub(crate) fn prefix_sums_parallel<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut r = 0.0;
    let sums = given[0].numbers().map(move |b| {
        r += b;
        r
    });
    Some(vec![Expected { tolerance: tree_error(given[0])?, ..exact("b", sums) }])
}

pub(crate) fn sum<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let sum = given[0].numbers().sum();
    Some(vec![Expected { tolerance: tree_error(given[0])?, ..exact("a", iter::once(sum)) }])
}

pub(crate) fn sum_of_blocks<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, threads) = (size(parameters, 0)?, size(parameters, 1)? * size(parameters, 2)?);
    let sum = given[0].numbers().sum();
    // Each thread adds up its numbers, then there are two trees.
    let tolerance = deep_error(given[0], n.div_ceil(threads) + 64)?;
    Some(vec![Expected { tolerance, ..exact("s", iter::once(sum)) }])
}

pub(crate) fn prefix_sums_of_blocks<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let [n, q, v] = [0, 1, 2].map(|at| size(parameters, at));
    let (n, q, v) = (n?, q?, v?);
    // A thread adds v numbers, then there is a tree; the sums of q blocks at a time are added up.
    let tolerance = deep_error(given[0], n.div_ceil(q * q * v) + 2 * v + 64)?;
    let mut all = prefix_sums_parallel(parameters, given)?;
    all.iter_mut().for_each(|it| it.tolerance = tolerance);
    Some(all)
}

pub(crate) fn prefix_sums_of_rows<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [n, q] = [0, 2].map(|at| size(parameters, at));
    let (n, q) = (n?, q?);
    let (mut r, mut at) = (0.0, 0);
    let sums = given[0].numbers().map(move |b| {
        r = if at % n == 0 { b } else { r + b };
        at += 1;
        r
    });
    // Trees of warps, whose sums are added up one after another.
    let tolerance = deep_error(given[0], n.div_ceil(q) * (q + 64))?;
    Some(vec![Expected { tolerance, ..exact("b", sums) }])
}

/// Sums wrap as the listings' do.
pub(crate) fn wrapping_sums<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut r = 0_i32;
    let sums = given[0].numbers().map(move |a| {
        r = r.wrapping_add(a as i32);
        r
    });
    Some(vec![whole("a", sums)])
}

pub(crate) fn sums_before<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut r = 0_i32;
    let sums = given[0].numbers().map(move |a| {
        let before = r;
        r = r.wrapping_add(a as i32);
        before
    });
    Some(vec![whole("a", sums)])
}

pub(crate) fn segmented_sums<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, begins] = given else { return None };
    let mut r = 0_i32;
    let sums = a.numbers().zip(begins.numbers()).map(move |(a, begins)| {
        r = if begins == 0.0 { r.wrapping_add(a as i32) } else { a as i32 };
        r
    });
    Some(vec![whole("a", sums)])
}

pub(crate) fn compact<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, keep] = given else { return None };
    let kept = a.numbers().zip(keep.numbers()).filter(|it| it.1 != 0.0).map(|it| it.0);
    let count = keep.numbers().filter(|&it| it != 0.0).count() as f64;
    Some(vec![exact("b", kept), exact("kept", iter::once(count))])
}

/// The greatest difference of two prefix-sums. `None` where one leaves the range of i32.
pub(crate) fn maximum_subarray<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (mut sum, mut least, mut most, mut best) = (0, 0, 0, 0);
    for a in integers(given[0]) {
        sum += a - parameters[1];
        least = least.min(sum);
        most = most.max(sum);
        best = best.max(sum - least);
    }
    (most - least <= i64::from(i32::MAX)).then(|| vec![whole("best", [best])])
}
