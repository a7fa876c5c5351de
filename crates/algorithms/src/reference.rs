//! What the shipped listings must compute, in plain sequential code.

use memory_machine_core::number::near;

pub(super) mod cryptography;
pub(super) mod dynamic_programming;
pub(super) mod geometry;
pub(super) mod graphs;
pub(super) mod grids;
pub(super) mod linear_algebra;
pub(super) mod numbers;
pub(super) mod permutations;
pub(super) mod polybench;
pub(super) mod scans;
pub(super) mod sorting;
pub(super) mod strings;
pub(super) mod sweeps;
pub(super) mod transforms;

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
        let agrees = |found: f64, wanted: f64| near(found, wanted, self.tolerance);
        let cells = self.values.zip(found).enumerate();
        cells
            .filter_map(|(cell, (wanted, found))| Some((cell, found, wanted?)))
            .find(|&(_, found, wanted)| !found.is_some_and(|found| agrees(found, wanted)))
    }
}

/// From the parameters and the arrays given before the run (in the order of declaration) to the
/// correct outputs.
///
/// `None` where the result is not determined, or leaves the range of f32.
pub type Reference = for<'a> fn(&[i64], &[&'a dyn Given]) -> Outputs<'a>;

type Outputs<'a> = Option<Vec<Expected<'a>>>;

/// A parameter as a count; listings are run with sizes that fit memory. `None` below 0.
fn size(parameters: &[i64], index: usize) -> Option<usize> {
    usize::try_from(parameters[index]).ok()
}

fn floats(given: &dyn Given) -> Vec<f32> {
    given.numbers().map(|it| it as f32).collect()
}

fn integers(given: &dyn Given) -> Vec<i64> {
    given.numbers().map(|it| it as i64).collect()
}

fn words(given: &dyn Given) -> Vec<u32> {
    given.numbers().map(|it| it as u32).collect()
}

/// Cells that hold integers, or true as 1.
fn whole<'a, T: Into<i64>>(
    array: &'static str,
    values: impl IntoIterator<Item = T, IntoIter: 'a>,
) -> Expected<'a> {
    exact(array, values.into_iter().map(|it| it.into() as f64))
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

/// The same of a tree with this many levels besides.
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
