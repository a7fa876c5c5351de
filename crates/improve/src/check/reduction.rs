//! A sequential loop that joins values into one scalar becomes a tree: partial results in parallel, then
//! joined in pairs. Legal if the operation is associative and commutative on the scalar's type, and what
//! is joined does not need the scalar. Of floats it is not, bit by bit.

use std::collections::BTreeSet;

use memory_machine_core::language;
use memory_machine_core::language::program::{ExprKind, Program, Statement};
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Name, Order,
    Role, StatementKind, StatementNode, Type,
};

use super::certificate::{Reduction, Refusal};
use super::leaves::within;

/// The loop `for i ← … do s ← s ⊕ e`.
struct Join<'a> {
    of: &'a ForNode,
    scalar: &'a str,
    op: BinaryOp,
    joined: &'a ExprNode,
}

/// The statements of a block.
fn block<'a>(listing: &'a Listing, path: &[usize]) -> Option<&'a [StatementNode]> {
    let mut block = &listing.body[..];
    for step in path {
        block = match &block.get(*step)?.kind {
            StatementKind::For(it) if it.order == Order::InTurn => &it.body,
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            _ => return None,
        };
    }
    Some(block)
}

fn join(statement: &StatementNode) -> Option<Join<'_>> {
    let StatementKind::For(of) = &statement.kind else { return None };
    let is_plain = of.order == Order::InTurn && !of.downward && of.step.is_none();
    let [StatementNode { kind, .. }] = &of.body[..] else { return None };
    let StatementKind::Assign { target, declared: None, indices, value } = kind else {
        return None;
    };
    let ExprNodeKind::Binary(op, left, joined) = &value.kind else { return None };
    let ExprNodeKind::Name(name) = &left.kind else { return None };
    let is_joined = indices.is_empty() && *name == target.text && is_plain;
    let is_free = words(&joined.to_string()).all(|it| it != *name);
    let bounds = format!("{} {}", of.from, of.to);
    let is_simple = !bounds.contains('[') && words(&bounds).all(|it| it != *name);
    (is_joined && is_free && is_simple).then_some(Join { of, scalar: name, op: *op, joined })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

/// What joins to every value of a type without changing it, and how two values are written joined.
fn neutral(op: BinaryOp, element: Type) -> Option<String> {
    let word = element.word();
    let (least, most) = (*element.limits().start(), *element.limits().end());
    match op {
        BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor => Some(format!("{word}(0)")),
        BinaryOp::Multiply => Some(format!("{word}(1)")),
        BinaryOp::Min if element.is_float() => Some("inf".to_owned()),
        BinaryOp::Max if element.is_float() => Some("-inf".to_owned()),
        // Where a literal holds it.
        BinaryOp::Min if element.bits() < 64 => Some(format!("{word}({most})")),
        BinaryOp::Max if element.bits() < 64 => Some(format!("{word}({least})")),
        _ => None,
    }
}

fn joined(op: BinaryOp, left: &str, right: &str) -> String {
    match op {
        BinaryOp::Min | BinaryOp::Max => format!("{}({left}, {right})", op.written().0),
        _ => format!("{left} {} ({right})", op.written().0),
    }
}

/// The names that the tree needs, in the order in which [`Reduction::names`] has them.
pub(crate) const NAMES: [&str; 5] = ["part", "at", "own", "half", "all"];

/// The text of the tree in the place of the loop.
fn text(it: &Join<'_>, proof: &Reduction, element: Type) -> Option<String> {
    let [part, at, own, half, all] = &proof.names;
    let (op, variable, from, to) = (it.op, &it.of.variable.text, &it.of.from, &it.of.to);
    let (lanes, blocks) = (proof.lanes, proof.blocks);
    let neutral = neutral(op, element)?;
    let from = match from.to_string().as_str() {
        "0" => String::new(),
        other => format!("{other} + "),
    };
    let step = joined(op, own, &it.joined.to_string());
    let last = joined(op, it.scalar, &format!("{part}[0]"));
    let pairs = |array: &str, count: i64, indent: &str| {
        let pair = joined(op, &format!("{array}[{at}]"), &format!("{array}[{at} + {half}]"));
        format!(
            "{indent}{half} ← {count}\n{indent}while {half} > 1 do\n{indent}  {half} ← {half} / 2\n\
             {indent}  for {at} ← 0 to {half} - 1 do in parallel\n{indent}    {array}[{at}] ← {pair}\n"
        )
    };
    if blocks == 0 {
        return Some(format!(
            "for {at} ← 0 to {lanes} - 1 do in parallel\n  {own} ← {neutral}\n\
             \x20 for {variable} ← {from}{at} to {to} step {lanes} do\n    {own} ← {step}\n\
             \x20 {part}[{at}] ← {own}\n{}{} ← {last}\n",
            pairs(part, lanes, ""),
            it.scalar
        ));
    }
    let word = element.word();
    let stride = lanes.checked_mul(blocks)?;
    Some(format!(
        "for {all} ← 0 to {blocks} - 1 do in parallel on DMMs with {lanes} threads\n\
         \x20 shared {part}_{all}[{lanes}] : {word}\n  for {at} ← 0 to {lanes} - 1 do in parallel\n\
         \x20   {own} ← {neutral}\n\
         \x20   for {variable} ← {from}{lanes} × {all} + {at} to {to} step {stride} do\n\
         \x20     {own} ← {step}\n    {part}_{all}[{at}] ← {own}\n{}  {part}[{all}] ← {part}_{all}[0]\n\
         {}{} ← {last}\n",
        pairs(&format!("{part}_{all}"), lanes, "  "),
        pairs(part, blocks, ""),
        it.scalar
    ))
}

/// The listing with the tree; `element` is the scalar's type.
pub(crate) fn tree(listing: &Listing, proof: &Reduction, element: Type) -> Option<Listing> {
    let is_power = |it: i64| it > 0 && it & (it - 1) == 0;
    if !is_power(proof.lanes) || proof.blocks != 0 && !is_power(proof.blocks) {
        return None;
    }
    let (at, path) = proof.path.split_last()?;
    let old = block(listing, path)?.get(*at)?;
    let found = join(old)?;
    let all = listing.to_string();
    let used: BTreeSet<&str> = words(&all).collect();
    let distinct: BTreeSet<&String> = proof.names.iter().collect();
    let shared = format!("{}_{}", proof.names[0], proof.names[4]);
    let is_name = |it: &String| {
        it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
            && it.starts_with(|it: char| it.is_ascii_alphabetic())
    };
    let is_new = |it: &str| !used.contains(it);
    if distinct.len() < proof.names.len()
        || !proof.names.iter().all(|it| is_new(it) && is_name(it))
        || !is_new(&shared)
    {
        return None;
    }
    let text = format!("algorithm t()\noutput o[1] : i64\n\n{}", text(&found, proof, element)?);
    let statements = language::parse(&text).ok()?.body;
    let mut new = listing.clone();
    let count = if proof.blocks == 0 { proof.lanes } else { proof.blocks };
    let span = old.span;
    new.arrays.push(ArrayDeclaration {
        role: Role::Work,
        name: Name { text: proof.names[0].clone(), span },
        extents: vec![Extent {
            first: None,
            size: ExprNode { kind: ExprNodeKind::Integer(count.unsigned_abs()), span },
        }],
        element,
        layout: None,
    });
    let mut block = &mut new.body;
    for step in path {
        block = match &mut block.get_mut(*step)?.kind {
            StatementKind::For(it) => &mut it.body,
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            _ => return None,
        };
    }
    block.splice(*at..=*at, statements);
    Some(new)
}

/// The scalar that a loop joins into, if there is such a loop.
pub(crate) fn scalar(statement: &StatementNode) -> Option<&str> {
    join(statement).map(|it| it.scalar)
}

/// The type of the scalars of a name, if all have one.
pub(crate) fn element(program: &Program, name: &str) -> Option<Type> {
    let mut types = program.scalars.iter().filter(|it| it.name == name).map(|it| it.element);
    let first = types.next()?;
    types.all(|it| it == first).then_some(first)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Reduction) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("not a tree in the place of a loop: {why}"));
    let (at, path) = proof.path.split_last().ok_or_else(|| wrong("it has no place"))?;
    let statement = block(&before.listing, path).and_then(|it| it.get(*at));
    let found = statement.and_then(join).ok_or_else(|| wrong("there is no such loop"))?;
    let element =
        element(before, found.scalar).ok_or_else(|| wrong("the scalar has several types"))?;
    let span = statement.map_or(Default::default(), |it| it.span);
    if element.is_float() && !proof.reassociates {
        let message =
            "the order of operations on floats decides the last bits: allow it with --reassociate";
        return Err(Refusal::at(before, span, message));
    }
    if !(element.is_integer() || element.is_float()) {
        return Err(wrong("its type is none of numbers"));
    }
    let assigned = &found.of.body[0].span;
    let is_typed = before.body.iter().flat_map(within).any(|it| match it {
        Statement::Assign { value, span, .. } if span == assigned => {
            matches!(&value.kind, ExprKind::Binary(op, left, _) if *op == found.op
                && value.element == element && matches!(left.kind, ExprKind::Scalar(_)))
        }
        _ => false,
    });
    if !is_typed {
        return Err(Refusal::at(before, span, "the sum has another type than the scalar"));
    }
    let expected =
        tree(&before.listing, proof, element).ok_or_else(|| wrong("it cannot be built"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    // The partial results must be of the same type, or they would wrap elsewhere.
    let own = after.scalars.iter().filter(|it| it.name == proof.names[2]);
    let is_same = after.scalars.iter().filter(|it| it.name == found.scalar);
    match own.chain(is_same).all(|it| it.element == element) {
        true => Ok(()),
        false => Err(wrong("partial results have another type")),
    }
}
