//! Random simple polygons with integer coordinates, and the definitions of simplicity and of a
//! chord, spelled out in integer arithmetic that shares nothing with the library.

use chacha20::ChaCha8Rng;
use memory_machine::algorithms::polygon::{Point, Polygon};
use rand::prelude::*;

pub type Vertex = (i64, i64);

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn points(ring: &[Vertex]) -> Vec<Point> {
    let point = |&(x, y): &Vertex| Point { x: x as f64, y: y as f64 };
    ring.iter().map(point).collect()
}

pub fn polygon(ring: &[Vertex]) -> Polygon {
    Polygon::new(points(ring)).unwrap_or_else(|flaw| panic!("{ring:?}: {flaw}"))
}

pub fn turn(a: Vertex, b: Vertex, c: Vertex) -> i64 {
    ((b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)).signum()
}

/// Whether `p` lies on the closed segment `ab`.
fn on_segment(p: Vertex, a: Vertex, b: Vertex) -> bool {
    turn(a, b, p) == 0
        && (a.0.min(b.0)..=a.0.max(b.0)).contains(&p.0)
        && (a.1.min(b.1)..=a.1.max(b.1)).contains(&p.1)
}

/// Whether `ab` and `cd` cross at a point inside both.
pub fn cross(a: Vertex, b: Vertex, c: Vertex, d: Vertex) -> bool {
    turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
}

fn edges(ring: &[Vertex]) -> impl Iterator<Item = (Vertex, Vertex)> + Clone + '_ {
    (0..ring.len()).map(|i| (ring[i], ring[(i + 1) % ring.len()]))
}

/// No vertex lies on an edge that is not its own, and no two edges cross.
pub fn is_simple(ring: &[Vertex]) -> bool {
    let n = ring.len();
    let touches = edges(ring)
        .enumerate()
        .any(|(e, (a, b))| (0..n).any(|v| v != e && v != (e + 1) % n && on_segment(ring[v], a, b)));
    let crosses = edges(ring).any(|(a, b)| edges(ring).any(|(c, d)| cross(a, b, c, d)));
    n >= 3 && !touches && !crosses
}

/// The definition of a chord: no vertex on it but its ends, no edge crosses it, and its midpoint is
/// inside.
pub fn is_chord(ring: &[Vertex], i: usize, j: usize) -> bool {
    let (a, b) = (ring[i], ring[j]);
    let touches = (0..ring.len()).any(|v| v != i && v != j && on_segment(ring[v], a, b));
    let crosses = edges(ring).any(|(c, d)| cross(a, b, c, d));
    !touches && !crosses && midpoint_is_inside(ring, a, b)
}

/// Even–odd rule for a point that is not on the boundary, in doubled coordinates.
fn midpoint_is_inside(ring: &[Vertex], a: Vertex, b: Vertex) -> bool {
    let p = (a.0 + b.0, a.1 + b.1);
    let double = |v: Vertex| (2 * v.0, 2 * v.1);
    let beyond = edges(ring).filter(|&(c, d)| {
        let (c, d) = (double(c), double(d));
        let (low, high) = if c.1 < d.1 { (c, d) } else { (d, c) };
        low.1 <= p.1 && p.1 < high.1 && turn(low, high, p) > 0
    });
    beyond.count() % 2 == 1
}

/// A simple polygon of at most `n` vertices in the square `0 … side`: a triangle, into whose edges
/// random points are inserted as long as the ring stays simple. Small squares give many vertices on
/// common lines, flat ones among them. Runs either way, from a random vertex.
pub fn grown(rng: &mut ChaCha8Rng, n: usize, side: i64) -> Vec<Vertex> {
    let mut random = || (rng.random_range(0..=side), rng.random_range(0..=side));
    let mut ring = loop {
        let ring = vec![random(), random(), random()];
        if is_simple(&ring) && turn(ring[0], ring[1], ring[2]) != 0 {
            break ring;
        }
    };
    for _ in 0..40 * n {
        if ring.len() >= n {
            break;
        }
        let v = (rng.random_range(0..=side), rng.random_range(0..=side));
        let at = rng.random_range(0..ring.len());
        ring.insert(at, v);
        if !is_simple(&ring) {
            ring.remove(at);
        }
    }
    shuffled(rng, ring)
}

/// The same boundary from a random vertex, in a random direction.
pub fn shuffled(rng: &mut ChaCha8Rng, mut ring: Vec<Vertex>) -> Vec<Vertex> {
    let start = rng.random_range(0..ring.len());
    ring.rotate_left(start);
    if rng.random() {
        ring.reverse();
    }
    ring
}

/// The same boundary with every lattice point on it a vertex: most become flat.
pub fn with_flat_vertices(ring: &[Vertex]) -> Vec<Vertex> {
    edges(ring)
        .flat_map(|(a, b)| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let steps = gcd(dx.abs(), dy.abs());
            (0..steps).map(move |s| (a.0 + dx / steps * s, a.1 + dy / steps * s))
        })
        .collect()
}

pub fn flat_vertices(ring: &[Vertex]) -> usize {
    let n = ring.len();
    let is_flat = |&i: &usize| turn(ring[i], ring[(i + 1) % n], ring[(i + 2) % n]) == 0;
    (0..n).filter(is_flat).count()
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A comb with `teeth` teeth.
pub fn comb(teeth: i64) -> Vec<Vertex> {
    let mut ring = vec![(2 * teeth, 0), (0, 0)];
    for tooth in 0..teeth {
        ring.extend([(2 * tooth, 5), (2 * tooth + 1, 5), (2 * tooth + 1, 1), (2 * tooth + 2, 1)]);
    }
    ring.pop(); // the last tooth has no gap after it
    ring.pop();
    ring[0].0 = 2 * teeth - 1;
    ring
}

/// A rectangular spiral of corridors of width 1.
pub fn spiral(turns: i64) -> Vec<Vertex> {
    let side = 4 * turns + 2;
    let (mut outer, mut inner) = (vec![(0, 0)], Vec::new());
    for t in 0..turns {
        let (low, high) = (2 * t, side - 2 * t);
        outer.extend([(high, low), (high, high), (low, high), (low, low + 2)]);
        let first = if t == 0 { 0 } else { low - 1 };
        inner.extend([
            (first, low + 1),
            (high - 1, low + 1),
            (high - 1, high - 1),
            (low + 1, high - 1),
        ]);
    }
    let end = 2 * (turns - 1);
    inner.push((end + 1, end + 2));
    outer.extend(inner.into_iter().rev());
    outer
}

/// A star with `points` spikes and a vertex at each dent.
pub fn star(points: usize) -> Vec<Vertex> {
    (0..2 * points)
        .map(|i| {
            let radius = if i % 2 == 0 { 1000.0 } else { 300.0 };
            let angle = std::f64::consts::PI * i as f64 / points as f64;
            ((radius * angle.cos()) as i64, (radius * angle.sin()) as i64)
        })
        .collect()
}
