//! What goes wrong while a program runs, with the loop variables' values.

use super::Executor;
use crate::diagnostic::{Diagnostic, Span};
use crate::language::program::ArrayId;
use crate::language::syntax::BinaryOp;
use crate::run::active::Active;
use crate::run::code::{Code, Place, Register};
use crate::run::lanes::Fault;
use crate::run::lower::text;
use crate::run::memory::Bits;
use crate::run::observer::Observer;

const GUARD: &str = "guard it with `if`, or change what it divides by";

impl<'a, W: Observer + ?Sized> Executor<'a, W> {
    /// Whether what `decreases` is 0 or more and less than in the iteration before; where there are values.
    pub(super) fn check_fall(
        &mut self,
        (code, register, span): &'a (Code<'a>, Register, Span),
        last: &mut Vec<i64>,
        active: &Active,
    ) -> Result<(), Box<Diagnostic>> {
        if self.memory.is_none() {
            return Ok(());
        }
        let is_outer = std::mem::replace(&mut self.unobserved, true);
        let done = self.code(code, active);
        self.unobserved = is_outer;
        done?;
        let values = &self.registers[register.0];
        last.resize(values.len(), i64::MAX);
        let mut wrong = None;
        active.for_each(|lane| {
            let value = values[lane].cast_signed();
            if value < 0 || value >= last[lane] {
                wrong = wrong.or(Some((lane, value, last[lane])));
            }
            last[lane] = value;
        });
        let Some((lane, value, before)) = wrong else { return Ok(()) };
        let said = match value {
            ..0 => format!("is {value} where an iteration begins"),
            _ => format!("is {value}, and was {before} an iteration before"),
        };
        Err(Box::new(
            self.error(*span, format!("what `decreases` {said}"), lane)
                .help("it falls with each iteration and is never below 0: write another measure"),
        ))
    }
}

impl<W: Observer + ?Sized> Executor<'_, W> {
    pub(super) fn undefined(
        &self,
        array: ArrayId,
        cell: u64,
        span: Span,
        lane: usize,
    ) -> Box<Diagnostic> {
        let indices = self.layout.regions[array.0].indices(cell);
        let array = &self.program.arrays[array.0];
        let message =
            format!("{}[{}] is read but was never written", array.name, join(indices.iter()));
        let help = format!("`{}` is {}: it has no values at first", array.name, array.role.word());
        Box::new(self.error(span, message, lane).help(help))
    }

    pub(super) fn fault(
        &self,
        span: Span,
        fault: Fault,
        lane: usize,
        op: BinaryOp,
    ) -> Box<Diagnostic> {
        let code = text(self.program, span);
        let error = match fault {
            Fault::DivisionByZero if op == BinaryOp::Modulo => {
                self.error(span, format!("`{code}` takes a remainder by zero"), lane).help(GUARD)
            }
            Fault::DivisionByZero => {
                self.error(span, format!("`{code}` divides by zero"), lane).help(GUARD)
            }
            Fault::NegativeExponent => {
                let message = format!("`{code}` has a negative exponent");
                self.error(span, message, lane)
                    .help("powers of integers have exponents of 0 and more")
            }
            Fault::DoesNotFit(value, element) => {
                let message = format!("the value {value} does not fit {}", element.word());
                self.error(span, message, lane).help("keep it in a wider type")
            }
        };
        Box::new(error)
    }

    /// A register's integer as thread `lane` sees it.
    pub(super) fn value(&self, register: Register, lane: usize) -> i64 {
        let values = &self.registers[register.0];
        let lane = match (self.places[register.0].0, self.place, &self.resident) {
            (Place::Block, Place::Inside, Some(resident)) => lane / resident.threads,
            _ => lane,
        };
        <i64 as Bits>::from_bits(values[lane.min(values.len() - 1)])
    }

    /// A run-time error with the loop variables' values.
    pub(super) fn error(&self, span: Span, message: String, lane: usize) -> Diagnostic {
        let mut error = Diagnostic::new(span, message);
        if !self.loops.is_empty() {
            let values = self
                .loops
                .iter()
                .map(|&(name, register)| format!("{name} = {}", self.value(register, lane)));
            error = error.note(format!("with {}", values.collect::<Vec<_>>().join(", ")));
        }
        if self.layout.bulk.is_some() {
            error = error.note(format!("in input {lane} of the bulk run"));
        }
        error
    }
}

pub(super) fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
