//! What a listing requires of its sizes and inputs, held against those of a case.

use memory_machine_core::diagnostic::{Diagnostic, Located};
use memory_machine_core::language::program::{ArrayId, Expr, ExprKind, Requirement};
use memory_machine_core::language::syntax::{BinaryOp, UnaryOp};
use memory_machine_core::run::layout::{self, Layout};
use memory_machine_core::run::memory::{Memory, number, text};

use crate::{Case, CaseError};

/// A cell of an array, row by row.
type Read<'a> = dyn Fn(ArrayId, u64) -> Option<i64> + 'a;

impl Case {
    /// Whether sizes fulfil what is required; with memory as it is before a run, inputs, too.
    pub(super) fn meet_requirements(
        &self,
        layout: &Layout,
        memory: Option<&Memory>,
    ) -> Result<(), CaseError> {
        for requirement in &self.program.requirements {
            // What is of sizes alone is the same for all inputs of a bulk run.
            let inputs = match (is_of_inputs(requirement), memory) {
                (false, _) => 1,
                (true, None) => 0,
                (true, Some(_)) => layout.bulk.map_or(1, |bulk| bulk.inputs),
            };
            for input in 0..inputs {
                let read = |array: ArrayId, cell: u64| {
                    let bits = memory?.cells(layout, array, input).nth(cell as usize)??;
                    Some(bits.cast_signed())
                };
                let why = match requirement {
                    Requirement::Sorted(array, _) => {
                        memory.and_then(|it| self.unsorted(layout, it, *array, input))
                    }
                    Requirement::Holds(condition) => broken(condition, layout, &read),
                };
                let Some(why) = why else { continue };
                let diagnostic =
                    Diagnostic::new(requirement.span(), "this is required, and does not hold")
                        .label(why)
                        .help("give sizes (--set) or inputs (--input) of which it holds");
                let located = Located { source: self.program.source.clone(), diagnostic };
                return Err(Box::new(located).into());
            }
        }
        Ok(())
    }

    fn unsorted(
        &self,
        layout: &Layout,
        memory: &Memory,
        array: ArrayId,
        input: u64,
    ) -> Option<String> {
        let of = &self.program.arrays[array.0];
        let cells: Vec<u64> = memory.cells(layout, array, input).flatten().collect();
        let number = |bits: u64| number(of.element, bits);
        let at = cells.windows(2).position(|it| number(it[0]) > number(it[1]))?;
        let [first, second] = [at, at + 1].map(|at| text(of.element, cells[at]));
        Some(format!("cell {at} holds {first}, and the next {second}"))
    }
}

/// Whether more than sizes decide it.
fn is_of_inputs(requirement: &Requirement) -> bool {
    match requirement {
        Requirement::Sorted(..) => true,
        Requirement::Holds(condition) => condition.reads().next().is_some(),
    }
}

/// Why a condition does not hold, if it does not.
fn broken(condition: &Expr, layout: &Layout, read: &Read<'_>) -> Option<String> {
    match (evaluate(condition, layout, read), &condition.kind) {
        (Some(1..), _) => None,
        (None, _) => Some("this cannot be evaluated before a run".to_owned()),
        (Some(_), ExprKind::Binary(BinaryOp::And, left, right)) => {
            broken(left, layout, read).or_else(|| broken(right, layout, read))
        }
        (Some(_), ExprKind::Binary(_, left, right)) => {
            let [left, right] = [left, right].map(|it| evaluate(it, layout, read));
            let sides = left.zip(right).map(|(left, right)| format!("left {left}, right {right}"));
            Some(sides.unwrap_or_else(|| "it is false".to_owned()))
        }
        (Some(_), _) => Some("it is false".to_owned()),
    }
}

/// A whole number, or 1 for true and 0 for false.
fn evaluate(of: &Expr, layout: &Layout, read: &Read<'_>) -> Option<i64> {
    let value = |it: &Expr| evaluate(it, layout, read);
    match &of.kind {
        ExprKind::Boolean(it) => Some(i64::from(*it)),
        ExprKind::Convert(it) => value(it),
        ExprKind::Element(access) => {
            let extents = &layout.regions[access.array.0].extents;
            let mut cell = 0;
            for (index, extent) in access.indices.iter().zip(extents) {
                let index = u64::try_from(value(index)?).ok().filter(|it| it < extent)?;
                cell = cell * extent + index;
            }
            read(access.array, cell)
        }
        ExprKind::Unary(UnaryOp::Not, it) => Some(1 - value(it)?),
        ExprKind::Unary(UnaryOp::Negate, it) => value(it)?.checked_neg(),
        ExprKind::Binary(BinaryOp::And, left, right) => match value(left)? {
            0 => Some(0),
            _ => value(right),
        },
        ExprKind::Binary(BinaryOp::Or, left, right) => match value(left)? {
            0 => value(right),
            _ => Some(1),
        },
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (value(left)?, value(right)?);
            match op.holds(left.cmp(&right)) {
                Some(holds) => Some(i64::from(holds)),
                None => layout::checked(*op, left, right),
            }
        }
        _ => layout::constant(of, &layout.parameters),
    }
}
