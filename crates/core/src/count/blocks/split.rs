//! Numbers that the threads of a block compute, in two parts: what comes from outside, from the
//! block's variables and what else is the same for all its threads, and what is added to that inside.

use super::signature::{FAR, Probe};
use crate::count::form::{Affine, Form};
use crate::language::syntax::BinaryOp;

/// `outside` and a number that is made inside: the same for all blocks that agree in the probes of
/// its [`Splitter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) outside: Form,
    /// Between which forms what is added lies, if that is known.
    pub(super) range: Option<[Form; 2]>,
}

/// Forms of scalars no further from 0 than [`FAR`] lie at most so far from it: sums of two do not wrap.
const FURTHEST: i128 = 1 << 61;

impl Split {
    pub(super) fn outside(outside: Form) -> Self {
        Self { outside, range: Some([Form::constant(0), Form::constant(0)]) }
    }

    pub(super) fn constant(value: i64) -> Self {
        Self::outside(Form::constant(value))
    }

    /// Something that is made inside.
    pub(super) fn inside(range: Option<[Form; 2]>) -> Self {
        Self::new(Form::constant(0), range)
    }

    pub(super) fn new(outside: Form, range: Option<[Form; 2]>) -> Self {
        Self { outside, range: range.filter(|it| it.iter().all(is_near)) }
    }

    fn is_outside(&self) -> bool {
        self.range.as_ref().is_some_and(|it| it.iter().all(|end| end.as_constant() == Some(0)))
    }

    fn as_constant(&self) -> Option<i64> {
        self.outside.as_constant().filter(|_| self.is_outside())
    }

    /// With what is inside as `f` makes it of its ends.
    fn map(
        &self,
        outside: Option<Form>,
        f: impl Fn(&[Form; 2]) -> Option<[Form; 2]>,
    ) -> Option<Self> {
        outside.filter(is_near).map(|outside| Self::new(outside, self.range.as_ref().and_then(f)))
    }

    fn plus(&self, other: &Self, op: BinaryOp) -> Option<Self> {
        let outside = Form::combine(op, self.outside.clone(), other.outside.clone());
        let [low, high] = if op == BinaryOp::Add { [0, 1] } else { [1, 0] };
        self.map(outside, |range| {
            let other = other.range.as_ref()?;
            let low = Form::combine(op, range[0].clone(), other[low].clone())?;
            Some([low, Form::combine(op, range[1].clone(), other[high].clone())?])
        })
    }

    fn times(&self, factor: i64) -> Option<Self> {
        let times =
            |form: &Form| Form::combine(BinaryOp::Multiply, form.clone(), Form::constant(factor));
        self.map(times(&self.outside), |[low, high]| {
            let (low, high) = if factor < 0 { (high, low) } else { (low, high) };
            Some([times(low)?, times(high)?])
        })
    }
}

/// Computes with splits, and gathers what blocks must agree in.
#[derive(Default)]
pub(super) struct Splitter {
    pub(super) probes: Vec<Probe>,
}

impl Splitter {
    pub(super) fn require(&mut self, probe: Probe) {
        if !self.probes.contains(&probe) {
            self.probes.push(probe);
        }
    }

    pub(super) fn require_exact(&mut self, form: &Form) {
        if form.as_constant().is_none() {
            self.require(Probe::Exact(form.clone()));
        }
    }

    /// The same number, made inside: blocks must agree in what comes from outside.
    pub(super) fn exposed(&mut self, split: &Split) -> Split {
        self.require_exact(&split.outside);
        let ends = split.range.as_ref().and_then(|range| {
            let end = |end: &Form| Form::combine(BinaryOp::Add, split.outside.clone(), end.clone());
            Some([end(&range[0])?, end(&range[1])?])
        });
        Split::inside(ends)
    }

    /// Either number, as something that is made inside decides.
    pub(super) fn either(&mut self, left: &Split, right: &Split) -> Split {
        if left == right {
            return left.clone();
        }
        let ranges = self.exposed(left).range.zip(self.exposed(right).range);
        Split::inside(ranges.and_then(|([a, b], [c, d])| {
            Some([Form::combine(BinaryOp::Min, a, c)?, Form::combine(BinaryOp::Max, b, d)?])
        }))
    }

    /// `left op right` of i64, or a truth value: 0 or 1.
    pub(super) fn combine(&mut self, op: BinaryOp, left: &Split, right: &Split) -> Split {
        if op.is_comparison() {
            return self.compare(op, left, right);
        }
        let exact = match (op, left.as_constant(), right.as_constant()) {
            (BinaryOp::Divide, _, Some(1)) => Some(left.clone()),
            _ if left.is_outside() && right.is_outside() => {
                let (left, right) = (left.outside.clone(), right.outside.clone());
                Form::combine(op, left, right).filter(is_near).map(Split::outside)
            }
            (BinaryOp::Add | BinaryOp::Subtract, ..) => left.plus(right, op),
            (BinaryOp::Min | BinaryOp::Max, ..) if left.outside == right.outside => {
                left.map(Some(left.outside.clone()), |[low, high]| {
                    let [other_low, other_high] = right.range.clone()?;
                    let low = Form::combine(op, low.clone(), other_low)?;
                    Some([low, Form::combine(op, high.clone(), other_high)?])
                })
            }
            (BinaryOp::Multiply, Some(factor), _) => right.times(factor),
            (BinaryOp::Multiply, _, Some(factor)) => left.times(factor),
            (BinaryOp::Divide, _, Some(by @ 1..=FAR)) => self.divide(left, by),
            (BinaryOp::Modulo, _, Some(by @ 1..=FAR)) => self.modulo(left, by),
            (BinaryOp::ShiftLeft, _, Some(by @ 0..31)) => left.times(1 << by),
            (BinaryOp::ShiftRight, _, Some(by @ 0..31)) => self.divide(left, 1 << by),
            _ => None,
        };
        exact.unwrap_or_else(|| {
            let (left, right) = (self.exposed(left), self.exposed(right));
            Split::inside(range(op, &left, &right))
        })
    }

    /// `left op right`: whether it holds is decided by the difference.
    fn compare(&mut self, op: BinaryOp, left: &Split, right: &Split) -> Split {
        let truth = Split::inside(Some([Form::constant(0), Form::constant(1)]));
        let zone = left.plus(right, BinaryOp::Subtract).and_then(|difference| {
            let [low, high] = difference.range?;
            // Where what is inside decides; below it and above, it does not matter.
            let (first, last) = match op {
                BinaryOp::Less | BinaryOp::GreaterEqual => (0, -1),
                BinaryOp::LessEqual | BinaryOp::Greater => (1, 0),
                _ => (0, 0),
            };
            Some((difference.outside, [minus(first, &high)?, minus(last, &low)?]))
        });
        match zone {
            Some((form, _)) if form.as_constant().is_some() => {}
            Some((form, zone)) => self.require(Probe::Within(form, zone)),
            None => {
                self.exposed(left);
                self.exposed(right);
            }
        }
        truth
    }

    /// ⌊(o + x) / by⌋ = ⌊o / by⌋ + ⌊(o mod by + x) / by⌋, of which the latter is 0 for most o.
    pub(super) fn divide(&mut self, split: &Split, by: i64) -> Option<Split> {
        let [low, high] = split.range.as_ref()?;
        let (quotient, rest) = quotient_and_rest(&split.outside, by)?;
        let rests = rest.as_constant().map_or([0, by - 1], |rest| [rest; 2]);
        if rest.as_constant().is_none() {
            let ends = [minus(0, low)?, minus(by - 1, high)?];
            self.require(Probe::Outside(rest, ends));
        }
        split.map(Some(quotient), |range| {
            let end = |end: usize| {
                let rest = Form::constant(rests[end]);
                let sum = Form::combine(BinaryOp::Add, range[end].clone(), rest)?;
                Form::combine(BinaryOp::Divide, sum, Form::constant(by))
            };
            Some([end(0)?, end(1)?])
        })
    }

    fn modulo(&mut self, split: &Split, by: i64) -> Option<Split> {
        // Without a range, what is added may have wrapped.
        split.range.as_ref()?;
        self.require_exact(&quotient_and_rest(&split.outside, by)?.1);
        Some(Split::inside(Some([Form::constant(0), Form::constant(by - 1)])))
    }
}

pub(super) fn minus(constant: i64, form: &Form) -> Option<Form> {
    Form::combine(BinaryOp::Subtract, Form::constant(constant), form.clone())
}

/// ⌊form / by⌋ and form mod by, with as few scalars as it takes.
pub(super) fn quotient_and_rest(form: &Form, by: i64) -> Option<(Form, Form)> {
    let divisor = Form::constant(by);
    let (whole, rest) = match form {
        Form::Affine(Affine { constant, slopes }) => {
            let part = |f: fn(i64, i64) -> i64| {
                let slopes = slopes.iter().map(|&(scalar, slope)| (scalar, f(slope, by)));
                let slopes = slopes.filter(|&(_, slope)| slope != 0).collect();
                Form::Affine(Affine { constant: f(*constant, by), slopes })
            };
            (part(i64::div_euclid), part(i64::rem_euclid))
        }
        Form::Operation(..) => (Form::constant(0), form.clone()),
    };
    let more = Form::combine(BinaryOp::Divide, rest.clone(), divisor.clone())?;
    let quotient = Form::combine(BinaryOp::Add, whole, more)?;
    Some((quotient, Form::combine(BinaryOp::Modulo, rest, divisor)?))
}

/// Between what lies `left op right`, of numbers made inside.
fn range(op: BinaryOp, left: &Split, right: &Split) -> Option<[Form; 2]> {
    let ([a, b], [c, d]) = (left.range.clone()?, right.range.clone()?);
    match op {
        BinaryOp::Min | BinaryOp::Max => Some([Form::combine(op, a, c)?, Form::combine(op, b, d)?]),
        BinaryOp::Multiply if a.as_constant()? >= 0 && c.as_constant()? >= 0 => {
            Some([Form::combine(op, a, c)?, Form::combine(op, b, d)?])
        }
        BinaryOp::BitAnd if c.as_constant()? >= 0 => Some([Form::constant(0), d]),
        _ => None,
    }
}

/// Whether a form stays so near to 0, if its scalars do, that sums of two do not wrap.
fn is_near(form: &Form) -> bool {
    fn furthest(form: &Form) -> Option<i128> {
        Some(match form {
            Form::Affine(Affine { constant, slopes }) => {
                let slopes = slopes.iter().map(|(_, slope)| i128::from(slope.unsigned_abs()));
                i128::from(constant.unsigned_abs()) + slopes.sum::<i128>() * i128::from(FAR)
            }
            Form::Operation(op, parts) => {
                let [left, right] = [furthest(&parts[0])?, furthest(&parts[1])?];
                match op {
                    BinaryOp::Add | BinaryOp::Subtract => left + right,
                    BinaryOp::Multiply => left.checked_mul(right)?,
                    BinaryOp::Divide | BinaryOp::ShiftRight => left,
                    BinaryOp::Modulo => right,
                    BinaryOp::Min | BinaryOp::Max => left.max(right),
                    BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                        2 * left.max(right) + 1
                    }
                    _ => return None,
                }
            }
        })
        .filter(|it| *it <= FURTHEST)
    }
    furthest(form).is_some()
}
