//! Directions in which sizes may grow, and monomials that exceed others in them: linear programs over
//! logarithms.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::linear::{Row, least};
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};

/// A monomial with rational powers.
pub type Powers = BTreeMap<Atom, BigRational>;

/// A direction in which sizes grow: size = 2^(power·k) for k = 1, 2 ….
pub type Direction = BTreeMap<Size, BigRational>;

/// A logarithm to this power is no more than a constant times its size.
const POWER_OF_LOG: i64 = 64;

/// Linear inequalities over the logarithms of atoms.
pub(super) struct Cone<'a> {
    atoms: &'a [Atom],
    /// Each, applied to a direction, is at least the number.
    pub(super) rows: Vec<(Vec<BigRational>, BigRational)>,
}

pub(super) fn powers(monomial: &Monomial) -> Powers {
    monomial.iter().map(|&(atom, power)| (atom, whole(power.into()))).collect()
}

impl<'a> Cone<'a> {
    /// Where the first monomial of each pair is at least the second, within a constant.
    pub(super) fn of(assumed: &[[Powers; 2]], atoms: &'a [Atom]) -> Self {
        let mut cone = Self { atoms, rows: vec![] };
        for &atom in atoms {
            if let Atom::Log(size) = atom {
                let log = Powers::from([(atom, whole(POWER_OF_LOG))]);
                cone.at_least(&Powers::from([(Atom::Size(size), whole(1))]), &log, 0);
            }
        }
        for [more, less] in assumed {
            cone.at_least(more, less, 0);
        }
        cone
    }

    pub(super) fn at_least(&mut self, more: &Powers, less: &Powers, by: i64) {
        let row = self.atoms.iter().map(|atom| power(more, atom) - power(less, atom)).collect();
        self.rows.push((row, whole(by)));
    }

    /// Where a guard holds: its negative monomials are no more than its positive one.
    pub(super) fn guarded(&mut self, guards: &[Polynomial]) {
        for guard in guards {
            let positive = || guard.terms().filter(|(_, it)| it.is_positive()).map(|it| it.0);
            // The sum is within a constant of a monomial that no other exceeds.
            let largest = positive().find(|more| {
                let more = powers(more);
                positive().all(|less| divides(&powers(less), &more))
            });
            let Some(more) = largest else { continue };
            for (less, _) in guard.terms().filter(|(_, it)| it.is_negative()) {
                self.at_least(&powers(more), &powers(less), 0);
            }
        }
    }

    pub(super) fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut cone = Self { atoms: self.atoms, rows: self.rows.clone() };
        change(&mut cone);
        cone
    }

    /// A direction inside, of the least sum.
    pub(super) fn direction(&self) -> Option<Vec<BigRational>> {
        let opposite = |(row, by): &(Vec<BigRational>, BigRational)| {
            Row::of(&row.iter().map(|it| -it).collect::<Vec<_>>(), &-by)
        };
        let rows: Vec<Row> = self.rows.iter().map(opposite).collect();
        least(&rows, &vec![BigInt::one(); self.atoms.len()])
    }

    pub(super) fn named(&self, direction: &[BigRational]) -> Direction {
        let pairs = self.atoms.iter().zip(direction);
        let sizes = pairs.filter_map(|(atom, power)| match atom {
            Atom::Size(size) if power.is_positive() => Some((*size, power.clone())),
            _ => None,
        });
        sizes.collect()
    }

    /// Weights of the claim's terms whose mean is no less than a mean of the monomials.
    pub(super) fn mean(
        &self,
        monomials: &[Powers],
        terms: &[Powers],
    ) -> Option<Vec<(usize, BigRational)>> {
        // Most monomials need no program.
        if let [one] = monomials
            && let Some(at) = terms.iter().position(|it| divides(one, it))
        {
            return Some(vec![(at, BigRational::one())]);
        }
        // Unknown: weights of terms, of monomials, of the cone's rows. Of each atom the first are no less
        // than the others.
        let (t, m, c) = (terms.len(), monomials.len(), self.rows.len());
        let mut rows = vec![];
        for (at, atom) in self.atoms.iter().enumerate() {
            let mut row: Vec<BigRational> = terms.iter().map(|it| -power(it, atom)).collect();
            row.extend(monomials.iter().map(|it| power(it, atom)));
            row.extend(self.rows.iter().map(|(row, _)| row[at].clone()));
            rows.push(Row::of(&row, &BigRational::zero()));
        }
        for range in [0..t, t..t + m] {
            for sign in [1, -1] {
                let factors = range.clone().map(|at| (at, sign.into())).collect();
                rows.push(Row { factors, right: sign.into() });
            }
        }
        let found = least(&rows, &vec![BigInt::zero(); t + m + c])?;
        let weights = found.into_iter().take(t).enumerate();
        Some(weights.filter(|(_, weight)| weight.is_positive()).collect())
    }
}

/// Whether no size has a smaller power in `more` than in `less`, which then is no more: sizes are at
/// least 1.
pub(super) fn divides(less: &Powers, more: &Powers) -> bool {
    less.keys().chain(more.keys()).all(|atom| power(less, atom) <= power(more, atom))
}

fn power(powers: &Powers, atom: &Atom) -> BigRational {
    powers.get(atom).cloned().unwrap_or_else(BigRational::zero)
}
