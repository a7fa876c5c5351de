//! Sorting.

use super::{Given, Outputs, exact, integers, size, whole};

/// `None` where there is a number that is none: it has no place.
pub(crate) fn sorted<'a>(_: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut numbers: Vec<f64> = given[0].numbers().collect();
    if numbers.iter().any(|it| it.is_nan()) {
        return None;
    }
    numbers.sort_by(f64::total_cmp);
    Some(vec![exact("a", numbers.into_iter())])
}

/// The same where the sorted numbers are in an array of their own.
pub(crate) fn sorted_apart<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let mut all = sorted(parameters, given)?;
    all[0].array = "b";
    Some(all)
}

/// Of keys modulo m.
pub(crate) fn histogram<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let m = size(parameters, 1)?;
    let mut counts = vec![0_i32; m];
    for key in integers(given[0]) {
        counts[key.rem_euclid(m as i64) as usize] += 1;
    }
    Some(vec![whole("h", counts.into_iter())])
}

/// `None` where a key has more bits than are looked at.
pub(crate) fn radix_sorted<'a>(parameters: &[i64], given: &[&'a dyn Given]) -> Outputs<'a> {
    let most = 2_f64.powi(i32::try_from(parameters[1]).ok()?);
    given[0].numbers().all(|key| key < most).then(|| sorted(parameters, given))?
}
