//! Sums of whole multiples of variables, and systems of them over the whole numbers.

use std::cmp::Ordering;

/// A variable by its number.
pub(crate) type Variable = u32;

/// Factors of variables, none of them 0, by the variables' numbers: few, and copied often.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) struct Terms(Vec<(Variable, i128)>);

impl Terms {
    pub(crate) fn get(&self, variable: Variable) -> Option<i128> {
        self.0.binary_search_by_key(&variable, |it| it.0).ok().map(|at| self.0[at].1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Variable, i128)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.0.iter().map(|it| it.0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn remove(&mut self, variable: Variable) {
        self.0.retain(|it| it.0 != variable);
    }

    /// Each over a number that divides all.
    pub(crate) fn divide(&mut self, by: i128) {
        self.0.iter_mut().for_each(|it| it.1 /= by);
    }

    /// Each with the other sign.
    pub(crate) fn opposite(&self) -> Self {
        Self(self.0.iter().map(|it| (it.0, -it.1)).collect())
    }

    /// `self + by · other`; `None` where numbers become too large.
    fn plus(&self, other: &Self, by: i128) -> Option<Self> {
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (own.peek(), others.peek()) {
                (None, None) => return Some(Self(sum)),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => one.0.cmp(&other.0),
            };
            let one = own.next_if(|_| order != Ordering::Greater);
            let other = others.next_if(|_| order != Ordering::Less);
            let more = other.map_or(Some(0), |it| it.1.checked_mul(by))?;
            let factor = one.map_or(0, |it| it.1).checked_add(more)?;
            if let Some((variable, _)) = one.or(other).filter(|_| factor != 0) {
                sum.push((*variable, factor));
            }
        }
    }
}

impl FromIterator<(Variable, i128)> for Terms {
    fn from_iter<T: IntoIterator<Item = (Variable, i128)>>(terms: T) -> Self {
        let mut all: Vec<(Variable, i128)> = terms.into_iter().filter(|it| it.1 != 0).collect();
        all.sort_unstable_by_key(|it| it.0);
        Self(all)
    }
}

/// `Σ factor · variable + constant`.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) struct Affine {
    pub(crate) terms: Terms,
    pub(crate) constant: i128,
}

impl Affine {
    pub(crate) fn constant(constant: i128) -> Self {
        Self { terms: Terms::default(), constant }
    }

    pub(crate) fn variable(variable: Variable) -> Self {
        Self { terms: Terms(vec![(variable, 1)]), constant: 0 }
    }

    /// `self + by · other`; `None` where numbers become too large.
    pub(crate) fn plus(&self, other: &Self, by: i128) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant.checked_mul(by)?)?;
        Some(Self { terms: self.terms.plus(&other.terms, by)?, constant })
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
        // Those that stay are in order.
        let mut others = vec![];
        for (variable, factor) in self.terms.iter() {
            match of(variable) {
                Some(value) => others.push((value, factor)),
                None => sum.terms.0.push((variable, factor)),
            }
        }
        others.iter().try_fold(sum, |sum, (value, factor)| sum.plus(value, *factor))
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
