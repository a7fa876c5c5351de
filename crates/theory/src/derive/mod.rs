//! Bounds of a listing's time, derived from its text: polynomials in its parameters, the threads p,
//! the width w and the latency l, that hold for all of them; of loops on DMMs also in the
//! DMMs d, their latency ls and the blocks R on each.
//!
//! Sequential loops, parallel nests and the requests of each access are counted as sums over whole
//! points of affine domains ([`domain`]). What an access of a nest costs follows Nakano 2013,
//! Theorem 1: its rounds wait l − 1 time units each, and its stages are no more than any of several
//! counts of address groups. From below: a stage serves w requests at most, a thread
//! makes one request in l time units, and nests stand between barriers.

mod access;
mod amortised;
mod blocks;
mod cache;
pub mod claim;
mod cone;
mod courses;
pub mod domain;
mod eliminate;
pub mod facts;
pub mod level;
pub mod linear;
mod listing;
mod lower;
mod measures;
mod paths;
pub mod polynomial;
mod recurrence;
mod recursion;
mod refute;
mod requirements;
mod scope;
pub mod show;
mod strides;
mod symbolizer;
mod tallies;
mod transitions;
mod unit_costs;
mod walk;
mod while_loops;

use std::sync::Arc;

use num_rational::BigRational;
use num_traits::Zero;

pub use self::courses::derive_in_units;
use self::domain::{GuardedPolynomial, times, value};
use self::polynomial::{Polynomial, Size, whole};
pub use self::scope::Condition;
pub use self::show::Sizes;
pub use self::unit_costs::UnitCost;
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::oblivious::{Obliviousness, obliviousness};
use memory_machine_core::language::outline::outline;
use memory_machine_core::language::program::{Expr, ExprKind, Program, SiteId};
use memory_machine_core::language::syntax::{BinaryOp, UnaryOp};
use memory_machine_core::machine::{MachineKind, Mode};
use memory_machine_core::run::layout::{self, Arrangement};
use memory_machine_core::trace::Space;

/// What bounds are derived for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The listing.
    pub program: &'a Program,
    /// Its parameters that are numbers; `None` for those that grow.
    pub fixed: &'a [Option<i64>],
    /// Which parameters k stand for the size 2^k: see [`exponents`].
    pub exponents: &'a [bool],
    /// UMM, DMM or HMM.
    pub kind: MachineKind,
    /// Whose time is meant, where it matters: loops on DMMs may take longer asynchronously.
    pub mode: Mode,
    /// Of a bulk run.
    pub bulk: Option<Arrangement>,
}

/// A part of the time, bounded from above.
#[derive(Debug, Clone)]
pub struct Term {
    /// The access that takes it; several where they take equal parts.
    pub sites: Vec<SiteId>,
    /// What it is.
    pub part: TimePart,
    /// Of which memory.
    pub space: Space,
    /// It is no more than any of these sums.
    pub choices: Vec<Choice>,
}

/// Which part of the time of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimePart {
    /// Stages in the pipeline.
    Stages,
    /// Time units between a step's last stage and its end.
    Waiting,
    /// Both, of an access of one thread.
    Alone,
}

/// A bound of a part, and why it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Why.
    pub rule: &'static str,
    /// The sum.
    pub pieces: Vec<GuardedPolynomial>,
}

/// A bound of the whole time from below.
#[derive(Debug, Clone)]
pub struct Lower {
    /// Why it holds.
    pub rule: &'static str,
    /// Where it holds; everywhere if empty.
    pub conditions: Vec<Condition>,
    /// Of the guards, one that may fail by a constant factor: then the bound holds but for a constant.
    pub elastic: Option<Polynomial>,
    /// The sum.
    pub pieces: Vec<GuardedPolynomial>,
}

/// A place that no upper bound is derived for.
#[derive(Debug, Clone)]
pub struct Missing {
    /// Where.
    pub span: Span,
    /// Why not.
    pub why: &'static str,
}

/// What was derived.
#[derive(Debug, Clone, Default)]
pub struct Derived {
    /// The time is at most their sum, unless something is missing.
    pub upper: Vec<Term>,
    /// The time is at least each.
    pub lower: Vec<Lower>,
    /// Why there is no upper bound.
    pub missing: Vec<Missing>,
    /// What loops `decreases`, of those that were counted by it: runs check it, no proof does.
    pub measures: Vec<Span>,
    /// As in the [`Question`].
    pub fixed: Vec<Option<i64>>,
    /// As in the [`Question`].
    pub exponents: Vec<bool>,
    /// The program whose accesses the sites are, where it is not the question's: that of all sizes of a
    /// listing with recursion.
    pub outline: Option<Arc<Program>>,
    /// How its recursion was counted.
    pub recurrences: Vec<Recurrence>,
}

impl Derived {
    /// The program whose accesses the sites are, of a question on a program.
    pub fn program<'a>(&'a self, asked: &'a Program) -> &'a Program {
        self.outline.as_deref().unwrap_or(asked)
    }
}

/// How often a procedure calls itself, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurrence {
    /// Its name.
    pub procedure: String,
    /// What it calls that extent.
    pub size: String,
    /// Calls of itself, at most.
    pub calls: i64,
    /// By what the size is divided from call to call.
    pub divisor: i64,
    /// It calls itself where its size is more than that.
    pub ends: i64,
    /// Whether sizes are powers of two, so that nothing is rounded.
    pub is_exact: bool,
}

/// Which parameters k are exponents of arrays' extents, as in `a[1 << k]`. Of such a parameter the size is
/// 2^k, whose logarithm it is.
pub fn exponents(program: &Program) -> Vec<bool> {
    // What is unfolded has numbers in their place.
    if program.is_unfolded
        && let Ok(whole) = outline(program, 1)
    {
        let mut found = exponents(&whole.program);
        found.truncate(program.parameters.len());
        return found;
    }
    let extents = || program.arrays.iter().flat_map(|it| &it.extents);
    let is_exponent = |at| extents().any(|it| shifts_by(it, at));
    (0..program.parameters.len()).map(is_exponent).collect()
}

fn shifts_by(expr: &Expr, parameter: usize) -> bool {
    let shifted = match &expr.kind {
        ExprKind::Binary(BinaryOp::ShiftLeft, _, by) => names(by, parameter),
        _ => false,
    };
    shifted || expr.operands().any(|it| shifts_by(it, parameter))
}

fn names(expr: &Expr, parameter: usize) -> bool {
    matches!(expr.kind, ExprKind::Parameter(id) if id.0 == parameter)
        || expr.operands().any(|it| names(it, parameter))
}

/// Derives what can be.
pub fn derive(question: &Question<'_>) -> Derived {
    let is_for_all = question.program.is_unfolded && question.fixed.iter().any(Option::is_none);
    let derived = if is_for_all {
        recursion::derive(question)
    } else {
        let derived = listing::derive(question);
        in_bulk(question, derived, listing::cells(question))
    };
    Derived { fixed: question.fixed.to_vec(), exponents: question.exponents.to_vec(), ..derived }
}

/// All threads of a bulk run of an oblivious program make the same accesses, so each of one thread's
/// time units l becomes the time of a step of p threads (Tani et al. 2014, Theorem 2). Those of a
/// semi-oblivious one skip some: the steps are as many at most, as each access behind a condition on
/// data is counted as if it happened.
///
/// `cells` are the words of each array.
fn in_bulk(question: &Question<'_>, one: Derived, cells: Option<Vec<Polynomial>>) -> Derived {
    let Some(arrangement) = question.bulk else { return one };
    let [p, w, l] = [Size::Threads, Size::Width, Size::Latency].map(Polynomial::from);
    let (step, rule) = match arrangement {
        Arrangement::RowWise => {
            (&(&p + &l) - &Polynomial::constant(1), "t steps of p stages at most")
        }
        // Two address groups a warp, of which there are ⌈p/w⌉.
        Arrangement::ColumnWise => {
            let warps = (&p * &Polynomial::per(Size::Width)).scale(&whole(2));
            (&(&warps + &l) + &Polynomial::constant(1), "t steps of 2⌈p/w⌉ stages at most")
        }
    };
    let each = &Polynomial::per(Size::Latency) * &step;
    let mut derived = Derived { upper: vec![], lower: vec![], ..one.clone() };
    let obliviousness = obliviousness(question.program);
    if let Obliviousness::Not(dependence) = &obliviousness {
        let why = "it is not oblivious: its inputs need not make equal accesses";
        derived.missing.push(Missing { span: dependence.span, why });
    }
    for term in &one.upper {
        let pieces = |it: &Choice| Choice { rule, pieces: times(&it.pieces, &each) };
        let choices = term.choices.iter().map(pieces).collect();
        derived.upper.push(Term { choices, ..term.clone() });
    }
    for lower in one.lower.iter().filter(|it| it.rule == walk::ALONE) {
        let requests = times(&lower.pieces, &(&Polynomial::per(Size::Latency) * &p));
        let pieces = times(&requests, &Polynomial::per(Size::Width));
        derived.lower.push(lower.clone());
        derived.lower.push(Lower { rule: walk::BANDWIDTH, pieces, ..lower.clone() });
        // Where addresses depend on data, inputs' threads may meet in an address group.
        if arrangement == Arrangement::RowWise
            && !matches!(obliviousness, Obliviousness::Not(_))
            && let Some(cells) = &cells
        {
            // Inputs lie so far apart that no two threads meet in a stage.
            let mut conditions = lower.conditions.clone();
            let mut pieces = requests;
            for cells in cells {
                if question.kind.has_groups() {
                    pieces.iter_mut().for_each(|it| it.guard.push(cells - &w));
                } else {
                    conditions.push(Condition::Divides(cells.clone()));
                }
            }
            let rule = if question.kind.has_groups() { APART } else { ONE_BANK };
            derived.lower.push(Lower { rule, conditions, elastic: None, pieces });
        }
    }
    derived
}

const APART: &str = "every array has w words or more: p stages a step";
const ONE_BANK: &str = "w divides every array's words: p stages a step";

impl Derived {
    fn pieces_mut(&mut self) -> impl Iterator<Item = &mut Vec<GuardedPolynomial>> {
        let choices = self.upper.iter_mut().flat_map(|it| &mut it.choices);
        choices.map(|it| &mut it.pieces).chain(self.lower.iter_mut().map(|it| &mut it.pieces))
    }

    /// The upper bound for sizes, if there is one.
    pub fn upper_at(&self, sizes: &Sizes<'_>) -> Option<BigRational> {
        if !self.missing.is_empty() {
            return None;
        }
        let mut sum = BigRational::zero();
        for term in &self.upper {
            let choices = term.choices.iter();
            let values = choices.map(|it| value(&it.pieces, &|atom| sizes.of(atom)));
            sum += values.collect::<Option<Vec<_>>>()?.into_iter().min()?;
        }
        Some(sum)
    }

    /// The largest of the lower bounds that hold for sizes.
    pub fn lower_at(&self, sizes: &Sizes<'_>) -> BigRational {
        let holds = self.lower.iter().filter(|it| it.conditions.iter().all(|it| it.holds(sizes)));
        let values = holds.filter_map(|it| value(&it.pieces, &|atom| sizes.of(atom)));
        values.max().unwrap_or_else(BigRational::zero)
    }
}

impl Condition {
    /// Whether it is so for sizes.
    pub fn holds(&self, sizes: &Sizes<'_>) -> bool {
        match self {
            Self::Holds(expr, wanted) => {
                holds(expr, sizes.parameters).is_some_and(|found| found == *wanted)
            }
            Self::Divides(of) => {
                let value = of.value(&|atom| sizes.of(atom));
                let width = sizes.size(Size::Width);
                value.is_some_and(|it| (it / width).is_integer())
            }
        }
    }
}

/// Whether a condition over parameters holds.
fn holds(condition: &Expr, parameters: &[i64]) -> Option<bool> {
    match &condition.kind {
        ExprKind::Boolean(value) => Some(*value),
        ExprKind::Unary(UnaryOp::Not, operand) => holds(operand, parameters).map(|it| !it),
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let (left, right) = (holds(left, parameters)?, holds(right, parameters)?);
            Some(if *op == BinaryOp::And { left && right } else { left || right })
        }
        ExprKind::Binary(op, left, right) => {
            let value = |it| layout::constant(it, parameters);
            op.holds(value(left)?.cmp(&value(right)?))
        }
        _ => None,
    }
}
