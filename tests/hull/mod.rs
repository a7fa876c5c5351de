//! Hulls by every engine, against the definition and against each other.

use memory_machine::algorithms::hull::{
    checked, cpu, reference::monotone_chain, sequential, workers, workers_prefetch,
};
use memory_machine::algorithms::points::random::{self, PointDistribution};
use memory_machine::algorithms::points::{Point, check, distinct, orientation};
use proptest::prelude::*;

/// The hull as it is defined: of a vertex p the next is the q of which every other point is on the
/// left of the line from p to q, or between p and q.
fn by_definition(points: &[Point]) -> Vec<u32> {
    let distinct = distinct(points);
    let (points, index) = (distinct.points, distinct.index);
    let between = |p: Point, q: Point, r: Point| {
        let within = |a: f64, b: f64, c: f64| a.min(b) <= c && c <= a.max(b);
        within(p.x, q.x, r.x) && within(p.y, q.y, r.y)
    };
    let next = |p: usize| {
        (0..points.len()).filter(|&q| q != p).find(|&q| {
            let (p, q) = (points[p], points[q]);
            points.iter().all(|&r| match orientation(p, q, r) {
                0.0 => between(p, q, r),
                turn => turn > 0.0,
            })
        })
    };
    let lowest = |&i: &usize, &j: &usize| {
        (points[i].y, points[i].x).partial_cmp(&(points[j].y, points[j].x)).unwrap()
    };
    let first = (0..points.len()).min_by(lowest).unwrap();
    let mut vertices = vec![first];
    while let Some(vertex) = next(*vertices.last().unwrap()).filter(|&it| it != first) {
        vertices.push(vertex);
    }
    vertices.iter().map(|&i| index[i]).collect()
}

/// Every engine finds these vertices.
fn all_find(points: &[Point], expected: &[u32]) {
    assert_eq!(check(points), Ok(()));
    assert_eq!(monotone_chain(points), expected, "monotone chain");
    for simd in [false, true] {
        assert_eq!(cpu(points, simd), expected, "cpu, simd {simd}");
        assert_eq!(checked(points, simd).as_deref(), Ok(expected), "checked, simd {simd}");
    }
    assert_eq!(sequential(points), expected, "sequential");
    for (k, simd) in (1..=8).flat_map(|k| [(k, false), (k, true)]) {
        assert_eq!(workers(points, k, simd), expected, "{k} workers, simd {simd}");
        let found = workers_prefetch(points, k, simd);
        assert_eq!(found, expected, "{k} workers, simd {simd}, prefetched");
    }
}

fn points(of: &[(f64, f64)]) -> Vec<Point> {
    of.iter().map(|&(x, y)| Point { x, y }).collect()
}

/// Wherever a coordinate is at fault, it is told as if all had been checked beforehand; what is too
/// small and lies inside does no harm.
#[test]
fn unchecked_points_are_checked() {
    let square = random::points(PointDistribution::Square, 20_000, 1);
    let hull = cpu(&square, true);
    for simd in [false, true] {
        for place in [0, 63, 64, 12_345, 19_999] {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e61, -1e300] {
                for at in [Point { x: value, y: 0.5 }, Point { x: 0.5, y: value }] {
                    let mut flawed = square.clone();
                    flawed[place] = at;
                    let told = check(&flawed).map_err(|it| it.to_string());
                    let found = checked(&flawed, simd).map_err(|it| it.to_string());
                    assert!(found.is_err() && found.map(|_| ()) == told, "{value} at {place}");
                }
            }
        }
        let centre = Point { x: 0.5, y: 0.5 };
        let around: Vec<Point> =
            square.iter().map(|p| Point { x: p.x - centre.x, y: p.y - centre.y }).collect();
        let mut tiny = around.clone();
        tiny[12_345] = Point { x: 1e-50, y: -f64::MIN_POSITIVE };
        let without = cpu(&around, simd);
        assert!(!without.contains(&12_345) && check(&tiny).is_err());
        assert_eq!(checked(&tiny, simd), Ok(without));
        let lowest = hull[0] as usize;
        let mut tiny = square.clone();
        tiny[lowest].y = -1e-50;
        assert_eq!(checked(&tiny, simd), check(&tiny).map(|()| vec![]));
    }
    assert_eq!(checked(&[], true), check(&[]).map(|()| vec![]));
}

#[test]
fn smallest_inputs() {
    assert!(
        cpu(&[], true).is_empty() && sequential(&[]).is_empty() && workers(&[], 2, true).is_empty()
    );
    all_find(&points(&[(3.0, -1.0)]), &[0]);
    all_find(&points(&[(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0)]), &[0]);
    all_find(&points(&[(1.0, 0.0), (0.0, 1.0)]), &[0, 1]);
    all_find(&points(&[(1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]), &[1, 0]);
    all_find(&points(&[(0.0, 1.0), (1.0, 1.0), (0.0, 0.0)]), &[2, 1, 0]);
    // Slanted, vertical and horizontal lines: the lower end is first, of level ends the left one.
    all_find(&points(&[(2.0, 2.0), (0.0, 0.0), (3.0, 3.0), (1.0, 1.0)]), &[1, 2]);
    all_find(&points(&[(2.0, 1.0), (1.0, 2.0), (3.0, 0.0), (0.0, 3.0)]), &[2, 3]);
    all_find(&points(&[(5.0, 2.0), (5.0, -1.0), (5.0, 0.0), (5.0, 2.0)]), &[1, 0]);
    all_find(&points(&[(2.0, 7.0), (4.0, 7.0), (-1.0, 7.0)]), &[2, 1]);
}

/// Coordinates that make ties: few values, some of them at the limits of what is allowed.
fn coordinates() -> impl Strategy<Value = Vec<Point>> {
    let point = |c: BoxedStrategy<f64>| (c.clone(), c).prop_map(|(x, y)| Point { x, y });
    let small = (-3..=3).prop_map(f64::from).boxed();
    let tiny = (-3..=3).prop_map(|c| f64::from(c) * 2_f64.powi(-142)).boxed();
    let huge = (-3..=3).prop_map(|c| f64::from(c) * 2_f64.powi(199)).boxed();
    let beside = (-3..=3).prop_map(|c| 1.0 + f64::from(c) * f64::EPSILON).boxed();
    let any = (-1.0..1.0_f64).prop_filter("tiny", |c| c.abs() > 1e-30).boxed();
    let mixed = prop_oneof![small.clone(), tiny.clone(), huge.clone(), beside.clone(), any.clone()];
    let kind = prop_oneof![
        Just(small),
        Just(tiny),
        Just(huge),
        Just(beside),
        Just(any),
        Just(mixed.boxed())
    ];
    kind.prop_flat_map(move |c| prop::collection::vec(point(c), 1..40))
}

proptest! {
    #![proptest_config(crate::cases(1_024))]

    #[test]
    fn as_defined(points in coordinates()) {
        let expected = by_definition(&points);
        prop_assert_eq!(monotone_chain(&points), &expected[..]);
        prop_assert_eq!(cpu(&points, true), &expected[..]);
        prop_assert_eq!(sequential(&points), &expected[..]);
        for simd in [false, true] {
            prop_assert_eq!(workers(&points, 3, simd), &expected[..]);
        }
    }
}

#[test]
fn every_distribution() {
    for (distribution, seed) in PointDistribution::ALL.into_iter().zip(1..) {
        // Enough for the sample's hull to have a sample, too.
        let n = if distribution == PointDistribution::Square {
            crate::share(300_000, 3)
        } else {
            crate::share(30_000, 3)
        };
        let points = random::points(distribution, n, seed);
        all_find(&points, &monotone_chain(&points));
    }
}

#[test]
fn inputs_that_are_hard_to_filter() {
    let n = 20_000;
    let square = random::points(PointDistribution::Square, n, 3);
    let with = |map: &dyn Fn(usize, Point) -> Point| {
        let points: Vec<Point> = square.iter().enumerate().map(|(i, &p)| map(i, p)).collect();
        let expected = monotone_chain(&points);
        all_find(&points, &expected);
        expected.len()
    };
    // A grid, its sides full of points on one line.
    assert_eq!(with(&|i, _| Point { x: (i * 7 % 100) as f64, y: (i / 100) as f64 }), 4);
    // Every point many times.
    assert_eq!(with(&|i, _| Point { x: (i % 3) as f64, y: (i % 5) as f64 }), 4);
    assert_eq!(with(&|_, _| Point { x: 2.5, y: -1.0 }), 1);
    // Lines through rounded points, and a strip around one.
    with(&|_, p| Point { x: p.x, y: p.x / 3.0 });
    with(&|_, p| Point { x: 0.1, y: p.y });
    with(&|_, p| Point { x: p.x, y: 0.7 * p.x + 1e-9 * p.y });
    with(&|_, p| Point { x: 1e-12 * p.x, y: p.y });
    // Far from the origin, where coordinates are whole multiples of 2^−12.
    with(&|_, p| Point { x: p.x + 1e12, y: p.y - 1e12 });
    // Outliers, near and far, and two disks far apart.
    with(&|i, p| Point { x: if i == 77 { 1e30 } else { p.x }, y: p.y });
    with(&|i, p| Point { x: if i % 9000 == 0 { 2e60 * (p.x - 0.5) } else { p.x }, y: p.y });
    with(&|i, p| Point { x: p.x + if i % 50 == 0 { 1e6 } else { 0.0 }, y: p.y });
    with(&|i, p| Point { x: p.x / (1.0 - p.x), y: if i % 2 == 0 { p.y } else { p.y.powi(-3) } });
    // A sample of every 64th point that has the same few points only.
    with(&|i, p| if i % 64 == 0 { Point { x: 0.5, y: 0.5 } } else { p });
}

/// Each round of quickhull finds one vertex of this curve and drops nothing, until it gives up.
#[test]
fn as_many_rounds_as_points() {
    let x = |i: i32| 2_f64.powi(-i);
    let curve: Vec<Point> = (0..70).map(|i| Point { x: x(i), y: x(i) * x(i) }).collect();
    all_find(&curve, &(0..70).rev().collect::<Vec<_>>());
    let above: Vec<Point> = curve.iter().map(|p| Point { x: p.y, y: p.x }).collect();
    all_find(&above, &[69].into_iter().chain(0..69).collect::<Vec<_>>());
}
