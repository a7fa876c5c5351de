//! Sequences of letters.

use super::{Given, Outputs, exact, floats, integers, partly, size, whole};

/// Row i + j, column i of the array: the length for the first i letters of a and the first j of b.
pub(crate) fn lcs<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [a, b] = given else { return None };
    let (a, b): (Vec<f64>, Vec<f64>) = (a.numbers().collect(), b.numbers().collect());
    let at = move |i: usize, j: usize| i * (n + 1) + j;
    let mut table = vec![0_u32; (n + 1) * (n + 1)];
    for i in 1..=n {
        for j in 1..=n {
            table[at(i, j)] = if a[i - 1] == b[j - 1] {
                table[at(i - 1, j - 1)] + 1
            } else {
                table[at(i - 1, j)].max(table[at(i, j - 1)])
            };
        }
    }
    let cells = (0..(2 * n + 1) * (n + 1)).map(move |cell| {
        let (diagonal, i) = (cell / (n + 1), cell % (n + 1));
        let j = diagonal.checked_sub(i).filter(|&j| j <= n)?;
        Some(table[at(i, j)].into())
    });
    Some(vec![partly("L", cells)])
}

/// Sellers 1980: row by row of the pattern's letters, with nothing to pay for what precedes a match.
pub(crate) fn string_matching<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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

/// The last base of a word has no partner, or one that parts the rest.
pub(crate) fn nussinov<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let x = integers(given[0]);
    let mut most = vec![vec![0_i64; n + 1]; n + 1];
    for i in (0..n).rev() {
        for j in i + 2..=n {
            let partners = (i..j - 1).filter(|&k| x[k] + x[j - 1] == 3);
            let paired = partners.map(|k| most[i][k] + most[k + 1][j - 1] + 1).max();
            most[i][j] = most[i][j - 1].max(paired.unwrap_or(0));
        }
    }
    let cells = (0..(n + 1) * (n + 1)).map(move |cell| {
        let (i, j) = (cell / (n + 1), cell % (n + 1));
        (i <= j).then(|| most[i][j] as f64)
    });
    Some(vec![partly("N", cells)])
}

/// The last letters are paired, or one of them is left out.
pub(crate) fn edit_distance<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (a, b) = (integers(given[0]), integers(given[1]));
    let mut table: Vec<Vec<i64>> = vec![(0..=n as i64).collect()];
    for (i, a) in (1..).zip(a) {
        let above = &table[i as usize - 1];
        let mut row = vec![i];
        for j in 1..=n {
            let change = i64::from(a != b[j - 1]);
            row.push((above[j - 1] + change).min(above[j] + 1).min(row[j - 1] + 1));
        }
        table.push(row);
    }
    Some(vec![whole("D", table.into_iter().flatten())])
}

/// Row i + j, column i, as of the longest common subsequence. `None` where a score may leave i32.
pub(crate) fn local_alignment<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, [equal, other, gap]) = (size(parameters, 0)?, [1, 2, 3].map(|it| parameters[it]));
    let small =
        [equal, other, gap].iter().all(|it| it.abs() < i64::from(i32::MAX) / (2 * n as i64 + 2));
    let (a, b) = (integers(given[0]), integers(given[1]));
    let mut score = vec![vec![0_i64; n + 1]; n + 1];
    for i in 1..=n {
        for j in 1..=n {
            let pair = if a[i - 1] == b[j - 1] { equal } else { other };
            let gaps = score[i - 1][j].max(score[i][j - 1]) - gap;
            score[i][j] = gaps.max(score[i - 1][j - 1] + pair).max(0);
        }
    }
    let best = score.iter().flatten().max().copied()?;
    let cells = (0..(2 * n + 1) * (n + 1)).map(move |cell| {
        let (diagonal, i) = (cell / (n + 1), cell % (n + 1));
        let j = diagonal.checked_sub(i).filter(|&j| j <= n)?;
        Some(score[i][j] as f64)
    });
    small.then(|| vec![partly("H", cells), whole("best", [best])])
}

/// f32 sums in the only order that there is. `None` where a number is none.
pub(crate) fn time_warping<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let (a, b) = (floats(given[0]), floats(given[1]));
    let mut table = vec![vec![f32::INFINITY; n + 1]; n + 1];
    table[0][0] = 0.0;
    for i in 1..=n {
        for j in 1..=n {
            let before = table[i - 1][j - 1].min(table[i - 1][j]).min(table[i][j - 1]);
            table[i][j] = (a[i - 1] - b[j - 1]).abs() + before;
        }
    }
    let known = a.iter().chain(&b).all(|it| it.is_finite());
    known.then(|| vec![exact("D", table.into_iter().flatten().map(f64::from))])
}

/// Every place compared with the pattern.
pub(crate) fn ends_of_matches<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (x, y) = (integers(given[0]), integers(given[1]));
    let ends = move |i: usize| y[..=i].ends_with(&x);
    Some(vec![whole("ends", (0..given[1].numbers().count()).map(ends))])
}
