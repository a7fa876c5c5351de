//! Several threads of a block for each iteration of its nest: they share the iteration's sum, and one of
//! them does the rest. Legal where a tree is; besides, what is summed may not depend on anything that
//! the nest assigns.

use std::collections::BTreeSet;

use memory_machine_core::language;
use memory_machine_core::language::program::{Program, Statement};
use memory_machine_core::language::syntax::{
    ArrayDeclaration, ExprNode, ExprNodeKind, Extent, ForNode, Listing, Name, Order, Role,
    StatementKind, StatementNode, Type,
};

use super::certificate::{Refusal, Team};
use super::copies::named;
use super::leaves::{Leaf, Storage, leaves};
use super::operation::{are_new, block, block_mut, is_power, joined, neutral, to_dmms, words};
use super::reduction::{Join, join, summed_type};
use super::schedule::{in_bounds, scope, sizes, too_large};

/// The names that a team needs, in the order in which [`Team::names`] has them.
pub(crate) const NAMES: [&str; 4] = ["part", "at", "own", "half"];

/// The nest, and which of its statements sums.
struct Summing<'a> {
    nest: &'a ForNode,
    at: usize,
    join: Join<'a>,
}

fn summing(statement: &StatementNode) -> Option<Summing<'_>> {
    let StatementKind::For(nest) = &statement.kind else { return None };
    let is_plain = nest.order == Order::InParallel && nest.step.is_none() && !nest.downward;
    let mut sums = nest.body.iter().enumerate().filter_map(|(at, it)| Some((at, join(it)?)));
    let (at, join) = sums.next().filter(|_| is_plain && nest.arrays.is_empty())?;
    let assigned = assigned(&nest.body)?;
    let bounds = format!("{} {}", join.of.from, join.of.to);
    let inside = join.joined.to_string();
    // The loop's own variable is given anew.
    let is_free = |it: &str| it == join.of.variable.text || !assigned.contains(it);
    let is_independent =
        words(&inside).all(is_free) && words(&bounds).all(|it| !assigned.contains(it));
    (is_independent && sums.next().is_none()).then_some(Summing { nest, at, join })
}

/// The names that statements assign, if each of them is an assignment or has only such inside.
fn assigned(block: &[StatementNode]) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for it in block {
        match &it.kind {
            StatementKind::Assign { target, .. } => {
                found.insert(target.text.clone());
            }
            StatementKind::For(it) if it.order == Order::InTurn => {
                found.insert(it.variable.text.clone());
                found.extend(assigned(&it.body)?);
            }
            StatementKind::If { then, otherwise, .. } => {
                found.extend(assigned(then)?);
                found.extend(assigned(otherwise)?);
            }
            _ => return None,
        }
    }
    Some(found)
}

/// The scalar that a nest sums into, if a team can.
pub(crate) fn scalar(statement: &StatementNode) -> Option<&str> {
    summing(statement).map(|it| it.join.scalar)
}

/// The text in the place of the nest; behind it, the nest that is left.
fn text(it: &Summing<'_>, proof: &Team, element: Type) -> Option<String> {
    let [part, at, own, half] = &proof.names;
    let Summing { nest, join, .. } = it;
    let (op, lanes, j, scalar) = (join.op, proof.lanes, &nest.variable.text, join.scalar);
    let (i, from, to) = (&join.of.variable.text, &join.of.from, &join.of.to);
    let neutral = neutral(op, element)?;
    let nest = format!("for {j} ← {} to {} do in parallel", it.nest.from, it.nest.to);
    let place = match it.nest.from.to_string().as_str() {
        "0" => j.clone(),
        other => format!("{j} - ({other})"),
    };
    let first = match from.to_string().as_str() {
        "0" => at.clone(),
        other => format!("{other} + {at}"),
    };
    let step = joined(op, own, &join.joined.to_string());
    let cell = format!("{part}[{at}, {place}]");
    let pair = joined(op, &cell, &format!("{part}[{at} + {half}, {place}]"));
    Some(format!(
        "for {at} ← 0 to {lanes} - 1 do in parallel\n  {nest}\n    {own} ← {neutral}\n    \
         for {i} ← {first} to {to} step {lanes} do\n      {own} ← {step}\n    {cell} ← {own}\n\
         {half} ← {lanes}\nwhile {half} > 1 do\n  {half} ← {half} / 2\n  \
         for {at} ← 0 to {half} - 1 do in parallel\n    {nest}\n      {cell} ← {pair}\n\
         {scalar} ← {}\n",
        joined(op, scalar, &format!("{part}[0, {place}]"))
    ))
}

/// The listing with the team; `element` is the scalar's type.
pub(crate) fn team(listing: &Listing, proof: &Team, element: Type) -> Option<Listing> {
    let (at, path) = proof.path.split_last()?;
    let old = block(listing, path)?.get(*at)?;
    let found = summing(old)?;
    let is_shaped = is_power(proof.lanes) && (1..=1024).contains(&proof.columns);
    let is_inside = to_dmms(listing, path) == Some(path.len());
    if !is_shaped || !is_inside || !are_new(listing, proof.names.iter().map(|it| &**it)) {
        return None;
    }
    let text = format!("algorithm t()\noutput o[1] : i64\n\n{}", text(&found, proof, element)?);
    let mut statements = language::parse(&text).ok()?.body;
    let mut rest = found.nest.clone();
    rest.body[found.at] = statements.pop()?;
    statements.push(StatementNode { kind: StatementKind::For(rest), span: old.span });
    let number =
        |value: i64| ExprNode { kind: ExprNodeKind::Integer(value.unsigned_abs()), span: old.span };
    let extents = [number(proof.lanes), number(proof.columns)];
    let mut new = listing.clone();
    let (outer_at, outer) = path.split_last()?;
    let StatementKind::For(own) = &mut block_mut(&mut new, outer)?.get_mut(*outer_at)?.kind else {
        return None;
    };
    own.arrays.push(ArrayDeclaration {
        role: Role::Shared,
        name: Name { text: proof.names[0].clone(), span: old.span },
        extents: extents.into_iter().map(|size| Extent { first: None, size }).collect(),
        fields: vec![],
        element,
        layout: None,
    });
    block_mut(&mut new, path)?.splice(*at..=*at, statements);
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Team) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("not a team in the place of a thread: {why}"));
    let (at, path) = proof.path.split_last().ok_or_else(|| wrong("it has no place"))?;
    let statement = block(&before.listing, path).and_then(|it| it.get(*at));
    let statement = statement.ok_or_else(|| wrong("there is no such nest"))?;
    let found = summing(statement).ok_or_else(|| wrong("the nest does not sum so"))?;
    let sum = (found.join.scalar, found.join.op, &found.join.of.body[0].span);
    let element = summed_type(before, sum, statement.span, proof.reassociates, &wrong)?;
    let expected =
        team(&before.listing, proof, element).ok_or_else(|| wrong("it cannot be built"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    // Partial results must be of the same type, or they would wrap elsewhere.
    let is_meant = |it: &str| it == proof.names[2] || it == found.join.scalar;
    let mut scalars = after.scalars.iter().filter(|it| is_meant(&it.name));
    if !scalars.all(|it| it.element == element) {
        return Err(wrong("partial results have another type"));
    }
    // Every iteration has a column: the tree and the nest that is left have the same iterations.
    let part = named(after, &proof.names[0]).ok_or_else(|| wrong("there is no such array"))?;
    let body: Vec<&Statement> = after.body.iter().collect();
    let mut scope = scope(after, &body, false);
    let context = sizes(&mut scope).ok_or_else(too_large)?;
    let all = leaves(&mut scope, &body);
    let is_store = |it: &&Leaf<'_>| {
        matches!(it.statement, Statement::Store { .. })
            && it.touches.iter().any(|it| it.storage == Storage::Array(part) && it.writes)
    };
    let mut writers = all.iter().filter(is_store);
    let (Some(writer), None) = (writers.next(), writers.next()) else {
        return Err(wrong("its iterations are not known"));
    };
    match in_bounds(after, &context.and(&writer.domain), writer, part) {
        Some(true) => Ok(()),
        _ => Err(wrong("it may have more iterations than columns")),
    }
}
