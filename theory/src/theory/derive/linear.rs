//! Linear programs, solved exactly: a verdict that rests on one is a proof.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, One, Signed, ToPrimitive, Zero};

/// Non-negative unknowns with the least cost that fulfil `rows · x = right`: the simplex method with
/// exact numbers and Bland's rule, which ends. `None` if there are none. Costs must not be negative,
/// so that there is a least one.
pub fn least(
    rows: &[Vec<BigRational>],
    right: &[BigRational],
    costs: &[BigRational],
) -> Option<Vec<BigRational>> {
    // Exponents are small: nearly always numbers of the machine are wide enough.
    let narrow =
        |it: &BigRational| Some(Ratio::new_raw(it.numer().to_i64()?, it.denom().to_i64()?));
    let solved = Tableau::new(rows, right, narrow).and_then(|it| it.least(costs, narrow));
    if let Some(solution) = solved {
        let wide = |it: Ratio<i64>| Ratio::new_raw((*it.numer()).into(), (*it.denom()).into());
        return solution.map(|it| it.into_iter().map(wide).collect());
    }
    let same = |it: &BigRational| Some(it.clone());
    Tableau::<BigInt>::new(rows, right, same)?.least(costs, same)?
}

/// Whole numbers of which fractions are made. What does not fit them gives `None`.
trait Whole: Integer + Signed + Clone + CheckedAdd + CheckedSub + CheckedMul {
    /// Whether its opposite fits, too.
    fn has_opposite(&self) -> bool;
}

impl Whole for i64 {
    fn has_opposite(&self) -> bool {
        *self != Self::MIN
    }
}

impl Whole for BigInt {
    fn has_opposite(&self) -> bool {
        true
    }
}

/// `x − y·z`.
fn less<T: Whole>(x: &Ratio<T>, y: &Ratio<T>, z: &Ratio<T>) -> Option<Ratio<T>> {
    if z.is_zero() {
        return Some(x.clone());
    }
    x.checked_sub(&times(y, z)?).filter(|it| it.numer().has_opposite())
}

fn times<T: Whole>(x: &Ratio<T>, y: &Ratio<T>) -> Option<Ratio<T>> {
    x.checked_mul(y).filter(|it| it.numer().has_opposite())
}

/// Equations, each solved for an unknown of its own. The last column is the right side.
struct Tableau<T: Clone> {
    lines: Vec<Vec<Ratio<T>>>,
    /// By line, its unknown.
    basis: Vec<usize>,
    unknowns: usize,
}

impl<T: Whole> Tableau<T> {
    /// With an artificial unknown a line, which makes a first solution.
    fn new(
        rows: &[Vec<BigRational>],
        right: &[BigRational],
        number: impl Fn(&BigRational) -> Option<Ratio<T>>,
    ) -> Option<Self> {
        let unknowns = rows.first().map_or(0, Vec::len);
        let mut lines = vec![];
        for (at, (row, value)) in rows.iter().zip(right).enumerate() {
            let line = row.iter().chain([value]).map(&number).collect::<Option<Vec<_>>>()?;
            let signed = |it: Ratio<T>| if value.is_negative() { -it } else { it };
            let mut line: Vec<Ratio<T>> = line.into_iter().map(signed).collect();
            let artificial = (0..rows.len()).map(|it| unit(it == at));
            line.splice(unknowns..unknowns, artificial);
            lines.push(line);
        }
        Some(Self { basis: (unknowns..unknowns + rows.len()).collect(), lines, unknowns })
    }

    /// `None` if numbers do not fit; then whether there is a solution, and which.
    fn least(
        mut self,
        costs: &[BigRational],
        number: impl Fn(&BigRational) -> Option<Ratio<T>>,
    ) -> Option<Option<Vec<Ratio<T>>>> {
        let (unknowns, count) = (self.unknowns, self.lines.len());
        let artificial = (0..unknowns + count).map(|it| unit(it >= unknowns)).collect();
        self.descend(artificial, unknowns + count)?;
        let mut own = self.basis.iter().zip(&self.lines);
        if own.any(|(&it, line)| it >= unknowns && !last(line).is_zero()) {
            return Some(None);
        }
        // Artificial unknowns that stay, at 0, are exchanged for real ones, or their line says nothing.
        for line in 0..count {
            if self.basis[line] >= unknowns
                && let Some(column) = (0..unknowns).find(|&it| !self.lines[line][it].is_zero())
            {
                self.pivot(line, column)?;
            }
        }
        let mut all = costs.iter().map(number).collect::<Option<Vec<_>>>()?;
        all.resize(unknowns + count, Ratio::zero());
        self.descend(all, unknowns)?;
        let mut solution = vec![Ratio::zero(); unknowns];
        for (&it, line) in self.basis.iter().zip(&self.lines) {
            if it < unknowns {
                solution[it] = last(line).clone();
            }
        }
        Some(Some(solution))
    }

    /// Goes down from solution to solution, with the first `columns` unknowns.
    fn descend(&mut self, costs: Vec<Ratio<T>>, columns: usize) -> Option<()> {
        // What a unit of each unknown costs, beside what it saves of the others.
        let mut gains = costs;
        gains.push(Ratio::zero());
        for (line, &unknown) in self.lines.iter().zip(&self.basis) {
            eliminate(&mut gains, line, unknown)?;
        }
        while let Some(column) = (0..columns).find(|&it| gains[it].is_negative()) {
            let mut leaving: Option<(usize, Ratio<T>)> = None;
            for (at, line) in
                self.lines.iter().enumerate().filter(|(_, it)| it[column].is_positive())
            {
                let ratio = times(last(line), &line[column].recip())?;
                let is_less = leaving.as_ref().is_none_or(|(other, least)| {
                    ratio.cmp(least).then(self.basis[at].cmp(&self.basis[*other])).is_lt()
                });
                if is_less {
                    leaving = Some((at, ratio));
                }
            }
            let Some((line, _)) = leaving else { break };
            self.pivot(line, column)?;
            eliminate(&mut gains, &self.lines[line], column)?;
        }
        Some(())
    }

    /// Solves a line for another unknown.
    fn pivot(&mut self, line: usize, column: usize) -> Option<()> {
        let mut own = std::mem::take(&mut self.lines[line]);
        let by = own[column].recip();
        for it in own.iter_mut().filter(|it| !it.is_zero()) {
            *it = times(it, &by)?;
        }
        for other in self.lines.iter_mut().filter(|it| !it.is_empty()) {
            eliminate(other, &own, column)?;
        }
        self.lines[line] = own;
        self.basis[line] = column;
        Some(())
    }
}

/// Takes away so much of a line that a column is 0.
fn eliminate<T: Whole>(from: &mut [Ratio<T>], line: &[Ratio<T>], column: usize) -> Option<()> {
    let factor = from[column].clone();
    if factor.is_zero() {
        return Some(());
    }
    for (it, of) in from.iter_mut().zip(line) {
        *it = less(it, &factor, of)?;
    }
    Some(())
}

fn unit<T: Whole>(is_one: bool) -> Ratio<T> {
    if is_one { Ratio::one() } else { Ratio::zero() }
}

fn last<T: Whole>(line: &[Ratio<T>]) -> &Ratio<T> {
    &line[line.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::whole;
    use super::*;

    fn solve(rows: &[&[i64]], right: &[i64], costs: &[i64]) -> Option<Vec<BigRational>> {
        let numbers = |it: &[i64]| it.iter().copied().map(whole).collect::<Vec<_>>();
        let rows: Vec<_> = rows.iter().map(|it| numbers(it)).collect();
        least(&rows, &numbers(right), &numbers(costs))
    }

    #[test]
    fn the_least_is_found_or_there_is_none() {
        // x + y − s = 4, x − y + t = 1, least 2x + y: x = 0, y = 4.
        let rows: [&[i64]; 2] = [&[1, 1, -1, 0], &[1, -1, 0, 1]];
        let found = solve(&rows, &[4, 1], &[2, 1, 0, 0]);
        assert_eq!(found, Some([0, 4, 0, 5].map(whole).to_vec()));
        assert_eq!(solve(&[&[1, 1]], &[-1], &[0, 0]), None);
        assert_eq!(solve(&[&[1], &[1]], &[1, 2], &[0]), None);
        assert_eq!(solve(&[&[1, 1], &[2, 2]], &[1, 2], &[1, 0]), Some([0, 1].map(whole).to_vec()));
    }
}
