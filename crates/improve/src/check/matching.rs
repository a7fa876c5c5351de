//! Whether two pieces of two programs are the same, up to names, loops' variables put in terms of
//! others, and arrays whose indices are permuted.

use std::collections::{BTreeMap, BTreeSet};

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{
    Access, ArrayId, Block, Expr, ExprKind, LoopRange, Program, ScalarId, SiteId, Statement,
};
use memory_machine_core::language::syntax::Role;

use super::expression::Scope;
use crate::integers::{Affine, System, Variable};

/// What is known to be the same in both programs.
#[derive(Clone)]
pub(super) struct Matching<'a> {
    pub(super) before: &'a Program,
    pub(super) after: &'a Program,
    /// A scalar of the first, and the one of the second.
    pub(super) scalars: BTreeMap<ScalarId, ScalarId>,
    /// An array of the first, the one of the second, and which index of the first stands at each place.
    pub(super) arrays: BTreeMap<ArrayId, (ArrayId, Vec<usize>)>,
    /// A scalar of the first that is a register of the second.
    pub(super) registers: BTreeMap<ScalarId, ArrayId>,
    /// Names of such scalars, with the registers' names.
    pub(super) register_names: BTreeMap<String, String>,
    /// An array of the first of which one cell is a scalar of the second.
    pub(super) held: Option<(ArrayId, ScalarId)>,
    /// An array of the first of which the second reads a copy, the copy, and where it does so.
    pub(super) copy: Option<(ArrayId, ArrayId)>,
    pub(super) copied: Vec<CopyRead>,
    /// Variables of the first program's loops in terms of the second's.
    pub(super) forms: BTreeMap<Variable, Affine>,
}

/// A read of a copy, with the cell of the array that is meant: in terms of the second's variables.
#[derive(Clone)]
pub(super) struct CopyRead {
    pub(super) site: SiteId,
    pub(super) cell: Vec<Affine>,
    pub(super) meant: Vec<Affine>,
    pub(super) span: Span,
}

/// Numbers of variables of the scalars of the first program begin here.
pub(super) const BEFORE: Variable = 1 << 20;
/// Those of the second.
pub(super) const AFTER: Variable = 1 << 21;

impl<'a> Matching<'a> {
    /// With the arrays of global memory, which have their names.
    pub(super) fn new(
        [before, after]: [&'a Program; 2],
        permutations: &BTreeMap<String, Vec<usize>>,
    ) -> Result<Self, String> {
        if before.parameters != after.parameters {
            return Err("the parameters are not the same".to_owned());
        }
        // Whoever calls gives arrays in their order.
        let outside = |it: &Program| {
            let all = it.global_arrays().filter(|it| it.role != Role::Work);
            all.map(|it| it.name.clone()).collect::<Vec<_>>()
        };
        if outside(before) != outside(after) {
            return Err(
                "the arrays that are given and the results are not in their order".to_owned()
            );
        }
        let mut it = Self {
            before,
            after,
            scalars: BTreeMap::new(),
            arrays: BTreeMap::new(),
            registers: BTreeMap::new(),
            held: None,
            copy: None,
            copied: vec![],
            register_names: BTreeMap::new(),
            forms: BTreeMap::new(),
        };
        for (at, array) in before.global_arrays().enumerate() {
            let name = &array.name;
            let other = after.array_named(name).ok_or_else(|| format!("`{name}` is gone"))?;
            let identity: Vec<usize> = (0..array.extents.len()).collect();
            let order = permutations.get(name).cloned().unwrap_or_else(|| identity.clone());
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if sorted != identity {
                return Err(format!("the order of the indices of `{name}` is no permutation"));
            }
            if order != identity && array.role != Role::Work {
                return Err(format!("`{name}` is given or a result: its indices must stay"));
            }
            if !it.array(ArrayId(at), other, order) {
                return Err(format!("`{name}` is not declared as before"));
            }
        }
        if before.global_arrays().count() != after.global_arrays().count() {
            return Err("there is another array".to_owned());
        }
        Ok(it)
    }

    fn array(&mut self, before: ArrayId, after: ArrayId, order: Vec<usize>) -> bool {
        let (p, q) = (&self.before.arrays[before.0], &self.after.arrays[after.0]);
        let is_like =
            p.role == q.role && p.element == q.element && p.extents.len() == q.extents.len();
        // A shared array may have more room than it needs.
        let is_shared = p.role == Role::Shared;
        let mut fits = |p: &Expr, q: &Expr| match (self.old_sum(p), sum(self.after, AFTER, q)) {
            (Some(p), Some(q)) if is_shared => {
                q.plus(&p, -1).is_some_and(|it| it.terms.is_empty() && it.constant >= 0)
            }
            _ => self.expr(p, q),
        };
        if !is_like || !order.iter().zip(&q.extents).all(|(at, q)| fits(&p.extents[*at], q)) {
            return false;
        }
        self.arrays.insert(before, (after, order));
        true
    }

    /// Two scalars stand for each other from now on, unless one of them stands for another.
    pub(super) fn scalar(&mut self, before: ScalarId, after: ScalarId) -> bool {
        if let Some(known) = self.scalars.get(&before) {
            return *known == after;
        }
        if self.registers.contains_key(&before) {
            return false;
        }
        let element = |it: &Program, id: ScalarId| it.scalars[id.0].element;
        let is_free = !self.scalars.values().any(|it| *it == after);
        if !is_free || element(self.before, before) != element(self.after, after) {
            return false;
        }
        self.scalars.insert(before, after);
        self.forms.insert(variable(before), Affine::variable(AFTER + after.0 as Variable));
        true
    }

    /// A scalar of the first program is a register of the second, or a cell of registers, by their names.
    /// That all its values have cells of their own is asked for each point.
    fn register(&mut self, before: ScalarId, after: &Access) -> bool {
        if let Some(known) = self.registers.get(&before) {
            return *known == after.array;
        }
        let scalar = &self.before.scalars[before.0];
        let array = &self.after.arrays[after.array.0];
        let is_meant = self.register_names.get(&scalar.name) == Some(&array.name);
        let is_free = !self.scalars.contains_key(&before)
            && !self.registers.values().any(|it| *it == after.array)
            && !self.arrays.values().any(|it| it.0 == after.array);
        let is_register = array.role == Role::Register;
        if !is_meant || !is_free || !is_register || scalar.element != array.element {
            return false;
        }
        self.registers.insert(before, after.array);
        true
    }

    /// A scalar has no value from now on.
    pub(super) fn forget(&mut self, before: ScalarId) {
        self.scalars.remove(&before);
        self.registers.remove(&before);
        self.forms.remove(&variable(before));
    }

    /// A read of a copy in the place of a read of the array.
    fn copy_read(&mut self, before: &Access, after: &Access) -> bool {
        let meant: Option<Vec<Affine>> = before.indices.iter().map(|it| self.old_sum(it)).collect();
        let cell: Option<Vec<Affine>> =
            after.indices.iter().map(|it| sum(self.after, AFTER, it)).collect();
        let (Some(meant), Some(cell)) = (meant, cell) else { return false };
        self.copied.push(CopyRead { site: after.site, cell, meant, span: before.span });
        true
    }

    /// The sum that an expression of the first program is, in terms of the second's variables.
    fn old_sum(&self, expr: &Expr) -> Option<Affine> {
        let sum = sum(self.before, BEFORE, expr)?;
        let is_known = |it: Variable| it < BEFORE || self.forms.contains_key(&it);
        if !sum.terms.variables().all(is_known) {
            return None;
        }
        sum.substitute(&|it| self.forms.get(&it).cloned())
    }

    /// Whether two expressions have the same value.
    pub(super) fn expr(&mut self, before: &Expr, after: &Expr) -> bool {
        if before.element != after.element {
            return false;
        }
        if let (Some(before), Some(after)) = (self.old_sum(before), sum(self.after, AFTER, after)) {
            return before == after;
        }
        match (&before.kind, &after.kind) {
            (ExprKind::Integer(p), ExprKind::Integer(q)) => p == q,
            (ExprKind::Float(p), ExprKind::Float(q)) => p.to_bits() == q.to_bits(),
            (ExprKind::Boolean(p), ExprKind::Boolean(q)) => p == q,
            (ExprKind::Parameter(p), ExprKind::Parameter(q)) => p == q,
            (ExprKind::Scalar(p), ExprKind::Scalar(q)) => self.scalar(*p, *q),
            (ExprKind::Scalar(p), ExprKind::Element(q)) => self.register(*p, q),
            (ExprKind::Element(p), ExprKind::Element(q))
                if self.copy == Some((p.array, q.array)) =>
            {
                self.copy_read(p, q)
            }
            (ExprKind::Element(p), ExprKind::Scalar(q)) => self.held == Some((p.array, *q)),
            (ExprKind::Element(p), ExprKind::Element(q)) => self.access(p, q),
            (ExprKind::Entry(p, of, n), ExprKind::Entry(q, other, m)) => {
                p == q && n == m && self.expr(of, other)
            }
            (ExprKind::Convert(p), ExprKind::Convert(q)) => self.expr(p, q),
            (ExprKind::Unary(op, p), ExprKind::Unary(other, q)) => op == other && self.expr(p, q),
            (ExprKind::Binary(op, p, of), ExprKind::Binary(other, q, by)) => {
                op == other && self.expr(p, q) && self.expr(of, by)
            }
            (ExprKind::Conditional(p), ExprKind::Conditional(q)) => {
                p.iter().zip(q.iter()).all(|(p, q)| self.expr(p, q))
            }
            (ExprKind::Let(p, of), ExprKind::Let(q, by)) => {
                // Each call has its own.
                self.forget(*p);
                self.expr(&of[0], &by[0]) && self.scalar(*p, *q) && self.expr(&of[1], &by[1])
            }
            _ => false,
        }
    }

    pub(super) fn access(&mut self, before: &Access, after: &Access) -> bool {
        if !self.arrays.contains_key(&before.array) {
            let (p, q) = (&self.before.arrays[before.array.0], &self.after.arrays[after.array.0]);
            let is_free = !self.arrays.values().any(|it| it.0 == after.array);
            let order = (0..p.extents.len()).collect();
            if !is_free || !p.role.is_local() || !q.role.is_local() {
                return false;
            }
            if !self.array(before.array, after.array, order) {
                return false;
            }
        }
        let Some((array, order)) = self.arrays.get(&before.array).cloned() else { return false };
        array == after.array
            && order.iter().zip(&after.indices).all(|(at, q)| self.expr(&before.indices[*at], q))
    }

    /// Whether a loop goes through the same values.
    pub(super) fn range(&mut self, before: &LoopRange, after: &LoopRange) -> bool {
        let steps = match (&before.step, &after.step) {
            (None, None) => true,
            (Some(p), Some(q)) => self.expr(p, q),
            _ => false,
        };
        steps
            && before.downward == after.downward
            && self.expr(&before.from, &after.from)
            && self.expr(&before.to, &after.to)
            && self.scalar(before.variable, after.variable)
    }

    pub(super) fn ranges(&mut self, before: &[LoopRange], after: &[LoopRange]) -> bool {
        before.len() == after.len() && before.iter().zip(after).all(|(p, q)| self.range(p, q))
    }

    pub(super) fn block(&mut self, before: &Block, after: &Block) -> bool {
        before.len() == after.len() && before.iter().zip(after).all(|(p, q)| self.statement(p, q))
    }

    /// The heads alone: loops, conditions, labels.
    pub(super) fn head(&mut self, before: &Statement, after: &Statement) -> bool {
        match (before, after) {
            (Statement::For(p), Statement::For(q)) => {
                let flags = match (p.while_true, q.while_true) {
                    (None, None) => true,
                    (Some(p), Some(q)) => self.scalar(p, q),
                    _ => false,
                };
                flags && self.range(&p.range, &q.range)
            }
            (Statement::Parallel(p), Statement::Parallel(q)) => self.ranges(&p.ranges, &q.ranges),
            (Statement::Blocks(p), Statement::Blocks(q)) => {
                let (one, other) =
                    (&self.before.blocks[p.id.0].threads, &self.after.blocks[q.id.0].threads);
                self.expr(one, other) && self.ranges(&p.ranges, &q.ranges)
            }
            (
                Statement::While { condition: p, .. } | Statement::If { condition: p, .. },
                Statement::While { condition: q, .. } | Statement::If { condition: q, .. },
            ) => std::mem::discriminant(before) == std::mem::discriminant(after) && self.expr(p, q),
            (Statement::Labelled { phase: p, .. }, Statement::Labelled { phase: q, .. }) => p == q,
            _ => false,
        }
    }

    pub(super) fn statement(&mut self, before: &Statement, after: &Statement) -> bool {
        match (before, after) {
            (
                Statement::Assign { target: p, value: of, .. },
                Statement::Assign { target: q, value: by, .. },
            ) => self.expr(of, by) && self.scalar(*p, *q),
            (
                Statement::Assign { target: p, value: of, .. },
                Statement::Store { access: q, value: by, .. },
            ) => self.expr(of, by) && self.register(*p, q),
            (
                Statement::Store { access: p, value: of, .. },
                Statement::Assign { target: q, value: by, .. },
            ) => self.held == Some((p.array, *q)) && self.expr(of, by),
            (
                Statement::Store { access: p, value: of, .. },
                Statement::Store { access: q, value: by, .. },
            ) => self.expr(of, by) && self.access(p, q),
            _ => {
                let is_same = self.head(before, after)
                    && before.blocks().zip(after.blocks()).all(|(p, q)| self.block(p, q));
                // A loop's variable exists only there.
                before.ranges().iter().for_each(|it| self.forget(it.variable));
                is_same
            }
        }
    }
}

/// The sum that an expression is, if it is one without quotients.
fn sum(program: &Program, base: Variable, expr: &Expr) -> Option<Affine> {
    let (known, none) = (BTreeMap::new(), BTreeSet::new());
    let [assigned, arguments] = [none.clone(), none];
    let mut scope = Scope { program, known, assigned, arguments, base, fresh: 1 << 25 };
    let mut system = System::default();
    let sum = scope.affine(expr, &mut system)?;
    (system == System::default()).then_some(sum)
}

pub(super) fn variable(before: ScalarId) -> Variable {
    BEFORE + before.0 as Variable
}
