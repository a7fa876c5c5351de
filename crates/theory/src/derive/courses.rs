//! Bounds of what machines of courses count, for all sizes, and what a walk notes for them.

use std::rc::Rc;

use super::cache::misses;
use super::domain::{GuardedPolynomial, merged, times, total};
use super::polynomial::{Atom, Polynomial, Size, whole};
use super::scope::Scope;
use super::tallies::{LoopScope, Tallies, Tally, TallyKind, Visit};
use super::unit_costs::UnitCost;
use super::walk::Walk;
use super::{Choice, Derived, Lower, Missing, Question, Term, TimePart, derive, listing};
use crate::io::accessed_words;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{ArrayId, SiteId};
use memory_machine_core::machine::{Dmms, MachineKind};
use memory_machine_core::run::byte_places::bytes_of;
use memory_machine_core::trace::{Phase, Space};

const UNCOUNTED: &str = "how often this happens is not known";
const NESTS: &str = "each nest is one";
const OPERATORS: &str = "each operator that is evaluated";
const SHARED_OUT: &str = "a processor has p/P + 1 threads of a round at most";
const AVERAGE: &str = "one of P processors evaluates no less than their average";
const SECTORS: &str = "a sector of 32 bytes for each access";
const ARRAY: &str = "no more sectors than the array has";
const BYTES: &str = "each word that is touched lies in a sector";
const LINES: &str = "each word that is touched comes with a line";
const LINES_OF_ALL: &str = "each word that is touched comes with a line, p at a time";

/// Bytes of a sector.
const SECTOR: i64 = 32;

/// Derives bounds of a machine of courses. What an access costs is that of the question's listing as
/// the machine has it: the question's mode and bulk have no part in it.
pub fn derive_in_units(question: &Question<'_>, cost: UnitCost) -> Derived {
    let blocks = cost.is_of_stages().then(|| MachineKind::hierarchical(Dmms::ONE));
    let kind = blocks.unwrap_or(question.kind);
    let question = &Question { kind, bulk: None, ..*question };
    let program = question.program;
    let in_units = |cost| derive(question).in_units(program, cost);
    let is_for_all = program.is_unfolded && question.fixed.iter().any(Option::is_none);
    match cost {
        UnitCost::Time | UnitCost::Work | UnitCost::Span => in_units(cost),
        UnitCost::Blocks | UnitCost::Chunks => in_units(cost),
        UnitCost::Transfers => {
            let lower = lower(question, LINES_OF_ALL, &(&line() * &Polynomial::per(Size::Threads)));
            Derived { lower, ..in_units(UnitCost::Time) }
        }
        UnitCost::Misses => {
            let work = in_units(UnitCost::Work);
            let upper = if is_for_all {
                work.upper
            } else {
                misses(program, tallies(question), work.upper)
            };
            Derived { lower: lower(question, LINES, &line()), upper, ..work }
        }
        UnitCost::Bytes => {
            let work = in_units(UnitCost::Work);
            let upper = bytes(question, &work);
            Derived { lower: lower(question, BYTES, &Polynomial::constant(1)), upper, ..work }
        }
        UnitCost::Supersteps | UnitCost::LocalWork | UnitCost::Rounds | UnitCost::Operations
            if is_for_all =>
        {
            let why =
                "this is not summed up over the calls of a recursion: give its sizes by --set";
            let span = program.sites.first().map_or_else(Span::default, |it| it.span);
            let missing = vec![Missing { span, why }];
            Derived { missing, upper: vec![], lower: vec![], ..derive(question) }
        }
        UnitCost::Supersteps | UnitCost::LocalWork | UnitCost::Rounds | UnitCost::Operations => {
            tally_bounds(question, cost)
        }
    }
}

/// One over the words of a line.
fn line() -> Polynomial {
    Polynomial::per(Size::Width)
}

fn tally_bounds(question: &Question<'_>, cost: UnitCost) -> Derived {
    let (found, missing) = tallies(question);
    let (tally, rule) = match cost {
        UnitCost::Operations | UnitCost::LocalWork => (found.operations, OPERATORS),
        _ => (found.nests, NESTS),
    };
    let Tally { most, least, conditional } = tally;
    let mut choices = vec![Choice { rule, pieces: merged(most) }];
    let whole = Lower { rule, conditions: vec![], elastic: None, pieces: merged(least) };
    let mut lower: Vec<Lower> = [whole].into_iter().chain(conditional).collect();
    if cost == UnitCost::LocalWork {
        choices.push(Choice { rule: SHARED_OUT, pieces: merged(found.of_processor) });
        for it in &mut lower {
            it.rule = AVERAGE;
            it.pieces = times(&it.pieces, &Polynomial::per(Size::Other));
        }
    }
    // A nest in which no word crosses is no round.
    lower.retain(|it| cost != UnitCost::Rounds && !it.pieces.is_empty());
    let (part, space) = (TimePart::Alone, Space::Global);
    let upper = vec![Term { sites: vec![], part, space, choices }];
    Derived { upper, lower, missing, ..derive(question) }
}

/// Words of arrays that are surely touched, each array's times `each`, or its bytes of an element if what
/// is bounded are bytes.
fn lower(question: &Question<'_>, rule: &'static str, each: &Polynomial) -> Vec<Lower> {
    let program = question.program;
    // There 2^k is a size, and k its logarithm; and what is counted is of sizes of 1 or more.
    let is_small = question.fixed.iter().flatten().any(|it| *it < 1);
    if question.exponents.contains(&true) || program.is_unfolded || is_small {
        return vec![];
    }
    let mut pieces = vec![];
    for (array, words) in program.arrays.iter().zip(accessed_words(program)) {
        let of = if rule == BYTES { bytes_of(array.element) as i64 } else { 1 };
        pieces.extend(times(&words, &each.scale(&whole(of))));
    }
    let known: Option<Vec<GuardedPolynomial>> =
        pieces.iter().map(|it| with_fixed(it, question.fixed)).collect();
    let pieces = merged(known.unwrap_or_default());
    if pieces.is_empty() {
        return vec![];
    }
    vec![Lower { rule, conditions: vec![], elastic: None, pieces }]
}

/// With numbers for the parameters that are fixed.
fn with_fixed(of: &GuardedPolynomial, fixed: &[Option<i64>]) -> Option<GuardedPolynomial> {
    let known = |it: &Polynomial| {
        let values = fixed.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
        values.into_iter().try_fold(it.clone(), |it, (at, value)| {
            it.substitute(Atom::Size(Size::Parameter(at)), &Polynomial::constant(value))
        })
    };
    let guard = of.guard.iter().map(known).collect::<Option<_>>()?;
    Some(GuardedPolynomial { guard, value: known(&of.value)? })
}

/// Bytes of the sectors that each phase touches of each array.
fn bytes(question: &Question<'_>, work: &Derived) -> Vec<Term> {
    let program = work.program(question.program);
    let cells = if work.outline.is_none() { listing::cells(question) } else { None };
    let sector = Polynomial::constant(SECTOR);
    let mut found: Vec<((Phase, usize), Term)> = vec![];
    for term in &work.upper {
        let Some(choice) = term.choices.first() else { continue };
        let each = sector.scale(&whole(term.sites.len() as i64).recip());
        for site in &term.sites {
            let pieces = times(&choice.pieces, &each);
            let of = &program.sites[site.0];
            let key = (of.phase, of.array.0);
            if let Some((_, known)) = found.iter_mut().find(|it| it.0 == key) {
                known.sites.push(*site);
                known.choices[0].pieces.extend(pieces);
                continue;
            }
            let mut choices = vec![Choice { rule: SECTORS, pieces }];
            // Where cells lie in another order there may be gaps.
            let array = &program.arrays[of.array.0];
            if let Some(cells) = &cells
                && array.order_of_dimensions().is_some()
            {
                let width = whole(bytes_of(array.element) as i64);
                let value = &cells[of.array.0].scale(&width) + &sector;
                choices.push(Choice {
                    rule: ARRAY,
                    pieces: vec![GuardedPolynomial { guard: vec![], value }],
                });
            }
            found.push((key, Term { sites: vec![*site], choices, ..term.clone() }));
        }
    }
    for (_, term) in &mut found {
        let pieces = std::mem::take(&mut term.choices[0].pieces);
        term.choices[0].pieces = merged(pieces);
    }
    found.into_iter().map(|it| it.1).collect()
}

/// All that is noted of a listing, and what is missing from it.
pub(super) fn tallies(question: &Question<'_>) -> (Tallies, Vec<Missing>) {
    let mut walk = Walk::new(question, &[]);
    walk.tallies = Some(Tallies::default());
    listing::walk(&mut walk, &question.program.body);
    (walk.tallies.unwrap_or_default(), walk.derived.missing)
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
