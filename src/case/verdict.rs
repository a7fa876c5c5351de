//! Whether a run's result is right.

use super::Case;
use crate::algorithms::reference::Given;
use crate::run::layout::Layout;
use crate::run::memory::{self, Memory};

/// What a reference says of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// There is no reference for this listing, or not for such input.
    Unknown,
    /// Every cell agrees, within the reference's tolerance.
    Right,
    /// Where the result first differs.
    Wrong(String),
}

impl Verdict {
    /// `None` if nobody knows.
    pub const fn is_right(&self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Right => Some(true),
            Self::Wrong(_) => Some(false),
        }
    }
}

pub(super) fn verify(case: &Case, layout: &Layout, memory: &Memory) -> Verdict {
    let Some(entry) = case.shipped() else { return Verdict::Unknown };
    let program = &case.program;
    for input in 0..layout.bulk.map_or(1, |bulk| bulk.inputs) {
        let given: Vec<_> = case.inputs.given(program, layout, input).collect();
        let given: Vec<_> = given.iter().map(|it| it as &dyn Given).collect();
        let Some(all) = (entry.reference)(&layout.parameters, &given) else {
            return Verdict::Unknown;
        };
        for expected in all {
            let Some(array) = program.array_named(expected.array) else { continue };
            let element = program.arrays[array.0].element;
            let found = memory.cells(layout, array, input);
            let found = found.map(|bits| bits.map(|bits| memory::number(element, bits)));
            let (name, is_certain) = (expected.array, expected.certain);
            match expected.first_difference(found) {
                None => {}
                Some(_) if !is_certain => return Verdict::Unknown,
                Some((cell, found, wanted)) => {
                    let found = found.map_or("nothing".to_owned(), |it| it.to_string());
                    return Verdict::Wrong(format!(
                        "cell {cell} of `{name}` (input {input}) holds {found}; the reference has {wanted}"
                    ));
                }
            }
        }
    }
    Verdict::Right
}
