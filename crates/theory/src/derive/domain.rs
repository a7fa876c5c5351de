//! Sums over the whole points of a domain of affine inequalities, as polynomials of the sizes.
//!
//! One variable after another is summed, the innermost first, as Pugh does (1994, "Counting
//! solutions to Presburger formulas"): where two bounds of a variable compete, the domain is cut in
//! two; a bound with a denominator is a quotient whose remainder is known up to its range.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Monomial, Polynomial, Size, sum_of_powers, whole};

/// More pieces than this are not added up.
const MOST_PIECES: usize = 300;
/// Polynomials of higher degree are left alone.
const HIGHEST: i32 = 16;

/// A polynomial that counts where its guard holds: where each of the guard's is at least 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedPolynomial {
    /// Over sizes alone.
    pub guard: Vec<Polynomial>,
    /// Over sizes alone.
    pub value: Polynomial,
}

impl GuardedPolynomial {
    /// What is added in it.
    pub(super) fn positive(&self) -> impl Iterator<Item = &Monomial> {
        self.value.terms().filter(|(_, it)| it.is_positive()).map(|(monomial, _)| monomial)
    }

    /// Its part of the sum for sizes.
    pub fn at(&self, of: &impl Fn(Atom) -> Option<BigRational>) -> Option<BigRational> {
        for guard in &self.guard {
            if guard.value(of)?.is_negative() {
                return Some(BigRational::zero());
            }
        }
        self.value.value(of)
    }
}

/// A value where sizes are as they are on a GPU: parameters of about 2²⁰, w = 32, 2¹⁶ threads. What
/// loops take off is left out: it may be nothing.
pub(super) fn at_large(of: &Polynomial) -> BigRational {
    let is_less = |it: &Monomial| it.iter().any(|it| matches!(it.0, Atom::Local(_)));
    let of = of.without(|monomial, it| it.is_negative() && is_less(monomial));
    let of_atom = |atom| {
        Some(match atom {
            Atom::Log(_) => whole(20),
            Atom::Power(of, _) => whole(of.into()).pow(20),
            Atom::Size(Size::Width | Size::SharedLatency) => whole(32),
            Atom::Size(Size::Threads) => whole(1 << 16),
            Atom::Size(Size::Dmms) => whole(1 << 7),
            Atom::Size(Size::Resident) => whole(4),
            // What is named first is rather the larger.
            Atom::Size(Size::Parameter(at)) => whole((1 << 20) - at as i64),
            _ => whole(1 << 10),
        })
    };
    of.value(&of_atom).unwrap_or_else(BigRational::zero)
}

/// A sum of pieces where sizes are as they are on a GPU.
pub(crate) fn sum_at_large(pieces: &[GuardedPolynomial]) -> BigRational {
    let holds = |it: &&GuardedPolynomial| !it.guard.iter().any(|it| at_large(it).is_negative());
    pieces.iter().filter(holds).map(|it| at_large(&it.value)).sum()
}

/// Pieces times a factor.
pub(crate) fn times(pieces: &[GuardedPolynomial], factor: &Polynomial) -> Vec<GuardedPolynomial> {
    let piece = |it: &GuardedPolynomial| GuardedPolynomial {
        guard: it.guard.clone(),
        value: &it.value * factor,
    };
    pieces.iter().map(piece).collect()
}

/// A sum of pieces for sizes.
pub fn value(
    pieces: &[GuardedPolynomial],
    of: &impl Fn(Atom) -> Option<BigRational>,
) -> Option<BigRational> {
    pieces.iter().map(|piece| piece.at(of)).sum()
}

/// The sum of `weight`, which is nowhere negative, over what the levels go through while the facts
/// hold: no less than it (`up`), or no more. `None` if there is no way; from below there always is
/// 0.
pub fn total(
    levels: &[Level],
    facts: &Facts,
    weight: &Polynomial,
    up: bool,
) -> Option<Vec<GuardedPolynomial>> {
    let mut sum = Sum { up, signed: false, pieces: vec![], steps: 0 };
    match sum.go(levels, facts.clone(), weight.clone()) {
        Some(()) => Some(merged(sum.pieces)),
        None if up => None,
        None => Some(vec![]),
    }
}

/// Pieces with equal guards as one.
pub(crate) fn merged(pieces: Vec<GuardedPolynomial>) -> Vec<GuardedPolynomial> {
    let mut all: Vec<GuardedPolynomial> = vec![];
    for piece in pieces {
        match all.iter_mut().find(|it| it.guard == piece.guard) {
            Some(it) => it.value = &it.value + &piece.value,
            None => all.push(piece),
        }
    }
    all.retain(|it| !it.value.is_zero());
    all
}

pub(super) struct Sum {
    pub(super) up: bool,
    /// Whether the weight is a part of one, which may be negative.
    pub(super) signed: bool,
    pub(super) pieces: Vec<GuardedPolynomial>,
    pub(super) steps: usize,
}

/// A bound of a variable: `numerator / denominator`.
struct Edge {
    numerator: Polynomial,
    denominator: i64,
}

impl Edge {
    fn value(&self) -> Polynomial {
        self.numerator.scale(&whole(self.denominator).recip())
    }
}

impl Sum {
    /// What cannot be added up is left out from below, if it is not negative.
    pub(super) fn fail(&self) -> Option<()> {
        if self.up || self.signed { None } else { Some(()) }
    }

    pub(super) fn go(&mut self, levels: &[Level], facts: Facts, weight: Polynomial) -> Option<()> {
        self.steps += 1;
        if self.steps > 4 * MOST_PIECES
            || self.pieces.len() > MOST_PIECES
            || weight.degree() > HIGHEST
        {
            return self.fail();
        }
        if weight.is_zero() || facts.are_impossible() {
            return Some(());
        }
        let Some((level, outer)) = levels.split_last() else {
            if weight.is_local() || facts.0.iter().any(Polynomial::is_local) {
                return self.fail();
            }
            let mut guard: Vec<Polynomial> =
                facts.0.into_iter().filter(|it| !Facts::default().imply(it)).collect();
            guard.sort_by_key(|it| format!("{it:?}"));
            guard.dedup();
            // No part is less than nothing, although what is found of a small one may be.
            if self.up || self.signed || at_large(&weight).is_positive() {
                self.pieces.push(GuardedPolynomial { guard, value: weight });
            }
            return Some(());
        };
        match level {
            Level::Sum(atom) => self.over(*atom, outer, facts, weight),
            Level::Value { atom, lows, high } => {
                self.value((*atom, lows, high), outer, &facts, &weight)
            }
            Level::Quotient { atom, of, by } => {
                self.quotient((*atom, of, by), outer, &facts, &weight)
            }
            Level::OneOf { atom, of, lesser } => {
                self.one_of((*atom, of, *lesser), outer, &facts, &weight)
            }
            Level::Halving(halving) => self.halving(halving, outer, &facts, &weight),
            Level::Harmonic { atom, of, by, is_share } => {
                self.harmonic((*atom, of, *by, *is_share), outer, &facts, &weight)
            }
            Level::Shifted { atom, of, by, least } => {
                self.shifted((*atom, of, *by, *least), outer, &facts, &weight)
            }
        }
    }

    fn over(
        &mut self,
        atom: Atom,
        outer: &[Level],
        facts: Facts,
        weight: Polynomial,
    ) -> Option<()> {
        let (rest, with) = facts.split(atom);
        let (mut lows, mut highs) = (vec![], vec![]);
        let with = with.into_iter().map(|it| if self.up { it } else { narrow(atom, it, &facts) });
        let mut is_widened = false;
        for fact in with {
            let fact = fact.cleared();
            let linear = fact.linear_in(atom);
            let linear =
                linear.and_then(|(slope, rest)| Some((slope.to_integer().to_i64()?, rest)));
            let Some((slope, constant)) = linear else {
                if self.up {
                    is_widened = true;
                    continue;
                }
                return Some(());
            };
            if slope > 0 {
                lows.push(Edge { numerator: -&constant, denominator: slope });
            } else {
                highs.push(Edge { numerator: constant, denominator: -slope });
            }
        }
        let weight = if is_widened {
            let kept = |it: &Polynomial| it.linear_in(atom).is_some();
            let kept = facts.split(atom).1.into_iter().filter(kept);
            not_negative(weight, &kept.fold(rest.clone(), |facts, it| facts.and(it)))
        } else {
            weight
        };
        for (edges, is_low) in [(&mut lows, true), (&mut highs, false)] {
            tightest(edges, is_low, &rest);
            if edges.len() < 2 {
                continue;
            }
            // The first is the tighter one, or the second is, and then by 1 at least: the numerators
            // over one denominator are whole.
            let (a, b) = (&edges[0], &edges[1]);
            let difference = &b.numerator.scale(&whole(a.denominator))
                - &a.numerator.scale(&whole(b.denominator));
            let first = if is_low { -&difference } else { difference };
            let second = &-&first - &Polynomial::constant(1);
            for (fact, drop) in [(first, 1), (second, 0)] {
                let dropped = edges[drop].value();
                let gone = |it: &Polynomial| {
                    it.linear_in(atom).is_some_and(|(slope, _)| {
                        slope.is_positive() == is_low
                            && it.substitute(atom, &dropped).is_some_and(|it| it.is_zero())
                    })
                };
                let mut facts = facts.clone();
                facts.0.retain(|it| !it.mentions(atom) || !gone(it));
                self.go(&[outer, &[Level::Sum(atom)]].concat(), facts.and(fact), weight.clone())?;
            }
            return Some(());
        }
        let ([low], [high]) = (&lows[..], &highs[..]) else { return self.fail() };
        // Not empty, or empty by one: then the sum is 0 by itself.
        let slack = if low.denominator > 1 && high.denominator > 1 { 0 } else { 1 };
        let room = &(&high.value() - &low.value()) + &Polynomial::constant(slack);
        let rest = if rest.imply(&room) { rest } else { rest.and(room) };
        let [first, last] = [(low, true), (high, false)].map(|(edge, is_low)| {
            let mut value = edge.numerator.clone();
            if edge.denominator > 1 {
                let remainder = Polynomial::from(if is_low { BELOW } else { ABOVE });
                value = if is_low { &value + &remainder } else { &value - &remainder };
            }
            value.scale(&whole(edge.denominator).recip())
        });
        let before = &first - &Polynomial::constant(1);
        let Some(powers) = weight.by_powers(atom) else { return self.fail() };
        let mut sum = Polynomial::default();
        for (power, factor) in (0..).zip(&powers) {
            let all = &sum_of_powers(power, &last) - &sum_of_powers(power, &before);
            sum = &sum + &(factor * &all);
        }
        for (remainder, edge) in [(BELOW, low), (ABOVE, high)] {
            let most = Polynomial::constant(edge.denominator - 1);
            sum = sum.bound(remainder, &Polynomial::default(), &most, self.up)?;
        }
        self.go(outer, rest, sum)
    }
}

/// Where a fact is left out of a sum from above, the points that it kept out count, too. Their weight must
/// not be negative, as that of a loop that is empty by more than one is.
pub(super) fn not_negative(weight: Polynomial, facts: &Facts) -> Polynomial {
    if facts.imply(&weight) { weight } else { weight.without(|_, it| it.is_negative()) }
}

/// Remainders of the two ends of a range; they are bounded where they arise.
const BELOW: Atom = Atom::Local(u32::MAX);
const ABOVE: Atom = Atom::Local(u32::MAX - 1);

/// A fact in which a loop's number is multiplied by a size: one that implies it and in which it is not,
/// if the loop's other end is enough, or one iteration less.
fn narrow(atom: Atom, fact: Polynomial, facts: &Facts) -> Polynomial {
    if fact.linear_in(atom).is_some() {
        return fact;
    }
    let (rest, with) = facts.split(atom);
    let is_end = |it: &&Polynomial| it.linear_in(atom).is_some_and(|it| it.0 == whole(-1));
    let ends = with.iter().filter(is_end);
    let nearer = ends.flat_map(|it| [0, 1].map(|less| it - &Polynomial::constant(less)));
    nearer.into_iter().find(|it| rest.and(it.clone()).imply(&fact)).unwrap_or(fact)
}

/// Leaves out bounds that never count.
fn tightest(edges: &mut Vec<Edge>, is_low: bool, rest: &Facts) {
    let mut at = 0;
    while at < edges.len() && edges.len() > 1 {
        let looser = edges.iter().enumerate().any(|(other, edge)| {
            let difference = if is_low {
                &edge.value() - &edges[at].value()
            } else {
                &edges[at].value() - &edge.value()
            };
            other != at && rest.imply(&difference)
        });
        if looser {
            edges.remove(at);
        } else {
            at += 1;
        }
    }
}
