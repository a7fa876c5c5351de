//! Which registers and arrays carry input data, statement by statement.

use std::collections::HashMap;
use std::rc::Rc;

use super::{InputDependence, OnData, Origin, place};
use crate::diagnostic::Span;
use crate::program::{
    Access, ArrayId, Block, Blocks, Expr, ExprKind, For, LoopRange, Nest, Program, ScalarId,
    Statement,
};
use crate::syntax::{BinaryOp, Role};
use crate::walk::statements;

/// Each loop level at which a scalar may lose its data doubles the work of the levels below at worst.
const DEEPEST_CLEARED: usize = 8;

/// `addresses_alone`: accesses may be skipped.
pub(super) fn analysed(program: &Program, origin: Origin, addresses_alone: bool) -> Flow<'_> {
    let arrays = program
        .arrays
        .iter()
        .enumerate()
        .filter(|(index, array)| match origin {
            Origin::Inputs => array.role.is_given(),
            Origin::AnyArray => array.role != Role::Register || program.is_private(ArrayId(*index)),
        })
        .map(|(index, array)| (ArrayId(index), Link::new(array.span, None)))
        .collect();
    let data = Data { scalars: HashMap::new(), arrays };
    let mut flow = Flow {
        program,
        origin,
        addresses_alone,
        data,
        loops: 0,
        found: None,
        on_data: OnData::default(),
    };
    flow.block(&program.body, None);
    if let Some(answer) = &program.answer {
        // It may be read from anywhere: that is no access.
        let found = flow.found.take();
        flow.expr(answer, &None);
        if flow.found.is_some() {
            flow.on_data.add_control(answer, true);
        }
        flow.found = found;
    }
    flow
}

/// Where data came from: a statement or declaration, and where that got it.
struct Link {
    span: Span,
    from: Cause,
}

type Cause = Option<Rc<Link>>;

impl Link {
    fn new(span: Span, from: Cause) -> Rc<Self> {
        Rc::new(Self { span, from })
    }
}

/// The registers and arrays that carry input data at a place of the program.
#[derive(Clone)]
struct Data {
    scalars: HashMap<ScalarId, Rc<Link>>,
    arrays: HashMap<ArrayId, Rc<Link>>,
}

impl Data {
    /// Adds what carries data on another path to the same place; says whether that was news.
    fn merge(&mut self, other: Self) -> bool {
        let before = self.scalars.len() + self.arrays.len();
        for (scalar, link) in other.scalars {
            self.scalars.entry(scalar).or_insert(link);
        }
        for (array, link) in other.arrays {
            self.arrays.entry(array).or_insert(link);
        }
        self.scalars.len() + self.arrays.len() > before
    }
}

pub(super) struct Flow<'a> {
    program: &'a Program,
    origin: Origin,
    /// Whether accesses may be skipped.
    addresses_alone: bool,
    data: Data,
    /// Loops around.
    loops: usize,
    pub(super) found: Option<InputDependence>,
    pub(super) on_data: OnData,
}

impl Flow<'_> {
    /// `control` is the data on which it depends whether this block runs.
    fn block(&mut self, block: &Block, control: Cause) {
        for statement in block {
            self.statement(statement, control.clone());
        }
    }

    fn statement(&mut self, statement: &Statement, control: Cause) {
        match statement {
            Statement::Assign { target, value, span } => {
                // All threads that are here assign the same unless the value carries data.
                let cause = self.expr(value, &control);
                match cause.or(control.filter(|_| !self.addresses_alone)) {
                    Some(cause) => {
                        self.data.scalars.insert(*target, Link::new(*span, Some(cause)));
                    }
                    None => self.clear(*target),
                }
            }
            Statement::Store { access, value, atomic, span } => {
                let mut cause = self.expr(value, &control);
                if let Some(atomic) = atomic {
                    cause =
                        cause.or(atomic.compare.as_ref().and_then(|it| self.expr(it, &control)));
                }
                // Which register is assigned tells of what decides it.
                let address = self.access(access, &control);
                let read = address.clone().or_else(|| self.data.arrays.get(&access.array).cloned());
                if let Some(cause) = cause.or(address).or(control) {
                    let link = Link::new(*span, Some(cause));
                    self.data.arrays.entry(access.array).or_insert(link);
                }
                match (atomic.as_ref().and_then(|it| it.old), read) {
                    (Some(old), Some(cause)) => {
                        self.data.scalars.insert(old, Link::new(access.span, Some(cause)));
                    }
                    (Some(old), None) => self.clear(old),
                    (None, _) => {}
                }
            }
            Statement::If { condition, then, otherwise, span } => {
                let cause = self.expr(condition, &control).map(|it| Link::new(*span, Some(it)));
                let decided = cause.clone();
                let control = cause.or(control);
                if control.is_some() {
                    self.on_data.add_control(condition, false);
                }
                let before = self.data.clone();
                self.block(then, control.clone());
                let after_then = std::mem::replace(&mut self.data, before);
                self.block(otherwise, control);
                self.data.merge(after_then);
                self.meet(decided, &[then, otherwise]);
            }
            Statement::For(For { range, body, .. }) => {
                let decided = self.ends_by_data(range, &control);
                let control = self.range(range, control);
                self.repeat(|flow| flow.block(body, control.clone()));
                self.meet(decided, &[body]);
            }
            Statement::Parallel(Nest { ranges, body, span })
            | Statement::Blocks(Blocks { ranges, body, span, .. }) => {
                // Whatever it accesses, its barriers tell when other accesses happen.
                if let Some(cause) = &control {
                    self.report(*span, "whether a parallel loop runs".to_owned(), cause);
                }
                let outer = control.clone();
                let control = ranges.iter().fold(control, |control, it| self.range(it, control));
                // Which iteration a thread has depends on how many there are.
                if let (Some(cause), None, true) = (&control, &outer, self.addresses_alone) {
                    self.report(*span, "which iterations there are".to_owned(), cause);
                }
                self.repeat(|flow| flow.block(body, control.clone()));
            }
            Statement::While { condition, body, span, .. } => {
                let mut decided = None;
                self.repeat(|flow| {
                    let cause = flow.expr(condition, &control).map(|it| Link::new(*span, Some(it)));
                    decided.clone_from(&cause);
                    let control = cause.or_else(|| control.clone());
                    if control.is_some() {
                        flow.on_data.add_control(condition, true);
                    }
                    // Evaluated again after each iteration: its own accesses depend on it too.
                    flow.expr(condition, &control);
                    flow.block(body, control);
                });
                self.meet(decided, &[body]);
            }
            Statement::Labelled { body, .. } => self.block(body, control),
            Statement::Fork { branches, .. } => {
                branches.iter().for_each(|it| self.block(it, control.clone()));
            }
        }
    }

    /// Threads that data sent different ways through `blocks` meet: what was assigned there may differ.
    fn meet(&mut self, decided: Cause, blocks: &[&Block]) {
        let (Some(cause), true) = (decided, self.addresses_alone) else { return };
        for statement in blocks.iter().flat_map(|block| statements(block)) {
            if let Statement::Assign { target, span, .. } = statement {
                let link = || Link::new(*span, Some(cause.clone()));
                self.data.scalars.entry(*target).or_insert_with(link);
            }
        }
    }

    /// On which data it depends how often a loop in turn runs.
    fn ends_by_data(&mut self, range: &LoopRange, control: &Cause) -> Cause {
        let causes = range.bounds().map(|it| self.expr(it, control));
        causes.fold(None, Option::or).map(|it| Link::new(range.span, Some(it)))
    }

    /// Whether the values that a loop variable goes through depend on data, wherever they end.
    fn begins_by_data(&mut self, range: &LoopRange) -> bool {
        let parts = [Some(&range.from), range.step.as_ref()].into_iter().flatten();
        { parts }.any(|it| self.expr(it, &None).is_some())
    }

    /// The scalar carries no data any more; deep in loops it is taken to carry what it once did.
    fn clear(&mut self, scalar: ScalarId) {
        if self.loops <= DEEPEST_CLEARED {
            self.data.scalars.remove(&scalar);
        }
    }

    /// A loop's body, until no more data flows around the loop.
    fn repeat(&mut self, mut body: impl FnMut(&mut Self)) {
        self.loops += 1;
        loop {
            let before = self.data.clone();
            body(self);
            let after = std::mem::replace(&mut self.data, before);
            if !self.data.merge(after) {
                break;
            }
        }
        self.loops -= 1;
    }

    /// Evaluates the bounds; returns on which data it depends how often the body runs.
    fn range(&mut self, range: &LoopRange, control: Cause) -> Cause {
        let causes = range.bounds().map(|it| self.expr(it, &control));
        let cause = causes.fold(None, Option::or);
        if cause.is_some() || control.is_some() {
            self.on_data.add_control(&range.from, true);
        }
        match cause.map(|it| Link::new(range.span, Some(it))) {
            Some(link) => {
                // Threads that go on are all in the same iteration, wherever they end.
                if !self.addresses_alone || self.begins_by_data(range) {
                    self.data.scalars.insert(range.variable, link.clone());
                } else {
                    self.clear(range.variable);
                }
                Some(link)
            }
            None => {
                self.clear(range.variable);
                control
            }
        }
    }

    /// What data the expression's value carries.
    fn expr(&mut self, expr: &Expr, control: &Cause) -> Cause {
        match &expr.kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Boolean(_)
            | ExprKind::Parameter(_) => None,
            ExprKind::Scalar(scalar) => self.data.scalars.get(scalar).cloned(),
            ExprKind::Element(access) => {
                let address = self.access(access, control);
                address.or_else(|| self.data.arrays.get(&access.array).cloned())
            }
            ExprKind::Convert(operand) | ExprKind::Entry(_, operand, _) => {
                let cause = self.expr(operand, control);
                self.hazard(expr, cause.is_some() || control.is_some());
                cause
            }
            ExprKind::Unary(_, operand) => self.expr(operand, control),
            ExprKind::Binary(op, left, right) => {
                let left = self.expr(left, control);
                let lazy = matches!(op, BinaryOp::And | BinaryOp::Or) && left.is_some();
                let right = self.expr(right, if lazy { &left } else { control });
                self.hazard(expr, right.is_some() || control.is_some());
                left.or(right)
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.expr(condition, control);
                let control = if condition.is_some() { &condition } else { control };
                let then = self.expr(then, control);
                let otherwise = self.expr(otherwise, control);
                condition.or(then).or(otherwise)
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                match self.expr(value, control) {
                    Some(cause) => self.data.scalars.insert(*scalar, cause),
                    None => self.data.scalars.remove(scalar),
                };
                self.expr(body, control)
            }
            // How many threads there are, data may decide.
            ExprKind::Warp(_, operands) => {
                let causes = operands.iter().map(|it| self.expr(it, control));
                causes.fold(None, Option::or).or_else(|| control.clone())
            }
        }
    }

    fn hazard(&mut self, expr: &Expr, is_on_data: bool) {
        if is_on_data && expr.hazard().is_some() && self.on_data.operations.insert(place(expr)) {
            self.on_data.failures.push(expr.span);
        }
    }

    /// What data the address carries.
    fn access(&mut self, access: &Access, control: &Cause) -> Cause {
        let causes = access.indices.iter().map(|index| self.expr(index, control));
        let address = causes.fold(None, Option::or);
        let array = &self.program.arrays[access.array.0];
        // Registers are no memory; but whether an index fits them memory decides.
        if array.role == Role::Register && (self.origin == Origin::Inputs || address.is_none()) {
            return address;
        }
        let name = &array.name;
        if let Some(cause) = &address {
            self.report(access.span, format!("the address of `{name}` accessed"), cause);
        } else if let Some(cause) = control.as_ref().filter(|_| !self.addresses_alone) {
            self.report(access.span, format!("whether `{name}` is accessed"), cause);
        }
        address
    }

    /// Keeps the dependence that stands first in the text.
    fn report(&mut self, span: Span, what: String, cause: &Rc<Link>) {
        if self.found.as_ref().is_some_and(|found| found.span.start <= span.start) {
            return;
        }
        let mut chain = vec![];
        let mut next = Some(cause);
        while let Some(link) = next {
            chain.push(link.span);
            next = link.from.as_ref();
        }
        self.found = Some(InputDependence { span, what, chain });
    }
}
