//! Is the time O(f), Ω(f) or Θ(f)? Proved, refuted, or open.
//!
//! f is a sum of monomials in sizes and their logarithms. With x the logarithms of the sizes, a
//! monomial is a linear form in x, and a sum is within a constant the largest of its forms. So a
//! monomial m is O(f) where no x of the domain has m·x greater than every f_j·x; that is a linear
//! program, solved exactly. Its solution, if there is one, is a direction in which to grow: a
//! counter-example if m belongs to a proven lower bound.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::Derived;
use super::cone::{Cone, divides, positive_coefficients, powers};
pub use super::cone::{Direction, Powers};
use super::domain::{GuardedPolynomial, sum_at_large};
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};
pub use super::refute::Contradiction;
use super::refute::{contradicted_from_above, contradicted_from_below};

/// Which way a claim bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// O: the time is at most a constant times f, for all sizes.
    AtMost,
    /// Ω: it is at least a constant times f, where the listing's parameters are large enough.
    AtLeast,
    /// Θ: both.
    Exactly,
}

impl Relation {
    /// As it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::AtMost => "O",
            Self::AtLeast => "Ω",
            Self::Exactly => "Θ",
        }
    }
}

/// A claim on the time.
#[derive(Debug, Clone)]
pub struct Claim {
    /// O, Ω or Θ.
    pub relation: Relation,
    /// f, a sum.
    pub terms: Vec<Powers>,
    /// What is assumed of sizes: the first monomial is at least the second, within a constant.
    pub assumed: Vec<[Powers; 2]>,
}

/// A step of a proof: the least of these monomials is no more than the weighted geometric mean of
/// the claim's terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofStep {
    /// Of the derived bound; several where the bound is the least of several.
    pub monomials: Vec<Monomial>,
    /// Numbers of the claim's terms, with positive weights that add up to 1.
    pub below: Vec<(usize, BigRational)>,
}

/// What was found of one way of a claim.
#[derive(Debug, Clone)]
pub enum Finding {
    /// It holds; the steps are those of an O, an Ω is there in every direction.
    Proved {
        /// Why each monomial of the upper bound is no more than the claim.
        steps: Vec<ProofStep>,
        /// Of an O: the time is no more than this many times the sum of the claim's terms.
        constant: f64,
    },
    /// It does not.
    Refuted(Contradiction),
    /// Neither; the direction in which the derived bound is not enough, if there is one.
    Open(Option<Direction>),
}

/// Every atom of bounds and claim.
fn atoms(derived: &Derived, claim: &Claim) -> Vec<Atom> {
    let pieces = derived.upper.iter().flat_map(|it| &it.choices).flat_map(|it| &it.pieces);
    let pieces = pieces.chain(derived.lower.iter().flat_map(|it| &it.pieces));
    let atoms = pieces
        .flat_map(|it| it.guard.iter().chain([&it.value]))
        .flat_map(Polynomial::atoms)
        .chain(
            claim
                .terms
                .iter()
                .chain(claim.assumed.iter().flatten())
                .flat_map(|it| it.keys().copied()),
        )
        .chain([Size::Threads, Size::Width, Size::Latency].map(Atom::Size));
    with_sizes(atoms)
}

/// Monomials of a bound that are above the claim by themselves, with what holds where each counts.
type Above<'a> = Vec<(Monomial, &'a [Polynomial])>;

/// Whether the time is O of the claim's sum.
pub fn at_most(derived: &Derived, claim: &Claim) -> Finding {
    let atoms = atoms(derived, claim);
    let cone = Cone::of(&claim.assumed, &atoms);
    if let Some(contradiction) = contradicted_from_below(derived, &claim.terms, &cone) {
        return Finding::Refuted(contradiction);
    }
    if !derived.missing.is_empty() {
        return Finding::Open(None);
    }
    let mut steps: Vec<ProofStep> = vec![];
    let mut seen: Vec<(Vec<Vec<Monomial>>, f64)> = vec![];
    let mut constant = 0.0;
    for term in &derived.upper {
        let all: Vec<Vec<Monomial>> = term
            .choices
            .iter()
            .map(|choice| {
                choice.pieces.iter().flat_map(GuardedPolynomial::positive).cloned().collect()
            })
            .collect();
        // Of equal monomials the proof is known.
        let known = seen.iter().find(|it| it.0 == all).map(|it| it.1);
        let factor = match known {
            Some(factor) => factor,
            None => match below(term, claim, &cone) {
                Ok((found, factor)) => {
                    add(&mut steps, found);
                    seen.push((all, factor));
                    factor
                }
                Err(direction) => return Finding::Open(direction),
            },
        };
        // Any choice would do for each; the one that says least is no less than what was taken.
        constant += factor * term.choices.iter().map(coefficients).fold(0.0, f64::max);
    }
    Finding::Proved { steps, constant }
}

fn coefficients(choice: &super::Choice) -> f64 {
    let sum: BigRational = choice.pieces.iter().map(|it| positive_coefficients(&it.value)).sum();
    sum.to_f64().unwrap_or(f64::INFINITY)
}

/// Why the least choice of a part of the time is no more than the claim, and the largest factor of a step;
/// else a direction in which that is not known.
fn below(
    term: &super::Term,
    claim: &Claim,
    cone: &Cone<'_>,
) -> Result<(Vec<ProofStep>, f64), Option<Direction>> {
    // A choice whose monomials are all below the claim is enough; else what is left of each is held
    // against all of them together.
    let mut left: Vec<Above<'_>> = vec![];
    let (mut steps, mut factor) = (vec![], 1.0_f64);
    for choice in &term.choices {
        let (mut above, mut found) = (vec![], vec![]);
        for piece in &choice.pieces {
            for monomial in piece.positive() {
                let own = cone.with(|cone| cone.guarded(&piece.guard));
                match own.mean(&[powers(monomial)], &claim.terms) {
                    Some(mean) => {
                        factor = factor.max(mean.factor);
                        let monomials = vec![monomial.clone()];
                        found.push(ProofStep { monomials, below: mean.weights });
                    }
                    None => above.push((monomial.clone(), &piece.guard[..])),
                }
            }
        }
        if above.is_empty() {
            return Ok((found, factor));
        }
        left.push(above);
    }
    let mut at = vec![0; left.len()];
    loop {
        let picked: Vec<_> = left.iter().zip(&at).map(|(choice, &at)| &choice[at]).collect();
        let own = cone.with(|cone| picked.iter().for_each(|(_, guard)| cone.guarded(guard)));
        let monomials: Vec<Powers> = picked.iter().map(|(it, _)| powers(it)).collect();
        match own.mean(&monomials, &claim.terms) {
            Some(mean) => {
                factor = factor.max(mean.factor);
                let monomials = picked.iter().map(|(it, _)| it.clone()).collect();
                steps.push(ProofStep { monomials, below: mean.weights });
            }
            None => {
                let above = own.with(|cone| {
                    for it in &monomials {
                        claim.terms.iter().for_each(|term| cone.at_least(it, term, 1));
                    }
                });
                return Err(above.direction().map(|it| above.named(&it)));
            }
        }
        let Some(next) = (0..at.len()).find(|&it| at[it] + 1 < left[it].len()) else {
            return Ok((steps, factor));
        };
        at[..next].fill(0);
        at[next] += 1;
    }
}

fn add(steps: &mut Vec<ProofStep>, found: Vec<ProofStep>) {
    for step in found {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
}

/// A monomial of a lower bound does not count where this one is no less than 1, or by 1: grows without end.
type Failure = (Powers, i64);

/// Whether the time is Ω of the claim's sum, the listing's parameters being large enough.
pub fn at_least(derived: &Derived, claim: &Claim) -> Finding {
    let atoms = atoms(derived, claim);
    let mut cone = Cone::of(&claim.assumed, &atoms);
    let parameters = atoms.iter().filter(|it| matches!(it, Atom::Size(Size::Parameter(_))));
    for &atom in parameters {
        cone.at_least(&Powers::from([(atom, whole(1))]), &Powers::new(), 1);
    }
    if derived.missing.is_empty()
        && let Some(contradiction) = contradicted_from_above(derived, &claim.terms, &cone)
    {
        return Finding::Refuted(contradiction);
    }
    // And with them their logarithms.
    for &atom in atoms.iter().filter(|it| matches!(it, Atom::Log(Size::Parameter(_)))) {
        cone.at_least(&Powers::from([(atom, whole(1))]), &Powers::new(), 1);
    }
    // A monomial of a lower bound counts where no negative one is as large and its guard holds.
    let mut counted: Vec<(Monomial, Vec<Failure>)> = vec![];
    for lower in derived.lower.iter().filter(|it| it.conditions.is_empty()) {
        for piece in &lower.pieces {
            let negative = piece.value.terms().filter(|(_, it)| it.is_negative());
            let negative: Vec<&Monomial> = negative.map(|(it, _)| it).collect();
            for monomial in piece.positive() {
                let mut fails: Vec<Failure> = vec![];
                let ratio = |more: &Monomial, less: &Monomial| {
                    let mut ratio = powers(more);
                    for (atom, power) in powers(less) {
                        *ratio.entry(atom).or_insert_with(BigRational::zero) -= power;
                    }
                    ratio.retain(|_, it| !it.is_zero());
                    ratio
                };
                fails.extend(negative.iter().map(|it| (ratio(it, monomial), 0)));
                for guard in &piece.guard {
                    let split = |sign: bool| {
                        guard.terms().filter(move |(_, it)| it.is_positive() == sign).map(|it| it.0)
                    };
                    for less in split(false) {
                        // Where it is not less than every positive one.
                        let gap = i64::from(lower.elastic.as_ref() == Some(guard));
                        fails.extend(split(true).map(|more| (ratio(less, more), gap)));
                    }
                }
                let entry = (monomial.clone(), fails);
                if !counted.contains(&entry) {
                    counted.push(entry);
                }
            }
        }
    }
    // What cannot happen is no reason to fail. The strongest first, so that few cases are looked at.
    for (_, fails) in &mut counted {
        let may =
            |it: &Failure| cone.with(|cone| cone.at_least(&it.0, &Powers::new(), it.1)).direction();
        fails.retain(|it| may(it).is_some());
    }
    counted.sort_by_key(|(monomial, fails)| {
        (fails.len(), -monomial.iter().map(|it| it.1.max(0)).sum::<i32>())
    });
    let mut kept: Vec<(Monomial, Vec<Failure>)> = vec![];
    for entry in counted {
        if !kept.iter().any(|it| it.0 == entry.0) {
            kept.push(entry);
        }
    }
    let counted = kept;
    for term in &claim.terms {
        let mut budget = 400;
        if let Some(direction) = uncovered(&cone, term, &counted, &mut budget) {
            return Finding::Open(direction.map(|it| cone.named(&it)));
        }
    }
    Finding::Proved { steps: vec![], constant: 1.0 }
}

/// A direction in which no counted monomial reaches the term; `Some(None)` if that was not found out.
fn uncovered(
    cone: &Cone<'_>,
    term: &Powers,
    counted: &[(Monomial, Vec<Failure>)],
    budget: &mut u32,
) -> Option<Option<Vec<BigRational>>> {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return Some(None);
    }
    let direction = cone.direction()?;
    let Some(((monomial, fails), rest)) = counted.split_first() else {
        return Some(Some(direction));
    };
    let less = cone.with(|cone| cone.at_least(term, &powers(monomial), 1));
    if let Some(found) = uncovered(&less, term, rest, budget) {
        return Some(found);
    }
    fails.iter().find_map(|(ratio, gap)| {
        let fails = cone.with(|cone| cone.at_least(ratio, &Powers::new(), *gap));
        uncovered(&fails, term, rest, budget)
    })
}

/// The time's order from above and from below: sums of which no term is below the others, the first
/// `None` without an upper bound.
pub fn order(derived: &Derived) -> [Option<Vec<Powers>>; 2] {
    let claim = |relation, terms| Claim { relation, terms, assumed: vec![] };
    let proves = |terms: &[Powers]| {
        let finding = at_most(derived, &claim(Relation::AtMost, terms.to_vec()));
        matches!(finding, Finding::Proved { .. })
    };
    let upper = derived.missing.is_empty().then(|| {
        let first = |it: &super::Term| {
            let size = |choice: &&super::Choice| sum_at_large(&choice.pieces);
            let least = it.choices.iter().min_by_key(size);
            least.map(|it| it.pieces.clone()).unwrap_or_default()
        };
        let pieces: Vec<GuardedPolynomial> = derived.upper.iter().flat_map(first).collect();
        let mut terms: Vec<Powers> =
            pieces.iter().flat_map(GuardedPolynomial::positive).map(powers).collect();
        largest(&mut terms);
        // Where a part is the least of several sums, a term of one may not be needed.
        let mut at = 0;
        while at < terms.len() && terms.len() > 1 {
            let term = terms.remove(at);
            if !proves(&terms) {
                terms.insert(at, term);
                at += 1;
            }
        }
        terms
    });
    let pieces = derived.lower.iter().filter(|it| it.conditions.is_empty());
    let mut lower: Vec<Powers> = pieces
        .flat_map(|it| &it.pieces)
        .flat_map(GuardedPolynomial::positive)
        .map(powers)
        .collect();
    largest(&mut lower);
    lower.retain(|term| {
        let finding = at_least(derived, &claim(Relation::AtLeast, vec![term.clone()]));
        matches!(finding, Finding::Proved { .. })
    });
    [upper, Some(lower)]
}

/// Whether one sum is no more than a constant times another, for all sizes.
pub fn is_within(terms: &[Powers], claim: &Claim) -> bool {
    let all = terms.iter().chain(&claim.terms).chain(claim.assumed.iter().flatten());
    let atoms = with_sizes(all.flat_map(|it| it.keys().copied()));
    let cone = Cone::of(&claim.assumed, &atoms);
    terms.iter().all(|it| cone.mean(std::slice::from_ref(it), &claim.terms).is_some())
}

/// Atoms, and the sizes below them, each once.
fn with_sizes(atoms: impl Iterator<Item = Atom>) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = atoms.collect();
    let sizes: Vec<Atom> = atoms.iter().map(|it| it.base()).collect();
    atoms.extend(sizes);
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

/// Leaves out terms that are no more than a mean of the others.
fn largest(terms: &mut Vec<Powers>) {
    let mut distinct: Vec<Powers> = vec![];
    for term in terms.drain(..) {
        if !distinct.contains(&term) {
            distinct.push(term);
        }
    }
    let all = distinct.clone();
    distinct.retain(|it| !all.iter().any(|other| other != it && divides(it, other)));
    let atoms = with_sizes(distinct.iter().flat_map(|it| it.keys().copied()));
    let cone = Cone::of(&[], &atoms);
    let mut at = 0;
    while at < distinct.len() {
        let term = distinct.remove(at);
        if distinct.is_empty() || cone.mean(std::slice::from_ref(&term), &distinct).is_none() {
            distinct.insert(at, term);
            at += 1;
        }
    }
    *terms = distinct;
}
