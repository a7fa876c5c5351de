//! Inequalities between sizes and what a run computes, and what follows from them.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::linear::least;
use super::polynomial::{Atom, Monomial, Polynomial, whole};

/// What holds: each polynomial is at least 0; so is every atom, and sizes are at least 1.
#[derive(Debug, Clone, Default)]
pub struct Facts(pub Vec<Polynomial>);

/// More facts or monomials than this are not reasoned about.
const MOST: usize = 120;
impl Facts {
    /// Whether they imply that `claim` is at least 0: it is a sum of non-negative multiples of facts
    /// and monomials (Farkas). All that is counted is whole, so more than −1 is enough where the
    /// coefficients are. A `false` may be ignorance.
    pub fn imply(&self, claim: &Polynomial) -> bool {
        if claim.terms().all(|(_, coefficient)| coefficient.is_positive()) {
            return true;
        }
        let nearly_one = BigRational::one() - whole(1000).recip();
        let claim = &claim.without_denominators().cleared().0;
        let claim = &(claim + &Polynomial::from(nearly_one));
        let mut known: Vec<Polynomial> = self.0.clone();
        let mut monomials: Vec<Monomial> = known
            .iter()
            .chain([claim])
            .flat_map(|it| it.terms().map(|(it, _)| it.clone()))
            .collect();
        // A size is at least 1, so a monomial is at least what it is without it.
        let mut at = 0;
        monomials.sort();
        monomials.dedup();
        while at < monomials.len() && monomials.len() < MOST {
            let monomial = monomials[at].clone();
            for (place, &(atom, power)) in monomial.iter().enumerate() {
                if matches!(atom, Atom::Local(_)) || power < 1 {
                    continue;
                }
                let mut less = monomial.clone();
                less[place].1 -= 1;
                less.retain(|(_, power)| *power != 0);
                let (more, less_term) = (monomial.clone(), less.clone());
                known.push(&Polynomial::monomial(more) - &Polynomial::monomial(less_term));
                if !monomials.contains(&less) {
                    monomials.push(less);
                }
            }
            at += 1;
        }
        if !monomials.contains(&vec![]) {
            monomials.push(vec![]);
        }
        // In products, facts are multiplied by sizes.
        if claim.degree() > 1 {
            let mut sizes: Vec<Atom> =
                claim.atoms().filter(|it| !matches!(it, Atom::Local(_))).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let mut products = vec![];
            for size in sizes.iter().take(4) {
                for fact in &self.0 {
                    let product = fact * &Polynomial::from(*size);
                    if product.terms().all(|(it, _)| monomials.contains(it)) {
                        products.push(product);
                    }
                }
            }
            known.extend(products);
        }
        if known.len() > MOST || monomials.len() > MOST {
            return false;
        }
        let factor = |of: &Polynomial, wanted: &Monomial| {
            let found = of.terms().find(|(it, _)| *it == wanted);
            found.map_or_else(BigRational::zero, |(_, coefficient)| coefficient.clone())
        };
        let row = |(at, monomial): (usize, &Monomial)| -> Vec<BigRational> {
            let facts = known.iter().map(|it| factor(it, monomial));
            let own = (0..monomials.len())
                .map(|it| if it == at { BigRational::one() } else { BigRational::zero() });
            facts.chain(own).collect()
        };
        let rows: Vec<Vec<BigRational>> = monomials.iter().enumerate().map(row).collect();
        let right: Vec<BigRational> = monomials.iter().map(|it| factor(claim, it)).collect();
        least(&rows, &right, &vec![BigRational::zero(); known.len() + monomials.len()]).is_some()
    }

    /// Whether no values fulfil them, as far as is known.
    pub fn are_impossible(&self) -> bool {
        self.imply(&Polynomial::constant(-1))
    }

    /// With one more.
    pub fn and(&self, fact: Polynomial) -> Self {
        let mut facts = self.clone();
        facts.0.push(fact);
        facts
    }

    pub(super) fn split(&self, atom: Atom) -> (Self, Vec<Polynomial>) {
        let (with, without) = self.0.iter().cloned().partition(|it| it.mentions(atom));
        (Self(without), with)
    }
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::Size;
    use super::*;

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
