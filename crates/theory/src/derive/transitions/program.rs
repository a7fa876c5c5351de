//! Linear programs over the coefficients of polynomials that are sought.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::derive::linear::{Row, least};
use crate::derive::polynomial::{Atom, Monomial, Polynomial};

/// Unknowns of a linear program, none negative, and what they must fulfil.
#[derive(Default)]
pub(super) struct Program {
    costs: Vec<BigInt>,
    rows: Vec<Row>,
}

/// A polynomial whose coefficients are sums of a program's unknowns.
pub(super) type Template = BTreeMap<Monomial, Vec<(usize, BigRational)>>;

impl Program {
    fn unknown(&mut self, cost: i64) -> usize {
        self.costs.push(cost.into());
        self.costs.len() - 1
    }

    /// Any sum of monomials.
    pub(super) fn template(&mut self, monomials: impl Iterator<Item = Monomial>) -> Template {
        let mut template = Template::new();
        for monomial in monomials {
            let cost = 1 + monomial.iter().map(|it| i64::from(it.1.abs())).sum::<i64>();
            let [more, less] = [self.unknown(cost), self.unknown(cost)];
            let one = BigRational::one;
            template.insert(monomial, vec![(more, one()), (less, -one())]);
        }
        template
    }

    /// The sum is no less than a polynomial where the facts hold (Farkas): the rest is a sum of multiples of
    /// facts that are not negative.
    pub(super) fn at_least(&mut self, sum: &Template, less: &Polynomial, facts: &[Polynomial]) {
        let mut all = sum.clone();
        let multiples: Vec<usize> = facts.iter().map(|_| self.unknown(0)).collect();
        for (fact, multiple) in facts.iter().zip(multiples) {
            for (monomial, it) in fact.terms() {
                all.entry(monomial.clone()).or_default().push((multiple, -it));
            }
        }
        let rest = self.unknown(0);
        all.entry(vec![]).or_default().push((rest, -BigRational::one()));
        let wanted: BTreeMap<_, _> = less.terms().collect();
        for monomial in wanted.keys() {
            all.entry((*monomial).clone()).or_default();
        }
        for (monomial, parts) in all {
            let right = wanted.get(&monomial).map_or_else(BigRational::zero, |it| (*it).clone());
            let mut factors: BTreeMap<usize, BigRational> = BTreeMap::new();
            for (unknown, it) in parts {
                *factors.entry(unknown).or_insert_with(BigRational::zero) += it;
            }
            let (unknowns, values): (Vec<usize>, Vec<BigRational>) = factors.into_iter().unzip();
            let row = Row::of(&values, &right);
            let named = |sign: i64| Row {
                factors: row.factors.iter().map(|(at, it)| (unknowns[*at], it * sign)).collect(),
                right: &row.right * sign,
            };
            self.rows.extend([named(1), named(-1)]);
        }
    }

    pub(super) fn solve(&self) -> Option<Vec<BigRational>> {
        least(&self.rows, &self.costs)
    }
}

/// A template with its unknowns' values.
pub(super) fn value(of: &Template, at: &[BigRational]) -> Polynomial {
    let term = |(monomial, parts): (&Monomial, &Vec<(usize, BigRational)>)| {
        let sum: BigRational = parts.iter().map(|(unknown, it)| it * &at[*unknown]).sum();
        Polynomial::monomial(monomial.clone()).scale(&sum)
    };
    of.iter().map(term).fold(Polynomial::default(), |sum, it| &sum + &it)
}

/// The first less the second, where each monomial of the second becomes a polynomial.
pub(super) fn minus(
    of: &Template,
    other: &Template,
    put: &dyn Fn(&Monomial) -> Option<Polynomial>,
) -> Option<Template> {
    let mut all = of.clone();
    for (monomial, parts) in other {
        for (to, factor) in put(monomial)?.terms() {
            let less = parts.iter().map(|(unknown, it)| (*unknown, -(it * factor)));
            all.entry(to.clone()).or_default().extend(less);
        }
    }
    Some(all)
}

/// The facts that a claim may follow from: those that have a number in common with it, or with another of them.
pub(super) fn about(claim: &Polynomial, mut facts: Vec<Polynomial>) -> Vec<Polynomial> {
    let mut atoms: BTreeSet<Atom> = claim.atoms().collect();
    let mut found = vec![];
    loop {
        let (near, far): (Vec<_>, Vec<_>) =
            facts.into_iter().partition(|it| it.atoms().any(|it| atoms.contains(&it)));
        if near.is_empty() {
            return found;
        }
        atoms.extend(near.iter().flat_map(Polynomial::atoms));
        (found, facts) = ([found, near].concat(), far);
    }
}
