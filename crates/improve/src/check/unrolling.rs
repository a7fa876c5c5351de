//! Iterations of a loop in turn are written out, one after another: the same statements in the same order.

use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    Clauses, ExprNodeKind, ForNode, Listing, Order, StatementKind, StatementNode,
};

use super::certificate::{Refusal, Unrolling};
use super::elision::block_mut;
use super::operation::{are_new, rename, words};

/// Iterations that are written out at most.
const MOST: i64 = 64;

/// Statements as a listing has them.
fn written(listing: &Listing, body: &[StatementNode]) -> String {
    let bare = Listing {
        body: body.to_vec(),
        arrays: vec![],
        constants: vec![],
        functions: vec![],
        procedures: vec![],
        answer: None,
        clauses: Clauses::default(),
        ..listing.clone()
    };
    let text = bare.to_string();
    text.split_once("\n\n").map_or(String::new(), |it| it.1.to_owned())
}

/// Whether a text asks for a name in indices and bounds of loops alone, where a number is a number.
fn only_in_places(text: &str, name: &str) -> bool {
    let mut outside = String::new();
    for line in text.lines().filter(|it| !it.trim_start().starts_with("for ")) {
        let mut depth = 0_usize;
        for it in line.chars() {
            match it {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ if depth == 0 => outside.push(it),
                _ => {}
            }
        }
        outside.push('\n');
    }
    words(&outside).all(|it| it != name)
}

/// The loop, if its iterations can be written out: its bounds stay as they are, and it ends by them.
fn counted<'a>(
    listing: &Listing,
    path: &[usize],
    statement: &'a StatementNode,
) -> Option<&'a ForNode> {
    let StatementKind::For(it) = &statement.kind else { return None };
    let is_plain = it.order == Order::InTurn && !it.downward && it.step.is_none();
    let mut fixed: Vec<&str> = listing.parameters.iter().map(|it| &*it.name.text).collect();
    let mut block = &listing.body;
    for step in path {
        block = match &block.get(*step)?.kind {
            StatementKind::For(it) => {
                fixed.push(&it.variable.text);
                &it.body
            }
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            StatementKind::If { then, .. } => then,
            _ => return None,
        };
    }
    let bounds = format!("{} {}", it.from, it.to);
    let is_fixed =
        |it: &str| matches!(it, "min" | "max") || fixed.contains(&it) || it.parse::<i64>().is_ok();
    let body = written(listing, &it.body);
    let leaves = words(&body).any(|it| matches!(it, "break" | "return"));
    let has_places = only_in_places(&body, &it.variable.text);
    (is_plain && !bounds.contains('[') && words(&bounds).all(is_fixed) && !leaves && has_places)
        .then_some(it)
}

/// The listing in which so many iterations of a loop stand one after another.
pub(crate) fn unrolled(listing: &Listing, proof: &Unrolling) -> Option<Listing> {
    let (at, path) = proof.path.split_last()?;
    let mut new = listing.clone();
    let block = block_mut(&mut new, path)?;
    let it = counted(listing, path, block.get(*at)?)?.clone();
    if !(2..=MOST).contains(&proof.by) || !are_new(listing, [&*proof.name].into_iter()) {
        return None;
    }
    let number = |it: &ExprNodeKind| match it {
        ExprNodeKind::Integer(value) => i64::try_from(*value).ok().filter(|it| *it < 1 << 32),
        _ => None,
    };
    let (body, old) = (written(listing, &it.body), &it.variable.text);
    let iteration = |value: &str, indent: &str| -> String {
        let own = rename(&body, old, &format!("({value})"));
        own.lines().map(|line| format!("{indent}{line}\n")).collect()
    };
    let (by, name, from, to) = (proof.by, &proof.name, &it.from, &it.to);
    let first = number(&from.kind);
    let count = first.zip(number(&to.kind)).map(|(from, to)| (to - from + 1).max(0));
    let text = match count {
        Some(0) => return None,
        Some(count) if count <= by => {
            let first = first?;
            (first..first + count).map(|it| iteration(&it.to_string(), "")).collect()
        }
        _ => {
            let rounds = match (count, first) {
                (Some(count), _) => (count / by).to_string(),
                (None, Some(0)) => format!("max(0, {to} + 1) / {by}"),
                (None, _) => format!("max(0, {to} - ({from}) + 1) / {by}"),
            };
            let start = if first == Some(0) { String::new() } else { format!("{from} + ") };
            let places = (0..by).map(|it| match it {
                0 => format!("{start}{by} × {name}"),
                it => format!("{start}{by} × {name} + {it}"),
            });
            let own: String = places.map(|it| iteration(&it, "  ")).collect();
            let rest = match count {
                Some(count) if count % by == 0 => String::new(),
                _ => {
                    let rest = iteration(old, "  ");
                    format!("for {old} ← {start}{by} × ({rounds}) to {to} do\n{rest}")
                }
            };
            let last = count.map_or(format!("{rounds} - 1"), |it| (it / by - 1).to_string());
            format!("for {name} ← 0 to {last} do\n{own}{rest}")
        }
    };
    let text = format!("algorithm t()\noutput o[1] : i64\n\n{text}");
    let statements = language::parse(&text).ok()?.body;
    block_mut(&mut new, path)?.splice(*at..=*at, statements);
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Unrolling) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("no loop that is written out: {why}"));
    let expected = unrolled(&before.listing, proof).ok_or_else(|| wrong("it cannot be built"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    // A number in the place of a variable leaves every scalar its type.
    let of = |name: &str| after.scalars.iter().find(|it| it.name == name).map(|it| it.element);
    let is_same = before.scalars.iter().all(|it| of(&it.name).is_none_or(|own| own == it.element));
    if is_same { Ok(()) } else { Err(wrong("a scalar has another type")) }
}
