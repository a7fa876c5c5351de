//! The tree of a procedure's calls, level by level. At level j there are aʲ calls at most, a being how many
//! calls one makes, and their sizes are those of the first over bʲ, rounded either way. So what they take
//! is a geometric sum for each power of the sizes (the master theorem with floors, and constants).

mod leaves;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use self::leaves::ends;
use super::Recurrence;
use super::domain::GuardedPolynomial;
use super::facts::Facts;
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};
use super::scope::{logarithm_high, logarithm_low};
use super::walk::Call;

/// Sizes are divided by at most that.
const MOST_PARTS: i64 = 16;
/// Recursions end at sizes no larger.
const LARGEST_LEAF: i64 = 256;

/// Parts may be rounded by no more than that.
const MOST_ROUNDING: i64 = 2;

const UNEVEN: &str = "the sizes of this recursion are no even parts";

/// The sums over all calls. Of pairs, the first bounds from above, the second from below.
pub(in crate::derive) struct LevelSums {
    /// The procedure's sizes, and what the first call has for them.
    own: Vec<Size>,
    first: Vec<Polynomial>,
    /// Which of them is looked at before it calls itself.
    pub(in crate::derive) measure: usize,
    /// Which are divided; the others are the same in all calls.
    is_divided: Vec<bool>,
    /// Calls of itself.
    calls: [i64; 2],
    /// By what sizes are divided.
    divisor: i64,
    /// It calls itself only where the measure is more than the first, and surely where it is more than the
    /// second.
    ends: [i64; 2],
    /// By how much sizes of a level may be more, or less, than the first size over bʲ.
    rounding: [i64; 2],
    /// Whether parts are so large at least.
    is_even: bool,
    /// All sizes are powers of two.
    is_exact: bool,
}

impl LevelSums {
    /// The recurrence of calls by a procedure of itself.
    pub(in crate::derive) fn of(
        own: &[Size],
        first: &[Polynomial],
        calls: &[Call],
    ) -> Result<Self, &'static str> {
        let found = (0..own.len()).find_map(|it| Some((it, ends(own[it], calls)?)));
        let (measure, (counts, ends)) =
            found.ok_or("no condition on an extent is known that ends this recursion")?;
        if ends[0] < 1 || ends[1] > LARGEST_LEAF {
            return Err("this recursion ends at sizes that are not looked at");
        }
        if !calls.iter().all(Call::has_sizes) {
            return Err("this recursion may be given nothing, or a negative number");
        }
        let is_divided: Vec<bool> = own
            .iter()
            .enumerate()
            .map(|(at, size)| !calls.iter().all(|it| it.sizes[at] == Polynomial::from(*size)))
            .collect();
        // Each divided size g of each call: that much more, or less, than the size over b.
        let all = |holds: &dyn Fn(&Polynomial, &Polynomial) -> Polynomial| {
            calls.iter().all(|call| {
                let sizes = own.iter().zip(&call.sizes).zip(&is_divided);
                let mut sizes = sizes.filter(|it| *it.1);
                sizes.all(|((size, given), _)| {
                    call.facts.imply(&holds(&Polynomial::from(*size), given))
                })
            })
        };
        let within = |by: i64, more: i64, sign: i64| {
            let more = Polynomial::constant(more);
            all(&|size, given| &(size - &given.scale(&whole(by))).scale(&whole(sign)) + &more)
        };
        let divisor = (2..=MOST_PARTS).rev().find(|by| within(*by, MOST_ROUNDING * (by - 1), 1));
        let divisor = divisor.filter(|_| is_divided[measure]).ok_or(UNEVEN)?;
        let rounding =
            |sign: i64| (0..=MOST_ROUNDING).find(|it| within(divisor, it * (divisor - 1), sign));
        let up = rounding(1).filter(|it| *it <= ends[0]).ok_or(UNEVEN)?;
        // Where parts may be smaller than that, there is no bound from below.
        let least_part = rounding(-1);
        let (down, least) = least_part.map_or((0, 0), |it| (it, counts[1]));
        Ok(Self {
            own: own.to_vec(),
            first: first.to_vec(),
            measure,
            is_divided,
            calls: [counts[0], least],
            divisor,
            ends,
            rounding: [up, down],
            is_even: least_part.is_some(),
            is_exact: false,
        })
    }

    /// Whether all sizes are halved exactly: then those of powers of two remain powers of two. The calls
    /// are those of a call whose sizes are twice the procedure's own.
    pub(in crate::derive) fn halve(&mut self, calls: &[Call]) -> bool {
        let is_half = |call: &Call| {
            let sizes = self.own.iter().zip(&call.sizes).zip(&self.is_divided);
            let mut sizes = sizes.filter(|it| *it.1);
            sizes.all(|((size, given), _)| {
                let more = given - &Polynomial::from(*size);
                call.facts.imply(&more) && call.facts.imply(&-&more)
            })
        };
        let all_divided = self.is_divided.iter().all(|it| *it);
        self.is_exact = all_divided && self.divisor == 2 && calls.iter().all(is_half);
        self.is_exact
    }

    pub(in crate::derive) fn recurrence(&self, procedure: String, size: String) -> Recurrence {
        let Self { calls, divisor, ends, is_exact, .. } = self;
        let (calls, divisor, ends, is_exact) = (calls[0], *divisor, ends[0], *is_exact);
        Recurrence { procedure, size, calls, divisor, ends, is_exact }
    }

    /// What calls take that call themselves, all together.
    pub(in crate::derive) fn inner(
        &self,
        pieces: &[GuardedPolynomial],
        up: bool,
    ) -> Option<Vec<GuardedPolynomial>> {
        let way = usize::from(!up);
        let own = Atom::Size(self.own[self.measure]);
        let scale = whole(if self.is_exact { 2 } else { 1 });
        let least = Polynomial::constant(self.ends[way] + 1);
        let known = Facts(vec![&Polynomial::from(own).scale(&scale) - &least]);
        let mut sum = Polynomial::default();
        for piece in pieces {
            let all = piece.guard.iter().fold(known.clone(), |known, it| known.and(it.clone()));
            let is_sure = piece.guard.iter().all(|it| known.imply(it));
            let value = match (up, is_sure) {
                (_, true) => piece.value.clone(),
                (true, _) if all.are_impossible() => continue,
                (true, _) => piece.value.without(|_, it| it.is_negative()),
                (false, _) => continue,
            };
            sum = &sum + &self.over_levels(&self.unhalved(value)?, up)?;
        }
        Some(self.guarded(sum, way))
    }

    /// Where the first call calls itself.
    fn guarded(&self, value: Polynomial, way: usize) -> Vec<GuardedPolynomial> {
        let guard = &self.first[self.measure] - &Polynomial::constant(self.ends[way] + 1);
        let is_some = !value.is_zero();
        is_some.then(|| GuardedPolynomial { guard: vec![guard], value }).into_iter().collect()
    }

    /// The procedure's own sizes, where they stand for halves.
    fn unhalved(&self, mut value: Polynomial) -> Option<Polynomial> {
        if self.is_exact {
            for size in &self.own {
                let half = Polynomial::from(*size).scale(&whole(2).recip());
                value = value.substitute(Atom::Size(*size), &half)?;
            }
        }
        Some(value)
    }

    /// The least measure of a call that calls itself, where sizes are powers of two.
    fn least_inner(&self, way: usize) -> i64 {
        let most = u64::try_from(self.ends[way] + 1).unwrap_or(1);
        most.next_power_of_two().cast_signed()
    }

    /// b to the power of the last level with calls that call themselves, is the measure over at least the
    /// first, and times b more than the measure over the second.
    fn edge(&self, way: usize) -> BigRational {
        if self.is_exact {
            return whole(self.least_inner(way));
        }
        let [up, down] = self.rounding;
        whole(if way == 0 { self.ends[0] + 1 - up } else { self.ends[1] + down.max(1) })
    }

    /// A size in level j: the constant, and the factor of b to the power of −j.
    fn at_level(&self, size: usize, up: bool) -> [Polynomial; 2] {
        let first = self.first[size].clone();
        if !self.is_divided[size] {
            return [first, Polynomial::default()];
        }
        let rounding = if self.is_exact { 0 } else { self.rounding[usize::from(!up)] };
        let rounding = Polynomial::constant(rounding);
        if up { [rounding, first] } else { [-&rounding, &first + &rounding] }
    }

    /// The sum over all levels of a polynomial in the sizes there.
    fn over_levels(&self, value: &Polynomial, up: bool) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, coefficient) in value.terms() {
            let more = coefficient.is_positive() == up;
            let Some(powers) = self.by_levels(monomial, more) else {
                if up || more {
                    return None;
                }
                continue;
            };
            for (power, factor) in (0..).zip(&powers) {
                for (monomial, factor) in factor.terms() {
                    let factor = factor * coefficient;
                    let levels = self.geometric(power, factor.is_positive() == up)?;
                    let one = Polynomial::monomial(monomial.clone()).scale(&factor);
                    sum = &sum + &(&one * &levels);
                }
            }
        }
        Some(sum)
    }

    /// A monomial by powers of b to the power of −j.
    fn by_levels(&self, monomial: &Monomial, up: bool) -> Option<Vec<Polynomial>> {
        let mut powers = vec![Polynomial::constant(1)];
        for &(atom, power) in monomial {
            let own = |size: Size| self.own.iter().position(|it| *it == size);
            let [constant, slope] = match atom {
                Atom::Size(size) if let Some(at) = own(size) => self.at_level(at, up),
                Atom::Log(size) if let Some(at) = own(size) => {
                    let log = match up {
                        true => logarithm_high(&self.first[at])?,
                        false => Polynomial::constant(1),
                    };
                    [log, Polynomial::default()]
                }
                Atom::Power(_, size) if own(size).is_some() => return None,
                _ => {
                    let factor = Polynomial::power(atom, power);
                    powers.iter_mut().for_each(|it| *it = &*it * &factor);
                    continue;
                }
            };
            for _ in 0..u32::try_from(power).ok()? {
                let mut product = vec![Polynomial::default(); powers.len() + 1];
                for (at, it) in powers.iter().enumerate() {
                    product[at] = &product[at] + &(it * &constant);
                    product[at + 1] = &product[at + 1] + &(it * &slope);
                }
                powers = product;
            }
        }
        Some(powers)
    }

    /// The sum of (a/bⁱ)ʲ over the levels j with calls that call themselves.
    fn geometric(&self, power: u32, up: bool) -> Option<Polynomial> {
        let way = usize::from(!up);
        // The first call is one.
        if self.calls[way] == 0 {
            return Some(Polynomial::constant(1));
        }
        let ratio = whole(self.calls[way]) / whole(self.divisor).pow(power.cast_signed());
        let one = BigRational::one();
        if ratio == one {
            return self.levels(way);
        }
        if ratio < one {
            return Some(Polynomial::from(if up { (&one - &ratio).recip() } else { one }));
        }
        // All of the last level, times the ratio where b to its power is an upper bound.
        let last = self.last_level(way, power)?;
        let last = if up || self.is_exact { last.scale(&ratio) } else { last };
        Some((&last - &Polynomial::constant(1)).scale(&(ratio - &one).recip()))
    }

    /// aʲ calls that call themselves not, at the first level without others.
    fn count(&self, up: bool) -> Option<Polynomial> {
        let way = usize::from(!up);
        match self.calls[way] {
            0 => Some(Polynomial::default()),
            calls if up || self.is_exact => Some(self.last_level(way, 0)?.scale(&whole(calls))),
            _ => self.last_level(way, 0),
        }
    }

    /// (a/bⁱ)ʲ where bʲ is the measure over its edge.
    fn last_level(&self, way: usize, power: u32) -> Option<Polynomial> {
        let first = &self.first[self.measure];
        let (calls, edge) = (self.calls[way], self.edge(way));
        // aʲ is bʲ to the power of a's logarithm, which is rounded: bʲ is 1 or more.
        let (mut logarithm, mut reached) = (0_u32, BigInt::one());
        while reached < BigInt::from(calls) {
            reached *= self.divisor;
            logarithm += 1;
        }
        if reached > BigInt::from(calls) {
            if let Some(last) = self.last_of_halves(way) {
                let over = first.to_the(power).reciprocal().scale(&edge.pow(power.cast_signed()));
                return Some(&last * &over);
            }
            logarithm -= u32::from(way == 1);
        }
        let rest = logarithm.checked_sub(power)?;
        let edge = edge.pow(rest.cast_signed()).recip();
        Some(first.to_the(rest).scale(&edge))
    }

    /// aʲ where 2ʲ is the measure, a size, over its edge, as that size to the power of a's logarithm.
    fn last_of_halves(&self, way: usize) -> Option<Polynomial> {
        let (monomial, factor) = self.first[self.measure].terms().next()?;
        let [(Atom::Size(size), 1)] = monomial[..] else { return None };
        let is_size = self.divisor == 2 && self.first[self.measure].terms().count() == 1;
        (is_size && factor.is_one()).then_some(())?;
        let calls = u32::try_from(self.calls[way]).ok()?;
        let edge = self.edge(way);
        // The edge to that power, of which the first needs no more, and the second no less, in thousandths;
        // the second also has so much less as powers may be computed too large.
        let over = edge.to_f64()?.powf(f64::from(calls).log2()) * 1000.0;
        let over = match edge.to_integer().to_u64().filter(|it| it.is_power_of_two()) {
            Some(edge) => whole(calls.into()).pow(edge.ilog2().cast_signed()),
            None if way == 0 => whole((over - 0.01).floor() as i64) / whole(1000),
            None => whole((over + 0.01).ceil() as i64) / whole(1000),
        };
        let is_less = way == 1 && !self.is_exact;
        let slack = if is_less { whole(999) / whole(1000) } else { BigRational::one() };
        Some(Polynomial::from(Atom::Power(calls, size)).scale(&(slack / over)))
    }

    /// How many levels have calls that call themselves.
    fn levels(&self, way: usize) -> Option<Polynomial> {
        let first = &self.first[self.measure];
        let one = Polynomial::constant(1);
        let edge = self.edge(way).to_integer().to_u64()?;
        if self.is_exact {
            let (monomial, factor) = first.terms().next()?;
            let [(Atom::Size(size), 1)] = monomial[..] else { return None };
            let factor = factor.to_integer().to_u64()?.ilog2();
            let more = i64::from(factor) - i64::from(edge.ilog2());
            return Some(
                &(&Polynomial::from(Atom::Log(size)) + &Polynomial::constant(more)) + &one,
            );
        }
        // Thousandths of log₂ b.
        let bits = (self.divisor as f64).log2() * 1000.0;
        let per = |bits: f64| bits.to_i64().map(|it| whole(1000) / whole(it));
        if way == 0 {
            let high = &logarithm_high(first)? - &Polynomial::constant(edge.ilog2().into());
            return Some(&high.scale(&per(bits.floor())?) + &one);
        }
        let ceiling = i64::from(edge.next_power_of_two().ilog2());
        let low = &logarithm_low(first)? - &Polynomial::constant(ceiling);
        Some(low.scale(&per(bits.ceil())?))
    }
}
