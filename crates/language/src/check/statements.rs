//! Statements: assignments, loops, parallel nests, branches, labels.

use super::early_exits::ends_by_leaving;
use super::types::{TypeEstimate, Typed};
use super::vectors::{are_neighbours, reads_neighbours};
use super::{Checker, Result, taken};
use crate::access::AccessKind;
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, ArrayId, Block, LoopRange, Nest};
use crate::syntax::{self, ExprNode, Name, Order, Role, StatementKind, StatementNode, Type};

impl Checker<'_> {
    pub(super) fn block(&mut self, statements: &[StatementNode]) -> Result<Block> {
        let known = self.aliases.known.clone();
        let block = self.sequence(statements, None);
        self.aliases.known = known;
        block
    }

    /// A block that may not be reached: what it assigns is not certain afterwards.
    pub(super) fn optional_block(&mut self, statements: &[StatementNode]) -> Result<Block> {
        let before = self.assigned.clone();
        let block = self.block(statements)?;
        self.assigned = before;
        Ok(block)
    }

    pub(super) fn statement(&mut self, statement: &StatementNode, block: &mut Block) -> Result<()> {
        let span = statement.span;
        let made = match &statement.kind {
            StatementKind::Call { procedure, arguments } => {
                let name = &procedure.text;
                self.call_procedure(name, arguments, 0, procedure.span, block)?;
                return Ok(());
            }
            StatementKind::Assign { target, declared: None, indices, value }
                if are_neighbours(indices) || reads_neighbours(value) =>
            {
                return self.vector_assignment((target, indices), value, span, block);
            }
            StatementKind::Several { targets, values }
                if values.len() == 1 && reads_neighbours(&values[0]) =>
            {
                return self.vector_read(targets, &values[0], span, block);
            }
            StatementKind::Assign { target, declared, indices, value } => {
                let value = match self.calls(value) {
                    Some(_) => self.results(value, 1, block)?.remove(0),
                    None => self.typed(value)?,
                };
                return self.assigned((target, *declared, indices), value, span, block);
            }
            StatementKind::Several { targets, values } => {
                return self.several(targets, values, span, block);
            }
            StatementKind::Atomic { result, target, value } => {
                return self.atomic(result.as_ref(), target, value, span, block);
            }
            StatementKind::Swap(targets) => return self.swap(targets, span, block),
            StatementKind::Fork { calls, meanwhile } => self.fork(calls, meanwhile, span)?,
            StatementKind::Break => return self.leave_loop(span, block),
            StatementKind::Return { targets, values } => {
                return self.leave_procedure(targets, values, span, block);
            }
            StatementKind::For(it) if it.order == Order::InParallel => self.nest(it, span)?,
            StatementKind::For(it) if it.order != Order::InTurn => self.blocks(it, span)?,
            StatementKind::For(it) => self.for_loop(it, span, block)?,
            StatementKind::While { condition, decreases, body } => {
                self.while_loop((condition, decreases.as_ref()), body, span, block)?
            }
            StatementKind::Repeat { body, until } => self.repeat(body, until, span, block)?,
            StatementKind::If { condition, then, otherwise } => {
                return self.branch(condition, [then, otherwise], span, block);
            }
            StatementKind::Label { name, body } => {
                let outer = self.label.replace(name.text.clone());
                let body = self.block(body)?;
                self.label = outer;
                program::Statement::Labelled { phase: name.text.clone(), body }
            }
        };
        block.push(made);
        Ok(())
    }

    fn branch(
        &mut self,
        condition: &ExprNode,
        [then, otherwise]: [&[StatementNode]; 2],
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let condition = self.boolean(condition, "the condition of `if`")?;
        let condition = self.sized(condition);
        if let (Some(_), program::ExprKind::Boolean(holds)) = (&self.sizes, &condition.kind) {
            let arm = if *holds { then } else { otherwise };
            block.extend(self.sequence(arm, None)?);
            return Ok(());
        }
        let ends = [then, otherwise].map(ends_by_leaving);
        let before = self.assigned.clone();
        let then = self.block(then)?;
        let after_then = std::mem::replace(&mut self.assigned, before);
        let then_is_left = std::mem::take(&mut self.is_left);
        let otherwise = self.block(otherwise)?;
        self.is_left &= then_is_left;
        match ends {
            [true, _] => {}
            [_, true] => self.assigned = after_then,
            _ => self.assigned.retain(|scalar| after_then.contains(scalar)),
        }
        block.push(program::Statement::If { condition, then, otherwise, span });
        Ok(())
    }

    /// A single assignment, unless the scalar stands for a number from now on.
    fn assigned(
        &mut self,
        (target, declared, indices): (&Name, Option<Type>, &[ExprNode]),
        value: Typed,
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let is_register = declared.is_none() && indices.is_empty();
        if !is_register || !self.stands_for(target, &value, 1) {
            block.push(self.assign(target, declared, indices, value, span)?);
        }
        Ok(())
    }

    /// An assignment of a value to a scalar or to an element.
    pub(super) fn assign(
        &mut self,
        target: &Name,
        declared: Option<Type>,
        indices: &[ExprNode],
        value: Typed,
        span: Span,
    ) -> Result<program::Statement> {
        if !indices.is_empty() {
            return self.store(target, indices, value, span);
        }
        if declared.is_none()
            && let Some(ArrayId(array)) = self.array(&target.text)
            && self.arrays[array].extents.is_empty()
        {
            return self.store(target, &[], value, span);
        }
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
        let scalar = match declared {
            Some(element) => self.declare(target, element)?,
            None => self.scope.target(&target.text, value.inferred),
        };
        if !self.scope.is_declared(scalar) {
            self.widen(scalar, value.inferred, target.span)?;
        }
        self.assigned.insert(scalar);
        let value = value.coerce(self.scope.element(scalar))?;
        Ok(program::Statement::Assign { target: scalar, value, span })
    }

    fn declare(&mut self, target: &Name, element: Type) -> Result<program::ScalarId> {
        self.scope.declare(&target.text, element).map_err(|known| {
            let message = format!("`{}` is {known} already", target.text);
            Diagnostic::new(target.span, message)
                .help("declare a register where it is assigned first, with one type")
        })
    }

    fn store(
        &mut self,
        target: &Name,
        indices: &[ExprNode],
        value: Typed,
        span: Span,
    ) -> Result<program::Statement> {
        // The right side was evaluated first; then come the indices, then the write.
        let access = self.access(&target.text, indices, AccessKind::Write, target.span)?;
        let array = &self.arrays[access.array.0];
        if array.role == Role::Input {
            return Err(Diagnostic::new(
                target.span,
                format!("`{}` is an input and cannot be written", target.text),
            )
            .help("declare it `inout` if the algorithm changes it"));
        }
        let value = value.coerce(array.element)?;
        Ok(program::Statement::Store { access, value, atomic: None, span })
    }

    /// Resolves a loop's bounds and binds its variable; the caller unbinds it after the body.
    pub(super) fn range(&mut self, it: &syntax::ForNode, span: Span) -> Result<LoopRange> {
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
        let variable = self.scope.bind(&name.text, TypeEstimate::Known(Type::I64));
        self.assigned.insert(variable);
        let id = self.new_loop(Some(variable), span);
        Ok(LoopRange { id, variable, from, to, downward: it.downward, step, span })
    }

    /// Gathers the parallel loops that stand directly inside each other.
    fn nest(&mut self, outermost: &syntax::ForNode, span: Span) -> Result<program::Statement> {
        if self.in_parallel {
            return Err(Diagnostic::new(span, "a parallel loop among other statements of one")
                .help("parallel loops nest only directly inside each other; run this one in turn")
                .label("drop `in parallel` here"));
        }
        let (ranges, innermost, label) = self.directly_inside(outermost, span)?;
        if let (Some(array), true) = (innermost.arrays.first(), self.in_blocks) {
            let message = "the registers of a block's threads belong to the loop on DMMs";
            return Err(Diagnostic::new(array.name.span, message)
                .help("declare them at its head: they keep what they hold from nest to nest"));
        }
        let outer = self.local;
        if !self.in_blocks {
            self.local_arrays(&innermost.arrays)?;
        }
        self.in_parallel = true;
        let body = self.private_body(&innermost.body, label)?;
        self.in_parallel = false;
        self.local = outer;
        for _ in &ranges {
            self.scope.unbind();
        }
        Ok(program::Statement::Parallel(Nest { ranges, body, span }))
    }

    /// Gathers the parallel loops that stand directly inside each other from `outermost` on: their
    /// ranges, bound; the innermost; the label above it.
    pub(super) fn directly_inside<'b>(
        &mut self,
        outermost: &'b syntax::ForNode,
        span: Span,
    ) -> Result<(Vec<LoopRange>, &'b syntax::ForNode, Option<&'b Name>)> {
        let (mut ranges, mut innermost_label) = (vec![], None);
        let (mut loop_, mut loop_span) = (outermost, span);
        loop {
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
            match inner_parallel(loop_) {
                Some(_) if !loop_.arrays.is_empty() => {
                    let message = match loop_.order {
                        Order::OnDmms { .. } => {
                            "a block's memory belongs to the innermost loop on DMMs"
                        }
                        _ => "an iteration's registers belong to the innermost parallel loop",
                    };
                    let span = loop_.arrays[0].name.span;
                    return Err(Diagnostic::new(span, message).help("move it there"));
                }
                Some((inner, inner_span, label)) => {
                    innermost_label = label.or(innermost_label);
                    (loop_, loop_span) = (inner, inner_span);
                }
                None => return Ok((ranges, loop_, innermost_label)),
            }
        }
    }

    /// A body whose iterations run at once: what it assigns is private to the iteration.
    pub(super) fn private_body(
        &mut self,
        body: &[StatementNode],
        label: Option<&Name>,
    ) -> Result<Block> {
        let outer_label = self.label.clone();
        if let Some(label) = label {
            self.label = Some(label.text.clone());
        }
        let before = self.assigned.clone();
        // No iteration ends the others.
        let leavable = std::mem::take(&mut self.leavable);
        self.scope.enter(body);
        let body = self.block(body)?;
        self.scope.leave();
        self.leavable = leavable;
        self.assigned = before;
        self.label = outer_label;
        Ok(body)
    }
}

/// The loop that is all there is in a parallel loop, perhaps below a label, if it is as parallel.
pub(super) fn inner_parallel(
    outer: &syntax::ForNode,
) -> Option<(&syntax::ForNode, Span, Option<&Name>)> {
    only_loop(&outer.body).filter(|(inner, ..)| {
        matches!(
            (&outer.order, &inner.order),
            (Order::InParallel, Order::InParallel) | (Order::OnDmms { .. }, Order::OnDmms { .. })
        )
    })
}

/// The loop that is all there is in a block, and the innermost of the labels above it.
fn only_loop(body: &[StatementNode]) -> Option<(&syntax::ForNode, Span, Option<&Name>)> {
    let [only] = body else { return None };
    match &only.kind {
        StatementKind::For(inner) => Some((inner, only.span, None)),
        StatementKind::Label { name, body } => {
            let (inner, span, label) = only_loop(body)?;
            Some((inner, span, label.or(Some(name))))
        }
        _ => None,
    }
}
