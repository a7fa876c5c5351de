//! Rows of a shared array are turned, each by one place more than the one before, so that columns and rows
//! lie in different banks: legal since each row's places are turned within it, and nobody else knows them.

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::Program;
use memory_machine_core::language::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Listing, Name, Role, StatementKind,
    StatementNode,
};

use super::certificate::{Diagonal, Refusal};

/// Every array that a loop on DMMs declares.
fn declared<'a>(block: &'a [StatementNode], found: &mut Vec<&'a ArrayDeclaration>) {
    for it in block {
        match &it.kind {
            StatementKind::For(it) => {
                found.extend(&it.arrays);
                declared(&it.body, found);
            }
            StatementKind::While { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Label { body, .. } => declared(body, found),
            StatementKind::If { then, otherwise, .. } => {
                declared(then, found);
                declared(otherwise, found);
            }
            _ => {}
        }
    }
}

/// The length of a shared array's rows, if it is a number.
fn length(array: &ArrayDeclaration) -> Option<u64> {
    let [_, last] = &array.extents[..] else { return None };
    let ExprNodeKind::Integer(length) = last.size.kind else { return None };
    let fits = array.role == Role::Shared && array.layout.is_none() && last.first.is_none();
    (fits && (2..=1024).contains(&length)).then_some(length)
}

/// Shared arrays of two indices, with their length of rows: of those of one name, all.
pub(crate) fn arrays(listing: &Listing) -> Vec<(Name, u64)> {
    let mut all = vec![];
    declared(&listing.body, &mut all);
    let mut found: Vec<(Name, u64)> = vec![];
    for it in &all {
        let mut same = all.iter().filter(|other| other.name.text == it.name.text);
        let is_new = found.iter().all(|other| other.0.text != it.name.text);
        if let Some(own) =
            length(it).filter(|own| same.all(|it| length(it) == Some(*own)) && is_new)
        {
            found.push((it.name.clone(), own));
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
            StatementKind::While { condition, body } => {
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
    let (name, length) = arrays(listing).into_iter().find(|it| it.0.text == proof.array)?;
    if !listing.procedures.is_empty() {
        return None;
    }
    let mut new = listing.clone();
    statements(&mut new.body, (&name.text, length))?;
    Some(new)
}

pub(super) fn verify(before: &Program, after: &Program, proof: &Diagonal) -> Result<(), Refusal> {
    let expected = turned(&before.listing, proof)
        .ok_or_else(|| Refusal::new("no shared array of that name has rows of a known length"))?;
    match expected.to_string() == after.listing.to_string() {
        true => Ok(()),
        false => Err(Refusal::new("more than the places in the array's rows changes")),
    }
}
