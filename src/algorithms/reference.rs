//! What the shipped listings must compute, in plain sequential code.

use std::collections::HashSet;

use super::points::{self, Distinct, Point, compare_lengths};
use super::{greedy, hull, opt};

/// The correct values of an array, and how far a result may be from them.
pub struct Expected {
    pub array: &'static str,
    /// Row-major; `None` where the algorithm leaves the cell alone or its value does not matter.
    pub values: Vec<Option<f64>>,
    pub tolerance: f64,
    /// Whether the listing must get these values. Else its arithmetic may round on such input: a
    /// result that differs is neither right nor wrong.
    pub certain: bool,
}

impl Expected {
    fn exact(array: &'static str, values: Vec<Option<f64>>) -> Self {
        Self { array, values, tolerance: 0.0, certain: true }
    }

    /// Of the first cell that differs: its number, what it holds, what it should hold. `found` has
    /// the array's values, row-major, `None` for a cell without.
    pub fn first_difference(
        &self,
        found: impl IntoIterator<Item = Option<f64>>,
    ) -> Option<(usize, Option<f64>, f64)> {
        let agrees = |found: f64, wanted: f64| {
            found == wanted
                || (found.is_nan() && wanted.is_nan())
                || (found - wanted).abs() <= self.tolerance
        };
        let cells = self.values.iter().zip(found).enumerate();
        cells
            .filter_map(|(cell, (wanted, found))| Some((cell, found, (*wanted)?)))
            .find(|&(_, found, wanted)| !found.is_some_and(|found| agrees(found, wanted)))
    }
}

/// From the parameters and the arrays given before the run (in the order of declaration, numbers
/// row-major) to the correct outputs.
///
/// `None` where the result is not determined, or leaves the range of f32.
pub type Reference = fn(&[i64], &[Vec<f64>]) -> Option<Vec<Expected>>;

/// A parameter as a count; listings are run with sizes that fit memory. `None` below 0.
fn size(parameters: &[i64], index: usize) -> Option<usize> {
    usize::try_from(parameters[index]).ok()
}

fn exact(array: &'static str, values: Vec<f64>) -> Expected {
    Expected::exact(array, values.into_iter().map(Some).collect())
}

/// Bound on the rounding error of a tree of f32 sums: each level rounds each partial sum once.
/// `None` if partial sums may leave the range of f32.
fn tree_error(numbers: &[f64]) -> Option<f64> {
    let levels = f64::from(usize::BITS - numbers.len().leading_zeros() + 1);
    let magnitude: f64 = numbers.iter().map(|it| it.abs()).sum();
    // Half of it leaves room for the rounding of the partial sums.
    (magnitude < f64::from(f32::MAX) / 2.0)
        .then(|| 2.0 * levels * f64::from(f32::EPSILON) * magnitude)
}

pub(super) fn sequential_access(parameters: &[i64], _: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let (n, f, skip) = (size(parameters, 0)?, size(parameters, 1)?, size(parameters, 2)?);
    let mut values = vec![None; n + f * skip];
    for s in 0..=f {
        for i in s * n / (f + 1)..(s + 1) * n / (f + 1) {
            values[i + s * skip] = Some((i as f32).into());
        }
    }
    Some(vec![Expected::exact("b", values)])
}

pub(super) fn prefix_sums(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let mut r = 0.0_f32;
    let sums = given[0].iter().map(|&b| {
        r += b as f32;
        r.into()
    });
    Some(vec![exact("b", sums.collect())])
}

pub(super) fn prefix_sums_parallel(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let mut r = 0.0;
    let sums = given[0].iter().map(|&b| {
        r += b;
        Some(r)
    });
    let (values, tolerance) = (sums.collect(), tree_error(&given[0])?);
    Some(vec![Expected { tolerance, ..Expected::exact("b", values) }])
}

pub(super) fn sum(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let mut values = vec![None; given[0].len()];
    values[0] = Some(given[0].iter().sum());
    let tolerance = tree_error(&given[0])?;
    Some(vec![Expected { tolerance, ..Expected::exact("a", values) }])
}

pub(super) fn optimal_triangulation(
    parameters: &[i64],
    given: &[Vec<f64>],
) -> Option<Vec<Expected>> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j], parameters, given)
}

pub(super) fn sliding_triangulation(
    parameters: &[i64],
    given: &[Vec<f64>],
) -> Option<Vec<Expected>> {
    arranged_triangulation("S", |n, i, j| vec![(i + n - 1 - j) * n + j], parameters, given)
}

pub(super) fn mirrored_triangulation(
    parameters: &[i64],
    given: &[Vec<f64>],
) -> Option<Vec<Expected>> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j, j * n + i], parameters, given)
}

/// The table of OPT in an array of `n × n` in which `places(n, i, j)` hold `M[i][j]`.
fn arranged_triangulation(
    array: &'static str,
    places: impl Fn(usize, usize, usize) -> Vec<usize>,
    parameters: &[i64],
    given: &[Vec<f64>],
) -> Option<Vec<Expected>> {
    let n = size(parameters, 0)?;
    let c: Vec<f32> = given[0].iter().map(|&weight| weight as f32).collect();
    let table = opt::reference::table(n, &c);
    let mut values = vec![None; n * n];
    for i in 1..n {
        for j in i..n {
            for place in places(n, i, j) {
                values[place] = Some(table[i * n + j].into());
            }
        }
    }
    Some(vec![Expected::exact(array, values)])
}

pub(super) fn transpose(parameters: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let n = size(parameters, 0)?;
    let values: Vec<f64> = (0..n * n).map(|cell| given[0][cell % n * n + cell / n]).collect();
    let arrays = ["by_rows", "by_columns", "by_diagonals"];
    Some(arrays.map(|array| exact(array, values.clone())).into())
}

pub(super) fn permute(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let [a, p] = given else { return None };
    let mut values = vec![None; a.len()];
    for (&a, &p) in a.iter().zip(p) {
        // Where two meet, either may stay: p is no permutation.
        if values.get_mut(p as usize)?.replace(a).is_some() {
            return None;
        }
    }
    Some(vec![Expected::exact("b", values)])
}

pub(super) fn matrix_multiply(parameters: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let n = size(parameters, 0)?;
    let [a, b] = given else { return None };
    let mut values = vec![];
    for i in 0..n {
        for j in 0..n {
            let terms = (0..n).map(|k| a[i * n + k] as f32 * b[k * n + j] as f32);
            values.push(f64::from(terms.fold(0.0_f32, |s, term| s + term)));
        }
    }
    Some(vec![exact("c", values)])
}

/// The points of arrays x and y; `None` where they are none that predicates are exact for.
fn plane(given: &[Vec<f64>]) -> Option<Vec<Point>> {
    let [x, y] = given else { return None };
    let plane: Vec<Point> = x.iter().zip(y).map(|(&x, &y)| Point { x, y }).collect();
    points::check(&plane).is_ok().then_some(plane)
}

/// Whether f64 computes orientations and squared lengths of these points without rounding, as the
/// listings do: coordinates are integers of at most 26 bits, in some unit that is a power of two.
fn in_few_bits(plane: &[Point]) -> bool {
    let coordinates =
        || plane.iter().flat_map(|it| [it.x.abs(), it.y.abs()]).filter(|&it| it > 0.0);
    let lowest_bit = |it: f64| {
        let (exponent, mantissa) = (it.to_bits() >> 52, it.to_bits() & ((1 << 52) - 1));
        exponent as i32 - 1075 + (mantissa | 1 << 52).trailing_zeros() as i32
    };
    let unit = coordinates().map(lowest_bit).min().unwrap_or(0);
    coordinates().all(|it| it <= 2_f64.powi(unit + 25))
}

pub(super) fn greedy(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let plane = plane(given)?;
    let n = plane.len();
    let mut lines: Vec<[usize; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
    // Stable, so that lines of one length stay in the order of their ends.
    lines.sort_by(|a, b| compare_lengths(a.map(|end| plane[end]), b.map(|end| plane[end])));
    let Distinct { points, index } = points::distinct(&plane);
    let edges = greedy::definition::triangulate(&points);
    let edge = |ends: [u32; 2]| ends.map(|end| index[end as usize] as usize);
    let accepted: HashSet<[usize; 2]> = edges.iter().map(|&ends| edge(ends)).collect();
    // One point has no lines, but arrays have an element.
    let cells = |value: &dyn Fn([usize; 2]) -> f64| match lines.is_empty() {
        true => vec![None],
        false => lines.iter().map(|&line| Some(value(line))).collect(),
    };
    let [line, accepted] = [
        ("line", cells(&|[i, j]| (i * n + j) as f64)),
        ("accepted", cells(&|line| f64::from(u8::from(accepted.contains(&line))))),
    ]
    .map(|(array, values)| Expected::exact(array, values));
    let certain = in_few_bits(&plane);
    let all = [line, accepted, exact("edges", vec![edges.len() as f64])];
    Some(all.map(|it| Expected { certain, ..it }).into())
}

pub(super) fn quickhull(_: &[i64], given: &[Vec<f64>]) -> Option<Vec<Expected>> {
    let plane = plane(given)?;
    let vertices = hull::reference::monotone_chain(&plane);
    let mut values: Vec<_> = vertices.iter().map(|&vertex| Some(vertex.into())).collect();
    values.resize(plane.len(), None);
    let size = exact("size", vec![vertices.len() as f64]);
    let certain = in_few_bits(&plane);
    Some([Expected::exact("hull", values), size].map(|it| Expected { certain, ..it }).into())
}
