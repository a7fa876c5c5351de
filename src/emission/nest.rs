//! Parallel nests: how many iterations there are, and which one a thread's number means.

use super::expression::{Expressions, is_word};
use super::names::{Names, Scalars};
use super::statement::{Lines, Place, Statements, is_fixed};
use crate::language::program::{Expr, ExprKind, Nest, Range, ScalarId};
use crate::language::syntax::{BinaryOp, UnaryOp};
use crate::run::layout;
use crate::run::odometer::{Odometer, Wheel};

/// How the iterations of a nest are numbered, in lexicographic order.
pub(super) enum Shape<'a> {
    /// No loop's bounds depend on another's variable: the number's digits are the variables.
    Box,
    /// Two loops; row `k` of the outer has as many iterations as the least of one or two lines in
    /// `k`, so that sums of rows have a formula.
    Rows(Vec<Line<'a>>),
    /// Anything else: rows are counted one by one.
    Walk,
}

/// `upper − lower + 1` iterations, which grow by `slope` from row to row.
pub(super) struct Line<'a> {
    upper: &'a Expr,
    lower: &'a Expr,
    slope: i64,
}

impl<'a> Shape<'a> {
    pub(super) fn of(nest: &'a Nest) -> Self {
        let variables: Vec<ScalarId> = nest.ranges.iter().map(|range| range.variable).collect();
        let fixed = |range: &Range| {
            range.bounds().all(|it| is_fixed(it, |scalar| variables.contains(&scalar)))
        };
        let inner = &nest.ranges[1..];
        if inner.iter().all(fixed) {
            return Self::Box;
        }
        lines(nest).map_or(Self::Walk, Self::Rows)
    }
}

/// The lines whose least is a row's length, steepest first.
fn lines(nest: &Nest) -> Option<Vec<Line<'_>>> {
    let [outer, inner] = &nest.ranges[..] else { return None };
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
            lines.push(Line { upper, lower, slope: slope.checked_mul(step)? });
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

/// The length of a loop as C++.
fn length(range: &Range, expressions: &mut Expressions<'_>) -> String {
    let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
    let (low, high) = if range.downward { (to, from) } else { (from, to) };
    let step = range.step.as_ref().map_or("1".to_owned(), |step| expressions.plain(step));
    format!("loop_length({low}, {high}, {step})")
}

/// Declares a loop's variable, if it is used, after `passed` of its iterations.
fn variable(range: &Range, passed: &str, statements: &mut Statements<'_>) {
    if !statements.used.contains(range.variable) {
        return;
    }
    let expressions = &mut statements.expressions;
    let name = expressions.names.scalar(range.variable).to_owned();
    let from = expressions.term(&range.from);
    let sign = if range.downward { '-' } else { '+' };
    let passed = match &range.step {
        None => passed.to_owned(),
        Some(step) => format!("{passed} * {}", expressions.factor(step)),
    };
    statements.lines.line(&match (from.as_str(), sign) {
        ("0", '+') => format!("const long long {name} = {passed};"),
        _ => format!("const long long {name} = {from} {sign} {passed};"),
    });
}

/// Declares `iterations`, and what finding one needs. Nothing for a walk.
pub(super) fn count(
    nest: &Nest,
    shape: &Shape<'_>,
    lines: &mut Lines,
    expressions: &mut Expressions<'_>,
) {
    match shape {
        Shape::Walk => {}
        Shape::Box => {
            let mut product = vec![];
            for range in &nest.ranges {
                let length = length(range, expressions);
                if nest.ranges.len() == 1 {
                    product.push(length);
                } else {
                    let name = format!("{}length", expressions.names.scalar(range.variable));
                    lines.line(&format!("const long long {name} = {length};"));
                    product.push(name);
                }
            }
            lines.line(&format!("const long long iterations = {};", product.join(" * ")));
        }
        Shape::Rows(found) => {
            let outer = &nest.ranges[0];
            let rows = length(outer, expressions);
            lines.line(&format!("const long long rows = {rows};"));
            // Lengths of row 0: the outer variable stands where its loop begins.
            let first = expressions.plain(&outer.from);
            expressions.instead.insert(outer.variable, first);
            let starts: Vec<String> = found
                .iter()
                .map(|line| {
                    let upper = expressions.term(line.upper);
                    let lower = expressions.plain(line.lower);
                    let lower = if is_word(&lower) { lower } else { format!("({lower})") };
                    format!("{upper} - {lower} + 1")
                })
                .collect();
            expressions.instead.clear();
            if let ([start], [line]) = (&starts[..], &found[..]) {
                lines.line("// before(k): the iterations of the rows before row k.");
                lines.line(&format!("const long long length_0 = {start};"));
                lines.line(&format!(
                    "const auto before = [=](long long k) {{ return series<{}>(length_0, 0, k); }};",
                    line.slope
                ));
            } else if let ([start, other], [line, flatter]) = (&starts[..], &found[..]) {
                lines.line("// before(k): the iterations of the rows before row k. A row has the lesser of");
                lines.line("// two lengths; up to row `turn` that is the first.");
                lines.line(&format!("const long long length_0 = {start};"));
                lines.line(&format!("const long long length_1 = {other};"));
                let steeper = line.slope - flatter.slope;
                let apart = match steeper {
                    1 => "length_1 - length_0".to_owned(),
                    _ => format!("floor_divide(length_1 - length_0, {steeper}LL)"),
                };
                lines.line(&format!(
                    "const long long turn = least(greatest({apart} + 1, 0LL), rows);"
                ));
                lines.open("const auto before = [=](long long k) {");
                lines.line(&format!(
                    "return series<{}>(length_0, 0, least(k, turn)) + series<{}>(length_1, least(k, turn), k);",
                    line.slope, flatter.slope
                ));
                lines.close("};");
            }
            lines.line("const long long iterations = before(rows);");
        }
    }
}

/// The loop in which a thread executes its share of a nest.
pub(super) fn body(nest: &Nest, shape: &Shape<'_>, statements: &mut Statements<'_>) {
    let last = nest.ranges.len() - 1;
    if let Shape::Walk = shape {
        statements.lines.line("// The rows' lengths have no formula: they are counted one by one.");
        statements.lines.line("long long passed = 0, number = first;");
        for range in &nest.ranges[..last] {
            let header = header(range, &mut statements.expressions);
            statements.lines.open(&format!("for ({header}) {{"));
        }
        // Bounds once a row: they may hold divisions.
        let inner = &nest.ranges[last];
        let name = statements.expressions.names.scalar(inner.variable).to_owned();
        for (suffix, bound) in [("from", &inner.from), ("last", &inner.to)] {
            let bound = statements.expressions.plain(bound);
            statements.lines.line(&format!("const long long {name}{suffix} = {bound};"));
        }
        let step = inner.step.as_ref().map(|step| statements.expressions.factor(step));
        let (from, to) = (format!("{name}from"), format!("{name}last"));
        let (low, high) = if inner.downward { (&to, &from) } else { (&from, &to) };
        let by = step.clone().unwrap_or_else(|| "1".to_owned());
        statements.lines.line(&format!("const long long row = loop_length({low}, {high}, {by});"));
        statements.lines.open("for (; number < passed + row; number += stride) {");
        let sign = if inner.downward { '-' } else { '+' };
        let times = step.map_or_else(String::new, |step| format!(" * {step}"));
        if statements.used.contains(inner.variable) {
            statements
                .lines
                .line(&format!("const long long {name} = {from} {sign} (number - passed){times};"));
        }
        finish(nest, statements);
        statements.lines.line("passed += row;");
        for _ in 0..last {
            statements.lines.close("}");
        }
        return;
    }
    statements
        .lines
        .open("for (long long number = first; number < iterations; number += stride) {");
    match shape {
        Shape::Rows(_) => {
            statements.lines.line("const long long row = row_of(before, rows, number);");
            for (range, passed) in nest.ranges.iter().zip(["row", "(number - before(row))"]) {
                variable(range, passed, statements);
            }
        }
        _ if last == 0 => {
            variable(&nest.ranges[0], "number", statements);
        }
        _ => {
            // From the innermost digit to the outermost.
            let mut rest = "number".to_owned();
            for depth in (1..=last).rev() {
                let range = &nest.ranges[depth];
                let name = statements.expressions.names.scalar(range.variable).to_owned();
                let above = if depth == 1 { "row".to_owned() } else { format!("rest_{depth}") };
                statements
                    .lines
                    .line(&format!("const long long {above} = quotient({rest}, {name}length);"));
                let digit = format!("({rest} - {above} * {name}length)");
                variable(range, &digit, statements);
                rest = above;
            }
            variable(&nest.ranges[0], "row", statements);
        }
    }
    finish(nest, statements);
}

fn header(range: &Range, expressions: &mut Expressions<'_>) -> String {
    let name = expressions.names.scalar(range.variable).to_owned();
    let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
    let step = range.step.as_ref().map_or("1".to_owned(), |step| expressions.plain(step));
    let (compare, sign) = if range.downward { (">=", "-") } else { ("<=", "+") };
    format!("long long {name} = {from}; {name} {compare} {to}; {name} {sign}= {step}")
}

fn finish(nest: &Nest, statements: &mut Statements<'_>) {
    statements.declare(&nest.body);
    let place = std::mem::replace(&mut statements.place, Place::Thread);
    statements.block(&nest.body);
    statements.place = place;
    statements.lines.close("}");
}

/// The scalars from outside that a nest reads, in the order of its text.
pub(super) fn captured(nest: &Nest) -> Vec<ScalarId> {
    let scalars = Scalars::of_nest(nest);
    scalars.others.iter().copied().filter(|&it| !scalars.assigned.contains(it)).collect()
}

/// The nest as the listing has it, for a comment.
pub(super) fn describe(nest: &Nest, names: &Names, expressions: &mut Expressions<'_>) -> String {
    let loops = nest.ranges.iter().map(|range| {
        let name = names.scalar(range.variable);
        let [from, to] = [&range.from, &range.to].map(|it| expressions.plain(it));
        let word = if range.downward { "downto" } else { "to" };
        format!("for {name} from {from} {word} {to}")
    });
    loops.collect::<Vec<_>>().join(", ") + " in parallel"
}

/// Whether each thread of a nest counts all rows to find its iterations, so that no more threads
/// should be launched than the device holds.
pub fn is_walked(nest: &Nest) -> bool {
    matches!(Shape::of(nest), Shape::Walk)
}

/// The number of a nest's iterations for given parameters and outer scalars; `None` where bounds
/// read memory or overflow. `O(1)` but for walks, which take `O(rows)`.
pub fn iterations(
    nest: &Nest,
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<u64> {
    let value = |expr: &Expr, known: &dyn Fn(ScalarId) -> Option<i64>| {
        layout::integer(expr, parameters, known)
    };
    let length = |range: &Range| i64::try_from(wheel(range, parameters, scalars)?.count).ok();
    let total = match Shape::of(nest) {
        Shape::Box => nest
            .ranges
            .iter()
            .try_fold(1_i64, |product, range| product.checked_mul(length(range)?))?,
        Shape::Rows(lines) => {
            let outer = &nest.ranges[0];
            let rows = length(outer)?;
            let first = value(&outer.from, scalars)?;
            let known = |it| if it == outer.variable { Some(first) } else { scalars(it) };
            let start =
                |line: &Line| Some(value(line.upper, &known)? - value(line.lower, &known)? + 1);
            let (line, next) = (&lines[0], lines.get(1));
            match next {
                None => series(line.slope, start(line)?, 0, rows)?,
                Some(next) => {
                    let (a, b) = (start(line)?, start(next)?);
                    let turn = layout::floor_divide(b - a, line.slope - next.slope)? + 1;
                    let turn = turn.clamp(0, rows);
                    series(line.slope, a, 0, turn)? + series(next.slope, b, turn, rows)?
                }
            }
        }
        Shape::Walk => walk(nest, parameters, scalars)?,
    };
    u64::try_from(total).ok()
}

/// The values of a loop; `None` too where their difference, which the device computes, overflows.
fn wheel(
    range: &Range,
    parameters: &[i64],
    scalars: &dyn Fn(ScalarId) -> Option<i64>,
) -> Option<Wheel> {
    let value = |expr| layout::integer(expr, parameters, scalars);
    let (from, to) = (value(&range.from)?, value(&range.to)?);
    let step = range.step.as_ref().map_or(Some(1), value).filter(|&step| step >= 1)?;
    let wheel = Wheel::new(from, to, step, range.downward);
    (wheel.count == 0 || i64::try_from(from.abs_diff(to)).is_ok()).then_some(wheel)
}

fn walk(nest: &Nest, parameters: &[i64], scalars: &dyn Fn(ScalarId) -> Option<i64>) -> Option<i64> {
    let begin = |outer: &[Wheel]| {
        let known = |scalar| {
            let variable = nest.ranges.iter().zip(outer).find(|(it, _)| it.variable == scalar);
            variable.map_or_else(|| scalars(scalar), |(_, wheel)| Some(wheel.value))
        };
        wheel(&nest.ranges[outer.len()], parameters, &known).ok_or(())
    };
    let mut rows = Odometer::new(nest.ranges.len(), begin).ok()?;
    let mut total = 0_u64;
    while let Some((&row, _)) = rows.row() {
        total = total.checked_add(row.count)?;
        rows.pass(row.count, begin).ok()?;
    }
    i64::try_from(total).ok()
}

/// `Σ max(0, length + slope · k)` over `from ≤ k < to`.
fn series(slope: i64, length: i64, mut from: i64, mut to: i64) -> Option<i64> {
    match slope {
        0 if length <= 0 => return Some(0),
        0 => {}
        1.. => from = from.max(-layout::floor_divide(length, slope)?),
        _ => to = to.min(layout::floor_divide(length, -slope)? + 1),
    }
    if to <= from {
        return Some(0);
    }
    let ends = i128::from(length) * 2 + i128::from(slope) * i128::from(from + to - 1);
    i64::try_from(i128::from(to - from) * ends / 2).ok()
}
