//! Which chords lie inside, against the definition.

use memory_machine::algorithms::polygon::{Point, Polygon, chords};
use proptest::prelude::*;

use super::lattice::{self, Vertex};

fn check(ring: &[Vertex]) {
    let n = ring.len();
    let c = chords::weights::<f32>(&lattice::polygon(ring)).unwrap();
    for i in 0..n {
        for j in 0..n {
            let expected = if i == j || i.abs_diff(j) == 1 || i.abs_diff(j) == n - 1 {
                0.0
            } else if lattice::is_chord(ring, i, j) {
                let (x, y) = (ring[i].0 - ring[j].0, ring[i].1 - ring[j].1);
                ((x * x + y * y) as f64).sqrt() as f32
            } else {
                f32::INFINITY
            };
            assert_eq!(c.get(i, j), expected, "chord {i}–{j} of {ring:?}");
        }
    }
}

#[test]
fn random_polygons() {
    let (mut vertices, mut flat) = (0, 0);
    for seed in crate::some(0..3000, 4) {
        let mut rng = lattice::rng(seed);
        let n = 3 + (seed % 28) as usize;
        let side = [4, 7, 12, 40, 1 << 20][(seed % 5) as usize];
        let ring = lattice::grown(&mut rng, n, side);
        check(&ring);
        vertices += ring.len();
        flat += lattice::flat_vertices(&ring);
    }
    // The generator still makes what this test is for.
    let (most, flattest) = (crate::share(40_000, 4), crate::share(1_000, 4));
    assert!(vertices > most && flat > flattest, "{vertices}, {flat} of them flat");
}

#[test]
fn polygons_full_of_flat_vertices() {
    for seed in 0..600 {
        let mut rng = lattice::rng(seed);
        let ring = lattice::grown(&mut rng, 4 + (seed % 12) as usize, 6);
        let flat = lattice::with_flat_vertices(&ring);
        check(&lattice::shuffled(&mut rng, flat));
    }
}

#[test]
fn combs_spirals_and_stars() {
    let mut rng = lattice::rng(0);
    for size in 1..8 {
        let shapes = [lattice::comb(size), lattice::spiral(size), lattice::star(size as usize + 2)];
        for ring in shapes {
            check(&lattice::shuffled(&mut rng, ring.clone()));
            let flat = lattice::with_flat_vertices(&ring);
            if flat.len() < 250 {
                check(&lattice::shuffled(&mut rng, flat));
            }
        }
    }
}

#[test]
fn neighbours_of_a_line_by_one_bit() {
    // v_1 is on the line from v_0 to v_2, then one unit in the last place off it to either side.
    let chord = |y: f64| {
        let corners = [(0.0, 0.0), (0.5, y), (1.0, 0.1), (0.0, 1.0)];
        let ring = corners.map(|(x, y)| Point { x, y }).to_vec();
        chords::weights::<f32>(&Polygon::new(ring).unwrap()).unwrap().get(0, 2)
    };
    assert_eq!(chord(0.05), f32::INFINITY);
    assert_eq!(chord(0.05_f64.next_up()), f32::INFINITY);
    assert!(chord(0.05_f64.next_down()).is_finite());
}

#[test]
fn a_large_convex_polygon_has_all_chords() {
    let n = 1000;
    let ring = (0..n)
        .map(|i| std::f64::consts::TAU * i as f64 / n as f64)
        .map(|angle| Point { x: angle.cos(), y: angle.sin() })
        .collect();
    let c = chords::weights::<f32>(&Polygon::new(ring).unwrap()).unwrap();
    assert!(c.as_slice().iter().all(|weight| weight.is_finite()));
    assert_eq!(c.get(0, n / 2), 2.0);
}

proptest! {
    #![proptest_config(crate::cases(1_500))]

    /// Random rings, of which about half are simple.
    #[test]
    fn simple_is_what_the_definition_says(
        ring in prop::collection::vec((0..6i64, 0..6i64), 3..8)
    ) {
        let ring: Vec<Vertex> = ring;
        let closed = ring.first() == ring.last();
        let open = &ring[..ring.len() - usize::from(closed)];
        let flat = open.len() < 3
            || open.iter().all(|&v| lattice::turn(open[0], open[1], v) == 0);
        let distinct = open.iter().enumerate().all(|(i, v)| !open[..i].contains(v));
        let expected = !flat && distinct && lattice::is_simple(open);
        prop_assert_eq!(Polygon::new(lattice::points(&ring)).is_ok(), expected);
    }
}
