//! Cells of the plane, of which none sees all points.

use memory_machine::algorithms::greedy::fast::{plane_partition, triangulate};
use memory_machine::algorithms::points::Point;
use memory_machine::algorithms::points::random::{self, PointDistribution};
use rayon::prelude::*;

use super::inputs::{adversaries, small};

fn in_cells(points: &[Point], of: usize) -> Vec<[u32; 2]> {
    let parts = (0..of).map(|number| plane_partition::part(points, number, of, &|_| ())).collect();
    plane_partition::whole(points, parts, &|_| ())
}

#[test]
fn small_inputs_in_any_number_of_cells() {
    (0..1000).into_par_iter().for_each(|seed| {
        let points = small(seed);
        let of = 1 + seed as usize % 5;
        assert_eq!(in_cells(&points, of), triangulate(&points), "{of} cells, seed {seed}");
    });
}

#[test]
fn adversaries_in_cells() {
    adversaries(300).into_par_iter().for_each(|(name, points)| {
        for of in [2, 7] {
            assert_eq!(in_cells(&points, of), triangulate(&points), "{name} in {of} cells");
        }
    });
}

#[test]
fn few_points_are_left_for_one() {
    let points = random::points(PointDistribution::Square, 3000, 3);
    let parts: Vec<plane_partition::CellEdges> = (0..4)
        .into_par_iter()
        .map(|number| plane_partition::part(&points, number, 4, &|_| ()))
        .collect();
    let left: usize = parts.iter().map(|it| it.unfinished.len()).sum();
    assert!(left < 300, "{left} points are left");
    assert_eq!(plane_partition::whole(&points, parts, &|_| ()), triangulate(&points));
}
