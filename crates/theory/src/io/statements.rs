//! A listing as statements with affine domains and accesses: what a dependence graph is made of.

use crate::derive::domain::{GuardedPolynomial, total};
use crate::derive::facts::Facts;
use crate::derive::level::Level;
use crate::derive::polynomial::{Atom, Polynomial, Size, whole};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{
    Access, ArrayId, Block, Expr, ExprKind, LoopId, LoopRange, Program, ScalarId, Statement,
};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp};
use memory_machine_core::language::walk;

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Array(ArrayId),
    Scalar(ScalarId),
}

/// A place that a statement reads or writes.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub(super) place: Place,
    /// Of an array, where they are affine.
    pub(super) indices: Option<Vec<Polynomial>>,
    /// Each of them.
    pub(super) each: Vec<Index>,
    /// Whether it is read whenever the statement is executed.
    pub(super) sure: bool,
}

/// An index of an array.
#[derive(Debug, Clone)]
pub(super) enum Index {
    Affine(Polynomial),
    /// What is affine, modulo a number of 2 at least.
    Cyclic(Polynomial, i64),
    Other,
}

/// A loop around a statement: its counter is the local of the loop's depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counter {
    pub(super) id: LoopId,
    /// The loop's variable, where it is the counter itself.
    pub(super) variable: Option<ScalarId>,
    /// Whether the counter falls.
    pub(super) falls: bool,
}

/// An assignment: each execution is an operation that makes one value.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) loops: Vec<Counter>,
    /// Over the counters and the sizes.
    pub(super) domain: Facts,
    /// Whether it is executed for every point of the domain.
    pub(super) exact: bool,
    /// Whether no condition stands around it.
    pub(super) plain: bool,
    pub(super) write: Reference,
    pub(super) reads: Vec<Reference>,
    pub(super) span: Span,
}

impl Reference {
    fn scalar(id: ScalarId, sure: bool) -> Self {
        Self { place: Place::Scalar(id), indices: Some(vec![]), each: vec![], sure }
    }
}

impl Operation {
    /// How often it is executed, no more (`up`) or no less, where more facts hold.
    pub(super) fn count(&self, more: &[Polynomial], up: bool) -> Option<Vec<GuardedPolynomial>> {
        if !up && !self.exact {
            return None;
        }
        let facts = more.iter().fold(self.domain.clone(), |facts, it| facts.and(it.clone()));
        let levels: Vec<Level> = (0..self.loops.len()).map(|at| Level::Sum(counter(at))).collect();
        total(&levels, &facts, &Polynomial::constant(1), up)
    }

    /// How many loops two statements share.
    pub(super) fn shared_loops(&self, other: &Self) -> usize {
        self.loops.iter().zip(&other.loops).take_while(|(a, b)| a.id == b.id).count()
    }
}

/// The counter of the loop at a depth.
pub(super) fn counter(depth: usize) -> Atom {
    Atom::Local(u32::try_from(depth).unwrap_or(u32::MAX))
}

/// All statements, in the order of the text.
pub(super) fn operations(program: &Program) -> Vec<Operation> {
    let mut walk = Walk { values: vec![None; program.scalars.len()], ..Walk::default() };
    walk.exact = true;
    walk.block(&program.body);
    walk.operations
}

#[derive(Default)]
struct Walk {
    operations: Vec<Operation>,
    loops: Vec<Counter>,
    domain: Facts,
    exact: bool,
    conditional: bool,
    /// By scalar, where it is affine.
    values: Vec<Option<Polynomial>>,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { target, value, span } => {
                self.operation(Reference::scalar(*target, true), value, &[], *span);
                self.values[target.0] =
                    if value.element == Type::I64 { self.value(value) } else { None };
            }
            Statement::Store { access, value, span, .. } => {
                let write = self.reference(access, true);
                self.operation(write, value, &access.indices, *span);
            }
            Statement::For(it) => {
                let exact = self.exact && it.while_true.is_none();
                self.nest(std::slice::from_ref(&it.range), &it.body, exact);
            }
            Statement::Parallel(it) => self.nest(&it.ranges, &it.body, self.exact),
            Statement::Blocks(it) => self.nest(&it.ranges, &it.body, self.exact),
            Statement::While { id, body, .. } => {
                self.within(body, |walk| {
                    walk.exact = false;
                    walk.conditional = true;
                    walk.loops.push(Counter { id: *id, variable: None, falls: false });
                });
            }
            Statement::If { condition, then, otherwise, .. } => {
                for (block, holds) in [(then, true), (otherwise, false)] {
                    let facts = self.facts(condition, holds);
                    self.within(block, |walk| {
                        walk.conditional = true;
                        match facts {
                            Some(facts) => walk.domain.0.extend(facts),
                            None => walk.exact = false,
                        }
                    });
                }
            }
            Statement::Labelled { body, .. } => self.block(body),
            Statement::Fork { branches, .. } => branches.iter().for_each(|it| self.block(it)),
        }
    }

    /// A block in which more is known, or less. What it assigns is not known after it, nor, in a loop,
    /// before.
    fn within(&mut self, block: &Block, enter: impl FnOnce(&mut Self)) {
        let (loops, domain) = (self.loops.clone(), self.domain.clone());
        let (exact, conditional) = (self.exact, self.conditional);
        self.forget(block);
        enter(self);
        self.block(block);
        self.forget(block);
        (self.loops, self.domain, self.exact, self.conditional) =
            (loops, domain, exact, conditional);
    }

    fn forget(&mut self, block: &Block) {
        for statement in walk::statements(block) {
            if let Statement::Assign { target, .. } = statement {
                self.values[target.0] = None;
            }
        }
    }

    fn nest(&mut self, ranges: &[LoopRange], body: &Block, exact: bool) {
        self.within(body, |walk| {
            walk.exact = exact;
            for range in ranges {
                walk.enter(range);
            }
        });
    }

    fn enter(&mut self, range: &LoopRange) {
        let own = Polynomial::from(counter(self.loops.len()));
        let (least, most) =
            if range.downward { (&range.to, &range.from) } else { (&range.from, &range.to) };
        let ends = |walk: &Self, of, op| -> Option<Vec<Polynomial>> {
            parts(of, op).into_iter().map(|it| walk.value(it)).collect()
        };
        let step = match &range.step {
            None => Some(1),
            Some(step) => self.value(step).and_then(|it| it.as_whole()).filter(|it| *it > 0),
        };
        let lows = ends(self, least, BinaryOp::Max);
        let highs = ends(self, most, BinaryOp::Min);
        let mut counter = Counter { id: range.id, variable: None, falls: false };
        self.values[range.variable.0] = None;
        match (lows, highs, step) {
            (Some(lows), Some(highs), Some(1)) if lows.iter().any(|it| self.domain.imply(it)) => {
                counter.variable = Some(range.variable);
                counter.falls = range.downward;
                self.domain.0.extend(lows.iter().map(|low| &own - low));
                self.domain.0.extend(highs.iter().map(|high| high - &own));
                self.values[range.variable.0] = Some(own);
            }
            (Some(lows), Some(highs), Some(step)) if lows.len() == 1 && highs.len() == 1 => {
                // It counts from 0 by 1.
                let way = own.scale(&whole(step));
                let run = &highs[0] - &lows[0];
                self.domain.0.extend([own.clone(), &run - &way]);
                let value = if range.downward { &highs[0] - &way } else { &lows[0] + &way };
                self.values[range.variable.0] = Some(value);
            }
            _ => self.exact = false,
        }
        self.loops.push(counter);
    }

    fn operation(&mut self, write: Reference, value: &Expr, indices: &[Expr], span: Span) {
        let mut reads = vec![];
        self.reads(value, true, &mut reads);
        for index in indices {
            self.reads(index, true, &mut reads);
        }
        self.operations.push(Operation {
            loops: self.loops.clone(),
            domain: self.domain.clone(),
            exact: self.exact,
            plain: !self.conditional,
            write,
            reads,
            span,
        });
    }

    fn reference(&self, access: &Access, sure: bool) -> Reference {
        let each: Vec<Index> = access.indices.iter().map(|it| self.index(it)).collect();
        let affine = |it: &Index| match it {
            Index::Affine(it) => Some(it.clone()),
            _ => None,
        };
        let indices = each.iter().map(affine).collect();
        Reference { place: Place::Array(access.array), indices, each, sure }
    }

    fn index(&self, expr: &Expr) -> Index {
        if let Some(it) = self.value(expr) {
            return Index::Affine(it);
        }
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Modulo, of, by) => match (self.value(of), &by.kind) {
                (Some(of), ExprKind::Integer(by @ 2..)) => Index::Cyclic(of, *by),
                _ => Index::Other,
            },
            _ => Index::Other,
        }
    }

    fn reads(&self, expr: &Expr, sure: bool, into: &mut Vec<Reference>) {
        match &expr.kind {
            ExprKind::Element(access) => into.push(self.reference(access, sure)),
            ExprKind::Scalar(id) if self.values[id.0].is_none() => {
                into.push(Reference::scalar(*id, sure));
            }
            _ => {}
        }
        let lazy = match &expr.kind {
            ExprKind::Conditional(_) | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => 1,
            _ => usize::MAX,
        };
        for (at, operand) in expr.operands().enumerate() {
            self.reads(operand, sure && at < lazy, into);
        }
    }

    /// An affine expression: a loop's counter is multiplied by numbers alone.
    fn value(&self, expr: &Expr) -> Option<Polynomial> {
        if expr.element != Type::I64 {
            return None;
        }
        match &expr.kind {
            ExprKind::Integer(value) => Some(Polynomial::constant(*value)),
            ExprKind::Parameter(id) => Some(Size::Parameter(id.0).into()),
            ExprKind::Scalar(id) => self.values[id.0].clone(),
            ExprKind::Unary(UnaryOp::Negate, it) => Some(-&self.value(it)?),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                match op {
                    BinaryOp::Add => Some(&left + &right),
                    BinaryOp::Subtract => Some(&left - &right),
                    BinaryOp::Multiply
                        if left.as_constant().is_some() || right.as_constant().is_some() =>
                    {
                        Some(&left * &right)
                    }
                    BinaryOp::Multiply if !left.is_local() && !right.is_local() => {
                        Some(&left * &right)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What holds where a condition does, or does not.
    fn facts(&self, condition: &Expr, holds: bool) -> Option<Vec<Polynomial>> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
        match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                Some([self.facts(left, holds)?, self.facts(right, holds)?].concat())
            }
            _ => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let one = Polynomial::constant(1);
                let (less, more) = (&right - &left, &left - &right);
                Some(match (op, holds) {
                    (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => {
                        vec![&less - &one]
                    }
                    (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => vec![less],
                    (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => {
                        vec![&more - &one]
                    }
                    (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => vec![more],
                    (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => vec![less, more],
                    _ => return None,
                })
            }
        }
    }
}

/// What a nested minimum or maximum is of.
fn parts(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(it, left, right) if *it == op => {
            [parts(left, op), parts(right, op)].concat()
        }
        _ => vec![expr],
    }
}
