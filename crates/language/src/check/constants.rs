//! Named constants, which stand for their values, and tables of them.

use super::types::{TypeEstimate, Typed, known, of_float};
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{ConstantTable, Expr, ExprKind, Program, TableId};
use crate::syntax::{self, BinaryOp, Constant, RealParameter, Type, UnaryOp};

impl Program {
    /// Whether it has a parameter of that name that is a real number, and so a constant.
    pub fn has_real(&self, name: &str) -> bool {
        self.listing.reals.iter().any(|it| it.name.text == name)
    }
}

impl<'a> Checker<'a> {
    /// Constants see the parameters and the constants above them.
    pub(super) fn constant(&mut self, it: &'a Constant) -> Result<()> {
        let mut values = vec![];
        for value in &it.values {
            let mut typed = self.typed(value)?;
            if let Some(element) = it.element {
                typed =
                    Typed { expr: typed.coerce(element)?, inferred: TypeEstimate::Known(element) };
            }
            values.push(Typed { expr: folded(typed.expr), ..typed });
        }
        let Some(entries) = &it.entries else {
            self.constants.extend(values.into_iter().map(|value| (it.name.text.as_str(), value)));
            return Ok(());
        };
        let count = folded(self.integer(entries, "the number of entries")?);
        let ExprKind::Integer(count) = count.kind else {
            return Err(Diagnostic::new(entries.span, "the number of entries must be known")
                .help("write a number, or a constant: parameters are not known yet"));
        };
        if usize::try_from(count) != Ok(values.len()) {
            let found = values.len();
            let message = format!("`{}` has {count} entries, but {found} values", it.name.text);
            let last = it.values[found - 1].span;
            return Err(Diagnostic::new(it.values[0].span.to(last), message)
                .help("give one value an entry, with commas between"));
        }
        let is_value = |it: &Expr| {
            matches!(it.kind, ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Boolean(_))
        };
        if let Some(other) = values.iter().find(|it| !is_value(&it.expr)) {
            return Err(Diagnostic::new(other.expr.span, "a table's entries are numbers")
                .help("write the number, or what sums, products and shifts make of numbers"));
        }
        let element = it.element.unwrap_or(Type::I64);
        let entries = values.into_iter().map(|it| it.expr).collect();
        self.tables.push(ConstantTable { name: it.name.text.clone(), element, entries });
        Ok(())
    }

    /// A real parameter stands for its value. One that has none yet is not run: it is no number.
    pub(super) fn real_parameter(&mut self, it: &'a RealParameter) {
        let (value, element) = (it.value.unwrap_or(f64::NAN), it.element);
        let value = of_float(value, element).unwrap_or(ExprKind::Float(value));
        self.constants.push((&it.name.text, known(value, element, it.name.span)));
    }

    /// What a name stands for.
    pub(super) fn constant_named(&self, name: &str) -> Option<Typed> {
        self.constants.iter().find(|it| it.0 == name).map(|it| it.1.clone())
    }

    pub(super) fn table(&self, name: &str) -> Option<TableId> {
        self.tables.iter().position(|it| it.name == name).map(TableId)
    }

    /// An entry of a table, `name[index]`.
    pub(super) fn entry(
        &mut self,
        name: &str,
        indices: &[syntax::ExprNode],
        span: Span,
    ) -> Result<Typed> {
        let Some(id) = self.table(name) else {
            return Err(Diagnostic::new(span, format!("unknown table `{name}`")));
        };
        let [index] = indices else {
            return Err(Diagnostic::new(span, format!("the table `{name}` has one dimension"))
                .help("compute one index from several"));
        };
        let index = Box::new(self.integer(index, "an index")?);
        let table = &self.tables[id.0];
        let entries = i64::try_from(table.entries.len()).unwrap_or(i64::MAX);
        Ok(known(ExprKind::Entry(id, index, entries), table.element, span))
    }
}

/// The value of an expression of constants, where it has one that is no error.
pub(super) fn folded(expr: Expr) -> Expr {
    let value = |it: &Expr| folded(it.clone()).kind;
    let kind = match &expr.kind {
        ExprKind::Unary(op, operand) => match (op, value(operand)) {
            (UnaryOp::Negate, ExprKind::Integer(it)) => of_integer(it.checked_neg(), expr.element),
            (UnaryOp::Not, ExprKind::Boolean(it)) => Some(ExprKind::Boolean(!it)),
            (UnaryOp::LeadingZeros, ExprKind::Integer(it)) if operand.element == Type::I64 => {
                of_integer(Some(it.leading_zeros().into()), expr.element)
            }
            (UnaryOp::BitNot, ExprKind::Integer(it)) => of_integer(Some(!it), expr.element),
            (UnaryOp::Negate, ExprKind::Float(it)) => of_float(-it, expr.element),
            (UnaryOp::Sqrt, ExprKind::Float(it)) => of_float(it.sqrt(), expr.element),
            _ => None,
        },
        ExprKind::Binary(op, left, right) => match (value(left), value(right)) {
            (ExprKind::Boolean(left), ExprKind::Boolean(right)) => match op {
                BinaryOp::And => Some(ExprKind::Boolean(left && right)),
                BinaryOp::Or => Some(ExprKind::Boolean(left || right)),
                _ => None,
            },
            (ExprKind::Integer(x), ExprKind::Integer(y)) if op.is_comparison() => {
                // Of a u64 they are bits.
                let holds = match op {
                    BinaryOp::Equal => x == y,
                    BinaryOp::NotEqual => x != y,
                    BinaryOp::Less => x < y,
                    BinaryOp::LessEqual => x <= y,
                    BinaryOp::Greater => x > y,
                    _ => x >= y,
                };
                (left.element != Type::U64).then_some(ExprKind::Boolean(holds))
            }
            (ExprKind::Integer(left), ExprKind::Integer(right)) => {
                let in_width = (0..i64::from(expr.element.bits())).contains(&right);
                let result = match op {
                    BinaryOp::Add => left.checked_add(right),
                    BinaryOp::Subtract => left.checked_sub(right),
                    BinaryOp::Multiply => left.checked_mul(right),
                    BinaryOp::Divide if right > 0 => Some(left.div_euclid(right)),
                    BinaryOp::Modulo if right > 0 => Some(left.rem_euclid(right)),
                    BinaryOp::Min => Some(left.min(right)),
                    BinaryOp::Max => Some(left.max(right)),
                    BinaryOp::Power => {
                        u32::try_from(right).ok().and_then(|it| left.checked_pow(it))
                    }
                    BinaryOp::ShiftLeft if in_width && left >= 0 => {
                        left.checked_mul(1_i64.checked_shl(right as u32).unwrap_or(0))
                    }
                    BinaryOp::ShiftRight if in_width && left >= 0 => Some(left >> right),
                    BinaryOp::BitAnd => Some(left & right),
                    BinaryOp::BitOr => Some(left | right),
                    BinaryOp::BitXor => Some(left ^ right),
                    _ => None,
                };
                of_integer(result, expr.element)
            }
            (ExprKind::Float(left), ExprKind::Float(right)) => {
                let result = match op {
                    BinaryOp::Add => Some(left + right),
                    BinaryOp::Subtract => Some(left - right),
                    BinaryOp::Multiply => Some(left * right),
                    BinaryOp::Divide => Some(left / right),
                    _ => None,
                };
                result.and_then(|it| of_float(it, expr.element))
            }
            _ => None,
        },
        ExprKind::Convert(operand) => match value(operand) {
            ExprKind::Float(it) => of_float(it, expr.element),
            ExprKind::Integer(it) if operand.element == Type::I64 && expr.element.is_float() => {
                of_float(it as f64, expr.element)
            }
            ExprKind::Integer(it) if matches!(operand.element, Type::I64 | Type::I32) => {
                of_integer(Some(it), expr.element)
            }
            _ => None,
        },
        _ => None,
    };
    Expr { kind: kind.unwrap_or_else(|| expr.kind.clone()), ..expr }
}

/// An integer, if its type holds it; of u64s only those that i64 holds too are computed.
fn of_integer(value: Option<i64>, element: Type) -> Option<ExprKind> {
    let fits = |it: &i64| element.is_integer() && element.limits().contains(it);
    value.filter(fits).map(ExprKind::Integer)
}
