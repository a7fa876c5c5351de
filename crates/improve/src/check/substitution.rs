//! A scalar that only names an expression of sizes and loops' variables is written out where it is an
//! index: legal if nothing else assigns the scalar or asks for it, and its value is the same there.

use std::collections::BTreeSet;

use memory_machine_core::language::program::{Program, Statement};
use memory_machine_core::language::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, Listing, StatementKind, StatementNode, Type, UnaryOp,
};

use super::certificate::{Refusal, Substitution};
use super::elision::block_mut;
use super::leaves::within;
use super::operation::is_forgotten;

/// Whether an expression has one value as long as these names have.
fn is_fixed(it: &ExprNode, names: &BTreeSet<String>) -> bool {
    use BinaryOp::{Add, Divide, Max, Min, Modulo, Multiply, Subtract};
    match &it.kind {
        ExprNodeKind::Integer(_) => true,
        ExprNodeKind::Name(it) => names.contains(it),
        ExprNodeKind::Unary(UnaryOp::Negate, it) => is_fixed(it, names),
        ExprNodeKind::Binary(
            Add | Divide | Max | Min | Modulo | Multiply | Subtract,
            one,
            other,
        ) => is_fixed(one, names) && is_fixed(other, names),
        _ => false,
    }
}

/// What stands in the place of a scalar.
struct Put<'a> {
    scalar: &'a str,
    value: &'a ExprNode,
    /// The names that it mentions.
    names: &'a BTreeSet<String>,
}

impl Put<'_> {
    /// Everywhere in an index, or in a bound of a loop.
    fn whole(&self, it: &mut ExprNode) {
        match &mut it.kind {
            ExprNodeKind::Name(name) if name == self.scalar => *it = self.value.clone(),
            ExprNodeKind::Element { indices, .. } => {
                indices.iter_mut().for_each(|it| self.whole(it))
            }
            ExprNodeKind::Unary(UnaryOp::Negate, it) => self.whole(it),
            ExprNodeKind::Binary(_, one, other) => {
                self.whole(one);
                self.whole(other);
            }
            _ => {}
        }
    }

    /// In the indices of an expression: elsewhere a number may have another type.
    fn indices(&self, it: &mut ExprNode) {
        match &mut it.kind {
            ExprNodeKind::Element { indices, .. } => {
                indices.iter_mut().for_each(|it| self.whole(it))
            }
            ExprNodeKind::Call { arguments, .. } => {
                arguments.iter_mut().for_each(|it| self.indices(it));
            }
            ExprNodeKind::Unary(_, it) | ExprNodeKind::Floor(it) | ExprNodeKind::Ceiling(it) => {
                self.indices(it);
            }
            ExprNodeKind::Binary(_, one, other) => {
                self.indices(one);
                self.indices(other);
            }
            ExprNodeKind::Conditional(parts) => parts.iter_mut().for_each(|it| self.indices(it)),
            _ => {}
        }
    }

    /// In statements, none of which gives a name of the expression another value.
    fn block(&self, block: &mut [StatementNode]) -> bool {
        block.iter_mut().all(|it| match &mut it.kind {
            StatementKind::Assign { target, indices, value, .. } => {
                indices.iter_mut().for_each(|it| self.whole(it));
                self.indices(value);
                !self.names.contains(&target.text)
            }
            StatementKind::For(it) => {
                self.whole(&mut it.from);
                self.whole(&mut it.to);
                !self.names.contains(&it.variable.text) && self.block(&mut it.body)
            }
            StatementKind::If { condition, then, otherwise } => {
                self.indices(condition);
                self.block(then) && self.block(otherwise)
            }
            StatementKind::Label { body, .. } => self.block(body),
            _ => false,
        })
    }
}

/// The variables of the loops around a place, and the parameters.
fn names(listing: &Listing, path: &[usize]) -> Option<BTreeSet<String>> {
    let mut found: BTreeSet<String> =
        listing.parameters.iter().map(|it| it.name.text.clone()).collect();
    let mut block = &listing.body;
    for step in path {
        block = match &block.get(*step)?.kind {
            StatementKind::For(it) => {
                found.insert(it.variable.text.clone());
                &it.body
            }
            StatementKind::While { body, .. } | StatementKind::Label { body, .. } => body,
            StatementKind::If { then, .. } => then,
            _ => return None,
        };
    }
    Some(found)
}

/// The scalar that is assigned there, and the listing without it.
pub(crate) fn written_out(listing: &Listing, proof: &Substitution) -> Option<(String, Listing)> {
    let (at, path) = proof.path.split_last()?;
    let names = names(listing, path)?;
    let mut new = listing.clone();
    let block = block_mut(&mut new, path)?;
    let assignment = block.get(*at)?.clone();
    let StatementKind::Assign { target, declared: None, indices, value } = &assignment.kind else {
        return None;
    };
    if !indices.is_empty() || names.contains(&target.text) || !is_fixed(value, &names) {
        return None;
    }
    block.remove(*at);
    let put = Put { scalar: &target.text, value, names: &names };
    // A block needs a statement, and nothing may ask for the scalar any more.
    let is_whole = *at < block.len() && put.block(&mut block[*at..]);
    let body = new.body.clone();
    (is_whole && is_forgotten(&new, &body, &target.text)).then(|| (target.text.clone(), new))
}

pub(super) fn verify(
    before: &Program,
    after: &Program,
    proof: &Substitution,
) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::new(format!("no scalar is written out: {why}"));
    let (scalar, expected) = written_out(&before.listing, proof)
        .ok_or_else(|| wrong("none is assigned there that only indices ask for"))?;
    if expected.to_string() != after.listing.to_string() {
        return Err(wrong("the listing is another"));
    }
    // Where it is an index, it has the type of indices.
    let own = |it: &&Statement| matches!(it, Statement::Assign { target, .. } if before.scalars[target.0].name == scalar);
    let mut all = before.body.iter().flat_map(within).filter(own).peekable();
    let is_index = |it: &Statement| match it {
        Statement::Assign { target, value, .. } => {
            value.element == Type::I64 && before.scalars[target.0].element == Type::I64
        }
        _ => false,
    };
    match all.peek().is_some() && all.all(is_index) {
        true => Ok(()),
        false => Err(wrong("it is no whole number of 64 bits")),
    }
}
