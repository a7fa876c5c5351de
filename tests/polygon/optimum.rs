//! Optimal triangulations against exhaustive search, and checked on their own.

use memory_machine::algorithms::opt::{Chord, Weights, reference, triangulation};
use memory_machine::algorithms::polygon::{self, chords};
use rand::prelude::*;

use super::lattice::{self, Vertex};

/// Least total weight over all sets of `n − 3` pairwise non-crossing chords, found by trying them
/// all; +∞ if each has an infinite chord.
fn exhaustive(c: &Weights) -> f64 {
    fn extend(c: &Weights, chords: &[Chord], chosen: &mut Vec<Chord>, total: f64) -> f64 {
        if chosen.len() == c.n() - 3 {
            return total;
        }
        let mut least = f64::INFINITY;
        for (rank, &chord) in chords.iter().enumerate() {
            if !chosen.iter().any(|&other| labels_cross(chord, other)) {
                chosen.push(chord);
                let weight = f64::from(c.get(chord.a, chord.b));
                least = least.min(extend(c, &chords[rank + 1..], chosen, total + weight));
                chosen.pop();
            }
        }
        least
    }
    let n = c.n();
    let all: Vec<Chord> = (0..n)
        .flat_map(|a| (a + 2..n).map(move |b| Chord { a, b }))
        .filter(|&chord| chord != Chord { a: 0, b: n - 1 })
        .collect();
    extend(c, &all, &mut Vec::new(), 0.0)
}

/// Whether two chords of a convex polygon cross.
fn labels_cross(e: Chord, f: Chord) -> bool {
    (e.a < f.a && f.a < e.b && e.b < f.b) || (f.a < e.a && e.a < f.b && f.b < e.b)
}

/// The optimum and its chords, checked: as many as there must be, none twice, none crossing, and
/// together as heavy as the table says.
fn solve(c: &Weights) -> (f32, Vec<Chord>) {
    let n = c.n();
    let m = reference::table(c.n(), c.as_slice());
    let optimum = m[n + n - 1];
    let chords = triangulation::recover(n, &m, c.as_slice()).unwrap();
    assert_eq!(chords.len(), n - 3);
    for (rank, &e) in chords.iter().enumerate() {
        assert!(e.a + 2 <= e.b && e.b < n && (e.a, e.b) != (0, n - 1), "{e:?} is no chord");
        for &f in &chords[..rank] {
            assert!(e != f && !labels_cross(e, f), "{e:?} and {f:?}");
        }
    }
    let total: f64 = chords.iter().map(|e| f64::from(c.get(e.a, e.b))).sum();
    let slack = 1e-6 * n as f64 * total.abs();
    assert!((total - f64::from(optimum)).abs() <= slack, "{total} for {optimum}");
    (optimum, chords)
}

/// Besides: no chord leaves the polygon, and no two meet in the plane but at their ends.
fn solve_polygon(ring: &[Vertex]) -> (f32, Weights) {
    let c = chords::weights::<f32>(&lattice::polygon(ring)).unwrap();
    let (optimum, chords) = solve(&c);
    for (rank, e) in chords.iter().enumerate() {
        assert!(lattice::is_chord(ring, e.a, e.b), "{e:?} of {ring:?}");
        for f in &chords[..rank] {
            assert!(!lattice::cross(ring[e.a], ring[e.b], ring[f.a], ring[f.b]));
        }
    }
    (optimum, c)
}

#[test]
fn random_weights() {
    for seed in 0..60 {
        let mut rng = lattice::rng(seed);
        let n = 3 + (seed % 8) as usize;
        // Whole numbers, so that f32 sums are exact; some chords are forbidden.
        let c = Weights::from_chords(n, |_, _| match rng.random_range(0..30) {
            0..3 => f32::INFINITY,
            weight => weight as f32,
        });
        let best = exhaustive(&c);
        let m = reference::table(c.n(), c.as_slice());
        assert_eq!(f64::from(m[n + n - 1]), best, "seed {seed}");
        if best.is_finite() {
            solve(&c);
        } else {
            assert!(triangulation::recover(n, &m, c.as_slice()).is_err());
        }
    }
}

#[test]
fn random_small_polygons() {
    for seed in 0..120 {
        let mut rng = lattice::rng(seed);
        let side = if seed % 2 == 0 { 6 } else { 1000 };
        let ring = lattice::grown(&mut rng, 3 + (seed % 8) as usize, side);
        let (optimum, c) = solve_polygon(&ring);
        let best = exhaustive(&c);
        assert!((f64::from(optimum) - best).abs() <= 1e-5 * best, "{ring:?}");
    }
}

#[test]
fn every_simple_polygon_has_a_finite_optimum() {
    for seed in 0..200 {
        let mut rng = lattice::rng(seed);
        let ring = lattice::grown(&mut rng, 30, 9);
        assert!(solve_polygon(&ring).0.is_finite());
        assert!(solve_polygon(&lattice::with_flat_vertices(&ring)).0.is_finite());
    }
    for size in 1..6 {
        for ring in [lattice::comb(size), lattice::spiral(size)] {
            assert!(solve_polygon(&ring).0.is_finite());
            assert!(solve_polygon(&lattice::with_flat_vertices(&ring)).0.is_finite());
        }
    }
}

#[test]
fn countries() {
    for (name, n) in [("laos", 36), ("croatia", 41), ("mongolia", 74)] {
        let country = polygon::read(&crate::support::data(&format!("{name}.geojson"))).unwrap();
        assert_eq!(country.n(), n, "{name}");
        let (optimum, _) = solve(&chords::weights::<f32>(&country).unwrap());
        assert!(optimum.is_finite(), "{name}");
    }
}
