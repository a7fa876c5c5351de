//! Polynomials with rational coefficients over what a running time is made of.

use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{One, Signed, Zero};

use memory_machine_core::machine::MachineKind;

/// What grows: the sizes of a listing and of a machine. All are at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// A parameter of the listing, by its number.
    Parameter(usize),
    /// p, the threads.
    Threads,
    /// w, the width.
    Width,
    /// l, the latency.
    Latency,
    /// d, the DMMs of an HMM.
    Dmms,
    /// ls, the latency of their memories.
    SharedLatency,
    /// R, the blocks on a DMM at a time.
    Resident,
    /// Of a machine of courses: M, the words of a cache, or P, the processors.
    Other,
}

impl Size {
    /// What a machine has, apart from its threads in the first place.
    pub const fn of_machine(kind: MachineKind) -> &'static [Self] {
        const ALL: &[Size] = &[
            Size::Threads,
            Size::Width,
            Size::Latency,
            Size::Dmms,
            Size::SharedLatency,
            Size::Resident,
        ];
        if kind.dmms().is_some() { ALL } else { ALL.split_at(3).0 }
    }

    /// What it is called; a parameter, by the listing.
    pub fn name(self, parameters: &[String]) -> &str {
        match self {
            Self::Parameter(at) => &parameters[at],
            Self::Threads => "p",
            Self::Width => "w",
            Self::Latency => "l",
            Self::Dmms => "d",
            Self::SharedLatency => "ls",
            Self::Resident => "R",
            Self::Other => "M",
        }
    }
}

/// A factor of a monomial. None is ever negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// As it is.
    Size(Size),
    /// ⌈log₂⌉ of a size, at least 1: sizes whose logarithm is meant are at least 2.
    Log(Size),
    /// A size to the power of this number's logarithm, base 2: what a recursion with so many calls of the
    /// half has.
    Power(u32, Size),
    /// What a run computes: a loop's variable, a quotient, a remainder.
    Local(u32),
}

impl Atom {
    /// The size that a logarithm or a power is of; else itself.
    pub const fn base(self) -> Self {
        match self {
            Self::Log(size) | Self::Power(_, size) => Self::Size(size),
            Self::Size(_) | Self::Local(_) => self,
        }
    }
}

/// log₂ of a number, in thousandths, rounded down and up.
pub fn thousandths(of: u32) -> [BigRational; 2] {
    let bits = f64::from(of).log2() * 1000.0;
    [bits.floor(), bits.ceil()].map(|it| whole(it as i64) / whole(1000))
}

/// Powers of atoms, ascending, none 0.
pub type Monomial = Vec<(Atom, i32)>;

/// A sum of monomials with coefficients other than 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Monomial, BigRational>);

/// A whole number as a coefficient.
pub fn whole(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// Fractions times their least common denominator.
pub fn cleared<'a>(
    fractions: impl Iterator<Item = &'a BigRational> + Clone,
) -> impl Iterator<Item = BigInt> {
    let denominators = fractions.clone().map(Ratio::denom).filter(|it| !it.is_one());
    let common = denominators.fold(BigInt::one(), |common, it| common.lcm(it));
    fractions.map(move |it| it.numer() * (&common / it.denom()))
}

/// The product of two monomials.
pub fn times(left: &Monomial, right: &Monomial) -> Monomial {
    let mut powers: BTreeMap<Atom, i32> = left.iter().copied().collect();
    for &(atom, power) in right {
        *powers.entry(atom).or_default() += power;
    }
    powers.into_iter().filter(|(_, power)| *power != 0).collect()
}

impl Polynomial {
    /// A constant.
    pub fn constant(value: i64) -> Self {
        Self::from(whole(value))
    }

    /// One monomial.
    pub fn monomial(monomial: Monomial) -> Self {
        Self(BTreeMap::from([(monomial, BigRational::one())]))
    }

    /// An atom to some power.
    pub fn power(atom: Atom, power: i32) -> Self {
        Self::monomial(if power == 0 { vec![] } else { vec![(atom, power)] })
    }

    /// One over a size.
    pub fn per(size: Size) -> Self {
        Self::power(Atom::Size(size), -1)
    }

    /// Whether it mentions what a run computes.
    pub fn is_local(&self) -> bool {
        self.atoms().any(|it| matches!(it, Atom::Local(_)))
    }

    /// Monomials with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &BigRational)> + Clone {
        self.0.iter()
    }

    /// Whether nothing is left of it.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Its value if it has no atoms.
    pub fn as_constant(&self) -> Option<BigRational> {
        match self.0.len() {
            0 => Some(BigRational::zero()),
            1 => self.0.get(&vec![]).cloned(),
            _ => None,
        }
    }

    /// Its value if that is one whole number.
    pub fn as_whole(&self) -> Option<i64> {
        let value = self.as_constant().filter(BigRational::is_integer)?;
        i64::try_from(value.to_integer()).ok()
    }

    /// Every atom in it.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.0.keys().flatten().map(|&(atom, _)| atom)
    }

    /// Whether the atom is in it.
    pub fn mentions(&self, atom: Atom) -> bool {
        self.atoms().any(|it| it == atom)
    }

    /// The largest sum of a monomial's positive powers.
    pub fn degree(&self) -> i32 {
        let degree = |it: &Monomial| it.iter().map(|&(_, power)| power.max(0)).sum();
        self.0.keys().map(degree).max().unwrap_or(0)
    }

    /// Times a number.
    pub fn scale(&self, factor: &BigRational) -> Self {
        if factor.is_zero() {
            return Self::default();
        }
        Self(self.0.iter().map(|(monomial, it)| (monomial.clone(), it * factor)).collect())
    }

    /// Itself, so often.
    pub fn to_the(&self, power: u32) -> Self {
        (0..power).fold(Self::constant(1), |product, _| &product * self)
    }

    /// The factors of the atom's powers 0, 1, 2 …; `None` if it stands in a denominator.
    pub fn by_powers(&self, atom: Atom) -> Option<Vec<Self>> {
        let mut factors = vec![];
        for (monomial, coefficient) in &self.0 {
            let power = monomial.iter().find(|(it, _)| *it == atom).map_or(0, |&(_, power)| power);
            let power = usize::try_from(power).ok()?;
            let rest = monomial.iter().filter(|(it, _)| *it != atom).copied().collect();
            if factors.len() <= power {
                factors.resize_with(power + 1, Self::default);
            }
            factors[power].add_term(rest, coefficient.clone());
        }
        Some(factors)
    }

    /// `slope · atom + rest`, if it is that with a number other than 0 as its slope.
    pub fn linear_in(&self, atom: Atom) -> Option<(BigRational, Self)> {
        match &self.by_powers(atom)?[..] {
            [rest, slope] => Some((slope.as_constant()?, rest.clone())),
            _ => None,
        }
    }

    /// With a polynomial in the atom's place; `None` if it stands in a denominator.
    pub fn substitute(&self, atom: Atom, value: &Self) -> Option<Self> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let factors = self.by_powers(atom)?;
        let horner = |sum: Self, factor: &Self| &(&sum * value) + factor;
        Some(factors.iter().rev().fold(Self::default(), horner))
    }

    /// A polynomial in the atom's place that is more than it where it helps to make the whole more
    /// (or, if not `up`, less): `high` where the coefficient of its power has one sign, `low` where it
    /// has the other. Neither may be negative where it is used.
    pub fn bound(&self, atom: Atom, low: &Self, high: &Self, up: bool) -> Option<Self> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let mut sum = Self::default();
        for (monomial, coefficient) in &self.0 {
            let power = monomial.iter().find(|(it, _)| *it == atom).map_or(0, |&(_, power)| power);
            let power = u32::try_from(power).ok()?;
            let rest = monomial.iter().filter(|(it, _)| *it != atom).copied().collect();
            let side = if coefficient.is_positive() == up { high } else { low };
            let factor = Self(BTreeMap::from([(rest, coefficient.clone())]));
            sum = &sum + &(&factor * &side.to_the(power));
        }
        Some(sum)
    }

    /// One over its first term: all of it, if it is a product.
    pub fn reciprocal(&self) -> Self {
        let over = |(monomial, coefficient): (&Monomial, &BigRational)| {
            let powers = monomial.iter().map(|&(atom, power)| (atom, -power)).collect();
            Self::monomial(powers).scale(&coefficient.recip())
        };
        self.0.iter().next().map(over).unwrap_or_default()
    }

    /// Times sizes, so that none is in a denominator.
    pub fn without_denominators(&self) -> Self {
        let negative = self.0.keys().flatten().filter(|(_, power)| *power < 0);
        let mut least: BTreeMap<Atom, i32> = BTreeMap::new();
        for &(atom, power) in negative {
            let entry = least.entry(atom).or_default();
            *entry = (*entry).min(power);
        }
        self * &Self::monomial(least.into_iter().map(|(atom, power)| (atom, -power)).collect())
    }

    /// What is left without some of its terms.
    pub fn without(&self, of: impl Fn(&Monomial, &BigRational) -> bool) -> Self {
        let terms = self.0.iter().filter(|(monomial, it)| !of(monomial, it));
        Self(terms.map(|(monomial, it)| (monomial.clone(), it.clone())).collect())
    }

    /// The same with all coefficients whole: times their common denominator.
    pub fn cleared(&self) -> Self {
        let coefficients = cleared(self.0.values()).map(BigRational::from);
        Self(self.0.keys().cloned().zip(coefficients).collect())
    }

    /// The value where each atom has one; `None` where one is 0 below a fraction line.
    pub fn value(&self, of: &impl Fn(Atom) -> Option<BigRational>) -> Option<BigRational> {
        let mut sum = BigRational::zero();
        for (monomial, coefficient) in &self.0 {
            let mut product = coefficient.clone();
            for &(atom, power) in monomial {
                let value = of(atom)?;
                if power < 0 && value.is_zero() {
                    return None;
                }
                product *= value.pow(power);
            }
            sum += product;
        }
        Some(sum)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: BigRational) {
        match self.0.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(it) => {
                if !coefficient.is_zero() {
                    it.insert(coefficient);
                }
            }
            std::collections::btree_map::Entry::Occupied(mut it) => {
                *it.get_mut() += coefficient;
                if it.get().is_zero() {
                    it.remove();
                }
            }
        }
    }
}

impl From<BigRational> for Polynomial {
    fn from(value: BigRational) -> Self {
        let mut sum = Self::default();
        sum.add_term(vec![], value);
        sum
    }
}

impl From<Atom> for Polynomial {
    fn from(atom: Atom) -> Self {
        Self::power(atom, 1)
    }
}

impl From<Size> for Polynomial {
    fn from(size: Size) -> Self {
        Atom::Size(size).into()
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: Self) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add_term(monomial.clone(), coefficient.clone());
        }
        sum
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;

    fn neg(self) -> Polynomial {
        self.scale(&whole(-1))
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: Self) -> Polynomial {
        self + &-other
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: Self) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                product.add_term(times(left, right), a * b);
            }
        }
        product
    }
}

/// `1 + 2^k + … + m^k` as a polynomial in `at = m` (Faulhaber): exact for every whole m ≥ 0, and for
/// sums from m + 1 to 0 taken off where m is negative.
pub fn sum_of_powers(k: u32, at: &Polynomial) -> Polynomial {
    // (m+1)^(k+1) − 1 = Σ over j ≤ k of C(k+1, j)·S_j.
    let mut sums: Vec<Polynomial> = vec![];
    let next = at + &Polynomial::constant(1);
    for degree in 0..=k {
        let mut rest = &next.to_the(degree + 1) - &Polynomial::constant(1);
        let mut binomial = BigRational::one();
        for (j, sum) in (0..).zip(&sums) {
            rest = &rest - &sum.scale(&binomial);
            binomial = binomial * whole(i64::from(degree + 1 - j)) / whole(i64::from(j + 1));
        }
        sums.push(rest.scale(&binomial.recip()));
    }
    sums.pop().unwrap_or_default()
}
