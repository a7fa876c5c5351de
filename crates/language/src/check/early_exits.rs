//! Sequential loops, and how `break` leaves them, and `return` a procedure or the algorithm. What may
//! be left has a register that tells whether it still goes on; what would be done after a `break` is
//! done only if it does. So whatever looks at a program need not know of `break`: it is a branch on a
//! register.

use super::recursion_unfolding::all;
use super::types::TypeEstimate;
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, Block, ExprKind, ScalarId};
use crate::syntax::{self, BinaryOp, Name, StatementKind, StatementNode, Target, Type, UnaryOp};

/// Each statement that may leave a loop puts what follows it one deeper.
const MOST_LEAVING: usize = 50;
/// Deepest nesting of blocks with those of the procedures that they call; later passes recurse as deep.
const DEEPEST: usize = 250;

/// What may be left.
pub(super) struct Exits {
    /// The register that tells whether it goes on, if it is left anywhere.
    going: Option<ScalarId>,
    /// Not a procedure, nor the algorithm.
    is_loop: bool,
}

impl Checker<'_> {
    /// The statements of a procedure or of the algorithm, which `return` leaves.
    pub(super) fn returnable(
        &mut self,
        results: Vec<Name>,
        body: &[StatementNode],
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let going = match body {
            // Nothing comes after it.
            [before @ .., last] if is_return(last) => may_return(before),
            all => may_return(all),
        };
        let going = going.then(|| self.going(span, block));
        let outer = std::mem::replace(&mut self.leavable, vec![Exits { going, is_loop: false }]);
        let outer_results = std::mem::replace(&mut self.results, results);
        block.extend(self.sequence(body, None)?);
        (self.leavable, self.results) = (outer, outer_results);
        self.is_left = false;
        Ok(())
    }

    /// What is done in a loop that has this register if it may be left.
    fn in_loop<T>(
        &mut self,
        going: Option<ScalarId>,
        inside: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.leavable.push(Exits { going, is_loop: true });
        let result = inside(self)?;
        self.leavable.pop();
        self.is_left = false;
        Ok(result)
    }

    pub(super) fn for_loop(
        &mut self,
        it: &syntax::ForNode,
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let range = self.range(it, span)?;
        let while_true = may_leave(&it.body).then(|| self.going(span, block));
        let mut body = self.in_loop(while_true, |checker| checker.optional_block(&it.body))?;
        self.scope.unbind();
        if let Some(going) = while_true {
            body = vec![if_true(going, body, span)];
        }
        Ok(program::Statement::For(program::For { range, body, while_true }))
    }

    pub(super) fn while_loop(
        &mut self,
        (condition, decreases): (&syntax::ExprNode, Option<&syntax::ExprNode>),
        body: &[StatementNode],
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let id = self.new_loop(None, span);
        let going = may_leave(body).then(|| self.going(span, block));
        let mut condition = self.boolean(condition, "the condition of `while`")?;
        if let Some(going) = going {
            let operands = (Box::new(scalar(going, span)), Box::new(condition));
            condition = boolean(ExprKind::Binary(BinaryOp::And, operands.0, operands.1), span);
        }
        let decreases = decreases.map(|it| self.measure(it)).transpose()?;
        let body = self.in_loop(going, |checker| checker.optional_block(body))?;
        Ok(program::Statement::While { id, condition, decreases, body, span })
    }

    /// What falls from iteration to iteration: nobody evaluates it, so it has no accesses.
    fn measure(&mut self, it: &syntax::ExprNode) -> Result<program::Expr> {
        let measure = self.integer(it, "what `decreases`")?;
        if measure.reads().next().is_some() {
            return Err(Diagnostic::new(it.span, "what `decreases` reads no array")
                .help("write it with scalars and parameters, as in `decreases n - round`"));
        }
        Ok(measure)
    }

    /// What its body assigns is certain afterwards, unless that may leave it before.
    pub(super) fn repeat(
        &mut self,
        body: &[StatementNode],
        until: &syntax::ExprNode,
        span: Span,
        block: &mut Block,
    ) -> Result<program::Statement> {
        let id = self.new_loop(None, span);
        let going = self.going(span, block);
        let before = may_leave(body).then(|| self.assigned.clone());
        let body =
            self.in_loop(Some(going), |checker| checker.sequence(body, Some((going, until))))?;
        if let Some(before) = before {
            self.assigned = before;
        }
        let condition = scalar(going, span);
        Ok(program::Statement::While { id, condition, decreases: None, body, span })
    }

    /// Statements one after another; behind the last, if the loop is not left before, what decides
    /// whether a `repeat` goes on.
    pub(super) fn sequence(
        &mut self,
        statements: &[StatementNode],
        until: Option<(ScalarId, &syntax::ExprNode)>,
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
            let left = self.left;
            self.statement(statement, &mut block)?;
            let rest = &statements[at + 1..];
            let is_last = rest.is_empty() && until.is_none();
            if is_last || self.left == left || !leaves(statement) {
                continue;
            }
            if let (true, Some(next)) = (is_leaving(statement), rest.first()) {
                let word = if is_return(statement) { "return" } else { "break" };
                let message = format!("nothing is done after a `{word}`");
                return Err(Diagnostic::new(next.span, message)
                    .help(format!("put the `{word}` under an `if`, or leave out what follows")));
            }
            if self.is_left {
                self.nesting -= 1;
                return Ok(block);
            }
            self.leaving += 1;
            if self.leaving > MOST_LEAVING {
                let message = format!("more than {MOST_LEAVING} statements that may leave a loop");
                return Err(Diagnostic::new(statement.span, message)
                    .help("join their conditions with `or`"));
            }
            let rest = self.sequence(rest, until)?;
            self.leaving -= 1;
            self.is_left = false;
            if let Some(Exits { going: Some(going), .. }) = self.leavable.last() {
                block.push(if_true(*going, rest, statement.span));
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
    pub(super) fn leave_loop(&mut self, span: Span, block: &mut Block) -> Result<()> {
        let Some(Exits { going, is_loop: true }) = self.leavable.last() else {
            return Err(Diagnostic::new(span, "`break` outside of a loop in turn").help(
                "it leaves the innermost `for … do`, `while` or `repeat`; the iterations of a \
                 parallel loop do not end each other",
            ));
        };
        block.extend(going.map(|it| ends(it, span)));
        (self.left, self.is_left) = (self.left + 1, true);
        Ok(())
    }

    /// `return`: it leaves all loops around, too.
    pub(super) fn leave_procedure(
        &mut self,
        targets: &[Target],
        values: &[syntax::ExprNode],
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        if self.leavable.first().is_none_or(|it| it.is_loop) {
            return Err(Diagnostic::new(span, "`return` inside a parallel loop")
                .help("iterations do not end each other: put the rest of this one under an `if`"));
        }
        if !targets.is_empty() {
            self.several(targets, values, span, block)?;
        }
        let has_value = |it: &&Name| {
            let scalar = self.scope.lookup(&it.text);
            self.aliases.known.contains_key(&it.text)
                || scalar.is_some_and(|it| self.assigned.contains(&it))
        };
        if let Some(name) = self.results.iter().find(|it| !has_value(it)) {
            let message = format!("`{}` may have no value at this `return`", name.text);
            return Err(Diagnostic::new(span, message)
                .help("assign the result before, or write its value behind `return`"));
        }
        block.extend(self.leavable.iter().filter_map(|it| it.going).map(|it| ends(it, span)));
        (self.left, self.is_left) = (self.left + 1, true);
        Ok(())
    }

    /// A register that is true before the loop begins.
    fn going(&mut self, span: Span, block: &mut Block) -> ScalarId {
        let target = self.scope.unnamed("going", TypeEstimate::Known(Type::Bool));
        self.assigned.insert(target);
        let value = boolean(ExprKind::Boolean(true), span);
        block.push(program::Statement::Assign { target, value, span });
        target
    }
}

fn is_return(statement: &StatementNode) -> bool {
    matches!(statement.kind, StatementKind::Return { .. })
}

/// `break` or `return`.
fn is_leaving(statement: &StatementNode) -> bool {
    statement.kind == StatementKind::Break || is_return(statement)
}

/// Whether a statement may leave the loop or the procedure around it.
fn leaves(statement: &StatementNode) -> bool {
    match &statement.kind {
        StatementKind::If { then, otherwise, .. } => may_leave(then) || may_leave(otherwise),
        StatementKind::Label { body, .. } => may_leave(body),
        StatementKind::For(syntax::ForNode { body, .. })
        | StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. } => may_return(body),
        _ => is_leaving(statement),
    }
}

pub(super) fn may_leave(statements: &[StatementNode]) -> bool {
    statements.iter().any(leaves)
}

fn may_return(statements: &[StatementNode]) -> bool {
    all(statements).any(is_return)
}

/// Whether what follows a block is never done after it.
pub(super) fn ends_by_leaving(block: &[StatementNode]) -> bool {
    block.last().is_some_and(is_leaving)
}

fn ends(going: ScalarId, span: Span) -> program::Statement {
    program::Statement::Assign {
        target: going,
        value: boolean(ExprKind::Boolean(false), span),
        span,
    }
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
