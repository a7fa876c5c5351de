//! Which scalars matter to time: those from which an address, or whether an access happens, or
//! whether the program fails, is computed. A loop that assigns no such scalar can be counted
//! without being run.

use std::collections::HashSet;

use crate::language::oblivious::OnData;
use crate::language::program::{
    Block, Blocks, Expr, ExprKind, For, LoopRange, Nest, Program, ScalarId, Statement,
};
use crate::language::syntax::BinaryOp;
use crate::language::walk::statements;

/// A fixed point over the program's assignments; `O(size · scalars)` at worst.
pub(super) fn relevant(program: &Program, on_data: &OnData) -> HashSet<ScalarId> {
    let mut search = SliceSearch { on_data, found: HashSet::new(), controls: vec![] };
    loop {
        let before = search.found.len();
        search.block(&program.body);
        program.answer.iter().for_each(|answer| search.expr(answer));
        if search.found.len() == before {
            return search.found;
        }
    }
}

/// Whether a block assigns one of `scalars`.
pub(super) fn assigns(block: &Block, scalars: &HashSet<ScalarId>) -> bool {
    statements(block)
        .any(|it| matches!(it, Statement::Assign { target, .. } if scalars.contains(target)))
}

struct SliceSearch<'a> {
    on_data: &'a OnData,
    found: HashSet<ScalarId>,
    /// Scalars on which it depends whether the present place is reached.
    controls: Vec<ScalarId>,
}

impl SliceSearch<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { target, value, .. } => {
                self.expr(value);
                if self.found.contains(target) {
                    self.found.extend(value.scalars());
                    self.found.extend(&self.controls);
                }
            }
            Statement::Store { access, value, .. } => {
                self.expr(value);
                self.access(&access.indices);
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.expr(condition);
                self.under(&[condition], |search| {
                    search.block(then);
                    search.block(otherwise);
                });
            }
            Statement::While { condition, body, .. } => {
                self.under(&[condition], |search| {
                    search.expr(condition);
                    // It fails if it does not end.
                    if !search.on_data.controls(condition) {
                        search.decides(&[condition]);
                    }
                    search.block(body);
                });
            }
            Statement::For(For { body, .. })
            | Statement::Parallel(Nest { body, .. })
            | Statement::Blocks(Blocks { body, .. }) => {
                self.loops(statement.ranges(), body);
            }
            Statement::Fork { branches, .. } => branches.iter().for_each(|it| self.block(it)),
            Statement::Labelled { body, .. } => self.block(body),
        }
    }

    fn loops(&mut self, ranges: &[LoopRange], body: &Block) {
        let bounds: Vec<&Expr> = ranges.iter().flat_map(LoopRange::bounds).collect();
        for bound in &bounds {
            self.expr(bound);
        }
        // A variable that matters takes its values from the bounds.
        if ranges.iter().any(|range| self.found.contains(&range.variable)) {
            self.found.extend(bounds.iter().flat_map(|it| it.scalars()));
        }
        if ranges.iter().any(|it| it.step.is_some() && !self.on_data.controls(&it.from)) {
            self.decides(&bounds);
        }
        self.under(&bounds, |search| search.block(body));
    }

    fn under(&mut self, conditions: &[&Expr], inside: impl FnOnce(&mut Self)) {
        let outer = self.controls.len();
        self.controls.extend(conditions.iter().flat_map(|it| it.scalars()));
        inside(self);
        self.controls.truncate(outer);
    }

    /// Whether the program fails depends on these.
    fn decides(&mut self, parts: &[&Expr]) {
        self.found.extend(parts.iter().flat_map(|it| it.scalars()));
        self.found.extend(&self.controls);
    }

    fn expr(&mut self, expr: &Expr) {
        if !self.on_data.fails(expr)
            && let Some((operand, _)) = expr.hazard()
        {
            self.decides(&[operand]);
        }
        match &expr.kind {
            ExprKind::Element(access) => self.access(&access.indices),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.expr(left);
                self.under(&[left], |search| search.expr(right));
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.expr(condition);
                self.under(&[condition], |search| {
                    search.expr(then);
                    search.expr(otherwise);
                });
            }
            ExprKind::Let(scalar, parts) => {
                let [value, body] = parts.as_ref();
                self.expr(value);
                if self.found.contains(scalar) {
                    self.found.extend(value.scalars());
                }
                self.expr(body);
            }
            _ => expr.operands().for_each(|it| self.expr(it)),
        }
    }

    fn access(&mut self, indices: &[Expr]) {
        for index in indices {
            self.expr(index);
            self.found.extend(index.scalars());
        }
        self.found.extend(&self.controls);
    }
}
