//! Sums of products of sizes and of loops' numbers with exact coefficients, and as JSON:
//! `[["1/2", {"n": 2, "@w": -1}], …]`.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Pow, Signed, Zero};
use serde_json::{Map, Value, json};

/// A fraction.
pub type Number = BigRational;
/// Powers of atoms, none 0.
pub type Monomial = BTreeMap<String, i64>;

/// A sum of monomials, each with a coefficient other than 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Polynomial(pub BTreeMap<Monomial, Number>);

/// A whole number.
pub fn whole(of: i64) -> Number {
    Number::from_integer(of.into())
}

/// A fraction as it is written, `-3/2`; `None` if it is written otherwise than it would be printed.
pub fn number(of: &Value) -> Option<Number> {
    let text = of.as_str()?;
    let number: Number = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Powers as they are written; none may be 0.
pub fn monomial(of: &Value) -> Option<Monomial> {
    let powers = of.as_object()?.iter().map(|(atom, power)| {
        Some((atom.clone(), power.as_i64().filter(|it| *it != 0 && it.abs() < 1000)?))
    });
    powers.collect()
}

impl Polynomial {
    /// A constant.
    pub fn constant(of: i64) -> Self {
        Self::term(Monomial::new(), whole(of))
    }

    /// One monomial, so often.
    pub fn term(monomial: Monomial, coefficient: Number) -> Self {
        let mut sum = Self::default();
        sum.add_term(monomial, coefficient);
        sum
    }

    /// An atom to some power.
    pub fn power(atom: &str, power: i64) -> Self {
        Self::term(Monomial::from([(atom.to_owned(), power)]), whole(1))
    }

    /// An atom.
    pub fn atom(atom: &str) -> Self {
        Self::power(atom, 1)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: Number) {
        let entry = self.0.entry(monomial).or_insert_with(Number::zero);
        *entry += coefficient;
        if entry.is_zero() {
            self.0.retain(|_, it| !it.is_zero());
        }
    }

    /// The sum of both.
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (monomial, it) in &other.0 {
            sum.add_term(monomial.clone(), it.clone());
        }
        sum
    }

    /// The difference.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.scale(&whole(-1)))
    }

    /// Times a number.
    pub fn scale(&self, by: &Number) -> Self {
        if by.is_zero() {
            return Self::default();
        }
        Self(self.0.iter().map(|(monomial, it)| (monomial.clone(), it * by)).collect())
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut monomial = left.clone();
                for (atom, power) in right {
                    *monomial.entry(atom.clone()).or_default() += power;
                }
                monomial.retain(|_, power| *power != 0);
                product.add_term(monomial, a * b);
            }
        }
        product
    }

    /// Itself, so often.
    pub fn to_the(&self, power: u32) -> Self {
        (0..power).fold(Self::constant(1), |product, _| product.times(self))
    }

    /// Every atom in it.
    pub fn atoms(&self) -> impl Iterator<Item = &String> {
        self.0.keys().flat_map(BTreeMap::keys)
    }

    /// Whether the atom is in it.
    pub fn mentions(&self, atom: &str) -> bool {
        self.atoms().any(|it| it == atom)
    }

    /// Its value if it has no atoms.
    pub fn as_constant(&self) -> Option<Number> {
        match self.0.len() {
            0 => Some(Number::zero()),
            1 => self.0.get(&Monomial::new()).cloned(),
            _ => None,
        }
    }

    /// The factors of the atom's powers 0, 1, 2 …; `None` if it stands in a denominator.
    pub fn by_powers(&self, atom: &str) -> Option<Vec<Self>> {
        let mut factors = vec![Self::default()];
        for (monomial, coefficient) in &self.0 {
            let mut rest = monomial.clone();
            let power = usize::try_from(rest.remove(atom).unwrap_or(0)).ok()?;
            if factors.len() <= power {
                factors.resize_with(power + 1, Self::default);
            }
            factors[power].add_term(rest, coefficient.clone());
        }
        Some(factors)
    }

    /// What has no power −1 of an atom in it, and what stands over the atom.
    pub fn split(&self, atom: &str) -> (Self, Self) {
        let (mut rest, mut over) = (Self::default(), Self::default());
        for (monomial, coefficient) in &self.0 {
            let mut monomial = monomial.clone();
            let of = if monomial.get(atom) == Some(&-1) {
                monomial.remove(atom);
                &mut over
            } else {
                &mut rest
            };
            of.add_term(monomial, coefficient.clone());
        }
        (rest, over)
    }

    /// With a polynomial in the atom's place; `None` if it stands in a denominator.
    pub fn put(&self, atom: &str, value: &Self) -> Option<Self> {
        let factors = self.by_powers(atom)?;
        let horner = |sum: Self, factor: &Self| sum.times(value).plus(factor);
        Some(factors.iter().rev().fold(Self::default(), horner))
    }

    /// Whether it is whole where its atoms are.
    pub fn is_integral(&self) -> bool {
        self.0.iter().all(|(monomial, it)| it.is_integer() && monomial.values().all(|it| *it > 0))
    }

    /// As one monomial with its coefficient, if it is that.
    pub fn single(&self) -> Option<(&Monomial, &Number)> {
        let mut terms = self.0.iter();
        terms.next().filter(|_| self.0.len() == 1)
    }

    /// One over it, if it is one monomial.
    pub fn inverse(&self) -> Option<Self> {
        let (monomial, it) = self.single()?;
        let powers = monomial.iter().map(|(atom, power)| (atom.clone(), -power)).collect();
        Some(Self::term(powers, it.recip()))
    }

    /// Without what is subtracted.
    pub fn positive(&self) -> Self {
        let terms = self.0.iter().filter(|it| it.1.is_positive());
        Self(terms.map(|(monomial, it)| (monomial.clone(), it.clone())).collect())
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let terms = self.0.iter().map(|(monomial, it)| json!([it.to_string(), powers(monomial)]));
        terms.collect()
    }

    /// From JSON; `None` if it is written otherwise than [`Self::json`] would.
    pub fn read(of: &Value) -> Option<Self> {
        let mut sum = Self::default();
        for term in of.as_array()? {
            let [coefficient, powers] = &term.as_array()?[..] else { return None };
            sum.add_term(monomial(powers)?, number(coefficient)?);
        }
        (sum.0.len() == of.as_array()?.len()).then_some(sum)
    }
}

/// Powers as JSON.
pub fn powers(of: &Monomial) -> Value {
    of.iter().map(|(atom, power)| (atom.clone(), json!(power))).collect::<Map<_, _>>().into()
}

/// `1^k + 2^k + … + m^k` as a polynomial in m, whose difference at m and m − 1 is m^k everywhere.
pub fn sum_of_powers(k: u32, at: &Polynomial) -> Polynomial {
    // (m+1)^(k+1) − 1 = Σ over j ≤ k of C(k+1, j)·S_j.
    let mut sums: Vec<Polynomial> = vec![];
    let next = at.plus(&Polynomial::constant(1));
    for degree in 0..=k {
        let mut rest = next.to_the(degree + 1).minus(&Polynomial::constant(1));
        let mut binomial = Number::one();
        for (j, sum) in (0..).zip(&sums) {
            rest = rest.minus(&sum.scale(&binomial));
            binomial = binomial * whole(i64::from(degree + 1 - j)) / whole(i64::from(j) + 1);
        }
        sums.push(rest.scale(&binomial.recip()));
    }
    sums.pop().unwrap_or_default()
}

/// The sum of the squares' kind: Σ of `weight` over whole numbers of an atom from `first` to `last`, exactly
/// where the last is no less than the first less one.
pub fn sum_over(
    weight: &Polynomial,
    atom: &str,
    first: &Polynomial,
    last: &Polynomial,
) -> Option<Polynomial> {
    let before = first.minus(&Polynomial::constant(1));
    let mut sum = Polynomial::default();
    for (power, factor) in (0..).zip(&weight.by_powers(atom)?) {
        let all = sum_of_powers(power, last).minus(&sum_of_powers(power, &before));
        sum = sum.plus(&factor.times(&all));
    }
    Some(sum)
}

/// `⌈log₂⌉` of a positive number.
pub fn ceiling_log(of: &Number) -> i64 {
    let (mut log, mut power) = (0, Number::one());
    while power < *of {
        (log, power) = (log + 1, power * whole(2));
    }
    log
}

/// 2^k as a fraction.
pub fn two_to(k: u32) -> Number {
    Number::from_integer(num_bigint::BigInt::from(2).pow(k))
}

/// Whether no coefficient is negative.
pub fn is_positive(of: &Polynomial) -> bool {
    of.0.values().all(Signed::is_positive)
}
