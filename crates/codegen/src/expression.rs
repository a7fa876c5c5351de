//! Expressions of the listing as C++, with the same value to the last bit.

use std::collections::HashMap;

use super::cpp_text::{Binding, Text};
use super::intervals::Intervals;
use super::names::{Names, ScalarOrder};
use super::operators::{convert, float, integer, narrow, of_double, unary, without_sign};
use super::storage::type_word;
use memory_machine_core::language::program::{Access, Expr, ExprKind, Program, ScalarId, SiteId};
use memory_machine_core::language::syntax::{BinaryOp, Role, Type};
use memory_machine_core::run::layout;

/// The name of the number of a bulk run's inputs.
pub(super) const INPUTS: &str = "p";

/// Writes expressions for one function.
pub(super) struct Expressions<'a> {
    pub(super) program: &'a Program,
    pub(super) names: &'a Names,
    /// Scalars that the program reads.
    pub(super) used: &'a ScalarOrder,
    pub(super) intervals: &'a Intervals<'a>,
    /// The type of i64 values: `int` where all of them fit.
    pub(super) index: &'static str,
    /// Whether cells are those of one input of a bulk run.
    pub(super) bulk: bool,
    /// The name of the input whose cells are meant.
    pub(super) input: &'static str,
    /// What stands for a read that was made ahead of its place.
    pub(super) prefetch: HashMap<SiteId, String>,
    /// What stands for a scalar other than its name.
    pub(super) instead: HashMap<ScalarId, String>,
    /// The variable of a nest that q threads of a block share in rounds, and q.
    pub(super) dealt: Option<(ScalarId, i64)>,
    /// Whether registers are meant to be those of thread 0.
    pub(super) of_thread_0: bool,
    /// Whether integers may leave their range: where they are data, not addresses.
    wraps: bool,
}

impl<'a> Expressions<'a> {
    pub(super) fn new(
        program: &'a Program,
        names: &'a Names,
        used: &'a ScalarOrder,
        intervals: &'a Intervals<'a>,
        index: &'static str,
        bulk: bool,
    ) -> Self {
        Self {
            program,
            names,
            used,
            intervals,
            index,
            bulk,
            input: "input",
            prefetch: HashMap::new(),
            instead: HashMap::new(),
            dealt: None,
            of_thread_0: false,
            wraps: false,
        }
    }

    /// The type of scalars.
    pub(super) fn word(&self, element: Type) -> &'static str {
        if element == Type::I64 { self.index } else { type_word(element) }
    }

    /// The same text, of the very type.
    pub(super) fn exact(&self, text: Text, element: Type) -> Text {
        let word = self.word(element);
        if text.loose && word != "int" { text.cast(word) } else { text }
    }

    /// A value that is stored or assigned.
    pub(super) fn value(&mut self, expr: &Expr) -> String {
        self.wraps = expr.element != Type::I64 || self.index != "int" && is_data(expr);
        let text = self.expr(expr).text;
        self.wraps = false;
        text
    }

    /// An index, a bound, a condition.
    pub(super) fn plain(&mut self, expr: &Expr) -> String {
        self.expr(expr).text
    }

    /// The same, fit to be an operand of `+`.
    pub(super) fn term(&mut self, expr: &Expr) -> String {
        self.expr(expr).within(Binding::Sum)
    }

    /// The same, fit to be subtracted or multiplied.
    pub(super) fn factor(&mut self, expr: &Expr) -> String {
        self.expr(expr).within(Binding::Product)
    }

    /// An array's element, to be read or written.
    pub(super) fn element(&mut self, access: &Access) -> String {
        let wraps = std::mem::replace(&mut self.wraps, false);
        let array = &self.program.arrays[access.array.0];
        let extents = &array.extents;
        let cell = match &array.layout {
            None => {
                let sizes: Vec<&Expr> = extents.iter().collect();
                self.row_by_row(&access.indices, &sizes)
            }
            Some(layout) => Some(self.laid_out(layout, &access.indices, extents)),
        };
        self.wraps = wraps;
        let name = self.names.array(access.array);
        let Some(cell) = cell else { return name.to_owned() };
        let is_register = self.program.arrays[access.array.0].role == Role::Register;
        if !self.bulk || is_register {
            return format!("{name}[{cell}]");
        }
        let mut cells = vec![];
        for extent in extents {
            cells.push(if extents.len() == 1 { self.plain(extent) } else { self.factor(extent) });
        }
        let input = self.input;
        format!("{name}[place({cell}, {}, {input}, {INPUTS})]", cells.join(" * "))
    }

    /// The number of a cell, row by row.
    pub(super) fn row_by_row(&mut self, indices: &[Expr], extents: &[&Expr]) -> Option<String> {
        let mut cell: Option<String> = None;
        for (index, extent) in indices.iter().zip(extents) {
            cell = Some(match cell {
                None => self.plain(index),
                Some(cell) => {
                    let cell = if is_word(&cell) { cell } else { format!("({cell})") };
                    format!("{cell} * {} + {}", self.factor(extent), self.term(index))
                }
            });
        }
        cell
    }

    /// `x op y` as data, where both are of this type.
    pub(super) fn combined(&mut self, op: BinaryOp, element: Type) -> Text {
        let wraps = std::mem::replace(&mut self.wraps, true);
        let text = self.binary(op, element, ["x", "y"].map(Text::primary), false);
        self.wraps = wraps;
        kept_narrow(text, element)
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Text {
        match &expr.kind {
            ExprKind::Integer(value) => integer(*value, expr.element),
            ExprKind::Float(value) => float(*value, expr.element),
            ExprKind::Boolean(value) => Text::primary(value.to_string()),
            ExprKind::Parameter(it) => Text::primary(self.names.parameter(it.0)),
            ExprKind::Scalar(scalar) => match self.instead.get(scalar) {
                Some(text) if is_word(text) => Text::primary(text.clone()),
                Some(text) => Text::new(text, Binding::Sum),
                None => Text::primary(self.names.scalar(*scalar)),
            },
            ExprKind::Element(access) => match self.prefetch.get(&access.site) {
                Some(text) => Text::primary(text.clone()),
                None => {
                    let text = Text::primary(self.element(access));
                    let role = self.program.arrays[access.array.0].role;
                    let is_of_0 = self.of_thread_0 && role == Role::Register;
                    if is_of_0 { Text::call("of_thread_0", &[text]) } else { text }
                }
            },
            ExprKind::Entry(table, index, _) => {
                let wraps = std::mem::replace(&mut self.wraps, false);
                let index = self.expr(index).text;
                self.wraps = wraps;
                Text::primary(format!("{}[{index}]", self.names.table(*table)))
            }
            ExprKind::Convert(operand) => {
                let operand_text = self.expr(operand);
                convert(operand.element, expr.element, self.word(expr.element), operand_text)
            }
            ExprKind::Unary(op, operand) => {
                let text = self.expr(operand);
                let text = self.exact(text, operand.element);
                unary(*op, operand.element, self.word(operand.element), text)
            }
            ExprKind::Binary(op, left, right) => {
                if let Some(text) = self.divided(*op, left, right) {
                    return text;
                }
                let operands = [self.expr(left), self.expr(right)];
                let bits = i64::from(left.element.bits());
                let in_width =
                    matches!(right.kind, ExprKind::Integer(by) if (0..bits).contains(&by));
                let text = self.binary(*op, left.element, operands, in_width);
                kept_narrow(text, expr.element)
            }
            ExprKind::Warp(op, operands) => self.warp_word(*op, operands),
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.each_ref().map(|it| self.expr(it));
                // Of two integers C++ takes the wider type, of two narrow ones an int.
                let loose = match expr.element.is_narrow() {
                    true => then.loose || otherwise.loose,
                    false => then.loose && otherwise.loose,
                };
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|it| it.within(Binding::Or));
                let text = format!("{condition} ? {then} : {otherwise}");
                Text { loose, ..Text::new(text, Binding::Conditional) }
            }
            // An inlined function's argument, then its body.
            ExprKind::Let(scalar, parts) => {
                let [argument, body] = parts.each_ref().map(|it| self.expr(it));
                let loose = body.loose;
                let [argument, body] = [argument, body].map(|it| it.within(Binding::Conditional));
                let held = match self.used.contains(*scalar) {
                    true => format!("{} = {argument}", self.names.scalar(*scalar)),
                    // What the listing reads, so does the device.
                    false => format!("(void)({argument})"),
                };
                Text { loose, ..Text::primary(format!("({held}, {body})")) }
            }
        }
    }

    /// A quotient or a rest of places: of a nest's number by the threads that share it, or of
    /// numbers that are never negative.
    fn divided(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Text> {
        let function = match op {
            BinaryOp::Divide => "quotient",
            BinaryOp::Modulo => "modulus",
            _ => return None,
        };
        if left.element != Type::I64 || self.bulk {
            return None;
        }
        let (of, by) = (self.intervals.of(left), self.intervals.of(right));
        if let (ExprKind::Scalar(scalar), Some((dealt, threads))) = (&left.kind, self.dealt)
            && (*scalar, Some(threads)) == (dealt, by.value())
        {
            let word = if op == BinaryOp::Divide { "round" } else { "thread" };
            return Some(Text { loose: true, ..Text::primary(word) });
        }
        if let (Some(of), Some(by)) = (of.value(), by.value()) {
            let function = match op {
                BinaryOp::Divide => layout::floor_divide,
                _ => layout::floor_modulo,
            };
            return Some(integer(function(of, by)?, Type::I64));
        }
        if self.index != "int" || of.least < 0 || by.least < 1 {
            return None;
        }
        let operands = [self.expr(left), self.expr(right)];
        Some(Text::call(function, &operands))
    }

    /// `in_width`: a shift that is certainly by less than the bits of its type.
    fn binary(&self, op: BinaryOp, element: Type, operands: [Text; 2], in_width: bool) -> Text {
        let wraps = self.wraps && matches!(element, Type::I32 | Type::I64);
        let [mut left, right] = operands;
        // A shift or a power is by an int as well as by an i64.
        let numbered = op.takes_number();
        if numbered || (left.loose && right.loose && !element.is_narrow()) {
            left = self.exact(left, element);
        }
        if let Some(text) = narrow(op, element, [&left, &right]) {
            return text;
        }
        if element.is_short_float() {
            let float = |it: Text| it.cast(type_word(Type::F32));
            let right = if numbered { right } else { float(right) };
            return self.binary(op, Type::F32, [float(left), right], in_width);
        }
        let call = |function: &str, [left, right]: [Text; 2]| {
            let right = if numbered { right } else { self.exact(right, element) };
            Text::call(function, &[self.exact(left, element), right])
        };
        let (word, binding) = match op {
            BinaryOp::Or => ("||", Binding::Or),
            BinaryOp::And => ("&&", Binding::And),
            BinaryOp::Equal => ("==", Binding::Equality),
            BinaryOp::NotEqual => ("!=", Binding::Equality),
            BinaryOp::Less => ("<", Binding::Comparison),
            BinaryOp::LessEqual => ("<=", Binding::Comparison),
            BinaryOp::Greater => (">", Binding::Comparison),
            BinaryOp::GreaterEqual => (">=", Binding::Comparison),
            BinaryOp::BitOr => ("|", Binding::BitOr),
            BinaryOp::BitXor => ("^", Binding::BitXor),
            BinaryOp::BitAnd => ("&", Binding::BitAnd),
            BinaryOp::ShiftLeft if !element.is_signed() && in_width => ("<<", Binding::Shift),
            BinaryOp::ShiftLeft => return call("shift_left", [left, right]),
            BinaryOp::ShiftRight if in_width => (">>", Binding::Shift),
            BinaryOp::ShiftRight => return call("shift_right", [left, right]),
            BinaryOp::Add if wraps => return call("wrapping_add", [left, right]),
            BinaryOp::Add => ("+", Binding::Sum),
            BinaryOp::Subtract if wraps => return call("wrapping_subtract", [left, right]),
            BinaryOp::Subtract => ("-", Binding::Sum),
            // Never fused with an addition, whatever the compiler's flags.
            BinaryOp::Multiply if element == Type::F32 => return call("__fmul_rn", [left, right]),
            BinaryOp::Multiply if element == Type::F64 => return call("__dmul_rn", [left, right]),
            BinaryOp::Multiply if wraps => return call("wrapping_multiply", [left, right]),
            BinaryOp::Multiply => ("*", Binding::Product),
            BinaryOp::Divide => match element {
                Type::F32 => return call("__fdiv_rn", [left, right]),
                Type::F64 => return call("__ddiv_rn", [left, right]),
                _ if !element.is_signed() => ("/", Binding::Product),
                _ => return call("floor_divide", [left, right]),
            },
            BinaryOp::Modulo if !element.is_signed() => ("%", Binding::Product),
            BinaryOp::Modulo => return call("floor_modulo", [left, right]),
            BinaryOp::Min => return call("least", [left, right]),
            BinaryOp::Max => return call("greatest", [left, right]),
            _ => return self.function(op, element, [left, right]),
        };
        // Operators of one kind associate to the left; bits are mixed with nothing unseen.
        let tighter = match binding {
            Binding::Sum => Binding::Product,
            Binding::Product => Binding::Unary,
            Binding::Or => Binding::And,
            Binding::And => Binding::Equality,
            _ => Binding::Sum,
        };
        let left_binding = match binding {
            Binding::Sum | Binding::Product | Binding::Or | Binding::And => binding,
            _ => Binding::Sum,
        };
        let (left, right) = (left.within(left_binding), right.within(tighter));
        Text::new(format!("{left} {word} {right}"), binding)
    }

    /// What is written as a call.
    fn function(&self, op: BinaryOp, element: Type, [left, right]: [Text; 2]) -> Text {
        // A place may be kept in 32 bits, but is computed in 64.
        let word = type_word(element);
        let kept = |text: Text| match self.word(element) {
            it if it == word => text,
            it => text.cast(it),
        };
        match op {
            BinaryOp::RotateLeft | BinaryOp::RotateRight => {
                let unsigned = without_sign(element);
                let function =
                    if element.is_narrow() { "rotate_left_narrow" } else { "rotate_left" };
                let by = match op {
                    BinaryOp::RotateLeft => right,
                    _ => Text::new(format!("-{}", right.within(Binding::Primary)), Binding::Unary),
                };
                let rotated = Text::call(function, &[left.cast(unsigned), by]);
                if word == unsigned { rotated } else { rotated.cast(self.word(element)) }
            }
            BinaryOp::MultiplyHigh => {
                kept(Text::call("multiply_high", &[left.cast(word), right.cast(word)]))
            }
            BinaryOp::Power if element.is_integer() => {
                kept(Text::call("integer_power", &[left.cast(word), right]))
            }
            BinaryOp::Power => of_double("power", element, &[left, right]),
            BinaryOp::RealPower => of_double("real_power", element, &[left, right]),
            _ => of_double("angle", element, &[left, right]),
        }
    }
}

/// C++ computes in 32 bits what has fewer.
fn kept_narrow(text: Text, element: Type) -> Text {
    let is_narrow = element.is_narrow() || element.is_short_float();
    if is_narrow { text.cast(type_word(element)) } else { text }
}

/// Whether an i64 value is data, which may wrap around, rather than arithmetic on sizes and places,
/// which stays far inside the range.
fn is_data(expr: &Expr) -> bool {
    expr.parts().any(|it| match &it.kind {
        ExprKind::Element(_) | ExprKind::Convert(_) => true,
        ExprKind::Binary(BinaryOp::Multiply, left, right) => {
            let constant = |it: &Expr| {
                matches!(it.kind, ExprKind::Integer(value) if value.unsigned_abs() < 1 << 31)
                    || matches!(it.kind, ExprKind::Parameter(_))
            };
            !constant(left) && !constant(right)
        }
        _ => false,
    })
}

/// Whether a text is one name or number.
pub(super) fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
