//! The kernels of PolyBench 4.2 that go over a table again and again: waves, heat by lines, filters.

use super::polybench::{Table, vector};
use super::{Given, Outputs, exact, size};

/// Waves in two dimensions, by differences in space and time in turn.
pub(crate) fn waves<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let n = size(parameters, 0)?;
    let [source, x, y, h] = given else { return None };
    let source = vector(*source);
    let [mut x, mut y, mut h] = [x, y, h].map(|it| Table::of(*it, n));
    for now in source {
        y = Table::new(n, n, |i, j| match i {
            0 => now,
            _ => y.at(i, j) - 0.5 * (h.at(i, j) - h.at(i - 1, j)),
        });
        x = Table::new(n, n, |i, j| match j {
            0 => x.at(i, j),
            _ => x.at(i, j) - 0.5 * (h.at(i, j) - h.at(i, j - 1)),
        });
        let turn = |i, j| x.at(i, j + 1) - x.at(i, j) + y.at(i + 1, j) - y.at(i, j);
        h = Table::new(n, n, |i, j| match i + 1 < n && j + 1 < n {
            true => h.at(i, j) - 0.7 * turn(i, j),
            false => h.at(i, j),
        });
    }
    Some(vec![x.named("x"), y.named("y"), h.named("h")])
}

/// Half a step: each inner line of the result solves a tridiagonal system, by elimination and back; its
/// ends are 1, and the lines on the border stay those of `border`.
fn half_step(w: &Table, border: &Table, [explicit, implicit]: [f64; 2]) -> Table {
    let (n, middle) = (w.columns, 1.0 - 2.0 * implicit);
    let mut result = border.clone();
    for i in 1..n.saturating_sub(1) {
        let (mut p, mut q) = (vec![0.0], vec![1.0]);
        for j in 1..n - 1 {
            let pivot = implicit * p[j - 1] + middle;
            let around = -explicit * w.at(i - 1, j) + (1.0 + 2.0 * explicit) * w.at(i, j)
                - explicit * w.at(i + 1, j);
            q.push((around - implicit * q[j - 1]) / pivot);
            p.push(-implicit / pivot);
        }
        let row = &mut result.cells[i * n..(i + 1) * n];
        (row[0], row[n - 1]) = (1.0, 1.0);
        for j in (1..n - 1).rev() {
            row[j] = p[j] * row[j + 1] + q[j];
        }
    }
    result
}

fn transposed(of: &Table) -> Table {
    Table::new(of.columns, of.columns, |i, j| of.at(j, i))
}

/// Heat in a plate, implicit along columns and along rows in turn.
pub(crate) fn heat_by_lines<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, k) = (size(parameters, 0)?, size(parameters, 1)?);
    let mut u = Table::of(given[0], n);
    let (side, steps) = (n as f64, k as f64);
    let along_columns = -(2.0 / steps * side * side) / 2.0;
    let along_rows = -(1.0 / steps * side * side) / 2.0;
    for _ in 0..k {
        let turned = transposed(&u);
        let v = transposed(&half_step(&turned, &turned, [along_rows, along_columns]));
        u = half_step(&v, &u, [along_columns, along_rows]);
    }
    Some(vec![u.named("u")])
}

/// A line filtered forth and back, both added.
fn filtered(line: &[f64]) -> Vec<f64> {
    // exp(−1/4), exp(1/2), exp(−1/2) and 2 to the power of −1/4, as the listing writes them.
    let [e, root, inverse, p] = [
        0.778_800_783_071_404_9,
        1.648_721_270_700_128_2,
        0.606_530_659_712_633_4,
        0.840_896_415_253_714_5,
    ];
    let k = (1.0 - e) * (1.0 - e) / (1.0 + 0.5 * e - root);
    let (a, b) = (k * e * (0.25 - 1.0), k * e * (0.25 + 1.0));
    let c = -k * inverse;
    let q = -inverse;
    let (mut forth, mut back) = (vec![], vec![]);
    for (at, x) in line.iter().enumerate() {
        let before = |it: &[f64], by: usize| at.checked_sub(by).map_or(0.0, |at| it[at]);
        let own = k * x + a * before(line, 1);
        forth.push(own + p * before(&forth, 1) + q * before(&forth, 2));
    }
    for at in 0..line.len() {
        let x = |by: usize| at.checked_sub(by).map_or(0.0, |at| line[line.len() - 1 - at]);
        let y = |it: &[f64], by: usize| at.checked_sub(by).map_or(0.0, |at| it[at]);
        back.push(b * x(1) + c * x(2) + p * y(&back, 1) + q * y(&back, 2));
    }
    forth.iter().zip(back.iter().rev()).map(|(forth, back)| forth + back).collect()
}

/// Rows are filtered, then columns.
pub(crate) fn recursive_filter<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let (n, m) = (size(parameters, 0)?, size(parameters, 1)?);
    let x = vector(given[0]);
    let rows: Vec<Vec<f64>> = x.chunks(m).map(filtered).collect();
    let columns = (0..m).map(|j| filtered(&rows.iter().map(|it| it[j]).collect::<Vec<_>>()));
    let columns: Vec<Vec<f64>> = columns.collect();
    let cells = (0..n * m).map(|at| columns[at % m][at / m]).collect::<Vec<_>>();
    Some(vec![exact("z", cells.into_iter())])
}
