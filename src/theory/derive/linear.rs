//! Linear programs, solved exactly: a verdict that rests on one is a proof.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// Non-negative unknowns with the least cost that fulfil `rows · x = right`: the simplex method with
/// exact numbers and Bland's rule, which ends. `None` if there are none. Costs must not be negative,
/// so that there is a least one.
pub fn least(
    rows: &[Vec<BigRational>],
    right: &[BigRational],
    costs: &[BigRational],
) -> Option<Vec<BigRational>> {
    let (unknowns, count) = (costs.len(), rows.len());
    // An artificial unknown a row makes a first solution.
    let mut table: Vec<Vec<BigRational>> = vec![];
    for (at, (row, value)) in rows.iter().zip(right).enumerate() {
        let sign = if value.is_negative() { -BigRational::one() } else { BigRational::one() };
        let mut line: Vec<BigRational> = row.iter().map(|it| it * &sign).collect();
        line.extend(
            (0..count).map(|it| if it == at { BigRational::one() } else { BigRational::zero() }),
        );
        line.push(value * &sign);
        table.push(line);
    }
    let mut basis: Vec<usize> = (unknowns..unknowns + count).collect();
    let artificial: Vec<BigRational> = (0..unknowns + count)
        .map(|it| if it < unknowns { BigRational::zero() } else { BigRational::one() })
        .collect();
    descend(&mut table, &mut basis, &artificial, unknowns + count);
    let left = basis.iter().zip(&table).any(|(&it, line)| it >= unknowns && !last(line).is_zero());
    if left {
        return None;
    }
    // Artificial unknowns that stay, at 0, are exchanged for real ones, or their row says nothing.
    for row in 0..count {
        if basis[row] >= unknowns
            && let Some(column) = (0..unknowns).find(|&it| !table[row][it].is_zero())
        {
            pivot(&mut table, &mut basis, row, column);
        }
    }
    let mut all = costs.to_vec();
    all.resize(unknowns + count, BigRational::zero());
    descend(&mut table, &mut basis, &all, unknowns);
    let mut solution = vec![BigRational::zero(); unknowns];
    for (&it, line) in basis.iter().zip(&table) {
        if it < unknowns {
            solution[it] = last(line).clone();
        }
    }
    Some(solution)
}

fn last(line: &[BigRational]) -> &BigRational {
    &line[line.len() - 1]
}

/// Goes down from solution to solution, with the first `columns` unknowns.
fn descend(
    table: &mut [Vec<BigRational>],
    basis: &mut [usize],
    costs: &[BigRational],
    columns: usize,
) {
    loop {
        let gain = |column: usize| {
            let spent =
                basis.iter().zip(table.iter()).map(|(&it, line)| &costs[it] * &line[column]);
            &costs[column] - spent.sum::<BigRational>()
        };
        let entering = (0..columns).find(|it| !basis.contains(it) && gain(*it).is_negative());
        let Some(column) = entering else { return };
        let rows = (0..table.len()).filter(|&row| table[row][column].is_positive());
        let ratio = |row: usize| last(&table[row]) / &table[row][column];
        let leaving = rows.min_by(|&a, &b| {
            let by_basis = basis[a].cmp(&basis[b]);
            ratio(a).cmp(&ratio(b)).then(by_basis)
        });
        let Some(row) = leaving else { return };
        pivot(table, basis, row, column);
    }
}

fn pivot(table: &mut [Vec<BigRational>], basis: &mut [usize], row: usize, column: usize) {
    let by = table[row][column].recip();
    table[row].iter_mut().for_each(|it| *it *= &by);
    let line = table[row].clone();
    for (other, it) in table.iter_mut().enumerate() {
        if other != row && !it[column].is_zero() {
            let factor = it[column].clone();
            it.iter_mut().zip(&line).for_each(|(it, of)| *it -= &factor * of);
        }
    }
    basis[row] = column;
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
