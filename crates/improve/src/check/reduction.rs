//! A sequential loop that joins values into one scalar becomes a tree: partial results in parallel, then
//! joined in pairs. Legal if the operation is associative and commutative on the scalar's type, and what
//! is joined does not need the scalar. Of floats it is not, bit by bit.

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language;
use memory_machine_core::language::program::{ExprKind, Program, Statement};
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Name, Order,
    Role, StatementKind, StatementNode, Type,
};

use super::certificate::{Reduction, Refusal};
use super::leaves::within;
use super::operation::{
    are_new, begins, block, block_mut, declare, is_forgotten, is_power, joined, neutral, pairs,
    rename, to_dmms, words,
};

/// The loop `for i ← … do s ← s ⊕ e`.
pub(super) struct Join<'a> {
    pub(super) of: &'a ForNode,
    pub(super) scalar: &'a str,
    pub(super) op: BinaryOp,
    pub(super) joined: &'a ExprNode,
}

pub(super) fn join(statement: &StatementNode) -> Option<Join<'_>> {
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

/// The text of an assignment that declares nothing.
fn assignment(it: &StatementNode) -> Option<String> {
    let StatementKind::Assign { target, declared: None, indices, value } = &it.kind else {
        return None;
    };
    let inside: Vec<String> = indices.iter().map(ToString::to_string).collect();
    let indices =
        if inside.is_empty() { String::new() } else { format!("[{}]", inside.join(", ")) };
    Some(format!("{}{indices} ← {value}", target.text))
}

/// How many assignments after a loop the last block of its tree can do, so that nobody else needs the
/// scalar: stores alone, after which it is not mentioned.
pub(crate) fn rest(listing: &Listing, path: &[usize]) -> usize {
    let [at] = path else { return 0 };
    let Some(scalar) = listing.body.get(*at).and_then(scalar) else { return 0 };
    if !begins(listing, *at, scalar) {
        return 0;
    }
    let after = &listing.body[at + 1..];
    let is_store = |it: &&StatementNode| {
        let has_indices =
            matches!(&it.kind, StatementKind::Assign { indices, .. } if !indices.is_empty());
        has_indices && assignment(it).is_some()
    };
    let count = after.iter().take_while(is_store).count();
    if is_forgotten(listing, &after[count..], scalar) { count } else { 0 }
}

/// The names that the tree needs, in the order in which [`Reduction::names`] has them.
pub(crate) const NAMES: [&str; 5] = ["part", "at", "own", "half", "all"];

/// The text of the tree in the place of the loop.
fn text(it: &Join<'_>, rest: &[StatementNode], proof: &Reduction, element: Type) -> Option<String> {
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
    let pairs = |array: &str, count, indent| pairs(op, array, count, indent, [at, half]);
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
    let (shared, scalar) = (format!("{part}_{all}"), it.scalar);
    // The last block has the result, or goes on with it.
    let (inside, after) = match rest {
        [] => (format!("  {part}[0] ← {shared}[0]\n"), format!("{} ← {last}\n", it.scalar)),
        _ => {
            let first = format!("  {own} ← {}\n", joined(op, it.scalar, &format!("{shared}[0]")));
            let lines = rest.iter().map(|it| {
                let line = rename(&assignment(it)?, scalar, own);
                Some(format!("  {line}\n"))
            });
            (first + &lines.collect::<Option<String>>()?, String::new())
        }
    };
    Some(format!(
        "for {all} ← 0 to {blocks} - 1 do in parallel on DMMs with {lanes} threads\n\
         \x20 shared {shared}[{lanes}] : {word}\n  for {at} ← 0 to {lanes} - 1 do in parallel\n\
         \x20   {own} ← {neutral}\n\
         \x20   for {variable} ← {from}{lanes} × {all} + {at} to {to} step {stride} do\n\
         \x20     {own} ← {step}\n    {shared}[{at}] ← {own}\n{}  {part}[{all}] ← {shared}[0]\n\
         for {all} ← 0 to 0 do in parallel on DMMs with {blocks} threads\n\
         \x20 shared {shared}[{blocks}] : {word}\n\
         \x20 for {at} ← 0 to {blocks} - 1 do in parallel\n    {shared}[{at}] ← {part}[{at}]\n\
         {}{inside}{after}",
        pairs(&shared, lanes, "  "),
        pairs(&shared, blocks, "  "),
    ))
}

/// The listing with the tree; `element` is the scalar's type. Inside a loop on DMMs the partial results
/// are in shared memory.
pub(crate) fn tree(listing: &Listing, proof: &Reduction, element: Type) -> Option<Listing> {
    if !is_power(proof.lanes) || proof.blocks != 0 && !is_power(proof.blocks) {
        return None;
    }
    let (at, path) = proof.path.split_last()?;
    let old = block(listing, path)?.get(*at)?;
    let found = join(old)?;
    let shared = format!("{}_{}", proof.names[0], proof.names[4]);
    let names = proof.names.iter().map(String::as_str).chain([&*shared]);
    if !are_new(listing, names) {
        return None;
    }
    if proof.rest != 0 && (proof.blocks == 0 || proof.rest != rest(listing, &proof.path)) {
        return None;
    }
    let taken = block(listing, path)?.get(at + 1..at + 1 + proof.rest)?;
    let text = text(&found, taken, proof, element)?;
    let text = format!("algorithm t()\noutput o[1] : i64\n\n{text}");
    let statements = language::parse(&text).ok()?.body;
    let mut new = listing.clone();
    let count = if proof.blocks == 0 { proof.lanes } else { proof.blocks };
    let span = old.span;
    let mut declaration = ArrayDeclaration {
        role: Role::Work,
        name: Name { text: proof.names[0].clone(), span },
        extents: vec![Extent {
            first: None,
            size: ExprNode { kind: ExprNodeKind::Integer(count.unsigned_abs()), span },
        }],
        fields: vec![],
        element,
        layout: None,
    };
    match to_dmms(listing, path) {
        Some(_) if proof.blocks > 0 => return None,
        Some(depth) => {
            declaration.role = Role::Shared;
            let (at, outer) = path[..depth].split_last()?;
            let StatementKind::For(own) = &mut block_mut(&mut new, outer)?.get_mut(*at)?.kind
            else {
                return None;
            };
            own.arrays.push(declaration);
        }
        None => new.arrays.push(declaration),
    }
    if proof.rest > 0 {
        declare(&mut new, *at, element);
    }
    block_mut(&mut new, path)?.splice(*at..=at + proof.rest, statements);
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

/// The type in which a loop joins values into a scalar, of all its operands; an error where another order would
/// leave another result.
pub(super) fn summed_type(
    before: &Program,
    (scalar, operation, assigned): (&str, BinaryOp, &Span),
    span: Span,
    reassociates: bool,
    wrong: &dyn Fn(&str) -> Refusal,
) -> Result<Type, Refusal> {
    let element = element(before, scalar).ok_or_else(|| wrong("the scalar has several types"))?;
    if element.is_float() && !reassociates {
        let message =
            "the order of operations on floats decides the last bits: allow it with --reassociate";
        return Err(Refusal::at(before, span, message));
    }
    if !(element.is_integer() || element.is_float()) {
        return Err(wrong("its type is none of numbers"));
    }
    let is_typed = before.body.iter().flat_map(within).any(|it| match it {
        Statement::Assign { value, span, .. } if span == assigned => {
            matches!(&value.kind, ExprKind::Binary(op, left, _) if *op == operation
                && value.element == element && matches!(left.kind, ExprKind::Scalar(_)))
        }
        _ => false,
    });
    match is_typed {
        true => Ok(element),
        false => Err(Refusal::at(before, span, "the sum has another type than the scalar")),
    }
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Reduction) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("not a tree in the place of a loop: {why}"));
    let (at, path) = proof.path.split_last().ok_or_else(|| wrong("it has no place"))?;
    let statement = block(&before.listing, path).and_then(|it| it.get(*at));
    let found = statement.and_then(join).ok_or_else(|| wrong("there is no such loop"))?;
    let span = statement.map_or(Default::default(), |it| it.span);
    let sum = (found.scalar, found.op, &found.of.body[0].span);
    let element = summed_type(before, sum, span, proof.reassociates, &wrong)?;
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
