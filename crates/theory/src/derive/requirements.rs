//! What a listing requires of its inputs, as facts.

use super::level::Level;
use super::polynomial::{Atom, Polynomial};
use super::scope::{Scope, is_of_parameters};
use super::symbolizer::Symbolizer;
use memory_machine_core::language::program::{
    Access, ArrayId, Expr, ExprKind, LoopRange, Requirement,
};
use memory_machine_core::language::syntax::{BinaryOp, Role};

impl Symbolizer<'_> {
    /// What is required of parameters.
    pub(super) fn required(&mut self, scope: &mut Scope) {
        for requirement in &self.program.requirements {
            if let Requirement::Holds(condition) = requirement
                && is_of_parameters(condition)
            {
                let [holds, _] = self.facts(condition, scope);
                for fact in holds.into_iter().flatten().filter(|it| !it.is_local()) {
                    scope.facts = scope.facts.and(fact);
                }
            }
        }
    }

    /// How often a loop from `row[i]` to `row[i + 1] - 1` turns, i going through a loop, where `row` is required
    /// to be sorted and its first and last numbers are required: for all i together, no more than lies between.
    pub(super) fn share(&mut self, range: &LoopRange, scope: &mut Scope) -> Option<Polynomial> {
        let ExprKind::Binary(BinaryOp::Subtract, to, less) = &plain(&range.to).kind else {
            return None;
        };
        let is_one = matches!(plain(less).kind, ExprKind::Integer(1));
        let (from, to) = (element(&range.from)?, element(to)?);
        let (array, program) = (from.array, self.program);
        let declared = &program.arrays[array.0];
        let says = |it: &Requirement| matches!(it, Requirement::Sorted(of, _) if *of == array);
        let is_fine = is_one
            && !range.downward
            && to.array == array
            && declared.role == Role::Input
            && program.requirements.iter().any(says);
        if !is_fine {
            return None;
        }
        let ([first], [next], [extent]) =
            (&from.indices[..], &to.indices[..], &declared.extents[..])
        else {
            return None;
        };
        let [first, next, extent] = [first, next, extent].map(|it| self.value(it, scope));
        let one = Polynomial::constant(1);
        if &next - &first != one {
            return None;
        }
        let by = scope.levels.iter().find_map(|level| match level {
            Level::Sum(atom) => (&first - &Polynomial::from(*atom)).as_whole().map(|_| *atom),
            _ => None,
        })?;
        let low = self.required_cell(array, &Polynomial::default(), scope)?;
        let high = self.required_cell(array, &(&extent - &one), scope)?;
        Some(self.share_of(&high - &low, by, scope))
    }

    fn share_of(&mut self, of: Polynomial, by: Atom, scope: &mut Scope) -> Polynomial {
        let atom = self.local();
        let own = Polynomial::from(atom);
        scope.facts = scope.facts.and(&of - &own);
        scope.levels.push(Level::Harmonic { atom, of, by, is_share: true });
        own
    }

    /// What a cell of an array is required to hold, over parameters.
    fn required_cell(
        &mut self,
        array: ArrayId,
        cell: &Polynomial,
        scope: &mut Scope,
    ) -> Option<Polynomial> {
        for requirement in &self.program.requirements {
            let Requirement::Holds(condition) = requirement else { continue };
            let ExprKind::Binary(BinaryOp::Equal, left, right) = &condition.kind else { continue };
            for (read, value) in [(left, right), (right, left)] {
                let Some(access) = element(read).filter(|it| it.array == array) else { continue };
                if is_of_parameters(value) && self.value(&access.indices[0], scope) == *cell {
                    let value = match plain(value).kind {
                        ExprKind::Integer(value) => Polynomial::constant(value),
                        _ => self.value(plain(value), scope),
                    };
                    return (!value.is_local()).then_some(value);
                }
            }
        }
        None
    }
}

/// An expression as it was before it was made another type of whole numbers.
fn plain(of: &Expr) -> &Expr {
    match &of.kind {
        ExprKind::Convert(it) if !it.element.is_float() => plain(it),
        _ => of,
    }
}

/// The access that an expression is, whatever its type.
fn element(of: &Expr) -> Option<&Access> {
    match &plain(of).kind {
        ExprKind::Element(access) => Some(access),
        _ => None,
    }
}
