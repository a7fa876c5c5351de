//! The elements of a shared array's rows lie in another order, so that columns and rows lie in different
//! banks: by an exclusive or, which is a layout, that changes addresses and nothing else; or each row is
//! turned by one place more than the one before. Both are bijections, and nobody else knows the array.

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, LayoutNode, Listing, Name, Role,
    StatementKind, StatementNode,
};

use super::certificate::{Diagonal, Refusal, Swizzle};

/// The length of a shared array's rows, if it is a number.
fn length(array: &ArrayDeclaration) -> Option<u64> {
    let [_, last] = &array.extents[..] else { return None };
    let ExprNodeKind::Integer(length) = last.size.kind else { return None };
    let fits = array.role == Role::Shared && array.layout.is_none() && last.first.is_none();
    (fits && (2..=1024).contains(&length)).then_some(length)
}

/// The layout in which element j of row i lies at j xor i, if rows are as long as a power of 2 says.
fn layout(array: &ArrayDeclaration) -> Option<LayoutNode> {
    let length = length(array).filter(|it| it.is_power_of_two() && *it >= 4)?;
    let mut bits = array.extents[1].size.clone();
    bits.kind = ExprNodeKind::Integer(u64::from(length.trailing_zeros()));
    let mut base = bits.clone();
    base.kind = ExprNodeKind::Integer(0);
    let word = Name { text: "swizzle".to_owned(), span: array.name.span };
    Some(LayoutNode { word, arguments: vec![bits.clone(), base, bits] })
}

/// Does something to each declaration of arrays of blocks.
fn each_array(block: &mut [StatementNode], change: &mut impl FnMut(&mut ArrayDeclaration)) {
    for it in block {
        match &mut it.kind {
            StatementKind::For(it) => {
                it.arrays.iter_mut().for_each(&mut *change);
                each_array(&mut it.body, change);
            }
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => each_array(body, change),
            StatementKind::If { then, otherwise, .. } => {
                each_array(then, change);
                each_array(otherwise, change);
            }
            _ => {}
        }
    }
}

/// The shared arrays that may be swizzled.
pub(crate) fn arrays(listing: &Listing) -> Vec<Name> {
    let mut found: Vec<Name> = vec![];
    let mut all = listing.body.clone();
    each_array(&mut all, &mut |it| found.extend(layout(it).map(|_| it.name.clone())));
    found
}

/// The listing in which every shared array of a name is swizzled.
pub(crate) fn swizzled(listing: &Listing, proof: &Swizzle) -> Option<Listing> {
    let mut new = listing.clone();
    let mut count = 0;
    each_array(&mut new.body, &mut |it| {
        if it.name.text == proof.array
            && let Some(layout) = layout(it)
        {
            it.layout = Some(layout);
            count += 1;
        }
    });
    (count > 0).then_some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Swizzle) -> Result<(), Refusal> {
    let expected = swizzled(&before.listing, proof)
        .ok_or_else(|| Refusal::new("no shared array of that name has rows of a power of 2"))?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("more than the layout of the array changes")),
    }
}

/// Shared arrays whose rows can be turned, with the rows' length: of those of one name, all.
pub(crate) fn turnable(listing: &Listing) -> Vec<(Name, u64)> {
    let mut all: Vec<(Name, Option<u64>)> = vec![];
    let mut body = listing.body.clone();
    each_array(&mut body, &mut |it| all.push((it.name.clone(), length(it))));
    let mut found: Vec<(Name, u64)> = vec![];
    for (name, own) in &all {
        let mut same = all.iter().filter(|it| it.0.text == name.text);
        let is_new = found.iter().all(|it| it.0.text != name.text);
        if let Some(length) = own.filter(|_| is_new && same.all(|it| it.1 == *own)) {
            found.push((name.clone(), length));
        }
    }
    found
}

/// `[i, j]` becomes `[i, (i + j) mod length]`.
fn turn(indices: &mut [ExprNode], length: u64) {
    let [row, place] = indices else { return };
    let node = |kind| Box::new(ExprNode { kind, span: Span::default() });
    let [row, old] = [row.clone(), place.clone()].map(Box::new);
    let sum = node(ExprNodeKind::Binary(BinaryOp::Add, row, old));
    let length = node(ExprNodeKind::Integer(length));
    *place = *node(ExprNodeKind::Binary(BinaryOp::Modulo, sum, length));
}

/// Turns what expressions read, those inside others first.
fn expression(expr: &mut ExprNode, of: (&str, u64)) {
    if let ExprNodeKind::Element { array, indices } = &mut expr.kind {
        indices.iter_mut().for_each(|it| expression(it, of));
        if array == of.0 {
            turn(indices, of.1);
        }
    }
    expr.kind.operands_mut().into_iter().for_each(|it| expression(it, of));
}

/// Turns what statements touch; `None` where one is of a kind whose indices are not turned.
fn statements(block: &mut [StatementNode], of: (&str, u64)) -> Option<()> {
    for it in block {
        match &mut it.kind {
            StatementKind::Assign { target, indices, value, .. } => {
                indices.iter_mut().for_each(|it| expression(it, of));
                expression(value, of);
                if target.text == of.0 {
                    turn(indices, of.1);
                }
            }
            StatementKind::For(it) => {
                [&mut it.from, &mut it.to].into_iter().for_each(|it| expression(it, of));
                statements(&mut it.body, of)?;
            }
            StatementKind::While { condition, body, decreases } => {
                decreases.iter_mut().for_each(|it| expression(it, of));
                expression(condition, of);
                statements(body, of)?;
            }
            StatementKind::Label { body, .. } => statements(body, of)?,
            StatementKind::If { condition, then, otherwise } => {
                expression(condition, of);
                statements(then, of)?;
                statements(otherwise, of)?;
            }
            _ => return None,
        }
    }
    Some(())
}

/// The listing in which a shared array's rows are turned.
pub(crate) fn turned(listing: &Listing, proof: &Diagonal) -> Option<Listing> {
    let (name, length) = turnable(listing).into_iter().find(|it| it.0.text == proof.array)?;
    if !listing.procedures.is_empty() {
        return None;
    }
    let mut new = listing.clone();
    statements(&mut new.body, (&name.text, length))?;
    Some(new)
}

pub(super) fn verify_diagonal(
    before: &Program,
    after: &Program,
    proof: &Diagonal,
) -> Result<(), Refusal> {
    let expected = turned(&before.listing, proof)
        .ok_or_else(|| Refusal::new("no shared array of that name has rows of a known length"))?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("more than the places in the array's rows changes")),
    }
}
