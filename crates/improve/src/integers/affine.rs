//! Sums of whole multiples of variables, and systems of them over the whole numbers.

use std::collections::BTreeMap;

/// A variable by its number.
pub(crate) type Variable = u32;

/// `Σ factor · variable + constant`; no factor is 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) struct Affine {
    pub(crate) terms: BTreeMap<Variable, i128>,
    pub(crate) constant: i128,
}

impl Affine {
    pub(crate) fn constant(constant: i128) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    pub(crate) fn variable(variable: Variable) -> Self {
        Self { terms: BTreeMap::from([(variable, 1)]), constant: 0 }
    }

    /// `self + by · other`; `None` where numbers become too large.
    pub(crate) fn plus(&self, other: &Self, by: i128) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(by)?)?;
        for (variable, factor) in &other.terms {
            let term = sum.terms.entry(*variable).or_default();
            *term = term.checked_add(factor.checked_mul(by)?)?;
            if *term == 0 {
                sum.terms.remove(variable);
            }
        }
        Some(sum)
    }

    pub(crate) fn scale(&self, by: i128) -> Option<Self> {
        Self::default().plus(self, by)
    }

    /// The product, if one of both is a number.
    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (true, _) => other.scale(self.constant),
            (_, true) => self.scale(other.constant),
            _ => None,
        }
    }

    /// With what `of` gives in the place of variables; the others stay.
    pub(crate) fn substitute(&self, of: &impl Fn(Variable) -> Option<Self>) -> Option<Self> {
        let mut sum = Self::constant(self.constant);
        for (&variable, &factor) in &self.terms {
            sum = match of(variable) {
                Some(value) => sum.plus(&value, factor)?,
                None => sum.plus(&Self::variable(variable), factor)?,
            };
        }
        Some(sum)
    }
}

/// What holds all at once: sums that are 0, and sums that are at least 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct System {
    pub(crate) zero: Vec<Affine>,
    pub(crate) least: Vec<Affine>,
    /// Sums at least 0 that say which quotient a variable is: there always is one.
    pub(crate) quotients: Vec<Affine>,
}

impl System {
    pub(crate) fn and(&self, other: &Self) -> Self {
        let join = |a: &[Affine], b: &[Affine]| a.iter().chain(b).cloned().collect();
        Self {
            zero: join(&self.zero, &other.zero),
            least: join(&self.least, &other.least),
            quotients: join(&self.quotients, &other.quotients),
        }
    }

    /// `quotient = ⌊of / by⌋`; what is left.
    pub(crate) fn divide(&mut self, quotient: Variable, of: &Affine, by: i128) -> Option<Affine> {
        let rest = of.plus(&Affine::variable(quotient), -by)?;
        self.quotients.push(rest.clone());
        self.quotients.push(Affine::constant(by - 1).plus(&rest, -1)?);
        Some(rest)
    }

    /// `left = right`.
    pub(crate) fn equal(&mut self, left: &Affine, right: &Affine) -> Option<()> {
        self.zero.push(left.plus(right, -1)?);
        Some(())
    }

    /// `left ≤ right − by`.
    pub(crate) fn at_most(&mut self, left: &Affine, right: &Affine, by: i128) -> Option<()> {
        self.least.push(right.plus(left, -1)?.plus(&Affine::constant(by), -1)?);
        Some(())
    }

    pub(crate) fn substitute(&self, of: &impl Fn(Variable) -> Option<Affine>) -> Option<Self> {
        let all = |it: &[Affine]| it.iter().map(|it| it.substitute(of)).collect::<Option<_>>();
        Some(Self {
            zero: all(&self.zero)?,
            least: all(&self.least)?,
            quotients: all(&self.quotients)?,
        })
    }

    /// Whether it is proved that whenever this holds, the other one does, too: its quotients aside,
    /// which exist anyway.
    pub(crate) fn implies(&self, other: &Self) -> bool {
        let mut base = self.clone();
        base.quotients.extend(other.quotients.iter().cloned());
        let never = |it: &Affine, by: i128| {
            let negated = it.scale(-by).and_then(|it| it.plus(&Affine::constant(1), -1));
            negated.is_some_and(|it| {
                let mut system = base.clone();
                system.least.push(it);
                system.is_empty()
            })
        };
        other.zero.iter().all(|it| never(it, 1) && never(it, -1))
            && other.least.iter().all(|it| never(it, 1))
    }
}
