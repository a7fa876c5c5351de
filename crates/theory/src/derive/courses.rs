//! Bounds of what machines of courses count, for all sizes.

use super::cache::misses;
use super::domain::{GuardedPolynomial, merged, times};
use super::polynomial::{Atom, Polynomial, Size, whole};
use super::tallies::{Tally, tallies};
use super::unit_costs::UnitCost;
use super::{Choice, Derived, Lower, Missing, Question, Term, TimePart, derive, listing};
use crate::io::accessed_words;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::machine::{Dmms, MachineKind};
use memory_machine_core::run::byte_places::bytes_of;
use memory_machine_core::trace::{Phase, Space};

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
/// the machine has it: the question's kind of machine, its mode and bulk have no part in it.
pub fn derive_in_units(question: &Question<'_>, cost: UnitCost) -> Derived {
    let kind =
        if cost.is_of_stages() { MachineKind::hierarchical(Dmms::ONE) } else { MachineKind::Umm };
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
            let upper = if is_for_all { work.upper } else { misses(question, work.upper) };
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
