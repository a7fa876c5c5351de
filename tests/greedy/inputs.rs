//! Points that are easy to get wrong.

use chacha20::ChaCha8Rng;
use memory_machine::algorithms::points::random::{self, PointDistribution};
use memory_machine::algorithms::points::{Point, distinct};
use rand::{RngExt, SeedableRng};

pub fn points(of: &[(f64, f64)]) -> Vec<Point> {
    of.iter().map(|&(x, y)| Point { x, y }).collect()
}

/// Up to 64 distinct points: on integer grids of many sizes, on lines, on circles, at distances of
/// all magnitudes, or just anywhere.
pub fn small(seed: u64) -> Vec<Point> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(1..=64);
    let side = [2, 3, 4, 6, 8, 12, 30, 1000][rng.random_range(0..8)];
    let mut whole = || f64::from(rng.random_range(0..side));
    let drawn = match seed % 8 {
        0..4 => (0..n).map(|_| Point { x: whole(), y: whole() }).collect(),
        4 => random::points(PointDistribution::Square, n, seed),
        5 => random::points(PointDistribution::Circle, n, seed),
        6 => {
            let line = (0..n).map(|_| whole()).map(|x| Point { x, y: 2.0 * x });
            let mut drawn: Vec<Point> = line.collect();
            drawn.push(Point { x: whole(), y: whole() });
            drawn
        }
        _ => {
            let spread = |c: f64| (10.0 * c).exp2();
            let drawn = random::points(PointDistribution::Gauss, n, seed);
            drawn.into_iter().map(|p| Point { x: spread(p.x), y: spread(p.y) }).collect()
        }
    };
    distinct(&drawn).points
}

/// `n` points or a few less of every kind on which an engine may slow down or go wrong.
pub fn adversaries(n: usize) -> Vec<(&'static str, Vec<Point>)> {
    let square = random::points(PointDistribution::Square, n, 1);
    let numbered = |of: fn(f64) -> (f64, f64)| -> Vec<Point> {
        (0..n).map(|i| of(i as f64)).map(|(x, y)| Point { x, y }).collect()
    };
    let each = |of: fn(Point) -> Point| square.iter().map(|&p| of(p)).collect();
    let circle = random::points(PointDistribution::Circle, n, 1);
    let side = n.isqrt();
    let mut all: Vec<(&str, Vec<Point>)> = vec![
        ("clusters", random::points(PointDistribution::Clusters, n, 1)),
        ("wheel", [circle.clone(), points(&[(0.0, 0.0)])].concat()),
        ("circle", circle),
        ("line", numbered(|i| (i, 2.0 * i))),
        ("line but one", [numbered(|i| (i, 0.0)), points(&[(0.3, 1.0)])].concat()),
        ("line but one far", [each(|p| Point { y: 0.0, ..p }), points(&[(0.5, 9.0)])].concat()),
        ("two lines", each(|p| Point { y: p.y.round(), ..p })),
        ("parabola", each(|p| Point { x: p.x, y: p.x * p.x })),
        ("flat", each(|p| Point { y: 1e-6 * p.y, ..p })),
        ("exponential", each(|p| Point { x: (100.0 * p.x).exp2(), ..p })),
    ];
    let on_grid = |i: usize| Point { x: (i % side) as f64, y: (i / side) as f64 };
    all.push(("grid", (0..side * side).map(on_grid).collect()));
    all.push(("spiral", numbered(|i| (i.sqrt() * i.sqrt().cos(), i.sqrt() * i.sqrt().sin()))));
    let arm = |i: usize| 20.0 * i as f64 / n as f64;
    let on_arm = |t: f64| Point { x: t * t.cos(), y: t * t.sin() };
    all.push(("arm", (0..n).map(arm).map(on_arm).collect()));
    all.into_iter().map(|(name, points)| (name, distinct(&points).points)).collect()
}
