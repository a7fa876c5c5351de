//! Operations that join values into one, and where loops that do so stand.

use std::collections::BTreeSet;

use memory_machine_core::language::syntax::{
    BinaryOp, ForNode, Listing, Order, StatementKind, StatementNode, Type,
};

/// The statements of a block.
pub(super) fn block<'a>(listing: &'a Listing, path: &[usize]) -> Option<&'a [StatementNode]> {
    let mut block = &listing.body[..];
    for step in path {
        block = match &block.get(*step)?.kind {
            StatementKind::For(it) if it.order != Order::InParallel => &it.body,
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            _ => return None,
        };
    }
    Some(block)
}

/// The same block, to change it, and the loop on DMMs around it, if there is one, by how far it is in.
pub(super) fn block_mut<'a>(
    listing: &'a mut Listing,
    path: &[usize],
) -> Option<&'a mut Vec<StatementNode>> {
    let mut block = &mut listing.body;
    for step in path {
        block = match &mut block.get_mut(*step)?.kind {
            StatementKind::For(it) => &mut it.body,
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            _ => return None,
        };
    }
    Some(block)
}

/// How much of a path leads to the innermost loop on DMMs that it enters.
pub(super) fn to_dmms(listing: &Listing, path: &[usize]) -> Option<usize> {
    (1..=path.len()).rev().find(|it| {
        let (at, outer) = path[..*it].split_last().map_or((0, &[][..]), |it| (*it.0, it.1));
        let own = block(listing, outer).and_then(|it| it.get(at)).map(|it| &it.kind);
        matches!(own, Some(StatementKind::For(ForNode { order: Order::OnDmms { .. }, .. })))
    })
}

/// Whether names are names, each another, and none is in a listing.
pub(super) fn are_new<'n>(listing: &Listing, names: impl Iterator<Item = &'n str>) -> bool {
    let all = listing.to_string();
    let mut used: BTreeSet<&str> = words(&all).collect();
    for name in names {
        let is_name = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
            && name.starts_with(|it: char| it.is_ascii_alphabetic());
        if !is_name || !used.insert(name) {
            return false;
        }
    }
    true
}

/// Whether neither statements nor the answer mention a name.
pub(super) fn is_forgotten(listing: &Listing, statements: &[StatementNode], name: &str) -> bool {
    let text = Listing { body: statements.to_vec(), ..listing.clone() }.to_string();
    words(&text).all(|it| it != name)
}

/// Whether the statement before a place of the listing assigns a scalar, without saying its type.
pub(super) fn begins(listing: &Listing, at: usize, scalar: &str) -> bool {
    let before = at.checked_sub(1).and_then(|it| listing.body.get(it));
    before.is_some_and(|it| {
        matches!(&it.kind, StatementKind::Assign { target, declared: None, indices, .. }
            if target.text == scalar && indices.is_empty())
    })
}

/// Says the type of the scalar there, where no sum does so any more.
pub(super) fn declare(listing: &mut Listing, at: usize, element: Type) {
    if let Some(StatementNode { kind: StatementKind::Assign { declared, .. }, .. }) =
        at.checked_sub(1).and_then(|it| listing.body.get_mut(it))
    {
        *declared = Some(element);
    }
}

/// A text in which one name is another.
pub(super) fn rename(text: &str, old: &str, new: &str) -> String {
    let is_inside = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let mut renamed = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|it| !is_inside(it)).unwrap_or(rest.len());
        let (word, other) = rest.split_at(end);
        renamed += if word == old { new } else { word };
        let next = other.find(is_inside).unwrap_or(other.len());
        renamed += &other[..next];
        rest = &other[next..];
    }
    renamed
}

pub(super) fn is_power(it: i64) -> bool {
    it > 0 && it & (it - 1) == 0
}

/// A tree that joins as many elements of an array as a power of 2 into the first.
pub(super) fn pairs(
    op: BinaryOp,
    array: &str,
    count: i64,
    indent: &str,
    [at, half]: [&str; 2],
) -> String {
    let pair = joined(op, &format!("{array}[{at}]"), &format!("{array}[{at} + {half}]"));
    format!(
        "{indent}{half} ← {count}\n{indent}while {half} > 1 do\n{indent}  {half} ← {half} / 2\n\
         {indent}  for {at} ← 0 to {half} - 1 do in parallel\n{indent}    {array}[{at}] ← {pair}\n"
    )
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_').filter(|it| !it.is_empty())
}

/// What joins to every value of a type without changing it, and how two values are written joined.
pub(super) fn neutral(op: BinaryOp, element: Type) -> Option<String> {
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

pub(super) fn joined(op: BinaryOp, left: &str, right: &str) -> String {
    match op {
        BinaryOp::Min | BinaryOp::Max => format!("{}({left}, {right})", op.written().0),
        _ => format!("{left} {} ({right})", op.written().0),
    }
}
