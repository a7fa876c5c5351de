//! Copies, transposes and permutations.

use std::iter;
use std::rc::Rc;

use super::{Given, Outputs, exact, partly, size};

pub(crate) fn sequential_access<'a>(parameters: &[i64], _: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, f, skip) = (size(parameters, 0)?, size(parameters, 1)?, size(parameters, 2)?);
    let runs = (0..=f).flat_map(move |s| {
        let run = (s * n / (f + 1)..(s + 1) * n / (f + 1)).map(|i| Some((i as f32).into()));
        run.chain(iter::repeat_n(None, skip))
    });
    Some(vec![partly("b", runs.take(n + f * skip))])
}

pub(crate) fn transpose<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let given: Rc<[f64]> = given[0].numbers().collect();
    let arrays = ["by_rows", "by_columns", "by_diagonals"];
    let transposed = |array| {
        let given = given.clone();
        exact(array, (0..n * n).map(move |cell| given[cell % n * n + cell / n]))
    };
    Some(arrays.map(transposed).into())
}

pub(crate) fn permute<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let [a, p] = given else { return None };
    let mut values = vec![None; a.numbers().count()];
    for (a, p) in a.numbers().zip(p.numbers()) {
        // Where two meet, either may stay: p is no permutation.
        if values.get_mut(p as usize)?.replace(a).is_some() {
            return None;
        }
    }
    Some(vec![partly("b", values)])
}

pub(crate) fn transpose_power_of_two<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Outputs<'a> {
    transpose_tiles(&[1 << size(parameters, 0)?], given)
}

pub(crate) fn transpose_tiles<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let given: Vec<f64> = given[0].numbers().collect();
    Some(vec![exact("b", (0..n * n).map(move |cell| given[cell % n * n + cell / n]))])
}

/// Where the schedule moves each number. `None` where it moves none to some place, or two.
pub(crate) fn scheduled<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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
