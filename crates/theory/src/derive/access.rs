//! What one access of a nest costs, in any of its steps.
//!
//! The requests of a step, in the order of the iterations, fall into warps of w. With N iterations
//! there are N/p + 1 rounds at most, and N/w + N/p + 1 warps. Every count below holds on the UMM; so
//! it does on the DMM, as an address group has one word of each bank.

use std::rc::Rc;

use num_traits::{Signed, Zero};

use super::domain::{GuardedPolynomial, times, total};
use super::level::Level;
use super::polynomial::{Polynomial, Size, whole};
use super::scope::Scope;
use super::strides::{Turn, is_rectangular, nearly, range, runs, slopes, some, turn};
use super::walk::{ALONE, AccessCounts, Share, Walk, latency};
use super::{Choice, Term, TimePart};
use memory_machine_core::language::program::SiteId;
use memory_machine_core::machine::Mode;
use memory_machine_core::trace::Space;

pub(super) const UNCOUNTED: &str = "how often this access is made is not known";
pub(super) const REQUESTS: &str = "no more stages than requests";
const NEIGHBOURS: &str = "Nakano 2013, Theorem 1: a warp's neighbours, and one more for each gap";
const MONOTONE: &str = "addresses ascend: the stretch of memory once, and two more a warp";
const RANGE: &str = "a warp stays within a stretch of memory";
const ROUNDS: &str = "each round waits l − 1 time units";
const EACH_WAITS: &str = "no more steps than requests";
const SHARED_ROUNDS: &str = "each round waits ls − 1 time units";
const ANY_ORDER: &str = "asynchronously, one request after another at most";

impl Walk<'_> {
    /// An access of a thread alone, outside of loops on DMMs or in each block.
    pub(super) fn alone(&mut self, site: SiteId, space: Space, scope: &Scope) {
        let one = Polynomial::constant(1);
        let Some(pieces) = total(&scope.levels, &scope.facts, &one, true) else {
            return self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
        };
        if scope.blocks.is_none() {
            let pieces = times(&pieces, &latency(space));
            let choices = vec![Choice { rule: ALONE, pieces }];
            self.derived.upper.push(Term {
                sites: vec![site],
                part: TimePart::Alone,
                space,
                choices,
            });
        } else if !self.one_after_another(site, space, &pieces) {
            let here = (scope.levels.len(), &scope.facts);
            let Some(steps) = self.in_waves(scope, here, &one, Share::Places) else {
                return self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
            };
            self.waits(site, space, &steps, None);
            let pieces = match space {
                Space::Global => Some(pieces),
                Space::Shared => self.in_waves(scope, here, &one, Share::Dmms),
            };
            let choices = pieces.map(|pieces| Choice { rule: REQUESTS, pieces });
            self.push((site, space), TimePart::Stages, choices.into_iter().collect());
        }
    }

    /// Asynchronously accesses of blocks may follow each other in any order.
    fn one_after_another(
        &mut self,
        site: SiteId,
        space: Space,
        requests: &[GuardedPolynomial],
    ) -> bool {
        if self.question.mode == Mode::Async {
            let pieces = times(requests, &latency(space));
            self.push((site, space), TimePart::Alone, vec![Choice { rule: ANY_ORDER, pieces }]);
        }
        self.question.mode == Mode::Async
    }

    /// A step waits in each round, and for one request at least.
    fn waits(
        &mut self,
        site: SiteId,
        space: Space,
        rounds: &[GuardedPolynomial],
        requests: Option<&[GuardedPolynomial]>,
    ) {
        let less = &latency(space) - &Polynomial::constant(1);
        let rule = if space == Space::Global { ROUNDS } else { SHARED_ROUNDS };
        let mut choices = vec![Choice { rule, pieces: times(rounds, &less) }];
        let each = requests.map(|it| Choice { rule: EACH_WAITS, pieces: times(it, &less) });
        choices.extend(each);
        self.push((site, space), TimePart::Waiting, choices);
    }

    pub(super) fn of_threads(
        &mut self,
        site: SiteId,
        space: Space,
        cell: &Polynomial,
        scope: &mut Scope,
    ) {
        let counted = self.counted(space, scope);
        let of = &self.question.program.sites[site.0];
        // Where dimensions are in no order, neighbours may lie anywhere.
        let array = &self.question.program.arrays[of.array.0];
        let is_laid_out = array.order_of_dimensions().is_none();
        if scope.sure {
            self.requests(space, &counted.surely, scope);
            self.chain(space, scope);
            if !is_laid_out {
                self.apart(space, cell, scope);
            }
        }
        if let (Some(_), Some(all)) = (&scope.blocks, &counted.all)
            && self.one_after_another(site, space, all)
        {
            return;
        }
        let Some(rounds) = &counted.rounds else {
            return self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
        };
        let is_share = |it: &Level| matches!(it, Level::Harmonic { is_share: true, .. });
        let has_share = scope.blocks.is_none() && scope.levels.iter().any(is_share);
        let requests = counted.requests.as_deref().filter(|_| has_share);
        self.waits(site, space, rounds, requests);
        let mut choices = self.stages(space, &counted, cell, scope);
        let is_serial = self.question.program.sites[site.0].atomic.is_some_and(|it| it.is_serial);
        // Where requests to equal addresses do not merge, each may take a stage, too.
        if is_serial || is_laid_out {
            choices.retain(|it| it.rule == REQUESTS);
        }
        if choices.is_empty() {
            self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
        } else {
            self.push((site, space), TimePart::Stages, choices);
        }
    }

    /// Accesses of one place that cost the same are one term, so often.
    fn push(&mut self, (site, space): (SiteId, Space), part: TimePart, choices: Vec<Choice>) {
        let sites = &self.question.program.sites;
        let last = self.derived.upper.iter_mut().rev().take(12);
        for term in last {
            if (term.part, term.space) == (part, space)
                && sites[term.sites[0].0].phase == sites[site.0].phase
                && term.choices.len() == choices.len()
                && same(&term.choices, &choices, term.sites.len())
            {
                let count = whole(term.sites.len() as i64);
                let more = Polynomial::from((&count + whole(1)) / count);
                for choice in &mut term.choices {
                    choice.pieces = times(&choice.pieces, &more);
                }
                term.sites.push(site);
                return;
            }
        }
        self.derived.upper.push(Term { sites: vec![site], part, space, choices });
    }

    pub(super) fn counted(&mut self, space: Space, scope: &Scope) -> Rc<AccessCounts> {
        let key = (scope.place, space);
        if let Some(known) = self.counted.get(&key) {
            return known.clone();
        }
        let one = Polynomial::constant(1);
        let Some(nest) = &scope.nest else { unreachable!("only nests are counted so") };
        let requested = total(&scope.levels, &scope.facts, &one, true);
        let surely = if scope.sure {
            total(&scope.levels, &scope.narrow_facts(), &one, false).unwrap_or_default()
        } else {
            vec![]
        };
        let last = &nest.variables[nest.variables.len() - 1];
        let (around, inside) = ((nest.outside, &nest.outer_facts), (last.levels, &last.facts));
        let weight = nest.steps.clone().unwrap_or_default();
        // Each thread's iterations, and one more.
        let rounds = |[steps, lanes]: &[Vec<GuardedPolynomial>; 2]| {
            [times(lanes, &nest.per_thread), steps.clone()].concat()
        };
        let mut in_waves = |weight: &Polynomial, share| {
            let [steps, lanes] = [around, inside].map(|it| self.in_waves(scope, it, weight, share));
            Some([steps?, lanes?])
        };
        let all = |levels: usize, facts| total(&scope.levels[..levels], facts, &weight, true);
        let outer = &nest.variables[..nest.variables.len() - 1];
        let own = all(around.0, around.1).zip(all(inside.0, inside.1)).map(|(a, b)| [a, b]);
        let mut counted = if scope.blocks.is_none() {
            let rows = outer.iter().map(|it| all(it.levels, &it.facts)).collect();
            let (all, requests) = (requested.clone(), requested);
            AccessCounts {
                all,
                surely,
                requests,
                rounds: own.as_ref().map(rounds),
                steps: own,
                rows,
            }
        } else {
            let waves = in_waves(&weight, Share::Places).as_ref().map(rounds);
            let (requests, steps, rows) = match space {
                Space::Global => {
                    let rows = outer.iter().map(|it| all(it.levels, &it.facts)).collect();
                    (requested.clone(), own, rows)
                }
                Space::Shared => {
                    // Each lane's steps; without their number, nothing.
                    let steps = nest.steps.as_ref().and_then(|it| in_waves(it, Share::Dmms));
                    // In each round all rows, as they may lie elsewhere in each block.
                    let rows = (0..outer.len()).map(|at| {
                        let rows = scope.rows(at)?;
                        in_waves(&(&weight * &rows), Share::Dmms).as_ref().map(rounds)
                    });
                    let rows = rows.collect();
                    (steps.as_ref().map(|it| it[1].clone()), steps, rows)
                }
            };
            AccessCounts { all: requested, surely, requests, rounds: waves, steps, rows }
        };
        if nest.steps.is_none() {
            (counted.rounds, counted.steps) = (None, None);
        }
        let counted = Rc::new(counted);
        self.counted.insert(key, counted.clone());
        counted
    }

    fn stages(
        &self,
        space: Space,
        counted: &AccessCounts,
        cell: &Polynomial,
        scope: &Scope,
    ) -> Vec<Choice> {
        let mut choices = vec![];
        if let Some(pieces) = counted.requests.clone() {
            choices.push(Choice { rule: REQUESTS, pieces });
        }
        let Some([steps, lanes]) = &counted.steps else { return choices };
        let Some(nest) = &scope.nest else { return choices };
        // Warps, in all steps.
        let by_warp = &Polynomial::per(Size::Width) + &nest.per_thread;
        let warps = [times(lanes, &by_warp), steps.clone()].concat();
        let [one, two] = [1, 2].map(Polynomial::constant);
        let runs = runs(cell, scope);
        // Within a run of iterations a quotient is what it is.
        let cell = &runs.iter().fold(cell.clone(), |cell, run| {
            cell.without(|it, _| it.iter().any(|it| it.0 == run.0))
        });
        let range = range(cell, scope);
        let (near, deviation) = nearly(cell, scope);
        let Some(slopes) = slopes(&near, scope) else {
            let choice = || self.within_range(range?, &by_warp, &warps, scope);
            choices.extend(choice().filter(|_| space == Space::Global && runs.is_empty()));
            return choices;
        };
        // Where a row's last address and the next one's first are neighbours, there is no gap.
        let turns: Vec<Turn> =
            (0..nest.variables.len() - 1).map(|at| turn(at, &near, scope)).collect();
        let slope = &slopes[slopes.len() - 1];
        if let Some(slope) = slope.as_constant() {
            let slope = slope.abs();
            let mut stretches = |stages: &Polynomial, is_gap: fn(&Turn) -> bool| {
                let mut pieces = times(&warps, stages);
                if slope > whole(1) {
                    pieces.extend(times(lanes, &Polynomial::per(Size::Width).scale(&slope)));
                }
                for (_, rows) in turns.iter().zip(&counted.rows).filter(|it| is_gap(it.0)) {
                    let Some(rows) = rows else { return };
                    pieces.extend(times(rows, stages));
                }
                for (_, by) in &runs {
                    pieces.extend(times(lanes, &(&by.reciprocal() * stages)));
                    pieces.extend(times(steps, stages));
                    if space == Space::Shared {
                        pieces.extend(times(lanes, &(&nest.per_thread * stages)));
                    }
                }
                choices.push(Choice { rule: NEIGHBOURS, pieces });
            };
            // Equal addresses lie in one group, and neighbours in two.
            let is_exact = deviation.is_zero();
            if is_exact && slope.is_zero() && self.has_groups(space) {
                stretches(&one, |it| !it.are_equal);
            }
            let is_one = is_exact && slope <= whole(1) && !self.has_groups(space);
            // So many words more are so many groups more.
            let more = Polynomial::per(Size::Width).scale(&deviation);
            let each = if is_one { one } else { &two + &more };
            stretches(&each, |it| !it.are_neighbours);
        }
        // What a block sweeps in a round is not known, if it is another in each.
        if space == Space::Shared || !runs.is_empty() || !deviation.is_zero() {
            return choices;
        }
        let Some(range) = range else { return choices };
        let rising = |sign: i64| {
            let sign = whole(sign);
            let up = |it: &Polynomial| scope.facts.imply(&it.scale(&sign));
            slopes.last().is_some_and(up)
                && turns.iter().all(|turn| turn.by.as_ref().is_some_and(up))
        };
        let regular = nest.variables.len() < 3 || is_rectangular(scope);
        let weight = nest.steps.as_ref().unwrap_or(&two) * &range;
        if regular
            && (rising(1) || rising(-1))
            && let Some(swept) = &total(&scope.levels[..nest.outside], &some(scope), &weight, true)
        {
            let mut pieces = times(swept, &Polynomial::per(Size::Width));
            pieces.extend(times(&warps, &two));
            choices.push(Choice { rule: MONOTONE, pieces });
        }
        choices.extend(self.within_range(range, &by_warp, &warps, scope));
        choices
    }

    /// Every warp stays within the range of the nest's addresses.
    fn within_range(
        &self,
        range: Polynomial,
        by_warp: &Polynomial,
        warps: &[GuardedPolynomial],
        scope: &Scope,
    ) -> Option<Choice> {
        let nest = scope.nest.as_ref()?;
        let two = Polynomial::constant(2);
        let weight = nest.steps.as_ref().unwrap_or(&two) * &range;
        let outer = total(&scope.levels[..nest.outside], &some(scope), &weight, true)?;
        let last = &nest.variables[nest.variables.len() - 1];
        let inner = total(&scope.levels[..last.levels], &last.facts, &weight, true)?;
        let mut pieces = times(&outer, &Polynomial::per(Size::Width));
        pieces.extend(times(&inner, &(by_warp * &Polynomial::per(Size::Width))));
        pieces.extend(times(warps, &two));
        Some(Choice { rule: RANGE, pieces })
    }
}

/// Whether `one` is what each of `count` accesses of `all` costs.
fn same(all: &[Choice], one: &[Choice], count: usize) -> bool {
    let factor = Polynomial::from(whole(count as i64));
    let mut pairs = all.iter().zip(one);
    pairs.all(|(all, one)| all.rule == one.rule && all.pieces == times(&one.pieces, &factor))
}
