//! The operators of a loop's body, for whoever counts them.

use super::{Builder, Result, ScalarValue};
use crate::count::guard::Guard;
use crate::count::work::{Action, NotAffine, OperationForm, Require};
use crate::diagnostic::Span;
use crate::language::program::{Block, Expr};
use crate::run::Evaluation;
use crate::trace::Phase;

impl Builder<'_> {
    /// Notes an operator, if it is one that counts.
    pub(super) fn operation(
        &mut self,
        guard: &Guard,
        of: impl FnOnce(Phase) -> Option<Evaluation>,
    ) {
        if let Some(evaluation) = self.phase.and_then(of) {
            self.work.push(Action::Operation(OperationForm { evaluation, guard: guard.clone() }));
        }
    }

    /// Notes what must hold, or an operation may fail; `operand` decides.
    pub(super) fn hazard(
        &mut self,
        expr: &Expr,
        operand: ScalarValue,
        guard: &Guard,
    ) -> Result<()> {
        if self.setting.on_data.fails(expr) {
            return Ok(());
        }
        let Some((_, safe)) = expr.hazard() else { return Ok(()) };
        let why = "whether this fails is not known beforehand";
        let otherwise = NotAffine::new(expr.span, why);
        let ScalarValue::Number(form) = operand else { return Err(otherwise) };
        match form.as_constant() {
            Some(value) if safe.contains(&value) => {}
            Some(_) => return Err(otherwise),
            None => {
                let (low, high, guard) = (*safe.start(), *safe.end(), guard.clone());
                self.work.push(Action::Require(Require { form, low, high, guard, otherwise }));
            }
        }
        Ok(())
    }

    /// An index or a bound: its operators do not count.
    pub(super) fn place(&mut self, expr: &Expr, guard: &Guard) -> Result<ScalarValue> {
        let phase = self.phase.take();
        let value = self.expr(expr, guard);
        self.phase = phase;
        value
    }

    pub(super) fn labelled(&mut self, label: &str, body: &Block, guard: &Guard) -> Result<()> {
        let inside = self.phase.map(|outer| self.setting.program.phase_within(label, outer));
        let outer = std::mem::replace(&mut self.phase, inside);
        let built = self.block(body, guard);
        self.phase = outer;
        built
    }

    /// What memory lets happen, or not, is passed over, which leaves out its operators.
    pub(super) fn refuse_unknown_operations(&self, span: Span) -> Result<()> {
        let why = "how many operators are evaluated here depends on what memory holds";
        if self.phase.is_some() { Err(NotAffine::new(span, why)) } else { Ok(()) }
    }
}
