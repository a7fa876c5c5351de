//! Order of lengths and random points.

mod order {
    use memory_machine_geometry::points::{Point, compare_lengths};
    use proptest::prelude::*;
    use std::cmp::Ordering;

    /// Squares of differences of whole numbers below 2^53 fit 110 bits.
    fn by_integers([a, b, c, d]: [(i64, i64); 4]) -> Ordering {
        let square = |p: (i64, i64), q: (i64, i64)| {
            let (x, y) = (i128::from(q.0) - i128::from(p.0), i128::from(q.1) - i128::from(p.1));
            x * x + y * y
        };
        square(a, b).cmp(&square(c, d))
    }

    fn compared(corners: [(i64, i64); 4], scale: f64) -> Ordering {
        let [a, b, c, d] = corners.map(|(x, y)| Point { x: x as f64 * scale, y: y as f64 * scale });
        compare_lengths([a, b], [c, d])
    }

    /// Both ends of the range, and the middle.
    const SCALES: [i32; 3] = [-142, 0, 201 - 53];

    fn coordinate() -> impl Strategy<Value = i64> {
        let most = (1_i64 << 53) - 1;
        prop_oneof![-most..=most, most - 4..=most, -most..=-most + 4, -3..=3_i64]
    }

    proptest! {
        #[test]
        fn as_whole_numbers_have_it(
            corners in prop::array::uniform4((coordinate(), coordinate())),
        ) {
            for scale in SCALES {
                let got = compared(corners, 2_f64.powi(scale));
                prop_assert_eq!(got, by_integers(corners));
            }
        }

        /// Ties, and what is next to a tie: the same segment turned, moved and pushed by a unit.
        #[test]
        fn near_ties(
            (x, y) in (-(1_i64 << 51)..1 << 51, -(1_i64 << 51)..1 << 51),
            (at, off) in ((-(1_i64 << 51)..1 << 51, -(1_i64 << 51)..1 << 51), -1..=1_i64),
            (turns, mirrored) in (0..4, any::<bool>()),
        ) {
            let (mut u, mut v) = if mirrored { (y, x) } else { (x, y) };
            for _ in 0..turns {
                (u, v) = (-v, u);
            }
            let corners = [(0, 0), (x, y), at, (at.0 + u, at.1 + v + off)];
            for scale in SCALES {
                let got = compared(corners, 2_f64.powi(scale));
                prop_assert_eq!(got, by_integers(corners));
            }
            if off == 0 {
                prop_assert_eq!(compared(corners, 1.0), Ordering::Equal);
            }
        }
    }

    #[test]
    fn differences_that_f64_does_not_hold() {
        let p = |x, y| Point { x, y };
        let (tiny, huge) =
            (memory_machine_geometry::points::LEAST, memory_machine_geometry::points::MOST);
        // (2^201 + 2^−142)² against (2^201)²: only the error of the difference tells.
        let longer = [p(-tiny, 0.0), p(huge, 0.0)];
        let shorter = [p(0.0, 0.0), p(huge, 0.0)];
        assert_eq!(compare_lengths(longer, shorter), Ordering::Greater);
        assert_eq!(compare_lengths(shorter, longer), Ordering::Less);
        assert_eq!(compare_lengths(longer, [longer[1], longer[0]]), Ordering::Equal);
        // Neighbours on an axis, tiny² apart.
        let aside = [p(0.0, 0.0), p(huge, tiny)];
        assert_eq!(compare_lengths(aside, shorter), Ordering::Greater);
        assert_eq!(compare_lengths(shorter, [p(0.0, tiny), p(huge, 0.0)]), Ordering::Less);
    }
}

mod random {
    use memory_machine_geometry::points::Point;
    use memory_machine_geometry::points::check;
    use memory_machine_geometry::points::random::*;

    #[test]
    fn any_number_of_workers_draws_the_same() {
        let n = 3 * CHUNK + 5;
        for distribution in PointDistribution::ALL {
            let drawn = points(distribution, n, 7);
            for workers in 1..=4 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
                assert_eq!(pool.install(|| points(distribution, n, 7)), drawn);
            }
            assert_eq!(points(distribution, 9, 7), drawn[..9], "a longer draw goes on");
            assert_ne!(points(distribution, 9, 8), drawn[..9]);
            assert_eq!(check(&drawn), Ok(()));
        }
    }

    #[test]
    fn points_lie_where_they_are_said_to() {
        let n = 2 * CHUNK;
        let tolerance = 4.0 / (n as f64).sqrt();
        for distribution in PointDistribution::ALL {
            let drawn = points(distribution, n, 1);
            let mean = |of: fn(&Point) -> f64| drawn.iter().map(of).sum::<f64>() / n as f64;
            let (centre, square) = (mean(|p| p.x), mean(|p| p.x * p.x + p.y * p.y));
            let (centre_expected, square_expected) = match distribution {
                PointDistribution::Square => (0.5, 2.0 / 3.0),
                PointDistribution::Disk => (0.0, 0.5),
                PointDistribution::Circle => (0.0, 1.0),
                PointDistribution::Gauss => (0.0, 2.0),
                PointDistribution::Clusters => continue,
            };
            assert!((centre - centre_expected).abs() < tolerance, "{distribution:?} {centre}");
            assert!(
                (square - square_expected).abs() < 2.0 * tolerance,
                "{distribution:?} {square}"
            );
            let inside = drawn.iter().all(|p| match distribution {
                PointDistribution::Square => (0.0..1.0).contains(&p.x) && (0.0..1.0).contains(&p.y),
                PointDistribution::Disk => p.x * p.x + p.y * p.y <= 1.0,
                PointDistribution::Circle => (p.x.hypot(p.y) - 1.0).abs() < 4.0 * f64::EPSILON,
                PointDistribution::Gauss | PointDistribution::Clusters => true,
            });
            assert!(inside, "{distribution:?}");
        }
    }
}
