//! Inequalities between sizes and what a run computes, and what follows from them.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::linear::{Row, least};
use super::polynomial::{Atom, Monomial, Polynomial, cleared, whole};

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
        let claim = &claim.without_denominators().cleared();
        let claim = &(claim + &Polynomial::from(nearly_one));
        let mut monomials: Vec<Monomial> =
            self.0.iter().chain([claim]).flat_map(monomials).collect();
        monomials.sort();
        monomials.dedup();
        let mut places: BTreeMap<Monomial, usize> = monomials.iter().cloned().zip(0..).collect();
        // A size is at least 1, so a monomial is at least what it is without it.
        let mut steps: Vec<[usize; 2]> = vec![];
        let mut at = 0;
        while at < monomials.len() && monomials.len() < MOST {
            for place in 0..monomials[at].len() {
                let (atom, power) = monomials[at][place];
                if matches!(atom, Atom::Local(_)) || power < 1 {
                    continue;
                }
                let mut less = monomials[at].clone();
                less[place].1 -= 1;
                less.retain(|(_, power)| *power != 0);
                let next = monomials.len();
                let below = *places.entry(less).or_insert_with_key(|it| {
                    monomials.push(it.clone());
                    next
                });
                steps.push([at, below]);
            }
            at += 1;
        }
        let next = monomials.len();
        let count = next + usize::from(*places.entry(vec![]).or_insert(next) == next);
        // In products, facts are multiplied by sizes.
        let mut products = vec![];
        if claim.degree() > 1 {
            let mut sizes: Vec<Atom> =
                claim.atoms().filter(|it| !matches!(it, Atom::Local(_))).collect();
            sizes.sort_unstable();
            sizes.dedup();
            for size in sizes.iter().take(4) {
                for fact in &self.0 {
                    let product = fact * &Polynomial::from(*size);
                    if product.terms().all(|(it, _)| places.contains_key(it)) {
                        products.push(product);
                    }
                }
            }
        }
        let known = self.0.len() + steps.len() + products.len();
        if known > MOST || count > MOST {
            return false;
        }
        // Multiples of what is known, no monomial of which exceeds the claim's. A positive factor changes
        // neither a fact nor the claim.
        let terms = |it: &Polynomial| -> Vec<(usize, BigInt)> {
            let factors = cleared(it.terms().map(|(_, factor)| factor));
            it.terms().map(|(it, _)| places[it]).zip(factors).collect()
        };
        let mut rows = vec![Row::default(); count];
        for (place, factor) in terms(claim) {
            rows[place].right = factor;
        }
        for (at, fact) in self.0.iter().chain(&products).enumerate() {
            for (place, factor) in terms(fact) {
                rows[place].factors.push((at, factor));
            }
        }
        for (at, [more, less]) in (self.0.len() + products.len()..).zip(steps) {
            rows[more].factors.push((at, BigInt::one()));
            rows[less].factors.push((at, -BigInt::one()));
        }
        least(&rows, &vec![BigInt::zero(); known]).is_some()
    }

    /// Whether no values fulfil them, so far as is known.
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

fn monomials(of: &Polynomial) -> impl Iterator<Item = Monomial> {
    of.terms().map(|(it, _)| it.clone())
}
