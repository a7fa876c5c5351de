//! Optimal triangulations: rounding, plans, parse trees, search trees.

mod paper {
    use memory_machine_geometry::opt::paper::{CHORDS, N, OPTIMUM, TABLE};

    #[test]
    fn weights_follow_from_the_printed_table() {
        for i in 1..N {
            for j in i + 1..N {
                let least =
                    (i..j).map(|k| TABLE[i][k] + TABLE[k + 1][j]).fold(f32::INFINITY, f32::min);
                assert_eq!(CHORDS[i - 1][j], TABLE[i][j] - least, "c[{}][{j}]", i - 1);
            }
        }
        assert_eq!(CHORDS[0][N - 1], 0.0);
        assert_eq!(TABLE[1][N - 1], OPTIMUM);
    }
}

mod parse_tree {
    use memory_machine_geometry::opt::Chord;
    use memory_machine_geometry::opt::parse_tree::{ParseTreeError, apex, parse_tree};
    use memory_machine_geometry::opt::{paper, triangulation};

    #[test]
    fn the_papers_polygon() {
        let c = paper::weights();
        let chords = triangulation::recover(8, &paper::TABLE.concat(), c.as_slice()).unwrap();
        let tree = parse_tree(8, &chords).unwrap();
        assert_eq!((tree.node_count(), tree.edge_count()), (13, 12));
        for node in tree.node_indices() {
            let Chord { a, b } = tree[node];
            let children: Vec<Chord> = tree.neighbors(node).map(|it| tree[it]).collect();
            match *children.as_slice() {
                [] => assert_eq!((b, apex(&tree, node)), (a + 1, None)),
                [left, right] => {
                    assert_eq!((left.a, left.b, right.b), (a, right.a, b));
                    assert_eq!(apex(&tree, node), Some(right.a));
                }
                _ => panic!("{children:?}"),
            }
        }
    }

    #[test]
    fn what_is_no_triangulation_is_refused() {
        let chord = |a, b| Chord { a, b };
        assert_eq!(parse_tree(2, &[]).unwrap_err(), ParseTreeError::TooFew { n: 2 });
        for chords in
            [[chord(0, 2), chord(1, 3)], [chord(0, 2), chord(0, 2)], [chord(7, 9), chord(0, 3)]]
        {
            assert!(matches!(parse_tree(5, &chords), Err(ParseTreeError::NoTriangle { .. })));
        }
        assert!(matches!(parse_tree(5, &[]), Err(ParseTreeError::Count { chords: 0, n: 5 })));
        assert_eq!(parse_tree(3, &[]).unwrap().node_count(), 3);
    }
}

mod plan {
    use memory_machine_geometry::opt::plan::*;
    use memory_machine_geometry::opt::variant::{Method, Variant};

    fn variant(method: Method, t: u32) -> Variant {
        Variant { method, t, b: 1 }
    }

    fn plans() -> Plans {
        use Method::{BbMirroring, TbSliding};
        let small = Plan::from_borders(
            101,
            &[
                (0, variant(TbSliding, 32)),
                (10, variant(BbMirroring, 64)),
                (55, variant(BbMirroring, 128)),
            ],
        );
        let large = Plan::from_borders(
            401,
            &[
                (0, variant(TbSliding, 64)),
                (40, variant(TbSliding, 32)),
                (80, variant(BbMirroring, 256)),
            ],
        );
        Plans::new("a GPU".to_owned(), "2026-11-21".to_owned(), vec![large, small])
    }

    #[test]
    fn a_file_reads_back() {
        let plans = plans();
        let text = toml::to_string(&plans).unwrap();
        assert_eq!(Plans::parse(&text).unwrap(), plans);
        assert_eq!(plans.plan(401), plans.plans()[1]);
    }

    #[test]
    fn sizes_between_are_interpolated() {
        let plans = plans();
        // Half-variant between 101 and 401 the switch is at 15 % of the stages; a little below, the
        // small plan's ranges: 0 to 15 %, and the rest in two halves.
        let plan = plans.plan(200);
        let borders: Vec<_> = plan.ranges.iter().map(|it| (it.first, it.variant.t)).collect();
        assert_eq!(borders, [(0, 32), (30, 64), (114, 128)]);
        assert_eq!((plan.switch(), plan.n), (30, 200));
        // Beyond them in proportion.
        let borders: Vec<_> = plans.plan(801).ranges.iter().map(|it| it.first).collect();
        assert_eq!(borders, [0, 80, 160]);
        let plan = plans.plan(51);
        assert_eq!(plan.ranges.iter().map(|it| it.first).collect::<Vec<_>>(), [0, 5, 28]);
    }

    #[test]
    fn every_size_has_a_plan_of_all_stages() {
        let tuned = plans();
        for n in 3..900 {
            tuned.plan(n).check().unwrap();
        }
        let threads = Plan::single(200, variant(Method::TbSliding, 64));
        let blocks = Plan::single(100, variant(Method::BbMirroring, 64));
        let mixed = Plans::new(String::new(), String::new(), vec![threads, blocks]);
        for n in 3..400 {
            mixed.plan(n).check().unwrap();
        }
    }

    #[test]
    fn what_cannot_be_run_is_named() {
        let text = toml::to_string(&plans()).unwrap();
        for (from, to, said) in [
            ("t = 128", "t = 100", "the plan for n = 101: t = 100, b = 1"),
            ("first = 10", "first = 11", "stages 11 to 54 where 10 comes next"),
            ("last = 399", "last = 300", "end before stage 301; there are 400"),
            ("last = 399", "last = 400", "stages 80 to 400, but the last is 399"),
            ("last = 399", "last = 9223372036854775807", "but the last is 399"),
            ("bb_mirroring", "bb_sliding", "bb_sliding"),
            ("n = 101", "n = 2", "n must be from 3"),
            ("device", "devise", "TOML parse error at line 1"),
        ] {
            assert!(text.contains(from), "{from} in {text}");
            let error = Plans::parse(&text.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let none = "device = \"\"\ndate = \"\"\nplan = []\n";
        assert!(matches!(Plans::parse(none), Err(PlanError::Empty)));
    }
}

mod reference {
    use memory_machine_geometry::opt::paper;
    use memory_machine_geometry::opt::reference::table;

    #[test]
    fn papers_table() {
        assert_eq!(table(paper::N, paper::weights().as_slice()), paper::TABLE.concat());
    }
}

mod rounding {
    use memory_machine_geometry::opt::{Nearest, Weight};

    #[test]
    fn whole_numbers_round_and_end() {
        assert_eq!([0.4, 0.5, -1.5, 7.0].map(i32::nearest), [0, 1, -2, 7]);
        let last = f64::from((1 << 29) - 1);
        assert!(Weight::is_finite(i32::nearest(last)));
        for beyond in [last + 1.0, 1e300, f64::INFINITY] {
            assert_eq!(i32::nearest(beyond), <i32 as Weight>::INFINITY);
        }
    }

    #[test]
    fn zero_has_no_sign() {
        assert!(f32::nearest(-0.0).is_sign_positive() && f64::nearest(-0.0).is_sign_positive());
        // Rounded to 0 from below.
        assert!(f32::nearest(-1e-60).is_sign_positive());
    }

    #[test]
    fn sums_are_bounded() {
        // 2²⁹ = 536 870 912.
        assert!(i32::holds(3, 536_870_911.0) && !i32::holds(4, 268_435_456.0));
        assert!(f32::holds(1 << 16, 1e30) && !f32::holds(4, 3e38));
        assert!(f64::holds(4, 3e38) && !f64::holds(4, f64::INFINITY));
    }
}

mod search_tree {
    use memory_machine_geometry::opt::search_tree::{SearchTree, random, scale};
    use memory_machine_geometry::opt::{Problem, knuth, reference, relaxations};

    /// Weights of few values, so that many trees cost the same, some of them 0.
    #[test]
    fn monotone_roots_give_the_same_table() {
        for (keys, seed) in (1..60).zip(1..) {
            let few = random(keys, seed).map(|it| it.iter().map(|it| (it % 4.0) / 4.0).collect());
            for [keys, gaps] in [random(keys, seed), few] {
                let tree = SearchTree::new(&keys, &gaps).unwrap();
                assert!(tree.has_monotone_splits());
                let (n, table, rows) = (tree.n(), reference::solve(&tree), knuth::solve(&tree));
                for (a, b) in (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))) {
                    assert_eq!(rows.get(a, b), table[(a + 1) * n + b], "{keys:?} {gaps:?}");
                }
                assert!(u128::from(rows.relaxations) <= relaxations(n as u64));
            }
        }
        let [keys, gaps] = random(600, 1);
        let tree = SearchTree::new(&keys, &gaps).unwrap();
        assert!(knuth::solve(&tree).relaxations < 2 * 602 * 602);
        let thirds = SearchTree::new(&[1.0 / 3.0; 3], &[0.1; 4]).unwrap();
        assert!(!thirds.has_monotone_splits());
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(scale(&[0.15, 2.0], &[0.1, 0.0, 0.05]), 100.0);
        assert_eq!(scale(&[3.0], &[1.0, 2.0]), 1.0);
        // A third is no decimal number, and 1e16 leaves no room for a tenth.
        assert_eq!(scale(&[1.0 / 3.0], &[0.5, 0.5]), 1.0);
        assert_eq!(scale(&[1e16], &[0.1, 0.0]), 1.0);
        // Rooted at key 4, it costs as much; rounded sums would prefer that.
        let (keys, gaps) = ([0.15, 0.10, 0.05, 0.10, 0.20], [0.05, 0.10, 0.05, 0.05, 0.05, 0.10]);
        let best = SearchTree::new(&keys, &gaps).unwrap().solve().unwrap();
        assert_eq!(best.cost, 2.75);
        assert_eq!(best.parents, [Some(2), None, Some(4), Some(5), Some(2)]);
    }
}

mod triangulation {
    use memory_machine_geometry::opt::triangulation::{Chord, RecoverError, recover};
    use memory_machine_geometry::opt::{Weight, Weights, paper, reference};

    #[test]
    fn papers_polygon_weighs_six() {
        let c = paper::weights();
        let mut chords = recover(8, &paper::TABLE.concat(), c.as_slice()).unwrap();
        let total: f32 = chords.iter().map(|&Chord { a, b }| c.get(a, b)).sum();
        assert_eq!(total, paper::OPTIMUM);
        chords.sort();
        let pairs: Vec<_> = chords.iter().map(|&Chord { a, b }| (a, b)).collect();
        assert_eq!(pairs, [(1, 3), (1, 7), (3, 6), (3, 7), (4, 6)]);
    }

    #[test]
    fn few_vertices_need_no_chord() {
        for n in 0..=3 {
            assert_eq!(recover(n, &vec![0; n * n], &vec![0; n * n]), Ok(vec![]));
        }
    }

    #[test]
    fn a_tampered_table_is_refused() {
        let c = paper::weights();
        let mut m = paper::TABLE.concat();
        m[8 + 7] = 5.0;
        assert!(matches!(
            recover(8, &m, c.as_slice()),
            Err(RecoverError::Inconsistent { i: 1, j: 7, .. })
        ));
        m[8 + 7] = f32::NAN;
        assert!(matches!(
            recover(8, &m, c.as_slice()),
            Err(RecoverError::Infinite { i: 1, j: 7, .. })
        ));
        assert!(matches!(
            recover(8, &m[1..], c.as_slice()),
            Err(RecoverError::Shape { found: 63, .. })
        ));
    }

    #[test]
    fn a_polygon_without_finite_triangulation_is_refused() {
        let c = Weights::from_chords(5, |_, _| f32::INFINITY);
        assert!(matches!(
            recover(5, &reference::table(c.n(), c.as_slice()), c.as_slice()),
            Err(RecoverError::Infinite { i: 1, j: 4, .. })
        ));
    }

    #[test]
    fn whole_numbers_have_an_infinity_too() {
        // A 5-gon in which only chords 0–2 and 2–4 are allowed.
        const X: i32 = Weight::INFINITY;
        let c =
            [[0, 0, 3, X, 0], [0, 0, 0, X, X], [3, 0, 0, 0, 4], [X, X, 0, 0, 0], [0, X, 4, 0, 0]];
        let m =
            [[0, 0, 0, 0, 0], [0, 0, 3, X, 7], [0, 0, 0, X, X], [0, 0, 0, 0, 4], [0, 0, 0, 0, 0]];
        let chords = recover(5, &m.concat(), &c.concat()).unwrap();
        assert_eq!(chords, [Chord { a: 0, b: 2 }, Chord { a: 2, b: 4 }]);
    }

    #[test]
    fn a_deep_parse_tree_needs_no_call_stack() {
        // Only the chords at v_0 are cheap: the parse tree is a path.
        let n = 700;
        let c = Weights::from_chords(n, |a, _| if a == 0 { 1.0_f32 } else { 1e6 });
        let m = reference::table(c.n(), c.as_slice());
        assert_eq!(m[n + n - 1], (n - 3) as f32);
        let chords = recover(n, &m, c.as_slice()).unwrap();
        assert!(chords.iter().all(|chord| chord.a == 0));
        assert_eq!(chords.len(), n - 3);
    }
}
