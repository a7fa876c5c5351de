//! Greedy triangulations.

mod branches {
    use memory_machine_geometry::greedy::branches::*;
    use memory_machine_geometry::greedy::paper;
    use memory_machine_geometry::points::Point;
    use memory_machine_geometry::points::random::{self, PointDistribution};

    fn points(of: &[(f64, f64)]) -> Vec<Point> {
        of.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    /// By hand: 15 pairs of lines, of which 12 share a corner; opposite sides, and the diagonals.
    #[test]
    fn of_a_square() {
        let counted = count(&points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])).unwrap();
        let expected = Branches {
            tests: 15,
            equality_tests: 43,
            same_x: 22,
            sharing: 12,
            apart: 1,
            crossing: 1,
            zero_tests: 8,
            ..Branches::default()
        };
        assert_eq!(counted, expected);
        assert_eq!(counted.operations(), 15 + 43 + 22 + 37 * 3 + 2 + 8);
    }

    /// By hand: of the lines left, only 0–1 and 2–3 share no end.
    #[test]
    fn of_points_on_a_line() {
        let counted = count(&points(&[(0.0, 0.0), (1.0, 0.0), (3.0, 0.0), (7.0, 0.0)])).unwrap();
        assert_eq!((counted.tests, counted.sharing), (7, 6));
        assert_eq!((counted.apart, counted.crossing, counted.touching), (0, 0, 0));
        assert_eq!((counted.zero_tests, counted.on_line, counted.extents), (4, 4, 6));
    }

    /// The tests are those of the algorithm, and what they find conflicts.
    #[test]
    fn every_test_is_counted() {
        for distribution in PointDistribution::ALL {
            let points = random::points(distribution, 40, 3);
            let points = memory_machine_geometry::points::distinct(&points).points;
            let (mut tests, mut eliminated) = (0, 0);
            let run = paper::run(&points, |round| {
                tests += round.tests;
                eliminated += round.eliminated;
            });
            let counted = count(&points).unwrap();
            assert_eq!((counted.tests, run.unwrap().tests), (tests, tests), "{distribution}");
            let found = counted.crossing + counted.touching;
            // Lines from one end that run the same way are eliminated, too.
            assert!(found <= eliminated, "{distribution}");
            if distribution == PointDistribution::Square {
                assert_eq!(found, eliminated);
                assert_eq!((counted.on_line, counted.touching), (0, 0));
                assert_eq!(counted.zero_tests, 4 * (tests - counted.sharing - counted.crossing));
            }
        }
    }
}

mod constrained {
    use memory_machine_geometry::greedy::fast::{constrained_delaunay, constrained_greedy};
    use memory_machine_geometry::greedy::{conflict, definition};
    use memory_machine_geometry::points::Point;
    use memory_machine_geometry::points::random::{self, PointDistribution};
    use memory_machine_geometry::points::{compare_lengths, segments_meet};

    fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// By the definition: all lines, sorted, each that conflicts with none.
    fn defined(points: &[Point], given: &[[u32; 2]]) -> Vec<[u32; 2]> {
        let n = points.len() as u32;
        let mut lines: Vec<[u32; 2]> =
            (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
        lines.sort_by(|a, b| {
            let at = |line: &[u32; 2]| line.map(|end| points[end as usize]);
            compare_lengths(at(a), at(b)).then(a.cmp(b))
        });
        let mut edges = given.to_vec();
        for line in lines {
            if !edges.contains(&line) && edges.iter().all(|&it| !conflict(points, it, line)) {
                edges.push(line);
            }
        }
        edges.sort_unstable();
        edges
    }

    #[test]
    fn greedy_beside_given_lines_is_as_defined() {
        for seed in 0..200 {
            let mut points = random::points(PointDistribution::Square, 24, seed);
            if seed % 2 == 1 {
                let whole = |c: f64| (6.0 * c).floor();
                points.iter_mut().for_each(|it| *it = Point { x: whole(it.x), y: whole(it.y) });
            }
            let points = memory_machine_geometry::points::distinct(&points).points;
            let n = points.len() as u32;
            // Long lines, each that conflicts with none before and passes through no point.
            let mut given: Vec<[u32; 2]> = vec![];
            for k in 0..40 {
                let (a, b) = ((7 * k + seed as u32) % n, (11 * k + 5) % n);
                let line = [a.min(b), a.max(b)];
                let [p, q] = line.map(|end| points[end as usize]);
                let through = (0..n).filter(|it| !line.contains(it)).any(|it| {
                    let r = points[it as usize];
                    segments_meet(p, q, r, r)
                });
                if a != b
                    && !through
                    && !given.contains(&line)
                    && given.iter().all(|&it| !conflict(&points, it, line))
                {
                    given.push(line);
                }
            }
            let Some(found) = constrained_greedy(&points, &given) else { continue };
            assert_eq!(edges(&found), defined(&points, &given), "seed {seed}");
            if given.is_empty() {
                let mut all = definition::triangulate(&points);
                all.sort_unstable();
                assert_eq!(edges(&found), all);
            }
            let delaunay = edges(&constrained_delaunay(&points, &given).unwrap());
            assert!(given.iter().all(|it| delaunay.contains(it)));
            assert_eq!(delaunay.len(), edges(&found).len());
        }
    }
}

mod fast {
    use memory_machine_geometry::greedy::definition;
    use memory_machine_geometry::greedy::fast::run;
    use memory_machine_geometry::points::{Point, distinct};

    /// Points on rays from the origin, the k-th at `distance(k)`.
    fn rays(rays: usize, count: usize, distance: impl Fn(f64) -> f64) -> Vec<Point> {
        let point = |it: usize| {
            let (sin, cos) = (std::f64::consts::TAU * (it % rays) as f64 / rays as f64).sin_cos();
            let far = distance((it / rays + 1) as f64);
            // Of four rays, those on the axes are so exactly.
            let exact = |it: f64| if it.abs() < 1e-9 { 0.0 } else { it };
            Point { x: far * exact(cos), y: far * exact(sin) }
        };
        (0..rays * count).map(point).collect()
    }

    /// Each side crosses all edges between a vertex and a ray: they go to the next vertex by one flip.
    #[test]
    fn edges_to_one_wall_are_flipped_at_once() {
        for distance in [f64::cbrt, f64::sqrt, |k: f64| k.ln_1p()] {
            let points: Vec<Point> = rays(4, 1000, distance)
                .into_iter()
                .filter(|it| it.x >= 0.0 && it.y >= 0.0)
                .collect();
            let n = points.len() as u64;
            let found = run(&points, &|_| ());
            assert!(found.flips < 2 * n, "{} flips", found.flips);
            assert!(found.candidates < 4 * n, "{} candidates", found.candidates);
        }
    }

    /// Where fans come, go, grow and fall apart.
    #[test]
    fn walls_as_defined() {
        let mut sets: Vec<Vec<Point>> = vec![];
        for (count, power) in (2..=8).flat_map(|count| (1..=6).map(move |power| (count, power))) {
            sets.push(rays(count, 96 / count, |k| k.powf(f64::from(power) / 6.0)));
        }
        // Two curves with their bulges towards each other, a slope, and points between.
        for skew in 0..6 {
            let on = |t: f64| {
                let (t, far) = (t - 20.0, 1.0 + f64::from(skew));
                [(t, t * t * 0.02 + far), (t * 0.7 + 0.1, -t * t * 0.01), (t * 0.3, far * 0.4)]
            };
            let points = (0..40).flat_map(|k| on(f64::from(k)));
            let slanted = |(x, y): (f64, f64)| Point { x: x + y * f64::from(skew), y };
            sets.push(points.map(slanted).collect());
        }
        for (rank, points) in sets.into_iter().enumerate() {
            let points = distinct(&points).points;
            assert_eq!(run(&points, &|_| ()).edges, definition::triangulate(&points), "{rank}");
        }
    }
}
