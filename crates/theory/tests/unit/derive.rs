//! Polynomials, domains, facts and how they are printed.

mod domain {
    use memory_machine_theory::derive::facts::Facts;
    use memory_machine_theory::derive::polynomial::*;
    use num_traits::Signed;

    use memory_machine_theory::derive::domain::*;
    use memory_machine_theory::derive::level::Level;

    fn local(number: u32) -> Polynomial {
        Atom::Local(number).into()
    }

    /// Exact on a triangle with a corner cut off, for every n.
    #[test]
    fn a_cut_triangle_is_counted() {
        let n: Polynomial = Size::Parameter(0).into();
        let one = Polynomial::constant(1);
        let (i, j) = (local(0), local(1));
        // 1 ≤ i ≤ n − 1, i ≤ j ≤ min(n − 1, 2i).
        let facts = Facts(vec![
            &i - &one,
            &(&n - &one) - &i,
            &j - &i,
            &(&n - &one) - &j,
            &i.scale(&whole(2)) - &j,
        ]);
        let levels = [Level::Sum(Atom::Local(0)), Level::Sum(Atom::Local(1))];
        for up in [true, false] {
            let pieces = total(&levels, &facts, &one, up).unwrap();
            for n in 1..40_i64 {
                let found = value(&pieces, &|_| Some(whole(n))).unwrap();
                let points = (1..n).map(|i| (n - 1).min(2 * i) - i + 1).sum::<i64>();
                let exact = whole(points);
                assert!(if up { found >= exact } else { found <= exact }, "{n}: {found} {exact}");
                assert!((found - exact).abs() <= whole(n), "{n}");
            }
        }
    }
}

mod facts {
    use memory_machine_theory::derive::facts::*;
    use memory_machine_theory::derive::polynomial::*;

    #[test]
    fn facts_imply_their_sums() {
        let n: Polynomial = Size::Parameter(0).into();
        let i: Polynomial = Atom::Local(0).into();
        let facts = Facts(vec![&(&n - &Polynomial::constant(1)) - &i]);
        assert!(facts.imply(&(&n - &i)));
        assert!(facts.imply(&(&(&n * &n) - &n)));
        assert!(!facts.imply(&(&i - &n)));
        assert!(facts.and(&i - &n).are_impossible());
    }
}

mod linear {
    use memory_machine_theory::derive::polynomial::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::{Signed, Zero};
    use proptest::prelude::*;

    use memory_machine_theory::derive::linear::*;

    fn numbers(of: &[i64]) -> Vec<BigRational> {
        of.iter().copied().map(whole).collect()
    }

    /// The point where some of `planes`, as many as there are unknowns, are equations.
    fn corner(planes: &[(Vec<BigRational>, BigRational)]) -> Option<Vec<BigRational>> {
        let mut lines = planes.to_vec();
        for at in 0..lines.len() {
            let found = (at..lines.len()).find(|&it| !lines[it].0[at].is_zero())?;
            lines.swap(at, found);
            let (own, of) = lines[at].clone();
            for other in (0..lines.len()).filter(|&it| it != at) {
                let by = &lines[other].0[at] / &own[at];
                for (it, of) in lines[other].0.iter_mut().zip(&own) {
                    *it -= &by * of;
                }
                lines[other].1 -= by * &of;
            }
        }
        Some(lines.iter().enumerate().map(|(at, (line, of))| of / &line[at]).collect())
    }

    fn product(x: &[BigRational], y: &[BigRational]) -> BigRational {
        x.iter().zip(y).map(|(x, y)| x * y).sum()
    }

    /// The least cost of all corners: with unknowns that are not negative, there is one if there is a
    /// solution.
    fn at_corners(rows: &[Vec<i64>], right: &[i64], costs: &[i64]) -> Option<BigRational> {
        let n = costs.len();
        let own = rows.iter().zip(right).map(|(row, of)| (numbers(row), whole(*of)));
        let signs = (0..n).map(|at| (0..n).map(|it| -i64::from(it == at)).collect::<Vec<_>>());
        let planes: Vec<_> = own.chain(signs.map(|it| (numbers(&it), whole(0)))).collect();
        let chosen = (0..1_u32 << planes.len()).filter(|it| it.count_ones() as usize == n);
        let corners = chosen.filter_map(|chosen| {
            let some = (0..planes.len()).filter(|it| chosen >> it & 1 == 1);
            corner(&some.map(|it| planes[it].clone()).collect::<Vec<_>>())
        });
        let inside = |it: &Vec<BigRational>| planes.iter().all(|(row, of)| product(row, it) <= *of);
        corners.filter(inside).map(|it| product(&it, &numbers(costs))).min()
    }

    proptest! {
        #[test]
        fn the_least_is_that_of_all_corners(
            (costs, rows) in (1..4_usize).prop_flat_map(|n| {
                let row = prop::collection::vec(-3..4_i64, n);
                (prop::collection::vec(0..4_i64, n), prop::collection::vec(row, 1..6))
            }),
            right in prop::collection::vec(-4..5_i64, 6),
            // Where the numbers of the machine are too narrow, too.
            by in prop::sample::select(vec![whole(1), whole(i64::MAX), whole(7).recip()]),
        ) {
            let right = &right[..rows.len()];
            let scaled = |it: &[i64]| numbers(it).iter().map(|it| it * &by).collect::<Vec<_>>();
            let program = rows.iter().zip(right).map(|(row, of)| Row::of(&scaled(row), &(whole(*of) * &by)));
            let whole_costs: Vec<BigInt> = costs.iter().copied().map(BigInt::from).collect();
            let found = least(&program.collect::<Vec<_>>(), &whole_costs);
            if let Some(x) = &found {
                for (row, of) in rows.iter().zip(right) {
                    prop_assert!(product(&numbers(row), x) <= whole(*of), "{:?}", x);
                }
                prop_assert!(!x.iter().any(Signed::is_negative), "{:?}", x);
            }
            let cost = found.map(|it| product(&it, &numbers(&costs)));
            prop_assert_eq!(cost, at_corners(&rows, right, &costs));
        }
    }

    #[test]
    fn the_least_is_found_or_there_is_none() {
        // x + y ≥ 4, x − y ≤ 1, least 2x + y: x = 0, y = 4.
        let solve = |rows: &[[i64; 2]], right: &[i64], costs: [i64; 2]| {
            let rows = rows.iter().zip(right).map(|(row, of)| Row::of(&numbers(row), &whole(*of)));
            least(&rows.collect::<Vec<_>>(), &costs.map(BigInt::from))
        };
        assert_eq!(solve(&[[-1, -1], [1, -1]], &[-4, 1], [2, 1]), Some(numbers(&[0, 4])));
        assert_eq!(solve(&[[1, 1]], &[-1], [0, 0]), None);
        assert_eq!(solve(&[[1, 1], [-1, -1]], &[1, -2], [0, 0]), None);
    }
}

mod polynomial {
    use memory_machine_theory::derive::polynomial::*;

    #[test]
    fn sums_of_powers_are_exact() {
        for k in 0..7_u32 {
            let sum = sum_of_powers(k, &Atom::Local(0).into());
            for m in 0..9_i64 {
                let expected: i64 = (1..=m).map(|v| v.pow(k)).sum();
                assert_eq!(sum.value(&|_| Some(whole(m))), Some(whole(expected)), "{k} {m}");
            }
            let below = -if k == 0 { 1 } else { 0 };
            assert_eq!(sum.value(&|_| Some(whole(-1))), Some(whole(below)), "{k}");
        }
    }
}

mod show {
    use memory_machine_theory::derive::polynomial::*;
    use memory_machine_theory::derive::show::*;

    #[test]
    fn terms_read_as_on_paper() {
        let names = ["n".to_owned()];
        let style = FormulaStyle { names: &names, exponents: &[false], unit: None, latex: false };
        let n = Atom::Size(Size::Parameter(0));
        let p = Atom::Size(Size::Threads);
        let sixth = whole(6).recip();
        let monomial = vec![(n, 3), (p, -1)];
        assert_eq!(style.term(&monomial, &sixth), "n³/(6·p)");
        let sum = &Polynomial::power(n, 2) - &Polynomial::constant(3);
        assert_eq!(style.sum(&sum), "n² − 3");
        let latex = FormulaStyle { latex: true, ..style };
        assert_eq!(latex.term(&monomial, &sixth), r"\frac{n^{3}}{6\,p}");
    }
}
