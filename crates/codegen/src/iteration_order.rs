//! In which order a nest has its iterations, as far as the text of its bounds tells.

use memory_machine_core::language::program::{Expr, ExprKind, LoopRange, ScalarId};
use memory_machine_core::language::syntax::{BinaryOp, UnaryOp};

/// How the iterations of a nest are numbered, in lexicographic order.
pub(super) enum IterationOrder<'a> {
    /// No loop's bounds depend on another's variable: the number's digits are the variables.
    Box,
    /// Two loops; row `k` of the outer has as many iterations as the least of one or two lines in
    /// `k`, so that sums of rows have a formula.
    Rows(Vec<RowLength<'a>>),
    /// Anything else: rows are counted one by one.
    Walk,
}

/// `upper − lower + 1` iterations, which grow by `slope` from row to row.
pub(super) struct RowLength<'a> {
    pub(super) upper: &'a Expr,
    pub(super) lower: &'a Expr,
    pub(super) slope: i64,
}

impl<'a> IterationOrder<'a> {
    pub(super) fn of(ranges: &'a [LoopRange]) -> Self {
        let variables: Vec<ScalarId> = ranges.iter().map(|range| range.variable).collect();
        let fixed = |range: &LoopRange| {
            range.bounds().all(|it| is_fixed(it, |scalar| variables.contains(&scalar)))
        };
        if ranges.iter().skip(1).all(fixed) {
            return Self::Box;
        }
        lines(ranges).map_or(Self::Walk, Self::Rows)
    }
}

/// The lines whose least is a row's length, steepest first.
fn lines(ranges: &[LoopRange]) -> Option<Vec<RowLength<'_>>> {
    let [outer, inner] = ranges else { return None };
    let step = match outer.step.as_ref().map(|step| &step.kind) {
        None => 1,
        Some(ExprKind::Integer(step)) if *step > 0 => *step,
        _ => return None,
    };
    if inner.step.is_some() {
        return None;
    }
    let step = if outer.downward { -step } else { step };
    let (upper, lower) =
        if inner.downward { (&inner.from, &inner.to) } else { (&inner.to, &inner.from) };
    let mut lines = vec![];
    for upper in alternatives(upper, BinaryOp::Min) {
        for lower in alternatives(lower, BinaryOp::Max) {
            let slope = slope(upper, outer.variable)? - slope(lower, outer.variable)?;
            lines.push(RowLength { upper, lower, slope: slope.checked_mul(step)? });
        }
    }
    lines.sort_by_key(|line| -line.slope);
    let distinct = lines.windows(2).all(|pair| pair[0].slope > pair[1].slope);
    (lines.len() <= 2 && distinct).then_some(lines)
}

fn alternatives(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(it, left, right) if *it == op => {
            [alternatives(left, op), alternatives(right, op)].concat()
        }
        _ => vec![expr],
    }
}

/// How much an expression grows when `variable` grows by one, if that is a known number.
fn slope(expr: &Expr, variable: ScalarId) -> Option<i64> {
    if is_fixed(expr, |it| it == variable) {
        return Some(0);
    }
    match &expr.kind {
        ExprKind::Scalar(_) => Some(1),
        ExprKind::Unary(UnaryOp::Negate, operand) => slope(operand, variable)?.checked_neg(),
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            slope(left, variable)?.checked_add(slope(right, variable)?)
        }
        ExprKind::Binary(BinaryOp::Subtract, left, right) => {
            slope(left, variable)?.checked_sub(slope(right, variable)?)
        }
        ExprKind::Binary(BinaryOp::Multiply, left, right) => match (&left.kind, &right.kind) {
            (ExprKind::Integer(by), _) => slope(right, variable)?.checked_mul(*by),
            (_, ExprKind::Integer(by)) => slope(left, variable)?.checked_mul(*by),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression has one value as long as these scalars alone change.
pub(super) fn is_fixed(expr: &Expr, changes: impl Fn(ScalarId) -> bool) -> bool {
    expr.parts().all(|it| match &it.kind {
        ExprKind::Scalar(scalar) => !changes(*scalar),
        ExprKind::Element(_) | ExprKind::Let(..) => false,
        _ => true,
    })
}
