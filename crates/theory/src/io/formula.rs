//! The bounds as formulas, plain or in LaTeX, and the roots in them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::{IoBounds, Pieces, Share};
use crate::derive::domain::{GuardedPolynomial, merged, sum_at_large, times};
use crate::derive::polynomial::{Monomial, Polynomial};
use crate::derive::show::FormulaStyle;

/// `of^(1/degree)`, positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Positive.
    pub of: BigRational,
    /// At least 1, and no less than it needs to be.
    pub degree: u32,
}

impl Root {
    /// A fraction.
    pub fn fraction(of: BigRational) -> Self {
        Self { of, degree: 1 }
    }

    /// `base^exponent` of a positive base.
    pub fn power(base: &BigRational, exponent: &BigRational) -> Self {
        let degree = exponent.denom().to_u32().unwrap_or(1);
        let power = exponent.numer().to_i32().unwrap_or(0);
        Self { of: base.pow(power), degree }.reduced()
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let degree = self.degree.lcm(&other.degree);
        let raised = |it: &Self| Pow::pow(&it.of, degree / it.degree);
        Self { of: raised(self) * raised(other), degree }.reduced()
    }

    /// One over it.
    #[must_use]
    pub fn reciprocal(&self) -> Self {
        Self { of: self.of.recip(), degree: self.degree }
    }

    fn reduced(mut self) -> Self {
        for prime in [2, 3, 5, 7] {
            while self.degree.is_multiple_of(prime) {
                let root = |it: &BigInt| {
                    let root = it.nth_root(prime);
                    (Pow::pow(&root, prime) == *it).then_some(root)
                };
                let (Some(above), Some(below)) = (root(self.of.numer()), root(self.of.denom()))
                else {
                    break;
                };
                self.of = BigRational::new(above, below);
                self.degree /= prime;
            }
        }
        self
    }

    /// A fraction that is no more, by less than 2^-60.
    pub fn floor(&self) -> BigRational {
        debug_assert!(self.of.is_positive());
        let shift = 64_u32;
        let scale = BigInt::one() << (shift * self.degree);
        let scaled = (&self.of * BigRational::from_integer(scale)).floor().to_integer();
        BigRational::new(scaled.nth_root(self.degree), BigInt::one() << shift)
    }

    /// A fraction that is more, by little.
    pub fn ceil(&self) -> BigRational {
        self.floor() + BigRational::new(BigInt::one(), BigInt::one() << 60)
    }

    /// A fraction near it.
    pub fn value(&self) -> f64 {
        self.of.to_f64().unwrap_or(f64::NAN).powf(1.0 / f64::from(self.degree))
    }
}

impl IoBounds {
    /// What is moved at least, one formula a bound with why it holds: of words that are moved once, and
    /// of pieces of an execution.
    pub fn formulas(&self, style: &FormulaStyle<'_>) -> Vec<(String, &'static str)> {
        let once = merged([&self.inputs[..], &self.outputs].concat());
        let mut all = vec![];
        if !once.is_empty() {
            all.push((style.pieces(&once), "what is given and read, and results, each word once"));
        }
        for pieces in &self.pieces {
            all.push((pieces.formula(style, &self.outputs), pieces.rule));
        }
        all
    }
}

impl Pieces {
    /// Its largest terms alone: what it is for sizes that are far beyond S.
    pub fn leading(&self, style: &FormulaStyle<'_>) -> String {
        let main = self.grouped().into_iter().map(|(coefficient, power, count)| {
            quotient(style, &coefficient, &leading(&count), power)
        });
        main.collect::<Vec<_>>().join(" + ")
    }

    fn formula(&self, style: &FormulaStyle<'_>, outputs: &[GuardedPolynomial]) -> String {
        if self.reserve == 2 {
            return format!("{} to the first order", self.leading(style));
        }
        let main = self
            .grouped()
            .into_iter()
            .map(|(coefficient, power, count)| quotient(style, &coefficient, &count, power));
        let mut text = main.collect::<Vec<_>>().join(" + ");
        let minus = if style.latex { "-" } else { "−" };
        let segment = if self.segment == 1 { String::new() } else { self.segment.to_string() };
        let between = if style.latex || segment.is_empty() { "" } else { "·" };
        text += &format!(" {minus} {segment}{between}S");
        let rest = times(&self.free, &Polynomial::constant(-1));
        let rest = merged([outputs, &rest].concat());
        for piece in &rest {
            let is_one = piece.guard.is_empty();
            let sum = style.pieces(std::slice::from_ref(piece));
            let own = if is_one { sum } else { format!("({sum})") };
            let own = own.trim_start();
            text += &match own.strip_prefix('−').or_else(|| own.strip_prefix('-')) {
                Some(rest) => format!(" {minus} {}", rest.trim_start()),
                None => format!(" + {own}"),
            };
        }
        text
    }

    /// Sums of counts with equal coefficients.
    fn grouped(&self) -> Vec<(Root, [u32; 2], Vec<GuardedPolynomial>)> {
        let mut groups: Vec<(Root, [u32; 2], Vec<GuardedPolynomial>)> = vec![];
        for share in &self.shares {
            let coefficient = Share::coefficient(share, self.segment, self.reserve);
            let power = share.power();
            match groups.iter_mut().find(|it| it.0 == coefficient && it.1 == power) {
                Some(it) => it.2 = merged([&it.2[..], &share.count].concat()),
                None => groups.push((coefficient, power, share.count.clone())),
            }
        }
        groups
    }
}

/// The terms of highest degree, where sizes are large.
fn leading(pieces: &[GuardedPolynomial]) -> Vec<GuardedPolynomial> {
    let holds = |it: &&GuardedPolynomial| {
        it.guard.iter().all(|it| sum_at_large(&[unguarded(it.clone())]) >= BigRational::zero())
    };
    let all = merged(pieces.iter().filter(holds).map(|it| unguarded(it.value.clone())).collect());
    let degree = all.iter().map(|it| it.value.degree()).max().unwrap_or(0);
    let is_less =
        |monomial: &Monomial, _: &BigRational| monomial.iter().map(|it| it.1).sum::<i32>() < degree;
    merged(all.iter().map(|it| unguarded(it.value.without(is_less))).collect())
}

fn unguarded(value: Polynomial) -> GuardedPolynomial {
    GuardedPolynomial { guard: vec![], value }
}

/// `coefficient·count / S^power`.
fn quotient(
    style: &FormulaStyle<'_>,
    coefficient: &Root,
    count: &[GuardedPolynomial],
    [above, below]: [u32; 2],
) -> String {
    let (factor, count) = match coefficient.degree {
        1 => (String::new(), times(count, &Polynomial::from(coefficient.of.clone()))),
        _ => (root(style, coefficient), count.to_vec()),
    };
    let sum = style.pieces(&count);
    let is_sum = count.len() > 1 || count.first().is_some_and(|it| it.value.terms().count() > 1);
    let under = match (above, below) {
        (1, 1) => "S".to_owned(),
        (1, 2) if style.latex => r"\sqrt{S}".to_owned(),
        (1, 3) if style.latex => r"\sqrt[3]{S}".to_owned(),
        (1, 2) => "√S".to_owned(),
        (1, 3) => "∛S".to_owned(),
        (_, 1) => format!("S^{above}"),
        _ if style.latex => format!("S^{{{above}/{below}}}"),
        _ => format!("S^({above}/{below})"),
    };
    let between = if style.latex { r"\," } else { "·" };
    if style.latex {
        let factor = if factor.is_empty() { factor } else { factor + between };
        let above = wrapped(&sum, is_sum && coefficient.degree > 1);
        return format!(r"\frac{{{factor}{above}}}{{{under}}}");
    }
    let factor = if factor.is_empty() { factor } else { factor + between };
    format!("{factor}{}/{under}", wrapped(&sum, is_sum))
}

fn wrapped(sum: &str, is_sum: bool) -> String {
    if is_sum { format!("({sum})") } else { sum.to_owned() }
}

/// A root with what can be taken out of it.
fn root(style: &FormulaStyle<'_>, of: &Root) -> String {
    debug_assert!(of.of.is_positive());
    // √(a/b) = √(a·b)/b.
    let below = of.of.denom().clone();
    let mut inside = of.of.numer() * below.clone().pow(of.degree - 1);
    let mut outside = BigRational::new(1.into(), below);
    for base in 2..100_u32 {
        let power = num_bigint::BigInt::from(base).pow(of.degree);
        while (&inside % &power).bits() == 0 {
            inside /= &power;
            outside *= BigRational::from_integer(base.into());
        }
    }
    let sign = match (of.degree, style.latex) {
        (2, true) => format!(r"\sqrt{{{inside}}}"),
        (degree, true) => format!(r"\sqrt[{degree}]{{{inside}}}"),
        (2, false) => format!("√{inside}"),
        (3, false) => format!("∛{inside}"),
        (degree, false) => format!("{inside}^(1/{degree})"),
    };
    if outside.is_one() {
        return sign;
    }
    if outside.denom().is_one() {
        return format!("{outside}{}{sign}", if style.latex { r"\," } else { "·" });
    }
    format!("({outside}){}{sign}", if style.latex { r"\," } else { "·" })
}
