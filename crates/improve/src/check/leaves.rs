//! A part of a program as its leaves: the statements that run whole, each for every point of its loops.

use std::collections::BTreeSet;

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{
    Access, ArrayId, Block, BlocksId, Expr, ExprKind, For, LoopRange, Program, ScalarId, Statement,
};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk;
use memory_machine_core::trace::AccessKind;

use super::expression::Scope;
use crate::integers::{Affine, System, Variable};

/// How the iterations of a loop follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sequence {
    /// In turn: upward or downward.
    InTurn { is_downward: bool },
    /// A range of a parallel nest.
    Nest,
    /// A range of a loop on DMMs.
    Blocks(BlocksId),
}

/// A loop around leaves.
#[derive(Debug, Clone)]
pub(super) struct Level {
    /// Its number in the program, by which levels of two leaves are the same.
    pub(super) id: usize,
    pub(super) scalar: ScalarId,
    pub(super) variable: Variable,
    pub(super) sequence: Sequence,
    /// Of a range of a nest: its first value and how many there are, if these are numbers.
    pub(super) literal: Option<(i128, i128)>,
}

/// What holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Storage {
    Array(ArrayId),
    Scalar(ScalarId),
}

/// What a leaf reads or writes.
#[derive(Debug, Clone)]
pub(super) struct Touch {
    pub(super) storage: Storage,
    pub(super) writes: bool,
    /// Whose copy of it, if there are several; `None` where that cannot be told.
    pub(super) owner: Option<Vec<Affine>>,
    /// Which cell; `None` where it is not affine.
    pub(super) cell: Option<Vec<Affine>>,
    /// When: one of these holds.
    pub(super) alternatives: Vec<System>,
    pub(super) span: Span,
}

/// A statement that runs whole.
#[derive(Debug, Clone)]
pub(super) struct Leaf<'a> {
    /// Its number in the order of the text.
    pub(super) at: usize,
    pub(super) statement: &'a Statement,
    pub(super) levels: Vec<Level>,
    pub(super) domain: System,
    pub(super) touches: Vec<Touch>,
    pub(super) span: Span,
}

/// The leaves of a block, in the order of the text.
pub(super) fn leaves<'a>(scope: &mut Scope<'_>, block: &[&'a Statement]) -> Vec<Leaf<'a>> {
    let mut found = vec![];
    let mut walker = Walker { scope, leaves: &mut found };
    for statement in block {
        walker.statement(statement, &[], &System::default());
    }
    found
}

/// The scalars that statements assign, loops' variables aside.
pub(super) fn assigned(block: &[&Statement]) -> BTreeSet<ScalarId> {
    block
        .iter()
        .flat_map(|it| within(it))
        .filter_map(|it| match it {
            Statement::Assign { target, .. } => Some(*target),
            _ => None,
        })
        .collect()
}

/// A statement, and all inside it.
pub(super) fn within(statement: &Statement) -> Vec<&Statement> {
    let mut all = vec![statement];
    all.extend(statement.blocks().flat_map(walk::statements));
    all
}

struct Walker<'s, 'p, 'a> {
    scope: &'s mut Scope<'p>,
    leaves: &'s mut Vec<Leaf<'a>>,
}

impl<'a> Walker<'_, '_, 'a> {
    fn block(&mut self, block: &'a Block, levels: &[Level], domain: &System) {
        for statement in block {
            self.statement(statement, levels, domain);
        }
    }

    fn statement(&mut self, statement: &'a Statement, levels: &[Level], domain: &System) {
        // A guard of loops' variables is part of their range.
        if let Statement::If { condition, then, otherwise, .. } = statement
            && otherwise.is_empty()
            && let Some(guard) = self.scope.conjunction(condition)
        {
            return self.block(then, levels, &domain.and(&guard));
        }
        let inner = match statement {
            Statement::Labelled { body, .. } => return self.block(body, levels, domain),
            Statement::For(For { range, body, while_true: None }) => {
                let sequence = Sequence::InTurn { is_downward: range.downward };
                Some((std::slice::from_ref(range), body, sequence))
            }
            Statement::Parallel(nest) => Some((&nest.ranges[..], &nest.body, Sequence::Nest)),
            Statement::Blocks(it) => Some((&it.ranges[..], &it.body, Sequence::Blocks(it.id))),
            _ => None,
        };
        let entered = inner.and_then(|(ranges, body, sequence)| {
            let (mut levels, mut domain) = (levels.to_vec(), domain.clone());
            for range in ranges {
                if range.bounds().any(|it| it.reads().next().is_some()) {
                    return None;
                }
                let level = self.level(range, sequence);
                domain = domain.and(&self.scope.range(range, &Affine::variable(level.variable))?);
                levels.push(level);
            }
            Some((body, levels, domain))
        });
        match entered {
            Some((body, levels, domain)) => self.block(body, &levels, &domain),
            None => self.leaf(statement, levels, domain),
        }
    }

    /// A loop whose variable is known from now on.
    fn level(&mut self, range: &LoopRange, sequence: Sequence) -> Level {
        let variable = self.scope.symbol(range.variable);
        self.scope.known.insert(range.variable, Affine::variable(variable));
        let mut system = System::default();
        let mut number = |it: &Expr| {
            let value = self.scope.affine(it, &mut system)?;
            value.terms.is_empty().then_some(value.constant)
        };
        let literal = match (number(&range.from), number(&range.to)) {
            (Some(from), Some(to)) if !range.downward && range.step.is_none() => {
                Some((from, (to - from + 1).max(0)))
            }
            _ => None,
        };
        Level { id: range.id.0, scalar: range.variable, variable, sequence, literal }
    }

    fn leaf(&mut self, statement: &'a Statement, levels: &[Level], domain: &System) {
        let mut touches = vec![];
        let mut local = Local { scope: self.scope, levels, touches: &mut touches };
        local.statement(statement, &[System::default()]);
        let span = span(statement);
        let at = self.leaves.len();
        self.leaves.push(Leaf {
            at,
            statement,
            levels: levels.to_vec(),
            domain: domain.clone(),
            touches,
            span,
        });
    }
}

/// Where a statement stands.
pub(super) fn span(statement: &Statement) -> Span {
    match statement {
        Statement::Assign { span, .. }
        | Statement::Store { span, .. }
        | Statement::While { span, .. }
        | Statement::If { span, .. } => *span,
        Statement::For(it) => it.range.span,
        Statement::Parallel(it) => it.span,
        Statement::Blocks(it) => it.span,
        Statement::Fork { span, .. } => *span,
        Statement::Labelled { body, .. } => body.first().map_or(Span::default(), span),
    }
}

/// Collects what a leaf touches.
struct Local<'s, 'p> {
    scope: &'s mut Scope<'p>,
    levels: &'s [Level],
    touches: &'s mut Vec<Touch>,
}

impl Local<'_, '_> {
    fn statement(&mut self, statement: &Statement, when: &[System]) {
        for expr in statement.expressions() {
            self.expression(expr, when);
        }
        if let Statement::For(For { while_true: Some(flag), range, .. }) = statement {
            self.scalar(*flag, false, when, range.span);
        }
        match statement {
            Statement::Assign { target, span, .. } => {
                self.scalar(*target, true, when, *span);
            }
            Statement::Store { access, .. } => self.access(access, when),
            Statement::If { condition, then, otherwise, .. } => {
                for (block, holds) in [(then, true), (otherwise, false)] {
                    let alternatives = self.scope.alternatives(condition, holds);
                    let when: Vec<System> = when
                        .iter()
                        .flat_map(|it| alternatives.iter().map(|other| it.and(other)))
                        .collect();
                    block.iter().for_each(|it| self.statement(it, &when));
                }
            }
            _ => {
                let mut when = when.to_vec();
                for range in statement.ranges() {
                    let variable = self.scope.new_variable();
                    self.scope.known.insert(range.variable, Affine::variable(variable));
                    if let Some(known) = self.scope.range(range, &Affine::variable(variable)) {
                        when = when.iter().map(|it| it.and(&known)).collect();
                    }
                }
                for block in statement.blocks() {
                    block.iter().for_each(|it| self.statement(it, &when));
                }
            }
        }
    }

    fn expression(&mut self, expr: &Expr, when: &[System]) {
        for access in expr.reads() {
            self.access(access, when);
        }
        let assigned = |it: &ScalarId| self.scope.assigned.contains(it);
        for scalar in expr.scalars().filter(assigned).collect::<Vec<_>>() {
            self.scalar(scalar, false, when, expr.span);
        }
    }

    fn access(&mut self, access: &Access, when: &[System]) {
        let mut system = System::default();
        let cell: Option<Vec<Affine>> =
            access.indices.iter().map(|it| self.scope.affine(it, &mut system)).collect();
        let is_local = self.scope.program.arrays[access.array.0].role.is_local();
        let owner = if is_local { self.owner(access.array) } else { Some(vec![]) };
        let alternatives: Vec<System> = when.iter().map(|it| it.and(&system)).collect();
        let writes = self.scope.program.sites[access.site.0].kind == AccessKind::Write;
        let (storage, span) = (Storage::Array(access.array), access.span);
        self.touches.push(Touch { storage, writes, owner, cell, alternatives, span });
    }

    /// Whose copy of a local array an access is to: the block, or the thread of it, or the iteration.
    fn owner(&self, array: ArrayId) -> Option<Vec<Affine>> {
        let program: &Program = self.scope.program;
        let of = program.blocks.iter().position(|it| it.arrays.contains(&array.0));
        let count =
            |is: &dyn Fn(Sequence) -> bool| self.levels.iter().rposition(|it| is(it.sequence));
        let levels = |end: Option<usize>| {
            let levels = &self.levels[..end.map_or(0, |it| it + 1)];
            levels.iter().map(|it| Affine::variable(it.variable)).collect::<Vec<_>>()
        };
        let Some(blocks) = of else { return Some(levels(count(&|it| it == Sequence::Nest))) };
        let end = count(&|it| it == Sequence::Blocks(BlocksId(blocks)))?;
        let mut own = levels(Some(end));
        if program.arrays[array.0].role == Role::Register {
            // Thread t has iteration t, if no thread has two.
            let mut thread = Affine::default();
            let mut all = 1_i128;
            for level in self.levels[end + 1..].iter().filter(|it| it.sequence == Sequence::Nest) {
                let (from, count) = level.literal?;
                all = all.checked_mul(count)?;
                let at = Affine::variable(level.variable).plus(&Affine::constant(from), -1)?;
                thread = thread.scale(count)?.plus(&at, 1)?;
            }
            let threads = &program.blocks[blocks].threads;
            let ExprKind::Integer(q) = threads.kind else {
                return None;
            };
            if i128::from(q) < all {
                return None;
            }
            own.push(thread);
        }
        Some(own)
    }

    fn scalar(&mut self, scalar: ScalarId, writes: bool, when: &[System], span: Span) {
        let (storage, alternatives) = (Storage::Scalar(scalar), when.to_vec());
        let [owner, cell] = [Some(vec![]), Some(vec![])];
        self.touches.push(Touch { storage, writes, owner, cell, alternatives, span });
    }
}
