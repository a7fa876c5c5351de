//! Polygons: regions with holes, faults and repair.

mod random {
    use memory_machine_geometry::polygon::random::convex;

    #[test]
    fn every_vertex_turns() {
        for n in (3..40).chain([1000, 20_000]) {
            for seed in 0..3 {
                let polygon = convex(n, seed);
                assert_eq!(polygon.n(), n);
                assert!(polygon.is_strictly_convex() && polygon.is_counter_clockwise());
            }
        }
        assert_eq!(convex(9, 5), convex(9, 5));
        assert_ne!(convex(9, 5), convex(9, 6));
    }
}

mod region {
    use memory_machine_geometry::opt;
    use memory_machine_geometry::polygon::chords::{Chords, length};
    use memory_machine_geometry::polygon::faults::RingFault;
    use memory_machine_geometry::polygon::region::{Definition, Region, RegionError};
    use memory_machine_geometry::polygon::{Point, Polygon, random};

    const ALL: [Definition; 3] = [Definition::Optimal, Definition::Greedy, Definition::Delaunay];

    fn ring(corners: &[(f64, f64)]) -> Vec<Point> {
        corners.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    fn square(low: f64, high: f64) -> Vec<Point> {
        ring(&[(low, low), (high, low), (high, high), (low, high)])
    }

    fn faults(rings: &[Vec<Point>]) -> Vec<String> {
        match Region::new(rings) {
            Err(RegionError::Rings(faults)) => faults.iter().map(RingFault::to_string).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Triangles turn left, cover the area, and are as many as Euler's formula has.
    fn check(region: &Region, area: f64, triangles: usize) {
        for definition in ALL {
            let found = region.triangulate(definition, length).unwrap();
            assert_eq!(found.triangles.len(), triangles, "{definition:?}");
            let each = found.triangles.iter().map(|&it| region.area(&[it]));
            assert!(each.clone().all(|it| it > 0.0));
            assert!((each.sum::<f64>() - area).abs() <= 1e-9 * area, "{definition:?}");
        }
    }

    #[test]
    fn holes() {
        let region = Region::new(&[square(0.0, 8.0), square(1.0, 2.0), square(4.0, 6.0)]).unwrap();
        check(&region, 64.0 - 1.0 - 4.0, 12 + 2 * 2 - 2);
        let found = region.triangulate(Definition::Optimal, length).unwrap();
        assert_eq!(found.bridges.len(), 2);
        assert!(found.bridges.iter().all(|it| found.chords.contains(it)));
        // An island in a hole; a hole that touches the outline at a corner, and within an edge.
        let island = Region::new(&[square(0.0, 9.0), square(2.0, 7.0), square(3.0, 4.0)]).unwrap();
        check(&island, 81.0 - 25.0 + 1.0, 8 + 2);
        let corner = ring(&[(0.0, 0.0), (2.0, 1.0), (1.0, 2.0)]);
        check(&Region::new(&[square(0.0, 8.0), corner]).unwrap(), 64.0 - 1.5, 5);
        let side = ring(&[(4.0, 0.0), (5.0, 1.0), (3.0, 1.0)]);
        check(&Region::new(&[square(0.0, 8.0), side]).unwrap(), 63.0, 6);
    }

    /// Without holes, the weights are those of the polygon's own engine.
    #[test]
    fn without_holes_it_is_the_polygon() {
        for seed in 0..6 {
            // A star: a convex polygon with every second vertex drawn to the middle.
            let mut vertices = random::convex(30, seed).vertices().to_vec();
            let n = vertices.len() as f64;
            let (x, y) = vertices.iter().fold((0.0, 0.0), |(x, y), p| (x + p.x / n, y + p.y / n));
            for p in vertices.iter_mut().step_by(2) {
                *p = Point { x: (p.x + 3.0 * x) / 4.0, y: (p.y + 3.0 * y) / 4.0 };
            }
            let Ok(polygon) = Polygon::new(vertices.clone()) else { continue };
            let chords = Chords::of(&polygon, &|_| ()).unwrap();
            let optimum = opt::solve::<f64>(&chords, &|_| ()).get(0, 29);
            let region = Region::new(&[vertices]).unwrap();
            let weights = ALL.map(|it| region.triangulate(it, length).unwrap().weight);
            assert!((weights[0] - optimum).abs() < 1e-9 * optimum, "{weights:?}, {optimum}");
            assert!(weights[1] >= weights[0] - 1e-9 && weights[2] >= weights[0] - 1e-9);
        }
    }

    /// With a hole, no triangulation that has the bridge is better: all are tried.
    #[test]
    fn the_optimum_beside_a_bridge() {
        let region = Region::new(&[square(0.0, 4.0), ring(&[(1.0, 1.0), (2.0, 1.5), (1.5, 3.0)])]);
        let region = region.unwrap();
        let found = region.triangulate(Definition::Optimal, length).unwrap();
        let points = region.points();
        let n = points.len() as u32;
        let lines: Vec<[u32; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
        let free = |line: &[u32; 2]| {
            let middle = line.map(|it| points[it as usize]);
            let [p, q] = middle;
            let inside = Point { x: f64::midpoint(p.x, q.x), y: f64::midpoint(p.y, q.y) };
            let in_hole = region
                .walls
                .iter()
                .all(|w| !memory_machine_geometry::greedy::conflict(points, *w, *line))
                && Polygon::new(points[4..].to_vec()).is_ok_and(|it| {
                    let v = it.vertices();
                    (0..3).all(|k| {
                        memory_machine_geometry::points::orientation(v[k], v[(k + 1) % 3], inside)
                            > 0.0
                    })
                });
            !region.walls.contains(line)
                && !in_hole
                && region
                    .walls
                    .iter()
                    .all(|w| !memory_machine_geometry::greedy::conflict(points, *w, *line))
        };
        let free: Vec<[u32; 2]> = lines.into_iter().filter(free).collect();
        let count = found.chords.len();
        let mut best = f64::INFINITY;
        let mut stack = vec![(0, found.bridges.clone())];
        while let Some((next, taken)) = stack.pop() {
            if taken.len() == count {
                let weigh = |it: &[u32; 2]| length(points[it[0] as usize], points[it[1] as usize]);
                best = best.min(taken.iter().map(weigh).sum());
            } else if let Some(line) = free.get(next) {
                stack.push((next + 1, taken.clone()));
                let fits = taken.iter().all(|it| {
                    it != line && !memory_machine_geometry::greedy::conflict(points, *it, *line)
                });
                if fits {
                    stack.push((next + 1, [taken, vec![*line]].concat()));
                }
            }
        }
        assert!((best - found.weight).abs() < 1e-12, "{best}, {}", found.weight);
    }

    #[test]
    fn faults_are_named_at_once() {
        let bow = ring(&[(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)]);
        assert_eq!(
            faults(std::slice::from_ref(&bow)),
            ["edge 0 of ring 0 and edge 2 of ring 0 cross at (2, 2)"]
        );
        let spike = ring(&[(0.0, 0.0), (4.0, 0.0), (6.0, 0.0), (4.0, 0.0), (4.0, 4.0)]);
        let named = "edge 1 of ring 0 and edge 2 of ring 0 make a spike at (6, 0)".to_owned();
        assert!(faults(std::slice::from_ref(&spike)).contains(&named));
        let both = faults(&[bow.clone(), square(20.0, 21.0), ring(&[(9.0, 9.0), (9.0, 9.0)])]);
        assert_eq!(both.len(), 2, "{both:?}");
        let touch = ring(&[(0., 0.), (4., 0.), (4., 4.), (2., 0.), (0., 4.)]);
        let named = "edge 0 of ring 0 and edge 2 of ring 0 touch at (2, 0)".to_owned();
        assert!(faults(&[touch]).contains(&named));
        assert!(faults(&[ring(&[(0., 0.), (f64::NAN, 0.), (1., 1.)])])[0].contains("(NaN, 0)"));
        assert_eq!(faults(&[]), ["the rings enclose nothing; add a vertex off the line"]);

        let repaired = Region::repaired(&[bow]).unwrap();
        assert_eq!((repaired.added, repaired.mended.len()), (1, 1));
        check(&repaired, 8.0, 2);
        check(&Region::repaired(&[spike]).unwrap(), 8.0, 1);
        let flat = Region::repaired(&[ring(&[(0., 0.), (2., 0.), (1., 0.)])]).unwrap_err();
        assert_eq!(flat.to_string(), "the rings enclose nothing; add a vertex off the line");
    }

    #[test]
    fn repeated_vertices_become_one() {
        let closed = ring(&[(0., 0.), (0., 0.), (4., 0.), (4., 4.), (4., 4.), (4., 4.), (0., 0.)]);
        let region = Region::new(&[closed]).unwrap();
        assert_eq!((region.merged, region.points().len()), (3, 3));
        check(&region, 8.0, 1);
    }

    #[test]
    fn random_rings_are_mended() {
        use memory_machine_geometry::points::random::{PointDistribution, points};
        for seed in 0..60 {
            let mut ring = points(PointDistribution::Square, 5 + seed as usize % 20, seed);
            if seed % 2 == 1 {
                let whole = |c: f64| (5.0 * c).floor();
                ring.iter_mut().for_each(|it| *it = Point { x: whole(it.x), y: whole(it.y) });
            }
            let Ok(region) = Region::repaired(&[ring]) else { continue };
            let [optimal, greedy, delaunay] = ALL.map(|it| region.triangulate(it, length).unwrap());
            let area = region.area(&greedy.triangles);
            assert!((region.area(&delaunay.triangles) - area).abs() < 1e-9 * area);
            assert!((region.area(&optimal.triangles) - area).abs() < 1e-9 * area, "seed {seed}");
            assert!(optimal.triangles.len() == greedy.triangles.len());
        }
    }

    /// From Paris to New York, as GeographicLib gives it.
    #[test]
    fn geodesics_are_in_metres() {
        let [paris, new_york] =
            [(2.3522, 48.8566), (-74.0060, 40.7128)].map(|(x, y)| Point { x, y });
        assert!(
            (memory_machine_geometry::polygon::chords::geodesic(paris, new_york) - 5_852_935.0)
                .abs()
                < 2e3
        );
    }
}

mod simple {
    use memory_machine_geometry::polygon::{Point, Polygon, PolygonFlaw};

    fn polygon(corners: &[(f64, f64)]) -> Result<Polygon, PolygonFlaw> {
        Polygon::new(corners.iter().map(|&(x, y)| Point { x, y }).collect())
    }

    #[test]
    fn flaws_name_their_witness() {
        use PolygonFlaw::*;
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
        assert!(polygon(&square).is_ok());
        assert_eq!(polygon(&[]), Err(TooFew { n: 0 }));
        assert_eq!(polygon(&square[..2]), Err(TooFew { n: 2 }));
        // A closed ring of two.
        assert_eq!(polygon(&[(0., 0.), (1., 0.), (0., 0.)]), Err(TooFew { n: 2 }));
        assert_eq!(polygon(&[(0., 0.), (1., 1.), (2., 2.)]), Err(NoArea));
        assert_eq!(
            polygon(&[(0., 0.), (2., 2.), (2., 0.), (0., 2.)]),
            Err(Crossing { first: 0, second: 2 })
        );
        assert_eq!(
            polygon(&[(0., 0.), (4., 0.), (4., 4.), (2., 0.), (0., 4.)]),
            Err(Crossing { first: 0, second: 3 }),
            "vertex 3 touches edge 0"
        );
        assert_eq!(
            polygon(&[(0., 0.), (4., 0.), (2., 0.), (2., 2.)]),
            Err(Crossing { first: 0, second: 1 }),
            "edge 1 runs back over edge 0"
        );
        assert_eq!(
            polygon(&[(0., 0.), (-0., 0.), (1., 0.), (0., 1.)]),
            Err(Repeated { first: 0, second: 1 })
        );
        assert_eq!(
            polygon(&[(0., 0.), (1e31, 0.), (0., 1.)]),
            Err(OutOfRange { vertex: 1, value: 1e31 })
        );
        assert!(matches!(
            polygon(&[(0., 0.), (1., f64::NAN), (0., 1.)]),
            Err(NotFinite { vertex: 1, .. })
        ));
    }

    #[test]
    fn the_closing_vertex_is_dropped() {
        let triangle = polygon(&[(0., 0.), (1., 0.), (0., 1.), (0., 0.)]).unwrap();
        assert_eq!(triangle.n(), 3);
        assert!(triangle.is_counter_clockwise());
    }
}
