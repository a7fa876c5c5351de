//! Depth, operations of greedy triangulation, and bounds that do not hold.

mod depth {
    use memory_machine_theory::depth::Growth;

    fn fitted(from: i64, depth: impl Fn(i64) -> i64) -> Option<String> {
        let samples: Vec<(i64, u64)> =
            (from..from + 32).map(|n| (n, depth(n).cast_unsigned())).collect();
        Growth::fit(&samples).map(|it| it.to_string())
    }

    #[test]
    fn formulas_are_found_and_written() {
        for from in [1, 2, 5] {
            let fitted = |depth: fn(i64) -> i64| fitted(from, depth).unwrap_or_default();
            assert_eq!(fitted(|_| 2), "2");
            assert_eq!(fitted(|_| 0), "0");
            assert_eq!(fitted(|n| 6 * n + 11), "6·n + 11");
            assert_eq!(fitted(|n| n * n - n + 1), "n² − n + 1");
            assert_eq!(fitted(|n| n * (n + 1) / 2), "(n² + n) / 2");
            assert_eq!(fitted(|n| 4 * i64::from(n.ilog2())), "4·⌊log₂ n⌋");
            let ceiling =
                |n: i64| 2 * i64::from((n - 1).checked_ilog2().map_or(0, |it| it + 1)) + 1;
            assert_eq!(fitted(ceiling), "2·⌈log₂ n⌉ + 1");
        }
    }

    #[test]
    fn what_follows_no_formula_gets_none() {
        assert_eq!(fitted(2, |n| n * n * n), None);
        assert_eq!(fitted(2, |n| n + n % 2), None);
        assert_eq!(Growth::fit(&[(1, 1), (2, 2), (3, 3)]), None);
        let gap: Vec<(i64, u64)> = (1..20).map(|n| (2 * n, 7)).collect();
        assert_eq!(Growth::fit(&gap), None);
    }
}

mod greedy {
    use std::f64::consts::PI;

    use memory_machine_theory::greedy::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a} is not {b}");
    }

    /// A triangle; four points, one of which lies inside the others with 4 · 11/144; and the
    /// asymptotic formula.
    #[test]
    fn vertices_of_hulls() {
        close(hull_vertices(3), 3.0, 1e-12);
        close(hull_vertices(4), 4.0 - 4.0 * 11.0 / 144.0, 1e-12);
        const EULER: f64 = 0.577_215_664_901_532_9;
        let limit = |n: u64| 8.0 / 3.0 * ((n as f64).ln() + EULER - 2_f64.ln());
        close(hull_vertices(1_000), limit(1_000), 1e-3);
        close(hull_vertices(1 << 40), limit(1 << 40), 1e-12);
        // The sum and the limit meet, but for 1/(12n²).
        let last = 1 << 16;
        let step = 8.0 / 3.0 / (last as f64 + 1.0);
        close(hull_vertices(last + 1) - hull_vertices(last), step, 1e-5);
    }

    #[test]
    fn the_papers_sum_reduces_as_it_says() {
        for n in [4, 64, 2048] {
            let a = edges(n).floor();
            let l = lines(n);
            let sum: f64 = (1..=a as u64).map(|i| l - (i - 1) as f64 * (l - a) / a - 1.0).sum();
            close(tests_even(n, a), sum, 1e-12);
            let n_ = n as f64;
            let printed = 5.06866e-4 * n_.powi(4)
                + 0.685517 * n_.powi(3)
                + 4.60191 * n_.powi(2)
                + 8.71847 * n_
                + 6.01757;
            close(tests_even(n, edges_published(n)), printed, 1e-5);
        }
    }

    /// Section VI, in giga-operations.
    #[test]
    fn the_papers_operations() {
        for (n, giga) in [
            (724, 23.2),
            (1024, 75.1816),
            (1448, 250.656),
            (2048, 861.606),
            (2896, 3045.22),
            (4096, 11054.0),
            (5792, 40999.0),
            (8192, 155_008.0),
        ] {
            close(operations_published(n) / 1e9, giga, 1e-3);
        }
    }

    /// The tree of `conflicts` with the paper's numbers gives the paper's F.
    #[test]
    fn the_papers_operations_of_a_test() {
        for n in [16, 256, 4096] {
            let n_ = n as f64;
            let q: f64 = 1.0 - 2.0 / n_;
            let share = 1.5 * (1.0 + q + q * q + q.powi(3));
            let tree = 46.0 / 2.0 + 51.75 / 4.0 + 57.5 / 8.0 + 63.25 / 16.0 + 68.0 / 16.0;
            close(operations_per_test_published(n), 1.0 + share + q.powi(4) * tree, 1e-5);
        }
        close(operations_per_test(1 << 40), 7.0 + 44.390_625, 1e-9);
    }

    #[test]
    fn lengths_of_lines() {
        close(mean_over_lengths(|_| 1.0), 1.0, 1e-5);
        // (2 + √2 + 5 ln(1 + √2))/15
        close(mean_over_lengths(|s| s), 0.521_405_433_164_720_7, 1e-5);
        close(RATE, 4.0 / (3.0 * PI) * (2.0 / PI).sqrt(), 1e-15);
        close(mean_over_lengths(|s| s.powf(-2.0 / 3.0)), 1.907_725, 1e-4);
    }

    #[test]
    fn tests_are_the_sum_of_the_lines_alive() {
        let n = 1 << 14;
        let sum: f64 = (0..3 * n).map(|round| alive(n, round)).sum();
        close(tests(n), sum, 0.02);
        close(tests(n), 1.772 * (n as f64).powf(8.0 / 3.0), 1e-3);
    }
}

mod violations {
    use memory_machine_core::diagnostic::Source;
    use memory_machine_core::language;
    use memory_machine_core::machine::Counts;
    use memory_machine_core::units::TimeUnits;
    use memory_machine_theory::*;

    #[test]
    fn a_broken_bound_is_caught() {
        let text = "algorithm one(n)\noutput a[n] : f32\na[0] ← 1\n".to_owned();
        let program = language::load(Source { name: "one.alg".to_owned(), text }).unwrap();
        let counts = [Counts { time_units: TimeUnits(10), ..Counts::default() }];
        let bound = |kind, value| Bound {
            name: "injected",
            source: "none",
            assumptions: "none",
            kind,
            phase: None,
            value,
            formula: "none",
        };
        let fine =
            [bound(BoundKind::Lower, 10), bound(BoundKind::Upper, 10), bound(BoundKind::Exact, 10)];
        assert_eq!(violations(&program, &counts, &fine), []);
        for broken in [
            bound(BoundKind::Lower, 11),
            bound(BoundKind::Upper, 9),
            bound(BoundKind::Exact, 9),
            bound(BoundKind::Exact, 11),
        ] {
            let all = [fine.to_vec(), vec![broken.clone()]].concat();
            let expected = Violation { bound: broken, time_units: 10 };
            assert_eq!(violations(&program, &counts, &all), [expected]);
        }
    }
}

/// Coordinates that references share.
mod forms {
    use std::collections::BTreeSet;

    use memory_machine_theory::derive::polynomial::whole;
    use memory_machine_theory::io::forms::*;

    #[test]
    fn a_skewed_reference_leaves_out_one_direction() {
        let row = |of: [i64; 3]| of.map(whole).to_vec();
        // (s, i, k): N[i, k], N[k, i + s], and one number for each s and i.
        let references = [
            vec![row([0, 1, 0]), row([0, 0, 1])],
            vec![row([0, 0, 1]), row([1, 1, 0])],
            vec![row([1, 0, 0]), row([0, 1, 0])],
        ];
        let found = shared_coordinates(&references, 3);
        let found: Vec<BTreeSet<usize>> = found.into_iter().map(Option::unwrap).collect();
        assert!(found.iter().all(|it| it.len() == 2));
        assert_eq!(found.iter().flatten().collect::<BTreeSet<_>>().len(), 3);
        assert!(found[0] != found[1] && found[1] != found[2] && found[0] != found[2]);
    }
}
