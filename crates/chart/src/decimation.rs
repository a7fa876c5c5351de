//! As many points as a page can show of very many.

use std::collections::HashSet;

use super::scene::Place;

/// Of more marks than this, those that nearly coincide become one.
const MOST_MARKS: usize = 2000;

/// At most two points a pixel column: its lowest and its highest.
pub(super) fn thin_line(points: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut thin: Vec<Place> = vec![];
    for point in points {
        match &mut thin[..] {
            [.., a, b] if a.0 as i32 == point.0 as i32 && b.0 as i32 == point.0 as i32 => {
                let (low, high) = (a.1.min(b.1).min(point.1), a.1.max(b.1).max(point.1));
                (a.1, b.1) = if a.1 < b.1 { (low, high) } else { (high, low) };
                b.0 = point.0;
            }
            _ => thin.push(point),
        }
    }
    thin
}

/// Of many marks, one for each small square of the page.
pub(super) fn thin_marks(mut marks: Vec<Place>) -> Vec<Place> {
    let mut side = 2.0;
    while marks.len() > MOST_MARKS {
        let mut seen = HashSet::new();
        marks.retain(|it| seen.insert(((it.0 / side) as i32, (it.1 / side) as i32)));
        side *= 1.5;
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_points_are_thinned() {
        let points = |i: u32| (f64::from(i) / 1e3, f64::from(i.wrapping_mul(2_654_435_761) >> 23));
        let many: Vec<Place> = (0..1_000_000).map(points).collect();
        assert!(thin_line(many.iter().copied()).len() <= 2002);
        assert!(thin_marks(many).len() <= MOST_MARKS);
    }
}
