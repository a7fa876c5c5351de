//! Between what bounds a program's integers lie, where its parameters are known: what fits 32 bits
//! is computed in 32 bits, and what is never negative is divided like an unsigned number.
//!
//! A scalar has one interval for the whole program: the union of what its assignments give it, found
//! by going through the program until nothing grows.

use super::interval::{Interval, NARROW};
use super::storage::cells_of;
use memory_machine_core::language::program::{
    Access, Block, Expr, ExprKind, For, LoopRange, Program, ScalarId, Statement,
};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp};
use memory_machine_core::language::walk::statements;

/// Passes after which what still grows is taken to grow for ever.
const PASSES: usize = 80;
/// Passes in which that is taken back where a condition forbids it.
const SMALLER: usize = 3;

/// The intervals of a program's integers.
pub(super) struct Intervals<'a> {
    program: &'a Program,
    /// Their values, where they are known.
    pub(super) parameters: &'a [Option<i64>],
    /// By scalar; `None` as long as nothing is assigned.
    scalars: Vec<Option<Interval>>,
    /// What a pass finds anew, while results are made smaller.
    next: Option<Vec<Option<Interval>>>,
    /// What conditions of `while` loops say of scalars, as long as it holds.
    conditions: Vec<(ScalarId, Interval)>,
}

impl<'a> Intervals<'a> {
    /// Goes through a program whose parameters have these values, where they are known.
    pub(super) fn new(program: &'a Program, parameters: &'a [Option<i64>]) -> Self {
        let scalars = vec![None; program.scalars.len()];
        let mut intervals = Self { program, parameters, scalars, next: None, conditions: vec![] };
        for pass in 0.. {
            let before = intervals.scalars.clone();
            intervals.block(&program.body);
            if intervals.scalars == before {
                break;
            }
            if pass >= PASSES {
                for (now, before) in intervals.scalars.iter_mut().zip(before) {
                    if let (Some(now), Some(before)) = (now, before) {
                        now.widen(before);
                    }
                }
            }
        }
        // What all assignments find, given intervals that hold, holds too, and may be less.
        for _ in 0..SMALLER {
            intervals.next = Some(vec![None; program.scalars.len()]);
            intervals.block(&program.body);
            intervals.scalars = intervals.next.take().unwrap_or_default();
        }
        intervals
    }

    /// Whether every address, bound and size of the program, and each number that they are computed
    /// from, fits 32 bits.
    pub(super) fn are_narrow(&self) -> bool {
        let wide = |expr: &Expr| {
            expr.parts().any(|it| {
                let is_wide = it.element == Type::I64 && !self.of(it).is_narrow();
                is_wide
                    || self.is_shifted_far(it)
                    || matches!(&it.kind, ExprKind::Element(at) if !self.is_narrow_at(at))
            })
        };
        let arrays = self.program.global_arrays().all(|array| {
            cells_of(array, self.parameters).is_some_and(|it| it <= NARROW.cast_unsigned())
        });
        arrays
            && statements(&self.program.body).all(|statement| {
                let stored = match statement {
                    Statement::Store { access, .. } => self.is_narrow_at(access),
                    _ => true,
                };
                stored && !statement.expressions().any(wide) && {
                    let lengths = statement.ranges().iter().map(|it| self.length(it));
                    let product = lengths.fold(1_i64, i64::saturating_mul);
                    matches!(statement, Statement::For(_)) || product <= NARROW
                }
            })
    }

    /// Whether an integer of 64 bits may be shifted by more than 32 bits allow.
    fn is_shifted_far(&self, expr: &Expr) -> bool {
        let ExprKind::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _, by) = &expr.kind else {
            return false;
        };
        let by = self.of(by);
        expr.element == Type::I64 && (by.least < 0 || by.most > 30)
    }

    /// The most iterations that a loop has.
    pub(super) fn length(&self, range: &LoopRange) -> i64 {
        let (from, to) = (self.of(&range.from), self.of(&range.to));
        let (low, high) =
            if range.downward { (to.least, from.most) } else { (from.least, to.most) };
        let step = range.step.as_ref().map_or(1, |it| self.of(it).least.max(1));
        (high.saturating_sub(low).max(-1) / step).saturating_add(1).max(0)
    }

    /// Whether the address is computed in 32 bits, index by index.
    fn is_narrow_at(&self, access: &Access) -> bool {
        let extents = &self.program.arrays[access.array.0].extents;
        let mut cell = Interval::one(0);
        access.indices.iter().zip(extents).all(|(index, extent)| {
            let (index, extent) = (self.of(index), self.of(extent));
            let row = cell.corners(&[extent.least, extent.most], |x, y| x * y);
            cell = row.corners(&[index.least, index.most], |x, y| x + y);
            row.is_narrow() && cell.is_narrow()
        })
    }

    /// The interval of an integer, or of a truth as 0 and 1.
    pub(super) fn of(&self, expr: &Expr) -> Interval {
        let whole = Interval::of_type(expr.element);
        if expr.element == Type::U64 {
            return whole;
        }
        match &expr.kind {
            ExprKind::Integer(value) => Interval::one(*value),
            ExprKind::Parameter(it) => self.parameters[it.0].map_or(Interval::ALL, Interval::one),
            ExprKind::Scalar(scalar) => {
                let known = self.scalars[scalar.0].unwrap_or(whole);
                let conditions = self.conditions.iter().filter(|(it, _)| it == scalar);
                conditions.fold(known, |known, (_, it)| known.within(*it))
            }
            ExprKind::Convert(operand)
                if operand.element.is_float() || operand.element == Type::U64 =>
            {
                whole
            }
            ExprKind::Convert(operand) => self.of(operand).within(whole),
            ExprKind::Unary(op, operand) => {
                let of = self.of(operand);
                let found = match op {
                    UnaryOp::Negate => of.corners(&[0], |x, _| -x),
                    UnaryOp::BitNot => of.corners(&[0], |x, _| -x - 1),
                    UnaryOp::Abs => {
                        let ends = of.corners(&[0], |x, _| x.abs());
                        let least = if of.least <= 0 && of.most >= 0 { 0 } else { ends.least };
                        Interval { least, ..ends }
                    }
                    UnaryOp::Popcount | UnaryOp::LeadingZeros => Interval { least: 0, most: 64 },
                    _ => whole,
                };
                fit(found, whole)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, whole),
            ExprKind::Conditional(parts) => self.of(&parts[1]).union(self.of(&parts[2])),
            ExprKind::Let(_, parts) => self.of(&parts[1]),
            ExprKind::Float(_) | ExprKind::Boolean(_) | ExprKind::Element(_) => whole,
            ExprKind::Warp(op, of) => fit(self.of_warp_word(*op, of, whole), whole),
            ExprKind::Entry(table, ..) => {
                let entries = self.program.tables[table.0].entries.iter().map(|it| self.of(it));
                entries.reduce(Interval::union).unwrap_or(whole)
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, whole: Interval) -> Interval {
        if left.element.is_float() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return whole;
        }
        let (x, y) = (self.of(left), self.of(right));
        let ends = [y.least, y.most];
        let positive = x.least >= 0 && y.least >= 0;
        let found = match op {
            BinaryOp::Add => x.corners(&ends, |x, y| x + y),
            BinaryOp::Subtract => x.corners(&ends, |x, y| x - y),
            BinaryOp::Multiply => x.corners(&ends, |x, y| x * y),
            BinaryOp::Min => x.corners(&ends, i128::min),
            BinaryOp::Max => x.corners(&ends, i128::max),
            BinaryOp::Divide => {
                // By 0 nothing is divided.
                let ends = [y.least, y.most, -1, 1];
                let inside = |it: &i64| *it != 0 && (y.least..=y.most).contains(it);
                let ends: Vec<i64> = ends.into_iter().filter(inside).collect();
                x.corners(&ends, |x, y| x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0))
            }
            BinaryOp::Modulo => {
                let most = i128::from(y.least).abs().max(i128::from(y.most).abs()) - 1;
                let most = i64::try_from(most.max(0)).unwrap_or(i64::MAX);
                match (y.least > 0, x.least >= 0 && x.most < y.least) {
                    (true, true) => x,
                    (true, false) => Interval { least: 0, most },
                    _ => Interval { least: -most, most },
                }
            }
            BinaryOp::ShiftLeft if (0..=62).contains(&y.least) && y.most <= 62 => {
                x.corners(&ends, |x, y| x << y)
            }
            BinaryOp::ShiftRight if (0..=62).contains(&y.least) && y.most <= 62 => {
                x.corners(&ends, |x, y| x >> y)
            }
            BinaryOp::BitAnd if positive => Interval { least: 0, most: x.most.min(y.most) },
            BinaryOp::BitOr | BinaryOp::BitXor if positive => {
                let bits = 64 - (x.most | y.most).leading_zeros();
                Interval { least: 0, most: if bits < 63 { (1 << bits) - 1 } else { i64::MAX } }
            }
            _ => whole,
        };
        fit(found, whole)
    }

    fn assign(&mut self, scalar: ScalarId, value: Interval) {
        let known = &mut self.next.as_mut().unwrap_or(&mut self.scalars)[scalar.0];
        *known = Some(known.map_or(value, |it| it.union(value)));
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let depth = self.conditions.len();
        let is_simple = statement.blocks().next().is_none();
        if !is_simple {
            // What a statement inside assigns, conditions from outside no longer tell.
            self.forget(statement);
        }
        for range in statement.ranges() {
            self.lets(&range.from);
            self.lets(&range.to);
            let (from, to) = (self.of(&range.from), self.of(&range.to));
            let mut values = from;
            if range.downward {
                values.least = from.least.min(to.least);
            } else {
                values.most = from.most.max(to.most);
            }
            self.assign(range.variable, values);
        }
        statement.expressions().for_each(|it| self.lets(it));
        match statement {
            Statement::Assign { target, value, .. } => {
                let value = self.of(value);
                self.assign(*target, value);
                self.forget(statement);
            }
            Statement::While { condition, body, .. } => {
                self.hold(condition);
                self.block(body);
            }
            Statement::For(For { body, .. }) => self.block(body),
            other => other.blocks().for_each(|block| self.block(block)),
        }
        self.conditions.truncate(depth.min(self.conditions.len()));
    }

    /// Drops what is known by conditions of scalars that a statement assigns.
    fn forget(&mut self, statement: &Statement) {
        if self.conditions.is_empty() {
            return;
        }
        let inside = statement.blocks().flat_map(statements).chain([statement]);
        for it in inside {
            if let Statement::Assign { target, .. } = it {
                self.conditions.iter_mut().filter(|(it, _)| it == target).for_each(|(_, it)| {
                    *it = Interval::ALL;
                });
            }
        }
    }

    /// Takes from a condition what it says of scalars.
    fn hold(&mut self, condition: &Expr) {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return };
        if left.element == Type::U64 {
            return;
        }
        let (x, y) = (self.of(left), self.of(right));
        let below =
            |it: Interval, by| Interval { most: it.most.saturating_sub(by), ..Interval::ALL };
        let above =
            |it: Interval, by| Interval { least: it.least.saturating_add(by), ..Interval::ALL };
        let (of_left, of_right) = match op {
            BinaryOp::And => {
                self.hold(left);
                return self.hold(right);
            }
            BinaryOp::Less => (below(y, 1), above(x, 1)),
            BinaryOp::LessEqual => (below(y, 0), above(x, 0)),
            BinaryOp::Greater => (above(y, 1), below(x, 1)),
            BinaryOp::GreaterEqual => (above(y, 0), below(x, 0)),
            _ => return,
        };
        for (side, interval) in [(left, of_left), (right, of_right)] {
            if let (ExprKind::Scalar(scalar), true) = (&side.kind, side.element.is_integer()) {
                self.conditions.push((*scalar, interval));
            }
        }
    }

    /// The arguments of inlined functions in an expression.
    fn lets(&mut self, expr: &Expr) {
        for part in expr.parts() {
            if let ExprKind::Let(scalar, parts) = &part.kind {
                let value = self.of(&parts[0]);
                self.assign(*scalar, value);
            }
        }
    }
}

/// What leaves its type wraps around.
fn fit(found: Interval, whole: Interval) -> Interval {
    if found.least >= whole.least && found.most <= whole.most { found } else { whole }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use memory_machine_core::diagnostic::Source;
    use memory_machine_core::language;
    use memory_machine_core::run::layout::checked;

    fn program(body: &str) -> Program {
        let text = format!("algorithm f(n)\noutput o[1] : i64\n\n{body}\no[0] ← z\n");
        language::load(Source { name: "f.alg".to_owned(), text }).unwrap()
    }

    fn of(program: &Program, scalar: &str, n: Option<i64>) -> Interval {
        let parameters = [n];
        let intervals = Intervals::new(program, &parameters);
        let found = program.scalars.iter().position(|it| it.name == scalar).unwrap();
        intervals.scalars[found].unwrap()
    }

    #[test]
    fn conditions_of_loops_bound_what_grows() {
        let text = "z ← 1\nwhile z < n do\n  z ← 2 × z\n";
        assert_eq!(of(&program(text), "z", Some(100)), Interval { least: 1, most: 198 });
        assert_eq!(of(&program(text), "z", None).most, i64::MAX);
        let text = "z ← 0\nwhile z < n do\n  z ← z + 1\n";
        assert_eq!(of(&program(text), "z", Some(1 << 20)), Interval { least: 0, most: 1 << 20 });
        let text = "z ← n\nwhile z > 1 do\n  z ← (z + 1) / 2\n";
        assert_eq!(of(&program(text), "z", Some(1000)).most, 1000);
        // After the assignment the condition says nothing of z.
        let text = "z ← 1\ny ← 0\nwhile z < n do\n  z ← 2 × z\n  y ← 3 × z\n";
        assert_eq!(of(&program(text), "y", Some(100)), Interval { least: 0, most: 594 });
    }

    proptest! {
        /// All values of a few operations on all numbers of two intervals.
        #[test]
        fn every_value_lies_in_its_interval(a in -9_i64..9, b in 0_i64..9, c in -9_i64..9, d in 0_i64..9) {
            let operators = [
                (BinaryOp::Add, "x + y"),
                (BinaryOp::Subtract, "x - y"),
                (BinaryOp::Multiply, "x × y"),
                (BinaryOp::Divide, "x / y"),
                (BinaryOp::Modulo, "x mod y"),
                (BinaryOp::Min, "min(x, y)"),
                (BinaryOp::Max, "max(x, y)"),
                (BinaryOp::BitAnd, "x & y"),
                (BinaryOp::BitOr, "x | y"),
                (BinaryOp::BitXor, "x xor y"),
                (BinaryOp::ShiftLeft, "x << y"),
                (BinaryOp::ShiftRight, "x >> y"),
            ];
            for (op, text) in operators {
                let body = format!(
                    "z ← {a}\nfor x ← {a} to {} do\n  for y ← {c} to {} do\n    z ← {text}\n",
                    a + b, c + d
                );
                let program = program(&body);
                let found = of(&program, "z", Some(1));
                for x in a..=a + b {
                    for y in c..=c + d {
                        let shifts = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
                        if shifts && y < 0 {
                            continue;
                        }
                        if let Some(value) = checked(op, x, y) {
                            let inside = found.least <= value && value <= found.most;
                            prop_assert!(inside, "{x} {y} {text}: {value} not in {found:?}");
                        }
                    }
                }
            }
        }
    }
}
