//! Linear programs, solved exactly: a verdict that rests on one is a proof.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::polynomial::cleared;

/// `Σ factor · unknown ≤ right`: unknowns by their numbers, each once.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// By unknown.
    pub factors: Vec<(usize, BigInt)>,
    /// The right side.
    pub right: BigInt,
}

impl Row {
    /// The same with fractions: times their common denominator.
    pub fn of(factors: &[BigRational], right: &BigRational) -> Self {
        let mut numbers = cleared([right].into_iter().chain(factors));
        let right = numbers.next().unwrap_or_default();
        Self { right, factors: numbers.enumerate().filter(|(_, it)| !it.is_zero()).collect() }
    }
}

/// Unknowns x ≥ 0 with the least cost that fulfil all rows; `None` if there are none. Costs must not be
/// negative, so that there is a least one, which the dual simplex method finds with Bland's rule, which
/// ends, on whole numbers over one denominator (Edmonds 1967, Bareiss 1968), so that no fraction is ever
/// reduced. A pivot takes `rows · unknowns` steps.
pub fn least(rows: &[Row], costs: &[BigInt]) -> Option<Vec<BigRational>> {
    // Factors are small: nearly always numbers of the machine are wide enough.
    let narrow = Tableau::<i64>::new(rows, costs).and_then(Tableau::least);
    let wide = || Tableau::<BigInt>::new(rows, costs).and_then(Tableau::least);
    narrow.or_else(wide).flatten()
}

/// A whole number of the tableau. What does not fit it gives `None`.
trait Whole: Clone + Zero + One + Signed + Into<BigInt> {
    fn of(number: &BigInt) -> Option<Self>;

    /// `(a·b − c·d) / by`, which is whole.
    fn minor(products: [[&Self; 2]; 2], by: &Self) -> Option<Self>;

    /// a·b beside c·d.
    fn compare(products: [[&Self; 2]; 2]) -> Ordering;
}

impl Whole for i64 {
    fn of(number: &BigInt) -> Option<Self> {
        number.to_i64().filter(|it| *it != Self::MIN)
    }

    fn minor(products: [[&Self; 2]; 2], by: &Self) -> Option<Self> {
        let [left, right] = products.map(|[a, b]| i128::from(*a) * i128::from(*b));
        let minor = if *by == 1 { left - right } else { (left - right) / i128::from(*by) };
        // Its opposite fits, too.
        Self::try_from(minor).ok().filter(|it| *it != Self::MIN)
    }

    fn compare(products: [[&Self; 2]; 2]) -> Ordering {
        let [left, right] = products.map(|[a, b]| i128::from(*a) * i128::from(*b));
        left.cmp(&right)
    }
}

impl Whole for BigInt {
    fn of(number: &BigInt) -> Option<Self> {
        Some(number.clone())
    }

    fn minor([[a, b], [c, d]]: [[&Self; 2]; 2], by: &Self) -> Option<Self> {
        Some((a * b - c * d) / by)
    }

    fn compare([[a, b], [c, d]]: [[&Self; 2]; 2]) -> Ordering {
        (a * b).cmp(&(c * d))
    }
}

/// Inequalities, each solved for an unknown of its own (at first what is missing to its right side), as
/// `(right − Σ factor · other unknown) / denominator`. The right side is the last number of a line. The
/// last line is what is saved.
struct Tableau<T> {
    lines: Vec<Vec<T>>,
    denominator: T,
    /// By line, and by column, its unknown.
    solved: Vec<usize>,
    others: Vec<usize>,
}

impl<T: Whole> Tableau<T> {
    fn new(rows: &[Row], costs: &[BigInt]) -> Option<Self> {
        let unknowns = costs.len();
        let mut lines = vec![vec![T::zero(); unknowns + 1]; rows.len() + 1];
        for (line, row) in lines.iter_mut().zip(rows) {
            for (at, factor) in &row.factors {
                line[*at] = T::of(factor)?;
            }
            line[unknowns] = T::of(&row.right)?;
        }
        for (it, cost) in lines[rows.len()].iter_mut().zip(costs) {
            *it = -T::of(cost)?;
        }
        let solved = (unknowns..unknowns + rows.len()).collect();
        Some(Self { lines, denominator: T::one(), solved, others: (0..unknowns).collect() })
    }

    /// `None` if numbers do not fit; then whether there is a solution, and which.
    fn least(mut self) -> Option<Option<Vec<BigRational>>> {
        let unknowns = self.others.len();
        loop {
            let lines = self.solved.iter().enumerate();
            let negative = lines.filter(|(at, _)| self.lines[*at][unknowns].is_negative());
            let Some((line, _)) = negative.min_by_key(|(_, unknown)| **unknown) else { break };
            // If all factors are positive, the right side cannot be negative.
            let Some(column) = self.entering(line) else { return Some(None) };
            self.pivot(line, column)?;
        }
        let mut solution = vec![BigRational::zero(); unknowns];
        for (line, &unknown) in self.lines.iter().zip(&self.solved) {
            if unknown < unknowns {
                let value = line[unknowns].clone().into();
                solution[unknown] = Ratio::new(value, self.denominator.clone().into());
            }
        }
        Some(Some(solution))
    }

    /// Of the unknowns that make a line's right side less negative, one that costs the least for it.
    fn entering(&self, line: usize) -> Option<usize> {
        let (own, saved) = (&self.lines[line], &self.lines[self.solved.len()]);
        let helpful = (0..self.others.len()).filter(|&it| own[it].is_negative());
        // What each costs is to be divided by what it helps; both numbers are negative, or the first is 0.
        let compare = |x: &usize, y: &usize| {
            let costs = T::compare([[&saved[*x], &own[*y]], [&saved[*y], &own[*x]]]);
            costs.then(self.others[*x].cmp(&self.others[*y]))
        };
        helpful.min_by(compare)
    }

    /// Solves a line for another unknown, whose factor there is negative.
    fn pivot(&mut self, line: usize, column: usize) -> Option<()> {
        let mut own = std::mem::take(&mut self.lines[line]);
        for it in &mut own {
            *it = -std::mem::replace(it, T::zero());
        }
        let pivot = std::mem::replace(&mut own[column], T::zero());
        for other in self.lines.iter_mut().filter(|it| !it.is_empty()) {
            let factor = std::mem::replace(&mut other[column], T::zero());
            if factor.is_zero() && pivot == self.denominator {
                continue;
            }
            for (it, of) in other.iter_mut().zip(&own) {
                if !it.is_zero() || !of.is_zero() && !factor.is_zero() {
                    *it = T::minor([[it, &pivot], [&factor, of]], &self.denominator)?;
                }
            }
            other[column] = factor;
        }
        own[column] = -std::mem::replace(&mut self.denominator, pivot);
        self.lines[line] = own;
        std::mem::swap(&mut self.solved[line], &mut self.others[column]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::polynomial::whole;
    use super::*;

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
