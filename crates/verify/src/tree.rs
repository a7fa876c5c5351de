//! A parsed listing as data: what a certificate repeats of it, and what a checker needs.
//!
//! Statements are `["assign", scalar, value]`, `["store", site, array, indices, value, others, old, serial]`,
//! `["eval", values]`, `["for", range, body, breaks]`, `["parallel", ranges, body]`,
//! `["while", condition, body]` and `["if", condition, then, otherwise]`; a range is
//! `[scalar, from, to, downward, step]`. An expression is a number, `["par", k]`, `["var", k]`,
//! `["get", site, array, indices]`, `["let", scalar, value, body]`, `["if", condition, a, b]`,
//! `["and", a, b]`, an operation of whole numbers `["+", a, b]`, or `["f", …]`, of whose value nothing is
//! said.

use memory_machine_language::program::{
    Access, Array, Block, Expr, ExprKind, LoopRange, Program, Statement,
};
use memory_machine_language::syntax::{BinaryOp, Role, Type, UnaryOp};
use serde_json::{Value, json};

use crate::Refusal;

/// The listing. Where a layout is another order of dimensions, extents and indices are in that order.
///
/// # Errors
/// Loops on DMMs, other layouts, and accesses of several neighbours, of which no certificate speaks yet.
pub fn tree(program: &Program) -> Result<Value, Refusal> {
    let mut arrays = program.arrays.iter();
    if let Some(array) = arrays.find(|it| it.order_of_dimensions().is_none()) {
        let (name, line) = (&array.name, program.source.line(array.span));
        return Err(Refusal::new(format!(
            "line {line}: there are no certificates of layouts such as that of `{name}` yet"
        )));
    }
    if let Some(site) = program.sites.iter().find(|it| it.vector.is_some()) {
        let line = program.source.line(site.span);
        return Err(Refusal::new(format!(
            "line {line}: there are no certificates of accesses of several neighbours yet"
        )));
    }
    let body = block(program, &program.body)?;
    let extents = |it: &Array| in_order(program, it, &it.extents);
    let names = |it: &mut dyn Iterator<Item = &String>| -> Value { it.cloned().collect() };
    Ok(json!({
        "parameters": names(&mut program.parameters.iter().map(|it| &it.name)),
        "scalars": names(&mut program.scalars.iter().map(|it| &it.name)),
        "arrays": program.arrays.iter().map(extents).collect::<Value>(),
        "body": body,
    }))
}

/// What there is of each dimension, from the slowest to the fastest.
fn in_order(program: &Program, array: &Array, of: &[Expr]) -> Value {
    let order = array.order_of_dimensions().unwrap_or_default();
    order.into_iter().map(|at| expression(program, &of[at])).collect()
}

fn block(program: &Program, of: &Block) -> Result<Vec<Value>, Refusal> {
    let mut all = vec![];
    for statement in of {
        match statement {
            Statement::Labelled { body, .. } => all.extend(block(program, body)?),
            Statement::Fork { branches, .. } => {
                for branch in branches {
                    all.extend(block(program, branch)?);
                }
            }
            _ => all.push(one(program, statement)?),
        }
    }
    Ok(all)
}

fn one(program: &Program, of: &Statement) -> Result<Value, Refusal> {
    let value = |it: &Expr| expression(program, it);
    let values = |it: &[Expr]| it.iter().map(value).collect::<Value>();
    Ok(match of {
        Statement::Assign { target, value: it, .. } => json!(["assign", target.0, value(it)]),
        Statement::Store { access, value: it, atomic, .. } => {
            let compare = atomic.as_ref().and_then(|it| it.compare.as_ref());
            let others: Value = compare.into_iter().map(value).collect();
            let old = atomic.as_ref().and_then(|it| it.old).map(|it| it.0);
            if is_register(program, access) {
                json!(["eval", [value(it), others, values(&access.indices)], old])
            } else {
                let site = program.sites[access.site.0].atomic;
                let serial = site.is_some_and(|it| it.is_serial);
                let array = &program.arrays[access.array.0];
                let indices = in_order(program, array, &access.indices);
                json!([
                    "store",
                    access.site.0,
                    access.array.0,
                    indices,
                    value(it),
                    others,
                    old,
                    serial
                ])
            }
        }
        Statement::For(it) => {
            let breaks = it.while_true.is_some();
            json!(["for", range(program, &it.range), block(program, &it.body)?, breaks])
        }
        Statement::Parallel(it) => {
            let ranges: Value = it.ranges.iter().map(|it| range(program, it)).collect();
            json!(["parallel", ranges, block(program, &it.body)?])
        }
        Statement::While { condition, body, .. } => {
            json!(["while", value(condition), block(program, body)?])
        }
        Statement::If { condition, then, otherwise, .. } => {
            json!(["if", value(condition), block(program, then)?, block(program, otherwise)?])
        }
        Statement::Labelled { .. } | Statement::Fork { .. } => json!(null),
        Statement::Blocks(it) => {
            let line = program.source.line(it.span);
            return Err(Refusal::new(format!(
                "line {line}: there are no certificates of loops on DMMs yet"
            )));
        }
    })
}

fn range(program: &Program, of: &LoopRange) -> Value {
    let value = |it: &Expr| expression(program, it);
    let step = of.step.as_ref().map(value);
    json!([of.variable.0, value(&of.from), value(&of.to), of.downward, step])
}

fn is_register(program: &Program, access: &Access) -> bool {
    program.arrays[access.array.0].role == Role::Register
}

fn expression(program: &Program, of: &Expr) -> Value {
    let value = |it: &Expr| expression(program, it);
    let is_whole = of.element == Type::I64;
    match &of.kind {
        ExprKind::Integer(it) if is_whole => json!(it),
        ExprKind::Parameter(it) => json!(["par", it.0]),
        ExprKind::Scalar(it) if is_whole => json!(["var", it.0]),
        ExprKind::Element(it) if !is_register(program, it) => {
            let indices = in_order(program, &program.arrays[it.array.0], &it.indices);
            json!(["get", it.site.0, it.array.0, indices])
        }
        ExprKind::Unary(UnaryOp::Negate, it) if is_whole => json!(["-", 0, value(it)]),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let word = if *op == BinaryOp::And { "and" } else { "or" };
            json!([word, value(left), value(right)])
        }
        ExprKind::Binary(op, left, right)
            if left.element == Type::I64 && right.element == Type::I64 =>
        {
            json!([sign(*op), value(left), value(right)])
        }
        ExprKind::Conditional(it) => json!(["if", value(&it[0]), value(&it[1]), value(&it[2])]),
        ExprKind::Let(scalar, it) => json!(["let", scalar.0, value(&it[0]), value(&it[1])]),
        _ => {
            let operands = of.operands().map(value);
            std::iter::once(json!("f")).chain(operands).collect()
        }
    }
}

const fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "mod",
        BinaryOp::Min => "min",
        BinaryOp::Max => "max",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        _ => "f",
    }
}

/// The scalars in an expression, from left to right.
pub(crate) fn scalars(of: &Value) -> Vec<Value> {
    match (of[0].as_str(), of.as_array()) {
        (Some("var"), _) => vec![of[1].clone()],
        (_, Some(parts)) => parts.iter().flat_map(scalars).collect(),
        _ => vec![],
    }
}

/// What a nested minimum or maximum is of.
pub(crate) fn parts<'a>(of: &'a Value, op: &str) -> Vec<&'a Value> {
    if of[0] == json!(op) { [parts(&of[1], op), parts(&of[2], op)].concat() } else { vec![of] }
}
