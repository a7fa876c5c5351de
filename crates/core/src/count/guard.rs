//! Which iterations make an access: conditions over scalars, and the stretches of a row of
//! iterations in which they hold.

use super::form::Form;
use super::iteration_row::IterationRow;
use super::piecewise_linear::Lines;
use crate::language::program::ScalarId;
use crate::language::syntax::BinaryOp;

/// A condition that does not depend on memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Guard {
    Constant(bool),
    /// The form is at least 0.
    AtLeastZero(Form),
    Not(Box<Guard>),
    And(Box<[Guard; 2]>),
}

/// Stretches `from..to` of a row, ascending and apart.
pub(super) type Stretches = Vec<(u64, u64)>;

impl Guard {
    /// `left op right` of integers; `None` if that overflows.
    pub(super) fn compare(op: BinaryOp, left: Form, right: Form) -> Option<Self> {
        let at_least = |a: Form, b: Form| {
            let difference = Form::combine(BinaryOp::Subtract, a, b)?;
            Some(match difference.as_constant() {
                Some(value) => Self::Constant(value >= 0),
                None => Self::AtLeastZero(difference),
            })
        };
        Some(match op {
            BinaryOp::GreaterEqual => at_least(left, right)?,
            BinaryOp::LessEqual => at_least(right, left)?,
            BinaryOp::Less => at_least(left, right)?.not(),
            BinaryOp::Greater => at_least(right, left)?.not(),
            BinaryOp::Equal => at_least(left.clone(), right.clone())?.and(at_least(right, left)?),
            BinaryOp::NotEqual => {
                at_least(left.clone(), right.clone())?.and(at_least(right, left)?).not()
            }
            _ => return None,
        })
    }

    pub(super) fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Constant(true), it) | (it, Self::Constant(true)) => it,
            (Self::Constant(false), _) | (_, Self::Constant(false)) => Self::Constant(false),
            (left, right) => Self::And(Box::new([left, right])),
        }
    }

    pub(super) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// All forms in the guard.
    pub(super) fn forms(&self) -> Vec<&Form> {
        match self {
            Self::Constant(_) => vec![],
            Self::AtLeastZero(form) => vec![form],
            Self::Not(inner) => inner.forms(),
            Self::And(parts) => parts.iter().flat_map(Self::forms).collect(),
        }
    }

    /// Whether it depends on a scalar.
    pub(super) fn mentions(&self, scalar: ScalarId) -> bool {
        self.forms().into_iter().any(|it| it.mentions(scalar))
    }

    pub(super) fn is_affine(&self) -> bool {
        self.forms().into_iter().all(Form::is_affine)
    }

    pub(super) fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Form>) -> Option<Self> {
        self.map(&|form| {
            let form = form.specialise(known)?;
            Some(match form.as_constant() {
                Some(value) => Self::Constant(value >= 0),
                None => Self::AtLeastZero(form),
            })
        })
    }

    /// With what `of` says for whether each form is at least 0; `None` if it does once.
    pub(super) fn map(&self, of: &impl Fn(&Form) -> Option<Self>) -> Option<Self> {
        Some(match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::AtLeastZero(form) => of(form)?,
            Self::Not(inner) => inner.map(of)?.not(),
            Self::And(parts) => {
                let [left, right] = parts.as_ref();
                left.map(of)?.and(right.map(of)?)
            }
        })
    }

    /// Whether it holds where every scalar is known; `None` on overflow.
    pub(super) fn holds(&self, scalars: &impl Fn(ScalarId) -> i64) -> Option<bool> {
        Some(match self {
            Self::Constant(value) => *value,
            Self::AtLeastZero(form) => form.value(scalars)? >= 0,
            Self::Not(inner) => !inner.holds(scalars)?,
            Self::And(parts) => parts[0].holds(scalars)? && parts[1].holds(scalars)?,
        })
    }

    /// Where the guard holds among the iterations of a row. Every form must be piecewise linear
    /// there. `None` if one leaves `i64`, where a run wraps.
    pub(super) fn stretches(&self, along: &IterationRow<'_>) -> Option<Stretches> {
        Some(match self {
            Self::Constant(true) => vec![(0, along.count)],
            Self::Constant(false) => vec![],
            Self::AtLeastZero(form) => at_least_zero(&Lines::of(form, along)?)?,
            Self::Not(inner) => complement(&inner.stretches(along)?, along.count),
            Self::And(parts) => {
                let [left, right] = parts.as_ref();
                intersection(&left.stretches(along)?, &right.stretches(along)?)
            }
        })
    }
}

/// Where lines are at least 0; `None` if one leaves `i64`.
fn at_least_zero(lines: &Lines) -> Option<Stretches> {
    let mut stretches: Stretches = vec![];
    for (line, end) in lines.with_ends() {
        line.at(end - 1)?;
        let (first, slope) = (i128::from(line.start), i128::from(line.slope));
        let count = i128::from(end - line.from);
        // first + slope · t ≥ 0
        let (from, to) = match slope {
            0 if first >= 0 => (0, count),
            0 => (0, 0),
            1.. => ((-first).div_euclid(slope) + i128::from((-first).rem_euclid(slope) > 0), count),
            _ => (0, first.div_euclid(-slope) + 1),
        };
        let (from, to) = (from.clamp(0, count), to.clamp(0, count));
        if from < to {
            let (from, to) = (line.from + from as u64, line.from + to as u64);
            match stretches.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => stretches.push((from, to)),
            }
        }
    }
    Some(stretches)
}

fn complement(stretches: &[(u64, u64)], count: u64) -> Stretches {
    let mut result = vec![];
    let mut at = 0;
    for &(from, to) in stretches {
        if at < from {
            result.push((at, from));
        }
        at = to;
    }
    if at < count {
        result.push((at, count));
    }
    result
}

fn intersection(left: &[(u64, u64)], right: &[(u64, u64)]) -> Stretches {
    let mut result = vec![];
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let (from, to) = (left[i].0.max(right[j].0), left[i].1.min(right[j].1));
        if from < to {
            result.push((from, to));
        }
        if left[i].1 < right[j].1 {
            i += 1;
        } else {
            j += 1;
        }
    }
    result
}
