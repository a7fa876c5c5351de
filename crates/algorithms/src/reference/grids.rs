//! Stencils, images and cellular automata.

use std::collections::VecDeque;
use std::iter;

use super::{Expected, Given, Outputs, exact, floats, partly, size, whole};

/// Sums wrap as the listings' do.
pub(crate) fn summed_area_table<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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

/// The plane after the last step; the other one holds the step before.
pub(crate) fn jacobi<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
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

/// The plane after the last of k steps, where listings keep two by turns.
fn last_plane<'a>(steps: i64, plane: Vec<f64>) -> Expected<'a> {
    let other = iter::repeat_n(None, if steps % 2 == 0 { 0 } else { plane.len() });
    partly("u", other.chain(plane.into_iter().map(Some)))
}

/// Each living cell counts for its eight neighbours. `None` below k = 0.
pub(crate) fn life<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut alive: Vec<f64> = given[0].numbers().collect();
    for _ in 0..k {
        let mut neighbours = vec![0; n * n];
        for cell in (0..n * n).filter(|&cell| alive[cell] == 1.0) {
            for (y, x) in (0..9).map(|it| (it / 3, it % 3)).filter(|&it| it != (1, 1)) {
                // From one row and column before on.
                neighbours[(cell / n + y + n - 1) % n * n + (cell % n + x + n - 1) % n] += 1;
            }
        }
        for (alive, count) in alive.iter_mut().zip(neighbours) {
            *alive = f64::from(u8::from(count == 3 || count == 2 && *alive == 1.0));
        }
    }
    Some(vec![last_plane(parameters[1], alive)])
}

pub(crate) fn elementary_automaton<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut row: Vec<bool> = given[0].numbers().map(|it| it == 1.0).collect();
    let mut rows = row.clone();
    for _ in 0..k {
        let three = |i: usize| [(i + n - 1) % n, i, (i + 1) % n].map(|it| row[it]);
        let number = |i| three(i).into_iter().fold(0, |r, bit| 2 * r + u32::from(bit));
        row = (0..n).map(|i| parameters[2] >> number(i) & 1 == 1).collect();
        rows.extend(&row);
    }
    Some(vec![whole("u", rows)])
}

/// Points of a colour need those of the other colour alone, so they may go in any order.
pub(crate) fn red_black<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut u: Vec<f64> = given[0].numbers().collect();
    let inner = |at: &usize| (1..n - 1).contains(&(at / n)) && (1..n - 1).contains(&(at % n));
    for sweep in 0..2 * k {
        for at in (0..n * n).rev().filter(inner).filter(|at| (at / n + at % n) % 2 == sweep % 2) {
            u[at] = (u[at - n] + u[at - 1] + u[at + 1] + u[at + n]) / 4.0;
        }
    }
    Some(vec![exact("u", u.into_iter())])
}

pub(crate) fn nine_point<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut u: Vec<f64> = given[0].numbers().collect();
    for _ in 0..k {
        let before = u.clone();
        let sum = |at: [usize; 4]| at.iter().skip(1).fold(before[at[0]], |s, &it| s + before[it]);
        let inner = |at: &usize| [at / n, at % n].iter().all(|it| (1..n - 1).contains(it));
        for at in (0..n * n).filter(inner) {
            let near = sum([at - n, at - 1, at + 1, at + n]);
            let far = sum([at - n - 1, at - n + 1, at + n - 1, at + n + 1]);
            u[at] = (4.0 * near + far) / 20.0;
        }
    }
    Some(vec![last_plane(parameters[1], u)])
}

pub(crate) fn heat<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut u: Vec<f64> = given[0].numbers().collect();
    let inner =
        |at: &usize| [at / (n * n), at / n % n, at % n].iter().all(|it| (1..n - 1).contains(it));
    for _ in 0..2 * k {
        let before = u.clone();
        for at in (0..n * n * n).filter(inner) {
            let around = [at - n * n, at + n * n, at - n, at + n].map(|it| before[it]);
            let across = around.into_iter().skip(1).fold(around[0], |s, it| s + it);
            let sum = across + before[at - 1] + before[at + 1];
            u[at] = before[at] / 4.0 + sum / 8.0;
        }
    }
    Some(vec![exact("u", u.into_iter())])
}

pub(crate) fn image_filter<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let (a, f) = (floats(given[0]), floats(given[1]));
    let pixel = move |row: usize, column: usize| {
        let inside = |at: usize| at.checked_sub(m / 2).filter(|&it| it < n);
        (0..m * m).fold(0.0_f32, |s, at| match (inside(row + at / m), inside(column + at % m)) {
            (Some(r), Some(c)) => s + f[at] * a[r * n + c],
            _ => s,
        })
    };
    Some(vec![exact("b", (0..n * n).map(move |at| pixel(at / n, at % n).into()))])
}

/// The middle of nine sorted numbers. `None` where one is none.
pub(crate) fn median_filter<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let a: Vec<f64> = given[0].numbers().collect();
    let known = a.iter().all(|it| !it.is_nan());
    let clamped = move |at: usize, by: usize| (at + by).saturating_sub(1).min(n - 1);
    let middle = move |at: usize| {
        let mut nine: Vec<f64> =
            (0..9).map(|by| a[clamped(at / n, by / 3) * n + clamped(at % n, by % 3)]).collect();
        nine.sort_by(f64::total_cmp);
        nine[4]
    };
    known.then(|| vec![exact("b", (0..n * n).map(middle))])
}

/// Step by step from all points at once.
pub(crate) fn distance_transform<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let points = given[0].numbers().enumerate().filter(|it| it.1 == 1.0).map(|it| it.0);
    let mut open: VecDeque<usize> = points.collect();
    let mut steps = vec![2 * parameters[0]; n * n];
    open.iter().for_each(|&at| steps[at] = 0);
    while let Some(at) = open.pop_front() {
        let (row, column) = (at / n, at % n);
        let beside = [(row.wrapping_sub(1), column), (row + 1, column)];
        let around = [(row, column.wrapping_sub(1)), (row, column + 1)];
        for (row, column) in beside.into_iter().chain(around) {
            if row < n && column < n && steps[row * n + column] > steps[at] + 1 {
                steps[row * n + column] = steps[at] + 1;
                open.push_back(row * n + column);
            }
        }
    }
    Some(vec![whole("d", steps)])
}

pub(crate) fn mandelbrot<'a>(parameters: &[i64], _: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, most) = (parameters[0], parameters[1]);
    let steps = move |cell: i64| {
        let at = |of: i64| 3.0 * of as f64 / n as f64;
        let (x0, y0) = (at(cell % n) - 2.0, at(cell / n) - 1.5);
        let z = iter::successors(Some((0.0, 0.0)), |&(x, y): &(f64, f64)| {
            Some((x * x - y * y + x0, 2.0 * x * y + y0))
        });
        let near = z.take_while(|(x, y)| x * x + y * y <= 4.0);
        near.take(usize::try_from(most).unwrap_or(0)).count() as i64
    };
    Some(vec![whole("steps", (0..n * n).map(steps))])
}
