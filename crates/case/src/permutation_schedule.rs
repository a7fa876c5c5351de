//! Schedules of offline permutations in an array `[6·n, n/w, w]`.

use std::path::{Path, PathBuf};

use super::error::{CaseError, given};
use memory_machine_algorithms::reference::Numbers;
use memory_machine_algorithms::schedule::schedule;
use memory_machine_core::host::files::path_text;
use memory_machine_geometry::matrix::Matrix;

/// Where each number goes, by a file.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    /// Of 0 … as many − 1.
    pub(super) places: Vec<u32>,
    from: PathBuf,
}

impl Permutation {
    /// Reads a CSV file, in whatever shape, row by row.
    pub(super) fn read(path: &Path) -> Result<Self, CaseError> {
        let whole = |field: &str| {
            let why = "is no place in a permutation; write a whole number from 0 on";
            field.parse::<u32>().map_err(|_| why.to_owned())
        };
        let file = Matrix::read(path, whole).map_err(given)?;
        let mut is_taken = vec![false; file.numbers.len()];
        for (at, &place) in file.numbers.iter().enumerate() {
            let was_taken = is_taken.get_mut(place as usize).map(|it| std::mem::replace(it, true));
            let wrong = match was_taken {
                Some(false) => continue,
                Some(true) => "stands above already",
                None => "is too large",
            };
            let (path, line) = (path_text(path), file.line(at / file.columns));
            let last = file.numbers.len() - 1;
            return Err(given(format_args!(
                "{path}:{line}: {place} {wrong}; a permutation of {} numbers has each of 0 … {last} once",
                last + 1
            )));
        }
        Ok(Self { places: file.numbers, from: path.into() })
    }

    /// Refuses an array for a permutation of another number of numbers.
    pub(super) fn check(&self, array: &str, extents: &[u64]) -> Result<(), CaseError> {
        check(array, extents)?;
        let (found, side) = (self.places.len() as u64, extents[0] / 6);
        if found == side * side {
            return Ok(());
        }
        let remedy = match found.isqrt() {
            root if root * root == found => {
                format!("change --set, so that it is of {root} × {root}")
            }
            _ => "permute n × n numbers, where w divides n".to_owned(),
        };
        let from = path_text(&self.from);
        Err(given(format_args!(
            "{from}: has {found} numbers, but the schedule {array} is of {side} × {side}; {remedy}"
        )))
    }
}

/// Refuses an array that holds no schedule.
pub(super) fn check(array: &str, extents: &[u64]) -> Result<(), CaseError> {
    if matches!(extents, [rows, groups, width] if *rows == 6 * groups * width) {
        return Ok(());
    }
    let remedy = match extents {
        [rows, _, width] if rows % 6 == 0 => {
            format!("change --set, as to n = {}", (rows / 6).next_multiple_of(*width))
        }
        _ => "`permute_offline` has one".to_owned(),
    };
    let shape: Vec<String> = extents.iter().map(u64::to_string).collect();
    let shape = shape.join(", ");
    Err(given(format_args!(
        "--input {array}: a schedule fills an array [6·n, n/w, w] where w divides n, but this is \
         {array}[{shape}]; {remedy}"
    )))
}

/// The schedule for an array of checked extents, of the permutation that `places` makes for as many
/// numbers.
pub(super) fn numbers(extents: &[u64], places: impl FnOnce(u64) -> Vec<u32>) -> Numbers<'static> {
    let (side, width) = (extents[0] / 6, extents[2]);
    let schedule = schedule(&places(side * side), side as usize, width as usize);
    Box::new(schedule.into_iter().map(f64::from))
}
