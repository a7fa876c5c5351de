//! Nests whose iterations take neighbouring words: a thread takes four at once, 16 bytes an access.

use super::expression::Expressions;
use super::intervals::Intervals;
use super::iteration_order::IterationOrder;
use super::statement::Statements;
use memory_machine_core::language::program::{
    Access, Block, Expr, ExprKind, ScalarId, SiteId, Statement,
};
use memory_machine_core::language::syntax::{BinaryOp, Role, Type};
use memory_machine_core::language::walk::assigned;
use memory_machine_core::trace::AccessKind;

/// Iterations that a thread of a vectorised nest takes.
pub(super) const WORDS: i64 = 4;

/// The accesses of a nest that are made four words at a time.
pub(super) struct Vectors<'a> {
    variable: ScalarId,
    accesses: Vec<(&'a Access, AccessKind)>,
}

impl<'a> Vectors<'a> {
    /// Those of a nest whose rows are whole vectors: each access goes to the word of the innermost
    /// loop's variable, begins at a multiple of 16 bytes, and is made once, come what may. Four
    /// iterations at a time read before they write, as neighbouring threads may do anyway.
    pub(super) fn of(source: &'a Statement, expressions: &Expressions<'_>) -> Option<Self> {
        let (program, intervals) = (expressions.program, expressions.intervals);
        let (ranges, body) = (source.ranges(), source.blocks().next()?);
        if expressions.index != "int" || !matches!(IterationOrder::of(ranges), IterationOrder::Box)
        {
            return None;
        }
        let inner = ranges.last()?;
        let (from, to) = (intervals.of(&inner.from).value()?, intervals.of(&inner.to).value()?);
        let whole = |it: i64| it.rem_euclid(WORDS) == 0;
        if inner.downward || inner.step.is_some() || !whole(from) || !whole(to + 1) {
            return None;
        }
        let assigned: Vec<ScalarId> = assigned(body).collect();
        let mut found = Self { variable: inner.variable, accesses: vec![] };
        // Read where they stand, while writes wait for the end of the four iterations.
        let mut in_place = vec![];
        for statement in body {
            let (Statement::Assign { value, .. } | Statement::Store { value, atomic: None, .. }) =
                statement
            else {
                return None;
            };
            if value.parts().any(|it| !is_straight(it)) {
                return None;
            }
            for access in statement.accesses() {
                let kind = program.sites[access.site.0].kind;
                let array = &program.arrays[access.array.0];
                let is_vector = program.sites[access.site.0].vector.is_some();
                if array.role == Role::Register || array.layout.is_some() || is_vector {
                    return None;
                }
                let (index, outer) = access.indices.split_last()?;
                let mentions = |it: &Expr| it.scalars().any(|it| it == inner.variable);
                if !mentions(index) && kind == AccessKind::Read && !outer.iter().any(mentions) {
                    in_place.push(access.array);
                    continue;
                }
                let is_word = matches!(array.element, Type::F32 | Type::I32 | Type::U32);
                let row = intervals.of(array.extents.last()?).value()?;
                let shift = shift(index, inner.variable, intervals)?;
                // All four are found before the body's first statement.
                let is_known = |it: &Expr| !it.scalars().any(|it| assigned.contains(&it));
                let is_row = outer.iter().all(|it| is_known(it) && !mentions(it));
                let fits = is_word && whole(shift) && is_known(index) && is_row;
                if !fits || (!outer.is_empty() && !whole(row)) {
                    return None;
                }
                found.accesses.push((access, kind));
            }
        }
        let writes = || found.accesses.iter().filter(|(_, kind)| *kind == AccessKind::Write);
        let twice =
            writes().any(|(one, _)| writes().filter(|it| it.0.array == one.array).count() > 1);
        // A read after the write of its word must see it.
        let mut written = vec![];
        let again = found.accesses.iter().any(|(access, kind)| match kind {
            AccessKind::Read => written.contains(&access.array),
            AccessKind::Write => {
                written.push(access.array);
                false
            }
        });
        let waited_for = in_place.iter().any(|array| written.contains(array));
        (!written.is_empty() && !twice && !again && !waited_for).then_some(found)
    }

    /// Emits the four iterations from the one whose variables are declared.
    pub(super) fn emit(&self, body: &Block, statements: &mut Statements<'_>) {
        let program = statements.expressions.program;
        let name = statements.expressions.names.scalar(self.variable).to_owned();
        let mut stores = vec![];
        let mut sites: Vec<SiteId> = vec![];
        for (number, (access, kind)) in self.accesses.iter().enumerate() {
            let array = statements.expressions.names.array(access.array);
            let held = format!("{array}{number}");
            let element = statements.expressions.word(program.arrays[access.array.0].element);
            let place = statements.expressions.element(access);
            statements.lines.line(&format!("__align__(16) {element} {held}[{WORDS}];"));
            match kind {
                AccessKind::Read => statements.lines.line(&format!("copy_four({held}, &{place});")),
                AccessKind::Write => stores.push(format!("copy_four(&{place}, {held});")),
            }
            statements.expressions.prefetch.insert(access.site, format!("{held}[u]"));
            sites.push(access.site);
        }
        statements.lines.line("#pragma unroll");
        statements.lines.open(&format!("for (int u = 0; u < {WORDS}; u++) {{"));
        statements.expressions.instead.insert(self.variable, format!("{name} + u"));
        statements.inside(body);
        statements.expressions.instead.remove(&self.variable);
        for site in &sites {
            statements.expressions.prefetch.remove(site);
        }
        statements.lines.close("}");
        stores.iter().for_each(|store| statements.lines.line(store));
    }
}

/// Whether this part of an expression is evaluated whenever the expression is.
fn is_straight(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Conditional(_)
            | ExprKind::Let(..)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
    )
}

/// What is added to the variable, if nothing else is done with it.
fn shift(index: &Expr, variable: ScalarId, intervals: &Intervals<'_>) -> Option<i64> {
    match &index.kind {
        ExprKind::Scalar(scalar) if *scalar == variable => Some(0),
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            let of = |one: &Expr, other: &Expr| {
                Some(shift(one, variable, intervals)? + intervals.of(other).value()?)
            };
            of(left, right).or_else(|| of(right, left))
        }
        ExprKind::Binary(BinaryOp::Subtract, left, right) => {
            Some(shift(left, variable, intervals)? - intervals.of(right).value()?)
        }
        _ => None,
    }
}
