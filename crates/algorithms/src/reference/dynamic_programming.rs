//! Tables of recurrences.

use super::{Expected, Given, Outputs, exact, floats, integers, partly, size, whole};
use memory_machine_geometry::opt;
use memory_machine_geometry::opt::matrix_chain::MatrixChain;

pub(crate) fn optimal_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j], parameters, given)
}

pub(crate) fn sliding_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    arranged_triangulation("S", |n, i, j| vec![(i + n - 1 - j) * n + j], parameters, given)
}

pub(crate) fn mirrored_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j, j * n + i], parameters, given)
}

/// The table of OPT in an array of `n × n` in which `places(n, i, j)` hold `M[i][j]`.
fn arranged_triangulation<'a>(
    array: &'static str,
    places: impl Fn(usize, usize, usize) -> Vec<usize>,
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let c = floats(given[0]);
    let table = opt::reference::table(n, &c);
    drop(c);
    let mut values = vec![None; n * n];
    for i in 1..n {
        for j in i..n {
            for place in places(n, i, j) {
                values[place] = Some(table[i * n + j]);
            }
        }
    }
    let values = values.into_iter().map(|value: Option<f32>| value.map(f64::from));
    Some(vec![partly(array, values)])
}

pub(crate) fn matrix_chain<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let whole = |p: f64| (p.fract() == 0.0 && p >= 0.0).then_some(p as u64);
    let dimensions: Vec<u64> = given[0].numbers().map(whole).collect::<Option<_>>()?;
    let table = opt::reference::solve(&MatrixChain::new(&dimensions).ok()?);
    let cells = (0..table.len()).map(move |cell| {
        let (i, j) = (cell / (n + 1), cell % (n + 1));
        (1 <= i && i <= j).then(|| table[cell])
    });
    Some(vec![partly("M", cells)])
}

/// Best values by weight, things one after another. `None` with weights or values below 0, or sums
/// that leave the range of i32.
pub(crate) fn knapsack<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let capacity = size(parameters, 1)?;
    let (weights, values) = (integers(given[0]), integers(given[1]));
    let least = weights.iter().chain(&values).min()?;
    if *least < 0 || values.iter().sum::<i64>() > i64::from(i32::MAX) {
        return None;
    }
    let mut best = vec![0; capacity + 1];
    let mut table = best.clone();
    for (&weight, value) in weights.iter().zip(values) {
        for w in (usize::try_from(weight).ok()?..=capacity).rev() {
            best[w] = best[w].max(best[w - weight as usize] + value);
        }
        table.extend_from_slice(&best);
    }
    Some(vec![whole("V", table)])
}

/// By the definition: the least cost of a root and of the best trees on both sides of it.
pub(crate) fn search_tree<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (p, q): (Vec<f64>, Vec<f64>) = (given[0].numbers().collect(), given[1].numbers().collect());
    if p.iter().chain(&q).any(|it| !(0.0..1e300).contains(it)) {
        return None;
    }
    let at = move |i: usize, j: usize| i * (n + 1) + j;
    let mut cost = vec![None; (n + 2) * (n + 1)];
    for i in (1..=n + 1).rev() {
        cost[at(i, i - 1)] = Some(q[i - 1]);
        for j in i..=n {
            let searched = p[i..=j].iter().sum::<f64>() + q[i - 1..=j].iter().sum::<f64>();
            let trees = (i..=j).filter_map(|r| Some(cost[at(i, r - 1)]? + cost[at(r + 1, j)]?));
            cost[at(i, j)] = Some(trees.fold(f64::INFINITY, f64::min) + searched);
        }
    }
    let all = cost[at(1, n)].unwrap_or(0.0);
    let tolerance = 8.0 * (n + 1) as f64 * f64::EPSILON * all;
    Some(vec![Expected { tolerance, ..partly("e", cost) }])
}

/// The variables that make each word, as bits. `None` with an x that is no letter.
pub(crate) fn cyk<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, v) = (size(parameters, 0)?, size(parameters, 1)?);
    let [x, letter, rule] = given else { return None };
    let letter: Vec<f64> = letter.numbers().collect();
    let rules: Vec<[usize; 3]> = (0..)
        .zip(rule.numbers())
        .filter(|it| it.1 != 0.0)
        .map(|(cell, _)| [cell / (v * v), cell / v % v, cell % v])
        .collect();
    // By first letter and by the one after the last.
    let mut made = vec![vec![vec![false; v]; n + 1]; n];
    for (i, x) in x.numbers().enumerate() {
        for a in 0..v {
            made[i][i + 1][a] = *letter[4 * a..4 * a + 4].get(x as usize)? != 0.0;
        }
    }
    for i in (0..n).rev() {
        for j in i + 2..=n {
            for m in i + 1..j {
                for &[a, b, c] in &rules {
                    made[i][j][a] |= made[i][m][b] && made[m][j][c];
                }
            }
        }
    }
    let cells = (0..(n + 1) * n * v).map(move |cell| {
        let (s, i, a) = (cell / (n * v), cell / v % n, cell % v);
        (s > 0 && i + s <= n).then(|| f64::from(u8::from(made[i][i + s][a])))
    });
    Some(vec![partly("T", cells)])
}

/// `None` where an observation is none, or a sum no number.
pub(crate) fn viterbi<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let s = size(parameters, 1)?;
    let [x, begin, go, see] = given else { return None };
    let (begin, go, see) = (floats(*begin), floats(*go), floats(*see));
    let (mut most, mut from) = (vec![], vec![]);
    let mut before: Vec<f32> = vec![];
    for x in x.numbers() {
        let seen = |j: usize| see[4 * j..4 * j + 4].get(x as usize);
        let mut now = vec![];
        for j in 0..s {
            // The first of the best, as `max_by` gives the last.
            let come = (0..before.len()).rev().map(|h| (h, before[h] + go[h * s + j]));
            let best = come.max_by(|a, b| a.1.total_cmp(&b.1));
            let (h, best) = best.unwrap_or((j, begin[j]));
            now.push(best + seen(j)?);
            from.push(h as i64);
        }
        most.extend(now.iter().map(|&it| f64::from(it)));
        before = now;
    }
    let known = most.iter().all(|it| it.is_finite());
    known.then(|| vec![exact("D", most.into_iter()), whole("from", from)])
}

/// By patience: the least last key of the increasing subsequences of each length.
pub(crate) fn increasing_subsequence<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut least: Vec<i64> = vec![];
    let length = |key: i64| {
        let shorter = least.partition_point(|&it| it < key);
        least.truncate(least.len().max(shorter));
        match least.get_mut(shorter) {
            Some(last) => *last = key,
            None => least.push(key),
        }
        shorter as i64 + 1
    };
    let lengths: Vec<i64> = integers(given[0]).into_iter().map(length).collect();
    let longest = lengths.iter().max().copied()?;
    Some(vec![whole("L", lengths), whole("longest", [longest])])
}

/// Pieces one length after another. `None` with a price below 0, or sums that leave the range of i32.
pub(crate) fn rod_cutting<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let prices = integers(given[0]);
    let mut best = vec![0_i64; prices.len()];
    for (piece, &price) in prices.iter().enumerate().skip(1) {
        for length in piece..best.len() {
            best[length] = best[length].max(best[length - piece] + price);
        }
    }
    let fits = best.iter().all(|&it| it <= i64::from(i32::MAX));
    (fits && prices.iter().skip(1).all(|&it| it >= 0)).then(|| vec![whole("r", best)])
}
