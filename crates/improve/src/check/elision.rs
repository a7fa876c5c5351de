//! A write happens only where it changes something: `a[x] ← min(a[x], e)` and the like.

use memory_machine_core::language;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    BinaryOp, ExprNodeKind, Listing, StatementKind, StatementNode, Type,
};

use super::certificate::{Elision, Refusal};
use super::operation::are_new;

/// The names that it needs: of what stood there, and of what is to stand there.
pub(crate) const NAMES: [&str; 2] = ["old", "new"];

/// The block at a place, whatever loops and conditions are around.
pub(super) fn block_mut<'a>(
    listing: &'a mut Listing,
    path: &[usize],
) -> Option<&'a mut Vec<StatementNode>> {
    let mut block = &mut listing.body;
    for step in path {
        block = match &mut block.get_mut(*step)?.kind {
            StatementKind::For(it) => &mut it.body,
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            StatementKind::If { then, .. } => then,
            _ => return None,
        };
    }
    Some(block)
}

/// The array of a statement `a[x] ← min(a[x], e)`, with its text after the step.
fn text(listing: &Listing, it: &StatementNode, proof: &Elision) -> Option<(String, Type)> {
    let StatementKind::Assign { target, declared: None, indices, value } = &it.kind else {
        return None;
    };
    let array = listing.arrays.iter().find(|it| it.name.text == target.text)?;
    let inside: Vec<String> = indices.iter().map(ToString::to_string).collect();
    let cell = format!("{}[{}]", target.text, inside.join(", "));
    let ExprNodeKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), left, right) = &value.kind
    else {
        return None;
    };
    // Indices that read memory would read it twice.
    if inside.iter().any(|it| it.contains('[')) || left.to_string() != cell {
        return None;
    }
    let [old, new] = &proof.names;
    // A zero may have another sign than the one that stands there.
    let or_zero = if array.element.is_float() { format!(" or {new} = 0") } else { String::new() };
    let op = op.written().0;
    Some((
        format!(
            "{old} ← {cell}\n{new} ← {op}({old}, {right})\n\
             if {new} ≠ {old}{or_zero} then\n  {cell} ← {new}\n"
        ),
        array.element,
    ))
}

/// The listing after the step, with the type of what is written.
pub(crate) fn elide(listing: &Listing, proof: &Elision) -> Option<(Listing, Type)> {
    let (at, path) = proof.path.split_last()?;
    if !are_new(listing, proof.names.iter().map(String::as_str)) {
        return None;
    }
    let mut new = listing.clone();
    let block = block_mut(&mut new, path)?;
    let (text, element) = text(listing, block.get(*at)?, proof)?;
    let text = format!("algorithm t(n)\noutput o[1] : i64\n\n{text}");
    block.splice(*at..=*at, language::parse(&text).ok()?.body);
    Some((new, element))
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Elision) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("no write is left out: {why}"));
    let (expected, element) = elide(&before.listing, proof)
        .ok_or_else(|| wrong("there is no `a[x] ← min(a[x], …)` at this place"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    let is_meant = |it: &&str| proof.names.iter().any(|name| name == it);
    let scalars = after.scalars.iter().filter(|it| is_meant(&&*it.name));
    let types: Vec<Type> = scalars.map(|it| it.element).collect();
    if types.is_empty() || types.iter().any(|it| *it != element) {
        return Err(wrong("what is written has another type"));
    }
    Ok(())
}
