//! Literals, conversions and operators of the listing as C++ has them.

use super::cpp_text::{Binding, Text};
use super::storage::type_word;
use memory_machine_core::language::program::{Expr, ExprKind};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp, short_float};

/// A constant of a table.
pub(super) fn literal(expr: &Expr) -> String {
    match expr.kind {
        ExprKind::Integer(value) => integer(value, expr.element).text,
        // The initial value of what lies in constant memory is no call.
        ExprKind::Float(value) if value.is_infinite() && !expr.element.is_short_float() => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}(1.0 / 0.0)")
        }
        ExprKind::Float(value) => float(value, expr.element).text,
        ExprKind::Boolean(value) => value.to_string(),
        _ => String::new(),
    }
}

pub(super) fn integer(value: i64, element: Type) -> Text {
    match element {
        _ if element.is_float() => float(value as f64, element),
        Type::U32 => Text::primary(format!("{value}u")),
        Type::U64 => Text::primary(format!("{}ull", value.cast_unsigned())),
        Type::I32 if value == i64::from(i32::MIN) => Text::primary("(-2147483647 - 1)"),
        Type::I64 if value == i64::MIN => Text::primary("(-9223372036854775807LL - 1)"),
        _ => {
            let loose = element != Type::I32 && i32::try_from(value).is_ok();
            let suffix = if loose || element == Type::I32 { "" } else { "LL" };
            let binding = if value < 0 { Binding::Unary } else { Binding::Primary };
            Text { loose, ..Text::new(format!("{value}{suffix}"), binding) }
        }
    }
}

pub(super) fn float(value: f64, element: Type) -> Text {
    if element.is_short_float() {
        let bits = short_float::rounded(element, value as f32);
        return Text::primary(format!("{}::of_bits({bits:#06x})", type_word(element)));
    }
    if value.is_infinite() {
        let word = if element == Type::F32 { "infinity<float>()" } else { "infinity<double>()" };
        return match value > 0.0 {
            true => Text::primary(word),
            false => Text::new(format!("-{word}"), Binding::Unary),
        };
    }
    let text = match element {
        Type::F32 => format!("{:?}f", value as f32),
        _ => format!("{value:?}"),
    };
    let binding = if value.is_sign_negative() { Binding::Unary } else { Binding::Primary };
    Text::new(text, binding)
}

/// The unsigned type of as many bits.
pub(super) const fn without_sign(element: Type) -> &'static str {
    match element.bits() {
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned",
        _ => "unsigned long long",
    }
}

/// What C++ computes otherwise of integers of 8 or 16 bits, of which it makes ints.
pub(super) fn narrow(op: BinaryOp, element: Type, operands: [&Text; 2]) -> Option<Text> {
    if !element.is_narrow() {
        return None;
    }
    let [left, right] = operands.map(|it| it.clone().within(Binding::Unary));
    // A product without a sign may leave the ints.
    let unsigned = if element.is_signed() { "" } else { "(unsigned)" };
    let last = element.bits() - 1;
    let (text, binding) = match op {
        BinaryOp::ShiftLeft => (format!("(unsigned){left} << ({right} & {last})"), Binding::Shift),
        BinaryOp::ShiftRight => (format!("{left} >> ({right} & {last})"), Binding::Shift),
        BinaryOp::Multiply => (format!("{unsigned}{left} * {right}"), Binding::Product),
        BinaryOp::MultiplyHigh => {
            (format!("{unsigned}{left} * {right} >> {}", element.bits()), Binding::Shift)
        }
        _ => return None,
    };
    Some(Text::new(text, binding))
}

/// As a run converts: floats to the nearest, floats to integers truncated and saturated.
pub(super) fn convert(from: Type, to: Type, word: &str, operand: Text) -> Text {
    if from.is_short_float() {
        let wide = operand.cast(type_word(Type::F32));
        return if to == Type::F32 { wide } else { convert(Type::F32, to, word, wide) };
    }
    if from.is_float() && to.is_narrow() {
        let (least, most) = (*to.limits().start(), *to.limits().end());
        let whole = convert(from, Type::I32, "int", operand).text;
        return Text::primary(format!("least(greatest({whole}, {least}), {most})")).cast(word);
    }
    let function = match (from, to) {
        (Type::F32, Type::I32) => "__float2int_rz",
        (Type::F32, Type::U32) => "__float2uint_rz",
        (Type::F32, Type::I64) => "__float2ll_rz",
        (Type::F32, Type::U64) => "__float2ull_rz",
        (Type::F64, Type::U64) => "__double2ull_rz",
        (Type::F64, Type::I32) => "__double2int_rz",
        (Type::F64, Type::U32) => "__double2uint_rz",
        (Type::F64, Type::I64) => "__double2ll_rz",
        (Type::F64, Type::F32) => "__double2float_rn",
        _ => {
            let text = format!("({word}){}", operand.within(Binding::Unary));
            return Text::new(text, Binding::Unary);
        }
    };
    Text::call(function, &[operand])
}

/// `word`: how a value of this type is kept.
pub(super) fn unary(op: UnaryOp, element: Type, word: &str, operand: Text) -> Text {
    let prefixed = |sign: &str, operand: Text| {
        let text = Text::new(format!("{sign}{}", operand.within(Binding::Primary)), Binding::Unary);
        if element.is_narrow() { text.cast(word) } else { text }
    };
    if element.is_short_float() {
        let operand = operand.cast(type_word(Type::F32));
        return unary(op, Type::F32, type_word(Type::F32), operand).cast(word);
    }
    match (op, element) {
        (UnaryOp::Negate, Type::I32 | Type::I64) => Text::call("wrapping_negate", &[operand]),
        (UnaryOp::Negate, _) => prefixed("-", operand),
        (UnaryOp::Not, _) => prefixed("!", operand),
        (UnaryOp::BitNot, _) => prefixed("~", operand),
        (UnaryOp::Abs, Type::F32) => Text::call("fabsf", &[operand]),
        (UnaryOp::Abs, Type::F64) => Text::call("fabs", &[operand]),
        (UnaryOp::Abs, _) if !element.is_signed() => operand,
        (UnaryOp::Abs, _) => Text::call("magnitude", &[operand]),
        (UnaryOp::Sqrt, Type::F32) => Text::call("__fsqrt_rn", &[operand]),
        (UnaryOp::Sqrt, _) => Text::call("__dsqrt_rn", &[operand]),
        (UnaryOp::Popcount, _) => bits("ones", element, operand).cast(word),
        (UnaryOp::LeadingZeros, _) if element.bits() < 64 => {
            let zeros = bits("leading_zeros", element, operand).text;
            let beyond = 64 - element.bits();
            Text::new(format!("{zeros} - {beyond}"), Binding::Sum).cast(word)
        }
        (UnaryOp::LeadingZeros, _) => bits("leading_zeros", element, operand).cast(word),
        (UnaryOp::Floor, _) => of_double("floor", element, &[operand]),
        (UnaryOp::Ceiling, _) => of_double("ceil", element, &[operand]),
        (UnaryOp::Sin, _) => of_double("sine", element, &[operand]),
        (UnaryOp::Cos, _) => of_double("cosine", element, &[operand]),
        (UnaryOp::Tan, _) => of_double("tangent", element, &[operand]),
        (UnaryOp::Exp, _) => of_double("exponential", element, &[operand]),
        (UnaryOp::Log, _) => of_double("logarithm", element, &[operand]),
        (UnaryOp::Log2, _) => of_double("logarithm_2", element, &[operand]),
    }
}

/// A function of the bits of an integer, the higher ones being none.
fn bits(function: &str, element: Type, operand: Text) -> Text {
    let operand = match element {
        // A place may be kept in 32 bits.
        Type::I64 => operand.cast("long long"),
        _ if element.is_signed() => operand.cast(without_sign(element)),
        _ => operand,
    };
    Text::call(function, &[operand])
}

/// A function of doubles; of floats its value is rounded.
pub(super) fn of_double(function: &str, element: Type, operands: &[Text]) -> Text {
    let call = Text::call(function, operands);
    match element {
        Type::F64 => call,
        _ => call.cast(type_word(element)),
    }
}
