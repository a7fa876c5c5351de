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
