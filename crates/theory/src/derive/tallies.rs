//! What a walk notes beside the time, for machines that count it: nests, operators, and where accesses stand
//! in the loops of a serial execution.

use std::collections::HashMap;
use std::rc::Rc;

use super::domain::{GuardedPolynomial, times, total};
use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Polynomial, Size};
use super::scope::{Scope, Variable};
use super::walk::Walk;
use super::{Lower, listing};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{ArrayId, SiteId};
use memory_machine_core::trace::Space;

const UNCOUNTED: &str = "how often this happens is not known";

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
type PlaceCounts = Rc<(Option<Vec<GuardedPolynomial>>, Vec<GuardedPolynomial>)>;

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
    loops: Vec<Rc<LoopScope>>,
    /// By place, as it has equal numbers for all that happens there.
    counted: HashMap<u32, PlaceCounts>,
    /// Whether operators are those of indices and bounds, which do not count.
    in_place: bool,
}

impl LoopScope {
    pub(super) fn of(scope: &Scope, variable: Option<Variable>, is_whole: bool) -> Self {
        let (levels, facts) = variable
            .as_ref()
            .map_or((scope.levels.len(), scope.facts.clone()), |it| (it.levels, it.facts.clone()));
        Self { variable, levels, facts, is_whole }
    }
}

impl Walk<'_> {
    /// Something happens here once.
    pub(super) fn tally(&mut self, what: TallyKind, span: Span, scope: &Scope) {
        if self.silent > 0 {
            return;
        }
        if self.tallies.as_ref().is_none_or(|it| it.in_place) {
            return;
        }
        // Each thread makes it once in each step of a round at most.
        let steps = match &scope.nest {
            Some(_) if scope.blocks.is_none() => self.counted(Space::Global, scope).rounds.clone(),
            _ => None,
        };
        let Some(tallies) = &mut self.tallies else { return };
        let count = || {
            let one = Polynomial::constant(1);
            let most = total(&scope.levels, &scope.facts, &one, true);
            let least = total(&scope.levels, &scope.narrow_facts(), &one, false);
            Rc::new((most, least.unwrap_or_default()))
        };
        let counts = tallies.counted.entry(scope.place).or_insert_with(count).clone();
        let tally = match what {
            TallyKind::Nest => &mut tallies.nests,
            TallyKind::Operation => &mut tallies.operations,
        };
        let (most, least) = &*counts;
        if scope.sure && scope.conditions.is_empty() {
            tally.least.extend(least.iter().cloned());
        } else if scope.sure && !least.is_empty() {
            let (conditions, pieces) = (scope.conditions.clone(), least.clone());
            let rule = "under this condition";
            tally.conditional.push(Lower { rule, conditions, elastic: None, pieces });
        }
        let Some(most) = most else { return self.missing(span, UNCOUNTED) };
        tally.most.extend(most.iter().cloned());
        if let TallyKind::Operation = what {
            let own = steps.map(|it| times(&it, &threads_of_processor()));
            tallies.of_processor.extend(own.unwrap_or_else(|| most.clone()));
        }
    }

    /// What stands in indices and bounds: its operators are no operations.
    pub(super) fn in_place(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = self.tallies.as_mut().map(|it| std::mem::replace(&mut it.in_place, true));
        walk(self);
        if let (Some(tallies), Some(outer)) = (&mut self.tallies, outer) {
            tallies.in_place = outer;
        }
    }

    /// What is visited from here on is inside these loops.
    pub(super) fn enter_loops(&mut self, loops: Option<LoopScope>) -> usize {
        let Some(tallies) = &mut self.tallies else { return 0 };
        let around = tallies.loops.len();
        tallies.loops.extend(loops.into_iter().map(Rc::new));
        around
    }

    pub(super) fn leave_loops(&mut self, around: usize) {
        if let Some(tallies) = &mut self.tallies {
            tallies.loops.truncate(around);
        }
    }

    /// Notes an access of one word.
    pub(super) fn visit(
        &mut self,
        (site, array): (SiteId, ArrayId),
        cell: impl FnOnce(&mut Self, &mut Scope) -> Polynomial,
        scope: &mut Scope,
    ) {
        if self.tallies.is_none() {
            return;
        }
        let cell = cell(self, scope);
        let Some(tallies) = &mut self.tallies else { return };
        let (levels, facts) = (scope.levels.clone(), scope.facts.clone());
        let is_plain = scope.sure && scope.narrower.is_empty();
        let loops = tallies.loops.clone();
        tallies.visits.push(Visit { site, array, cell, levels, facts, is_plain, loops });
    }
}

/// Threads of a round that one of P processors has at most.
fn threads_of_processor() -> Polynomial {
    let [p, per_processor] = [Polynomial::from(Size::Threads), Polynomial::per(Size::Other)];
    &(&p * &per_processor) + &Polynomial::constant(1)
}

/// All that is noted of a listing, and what is missing from it.
pub(super) fn tallies(question: &super::Question<'_>) -> (Tallies, Vec<super::Missing>) {
    let mut walk = Walk::new(question, &[]);
    walk.tallies = Some(Tallies::default());
    listing::walk(&mut walk, &question.program.body);
    (walk.tallies.unwrap_or_default(), walk.derived.missing)
}
