//! Recursion: a procedure that calls itself is unfolded as deep as its sizes say. So a listing with one
//! is a program for certain values of its parameters. They are numbers in it, what is computed from
//! numbers alone is a number, and of an `if` that numbers decide one arm is left.

use std::collections::HashSet;

use super::constants::folded;
use super::types::Typed;
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{Expr, ExprKind};
use crate::syntax::{self, Name, Procedure, StatementKind, StatementNode, Target, Type};

/// Calls of procedures by themselves inside each other.
const DEEPEST: usize = 32;
/// Expressions of a listing whose procedures are unfolded.
const MOST_EXPRESSIONS: usize = 1 << 19;

/// The procedures that call themselves, perhaps by way of others, by their numbers.
pub(crate) fn recursive(procedures: &[Procedure]) -> Vec<usize> {
    let called = |it: &Procedure| -> Vec<usize> {
        let is_called = |name: &str| all(&it.body).any(|one| calls(one, name));
        (0..procedures.len()).filter(|&at| is_called(&procedures[at].name.text)).collect()
    };
    let called: Vec<Vec<usize>> = procedures.iter().map(called).collect();
    let calls_itself = |first: &usize| {
        let (mut open, mut seen) = (called[*first].clone(), HashSet::new());
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(&called[next]);
            }
        }
        seen.contains(first)
    };
    (0..procedures.len()).filter(calls_itself).collect()
}

impl Checker<'_> {
    /// A call by the procedure itself goes one deeper; nothing is deeper than it may be.
    pub(super) fn unfolds(&self, name: &str, span: Span) -> Result<()> {
        if self.recursion > DEEPEST {
            let message =
                format!("`{name}` calls itself more than {DEEPEST} times inside each other");
            return Err(Diagnostic::new(span, message).help(
                "let an `if` end it whose condition follows from extents and parameters; a parameter is \
                 known by its default, `f(n = 16)`, or by --set n=16",
            ));
        }
        if self.sizes.is_some() && self.expressions > MOST_EXPRESSIONS {
            let message = format!("`{name}` unfolds to more than {MOST_EXPRESSIONS} expressions");
            return Err(Diagnostic::new(span, message).help(
                "choose smaller sizes, or end the recursion at larger ones by a procedure with loops",
            ));
        }
        Ok(())
    }

    /// An expression whose value may decide how deep a recursion goes: a number, if it is one.
    pub(super) fn sized(&self, expr: Expr) -> Expr {
        if self.sizes.is_some() { folded(expr) } else { expr }
    }

    /// Notes what a scalar stands for, if it is a number, and if the statements around assign the scalar
    /// as often as `times`, so that it never changes.
    pub(super) fn stands_for(&mut self, name: &Name, value: &Typed, times: usize) -> bool {
        let is_free = self.sizes.is_some() && self.declared(&name.text).is_none();
        if !is_free || !matches!(value.expr.element, Type::I64 | Type::I32) {
            return false;
        }
        let expr = folded(value.expr.clone());
        let assigned = all(self.body).flat_map(targets).filter(|it| *it == name.text).count();
        let is_number = matches!(expr.kind, ExprKind::Integer(_)) && assigned == times;
        if is_number {
            self.aliases.known.insert(name.text.clone(), Typed { expr, ..*value });
        }
        is_number
    }
}

/// Statements, and those inside them.
pub(crate) fn all(statements: &[StatementNode]) -> Box<dyn Iterator<Item = &StatementNode> + '_> {
    let inside = |it| std::iter::once(it).chain(blocks(it).into_iter().flat_map(all));
    Box::new(statements.iter().flat_map(inside))
}

fn blocks(statement: &StatementNode) -> [&[StatementNode]; 2] {
    match &statement.kind {
        StatementKind::For(it) => [&it.body, &[]],
        StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::Label { body, .. } => [body, &[]],
        StatementKind::If { then, otherwise, .. } => [then, otherwise],
        StatementKind::Fork { calls, meanwhile } => [calls, meanwhile],
        _ => [&[], &[]],
    }
}

fn calls(statement: &StatementNode, procedure: &str) -> bool {
    let is_call = |value: &syntax::ExprNode| matches!(&value.kind, syntax::ExprNodeKind::Call { function, .. } if function == procedure);
    match &statement.kind {
        StatementKind::Call { procedure: it, .. } => it.text == procedure,
        StatementKind::Assign { value, .. } => is_call(value),
        StatementKind::Several { values, .. } | StatementKind::Return { values, .. } => {
            values.iter().any(is_call)
        }
        _ => false,
    }
}

/// The scalars that a statement itself assigns.
fn targets(statement: &StatementNode) -> Vec<&str> {
    let several: &[Target] = match &statement.kind {
        StatementKind::Assign { target, indices, .. } if indices.is_empty() => {
            return vec![&target.text];
        }
        StatementKind::Atomic { result: Some(result), .. } => return vec![&result.text],
        StatementKind::For(it) => return vec![&it.variable.text],
        StatementKind::Several { targets, .. } | StatementKind::Return { targets, .. } => targets,
        StatementKind::Swap(targets) => targets,
        _ => &[],
    };
    several.iter().filter(|it| it.indices.is_empty()).map(|it| &*it.name.text).collect()
}
