//! Bounds from below: what surely happens, and how long it takes at least.
//!
//! All hold synchronously and asynchronously: a stage serves w requests, a thread has one request at a
//! time, a place for blocks one block at a time, and barriers stand around nests and loops on DMMs.

use std::rc::Rc;

use super::domain::{GuardedPolynomial, sum_at_large, times, total};
use super::polynomial::{Atom, Polynomial, Size, whole};
use super::scope::{Condition, Scope, Variable};
use super::strides::slopes;
use super::walk::{ALONE, Chains, RULES, Rule, Share, Walk, latency};
use super::{Lower, level::Level};
use memory_machine_core::trace::Space;

pub(super) const APART: &str = "iterations' addresses lie w or more apart: a stage each";
const ONE_BANK: &str = "iterations' addresses lie in one bank: a stage each";
pub(super) const ROWS_APART: &str =
    "a row's neighbours lie w or more apart: a stage for two at least";
const ROWS_IN_ONE_BANK: &str = "a row's neighbours lie in one bank: a stage for two at least";

const THREADS_OF_BLOCKS: &str = "threads: those of d·R blocks make a request each in l time units, ls if shared; else p threads";

/// Which of the blocks.
const FIRST_LAST_ALL: [Option<bool>; 3] = [Some(false), Some(true), None];

/// Either will do; the one that is more where sizes are large.
fn larger([first, last]: [Vec<GuardedPolynomial>; 2]) -> Vec<GuardedPolynomial> {
    if sum_at_large(&first) >= sum_at_large(&last) { first } else { last }
}

impl Walk<'_> {
    /// Notes that the time is at least so much, beside all that the rule has already.
    fn surely(&mut self, rule: Rule, pieces: Vec<GuardedPolynomial>, scope: &Scope) {
        if scope.conditions.is_empty() {
            self.sums[rule as usize].extend(pieces);
        } else if !pieces.is_empty() {
            let (rule, conditions) = (RULES[rule as usize].1, scope.conditions.clone());
            self.derived.lower.push(Lower { rule, conditions, elastic: None, pieces });
        }
    }

    /// The bounds of what is made under no condition.
    pub(super) fn lower(&mut self) -> Vec<Lower> {
        let program = self.question.program;
        let sequential = program.first_parallel_loop().is_none();
        let on_dmms = program.first_loop_on_dmms().is_some();
        let lower = |(rule, why): &(Rule, &'static str)| {
            let pieces = std::mem::take(&mut self.sums[*rule as usize]);
            let (wanted, rule) = match rule {
                Rule::Chain if sequential => (true, ALONE),
                Rule::Threads if on_dmms => (true, THREADS_OF_BLOCKS),
                _ => (!sequential, *why),
            };
            let wanted = wanted && !pieces.is_empty();
            wanted.then(|| Lower { rule, conditions: vec![], elastic: None, pieces })
        };
        RULES.iter().filter_map(lower).collect()
    }

    /// Requests that are surely made here.
    pub(super) fn requests(&mut self, space: Space, requests: &[GuardedPolynomial], scope: &Scope) {
        let width = Polynomial::per(Size::Width);
        let latency = latency(space);
        match space {
            Space::Global => self.surely(Rule::Bandwidth, times(requests, &width), scope),
            Space::Shared => {
                let each = &width * &Share::Dmms.per();
                self.surely(Rule::SharedBandwidth, times(requests, &each), scope);
            }
        }
        let per_thread = match &scope.blocks {
            None => Polynomial::per(Size::Threads),
            Some(blocks) => &blocks.per_thread[1] * &Share::Places.per(),
        };
        self.surely(Rule::Threads, times(requests, &(&latency * &per_thread)), scope);
    }

    /// Accesses here wait for those before them: of one thread alone, or of the first and of the last
    /// iteration of a nest, in the first, the last and every block.
    pub(super) fn chain(&mut self, space: Space, scope: &Scope) {
        let conditions = match (&scope.nest, &scope.blocks) {
            (Some(nest), _) => nest.conditions,
            (None, Some(blocks)) => blocks.conditions,
            (None, None) => scope.conditions.len(),
        };
        // A chain holds where its nest is, or its block, not only where a condition inside does.
        if scope.conditions.len() > conditions {
            return;
        }
        let latency = latency(space);
        let lanes = scope.nest.as_ref().map_or(&[][..], |it| &it.variables);
        for (at, block) in FIRST_LAST_ALL.into_iter().enumerate() {
            let (blocks, factor) = match (&scope.blocks, block) {
                (Some(blocks), Some(last)) => {
                    (Some((&blocks.variables[..], last)), latency.clone())
                }
                (Some(_), None) => (None, &latency * &Share::Places.per()),
                (None, None) => (None, latency.clone()),
                (None, Some(_)) => continue,
            };
            for last in [false, true] {
                let places: Vec<_> = blocks.into_iter().chain([(lanes, last)]).collect();
                let pieces = times(&self.placed(scope, (at, usize::from(last)), &places), &factor);
                match (&scope.nest, &scope.blocks) {
                    (Some(_), _) => self.chains.lanes[at][usize::from(last)].extend(pieces),
                    (None, Some(_)) => self.chains.blocks[at].extend(pieces),
                    (None, None) => self.surely(Rule::Chain, pieces, scope),
                }
                if lanes.is_empty() {
                    break;
                }
            }
            if let (Some(of), Some((variables, last))) = (&scope.blocks, blocks)
                && scope.conditions.len() <= of.conditions
            {
                let factor = &latency * &of.per_thread[1];
                let pieces = times(&self.placed(scope, (at, 2), &[(variables, last)]), &factor);
                self.chains.threads[usize::from(last)].extend(pieces);
            }
        }
    }

    /// How often something surely happens at a place where some loops are in their first iteration, or
    /// their last; `case` says which.
    fn placed(
        &mut self,
        scope: &Scope,
        case: (usize, usize),
        places: &[(&[Variable], bool)],
    ) -> Rc<Vec<GuardedPolynomial>> {
        let known = self.placed.entry((scope.place, case));
        known.or_insert_with(|| placed(scope, places, None).into()).clone()
    }

    pub(super) fn end_of_nest(&mut self, scope: &Scope) {
        let lanes = std::mem::take(&mut self.chains.lanes).map(larger);
        for (at, pieces) in lanes.into_iter().enumerate() {
            match &scope.blocks {
                Some(blocks) if scope.conditions.len() > blocks.conditions => {}
                Some(_) => self.chains.blocks[at].extend(pieces),
                None => self.surely(Rule::Chain, pieces, scope),
            }
        }
    }

    pub(super) fn end_of_blocks(&mut self, scope: &Scope) {
        let Chains { blocks: [first, last, all], threads, .. } = std::mem::take(&mut self.chains);
        self.surely(Rule::Chain, larger([first, last]), scope);
        self.surely(Rule::Places, all, scope);
        self.surely(Rule::OneBlock, larger(threads), scope);
    }

    /// Iterations whose addresses lie so far apart that no two share a stage.
    pub(super) fn apart(&mut self, space: Space, cell: &Polynomial, scope: &Scope) {
        let Some(nest) = &scope.nest else { return };
        let Some(slopes) = slopes(cell, scope) else { return };
        // The outermost loop's iterations, if the others ask for one address each time: the first of each
        // takes a stage of its own in every step, whatever warp it falls into.
        if slopes[1..].iter().all(Polynomial::is_zero) {
            let rest = &nest.variables[1..];
            let count = |fact: Option<Polynomial>| placed(scope, &[(rest, false)], fact);
            self.far_apart(space, &slopes[0], [APART, ONE_BANK], &count, scope);
        }
        if slopes.len() > 1 {
            // Rows of w iterations or more: a warp lies in two of them at most, and takes a stage for each
            // of its iterations there.
            let last = &nest.variables[slopes.len() - 1];
            let ends = last.lows.iter().flat_map(|low| last.highs.iter().map(move |it| (low, it)));
            let is_long = |(low, high)| {
                &(&(high - low) + &Polynomial::constant(1)) - &Polynomial::from(Size::Width)
            };
            let facts = ends.map(is_long).fold(scope.narrow_facts(), |facts, it| facts.and(it));
            let half = Polynomial::from(whole(2).recip());
            let count = |fact: Option<Polynomial>| {
                let facts = fact.into_iter().fold(facts.clone(), |facts, it| facts.and(it));
                total(&scope.levels, &facts, &half, false).unwrap_or_default()
            };
            let rules = [ROWS_APART, ROWS_IN_ONE_BANK];
            self.far_apart(space, &slopes[slopes.len() - 1], rules, &count, scope);
        }
    }

    /// Notes a bound of what is counted where a further fact holds: that `slope` is so large that
    /// neighbours never share a stage. In banks it is a condition.
    fn far_apart(
        &mut self,
        space: Space,
        slope: &Polynomial,
        [apart, one_bank]: [&'static str; 2],
        count: &dyn Fn(Option<Polynomial>) -> Vec<GuardedPolynomial>,
        scope: &Scope,
    ) {
        if slope.as_constant().is_some() {
            return;
        }
        let mut conditions = scope.conditions.clone();
        let mut elastic = None;
        let (rule, pieces) = if self.has_groups(space) {
            let size = if scope.facts.imply(slope) { slope.clone() } else { -slope };
            // Where neighbours lie w/C words apart, a stage serves C + 1 of them at most.
            let is_far = &size - &Polynomial::from(Size::Width);
            elastic = Some(is_far.clone());
            (apart, count(Some(is_far)))
        } else {
            if slope.is_local() {
                return;
            }
            conditions.push(Condition::Divides(slope.clone()));
            (one_bank, count(None))
        };
        let pieces = match space {
            Space::Global => pieces,
            Space::Shared => times(&pieces, &Share::Dmms.per()),
        };
        if !pieces.is_empty() {
            self.derived.lower.push(Lower { rule, conditions, elastic, pieces });
        }
    }

    /// Whether a warp takes a stage for each address group, and not for each address of a bank.
    pub(super) fn has_groups(&self, space: Space) -> bool {
        space == Space::Global && self.question.kind.has_groups()
    }
}

/// How often something happens there, where one more fact holds if one is given.
fn placed(
    scope: &Scope,
    places: &[(&[Variable], bool)],
    fact: Option<Polynomial>,
) -> Vec<GuardedPolynomial> {
    let (mut levels, mut facts) = (scope.levels.clone(), scope.narrow_facts());
    facts.0.extend(fact);
    let mut place = |atom: Atom, end: &Polynomial| -> Option<()> {
        levels.retain(|it| it.atom() != atom);
        levels.iter_mut().try_for_each(|it: &mut Level| it.substitute(atom, end))?;
        for fact in &mut facts.0 {
            *fact = fact.substitute(atom, end)?;
        }
        Some(())
    };
    let mut ends: Vec<(Atom, Polynomial)> = vec![];
    for (variables, last) in places {
        for variable in *variables {
            let mut end = if *last { variable.highs[0].clone() } else { variable.lows[0].clone() };
            for (atom, known) in &ends {
                if let Some(placed) = end.substitute(*atom, known) {
                    end = placed;
                }
            }
            // A loop with a step may not reach its end.
            let whole = end.terms().all(|(_, it)| it.is_integer());
            if !whole || place(variable.atom, &end).is_none() {
                return vec![];
            }
            ends.push((variable.atom, end));
        }
    }
    total(&levels, &facts, &Polynomial::constant(1), false).unwrap_or_default()
}
