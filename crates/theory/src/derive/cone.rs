//! Directions in which sizes may grow, and monomials that exceed others in them: linear programs over
//! logarithms.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::linear::{Row, least};
use super::polynomial::{Atom, Monomial, Polynomial, Size, thousandths, whole};

/// A monomial with rational powers.
pub type Powers = BTreeMap<Atom, BigRational>;

/// A direction in which sizes grow: size = 2^(power·k) for k = 1, 2 ….
pub type Direction = BTreeMap<Size, BigRational>;

/// A logarithm to this power is no more than a constant times its size.
const POWER_OF_LOG: i32 = 64;
/// ⌈log₂ n⌉ ≤ 35·n^(1/64): log₂ n + 1 is 34.3 times as much at most, where n is about 2⁹¹.
const LOG_OVER_ROOT: f64 = 35.0;

/// Linear inequalities over the logarithms of atoms.
pub(super) struct Cone<'a> {
    atoms: &'a [Atom],
    pub(super) rows: Vec<ConeRow>,
}

/// An inequality between two monomials.
#[derive(Clone)]
pub(super) struct ConeRow {
    /// The first's powers less the second's.
    powers: Vec<BigRational>,
    /// Applied to a direction, these are that much at least.
    by: BigRational,
    /// The second monomial is no more than this many times the first; its logarithm, base 2.
    log_constant: f64,
}

/// Monomials below a claim's terms.
pub(super) struct Mean {
    /// Numbers of the terms and their weights, which add up to 1.
    pub(super) weights: Vec<(usize, BigRational)>,
    /// The least of the monomials is no more than this many times the terms' weighted geometric mean.
    pub(super) factor: f64,
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
                let log = Powers::from([(atom, whole(POWER_OF_LOG.into()))]);
                let constant = f64::from(POWER_OF_LOG) * LOG_OVER_ROOT.log2();
                cone.within(&Powers::from([(Atom::Size(size), whole(1))]), &log, constant);
            }
            if let Atom::Power(of, size) = atom {
                let own = Powers::from([(atom, whole(1))]);
                let [low, high] = thousandths(of).map(|it| Powers::from([(Atom::Size(size), it)]));
                cone.at_least(&own, &low, 0);
                cone.at_least(&high, &own, 0);
            }
        }
        for [more, less] in assumed {
            cone.at_least(more, less, 0);
        }
        cone
    }

    pub(super) fn at_least(&mut self, more: &Powers, less: &Powers, by: i64) {
        self.within(more, less, 0.0);
        self.rows.last_mut().into_iter().for_each(|row| row.by = whole(by));
    }

    /// `more` is greater than `less`, unless that is known already.
    pub(super) fn at_least_once(&mut self, more: &Powers, less: &Powers) {
        let rows = self.rows.len();
        self.at_least(more, less, 1);
        let is_new = |of: &[ConeRow]| {
            let new = &of[rows];
            !of[..rows].iter().any(|it| it.powers == new.powers && it.by >= new.by)
        };
        if !is_new(&self.rows) {
            self.rows.pop();
        }
    }

    /// `less` is no more than 2^`log_constant` times `more`.
    fn within(&mut self, more: &Powers, less: &Powers, log_constant: f64) {
        let powers = self.atoms.iter().map(|atom| power(more, atom) - power(less, atom)).collect();
        self.rows.push(ConeRow { powers, by: BigRational::zero(), log_constant });
    }

    /// Only where logarithms are constants: beside powers of sizes they may be taken for that.
    pub(super) fn without_logarithms(&mut self) {
        let logarithms = self.atoms.iter().filter(|it| matches!(it, Atom::Log(_)));
        for &atom in logarithms {
            self.at_least(&Powers::new(), &Powers::from([(atom, whole(1))]), 0);
        }
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
            let sum: BigRational = positive_coefficients(guard);
            for (less, coefficient) in guard.terms().filter(|(_, it)| it.is_negative()) {
                let constant = (&sum / coefficient.abs()).to_f64().unwrap_or(f64::INFINITY);
                self.within(&powers(more), &powers(less), constant.log2());
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
        let opposite = |row: &ConeRow| {
            Row::of(&row.powers.iter().map(|it| -it).collect::<Vec<_>>(), &-&row.by)
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
    pub(super) fn mean(&self, monomials: &[Powers], terms: &[Powers]) -> Option<Mean> {
        // Most monomials need no program.
        if let [one] = monomials
            && let Some(at) = terms.iter().position(|it| divides(one, it))
        {
            return Some(Mean { weights: vec![(at, BigRational::one())], factor: 1.0 });
        }
        // Unknown: weights of terms, of monomials, of the cone's rows. Of each atom the first are no less
        // than the others.
        let (t, m, c) = (terms.len(), monomials.len(), self.rows.len());
        let mut rows = vec![];
        for (at, atom) in self.atoms.iter().enumerate() {
            let mut row: Vec<BigRational> = terms.iter().map(|it| -power(it, atom)).collect();
            row.extend(monomials.iter().map(|it| power(it, atom)));
            row.extend(self.rows.iter().map(|row| row.powers[at].clone()));
            rows.push(Row::of(&row, &BigRational::zero()));
        }
        for range in [0..t, t..t + m] {
            for sign in [1, -1] {
                let factors = range.clone().map(|at| (at, sign.into())).collect();
                rows.push(Row { factors, right: sign.into() });
            }
        }
        let found = least(&rows, &vec![BigInt::zero(); t + m + c])?;
        let constants = self.rows.iter().zip(&found[t + m..]);
        let constant = |(row, weight): (&ConeRow, &BigRational)| {
            if weight.is_zero() { 0.0 } else { row.log_constant * weight.to_f64().unwrap_or(0.0) }
        };
        let factor = constants.map(constant).sum::<f64>().exp2();
        let weights = found.into_iter().take(t).enumerate();
        let weights = weights.filter(|(_, weight)| weight.is_positive()).collect();
        Some(Mean { weights, factor })
    }
}

/// The sum of the coefficients of what is added.
pub(super) fn positive_coefficients(of: &Polynomial) -> BigRational {
    of.terms().map(|(_, it)| it).filter(|it| it.is_positive()).sum()
}

/// Whether no size has a smaller power in `more` than in `less`, which then is no more: sizes are at
/// least 1.
pub(super) fn divides(less: &Powers, more: &Powers) -> bool {
    less.keys().chain(more.keys()).all(|atom| power(less, atom) <= power(more, atom))
}

fn power(powers: &Powers, atom: &Atom) -> BigRational {
    powers.get(atom).cloned().unwrap_or_else(BigRational::zero)
}
