//! What contradicts a claim: a proved bound, and a direction in which it and the claim grow apart without
//! end. A linear program gives the direction; how far they are apart is then computed there.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::cone::{Cone, Direction, Powers, powers};
use super::domain::{GuardedPolynomial, value};
use super::polynomial::{Atom, Size, thousandths, whole};
use super::{Condition, Derived, Lower, Term, holds};
use memory_machine_core::language::program::{Expr, ExprKind};
use memory_machine_core::language::syntax::BinaryOp;

/// Doublings between which a bound must have left the claim behind: logarithms grow sixteenfold.
const FAR: [i32; 2] = [32, 512];
/// By more than that, as a power of two.
const LEFT_BEHIND: f64 = 0.5;
/// Linear programs that are tried for a direction below the upper bound.
const MOST_TRIALS: u32 = 3000;
/// All sizes begin at 2⁴.
const FIRST_POWER: i32 = 4;

/// A proved bound and a direction in which it and the claim grow apart without end.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// Of an O a lower bound, by its number; of an Ω `None`: the upper one.
    pub bound: Option<usize>,
    /// In which direction.
    pub direction: Direction,
    /// What is added to the parameters' powers of two, so that the bound's conditions hold.
    pub offset: u64,
}

/// Of an O: a lower bound that exceeds every term of the claim. First without logarithms, which are as
/// good as constants beside powers and would ask for the powers of sizes to be large.
pub(super) fn contradicted_from_below(
    derived: &Derived,
    claimed: &[Powers],
    cone: &Cone<'_>,
) -> Option<Contradiction> {
    for has_logarithms in [false, true] {
        let cone = cone.with(|cone| {
            if !has_logarithms {
                cone.without_logarithms()
            }
        });
        for (number, lower) in derived.lower.iter().enumerate() {
            let pieces = lower.pieces.iter();
            let monomials = pieces.flat_map(|piece| piece.positive().map(move |it| (piece, it)));
            for (piece, monomial) in monomials {
                // What is subtracted is less, or else no more, which may leave nothing.
                for gap in [1, 0] {
                    let cone = cone.with(|cone| {
                        let own = powers(monomial);
                        claimed.iter().for_each(|term| cone.at_least(&own, term, 1));
                        cone.guarded(&piece.guard);
                        let less = piece.value.terms().filter(|(_, it)| it.is_negative());
                        less.for_each(|(less, _)| cone.at_least(&own, &powers(less), gap));
                        divided(cone, lower);
                    });
                    let Some(direction) = cone.direction() else { continue };
                    let direction = cone.named(&direction);
                    if outgrows(lower, claimed, &direction)
                        && let Some(offset) = offset(derived, lower, &direction)
                    {
                        return Some(Contradiction { bound: Some(number), direction, offset });
                    }
                }
            }
        }
    }
    None
}

/// Where a lower bound's divisibilities can hold.
fn divided(cone: &mut Cone<'_>, lower: &Lower) {
    for condition in &lower.conditions {
        if let Condition::Divides(of) = condition {
            let width = Powers::from([(Atom::Size(Size::Width), whole(1))]);
            for (monomial, _) in of.terms() {
                cone.at_least(&powers(monomial), &width, 0);
            }
        }
    }
}

/// Of an Ω: a direction in which the whole upper bound stays below one of the claim's terms.
pub(super) fn contradicted_from_above(
    derived: &Derived,
    claimed: &[Powers],
    cone: &Cone<'_>,
) -> Option<Contradiction> {
    for has_logarithms in [false, true] {
        let cone = cone.with(|cone| {
            if !has_logarithms {
                cone.without_logarithms()
            }
        });
        let found = claimed.iter().find_map(|claimed| {
            let mut trials = MOST_TRIALS;
            slower(&derived.upper, claimed, &cone, &mut trials)
        });
        if let Some(direction) = found {
            return Some(Contradiction { bound: None, direction, offset: 0 });
        }
    }
    None
}

/// A direction in which every part of the time has a choice all of which is less than `claimed`.
fn slower(
    parts: &[Term],
    claimed: &Powers,
    cone: &Cone<'_>,
    trials: &mut u32,
) -> Option<Direction> {
    let Some((part, rest)) = parts.split_first() else {
        return cone.direction().map(|it| cone.named(&it));
    };
    part.choices.iter().find_map(|choice| {
        *trials = trials.checked_sub(1)?;
        let narrower = cone.with(|cone| {
            let all = choice.pieces.iter().flat_map(GuardedPolynomial::positive);
            all.for_each(|it| cone.at_least_once(claimed, &no_less(&powers(it))));
        });
        narrower.direction()?;
        slower(rest, claimed, &narrower, trials)
    })
}

/// Powers of sizes whose exponents are no fractions, rounded up.
fn no_less(powers: &Powers) -> Powers {
    let mut found = Powers::new();
    for (atom, power) in powers {
        let (atom, power) = match *atom {
            Atom::Power(of, size) => {
                let [low, high] = thousandths(of);
                (Atom::Size(size), if power.is_positive() { high } else { low } * power)
            }
            atom => (atom, power.clone()),
        };
        *found.entry(atom).or_insert_with(BigRational::zero) += power;
    }
    found
}

/// Whether a lower bound leaves the claim behind along a direction, looked at where no run would end, so
/// that lower terms do not matter.
fn outgrows(lower: &Lower, terms: &[Powers], direction: &Direction) -> bool {
    let ratio = |doublings: i32| {
        let power = |size: Size| power(direction, size, doublings);
        let of = |atom: Atom| match atom {
            Atom::Size(size) => Some(BigRational::from_integer(2.into()).pow(power(size)?)),
            Atom::Log(size) => Some(BigRational::from_integer(power(size)?.into())),
            Atom::Power(of, size) => Some(whole(of.into()).pow(power(size)?)),
            Atom::Local(_) => None,
        };
        let term = |powers: &Powers| -> Option<f64> {
            let factor = |(atom, times): (&Atom, &BigRational)| {
                let log = match atom {
                    Atom::Log(size) => f64::from(power(*size)?).log2(),
                    Atom::Size(size) => f64::from(power(*size)?),
                    Atom::Power(of, size) => f64::from(power(*size)?) * f64::from(*of).log2(),
                    Atom::Local(_) => return None,
                };
                Some(log * times.to_f64()?)
            };
            powers.iter().map(factor).sum()
        };
        let claimed: Option<Vec<f64>> = terms.iter().map(term).collect();
        let found = logarithm(&value(&lower.pieces, &of)?)?;
        Some(found - claimed?.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let [near, far] = FAR.map(ratio);
    near.zip(far).is_some_and(|(near, far)| far > near + LEFT_BEHIND)
}

/// The power of two that a size is, so far along a direction.
fn power(direction: &Direction, size: Size, doublings: i32) -> Option<i32> {
    let denominators = direction.values().map(|it| it.denom().clone());
    let common = denominators.fold(BigInt::from(1), |all, it| all.lcm(&it));
    let scaled = |it: &BigRational| (it * BigRational::from_integer(common.clone())).to_integer();
    let divisor = direction.values().fold(BigInt::zero(), |all, it| all.gcd(&scaled(it)));
    let power = direction.get(&size).map_or_else(BigInt::zero, |it| scaled(it) / divisor);
    power.to_i32()?.checked_mul(doublings)?.checked_add(FIRST_POWER)
}

/// Base 2, of a positive number of any length.
fn logarithm(of: &BigRational) -> Option<f64> {
    let of_whole = |it: &BigInt| {
        let dropped = it.bits().saturating_sub(60);
        Some((it >> dropped).to_f64()?.log2() + dropped as f64)
    };
    of.is_positive().then(|| Some(of_whole(of.numer())? - of_whole(of.denom())?))?
}

/// What to add to the parameters, so that a lower bound's conditions hold for sizes without end along a
/// direction; `None` where that is not known. Residues of powers of two recur, so that once far out is enough.
fn offset(derived: &Derived, lower: &Lower, direction: &Direction) -> Option<u64> {
    let is_fixed = |at: usize| derived.fixed[at].is_some();
    let recurs = |condition: &Condition| match condition {
        Condition::Divides(_) => true,
        Condition::Holds(expr, _) => is_periodic(expr, &is_fixed),
    };
    if !lower.conditions.iter().all(recurs) {
        return None;
    }
    let is_divided = lower.conditions.iter().any(|it| matches!(it, Condition::Divides(_)));
    let mut offsets = if is_divided { 0..1 } else { 0..OFFSETS };
    offsets.find(|&offset| {
        lower.conditions.is_empty()
            || RECURRENT.into_iter().any(|doublings| {
                lower.conditions.iter().all(|it| {
                    holds_at(derived, it, (direction, doublings, offset)).unwrap_or(false)
                })
            })
    })
}

/// Added to parameters in search of sizes for which conditions hold.
const OFFSETS: u64 = 8;
/// Doublings in which residues of small periods all occur.
const RECURRENT: std::ops::Range<i32> = 8..24;

fn holds_at(
    derived: &Derived,
    condition: &Condition,
    (direction, doublings, offset): (&Direction, i32, u64),
) -> Option<bool> {
    let power = |size: Size| power(direction, size, doublings);
    match condition {
        Condition::Holds(expr, wanted) => {
            let value = |at: usize| match derived.fixed[at] {
                Some(value) => Some(value),
                None if derived.exponents[at] => Some(power(Size::Parameter(at))?.into()),
                None => {
                    let power = power(Size::Parameter(at)).filter(|it| *it < 62)?;
                    Some((1 << power) + offset.cast_signed())
                }
            };
            let parameters = (0..derived.fixed.len()).map(value).collect::<Option<Vec<i64>>>()?;
            Some(holds(expr, &parameters)? == *wanted)
        }
        Condition::Divides(of) => {
            let two_to = |power: i32| BigRational::from_integer(2.into()).pow(power);
            let value = of.value(&|atom| match atom {
                Atom::Size(size) => Some(two_to(power(size)?)),
                Atom::Log(size) => Some(whole(power(size)?.into())),
                Atom::Power(..) | Atom::Local(_) => None,
            });
            Some((value? / two_to(power(Size::Width)?)).is_integer())
        }
    }
}

/// Whether a condition on parameters is one on their residues.
fn is_periodic(expr: &Expr, is_fixed: &dyn Fn(usize) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Boolean(_) => true,
        ExprKind::Parameter(id) => is_fixed(id.0),
        ExprKind::Unary(_, operand) => is_periodic(operand, is_fixed),
        ExprKind::Binary(BinaryOp::Modulo | BinaryOp::BitAnd, of, by)
            if matches!(by.kind, ExprKind::Integer(1..)) =>
        {
            is_polynomial(of)
        }
        ExprKind::Binary(_, left, right) => {
            is_periodic(left, is_fixed) && is_periodic(right, is_fixed)
        }
        _ => false,
    }
}

fn is_polynomial(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Integer(_) | ExprKind::Parameter(_) => true,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, left, right) => {
            is_polynomial(left) && is_polynomial(right)
        }
        _ => false,
    }
}
