//! Integer expressions over scalars, affine where possible: addresses, bounds and conditions as
//! the counter sees them, before and after the outer scalars are known.

use crate::language::program::{Expr, ExprKind, ScalarId};
use crate::language::syntax::{BinaryOp, Type, UnaryOp};
use crate::run::layout::checked as apply;

/// Scalars' values by [`ScalarId`]; those that a skeleton mentions are set when it is used.
pub(super) type Scalars = Vec<i64>;

/// An integer expression over scalars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// `constant + Σ slope · scalar`, scalars ascending, no slope 0.
    Affine(Affine),
    /// Anything else that integers allow.
    Operation(BinaryOp, Box<[Form; 2]>),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Affine {
    pub(super) constant: i64,
    pub(super) slopes: Vec<(ScalarId, i64)>,
}

impl Form {
    pub(super) const fn constant(constant: i64) -> Self {
        Self::Affine(Affine { constant, slopes: vec![] })
    }

    pub(super) fn scalar(scalar: ScalarId) -> Self {
        Self::Affine(Affine { constant: 0, slopes: vec![(scalar, 1)] })
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        match self {
            Self::Affine(affine) if affine.slopes.is_empty() => Some(affine.constant),
            _ => None,
        }
    }

    pub(super) const fn is_affine(&self) -> bool {
        matches!(self, Self::Affine(_))
    }

    /// Whether it is a constant, or a scalar and at most 2³² more or less: what does not wrap but for
    /// scalars as near to the ends of `i64`.
    pub(super) fn is_near_a_scalar(&self) -> bool {
        match self {
            Self::Affine(Affine { slopes, constant }) => match slopes[..] {
                [] => true,
                [(_, slope)] => slope.abs() <= 1 && constant.unsigned_abs() <= 1 << 32,
                _ => false,
            },
            Self::Operation(..) => false,
        }
    }

    /// `left op right`, folded as far as it goes; `None` on overflow, division by zero, or an
    /// operator without integer result.
    pub(super) fn combine(op: BinaryOp, left: Self, right: Self) -> Option<Self> {
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return apply(op, left, right).map(Self::constant);
        }
        let (left, right) = match (op, left, right) {
            (BinaryOp::Add, Self::Affine(left), Self::Affine(right)) => {
                return left.plus(&right, 1).map(Self::Affine);
            }
            (BinaryOp::Subtract, Self::Affine(left), Self::Affine(right)) => {
                return left.plus(&right, -1).map(Self::Affine);
            }
            (BinaryOp::Multiply, Self::Affine(affine), other)
            | (BinaryOp::Multiply, other, Self::Affine(affine))
                if other.as_constant().is_some() =>
            {
                return affine.times(other.as_constant()?).map(Self::Affine);
            }
            (_, left, right) => (left, right),
        };
        is_integer_operator(op).then(|| Self::Operation(op, Box::new([left, right])))
    }

    /// How much the form grows when `scalar` grows by one, if that is the same everywhere.
    pub(super) fn slope(&self, scalar: ScalarId) -> Option<i64> {
        match self {
            Self::Affine(affine) => Some(affine.slope(scalar)),
            Self::Operation(op, parts) => {
                let [left, right] = parts.each_ref().map(|part| part.slope(scalar));
                match (op, left?, right?) {
                    (BinaryOp::Add, left, right) => left.checked_add(right),
                    (BinaryOp::Subtract, left, right) => left.checked_sub(right),
                    (_, 0, 0) => Some(0),
                    _ => None,
                }
            }
        }
    }

    pub(super) fn mentions(&self, scalar: ScalarId) -> bool {
        match self {
            Self::Affine(affine) => affine.slope(scalar) != 0,
            Self::Operation(_, parts) => parts.iter().any(|part| part.mentions(scalar)),
        }
    }

    /// The form with known scalars replaced by their values; `None` on overflow or division by
    /// zero.
    pub(super) fn specialise(&self, known: &impl Fn(ScalarId) -> Option<Self>) -> Option<Self> {
        match self {
            Self::Affine(affine) => {
                let mut result = Self::constant(affine.constant);
                for &(scalar, slope) in &affine.slopes {
                    let value = known(scalar).unwrap_or_else(|| Self::scalar(scalar));
                    let term = Self::combine(BinaryOp::Multiply, value, Self::constant(slope))?;
                    result = Self::combine(BinaryOp::Add, result, term)?;
                }
                Some(result)
            }
            Self::Operation(op, parts) => {
                let [left, right] = parts.as_ref();
                Self::combine(*op, left.specialise(known)?, right.specialise(known)?)
            }
        }
    }

    /// The value where every scalar is known.
    #[inline]
    pub(super) fn value(&self, scalars: &impl Fn(ScalarId) -> i64) -> Option<i64> {
        match self {
            Self::Affine(affine) => {
                affine.slopes.iter().try_fold(affine.constant, |sum, &(scalar, slope)| {
                    sum.checked_add(slope.checked_mul(scalars(scalar))?)
                })
            }
            Self::Operation(op, parts) => {
                let [left, right] = parts.as_ref();
                apply(*op, left.value(scalars)?, right.value(scalars)?)
            }
        }
    }
}

impl Affine {
    pub(super) fn slope(&self, scalar: ScalarId) -> i64 {
        self.slopes.iter().find(|(it, _)| *it == scalar).map_or(0, |&(_, slope)| slope)
    }

    /// `self + factor · other`.
    fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for &(scalar, slope) in &other.slopes {
            let slope = slope.checked_mul(factor)?;
            match self.slopes.binary_search_by_key(&scalar, |&(it, _)| it) {
                Ok(at) => {
                    self.slopes[at].1 = self.slopes[at].1.checked_add(slope)?;
                    if self.slopes[at].1 == 0 {
                        self.slopes.remove(at);
                    }
                }
                Err(at) => self.slopes.insert(at, (scalar, slope)),
            }
        }
        Some(self)
    }

    fn times(mut self, factor: i64) -> Option<Self> {
        if factor == 0 {
            return Some(Self::default());
        }
        self.constant = self.constant.checked_mul(factor)?;
        for (_, slope) in &mut self.slopes {
            *slope = slope.checked_mul(factor)?;
        }
        Some(self)
    }
}

const fn is_integer_operator(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::Min
            | BinaryOp::Max
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
    )
}

/// The form of an i64 expression without array references; `scalar` gives the form of a scalar.
pub(super) fn form(
    expr: &Expr,
    parameters: &[i64],
    scalar: &impl Fn(ScalarId) -> Option<Form>,
) -> Option<Form> {
    if expr.element != Type::I64 {
        return None;
    }
    match &expr.kind {
        ExprKind::Integer(value) => Some(Form::constant(*value)),
        ExprKind::Parameter(parameter) => Some(Form::constant(parameters[parameter.0])),
        ExprKind::Scalar(id) => scalar(*id),
        ExprKind::Unary(UnaryOp::Negate, operand) => {
            let operand = form(operand, parameters, scalar)?;
            Form::combine(BinaryOp::Multiply, operand, Form::constant(-1))
        }
        ExprKind::Unary(UnaryOp::Abs, operand) => {
            let operand = form(operand, parameters, scalar)?;
            let negated = Form::combine(BinaryOp::Multiply, operand.clone(), Form::constant(-1))?;
            Form::combine(BinaryOp::Max, operand, negated)
        }
        ExprKind::Binary(op, left, right) => {
            let left = form(left, parameters, scalar)?;
            Form::combine(*op, left, form(right, parameters, scalar)?)
        }
        _ => None,
    }
}
