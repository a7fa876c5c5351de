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
    use memory_machine_geometry::greedy::fast::run;
    use memory_machine_geometry::greedy::paper;
    use memory_machine_geometry::points::Point;

    /// Each ear crosses a quarter of all edges here, and they are flipped again by the next one.
    #[test]
    fn edges_that_are_flipped_again_and_again_leave_one_candidate() {
        let roots = (1..=40).map(|k| f64::from(k).cbrt());
        let points: Vec<Point> =
            roots.flat_map(|it| [Point { x: it, y: 0.0 }, Point { x: 0.0, y: it }]).collect();
        let found = run(&points, &|_| ());
        assert_eq!(found.edges, paper::triangulate(&points).unwrap());
        let n = points.len() as u64;
        assert!(found.flips > n * n / 10, "{} flips", found.flips);
        assert!(found.candidates < 4 * n, "{} candidates", found.candidates);
    }
}
