//! Triangulations of random simple polygons, checked by what a triangulation is, with exact
//! predicates and nothing of the library's; and `umm opt solve` as its users call it.

use std::fmt::Debug;

use memory_machine::algorithms::opt::{
    Chord, Nearest, Problem, Weights, reference, solve, triangulation,
};
use memory_machine::algorithms::polygon::chords::{self, Chords};
use memory_machine::algorithms::polygon::{self, Point, Polygon, random};
use rand::prelude::*;
use robust::{Coord, orient2d};
use serde_json::Value;

use crate::polygon::lattice;
use crate::support::{command, data, json, umm};

/// 1 if `a`, `b`, `c` turn left, −1 if right, 0 if they lie on one line.
fn turn(a: Point, b: Point, c: Point) -> i32 {
    let [a, b, c] = [a, b, c].map(|Point { x, y }| Coord { x, y });
    let turn = orient2d(a, b, c);
    i32::from(turn > 0.0) - i32::from(turn < 0.0)
}

/// Whether `p` lies on the closed segment `ab`.
fn on_segment(p: Point, a: Point, b: Point) -> bool {
    (a.x.min(b.x)..=a.x.max(b.x)).contains(&p.x)
        && (a.y.min(b.y)..=a.y.max(b.y)).contains(&p.y)
        && turn(a, b, p) == 0
}

/// Whether segments of different vertices have a point in common, or segments of one common vertex
/// another one.
fn meet(ring: &[Point], [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    let at = |i: usize| ring[i];
    let apart = |of: fn(Point) -> f64| {
        let [a, b, c, d] = [a, b, c, d].map(|i| of(ring[i]));
        a.max(b) < c.min(d) || c.max(d) < a.min(b)
    };
    if apart(|p| p.x) || apart(|p| p.y) {
        return false;
    }
    let others = [(a, [c, d]), (b, [c, d]), (c, [a, b]), (d, [a, b])];
    let touches = others
        .into_iter()
        .any(|(v, [from, to])| v != from && v != to && on_segment(at(v), at(from), at(to)));
    let sides = turn(at(a), at(b), at(c)) * turn(at(a), at(b), at(d));
    touches || (sides < 0 && turn(at(c), at(d), at(a)) * turn(at(c), at(d), at(b)) < 0)
}

/// Whether the segment from `v_a` to `v_b` sets out into the polygon, whose interior is on the left.
fn sets_out_inside(ring: &[Point], a: usize, b: usize) -> bool {
    let n = ring.len();
    let (before, v, after) = (ring[(a + n - 1) % n], ring[a], ring[(a + 1) % n]);
    let (from_after, from_before) = (turn(v, after, ring[b]) > 0, turn(before, v, ring[b]) > 0);
    match turn(before, v, after) {
        1 => from_after && from_before,
        -1 => from_after || from_before,
        _ => from_after,
    }
}

/// `n − 3` different chords, none of which meets another or the boundary but in its ends, and each
/// of which runs inside.
fn check(ring: &[Point], chords: &[[usize; 2]]) {
    let n = ring.len();
    assert_eq!(chords.len(), n - 3);
    let area: f64 = (0..n)
        .map(|i| (ring[i], ring[(i + 1) % n]))
        .map(|(a, b)| (a.x - ring[0].x) * (b.y - ring[0].y) - (b.x - ring[0].x) * (a.y - ring[0].y))
        .sum();
    for (rank, &[a, b]) in chords.iter().enumerate() {
        assert!(a + 2 <= b && b < n && (a, b) != (0, n - 1), "{a}–{b} is no chord");
        assert!(rank == 0 || chords[rank - 1] < [a, b], "not in order");
        for edge in 0..n {
            assert!(!meet(ring, [a, b], [edge, (edge + 1) % n]), "{a}–{b} meets edge {edge}");
        }
        for &other in &chords[..rank] {
            assert!(!meet(ring, [a, b], other), "{a}–{b} meets {other:?}");
        }
        let inside = if area > 0.0 {
            sets_out_inside(ring, a, b)
        } else {
            let mirrored: Vec<Point> = ring.iter().rev().copied().collect();
            sets_out_inside(&mirrored, n - 1 - a, n - 1 - b)
        };
        assert!(inside, "{a}–{b} runs outside");
    }
}

/// The least sum over all triangulations, each written out.
fn least_of_all(n: usize, weight: &dyn Fn(usize, usize) -> f64) -> f64 {
    /// The triangulations of `v_a … v_b`, `v_a v_b` left out.
    fn all(a: usize, b: usize) -> Vec<Vec<[usize; 2]>> {
        let side = |a: usize, b: usize| -> Vec<Vec<[usize; 2]>> {
            let own = (a + 1 < b).then_some([a, b]);
            all(a, b).into_iter().map(|it| it.into_iter().chain(own).collect()).collect()
        };
        if a + 1 == b {
            return vec![vec![]];
        }
        let mut found = vec![];
        for k in a + 1..b {
            for left in side(a, k) {
                found.extend(side(k, b).into_iter().map(|right| [left.clone(), right].concat()));
            }
        }
        found
    }
    let all = all(0, n - 1);
    let catalan = [1, 1, 2, 5, 14, 42, 132, 429];
    assert_eq!(all.len(), catalan[n - 2]);
    let sum = |it: Vec<[usize; 2]>| it.into_iter().map(|[a, b]| weight(a, b)).sum();
    all.into_iter().map(sum).fold(f64::INFINITY, f64::min)
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

/// A random simple polygon: grown on a lattice, star-shaped, or convex.
fn ring(seed: u64, n: usize) -> Polygon {
    let mut rng = lattice::rng(seed);
    match seed % 4 {
        0 => lattice::polygon(&lattice::grown(&mut rng, n, 7)),
        1 => lattice::polygon(&lattice::grown(&mut rng, n, 1000)),
        2 => {
            let point = |i: usize| {
                let (sin, cos) = (std::f64::consts::TAU * i as f64 / n as f64).sin_cos();
                let radius = rng.random_range(1.0..9.0);
                Point { x: radius * cos, y: radius * sin }
            };
            Polygon::new((0..n).map(point).collect()).unwrap()
        }
        _ => random::convex(n, seed),
    }
}

/// Solves through the library; checks all there is to check.
fn checked<T: Nearest + Debug>(polygon: &Polygon) {
    let (n, ring) = (polygon.n(), polygon.vertices());
    let problem = Chords::of(polygon, &|_| ()).unwrap();
    let table = solve::<T>(&problem, &|_| ());
    let mut chords = triangulation::recover_from(&problem, |a, b| table.get(a, b)).unwrap();
    chords.sort();
    let chords: Vec<[usize; 2]> = chords.iter().map(|&Chord { a, b }| [a, b]).collect();
    check(ring, &chords);
    let weight = |a: usize, b: usize| T::nearest(distance(ring[a], ring[b]));
    let number = |weight: T| weight.to_string().parse::<f64>().unwrap();
    let total = number(table.get(0, n - 1));
    let sum: f64 = chords.iter().map(|&[a, b]| number(weight(a, b))).sum();
    let slack = if T::WHOLE { 0.0 } else { 1e-6 * total };
    assert!((total - sum).abs() <= slack, "{total} for {sum}");
    if n <= 9 {
        let c = chords::weights::<T>(polygon).unwrap();
        let least = least_of_all(n, &|a, b| {
            let weight = c.get(a, b);
            if weight.is_finite() { number(weight) } else { f64::INFINITY }
        });
        assert!((total - least).abs() <= slack, "{total}, but {least} is possible");
    }
}

#[test]
fn small_polygons_are_triangulated_with_least_weight() {
    for seed in 0..160 {
        let polygon = ring(seed, 3 + (seed / 4 % 7) as usize);
        checked::<f32>(&polygon);
        checked::<f64>(&polygon);
        checked::<i32>(&polygon);
    }
}

#[test]
fn polygons_are_triangulated() {
    for seed in crate::some(0..60, 8) {
        let polygon = ring(seed, 10 + 2 * seed as usize);
        checked::<f32>(&polygon);
        checked::<f64>(&polygon);
        checked::<i32>(&polygon);
    }
}

/// What is solved without a table of weights, and with one, is the same.
#[test]
fn chords_weigh_what_their_table_says() {
    for seed in 0..12 {
        let polygon = ring(seed, 70);
        let lean = Chords::of(&polygon, &|_| ()).unwrap();
        let dense: Weights<f64> = chords::weights(&polygon).unwrap();
        assert_eq!(reference::solve::<f64>(&lean), reference::solve(&dense));
        for (a, b) in (0..polygon.n()).flat_map(|a| (a + 2..polygon.n()).map(move |b| (a, b))) {
            let weight: f64 = lean.whole(a, b);
            assert_eq!(weight, dense.get(a, b));
            assert!(weight <= lean.longest() * (1.0 + 1e-15) || weight.is_infinite());
        }
    }
}

fn pairs(report: &Value) -> Vec<[usize; 2]> {
    serde_json::from_value(report["chords"].clone()).unwrap()
}

#[test]
fn a_great_outline() {
    for (name, vertices) in crate::some([("mongolia", 74), ("great-britain", 3697)], 2) {
        outline(name, vertices);
    }
}

fn outline(name: &str, vertices: u64) {
    let path = data(&format!("{name}.geojson"));
    let folder = tempfile::tempdir().unwrap();
    let line = format!("opt solve {} --type f64 --draw b.svg --json", path.display());
    let report = json(folder.path(), &line);
    let polygon = polygon::read(&path).unwrap();
    let ring = polygon.vertices();
    assert_eq!((&report["n"], ring.len() as u64), (&vertices.into(), vertices));
    let chords = pairs(&report);
    check(ring, &chords);
    let sum: f64 = chords.iter().map(|&[a, b]| distance(ring[a], ring[b])).sum();
    assert!((report["weight"].as_f64().unwrap() / sum - 1.0).abs() < 1e-12);
    assert_eq!(report["relaxations"], vertices * (vertices - 1) * (vertices - 2) / 6);
    let picture = std::fs::read_to_string(folder.path().join("b.svg")).unwrap();
    assert_eq!(picture.matches("stroke=\"#0072B2\"").count() as u64, vertices - 3);
}

/// The same chords in every form, from every engine, for every type.
#[test]
fn outputs_agree() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let polygon = ring(2, 90);
    let rows = polygon.vertices().iter().map(|p| format!("{},{}\n", p.x, p.y));
    std::fs::write(at.join("star.csv"), rows.collect::<String>()).unwrap();
    for kind in crate::some(["f32", "f64", "i32"], 3) {
        let options = "--output c.csv --output c.geojson --tree t.dot --draw p.png --theme dark";
        let line = format!("opt solve star.csv --type {kind} {options} --json");
        let report = json(at, &line);
        let naive = json(at, &format!("opt solve star.csv --type {kind} --engine naive --json"));
        assert_eq!((&report["engine"], &naive["engine"]), (&"cpu".into(), &"naive".into()));
        for field in ["n", "weight", "chords", "type", "relaxations", "seed"] {
            assert_eq!(report[field], naive[field], "{field}");
        }
        let chords = pairs(&report);
        check(polygon.vertices(), &chords);

        let mut rows = csv::Reader::from_path(at.join("c.csv")).unwrap();
        let rows: Vec<(usize, usize, f64)> = rows.deserialize().map(Result::unwrap).collect();
        assert_eq!(rows.iter().map(|it| [it.0, it.1]).collect::<Vec<_>>(), chords);
        let total: f64 = rows.iter().map(|it| it.2).sum();
        assert!((total / report["weight"].as_f64().unwrap() - 1.0).abs() < 1e-6);

        let lines = std::fs::read_to_string(at.join("c.geojson")).unwrap();
        let lines: geojson::FeatureCollection = lines.parse().unwrap();
        assert_eq!(lines.features.len(), chords.len());
        for (line, row) in lines.features.iter().zip(&rows) {
            assert_eq!(line.property("i").unwrap(), row.0);
            assert_eq!(line.property("j").unwrap(), row.1);
            assert_eq!(line.property("weight").unwrap().as_f64().unwrap(), row.2);
            let ends = [row.0, row.1].map(|v| polygon.vertices()[v]).map(|p| vec![p.x, p.y].into());
            let geometry = geojson::GeometryValue::LineString { coordinates: ends.to_vec() };
            assert_eq!(line.geometry.as_ref().unwrap().value, geometry);
        }
        let tree = std::fs::read_to_string(at.join("t.dot")).unwrap();
        assert_eq!(tree.matches("->").count(), 2 * 90 - 4);
        assert!(std::fs::read(at.join("p.png")).unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn random_polygons_are_named_by_their_seed() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |options: &str| json(folder.path(), &format!("opt solve random {options} --json"));
    let first = solve("-n 40 --seed 9");
    assert_eq!((&first["n"], &first["seed"]), (&40.into(), &9.into()));
    assert_eq!(first["chords"], solve("-n 40 --seed 9")["chords"]);
    assert_ne!(first["weight"], solve("-n 40 --seed 10")["weight"]);
    check(random::convex(40, 9).vertices(), &pairs(&first));
    let triangle = solve("-n 3");
    assert_eq!((&triangle["chords"], &triangle["weight"]), (&Value::Array(vec![]), &0.0.into()));
}

/// Weights of a matrix, negative and forbidden ones among them; edges' and the lower triangle's
/// numbers do not matter.
#[test]
fn matrices_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for seed in 0..12 {
        let mut rng = lattice::rng(seed);
        let n = 3 + seed as usize % 7;
        let mut cells = vec![vec![0.0; n]; n];
        for cell in cells.iter_mut().flatten() {
            *cell = f64::from(rng.random_range(-20..60));
            if *cell > 55.0 {
                *cell = f64::INFINITY;
            }
        }
        let row = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let text: Vec<String> = cells.iter().map(row).collect();
        std::fs::write(at.join("m.csv"), text.join("\n\n")).unwrap();
        let least = least_of_all(n, &|a, b| cells[a][b]);
        for kind in ["f32", "i32"] {
            let line = format!("opt solve --weights m.csv --type {kind} --json --draw p.svg");
            if least.is_infinite() {
                assert_eq!(umm(at, &line).status.code(), Some(1));
                continue;
            }
            let report = json(at, &line);
            assert_eq!(report["weight"].as_f64().unwrap(), least, "{cells:?}");
            let sum: f64 = pairs(&report).iter().map(|&[a, b]| cells[a][b]).sum();
            assert_eq!(sum, least);
        }
    }
}

/// Engines of the host are measured where there is no GPU.
#[test]
fn the_hosts_engines_need_no_gpu() {
    let folder = tempfile::tempdir().unwrap();
    let line = "opt measure -n 16..32*2 --engine cpu,plain --repetitions 7 -o m";
    let mut command = command(folder.path(), line);
    let output = command.env("CUDA_VISIBLE_DEVICES", "").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "m: 4 points measured, 0 were there, 0 refused\n");
    assert!(umm(folder.path(), "report m").status.success());
}
