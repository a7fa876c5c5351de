//! Atomics, by the functions that CUDA has for them.

use super::expression::Expressions;
use super::storage::type_word;
use memory_machine_core::language::program::{Access, Atomic, AtomicOp};
use memory_machine_core::language::syntax::Type;

impl Expressions<'_> {
    /// The statement of an atomic on `element`, whose operand is `value`.
    pub(super) fn atomic(
        &mut self,
        access: &Access,
        atomic: &Atomic,
        (element, value): (&str, &str),
    ) -> String {
        let of = self.program.arrays[access.array.0].element;
        let is_bitwise = !matches!(atomic.op, AtomicOp::Min | AtomicOp::Max);
        // CUDA has most functions for integers of 64 bits without a sign only.
        let word = if of == Type::I64 && is_bitwise { "unsigned long long" } else { type_word(of) };
        let exact = |text: &str| match of {
            Type::I64 => format!("({word})(long long)({text})"),
            _ => format!("({word})({text})"),
        };
        let place = match of {
            Type::I64 => format!("({word} *)&{element}"),
            _ => format!("&{element}"),
        };
        let value = exact(value);
        let call = |function: &str, value: &str| format!("atomic{function}({place}, {value})");
        let call = match atomic.op {
            AtomicOp::Add => call("Add", &value),
            AtomicOp::Subtract if of.bits() == 32 && of.is_integer() => call("Sub", &value),
            AtomicOp::Subtract => call("Add", &format!("-({value})")),
            AtomicOp::Min => call("Min", &value),
            AtomicOp::Max => call("Max", &value),
            AtomicOp::And => call("And", &value),
            AtomicOp::Or => call("Or", &value),
            AtomicOp::Xor => call("Xor", &value),
            AtomicOp::Exchange => call("Exch", &value),
            AtomicOp::CompareExchange => {
                let compare = atomic.compare.as_ref().map(|it| self.value(it));
                let compare = exact(&compare.unwrap_or_default());
                call("CAS", &format!("{compare}, {value}"))
            }
        };
        match atomic.old {
            Some(old) => {
                let to = self.word(of);
                format!("{} = ({to}){call};", self.names.scalar(old))
            }
            None => format!("{call};"),
        }
    }
}
