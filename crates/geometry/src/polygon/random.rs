//! Random polygons.

use chacha20::ChaCha8Rng;
use rand::prelude::*;

use super::{Point, Polygon};

/// Coordinates are whole multiples of 2^(−42) below 2^10 in magnitude: exact in `f64`.
const BITS: u32 = 52;
const GRID: f64 = 1.0 / (1_u64 << 42) as f64;

/// A random strictly convex polygon of `n` vertices, counter-clockwise, less than 1024 units wide
/// and high: uniformly distributed among those of `n` random points that happen to be in convex
/// position (Valtr 1995, *Probability that n random points are in convex position*), on a grid so
/// fine that all is exact.
///
/// Valtr's proof as an algorithm: of `n` random abscissas in order, the least and the greatest are
/// joined by two chains among which the others are dealt at random; their steps are the abscissas of
/// the edges. The same for ordinates; abscissas and ordinates are paired at random; the edges are
/// laid one after another in the order of their directions. `O(n log n)` time.
///
/// # Panics
/// If `n < 3`.
pub fn convex(n: usize, seed: u64) -> Polygon {
    assert!(n >= 3, "a polygon has at least three vertices");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    loop {
        let x = steps(n, &mut rng);
        let mut y = steps(n, &mut rng);
        y.shuffle(&mut rng);
        let mut edges: Vec<(i64, i64)> = x.into_iter().zip(y).collect();
        edges.sort_unstable_by(|&e, &f| by_direction(e, f));
        // Next to never: an edge of no length, or two edges that run the same way.
        let parallel = |pair: &[(i64, i64)]| by_direction(pair[0], pair[1]).is_eq();
        if edges.contains(&(0, 0)) || edges.windows(2).any(parallel) {
            continue;
        }
        let lay = |at: &mut (i64, i64), edge: &(i64, i64)| {
            let from = *at;
            *at = (at.0 + edge.0, at.1 + edge.1);
            Some(Point { x: from.0 as f64 * GRID, y: from.1 as f64 * GRID })
        };
        let vertices = edges.iter().scan((0, 0), lay).collect();
        // It fails only for three edges along one line.
        if let Ok(polygon) = Polygon::new(vertices) {
            return polygon;
        }
    }
}

/// `n` steps along one axis that lead back to their beginning.
fn steps(n: usize, rng: &mut ChaCha8Rng) -> Vec<i64> {
    let mut places: Vec<i64> = (0..n).map(|_| rng.random_range(0..1 << BITS)).collect();
    places.sort_unstable();
    let (least, greatest) = (places[0], places[n - 1]);
    let mut chains = [least; 2];
    let mut steps = Vec::with_capacity(n);
    for &place in &places[1..n - 1] {
        let way = rng.random_range(0..2);
        steps.push(if way == 0 { place - chains[0] } else { chains[1] - place });
        chains[way] = place;
    }
    steps.extend([greatest - chains[0], chains[1] - greatest]);
    steps
}

/// By the angle from the positive x axis, from 0 up to a whole turn.
fn by_direction(e: (i64, i64), f: (i64, i64)) -> std::cmp::Ordering {
    let lower = |(x, y): (i64, i64)| y < 0 || (y == 0 && x < 0);
    let cross = |(a, b): (i64, i64), (c, d): (i64, i64)| {
        i128::from(a) * i128::from(d) - i128::from(b) * i128::from(c)
    };
    lower(e).cmp(&lower(f)).then(0.cmp(&cross(e, f)))
}
