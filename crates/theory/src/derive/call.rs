//! Calls of procedures that call themselves, as a walk finds them.

use super::domain::GuardedPolynomial;
use super::facts::Facts;
use super::polynomial::Polynomial;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::ArrayId;

/// A call of a procedure that calls itself.
pub(super) struct Call {
    /// Which one.
    pub(super) callee: usize,
    /// The sizes of what it is given, and where ranges begin, by one more.
    pub(super) sizes: Vec<Polynomial>,
    pub(super) positions: Vec<Polynomial>,
    /// What holds there.
    pub(super) facts: Facts,
    /// How often it is made, at most and at least.
    pub(super) counts: [Vec<GuardedPolynomial>; 2],
    /// The arms of conditions around, outside of loops: of each, by its number, which one.
    pub(super) arms: Vec<(u32, bool)>,
    pub(super) span: Span,
}

impl Call {
    /// Whether what it is given has the size that a procedure's sizes have: 1 at least.
    pub(super) fn has_sizes(&self) -> bool {
        let one = Polynomial::constant(1);
        self.sizes.iter().chain(&self.positions).all(|it| self.facts.imply(&(it - &one)))
    }
}

/// A procedure that calls itself, as a walk sees it: what stands for a call, and how many sizes it has.
pub(super) type Callee = (ArrayId, usize);
