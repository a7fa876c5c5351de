//! What is known at a place of a listing.

use std::rc::Rc;

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::domain::at_large;
use super::facts::Facts;
use super::level::Level;
use super::polynomial::{Atom, Polynomial, Size, whole};
use memory_machine_core::language::program::{Block, Expr, Statement};
use memory_machine_core::language::walk;

/// What must be true of the sizes, beside inequalities, where a lower bound is claimed.
#[derive(Debug, Clone)]
pub enum Condition {
    /// An expression over parameters has this value.
    Holds(Expr, bool),
    /// The width divides it.
    Divides(Polynomial),
}

/// A place of a listing.
#[derive(Clone)]
pub(super) struct Scope {
    pub(super) levels: Vec<Level>,
    pub(super) facts: Facts,
    /// What holds too, and is left out from above.
    pub(super) narrower: Vec<Polynomial>,
    /// By scalar; what is not known is a polynomial of its own all the same.
    pub(super) values: Vec<Option<Polynomial>>,
    /// Whether what stands here is surely done.
    pub(super) sure: bool,
    pub(super) conditions: Vec<Condition>,
    pub(super) blocks: Option<Rc<BlocksScope>>,
    pub(super) nest: Option<NestScope>,
    /// The innermost loop around a place, if its thread is alone.
    pub(super) outer: Option<Rc<OuterLoop>>,
    /// Places with equal loops and conditions have equal numbers.
    pub(super) place: u32,
}

/// The loops on DMMs around a place.
pub(super) struct BlocksScope {
    /// Levels outside.
    pub(super) outside: usize,
    /// Conditions there.
    pub(super) conditions: usize,
    pub(super) variables: Vec<Variable>,
    /// One over the threads of a block, at most and at least.
    pub(super) per_thread: [Polynomial; 2],
}

/// The parallel loops around a place.
#[derive(Clone)]
pub(super) struct NestScope {
    /// Levels outside.
    pub(super) outside: usize,
    /// What held there.
    pub(super) outer_facts: Facts,
    /// Conditions there.
    pub(super) conditions: usize,
    /// One over the threads that go through it, at most.
    pub(super) per_thread: Polynomial,
    pub(super) variables: Vec<Variable>,
    /// Locals from this one on are a thread's own.
    pub(super) first: u32,
    /// The loops of one iteration around the place.
    pub(super) inner: Vec<Atom>,
    /// The most steps in which the threads of a round make an access here, outside the nest's
    /// variables.
    pub(super) steps: Option<Polynomial>,
}

/// A sequential loop around a place, of one thread alone.
pub(super) struct OuterLoop {
    /// Before it.
    pub(super) before: Scope,
    /// Where an iteration begins.
    pub(super) inside: Scope,
    pub(super) variable: Variable,
    /// Whether the variable's atom falls from one iteration to the next.
    pub(super) falls: bool,
    /// The listing's variable.
    pub(super) scalar: usize,
    pub(super) body: Block,
}

/// A loop that was entered.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) atom: Atom,
    /// The largest counts.
    pub(super) lows: Vec<Polynomial>,
    /// The smallest counts.
    pub(super) highs: Vec<Polynomial>,
    /// What the listing's variable is.
    pub(super) value: Polynomial,
    /// Levels and facts once inside.
    pub(super) levels: usize,
    pub(super) facts: Facts,
}

impl Variable {
    /// Iterations, at most.
    pub(super) fn count(&self) -> Polynomial {
        &(&self.highs[0] - &self.lows[0]) + &Polynomial::constant(1)
    }
}

impl Scope {
    /// Whether every local of it is traversed by a level.
    pub(super) fn is_known(&self, of: &Polynomial) -> bool {
        of.atoms().all(|atom| {
            !matches!(atom, Atom::Local(_)) || self.levels.iter().any(|it| it.atom() == atom)
        })
    }

    /// Whether its locals are variables of loops.
    pub(super) fn is_of_loops(&self, of: &Polynomial) -> bool {
        of.atoms().all(|atom| {
            let is_loop = |it: &Level| matches!(it, Level::Sum(it) if *it == atom);
            !matches!(atom, Atom::Local(_)) || self.levels.iter().any(is_loop)
        })
    }

    /// All that holds.
    pub(super) fn narrow_facts(&self) -> Facts {
        self.narrower.iter().fold(self.facts.clone(), |facts, it| facts.and(it.clone()))
    }

    /// The most (or least) that a polynomial is over what lies within the levels from `from` on:
    /// their atoms are replaced by their ends.
    pub(super) fn extreme(&self, of: &Polynomial, from: usize, up: bool) -> Option<Polynomial> {
        self.extreme_over(of, &self.levels[from..].iter().collect::<Vec<_>>(), up)
    }

    /// The same over some of the levels.
    pub(super) fn extreme_over(
        &self,
        of: &Polynomial,
        levels: &[&Level],
        up: bool,
    ) -> Option<Polynomial> {
        let Some((level, outer)) = levels.split_last() else { return Some(of.clone()) };
        let ends = if of.mentions(level.atom()) { self.ends(level) } else { vec![] };
        if ends.is_empty() {
            return self.extreme_over(of, outer, up);
        }
        // A power of a negative number may be too much.
        let is_linear = of.by_powers(level.atom()).is_some_and(|it| it.len() <= 2);
        let bounds = ends.iter().filter_map(|(low, high)| {
            let is_fine = is_linear || self.facts.imply(low);
            let least = if is_fine { low } else { &Polynomial::default() };
            self.extreme_over(&of.bound(level.atom(), least, high, up)?, outer, up)
        });
        // Each is one; that of them which says most where sizes are large.
        if up { bounds.min_by_key(at_large) } else { bounds.max_by_key(at_large) }
    }

    /// Pairs between which a level's number is; of loops, only those of threads and of blocks have any.
    fn ends(&self, level: &Level) -> Vec<(Polynomial, Polynomial)> {
        let variables = self.nest.iter().flat_map(|it| &it.variables);
        let blocks = self.blocks.iter().flat_map(|it| &it.variables);
        ends(level, variables.chain(blocks), &self.facts)
    }
}

/// Pairs between which a level's number is; of loops, only these have any.
pub(super) fn ends<'a>(
    level: &Level,
    mut loops: impl Iterator<Item = &'a Variable>,
    facts: &Facts,
) -> Vec<(Polynomial, Polynomial)> {
    let none = Polynomial::default();
    match level {
        Level::Sum(atom) => {
            let it = loops.find(|it| it.atom == *atom);
            let highs = it.into_iter().flat_map(|it| it.highs.iter().map(move |high| (it, high)));
            highs.map(|(it, high)| (it.lows[0].clone(), high.clone())).collect()
        }
        Level::Value { lows, high, .. } => vec![(lows[0].clone(), high.clone())],
        Level::Quotient { of, by, .. } => {
            let [low, high] = Level::quotient(of, by);
            vec![(low, high)]
        }
        Level::OneOf { of, lesser: true, .. } => {
            of.iter().map(|it| (none.clone(), it.clone())).collect()
        }
        Level::OneOf { of: [a, b], .. } => {
            let high = greater_high(a, b, facts);
            [a, b].map(|low| (low.clone(), high.clone())).to_vec()
        }
        Level::Halving(it) => vec![(Polynomial::constant(it.stop + 1), it.first_high.clone())],
        Level::Harmonic { of, .. } | Level::Shifted { of, .. } => vec![(none, of.clone())],
    }
}

/// No less than the greater of two numbers, of which one is not negative.
pub(super) fn greater_high(a: &Polynomial, b: &Polynomial, facts: &Facts) -> Polynomial {
    let high = |it: &Polynomial| {
        if facts.imply(it) { it.clone() } else { it.without(|_, it| it.is_negative()) }
    };
    &high(a) + &high(b)
}

/// Whether it is a product of sizes, and no less than 1.
pub(super) fn is_size(of: &Polynomial) -> bool {
    let mut terms = of.terms();
    let is_whole = |it: &BigRational| it.is_positive() && it.is_integer();
    let is_product = terms.next().is_some_and(|it| is_whole(it.1)) && terms.next().is_none();
    is_product && !of.is_local()
}

/// Whether an expression is over parameters alone.
pub(super) fn is_of_parameters(expr: &Expr) -> bool {
    expr.reads().next().is_none() && expr.scalars().next().is_none()
}

/// `⌈log₂⌉` of a polynomial of sizes, at most; its coefficients are taken together.
pub(super) fn logarithm_high(of: &Polynomial) -> Option<Polynomial> {
    let mut factor = BigRational::zero();
    let mut powers: std::collections::BTreeMap<Size, i32> = std::collections::BTreeMap::new();
    for (monomial, coefficient) in of.terms().filter(|(_, it)| it.is_positive()) {
        factor += coefficient;
        for &(atom, power) in monomial {
            let Atom::Size(size) = atom else { return None };
            let most = powers.entry(size).or_default();
            *most = (*most).max(power);
        }
    }
    let mut sum = Polynomial::constant(ceiling_log(&factor));
    for (size, power) in powers {
        sum = &sum + &Polynomial::from(Atom::Log(size)).scale(&whole(power.into()));
    }
    Some(sum)
}

/// `⌊log₂⌋` of a monomial of sizes, at least; of one less a constant, one less.
pub(super) fn logarithm_low(of: &Polynomial) -> Option<Polynomial> {
    let mut terms = of.terms().filter(|(monomial, _)| !monomial.is_empty());
    let (monomial, coefficient) = terms.next().filter(|(_, it)| it.is_positive())?;
    if terms.next().is_some() {
        return None;
    }
    let constant = of.terms().find(|(monomial, _)| monomial.is_empty()).map(|it| it.1.clone());
    let less = i64::from(constant.is_some_and(|it| it.is_negative()));
    let mut sum = Polynomial::constant(-ceiling_log(&coefficient.recip()) - less);
    for &(atom, power) in monomial {
        let Atom::Size(size) = atom else { return None };
        let one = &Polynomial::from(Atom::Log(size)) - &Polynomial::constant(1);
        sum = &sum + &one.scale(&whole(power.into()));
    }
    Some(sum)
}

/// Of a positive number.
fn ceiling_log(of: &BigRational) -> i64 {
    let two = whole(2);
    let (mut log, mut power) = (0, BigRational::one());
    while power < *of {
        (log, power) = (log + 1, power * &two);
    }
    while &power / &two >= *of && log > -64 {
        (log, power) = (log - 1, power / &two);
    }
    log
}

/// Scalars that statements assign, loop variables included.
pub(super) fn assigned(block: &Block) -> Vec<usize> {
    let own = |statement: &Statement| -> Vec<usize> {
        let mut found: Vec<usize> = statement.ranges().iter().map(|it| it.variable.0).collect();
        if let Statement::Assign { target, .. } = statement {
            found.push(target.0);
        }
        found
    };
    walk::statements(block).flat_map(own).collect()
}
