//! The sizes at which a listing is tried: all that a test names, or some that a student has drawn.

use std::collections::BTreeMap;

use super::keys::Count;
use crate::diagnostic::fingerprint;
use crate::grid::Grid;
use crate::sample::Settings;

/// All combinations of the values of sizes, in order, or so many of them that follow from a seed.
pub(super) fn points(
    set: &BTreeMap<String, Grid>,
    draw: Option<Count>,
    seed: u64,
) -> Vec<Settings> {
    let Some(Count(rounds)) = draw.filter(|it| u128::from(it.0) < combinations(set)) else {
        let mut all = vec![Settings::default()];
        for (name, grid) in set {
            let with = |it: &Settings, value: i64| {
                let mut it = it.clone();
                it.0.insert(name.clone(), value);
                it
            };
            all = all.iter().flat_map(|it| grid.0.iter().map(|&value| with(it, value))).collect();
        }
        return all;
    };
    let mut drawn: Vec<Settings> = vec![];
    for round in 0..rounds {
        let own = |(name, Grid(values)): (&String, &Grid)| {
            let number = |of: &str| fingerprint(format!("{seed}\n{name}\n{of}").as_bytes());
            // One of each part of the values, so that large and small ones are among them; of several sizes
            // not the large ones together.
            let part = (u128::from(number("")) + u128::from(round)) % u128::from(rounds);
            let from = |part: u128| (part * values.len() as u128 / u128::from(rounds)) as usize;
            let (from, to) = (from(part), from(part + 1));
            let at = from + (number(&round.to_string()) % (to - from).max(1) as u64) as usize;
            (name.clone(), values[at])
        };
        let point = Settings(set.iter().map(own).collect());
        if !drawn.contains(&point) {
            drawn.push(point);
        }
    }
    drawn
}

fn combinations(set: &BTreeMap<String, Grid>) -> u128 {
    set.values().fold(1, |product: u128, it| product.saturating_mul(it.0.len() as u128))
}

/// How many sizes are tried.
pub(super) fn number_of_points(set: &BTreeMap<String, Grid>, draw: Option<Count>) -> u128 {
    combinations(set).min(draw.map_or(u128::MAX, |it| it.0.into()))
}

/// Sizes in words.
pub(super) fn words(set: &Settings) -> String {
    let each: Vec<String> = set.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if each.is_empty() { "the only size".to_owned() } else { each.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(sizes: &[(&str, &str)], draw: u64, seed: u64) -> Vec<Vec<i64>> {
        let set = sizes.iter().map(|(name, it)| ((*name).to_owned(), it.parse().unwrap()));
        let points = points(&set.collect(), Some(Count(draw)), seed);
        points.iter().map(|it| it.0.values().copied().collect()).collect()
    }

    #[test]
    fn a_draw_has_one_of_each_part_and_differs_by_student() {
        for seed in 0..50 {
            let mut sizes: Vec<i64> = drawn(&[("n", "20..199")], 3, seed).concat();
            sizes.sort_unstable();
            let parts: Vec<i64> = sizes.iter().map(|it| (it - 20) / 60).collect();
            assert_eq!(parts, [0, 1, 2], "{sizes:?}");
        }
        let all = |draw| drawn(&[("k", "1..9"), ("n", "1..9")], draw, 1);
        assert_eq!(all(100).len(), 81);
        assert_eq!(all(4).len(), 4);
        let firsts: std::collections::HashSet<_> =
            (0..50).map(|seed| drawn(&[("n", "20..199")], 3, seed)).collect();
        assert!(firsts.len() > 40);
        // Fewer values than are drawn of one size.
        assert_eq!(drawn(&[("k", "7"), ("n", "1..9")], 8, 1).len(), 8);
    }
}
