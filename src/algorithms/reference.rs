//! What the shipped listings must compute, in plain sequential code.

pub(super) mod on_dmms;

use std::collections::HashSet;
use std::iter;
use std::rc::Rc;

use super::opt::matrix_chain::MatrixChain;
use super::points::{self, Distinct, Point, compare_lengths};
use super::{greedy, hull, opt};

/// Numbers that are made as they are asked for.
pub type Numbers<'a> = Box<dyn Iterator<Item = f64> + 'a>;

/// An array as it was before the run: its numbers, row-major, as often as they are asked for, so that
/// nobody need keep them.
pub trait Given {
    /// The numbers from the first cell on, as `f64`, which holds every f32 and i32.
    fn numbers(&self) -> Numbers<'_>;
}

impl Given for Vec<f64> {
    fn numbers(&self) -> Numbers<'_> {
        Box::new(self.iter().copied())
    }
}

/// The correct values of an array, and how far a result may be from them.
pub struct Expected<'a> {
    /// The array's name in the listing.
    pub array: &'static str,
    /// Row-major; `None` where the algorithm leaves the cell alone or its value does not matter. Cells
    /// behind the last do not matter either.
    pub values: Box<dyn Iterator<Item = Option<f64>> + 'a>,
    /// The largest absolute difference that still agrees.
    pub tolerance: f64,
    /// Whether the listing must get these values. Else its arithmetic may round on such input: a
    /// result that differs is neither right nor wrong.
    pub certain: bool,
}

impl Expected<'_> {
    /// Of the first cell that differs: its number, what it holds, what it should hold. `found` has
    /// the array's values, row-major, `None` for a cell without.
    pub fn first_difference(
        self,
        found: impl IntoIterator<Item = Option<f64>>,
    ) -> Option<(usize, Option<f64>, f64)> {
        let agrees = |found: f64, wanted: f64| agree(found, wanted, self.tolerance);
        let cells = self.values.zip(found).enumerate();
        cells
            .filter_map(|(cell, (wanted, found))| Some((cell, found, wanted?)))
            .find(|&(_, found, wanted)| !found.is_some_and(|found| agrees(found, wanted)))
    }
}

/// Whether two numbers differ by no more than a tolerance; two that are none agree, too.
pub fn agree(found: f64, wanted: f64, tolerance: f64) -> bool {
    found == wanted || (found.is_nan() && wanted.is_nan()) || (found - wanted).abs() <= tolerance
}

/// From the parameters and the arrays given before the run (in the order of declaration) to the
/// correct outputs.
///
/// `None` where the result is not determined, or leaves the range of f32.
pub type Reference = for<'a> fn(&[i64], &[&'a dyn Given]) -> Option<Vec<Expected<'a>>>;

/// A parameter as a count; listings are run with sizes that fit memory. `None` below 0.
fn size(parameters: &[i64], index: usize) -> Option<usize> {
    usize::try_from(parameters[index]).ok()
}

fn floats(given: &dyn Given) -> Vec<f32> {
    given.numbers().map(|it| it as f32).collect()
}

fn exact<'a>(array: &'static str, values: impl Iterator<Item = f64> + 'a) -> Expected<'a> {
    partly(array, values.map(Some))
}

fn partly<'a>(
    array: &'static str,
    values: impl IntoIterator<Item = Option<f64>, IntoIter: 'a>,
) -> Expected<'a> {
    Expected { array, values: Box::new(values.into_iter()), tolerance: 0.0, certain: true }
}

/// Bound on the rounding error of a tree of f32 sums: each level rounds each partial sum once.
/// `None` if partial sums may leave the range of f32.
fn tree_error(numbers: &dyn Given) -> Option<f64> {
    deep_error(numbers, 0)
}

/// The same of a tree with so many levels besides.
fn deep_error(numbers: &dyn Given, more: usize) -> Option<f64> {
    let (mut count, mut magnitude) = (0_usize, 0.0);
    for number in numbers.numbers() {
        count += 1;
        magnitude += number.abs();
    }
    let levels = f64::from(usize::BITS - count.leading_zeros() + 1) + more as f64;
    // Half of it leaves room for the rounding of the partial sums.
    (magnitude < f64::from(f32::MAX) / 2.0)
        .then(|| 2.0 * levels * f64::from(f32::EPSILON) * magnitude)
}

pub(super) fn sequential_access<'a>(
    parameters: &[i64],
    _: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let (n, f, skip) = (size(parameters, 0)?, size(parameters, 1)?, size(parameters, 2)?);
    let runs = (0..=f).flat_map(move |s| {
        let run = (s * n / (f + 1)..(s + 1) * n / (f + 1)).map(|i| Some((i as f32).into()));
        run.chain(iter::repeat_n(None, skip))
    });
    Some(vec![partly("b", runs.take(n + f * skip))])
}

pub(super) fn prefix_sums<'a>(_: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
    let mut r = 0.0_f32;
    let sums = given[0].numbers().map(move |b| {
        r += b as f32;
        r.into()
    });
    Some(vec![exact("b", sums)])
}

pub(super) fn prefix_sums_parallel<'a>(
    _: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let mut r = 0.0;
    let sums = given[0].numbers().map(move |b| {
        r += b;
        r
    });
    Some(vec![Expected { tolerance: tree_error(given[0])?, ..exact("b", sums) }])
}

pub(super) fn sum<'a>(_: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
    let sum = given[0].numbers().sum();
    Some(vec![Expected { tolerance: tree_error(given[0])?, ..exact("a", iter::once(sum)) }])
}

pub(super) fn optimal_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j], parameters, given)
}

pub(super) fn sliding_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    arranged_triangulation("S", |n, i, j| vec![(i + n - 1 - j) * n + j], parameters, given)
}

pub(super) fn mirrored_triangulation<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    arranged_triangulation("M", |n, i, j| vec![i * n + j, j * n + i], parameters, given)
}

/// The table of OPT in an array of `n × n` in which `places(n, i, j)` hold `M[i][j]`.
fn arranged_triangulation<'a>(
    array: &'static str,
    places: impl Fn(usize, usize, usize) -> Vec<usize>,
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
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

pub(super) fn matrix_chain<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
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

/// Row i + j, column i of the array: the length for the first i letters of a and the first j of b.
pub(super) fn lcs<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
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

pub(super) fn transpose<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let given: Rc<[f64]> = given[0].numbers().collect();
    let arrays = ["by_rows", "by_columns", "by_diagonals"];
    let transposed = |array| {
        let given = given.clone();
        exact(array, (0..n * n).map(move |cell| given[cell % n * n + cell / n]))
    };
    Some(arrays.map(transposed).into())
}

pub(super) fn permute<'a>(_: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
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

pub(super) fn matrix_multiply<'a>(
    parameters: &[i64],
    given: &[&'a dyn Given],
) -> Option<Vec<Expected<'a>>> {
    let n = size(parameters, 0)?;
    let [a, b] = given else { return None };
    let (a, b) = (floats(*a), floats(*b));
    let cell = move |cell| {
        let (i, j) = (cell / n, cell % n);
        let terms = (0..n).map(|k| a[i * n + k] * b[k * n + j]);
        f64::from(terms.fold(0.0_f32, |s, term| s + term))
    };
    Some(vec![exact("c", (0..n * n).map(cell))])
}

/// The points of arrays x and y; `None` where they are none that predicates are exact for.
fn plane(given: &[&dyn Given]) -> Option<Vec<Point>> {
    let [x, y] = given else { return None };
    let plane: Vec<Point> = x.numbers().zip(y.numbers()).map(|(x, y)| Point { x, y }).collect();
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

pub(super) fn greedy<'a>(_: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
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
    let lines = Rc::new(lines);
    let cells = |value: Box<dyn Fn([usize; 2]) -> f64>| {
        let lines = lines.clone();
        (0..lines.len()).map(move |line| value(lines[line]))
    };
    let count = edges.len() as f64;
    let certain = in_few_bits(&plane);
    let all = [
        exact("line", cells(Box::new(move |[i, j]| (i * n + j) as f64))),
        exact(
            "accepted",
            cells(Box::new(move |line| f64::from(u8::from(accepted.contains(&line))))),
        ),
        exact("edges", iter::once(count)),
    ];
    Some(all.map(|it| Expected { certain, ..it }).into())
}

pub(super) fn quickhull<'a>(_: &[i64], given: &[&'a dyn Given]) -> Option<Vec<Expected<'a>>> {
    let plane = plane(given)?;
    let vertices = hull::reference::monotone_chain(&plane);
    let size = exact("size", iter::once(vertices.len() as f64));
    let hull = exact("hull", vertices.into_iter().map(f64::from));
    let certain = in_few_bits(&plane);
    Some([hull, size].map(|it| Expected { certain, ..it }).into())
}
