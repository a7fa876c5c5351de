//! Statements: assignments, loops, parallel nests, branches, labels.

use super::types::Inferred;
use super::{Checker, Result, taken};
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::{self, Block, Nest, Range};
use crate::language::syntax::{self, Expr, Name, Role, Statement, StatementKind, Type};
use crate::trace::Kind;

impl Checker<'_> {
    pub(super) fn block(&mut self, statements: &[Statement]) -> Result<Block> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    /// A block that may not be reached: what it assigns is not certain afterwards.
    fn optional_block(&mut self, statements: &[Statement]) -> Result<Block> {
        let before = self.assigned.clone();
        let block = self.block(statements)?;
        self.assigned = before;
        Ok(block)
    }

    fn statement(&mut self, statement: &Statement) -> Result<program::Statement> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, indices, value } if indices.is_empty() => {
                self.assign(target, value, span)
            }
            StatementKind::Assign { target, indices, value } => {
                self.store(target, indices, value, span)
            }
            StatementKind::For(it) if it.parallel => self.nest(it, span),
            StatementKind::For(it) => {
                let range = self.range(it, span)?;
                let body = self.optional_block(&it.body)?;
                self.scope.unbind();
                Ok(program::Statement::For(program::For { range, body }))
            }
            StatementKind::While { condition, body } => {
                let id = self.new_loop(None, span);
                let condition = self.boolean(condition, "the condition of `while`")?;
                let body = self.optional_block(body)?;
                Ok(program::Statement::While { id, condition, body, span })
            }
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.boolean(condition, "the condition of `if`")?;
                let before = self.assigned.clone();
                let then = self.block(then)?;
                let after_then = std::mem::replace(&mut self.assigned, before);
                let otherwise = self.block(otherwise)?;
                self.assigned.retain(|scalar| after_then.contains(scalar));
                Ok(program::Statement::If { condition, then, otherwise, span })
            }
            StatementKind::Label { name, body } => {
                let outer = self.label.replace(name.text.clone());
                let body = self.block(body)?;
                self.label = outer;
                Ok(program::Statement::Labelled { phase: name.text.clone(), body })
            }
        }
    }

    fn assign(&mut self, target: &Name, value: &Expr, span: Span) -> Result<program::Statement> {
        match self.declared(&target.text) {
            Some("an array") => {
                return Err(Diagnostic::new(
                    target.span,
                    format!("`{}` is an array; an assignment goes to one element", target.text),
                )
                .help(format!("write `{}[…] ← …`", target.text)));
            }
            Some(other) => {
                return Err(Diagnostic::new(
                    target.span,
                    format!("`{}` is {other} and cannot be assigned", target.text),
                ));
            }
            None if self.scope.is_bound(&target.text) => {
                return Err(Diagnostic::new(
                    target.span,
                    format!("`{}` is a loop variable and cannot be assigned", target.text),
                )
                .help("copy it to another scalar, or use `while`"));
            }
            None => {}
        }
        let value = self.typed(value)?;
        let scalar = self.scope.target(&target.text, value.inferred);
        self.widen(scalar, value.inferred, target.span)?;
        self.assigned.insert(scalar);
        let value = value.coerce(self.scope.element(scalar))?;
        Ok(program::Statement::Assign { target: scalar, value, span })
    }

    fn store(
        &mut self,
        target: &Name,
        indices: &[Expr],
        value: &Expr,
        span: Span,
    ) -> Result<program::Statement> {
        // The right side is evaluated first, then the indices, then the write.
        let value = self.typed(value)?;
        let access = self.access(&target.text, indices, Kind::Write, target.span)?;
        let array = &self.arrays[access.array.0];
        if array.role == Role::Input {
            return Err(Diagnostic::new(
                target.span,
                format!("`{}` is an input and cannot be written", target.text),
            )
            .help("declare it `inout` if the algorithm changes it"));
        }
        let value = value.coerce(array.element)?;
        Ok(program::Statement::Store { access, value, span })
    }

    /// Resolves a loop's bounds and binds its variable; the caller unbinds it after the body.
    fn range(&mut self, it: &syntax::For, span: Span) -> Result<Range> {
        let from = self.integer(&it.from, "a loop bound")?;
        let to = self.integer(&it.to, "a loop bound")?;
        let step = match &it.step {
            Some(step) => Some(self.integer(step, "a step")?),
            None => None,
        };
        let name = &it.variable;
        if let Some(other) = self.declared(&name.text) {
            return Err(taken(name, other));
        }
        if self.scope.is_bound(&name.text) {
            return Err(taken(name, "the variable of a loop around this one"));
        }
        if self.scope.lookup(&name.text).is_some() || self.scope.is_private(&name.text) {
            return Err(taken(name, "a scalar"));
        }
        let variable = self.scope.bind(&name.text, Inferred::Known(Type::I64));
        self.assigned.insert(variable);
        let id = self.new_loop(Some(variable), span);
        Ok(Range { id, variable, from, to, downward: it.downward, step, span })
    }

    /// Gathers the parallel loops that stand directly inside each other.
    fn nest(&mut self, outermost: &syntax::For, span: Span) -> Result<program::Statement> {
        if self.in_parallel {
            return Err(Diagnostic::new(span, "a parallel loop among other statements of one")
                .help("parallel loops nest only directly inside each other; run this one in turn")
                .label("drop `in parallel` here"));
        }
        let (mut ranges, mut labels) = (vec![], vec![]);
        let (mut loop_, mut loop_span) = (outermost, span);
        let body = loop {
            let sites = self.sites.len();
            ranges.push(self.range(loop_, loop_span)?);
            if ranges.len() > 1 && self.sites.len() > sites {
                return Err(Diagnostic::new(
                    loop_span,
                    "an inner parallel loop's bounds read an array",
                )
                .help(
                    "flattening needs the bounds before the loop starts: drop `in parallel` here",
                ));
            }
            match inner_parallel(&loop_.body) {
                Some((inner, inner_span, label)) => {
                    labels.extend(label);
                    (loop_, loop_span) = (inner, inner_span);
                }
                None => break &loop_.body,
            }
        };
        let outer_label = self.label.clone();
        if let Some(label) = labels.last() {
            self.label = Some(label.text.clone());
        }
        let before = self.assigned.clone();
        self.in_parallel = true;
        self.scope.enter_nest(body);
        let body = self.block(body)?;
        self.scope.leave_nest();
        self.in_parallel = false;
        self.assigned = before;
        self.label = outer_label;
        for _ in &ranges {
            self.scope.unbind();
        }
        Ok(program::Statement::Parallel(Nest { ranges, body, span }))
    }
}

/// The parallel loop that is all there is in `body`, perhaps below a label.
fn inner_parallel(body: &[Statement]) -> Option<(&syntax::For, Span, Option<&Name>)> {
    let [only] = body else { return None };
    match &only.kind {
        StatementKind::For(inner) if inner.parallel => Some((inner, only.span, None)),
        StatementKind::Label { name, body } => {
            let (inner, span, label) = inner_parallel(body)?;
            Some((inner, span, label.or(Some(name))))
        }
        _ => None,
    }
}
