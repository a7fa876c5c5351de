//! What a walk notes beside the time, for machines that count it: nests, operators, and where accesses stand
//! in the loops of a serial execution.

use std::collections::HashMap;
use std::rc::Rc;

use super::Lower;
use super::domain::GuardedPolynomial;
use super::facts::Facts;
use super::level::Level;
use super::polynomial::Polynomial;
use super::scope::{Scope, Variable};
use memory_machine_core::language::program::{ArrayId, SiteId};

/// What is counted beside accesses.
#[derive(Clone, Copy)]
pub(super) enum TallyKind {
    Nest,
    Operation,
}

/// How often something happens in all.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) most: Vec<GuardedPolynomial>,
    pub(super) least: Vec<GuardedPolynomial>,
    /// What happens besides, under conditions on parameters.
    pub(super) conditional: Vec<Lower>,
}

/// How often things happen at a place, at most and at least.
pub(super) type PlaceCounts = Rc<(Option<Vec<GuardedPolynomial>>, Vec<GuardedPolynomial>)>;

/// A loop whose iterations follow each other in a serial execution; around all of them, the whole of it.
pub(super) struct LoopScope {
    /// Of the loop; none of the whole execution.
    pub(super) variable: Option<Variable>,
    /// Levels and facts in an iteration.
    pub(super) levels: usize,
    pub(super) facts: Facts,
    /// Whether no iteration is left out.
    pub(super) is_whole: bool,
}

/// An access with the loops around it.
pub(super) struct Visit {
    pub(super) site: SiteId,
    pub(super) array: ArrayId,
    /// Of the array, in words from its first.
    pub(super) cell: Polynomial,
    pub(super) levels: Vec<Level>,
    pub(super) facts: Facts,
    /// Whether it is made wherever the facts hold.
    pub(super) is_plain: bool,
    /// Outermost first.
    pub(super) loops: Vec<Rc<LoopScope>>,
}

/// All that is noted.
#[derive(Default)]
pub(super) struct Tallies {
    pub(super) nests: Tally,
    pub(super) operations: Tally,
    /// Of operators, those of one processor at most, where the threads of a round are shared out.
    pub(super) of_processor: Vec<GuardedPolynomial>,
    pub(super) visits: Vec<Visit>,
    pub(super) loops: Vec<Rc<LoopScope>>,
    /// By place, as it has equal numbers for all that happens there.
    pub(super) counted: HashMap<u32, PlaceCounts>,
    /// Whether operators are those of indices and bounds, which do not count.
    pub(super) in_place: bool,
}

impl LoopScope {
    pub(super) fn of(scope: &Scope, variable: Option<Variable>, is_whole: bool) -> Self {
        let (levels, facts) = variable
            .as_ref()
            .map_or((scope.levels.len(), scope.facts.clone()), |it| (it.levels, it.facts.clone()));
        Self { variable, levels, facts, is_whole }
    }
}
