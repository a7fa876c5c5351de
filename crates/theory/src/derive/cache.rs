//! Misses of an ideal cache from above, for all sizes.
//!
//! Let F be the most lines that one iteration of a loop touches. An LRU cache that holds F lines fetches
//! each line once in an iteration: between two uses of it no more than F lines are used. One that holds
//! 2·F keeps a line from one iteration to the next: a line that is used in neighbouring iterations is
//! fetched once. So what an access misses is no more than either sum, where M ≥ F·B or M ≥ 2·F·B, and never
//! more than how often it is made. The best replacement misses no more than LRU does.

use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::domain::{GuardedPolynomial, at_large, merged, sum_at_large, times, total};
use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Polynomial, Size, whole};
use super::scope::ends;
use super::tallies::{LoopScope, Tallies, Visit};
use super::{Choice, Missing, Term};
use memory_machine_core::language::program::Program;

const AN_ITERATION: &str =
    "a line is fetched once in an iteration of a loop that the cache has room for";
const TWO_ITERATIONS: &str =
    "a line stays from one iteration of a loop to the next, if the cache has room for two";

/// Each access with what it misses, in the place of how often it is made.
pub(super) fn misses(
    program: &Program,
    (found, missing): (Tallies, Vec<Missing>),
    work: Vec<Term>,
) -> Vec<Term> {
    let visits: Vec<AccessLines> = found.visits.into_iter().map(AccessLines::new).collect();
    // Each access is made as often as it was counted: what is not known is missing there.
    if !missing.is_empty() || visits.iter().any(|it| it.made.is_none()) {
        return work;
    }
    let laid_out =
        |it: &AccessLines| program.arrays[it.visit.array.0].order_of_dimensions().is_none();
    if visits.iter().any(laid_out) {
        return work;
    }
    let mut rooms: Vec<Room> = vec![];
    for scope in visits.iter().flat_map(|it| &it.visit.loops) {
        if !rooms.iter().any(|it| Rc::ptr_eq(&it.0, scope)) {
            rooms.push((scope.clone(), room(scope, &visits)));
        }
    }
    let term = |own: &AccessLines| {
        let sites = vec![own.visit.site];
        let like = work.iter().find(|it| it.sites.contains(&own.visit.site)).or(work.first());
        Some(Term { sites, choices: own.choices(&rooms), ..like?.clone() })
    };
    visits.iter().filter_map(term).collect()
}

/// A loop with the words of the lines that one of its iterations touches at most.
type Room = (Rc<LoopScope>, Option<Polynomial>);

/// An access with what it touches in an iteration of each loop around it.
struct AccessLines {
    visit: Visit,
    /// How often it is made.
    made: Option<Vec<GuardedPolynomial>>,
    /// By loop, lines in an iteration.
    lines: Vec<Option<Polynomial>>,
}

impl AccessLines {
    fn new(visit: Visit) -> Self {
        let made = total(&visit.levels, &visit.facts, &Polynomial::constant(1), true);
        let lines = visit.loops.iter().map(|it| visit.lines(it)).collect();
        Self { visit, made, lines }
    }

    /// Of one of the loops around: the most lines that one of its iterations touches.
    fn most_lines(&self, at: usize) -> Option<Polynomial> {
        let scope = &self.visit.loops[at];
        let outer = &self.visit.levels[..scope.levels];
        let lines = self.lines[at].as_ref()?;
        let most = self.visit.extreme(lines, outer, &scope.facts, true)?;
        let most = not_negative(most, &self.visit.loops[0].facts);
        (!most.is_local()).then_some(most)
    }

    fn choices(&self, rooms: &[Room]) -> Vec<Choice> {
        let made = self.made.clone().unwrap_or_default();
        let mut choices = vec![Choice { rule: super::unit_costs::EACH, pieces: made.clone() }];
        for at in 0..self.lines.len() {
            let own = rooms.iter().find(|it| Rc::ptr_eq(&it.0, &self.visit.loops[at]));
            let Some((_, Some(room))) = own else { continue };
            let candidates = [
                (AN_ITERATION, 1, self.lines_of_iterations(at)),
                (TWO_ITERATIONS, 2, self.lines_of_loops(at, &made)),
            ];
            for (rule, iterations, pieces) in candidates {
                let Some(pieces) = pieces else { continue };
                if sum_at_large(&pieces) >= sum_at_large(&made) {
                    continue;
                }
                let needed = room.scale(&whole(iterations));
                let fits = &Polynomial::from(Size::Other) - &needed;
                let mut both = guarded(&pieces, &fits);
                both.extend(guarded(&made, &-&fits));
                choices.push(Choice { rule, pieces: merged(both) });
            }
        }
        choices
    }

    /// Lines of all iterations, each once in each.
    fn lines_of_iterations(&self, at: usize) -> Option<Vec<GuardedPolynomial>> {
        let scope = &self.visit.loops[at];
        let facts = self.visit.some(scope);
        total(&self.visit.levels[..scope.levels], &facts, self.lines[at].as_ref()?, true)
    }

    /// Lines of whole loops: each once while it is used in iterations that follow each other.
    fn lines_of_loops(
        &self,
        at: usize,
        made: &[GuardedPolynomial],
    ) -> Option<Vec<GuardedPolynomial>> {
        let visit = &self.visit;
        let scope = &visit.loops[at];
        let own = scope.variable.as_ref()?.atom;
        if !visit.is_plain || !visit.is_product(at, own) {
            return None;
        }
        let lines = self.lines[at].as_ref()?;
        if !visit.cell.mentions(own) && !lines.mentions(own) {
            let facts = visit.some(scope).split(own).0;
            return total(&visit.levels[..scope.levels - 1], &facts, lines, true);
        }
        // Each cell of an iteration moves on by so many words.
        let slope = visit.cell.linear_in(own)?.0.abs();
        let mut levels = visit.levels.clone();
        levels.retain(|it| it.atom() != own);
        let facts = visit.facts.split(own).0;
        let begun = total(&levels, &facts, &Polynomial::constant(2), true)?;
        let moved = times(made, &Polynomial::per(Size::Width).scale(&slope));
        Some([moved, begun].concat())
    }
}

/// Words of the lines that an iteration of a loop touches at most.
fn room(scope: &Rc<LoopScope>, all: &[AccessLines]) -> Option<Polynomial> {
    let mut seen: Vec<(usize, &Polynomial)> = vec![];
    let mut lines = Polynomial::default();
    for it in all {
        let Some(at) = it.visit.loops.iter().position(|it| Rc::ptr_eq(it, scope)) else { continue };
        let most = it.most_lines(at)?;
        let place = (it.visit.array.0, &it.visit.cell);
        if !seen.contains(&place) {
            seen.push(place);
            lines = &lines + &most;
        }
    }
    Some(&lines * &Size::Width.into())
}

fn guarded(pieces: &[GuardedPolynomial], guard: &Polynomial) -> Vec<GuardedPolynomial> {
    let with = |it: &GuardedPolynomial| GuardedPolynomial {
        guard: [&it.guard[..], std::slice::from_ref(guard)].concat(),
        value: it.value.clone(),
    };
    pieces.iter().map(with).collect()
}

/// No less than a number of things, and nowhere negative.
fn not_negative(of: Polynomial, facts: &Facts) -> Polynomial {
    if facts.imply(&of) { of } else { of.without(|_, it| it.is_negative()) }
}

impl Visit {
    /// Where an iteration of the loop makes the access at all, as far as loops inside say so.
    fn some(&self, scope: &LoopScope) -> Facts {
        let outer: Vec<Atom> = self.levels[..scope.levels].iter().map(Level::atom).collect();
        let is_outer = |it: &Polynomial| {
            it.atoms().all(|it| !matches!(it, Atom::Local(_)) || outer.contains(&it))
        };
        let variables = self.loops.iter().filter_map(|it| it.variable.as_ref());
        let inside = variables.filter(|it| it.levels > scope.levels);
        let some = inside
            .flat_map(|it| it.lows.iter().flat_map(|low| it.highs.iter().map(move |it| it - low)));
        some.filter(is_outer).fold(scope.facts.clone(), |facts, it| facts.and(it))
    }

    /// Whether all iterations of a loop make the access for the same iterations of the loops inside, and at
    /// cells that these and its own number decide.
    fn is_product(&self, at: usize, own: Atom) -> bool {
        let scope = &self.loops[at];
        let (outer, inner) = self.levels.split_at(scope.levels);
        let is_loop = |it: &Level| {
            let mut of = self.loops.iter().filter_map(|it| it.variable.as_ref());
            matches!(it, Level::Sum(atom) if of.any(|it| it.atom == *atom))
        };
        let mut more = self.facts.0.iter().filter(|it| !scope.facts.0.contains(it));
        let is_known = |it: Atom| {
            !matches!(it, Atom::Local(_)) || self.levels.iter().any(|level| level.atom() == it)
        };
        outer.last().is_some_and(|it| it.atom() == own)
            && inner.iter().all(is_loop)
            && self.loops[at..].iter().all(|it| it.is_whole)
            && !more.any(|it| it.mentions(own))
            && self.cell.atoms().all(is_known)
    }

    fn ends(&self, level: &Level, facts: &Facts) -> Vec<(Polynomial, Polynomial)> {
        let variables = self.loops.iter().filter_map(|it| it.variable.as_ref());
        ends(level, variables, facts)
    }

    /// The most, or least, that a polynomial is as levels go through all they may.
    fn extreme(
        &self,
        of: &Polynomial,
        levels: &[Level],
        facts: &Facts,
        up: bool,
    ) -> Option<Polynomial> {
        let mut found = of.clone();
        for level in levels.iter().rev() {
            found = self.over(&found, level, facts, up)?;
        }
        Some(found)
    }

    /// The same over one level.
    fn over(&self, of: &Polynomial, level: &Level, facts: &Facts, up: bool) -> Option<Polynomial> {
        let atom = level.atom();
        if !of.mentions(atom) {
            return Some(of.clone());
        }
        // A power of a negative number may be too much.
        let is_linear = of.by_powers(atom)?.len() <= 2;
        let ends = self.ends(level, facts);
        let bounds = ends.iter().filter_map(|(low, high)| {
            let least = if is_linear || facts.imply(low) { low } else { &Polynomial::default() };
            of.bound(atom, least, high, up)
        });
        if up { bounds.min_by_key(at_large) } else { bounds.max_by_key(at_large) }
    }

    /// Lines that an iteration of the loop touches here at most: those of a stretch of memory, or of so many
    /// of them.
    fn lines(&self, scope: &LoopScope) -> Option<Polynomial> {
        let facts = &self.facts;
        let inner = self.levels.get(scope.levels..)?;
        let known = self.levels.iter().map(Level::atom);
        let known: Vec<Atom> = known.collect();
        let is_known = |it: Atom| !matches!(it, Atom::Local(_)) || known.contains(&it);
        let mut stretch =
            self.cell.atoms().all(is_known).then(|| [self.cell.clone(), self.cell.clone()]);
        // What is not known may be anywhere in each iteration.
        let mut depends: Option<Vec<Atom>> = stretch.as_ref().map(|_| self.cell.atoms().collect());
        let mut rows = Some(Polynomial::constant(1));
        for level in inner.iter().rev() {
            let atom = level.atom();
            let is_used = depends.as_ref().is_none_or(|it| it.contains(&atom));
            let ends = self.ends(level, facts);
            // What may be another number each time is as if everything around decided on it.
            depends = depends.filter(|_| !is_used || level.is_determined());
            if let Some(depends) = depends.as_mut().filter(|_| is_used) {
                depends.extend(ends.iter().flat_map(|(low, high)| low.atoms().chain(high.atoms())));
                if let Level::Shifted { by, .. } | Level::Harmonic { by, .. } = level {
                    depends.push(*by);
                }
            }
            let stretched = |it: &Polynomial, up| self.over(it, level, facts, up);
            stretch = stretch
                .and_then(|[low, high]| Some([stretched(&low, false)?, stretched(&high, true)?]));
            let times = match level {
                _ if !is_used || !level.is_repeated() => Some(Polynomial::constant(1)),
                Level::Halving(it) => Some(it.count[0].clone()),
                _ => {
                    let counts =
                        ends.iter().map(|(low, high)| &(high - low) + &Polynomial::constant(1));
                    counts.min_by_key(at_large)
                }
            };
            rows = rows.and_then(|it| Some(&self.over(&it, level, facts, true)? * &times?));
            // A stretch of what is inside may have fewer lines than all of it one by one.
            rows = fewer(rows, stretch.as_ref());
        }
        let lines = fewer(rows, stretch.as_ref())?;
        Some(not_negative(lines, &self.some(scope)))
    }
}

/// The lesser of some lines and those of a stretch of memory.
fn fewer(rows: Option<Polynomial>, stretch: Option<&[Polynomial; 2]>) -> Option<Polynomial> {
    let stretched = stretch.map(|[low, high]| {
        let words = high - low;
        if words.is_zero() {
            return Polynomial::constant(1);
        }
        &(&words * &Polynomial::per(Size::Width)) + &Polynomial::constant(2)
    });
    rows.into_iter().chain(stretched).min_by_key(|it: &Polynomial| -> BigRational {
        if it.is_zero() { BigRational::zero() } else { at_large(it) }
    })
}
