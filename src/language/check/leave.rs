//! Sequential loops, and how `break` leaves them. A loop that may be left has a register that tells
//! whether it still goes on; what would be done after a `break` is done only if it does. So whatever
//! looks at a program need not know of `break`: it is a branch on a register.

use super::types::Inferred;
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::{self, Block, ExprKind, ScalarId};
use crate::language::syntax::{self, BinaryOp, Statement, StatementKind, Type, UnaryOp};

/// Each statement that may leave a loop puts what follows it one deeper.
const MOST_LEAVING: usize = 50;
/// Deepest nesting of blocks with those of the procedures that they call; later passes recurse as deep.
const DEEPEST: usize = 250;

impl Checker<'_> {
    pub(super) fn for_loop(
        &mut self,
        it: &syntax::For,
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let range = self.range(it, span)?;
        let while_true = may_break(&it.body).then(|| self.going(span, block));
        let outer = self.going.replace(while_true);
        let mut body = self.optional_block(&it.body)?;
        self.going = outer;
        self.scope.unbind();
        if let Some(going) = while_true {
            body = vec![if_true(going, body, span)];
        }
        Ok(program::Statement::For(program::For { range, body, while_true }))
    }

    pub(super) fn while_loop(
        &mut self,
        condition: &syntax::Expr,
        body: &[Statement],
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let id = self.new_loop(None, span);
        let going = may_break(body).then(|| self.going(span, block));
        let mut condition = self.boolean(condition, "the condition of `while`")?;
        if let Some(going) = going {
            let operands = (Box::new(scalar(going, span)), Box::new(condition));
            condition = boolean(ExprKind::Binary(BinaryOp::And, operands.0, operands.1), span);
        }
        let outer = self.going.replace(going);
        let body = self.optional_block(body)?;
        self.going = outer;
        Ok(program::Statement::While { id, condition, body, span })
    }

    /// What its body assigns is certain afterwards, unless that may leave it before.
    pub(super) fn repeat(
        &mut self,
        body: &[Statement],
        until: &syntax::Expr,
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let id = self.new_loop(None, span);
        let going = self.going(span, block);
        let outer = self.going.replace(Some(going));
        let before = may_break(body).then(|| self.assigned.clone());
        let body = self.sequence(body, Some((going, until)))?;
        if let Some(before) = before {
            self.assigned = before;
        }
        self.going = outer;
        Ok(program::Statement::While { id, condition: scalar(going, span), body, span })
    }

    /// Statements one after another; behind the last, if the loop is not left before, what decides
    /// whether a `repeat` goes on.
    pub(super) fn sequence(
        &mut self,
        statements: &[Statement],
        until: Option<(ScalarId, &syntax::Expr)>,
    ) -> Result<Block> {
        self.nesting += 1;
        if self.nesting > DEEPEST {
            let span = statements.first().map_or(Span::default(), |it| it.span);
            let message = format!("blocks and procedures are nested more than {DEEPEST} deep");
            return Err(
                Diagnostic::new(span, message).help("split the listing over fewer procedures")
            );
        }
        let mut block = vec![];
        for (at, statement) in statements.iter().enumerate() {
            self.statement(statement, &mut block)?;
            let rest = &statements[at + 1..];
            let is_last = rest.is_empty() && until.is_none();
            if is_last || !breaks(statement) {
                continue;
            }
            if let (StatementKind::Break, Some(next)) = (&statement.kind, rest.first()) {
                return Err(Diagnostic::new(next.span, "nothing is done after a `break`")
                    .help("put the `break` under an `if`, or leave out what follows"));
            }
            self.leaving += 1;
            if self.leaving > MOST_LEAVING {
                let message = format!("more than {MOST_LEAVING} statements that may leave a loop");
                return Err(Diagnostic::new(statement.span, message)
                    .help("join their conditions with `or`"));
            }
            let rest = self.sequence(rest, until)?;
            self.leaving -= 1;
            if let Some(Some(going)) = self.going {
                block.push(if_true(going, rest, statement.span));
            }
            self.nesting -= 1;
            return Ok(block);
        }
        if let Some((going, until)) = until {
            let until = self.boolean(until, "the condition of `until`")?;
            let span = until.span;
            let value = boolean(ExprKind::Unary(UnaryOp::Not, Box::new(until)), span);
            block.push(program::Statement::Assign { target: going, value, span });
        }
        self.nesting -= 1;
        Ok(block)
    }

    /// `break`.
    pub(super) fn leave_loop(&self, span: Span) -> Result<program::Statement> {
        let Some(Some(target)) = self.going else {
            return Err(Diagnostic::new(span, "`break` outside of a loop in turn").help(
                "it leaves the innermost `for … do`, `while` or `repeat`; the iterations of a \
                 parallel loop do not end each other",
            ));
        };
        let value = boolean(ExprKind::Boolean(false), span);
        Ok(program::Statement::Assign { target, value, span })
    }

    /// A register that is true before the loop begins.
    fn going(&mut self, span: Span, block: &mut Block) -> ScalarId {
        let target = self.scope.unnamed("going", Inferred::Known(Type::Bool));
        self.assigned.insert(target);
        let value = boolean(ExprKind::Boolean(true), span);
        block.push(program::Statement::Assign { target, value, span });
        target
    }
}

/// Whether a statement may leave the loop around it.
fn breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::If { then, otherwise, .. } => may_break(then) || may_break(otherwise),
        StatementKind::Label { body, .. } => may_break(body),
        _ => false,
    }
}

fn may_break(statements: &[Statement]) -> bool {
    statements.iter().any(breaks)
}

/// Whether what follows a block is never done after it.
pub(super) fn ends_in_break(block: &[Statement]) -> bool {
    block.last().is_some_and(|it| it.kind == StatementKind::Break)
}

fn boolean(kind: ExprKind, span: Span) -> program::Expr {
    program::Expr { kind, element: Type::Bool, span }
}

fn scalar(scalar: ScalarId, span: Span) -> program::Expr {
    boolean(ExprKind::Scalar(scalar), span)
}

fn if_true(going: ScalarId, then: Block, span: Span) -> program::Statement {
    let condition = scalar(going, span);
    program::Statement::If { condition, then, otherwise: vec![], span }
}
