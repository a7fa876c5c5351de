//! Which scalars matter to time: those from which an address, or whether an access happens, or
//! whether the program fails, is computed. A loop that assigns no such scalar can be counted
//! without being run.

use std::collections::HashSet;

use crate::language::oblivious::OnData;
use crate::language::program::{Block, Expr, ExprKind, For, Program, Range, ScalarId, Statement};
use crate::language::syntax::BinaryOp;

/// A fixed point over the program's assignments; `O(size · scalars)` at worst.
pub(super) fn relevant(program: &Program, on_data: &OnData) -> HashSet<ScalarId> {
    let mut search = Search { on_data, found: HashSet::new(), controls: vec![] };
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
    block.iter().any(|statement| match statement {
        Statement::Assign { target, .. } => scalars.contains(target),
        Statement::Store { .. } => false,
        Statement::For(For { body, .. })
        | Statement::While { body, .. }
        | Statement::Labelled { body, .. } => assigns(body, scalars),
        Statement::Parallel(nest) => assigns(&nest.body, scalars),
        Statement::If { then, otherwise, .. } => {
            assigns(then, scalars) || assigns(otherwise, scalars)
        }
    })
}

struct Search<'a> {
    on_data: &'a OnData,
    found: HashSet<ScalarId>,
    /// Scalars on which it depends whether the present place is reached.
    controls: Vec<ScalarId>,
}

impl Search<'_> {
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
                    self.found.extend(scalars(value));
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
            Statement::For(For { range, body }) => self.loops(std::slice::from_ref(range), body),
            Statement::Parallel(nest) => self.loops(&nest.ranges, &nest.body),
            Statement::Labelled { body, .. } => self.block(body),
        }
    }

    fn loops(&mut self, ranges: &[Range], body: &Block) {
        let bounds: Vec<&Expr> = ranges
            .iter()
            .flat_map(|it| [Some(&it.from), Some(&it.to), it.step.as_ref()])
            .flatten()
            .collect();
        for bound in &bounds {
            self.expr(bound);
        }
        // A variable that matters takes its values from the bounds.
        if ranges.iter().any(|range| self.found.contains(&range.variable)) {
            self.found.extend(bounds.iter().flat_map(|bound| scalars(bound)));
        }
        if ranges.iter().any(|it| it.step.is_some() && !self.on_data.controls(&it.from)) {
            self.decides(&bounds);
        }
        self.under(&bounds, |search| search.block(body));
    }

    fn under(&mut self, conditions: &[&Expr], inside: impl FnOnce(&mut Self)) {
        let outer = self.controls.len();
        self.controls.extend(conditions.iter().flat_map(|it| scalars(it)));
        inside(self);
        self.controls.truncate(outer);
    }

    /// Whether the program fails depends on these.
    fn decides(&mut self, parts: &[&Expr]) {
        self.found.extend(parts.iter().flat_map(|it| scalars(it)));
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
            ExprKind::Convert(operand) | ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.expr(left);
                self.under(&[left], |search| search.expr(right));
            }
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
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
                    self.found.extend(scalars(value));
                }
                self.expr(body);
            }
            _ => {}
        }
    }

    fn access(&mut self, indices: &[Expr]) {
        for index in indices {
            self.expr(index);
            self.found.extend(scalars(index));
        }
        self.found.extend(&self.controls);
    }
}

fn scalars(expr: &Expr) -> Vec<ScalarId> {
    let mut found = vec![];
    expr.walk(&mut |it| {
        if let ExprKind::Scalar(scalar) = it.kind {
            found.push(scalar);
        }
    });
    found
}
