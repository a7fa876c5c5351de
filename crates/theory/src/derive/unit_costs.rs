//! Bounds of what machines count whose accesses take a unit each, from those of memory machines.
//!
//! A step of the PRAM takes what a round waits if l is 2, and is no shorter than it is if l is 1; work is all
//! requests; span is what the PRAM takes as p grows.

use super::access::REQUESTS;
use super::domain::{GuardedPolynomial, times};
use super::lower::{APART, ROWS_APART};
use super::polynomial::{Atom, Polynomial, Size};
use super::walk::{ALONE, BANDWIDTH, CHAIN, THREADS};
use super::{Choice, Derived, Lower, Missing, Term, TimePart};
use memory_machine_core::language::program::Program;
use memory_machine_core::trace::Space;

pub(super) const EACH: &str = "each access is one";
const PROCESSORS: &str = "processors: p of them make p accesses in a step";
const STEPS_OF_ROUNDS: &str = "each round has a step for each access";
const WORDS: &str = "a block serves no more requests of a warp than it has words";
const OWN_BLOCKS: &str = "iterations' addresses lie in blocks of their own";
const IN_TURN: &str = "accesses of one iteration and of successive nests are of one thread each";
const STEPS: &str = "one iteration's accesses and successive nests follow each other";

/// What is counted, in accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitCost {
    /// Steps of a PRAM with p processors.
    Time,
    /// T₁.
    Work,
    /// T∞.
    Span,
    /// Steps in which a processor of the PEM misses.
    Transfers,
    /// Of the ideal cache.
    Misses,
    /// Blocks of global memory that warps of the AGPU access.
    Blocks,
    /// Chunks of global memory that groups of the TMM access.
    Chunks,
    /// Of BSP: nests.
    Supersteps,
    /// Of BSP: the most operations of a processor, over all supersteps.
    LocalWork,
    /// Of MPC: nests in which a machine receives a word.
    Rounds,
    /// Of the roofline.
    Operations,
    /// Of sectors, of the roofline.
    Bytes,
}

impl UnitCost {
    /// What a claim on it is over, beside the listing's parameters, by the machine's own names.
    const fn sizes(self) -> &'static [(Size, &'static str)] {
        match self {
            Self::Time => &[(Size::Threads, "p")],
            Self::LocalWork => &[(Size::Threads, "p"), (Size::Other, "P")],
            Self::Transfers => &[(Size::Threads, "p"), (Size::Width, "B"), (Size::Other, "M")],
            Self::Misses => &[(Size::Width, "B"), (Size::Other, "M")],
            Self::Blocks => &[(Size::Threads, "p"), (Size::Width, "b")],
            Self::Chunks => &[(Size::Threads, "p"), (Size::Width, "C")],
            _ => &[],
        }
    }

    /// The same where a listing has these parameters: what one of them is called has its flag's name.
    pub fn sizes_beside(self, parameters: &[String]) -> Vec<(Size, &'static str)> {
        let flag = |size| match size {
            Size::Other if self == Self::LocalWork => "processors",
            Size::Other => "cache",
            _ => "line",
        };
        let is_taken =
            |it: &(Size, &str)| it.0 != Size::Threads && parameters.iter().any(|own| own == it.1);
        let sizes = self.sizes().iter().copied();
        sizes.map(|it| if is_taken(&it) { (it.0, flag(it.0)) } else { it }).collect()
    }

    /// Whether it is stages of global memory.
    pub(super) const fn is_of_stages(self) -> bool {
        matches!(self, Self::Blocks | Self::Chunks)
    }
}

impl Derived {
    /// Bounds of this instead of a memory machine's synchronous time.
    #[must_use]
    pub(super) fn in_units(self, program: &Program, cost: UnitCost) -> Self {
        let mut found = Self { upper: vec![], lower: vec![], ..self };
        for term in self.upper {
            let is_counted = match term.part {
                _ if cost.is_of_stages() && term.space == Space::Shared => false,
                TimePart::Alone => true,
                TimePart::Stages => cost == UnitCost::Work || cost.is_of_stages(),
                TimePart::Waiting => matches!(cost, UnitCost::Time | UnitCost::Span),
            };
            if !is_counted {
                continue;
            }
            let choices: Vec<Choice> =
                term.choices.iter().filter_map(|it| above(it, term.part, cost)).collect();
            match choices.is_empty() {
                true => found.missing.push(Missing {
                    span: found.program(program).sites[term.sites[0].0].span,
                    why: "how often this access is made is not known",
                }),
                false => found.upper.push(Term { choices, ..term }),
            }
        }
        found.lower = self.lower.into_iter().filter_map(|it| below(it, cost)).collect();
        found
    }
}

/// What is no more than a sum of the time.
fn above(choice: &Choice, part: TimePart, cost: UnitCost) -> Option<Choice> {
    let pieces = match part {
        TimePart::Stages if cost.is_of_stages() => return Some(choice.clone()),
        TimePart::Stages if choice.rule != REQUESTS => return None,
        TimePart::Stages => choice.pieces.clone(),
        TimePart::Alone => with_latency(&choice.pieces, 1)?,
        TimePart::Waiting => with_latency(&choice.pieces, 2)?,
    };
    let pieces = if cost == UnitCost::Span { with_all_processors(&pieces)? } else { pieces };
    let rule =
        if choice.rule == REQUESTS || part == TimePart::Alone { EACH } else { STEPS_OF_ROUNDS };
    Some(Choice { rule, pieces })
}

/// What is no less than a sum of the time.
fn below(lower: Lower, cost: UnitCost) -> Option<Lower> {
    let (rule, pieces) = match lower.rule {
        BANDWIDTH if cost.is_of_stages() => (WORDS, lower.pieces.clone()),
        APART | ROWS_APART if cost.is_of_stages() => (OWN_BLOCKS, lower.pieces.clone()),
        CHAIN | ALONE if cost.is_of_stages() => (IN_TURN, in_turn(&lower.pieces)?),
        BANDWIDTH if cost == UnitCost::Work => {
            (EACH, times(&lower.pieces, &Polynomial::power(Atom::Size(Size::Width), 1)))
        }
        THREADS if cost == UnitCost::Time || cost.is_of_stages() => {
            (PROCESSORS, with_latency(&lower.pieces, 1)?)
        }
        CHAIN | ALONE => (STEPS, with_latency(&lower.pieces, 1)?),
        _ => return None,
    };
    Some(Lower { rule, pieces, ..lower })
}

/// How many accesses to global memory a chain of accesses has.
fn in_turn(pieces: &[GuardedPolynomial]) -> Option<Vec<GuardedPolynomial>> {
    let ls = Atom::Size(Size::SharedLatency);
    let global = each(pieces, |it| it.substitute(ls, &Polynomial::default()))?;
    with_latency(&global, 1)
}

/// With a number for l.
fn with_latency(pieces: &[GuardedPolynomial], latency: i64) -> Option<Vec<GuardedPolynomial>> {
    let (l, number) = (Atom::Size(Size::Latency), Polynomial::constant(latency));
    each(pieces, |it| it.substitute(l, &number))
}

/// What is left as p grows.
fn with_all_processors(pieces: &[GuardedPolynomial]) -> Option<Vec<GuardedPolynomial>> {
    let p = Atom::Size(Size::Threads);
    each(pieces, |it| {
        let left =
            it.without(|monomial, _| monomial.iter().any(|(atom, power)| *atom == p && *power < 0));
        (!left.mentions(p) && !left.mentions(Atom::Log(Size::Threads))).then_some(left)
    })
}

fn each(
    pieces: &[GuardedPolynomial],
    change: impl Fn(&Polynomial) -> Option<Polynomial>,
) -> Option<Vec<GuardedPolynomial>> {
    let one = |it: &GuardedPolynomial| {
        let guard = it.guard.iter().map(&change).collect::<Option<_>>()?;
        Some(GuardedPolynomial { guard, value: change(&it.value)? })
    };
    pieces.iter().map(one).collect()
}
