//! What the listings with loops on DMMs must compute.

use std::iter;

use super::{Expected, Given, deep_error, exact, floats, partly, prefix_sums_parallel, size};

pub(in crate::algorithms) fn sum<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let (n, threads) = (size(parameters, 0)?, size(parameters, 1)? * size(parameters, 2)?);
    let sum = given[0].numbers().sum();
    // Each thread adds up its numbers, then there are two trees.
    let tolerance = deep_error(given[0], n.div_ceil(threads) + 64)?;
    Some(vec![Expected { tolerance, ..exact("s", iter::once(sum)) }])
}

pub(in crate::algorithms) fn prefix_sums<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let [n, q, v] = [0, 1, 2].map(|at| size(parameters, at));
    let (n, q, v) = (n?, q?, v?);
    // A thread adds v numbers, then there is a tree; the sums of q blocks at a time are added up.
    let tolerance = deep_error(given[0], n.div_ceil(q * q * v) + 2 * v + 64)?;
    let mut all = prefix_sums_parallel(parameters, given)?;
    all.iter_mut().for_each(|it| it.tolerance = tolerance);
    Some(all)
}

pub(in crate::algorithms) fn transpose<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let given: Vec<f64> = given[0].numbers().collect();
    Some(vec![exact("b", (0..n * n).map(move |cell| given[cell % n * n + cell / n]))])
}

pub(in crate::algorithms) fn convolution<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let [x, y] = given else { return None };
    let (x, y) = (floats(*x), floats(*y));
    let number = move |i| f64::from((0..m).fold(0.0_f32, |r, j| r + x[j] * y[i + j]));
    Some(vec![exact("z", (0..n).map(number))])
}

/// Sums wrap as the listings' do.
pub(in crate::algorithms) fn summed_area_table<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let mut above = vec![0_i32; n];
    let mut of_row = 0_i32;
    let cells = given[0].numbers().enumerate().map(move |(cell, number)| {
        let x = cell % n;
        of_row = if x == 0 { number as i32 } else { of_row.wrapping_add(number as i32) };
        above[x] = above[x].wrapping_add(of_row);
        above[x].into()
    });
    Some(vec![exact("b", cells)])
}

/// `None` with an arc of negative length, or so long that a sum of two leaves the range of i32.
pub(in crate::algorithms) fn shortest_paths<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let fits = |it: f64| (0.0..=f64::from(i32::MAX / 2)).contains(&it).then_some(it);
    let mut d: Vec<f64> = given[0].numbers().map(fits).collect::<Option<_>>()?;
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
    Some(vec![exact("d", d.into_iter())])
}

/// The plane after the last step; the other one holds the step before.
pub(in crate::algorithms) fn jacobi<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let (n, steps) = (size(parameters, 0)?, usize::try_from(parameters[1].max(0)).ok()?);
    let mut u = floats(given[0]);
    let mut before = u.clone();
    for _ in 0..steps {
        before.copy_from_slice(&u);
        for i in 1..n.saturating_sub(1) {
            for j in 1..n - 1 {
                let at = i * n + j;
                u[at] = (before[at - n] + before[at - 1] + before[at + 1] + before[at + n]) / 4.0;
            }
        }
    }
    let other = iter::repeat_n(None, if steps % 2 == 0 { 0 } else { n * n });
    let cells = other.chain(u.into_iter().map(|it| Some(it.into())));
    Some(vec![partly("u", cells)])
}

/// `None` where there is a number that is none: it has no place.
pub(in crate::algorithms) fn sorted<'a>(
    _: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let mut numbers: Vec<f64> = given[0].numbers().collect();
    if numbers.iter().any(|it| it.is_nan()) {
        return None;
    }
    numbers.sort_by(f64::total_cmp);
    Some(vec![exact("a", numbers.into_iter())])
}

/// Where the schedule moves each number. `None` where it moves none to some place, or two.
pub(in crate::algorithms) fn scheduled<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let [a, s] = given else { return None };
    let schedule: Vec<usize> = s.numbers().map(|it| it as usize).collect();
    let mut now: Vec<f64> = a.numbers().collect();
    for (pass, moves) in schedule.chunks(2 * n * n).enumerate() {
        let (from, to) = moves.split_at_checked(n * n)?;
        let mut moved = vec![None; n * n];
        for (at, (&from, &to)) in from.iter().zip(to).enumerate() {
            let row = at / n * n..(at / n + 1) * n;
            let place = moved.get_mut(row.clone())?.get_mut(to)?;
            if place.replace(*now.get(row)?.get(from)?).is_some() {
                return None;
            }
        }
        now = moved.into_iter().collect::<Option<_>>()?;
        if pass < 2 {
            now = (0..n * n).map(|cell| now[cell % n * n + cell / n]).collect();
        }
    }
    Some(vec![exact("b", now.into_iter())])
}

/// Sellers 1980: row by row of the pattern's letters, with nothing to pay for what precedes a match.
pub(in crate::algorithms) fn string_matching<'a>(
    _: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let [x, y] = given else { return None };
    let y: Vec<f64> = y.numbers().collect();
    let mut row = vec![0_u32; y.len() + 1];
    for letter in x.numbers() {
        let mut diagonal = row[0];
        row[0] += 1;
        for j in 1..row.len() {
            let least =
                (diagonal + u32::from(letter != y[j - 1])).min(row[j] + 1).min(row[j - 1] + 1);
            diagonal = std::mem::replace(&mut row[j], least);
        }
    }
    Some(vec![exact("e", row.into_iter().skip(1).map(f64::from))])
}
