//! Polynomials over names: what indices and bounds are, as far as they can be compared.

use std::collections::BTreeMap;
use std::fmt;

/// A sum of products of names, divided by a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Polynomial {
    /// By the names of a product, in order; that of no name is the constant.
    terms: BTreeMap<Vec<String>, i64>,
    /// At least 1.
    divisor: i64,
}

/// More terms than any index has.
const MOST_TERMS: usize = 40;

impl Polynomial {
    pub(super) fn number(value: i64) -> Self {
        let mut it = Self { terms: BTreeMap::from([(vec![], value)]), divisor: 1 };
        it.tidy();
        it
    }

    pub(super) fn name(name: &str) -> Self {
        Self { terms: BTreeMap::from([(vec![name.to_owned()], 1)]), divisor: 1 }
    }

    fn tidy(&mut self) {
        self.terms.retain(|_, it| *it != 0);
        let common = self.terms.values().fold(self.divisor, |common, it| gcd(common, it.abs()));
        if common > 1 {
            self.terms.values_mut().for_each(|it| *it /= common);
            self.divisor /= common;
        }
    }

    /// `self` + `by` · `other`.
    pub(super) fn plus(&self, other: &Self, by: i64) -> Option<Self> {
        let divisor = self.divisor.checked_mul(other.divisor)?;
        let mut terms = BTreeMap::new();
        for (of, factor) in [(self, other.divisor), (other, self.divisor.checked_mul(by)?)] {
            for (names, value) in &of.terms {
                let term: &mut i64 = terms.entry(names.clone()).or_default();
                *term = term.checked_add(value.checked_mul(factor)?)?;
            }
        }
        let mut sum = Self { terms, divisor };
        sum.tidy();
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut terms = BTreeMap::new();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut names = [left.clone(), right.clone()].concat();
                names.sort();
                let term: &mut i64 = terms.entry(names).or_default();
                *term = term.checked_add(a.checked_mul(*b)?)?;
            }
        }
        let mut product = Self { terms, divisor: self.divisor.checked_mul(other.divisor)? };
        product.tidy();
        (product.terms.len() <= MOST_TERMS).then_some(product)
    }

    pub(super) fn over(&self, number: i64) -> Option<Self> {
        let mut it = Self {
            divisor: self.divisor.checked_mul(number).filter(|it| *it > 0)?,
            ..self.clone()
        };
        it.tidy();
        Some(it)
    }

    /// The number that it is, if it is one.
    pub(super) fn constant(&self) -> Option<i64> {
        let value = match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&vec![]).copied(),
            _ => None,
        };
        value.filter(|_| self.divisor == 1)
    }

    /// Each product with its sign, and the names in it.
    /// The name that it is, alone.
    pub(super) fn single(&self) -> Option<&str> {
        match self.terms.iter().next() {
            Some((names, 1)) if self.terms.len() == 1 && self.divisor == 1 => match &names[..] {
                [name] if !name.starts_with(['(', '#']) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.terms.keys().flatten()
    }

    /// With a name replaced in each product: by `upper` where that makes it greater.
    pub(super) fn with(
        &self,
        name: &str,
        upward: bool,
        lower: Option<&Self>,
        upper: Option<&Self>,
    ) -> Option<Self> {
        let mut sum = Self::number(0);
        for (names, value) in &self.terms {
            let Some(at) = names.iter().position(|it| it == name) else {
                let term = Self {
                    terms: BTreeMap::from([(names.clone(), *value)]),
                    divisor: self.divisor,
                };
                sum = sum.plus(&term, 1)?;
                continue;
            };
            let mut rest = names.clone();
            rest.remove(at);
            let factor = Self { terms: BTreeMap::from([(rest, *value)]), divisor: self.divisor };
            let by = if (*value > 0) == upward { upper? } else { lower? };
            sum = sum.plus(&factor.times(by)?, 1)?;
        }
        Some(sum)
    }

    /// Whether its constant part is none that raises it, upward; else none that lowers it.
    pub(super) fn falls(&self, upward: bool) -> bool {
        let constant = self.terms.get(&vec![]).copied().unwrap_or(0);
        if upward { constant <= 0 } else { constant >= 0 }
    }

    /// 2 to the power of it, of ⌊log₂ n⌋ + c at most n · 2ᶜ.
    pub(super) fn power_of_two(&self) -> Option<Self> {
        if let Some(exponent) = self.constant() {
            return (0..40).contains(&exponent).then(|| Self::number(1 << exponent));
        }
        let (mut of, mut by) = (None, 0);
        for (names, value) in &self.terms {
            match &names[..] {
                [] => by = *value,
                [name] if *value == 1 && of.is_none() => of = Some(name),
                _ => return None,
            }
        }
        let text = of?.strip_prefix('(')?.strip_suffix(')')?;
        let is_up = text.starts_with('⌈');
        let inside =
            text.trim_matches(['⌊', '⌋', '⌈', '⌉']).strip_prefix("log2(")?.strip_suffix(')')?;
        let is_name = inside.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        let whole = Self::name(inside);
        let by = by + i64::from(is_up);
        match by {
            _ if !is_name || self.divisor != 1 => None,
            0..40 => whole.times(&Self::number(1 << by)),
            -40..0 => whole.over(1 << -by),
            _ => None,
        }
    }

    /// Whether it is never below 0, all names being at least 1: known, or open.
    pub(super) fn is_natural(&self) -> bool {
        let total = self.terms.values().try_fold(0_i64, |sum, it| sum.checked_add(*it));
        let mut others = self.terms.iter().filter(|it| !it.0.is_empty()).map(|it| *it.1);
        others.all(|it| it >= 0) && total.is_some_and(|it| it >= 0)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.divisor > 1 {
            let whole = Self { divisor: 1, ..self.clone() };
            return match self.terms.len() {
                1 => write!(f, "⌈{whole} / {}⌉", self.divisor),
                _ => write!(f, "⌈({whole}) / {}⌉", self.divisor),
            };
        }
        let mut terms: Vec<_> = self.terms.iter().collect();
        // The constant last, what is added first.
        terms.sort_by_key(|(names, value)| {
            (names.is_empty(), **value < 0, std::cmp::Reverse(names.len()))
        });
        for (at, (names, value)) in terms.iter().enumerate() {
            let (size, is_negative) = (value.unsigned_abs(), **value < 0);
            match (at, is_negative) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            let product = names.join(" × ");
            match (size, names.is_empty()) {
                (_, true) => write!(f, "{size}")?,
                (1, false) => f.write_str(&product)?,
                (_, false) => write!(f, "{size} × {product}")?,
            }
        }
        if terms.is_empty() { f.write_str("0") } else { Ok(()) }
    }
}

/// The greater of two, upward; else the lesser. Where that is open, a size rather than a number of the listing,
/// upward; else what has fewer names.
pub(super) fn further(a: Polynomial, b: Polynomial, upward: bool) -> Polynomial {
    let is_more = |a: &Polynomial, b: &Polynomial| a.plus(b, -1).is_some_and(|it| it.is_natural());
    match () {
        () if is_more(&a, &b) => {
            if upward {
                a
            } else {
                b
            }
        }
        () if is_more(&b, &a) => {
            if upward {
                b
            } else {
                a
            }
        }
        // Either may be the greater of two sizes.
        () if upward
            && a.single().is_some()
            && b.single().is_some()
            && a.single() != b.single() =>
        {
            Polynomial::name(&format!("(max({a}, {b}))"))
        }
        () if upward && a.constant().is_some() => b,
        () if upward && b.constant().is_some() => a,
        () => {
            let key =
                |it: &Polynomial| (it.names().any(|it| it.starts_with('(')), it.names().count());
            if key(&a) <= key(&b) { a } else { b }
        }
    }
}
