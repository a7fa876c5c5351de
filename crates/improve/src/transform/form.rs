//! Affine expressions of a listing's text, and the bounds of loops from what holds of their variables.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::syntax::{BinaryOp, ExprNode, ExprNodeKind, UnaryOp};

use crate::check::Linear;
use crate::integers::{Affine, System};

/// `Σ factor · name + constant`; no factor is 0.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(crate) struct Form {
    pub(crate) terms: BTreeMap<String, i64>,
    pub(crate) constant: i64,
}

pub(crate) fn node(kind: ExprNodeKind) -> ExprNode {
    ExprNode { kind, span: Span::default() }
}

pub(crate) fn number(value: i64) -> ExprNode {
    let magnitude = node(ExprNodeKind::Integer(value.unsigned_abs()));
    if value < 0 {
        node(ExprNodeKind::Unary(UnaryOp::Negate, Box::new(magnitude)))
    } else {
        magnitude
    }
}

pub(crate) fn name(text: &str) -> ExprNode {
    node(ExprNodeKind::Name(text.to_owned()))
}

pub(crate) fn binary(op: BinaryOp, left: ExprNode, right: ExprNode) -> ExprNode {
    node(ExprNodeKind::Binary(op, Box::new(left), Box::new(right)))
}

impl Form {
    pub(crate) fn name(of: &str) -> Self {
        Self { terms: BTreeMap::from([(of.to_owned(), 1)]), constant: 0 }
    }

    pub(crate) fn number(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    /// `self + by · other`.
    pub(crate) fn plus(&self, other: &Self, by: i64) -> Self {
        let mut sum = self.clone();
        sum.constant = sum.constant.wrapping_add(other.constant.wrapping_mul(by));
        for (name, factor) in &other.terms {
            let term = sum.terms.entry(name.clone()).or_default();
            *term = term.wrapping_add(factor.wrapping_mul(by));
            if *term == 0 {
                sum.terms.remove(name);
            }
        }
        sum
    }

    /// The form of an expression over these names.
    pub(crate) fn of(expr: &ExprNode, names: &BTreeSet<String>) -> Option<Self> {
        match &expr.kind {
            ExprNodeKind::Integer(value) => Some(Self::number(i64::try_from(*value).ok()?)),
            ExprNodeKind::Name(name) if names.contains(name) => Some(Self::name(name)),
            ExprNodeKind::Unary(UnaryOp::Negate, of) => {
                Some(Self::default().plus(&Self::of(of, names)?, -1))
            }
            ExprNodeKind::Binary(op, left, right) => {
                let (left, right) = (Self::of(left, names)?, Self::of(right, names)?);
                match op {
                    BinaryOp::Add => Some(left.plus(&right, 1)),
                    BinaryOp::Subtract => Some(left.plus(&right, -1)),
                    BinaryOp::Multiply if left.terms.is_empty() => {
                        Some(Self::default().plus(&right, left.constant))
                    }
                    BinaryOp::Multiply if right.terms.is_empty() => {
                        Some(Self::default().plus(&left, right.constant))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// As a person writes it: what is added first.
    pub(crate) fn expr(&self) -> ExprNode {
        let mut terms: Vec<(&String, i64)> = self.terms.iter().map(|it| (it.0, *it.1)).collect();
        terms.sort_by_key(|it| it.1 < 0);
        let mut sum: Option<ExprNode> = None;
        for (of, factor) in terms {
            let magnitude = factor.unsigned_abs();
            let term = match magnitude {
                1 => name(of),
                _ => binary(BinaryOp::Multiply, node(ExprNodeKind::Integer(magnitude)), name(of)),
            };
            sum = Some(match (sum, factor < 0) {
                (None, false) => term,
                (None, true) => node(ExprNodeKind::Unary(UnaryOp::Negate, Box::new(term))),
                (Some(sum), false) => binary(BinaryOp::Add, sum, term),
                (Some(sum), true) => binary(BinaryOp::Subtract, sum, term),
            });
        }
        let rest = node(ExprNodeKind::Integer(self.constant.unsigned_abs()));
        match sum {
            None => number(self.constant),
            Some(sum) if self.constant == 0 => sum,
            Some(sum) if self.constant > 0 => binary(BinaryOp::Add, sum, rest),
            Some(sum) => binary(BinaryOp::Subtract, sum, rest),
        }
    }

    /// As certificates have it.
    pub(crate) fn linear(&self, by: i64) -> Linear {
        Linear { terms: self.terms.clone(), constant: self.constant, by }
    }

    /// With a form in the place of a name.
    pub(crate) fn substitute(&self, of: &str, value: &Self) -> Self {
        let Some(factor) = self.terms.get(of) else { return self.clone() };
        let mut rest = self.clone();
        rest.terms.remove(of);
        rest.plus(value, *factor)
    }
}

/// The operands of nested minima (or maxima) as forms, with what is added to them all.
pub(crate) fn operands(
    expr: &ExprNode,
    joined: BinaryOp,
    names: &BTreeSet<String>,
) -> Option<Vec<Form>> {
    if let ExprNodeKind::Binary(op, left, right) = &expr.kind {
        if *op == joined {
            return Some(
                [operands(left, joined, names)?, operands(right, joined, names)?].concat(),
            );
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Subtract) {
            let by = if *op == BinaryOp::Add { 1 } else { -1 };
            let right = Form::of(right, names)?;
            let all = operands(left, joined, names)?;
            return Some(all.iter().map(|it| it.plus(&right, by)).collect());
        }
    }
    Some(vec![Form::of(expr, names)?])
}

/// The least (or the greatest) of expressions.
pub(crate) fn joined(op: BinaryOp, forms: &[Form]) -> Option<ExprNode> {
    forms.iter().map(Form::expr).reduce(|all, it| binary(op, all, it))
}

/// The lower and upper bounds of a variable of which sums must be at least 0, if its factors are 1.
pub(crate) fn bounds(of: &str, least: &[Form]) -> Option<[Vec<Form>; 2]> {
    let [mut lows, mut highs] = [vec![], vec![]];
    for it in least {
        let mut rest = it.clone();
        match rest.terms.remove(of) {
            None => {}
            Some(1) => lows.push(Form::default().plus(&rest, -1)),
            Some(-1) => highs.push(rest),
            Some(_) => return None,
        }
    }
    Some([lows, highs])
}

/// Whether a sum of names is at least 0 wherever others are.
pub(crate) fn follows(least: &[Form], one: &Form) -> bool {
    let names: Vec<&String> = least.iter().chain([one]).flat_map(|it| it.terms.keys()).collect();
    let of = |it: &Form| {
        let number = |name: &String| names.iter().position(|it| *it == name).unwrap_or_default();
        let terms = it.terms.iter().map(|(name, by)| (number(name) as u32, i128::from(*by)));
        Affine { terms: terms.collect(), constant: i128::from(it.constant) }
    };
    let known = System { least: least.iter().map(of).collect(), ..System::default() };
    known.implies(&System { least: vec![of(one)], ..System::default() })
}
