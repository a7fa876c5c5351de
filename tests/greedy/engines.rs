use memory_machine::algorithms::greedy::{conflict, definition, fast, paper, verify};
use memory_machine::algorithms::points::random::{self, PointDistribution};
use memory_machine::algorithms::points::{LEAST, MOST, Point, distinct};
use proptest::prelude::*;
use rayon::prelude::*;

use super::inputs::{adversaries, points, small};

fn assert_agree(points: &[Point]) {
    let edges = definition::triangulate(points);
    assert_eq!(fast::triangulate(points), edges, "fast, {points:?}");
    assert_eq!(verify::triangulation(points, &edges), Ok(()), "{points:?}");
}

#[test]
fn ten_thousand_inputs() {
    let seeds: Vec<u64> = crate::some(0..10_000, 4).collect();
    seeds.into_par_iter().for_each(|seed| assert_agree(&small(seed)));
}

#[test]
fn the_paper_s_algorithm_agrees() {
    for seed in 0..200 {
        let points = small(seed);
        assert_eq!(paper::triangulate(&points), Ok(fast::triangulate(&points)), "{points:?}");
    }
    for distribution in [PointDistribution::Square, PointDistribution::Clusters] {
        let points = random::points(distribution, 400, 1);
        assert_eq!(paper::triangulate(&points), Ok(fast::triangulate(&points)));
    }
    for (name, points) in adversaries(150) {
        assert_eq!(paper::triangulate(&points), Ok(fast::triangulate(&points)), "{name}");
    }
}

#[test]
#[ignore = "takes half a minute"]
fn the_paper_s_algorithm_agrees_on_724_points() {
    for (name, points) in adversaries(724) {
        assert_eq!(paper::triangulate(&points), Ok(fast::triangulate(&points)), "{name}");
    }
}

#[test]
fn adversaries_take_no_longer_than_they_should() {
    // Quadratic time would take minutes.
    adversaries(20_000).into_par_iter().for_each(|(name, points)| {
        let edges = fast::triangulate(&points);
        assert_eq!(verify::triangulation(&points, &edges), Ok(()), "{name}");
    });
}

#[test]
#[ignore = "takes half a minute"]
fn a_million_points() {
    let points = random::points(PointDistribution::Square, 1_000_000, 1);
    let run = fast::run(&points, &|_| ());
    let fast::FastTriangulation { delaunay_s, sort_s, accept_s, candidates, closed, flips, edges } =
        run;
    println!("Delaunay {delaunay_s:.2} s, sort {sort_s:.2} s, accept {accept_s:.2} s");
    println!("{} edges, {candidates} candidates, {closed} ears, {flips} flips", edges.len());
    assert_eq!(verify::triangulation(&points, &edges), Ok(()));
}

#[test]
fn worked_examples() {
    let agree = |of: &[(f64, f64)], edges: &[[u32; 2]]| {
        let points = points(of);
        assert_eq!(definition::triangulate(&points), edges);
        assert_eq!(fast::triangulate(&points), edges);
        assert_eq!(paper::triangulate(&points).unwrap(), edges);
        assert_eq!(verify::triangulation(&points, edges), Ok(()));
        assert_eq!(verify::greedy(&points, edges), Ok(()));
    };
    agree(&[], &[]);
    agree(&[(5.0, 5.0)], &[]);
    agree(&[(5.0, 5.0), (1.0, 2.0)], &[[0, 1]]);
    agree(&[(0.0, 0.0), (3.0, 0.0), (0.0, 1.0)], &[[0, 2], [0, 1], [1, 2]]);
    // On one line: the gaps alone, the shorter first.
    agree(&[(0.0, 0.0), (6.0, 6.0), (1.0, 1.0)], &[[0, 2], [1, 2]]);
    // The unit square: of two equal diagonals, 0–2 comes before 1–3.
    let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    agree(&square, &[[0, 1], [0, 3], [1, 2], [2, 3], [0, 2]]);
    // A point inside a hull edge: 3 · 4 − 3 − 4 edges, and none past it.
    agree(
        &[(0.0, 0.0), (4.0, 0.0), (1.0, 0.0), (0.0, 3.0)],
        &[[0, 2], [0, 3], [1, 2], [2, 3], [1, 3]],
    );
    // A 3 × 3 grid by rows: twelve sides, then in each square the diagonal of smaller numbers.
    let grid: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i % 3), f64::from(i / 3))).collect();
    let sides = [
        [0, 1],
        [0, 3],
        [1, 2],
        [1, 4],
        [2, 5],
        [3, 4],
        [3, 6],
        [4, 5],
        [4, 7],
        [5, 8],
        [6, 7],
        [7, 8],
    ];
    agree(&grid, &[&sides[..], &[[0, 4], [1, 5], [3, 7], [4, 8]]].concat());
}

/// An ear that closes over a point of a longer edge, where the Delaunay triangulation differs.
#[test]
fn a_greedy_edge_that_is_not_delaunay() {
    // The circle through 0, 1, 2 holds point 3, but 0–1 is shorter than 2–3.
    let flat = points(&[(-2.0, 0.0), (2.0, 0.0), (0.0, 1.5), (0.0, -3.0)]);
    let edges = fast::triangulate(&flat);
    assert!(edges.contains(&[0, 1]) && !edges.contains(&[2, 3]));
    assert_eq!(edges, definition::triangulate(&flat));
}

#[test]
fn numbers_of_all_magnitudes() {
    let far = points(&[(LEAST, 0.0), (0.0, LEAST), (MOST, -MOST), (-MOST, MOST), (1.0, 1.0)]);
    assert_agree(&far);
    let tiny: Vec<Point> = (0..25)
        .map(|i| Point { x: f64::from(i % 5) * LEAST, y: f64::from(i / 5) * LEAST })
        .collect();
    assert_agree(&tiny);
    // Grids far from the origin, where coordinates have few bits left.
    let unit = (53.0 - 5.0_f64).exp2();
    assert_agree(
        &tiny.iter().map(|p| Point { x: p.x / LEAST + unit, y: p.y / LEAST }).collect::<Vec<_>>(),
    );
}

#[test]
fn rounds_count_every_line_once() {
    let points = random::points(PointDistribution::Square, 100, 3);
    let mut rounds = vec![];
    let run = paper::run(&points, |round| rounds.push(round)).unwrap();
    let lines: Vec<[u32; 2]> = rounds.iter().map(|round| round.line).collect();
    assert_eq!(lines, run.edges);
    assert_eq!(run.tests, rounds.iter().map(|round| round.tests).sum::<u64>());
    // Each round tests what is left: all but the accepted and the eliminated.
    let mut left = paper::lines(100);
    for round in rounds {
        assert_eq!(round.tests, left - 1);
        left -= 1 + round.eliminated;
    }
    assert_eq!(left, 0);
}

#[test]
fn too_many_points_for_all_lines() {
    let points = random::points(PointDistribution::Square, paper::MOST_POINTS + 1, 1);
    let error = paper::triangulate(&points).unwrap_err();
    assert_eq!(
        error.to_string(),
        "16385 points have 134225920 lines, which take 2.3 GB; give at most 16384 points, or \
         choose the fast engine"
    );
}

#[test]
fn conflicts() {
    let points = points(&[
        (0.0, 0.0),
        (4.0, 0.0),
        (2.0, 2.0),
        (2.0, -2.0),
        (2.0, 0.0),
        (6.0, 0.0),
        (8.0, 0.0),
        (-4.0, 0.0),
    ]);
    let conflicting = [
        ([0, 1], [2, 3], "cross"),
        ([0, 1], [2, 4], "touch"),
        ([0, 1], [4, 5], "overlap"),
        ([0, 5], [1, 4], "one inside the other"),
        ([0, 1], [0, 4], "from a common end the same way"),
        ([0, 1], [1, 4], "to a common end the same way"),
        ([0, 1], [0, 1], "the same"),
    ];
    for (first, second, why) in conflicting {
        assert!(conflict(&points, first, second), "{why}");
        assert!(conflict(&points, second, first), "{why}");
    }
    let apart = [
        ([0, 1], [0, 2], "a common end"),
        ([0, 1], [0, 7], "opposite ways from a common end"),
        ([0, 1], [5, 6], "on one line"),
        ([0, 2], [4, 5], "past each other"),
    ];
    for (first, second, why) in apart {
        assert!(!conflict(&points, first, second), "{why}");
        assert!(!conflict(&points, second, first), "{why}");
    }
}

/// Whole numbers, moved so far that few bits remain, or pushed by a last bit.
fn coordinate() -> impl Strategy<Value = f64> {
    let whole = (0..7_i32).prop_map(f64::from);
    (whole, 0..3_i32).prop_map(|(whole, off)| whole * (1.0 + f64::from(off) * f64::EPSILON))
}

proptest! {
    #![proptest_config(crate::cases(1_024))]

    #[test]
    fn near_ties_and_near_lines(
        corners in prop::collection::vec((coordinate(), coordinate()), 1..24),
        scale in -100..100_i32,
    ) {
        let scale = 2_f64.powi(scale);
        let scaled = corners.iter().map(|(x, y)| Point { x: x * scale, y: y * scale });
        let points = distinct(&scaled.collect::<Vec<_>>()).points;
        prop_assert_eq!(fast::triangulate(&points), definition::triangulate(&points));
    }
}
