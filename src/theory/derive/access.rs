//! What one access of a nest costs, in any of its steps.
//!
//! The requests of a step, in the order of the iterations, fall into warps of w. With N iterations
//! there are N/p + 1 rounds at most, and N/w + N/p + 1 warps. Every count below holds on the UMM; so
//! it does on the DMM, as an address group has one word of each bank.

use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::domain::{Level, Piece, total, value};
use super::listing::{Walk, is_umm};
use super::polynomial::{Atom, Polynomial, Size, whole};
use super::scope::{Condition, Scope, level_atom};
use super::{Choice, Lower, Part, Term};
use crate::language::program::SiteId;

pub(super) const UNCOUNTED: &str = "how often this access is made is not known";
const REQUESTS: &str = "no more stages than requests";
const NEIGHBOURS: &str = "Nakano 2013, Theorem 1: a warp's neighbours, and one more for each gap";
const MONOTONE: &str = "addresses ascend: the stretch of memory once, and two more a warp";
const RANGE: &str = "a warp stays within a stretch of memory";
const ROUNDS: &str = "each round waits l − 1 time units";
const APART: &str = "a row's neighbours lie w or more apart";
const ONE_BANK: &str = "a row's neighbours lie in one bank";

/// How often things happen at a place, over the whole run.
pub(super) struct Counted {
    requests: Option<Vec<Piece>>,
    surely: Vec<Piece>,
    /// Steps, and steps times iterations, if the number of steps is known.
    steps: Option<[Vec<Piece>; 2]>,
    /// For each of the nest's loops but the innermost: steps times its iterations.
    rows: Vec<Option<Vec<Piece>>>,
}

/// Pieces times a factor.
pub(super) fn times(pieces: &[Piece], factor: &Polynomial) -> Vec<Piece> {
    let piece = |it: &Piece| Piece { guard: it.guard.clone(), value: &it.value * factor };
    pieces.iter().map(piece).collect()
}

/// A sum where sizes are as they are on a GPU: parameters of 2¹⁰, w = 32, 2¹⁶ threads.
pub(super) fn at_large(pieces: &[Piece]) -> BigRational {
    let of = |atom| {
        Some(match atom {
            Atom::Log(_) => whole(10),
            Atom::Size(Size::Width) => whole(32),
            Atom::Size(Size::Threads) => whole(1 << 16),
            _ => whole(1 << 10),
        })
    };
    value(pieces, &of).unwrap_or_else(BigRational::zero)
}

impl Walk<'_> {
    pub(super) fn of_threads(&mut self, site: SiteId, cell: &Polynomial, scope: &mut Scope) {
        let counted = self.counted(scope);
        let [l, one] = [Polynomial::from(Size::Latency), Polynomial::constant(1)];
        if let Some([steps, lanes]) = &counted.steps {
            let mut pieces = times(lanes, &(&Polynomial::per(Size::Threads) * &(&l - &one)));
            pieces.extend(times(steps, &(&l - &one)));
            self.push(site, Part::Waiting, vec![Choice { rule: ROUNDS, pieces }]);
        } else {
            return self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
        }
        let choices = self.stages(&counted, cell, scope);
        if choices.is_empty() {
            self.missing(self.question.program.sites[site.0].span, UNCOUNTED);
        } else {
            self.push(site, Part::Stages, choices);
        }
        if scope.sure {
            self.surely(&counted.surely, &[], scope);
            self.chain(scope);
            self.apart(cell, scope);
        }
    }

    /// Accesses of one place that cost the same are one term, so often.
    fn push(&mut self, site: SiteId, part: Part, choices: Vec<Choice>) {
        let last = self.derived.upper.iter_mut().rev().take(12);
        for term in last {
            if term.part == part
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
        self.derived.upper.push(Term { sites: vec![site], part, choices });
    }

    fn counted(&mut self, scope: &Scope) -> Rc<Counted> {
        if let Some(known) = self.counted.get(&scope.place) {
            return known.clone();
        }
        let one = Polynomial::constant(1);
        let Some(nest) = &scope.nest else { unreachable!("only nests are counted so") };
        let requests = total(&scope.levels, &scope.facts, &one, true);
        let surely = if scope.sure {
            total(&scope.levels, &scope.narrow_facts(), &one, false).unwrap_or_default()
        } else {
            vec![]
        };
        let steps = nest.steps.clone();
        let over = |levels: usize, facts| {
            let steps = steps.as_ref()?;
            total(&scope.levels[..levels], facts, steps, true)
        };
        let last = &nest.variables[nest.variables.len() - 1];
        let all = over(nest.outside, &nest.outer_facts).zip(over(last.levels, &last.facts));
        let rows = nest.variables[..nest.variables.len() - 1].iter();
        let rows = rows.map(|it| over(it.levels, &it.facts)).collect();
        let counted = Counted { requests, surely, steps: all.map(|(a, b)| [a, b]), rows };
        let counted = Rc::new(counted);
        self.counted.insert(scope.place, counted.clone());
        counted
    }

    fn stages(&self, counted: &Counted, cell: &Polynomial, scope: &Scope) -> Vec<Choice> {
        let mut choices = vec![];
        if let Some(pieces) = counted.requests.clone() {
            choices.push(Choice { rule: REQUESTS, pieces });
        }
        let Some([steps, lanes]) = &counted.steps else { return choices };
        let Some(nest) = &scope.nest else { return choices };
        // Warps, in all steps.
        let mut warps =
            times(lanes, &(&Polynomial::per(Size::Width) + &Polynomial::per(Size::Threads)));
        warps.extend_from_slice(steps);
        let [one, two] = [1, 2].map(Polynomial::constant);
        let Some(slopes) = slopes(cell, scope) else { return choices };
        let low = scope.extreme(cell, nest.outside, false);
        let range = scope.extreme(cell, nest.outside, true).zip(low).map(|(a, b)| &a - &b);
        // An empty nest has no stages.
        let first = &nest.variables[0];
        let some = first.highs.iter().zip(&first.lows).map(|(high, low)| high - low);
        let outside = |it: &Polynomial| {
            let is_inside = |it: Atom| matches!(it, Atom::Local(number) if number >= nest.first);
            !it.atoms().any(is_inside)
        };
        let some = some.filter(outside).fold(nest.outer_facts.clone(), |facts, it| facts.and(it));
        let range = range.filter(|it| scope.is_known(it) && some.imply(it));
        // Where a row's last address and the next one's first are neighbours, there is no gap.
        let turns: Vec<Turn> =
            (0..nest.variables.len() - 1).map(|at| turn(at, cell, scope)).collect();
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
                choices.push(Choice { rule: NEIGHBOURS, pieces });
            };
            // Equal addresses lie in one group, and neighbours in two.
            if slope.is_zero() && is_umm(self.question) {
                stretches(&one, |it| !it.are_equal);
            }
            let is_one = slope <= whole(1) && !is_umm(self.question);
            stretches(if is_one { &one } else { &two }, |it| !it.are_neighbours);
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
        let swept = total(&scope.levels[..nest.outside], &some, &weight, true);
        if regular
            && (rising(1) || rising(-1))
            && let Some(swept) = &swept
        {
            let mut pieces = times(swept, &Polynomial::per(Size::Width));
            pieces.extend(times(&warps, &two));
            choices.push(Choice { rule: MONOTONE, pieces });
        }
        let last = &nest.variables[nest.variables.len() - 1];
        let inner = total(&scope.levels[..last.levels], &last.facts, &weight, true);
        if let Some((outer, inner)) = swept.zip(inner) {
            let mut pieces = times(&outer, &Polynomial::per(Size::Width));
            let by_warp = &(&Polynomial::per(Size::Width) + &Polynomial::per(Size::Threads))
                * &Polynomial::per(Size::Width);
            pieces.extend(times(&inner, &by_warp));
            pieces.extend(times(&warps, &two));
            choices.push(Choice { rule: RANGE, pieces });
        }
        choices
    }

    /// What the first and the last iteration do here follows one another.
    fn chain(&mut self, scope: &Scope) {
        let Some(nest) = &scope.nest else { return };
        // The nest's chain holds where the nest is, not only where a condition inside does.
        if scope.conditions.len() > nest.conditions {
            return;
        }
        for last in [false, true] {
            let (mut levels, mut facts) = (scope.levels.clone(), scope.narrow_facts());
            let mut place = |atom: Atom, end: &Polynomial| -> Option<()> {
                levels.retain(|it| level_atom(it) != atom);
                for level in &mut levels {
                    if let Level::Value { lows, high, .. } = level {
                        for low in lows {
                            *low = low.substitute(atom, end)?;
                        }
                        *high = high.substitute(atom, end)?;
                    }
                }
                for fact in &mut facts.0 {
                    *fact = fact.substitute(atom, end)?;
                }
                Some(())
            };
            let mut ends: Vec<(Atom, Polynomial)> = vec![];
            let mut done = Some(());
            for variable in &nest.variables {
                let mut end =
                    if last { variable.highs[0].clone() } else { variable.lows[0].clone() };
                for (atom, known) in &ends {
                    if let Some(placed) = end.substitute(*atom, known) {
                        end = placed;
                    }
                }
                // A loop with a step may not reach its end.
                let whole = end.terms().all(|(_, it)| it.is_integer());
                done = done
                    .and_then(|()| whole.then_some(()))
                    .and_then(|()| place(variable.atom, &end));
                ends.push((variable.atom, end));
            }
            if done.is_some() {
                let one = Polynomial::constant(1);
                let pieces = total(&levels, &facts, &one, false).unwrap_or_default();
                self.lanes[usize::from(last)].extend(pieces);
            }
        }
    }

    /// Rows of w iterations or more whose addresses lie far apart: a warp lies in two of them at most,
    /// and takes a stage for each of its iterations there.
    fn apart(&mut self, cell: &Polynomial, scope: &Scope) {
        let Some(nest) = &scope.nest else { return };
        let Some(slopes) = slopes(cell, scope) else { return };
        let slope = &slopes[slopes.len() - 1];
        if slope.as_constant().is_some() || !nest.inner.is_empty() {
            return;
        }
        let width = Polynomial::from(Size::Width);
        let variable = &nest.variables[nest.variables.len() - 1];
        let mut facts = scope.narrow_facts();
        for (low, high) in
            variable.lows.iter().flat_map(|low| variable.highs.iter().map(move |it| (low, it)))
        {
            facts = facts.and(&(&(high - low) + &Polynomial::constant(1)) - &width);
        }
        let mut conditions = scope.conditions.clone();
        let rule = if is_umm(self.question) {
            let size = if scope.facts.imply(slope) { slope.clone() } else { -slope };
            facts = facts.and(&size - &width);
            APART
        } else {
            if slope.is_local() {
                return;
            }
            conditions.push(Condition::Divides(slope.clone()));
            ONE_BANK
        };
        let half = Polynomial::from(whole(2).recip());
        let pieces = total(&scope.levels, &facts, &half, false).unwrap_or_default();
        if !pieces.is_empty() {
            self.derived.lower.push(Lower { rule, conditions, pieces });
        }
    }
}

/// From a row's last iteration to the next one's first, in the loop that goes on.
struct Turn {
    /// Whether the addresses there are equal.
    are_equal: bool,
    /// Whether they are neighbours, or equal.
    are_neighbours: bool,
    /// By how much the address grows there, or falls, at least.
    by: Option<Polynomial>,
}

/// How the cell changes with each of the nest's variables; `None` if it depends on what each thread
/// computes for itself, or not linearly on the innermost.
fn slopes(cell: &Polynomial, scope: &Scope) -> Option<Vec<Polynomial>> {
    let nest = scope.nest.as_ref()?;
    let own = |atom: Atom| match atom {
        Atom::Local(number) if number >= nest.first => {
            nest.inner.contains(&atom) || nest.variables.iter().any(|it| it.atom == atom)
        }
        _ => true,
    };
    if !cell.atoms().all(own) {
        return None;
    }
    let mut slopes = vec![];
    for variable in &nest.variables {
        let powers = cell.by_powers(variable.atom)?;
        slopes.push(match powers.len() {
            0 | 1 => Polynomial::default(),
            2 => powers[1].clone(),
            _ => return None,
        });
    }
    let innermost = slopes.last()?;
    let varies = nest.variables.iter().any(|it| innermost.mentions(it.atom))
        || nest.inner.iter().any(|it| innermost.mentions(*it));
    (!varies).then_some(slopes)
}

fn turn(at: usize, cell: &Polynomial, scope: &Scope) -> Turn {
    let unknown = Turn { are_equal: false, are_neighbours: false, by: None };
    let Some(nest) = &scope.nest else { return unknown };
    let (mut last, mut first) = (cell.clone(), cell.clone());
    let inner = &nest.variables[at + 1..];
    let mut exact = true;
    for variable in inner.iter().rev() {
        exact &= variable.highs.len() == 1 && variable.lows.len() == 1;
        exact &= variable.highs[0].terms().all(|(_, it)| it.is_integer());
        let ends = [(&mut last, &variable.highs[0]), (&mut first, &variable.lows[0])];
        for (side, end) in ends {
            match side.substitute(variable.atom, end) {
                Some(placed) => *side = placed,
                None => return unknown,
            }
        }
    }
    // One of several ends is no less than the last, which is enough where only the innermost
    // loop has several.
    // Of three loops and more, rows that are empty may lie anywhere unless all rows are alike.
    if inner.len() > 1 && !(exact && is_rectangular(scope)) {
        return unknown;
    }
    let own = nest.variables[at].atom;
    let next = &Polynomial::from(own) + &Polynomial::constant(1);
    let Some(first) = first.substitute(own, &next) else { return unknown };
    let by = &first - &last;
    let apart = by.as_constant().filter(|_| exact).map(|it| it.abs());
    let at_most = |most: i64| apart.as_ref().is_some_and(|it| *it <= whole(most));
    Turn { are_equal: at_most(0), are_neighbours: at_most(1), by: Some(by) }
}

/// Whether no loop's ends depend on the nest's other variables.
fn is_rectangular(scope: &Scope) -> bool {
    let Some(nest) = &scope.nest else { return false };
    let ends = nest.variables.iter().flat_map(|it| it.lows.iter().chain(&it.highs));
    let mut atoms = ends.flat_map(Polynomial::atoms);
    !atoms.any(|atom| matches!(atom, Atom::Local(number) if number >= nest.first))
}

/// Whether `one` is what each of `count` accesses of `all` costs.
fn same(all: &[Choice], one: &[Choice], count: usize) -> bool {
    let factor = Polynomial::from(whole(count as i64));
    let mut pairs = all.iter().zip(one);
    pairs.all(|(all, one)| all.rule == one.rule && all.pieces == times(&one.pieces, &factor))
}
