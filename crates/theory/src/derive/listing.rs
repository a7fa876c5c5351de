//! Goes through a listing and adds up what its accesses take.

use super::domain::{merged, total};
use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Polynomial, Size};
use super::scope::{Condition, NestScope, Scope, Variable, assigned, is_of_parameters};
use super::symbolizer::Symbolizer;
use super::tallies::{LoopScope, TallyKind};
use super::walk::Walk;
use super::walk::{Call, Callee};
use super::{Derived, Question};
use memory_machine_core::language::program::{
    Access, Block, Expr, ExprKind, For, LoopRange, Nest, Program, Statement, WarpOp,
};
use memory_machine_core::language::syntax::BinaryOp;

pub(super) fn derive(question: &Question<'_>) -> Derived {
    derive_body(question, &question.program.body, &[]).0
}

/// What statements take, and the calls among them: stores to these arrays.
pub(super) fn derive_body(
    question: &Question<'_>,
    body: &Block,
    procedures: &[Callee],
) -> (Derived, Vec<Call>) {
    let mut walk = Walk::new(question, procedures);
    self::walk(&mut walk, body);
    let lower = walk.lower();
    let (mut derived, calls) = (walk.derived, walk.calls);
    derived.by_transitions(question, body, procedures);
    derived.lower.splice(0..0, lower);
    for pieces in derived.pieces_mut() {
        *pieces = merged(std::mem::take(pieces));
    }
    (derived, calls)
}

/// Goes through statements.
pub(super) fn walk(walk: &mut Walk<'_>, body: &Block) {
    let mut scope = Scope::at_start(walk.question.program);
    walk.symbolizer.required(&mut scope);
    let around = walk.enter_loops(Some(LoopScope::of(&scope, None, true)));
    walk.block(body, &mut scope);
    walk.leave_loops(around);
}

/// The words of each array, if they follow from the parameters.
pub(super) fn cells(question: &Question<'_>) -> Option<Vec<Polynomial>> {
    let mut symbolizer = Symbolizer::new(question);
    let mut scope = Scope::at_start(question.program);
    let mut cells = vec![];
    for array in &question.program.arrays {
        let mut product = Polynomial::constant(1);
        for extent in &array.extents {
            product = &product * &symbolizer.value(extent, &mut scope);
        }
        cells.push((!product.is_local()).then_some(product)?);
    }
    Some(cells)
}

impl Walk<'_> {
    /// What statements may assign is not known before them in a loop, nor after them.
    pub(super) fn forget(&mut self, scalars: &[usize], scope: &mut Scope) {
        for &scalar in scalars {
            let value = self.symbolizer.unknown();
            scope.values[scalar] = Some(value);
        }
    }

    pub(super) fn block(&mut self, block: &Block, scope: &mut Scope) {
        for statement in block {
            self.statement(statement, scope);
        }
    }

    fn statement(&mut self, statement: &Statement, scope: &mut Scope) {
        if self.by_transitions && self.by_transitions(statement, scope) {
            return;
        }
        match statement {
            Statement::Assign { target, value, .. } => {
                self.reads(value, scope);
                let known = self.symbolizer.value(value, scope);
                scope.values[target.0] = Some(known);
            }
            Statement::Store { access, .. }
                if let Some(at) = self.procedures.iter().position(|it| it.0 == access.array) =>
            {
                self.call(at, access, scope);
            }
            Statement::Store { access, value, atomic, .. } => {
                self.reads(value, scope);
                let compare = atomic.as_ref().and_then(|it| it.compare.as_ref());
                compare.into_iter().for_each(|it| self.reads(it, scope));
                self.access(access, scope);
                let old: Vec<_> = atomic.iter().filter_map(|it| it.old).map(|it| it.0).collect();
                self.forget(&old, scope);
            }
            Statement::For(it) => self.sequential(it, scope),
            Statement::Parallel(it) => self.parallel(it, scope),
            Statement::While { id, condition, decreases, body, span } => {
                self.while_loop(*id, (condition, decreases.as_ref(), body), *span, scope);
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.reads(condition, scope);
                let facts = self.symbolizer.facts(condition, scope);
                let is_in_loop = scope.levels.iter().any(Level::is_repeated);
                self.places += 1;
                let number = self.places;
                for (at, arm) in [then, otherwise].into_iter().enumerate() {
                    let mut inside = scope.clone();
                    self.assume(condition, facts[at].as_ref(), at == 0, &mut inside);
                    let around = self.arms.len();
                    self.arms.extend((!is_in_loop).then_some((number, at == 0)));
                    self.block(arm, &mut inside);
                    self.arms.truncate(around);
                }
                let changed = [assigned(then), assigned(otherwise)].concat();
                self.forget(&changed, scope);
            }
            Statement::Labelled { body, .. } => self.block(body, scope),
            Statement::Fork { branches, .. } => {
                branches.iter().for_each(|it| self.block(it, scope));
            }
            Statement::Blocks(blocks) => self.blocks(blocks, scope),
        }
    }

    /// Goes where a condition holds, or does not.
    fn assume(
        &mut self,
        condition: &Expr,
        facts: Option<&Vec<Polynomial>>,
        holds: bool,
        scope: &mut Scope,
    ) {
        self.new_place(scope);
        match facts {
            // What computed values are compared with narrows the domain from below only: from above,
            // all is counted.
            Some(facts) if !is_of_parameters(condition) => {
                let (plain, others): (Vec<Polynomial>, _) =
                    facts.iter().cloned().partition(|it| scope.is_of_loops(it));
                plain.into_iter().for_each(|it| scope.facts = scope.facts.and(it));
                scope.narrower.extend(others);
            }
            Some(facts) if !facts.iter().any(Polynomial::is_local) => {
                facts.iter().for_each(|it| scope.facts = scope.facts.and(it.clone()));
            }
            _ if is_of_parameters(condition) => {
                scope.conditions.push(Condition::Holds(condition.clone(), holds));
            }
            // A part of the domain in which it holds is enough from below.
            _ => match self.symbolizer.enough(condition, holds, scope) {
                Some(facts) => scope.narrower.extend(facts),
                None => scope.sure = false,
            },
        }
    }

    /// The reads of an expression, each where it is made for sure, or perhaps.
    pub(super) fn reads(&mut self, expr: &Expr, scope: &mut Scope) {
        if is_operator(expr) {
            self.tally(TallyKind::Operation, expr.span, scope);
        }
        match &expr.kind {
            ExprKind::Element(access) => self.access(access, scope),
            ExprKind::Entry(_, index, _) => self.in_place(|walk| walk.reads(index, scope)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.reads(left, scope);
                self.perhaps(right, scope);
            }
            ExprKind::Conditional(parts) => {
                self.reads(&parts[0], scope);
                let facts = self.symbolizer.facts(&parts[0], scope);
                for (at, arm) in parts[1..].iter().enumerate() {
                    let mut inside = scope.clone();
                    self.assume(&parts[0], facts[at].as_ref(), at == 0, &mut inside);
                    // From above both arms are counted: what an access costs is seldom worth more cases.
                    let known = scope.facts.0.len();
                    inside.narrower.extend(inside.facts.0.split_off(known));
                    self.reads(arm, &mut inside);
                }
            }
            ExprKind::Let(scalar, parts) => {
                self.reads(&parts[0], scope);
                let value = self.symbolizer.value(&parts[0], scope);
                scope.values[scalar.0] = Some(value);
                self.reads(&parts[1], scope);
            }
            _ => expr.operands().for_each(|it| self.reads(it, scope)),
        }
    }

    fn perhaps(&mut self, expr: &Expr, scope: &mut Scope) {
        let sure = std::mem::replace(&mut scope.sure, false);
        self.reads(expr, scope);
        scope.sure = sure;
    }

    fn access(&mut self, access: &Access, scope: &mut Scope) {
        self.in_place(|walk| access.indices.iter().for_each(|it| walk.reads(it, scope)));
        if self.silent > 0 {
            return;
        }
        let Some(space) = self.space(access.array) else { return };
        match self.question.program.sites[access.site.0].elements() {
            None => return,
            Some(1) => {}
            Some(_) => {
                self.missing(access.span, "an access of several neighbours takes more stages")
            }
        }
        let place = (access.site, access.array);
        self.visit(place, |walk, scope| walk.cell(access, scope), &mut scope.clone());
        if scope.nest.is_some() {
            let cell = self.cell(access, scope);
            return self.of_threads(access.site, space, &cell, scope);
        }
        self.alone(access.site, space, scope);
        if scope.sure {
            let (one, facts) = (Polynomial::constant(1), scope.narrow_facts());
            let pieces = total(&scope.levels, &facts, &one, false).unwrap_or_default();
            self.requests(space, &pieces, scope);
            self.chain(space, scope);
        }
    }

    /// The array's cell from 0, row by row if its layout is no other order of dimensions.
    fn cell(&mut self, access: &Access, scope: &mut Scope) -> Polynomial {
        let array = &self.question.program.arrays[access.array.0];
        let rank = array.extents.len();
        let order = array.order_of_dimensions().unwrap_or_else(|| (0..rank).collect());
        let mut cell = Polynomial::default();
        for (place, at) in order.into_iter().enumerate() {
            if place > 0 {
                let extent = self.symbolizer.value(&array.extents[at], scope);
                cell = &cell * &extent;
            }
            cell = &cell + &self.symbolizer.value(&access.indices[at], scope);
        }
        cell
    }

    fn sequential(&mut self, it: &For, scope: &mut Scope) {
        self.in_place(|walk| it.range.bounds().for_each(|bound| walk.reads(bound, scope)));
        let mut inside = scope.clone();
        let changed = assigned(&it.body);
        self.forget(&changed, &mut inside);
        self.new_place(&mut inside);
        let in_step = inside.nest.is_some() || inside.blocks.is_some();
        match self.symbolizer.enter(&it.range, &mut inside, in_step) {
            Some(variable) => {
                inside.values[it.range.variable.0] = Some(variable.value.clone());
                inside.inner_loop(variable.atom, &variable.count(), true);
                self.note_outer(it, &variable, scope, &mut inside);
                let is_whole = it.while_true.is_none();
                let own = LoopScope::of(&inside, Some(variable), is_whole);
                let around = self.enter_loops(Some(own));
                self.block(&it.body, &mut inside);
                self.leave_loops(around);
            }
            None => self.missing(
                it.range.span,
                "its step is no positive constant, nor a product of parameters",
            ),
        }
        self.forget(&changed, scope);
        self.forget(&[it.range.variable.0], scope);
    }

    fn parallel(&mut self, it: &Nest, scope: &mut Scope) {
        let changed = assigned(&it.body);
        self.tally(TallyKind::Nest, it.span, scope);
        let mut inside = scope.clone();
        self.forget(&changed, &mut inside);
        self.new_place(&mut inside);
        inside.outer = None;
        let (outside, outer_facts) = (inside.levels.len(), inside.facts.clone());
        let first = self.symbolizer.next;
        let in_step = inside.blocks.is_some();
        let around = self.enter_loops(None);
        if let Some(variables) = self.enter_all(&it.ranges, &mut inside, in_step) {
            let steps = Some(Polynomial::constant(1));
            let inner = vec![];
            let conditions = inside.conditions.len();
            let per_thread = match &inside.blocks {
                Some(blocks) => blocks.per_thread[0].clone(),
                None => Polynomial::per(Size::Threads),
            };
            inside.nest = Some(NestScope {
                outside,
                outer_facts,
                conditions,
                per_thread,
                variables,
                first,
                inner,
                steps,
            });
            self.block(&it.body, &mut inside);
            self.end_of_nest(scope);
        }
        self.leave_loops(around);
        self.forget(&changed, scope);
        let own: Vec<usize> = it.ranges.iter().map(|it| it.variable.0).collect();
        self.forget(&own, scope);
    }
}

impl Walk<'_> {
    /// Enters loops directly inside each other.
    pub(super) fn enter_all(
        &mut self,
        ranges: &[LoopRange],
        scope: &mut Scope,
        in_step: bool,
    ) -> Option<Vec<Variable>> {
        let mut variables = vec![];
        for range in ranges {
            self.in_place(|walk| range.bounds().for_each(|bound| walk.reads(bound, scope)));
            let Some(variable) = self.symbolizer.enter(range, scope, in_step) else {
                self.missing(
                    range.span,
                    "its step is no positive constant, nor a product of parameters",
                );
                return None;
            };
            scope.values[range.variable.0] = Some(variable.value.clone());
            self.enter_loops(Some(LoopScope::of(scope, Some(variable.clone()), true)));
            variables.push(variable);
        }
        Some(variables)
    }
}

/// Whether it is an operation where it is evaluated.
const fn is_operator(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(..) | ExprKind::Binary(..) => true,
        ExprKind::Warp(op, _) => !matches!(op, WarpOp::Lane | WarpOp::Width),
        _ => false,
    }
}

impl Scope {
    fn at_start(program: &Program) -> Self {
        Self {
            levels: vec![],
            facts: Facts::default(),
            narrower: vec![],
            values: vec![None; program.scalars.len()],
            sure: true,
            conditions: vec![],
            blocks: None,
            nest: None,
            outer: None,
            place: 0,
        }
    }

    /// Notes a loop of a thread's own iteration. Its number is `in_step` if it is the same for all threads
    /// that make an access in one step.
    pub(super) fn inner_loop(&mut self, atom: Atom, count: &Polynomial, in_step: bool) {
        let most = self.most(count);
        let Some(nest) = &mut self.nest else { return };
        if in_step {
            nest.inner.push(atom);
        }
        nest.steps = nest.steps.take().zip(most).map(|(steps, most)| &steps * &most);
    }

    /// Iterations of the nest's loop `at` in all iterations of those around it.
    pub(super) fn rows(&self, at: usize) -> Option<Polynomial> {
        let nest = self.nest.as_ref()?;
        let counts = nest.variables[..=at].iter().map(|it| self.most(&it.count()));
        counts.reduce(|a, b| Some(&a? * &b?))?
    }

    /// Whether all threads of the present nest have the same value in a step.
    pub(super) fn is_in_step(&self, of: &Polynomial) -> bool {
        let Some(nest) = &self.nest else { return true };
        let own = |it: Atom| matches!(it, Atom::Local(number) if number >= nest.first);
        of.atoms().all(|it| !own(it) || nest.inner.contains(&it))
    }

    /// The most that a number of iterations is in the present nest, and no less than 0.
    fn most(&self, count: &Polynomial) -> Option<Polynomial> {
        let nest = self.nest.as_ref()?;
        let most = self.extreme(count, nest.outside, true)?;
        let slack = (0..4).map(|slack| &most + &Polynomial::constant(slack));
        slack.into_iter().find(|it| nest.outer_facts.imply(it))
    }
}
