//! The walk over a listing that derives its time: what it has found, and what conditions say.

use std::collections::HashMap;
use std::rc::Rc;

use super::domain::GuardedPolynomial;
use super::facts::Facts;
use super::polynomial::{Polynomial, Size};
use super::scope::Scope;
use super::symbolizer::Symbolizer;
use super::tallies::Tallies;
use super::{Derived, Missing, Question};
use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::program::{ArrayId, Expr, ExprKind};
use memory_machine_core::language::syntax::{BinaryOp, Type};
use memory_machine_core::trace::Space;

pub(super) const ALONE: &str = "one thread: each access takes l time units";

pub(super) const BANDWIDTH: &str = "bandwidth: a stage serves w requests";

pub(super) const THREADS: &str = "threads: p threads make p requests in l time units";

pub(super) const CHAIN: &str =
    "barriers: one iteration's accesses and successive nests wait l time units each";

pub(super) struct Walk<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) symbolizer: Symbolizer<'a>,
    pub(super) derived: Derived,
    pub(super) counted: HashMap<(u32, Space), Rc<AccessCounts>>,
    pub(super) places: u32,
    /// Nothing is noted while loops are tried out.
    pub(super) silent: u32,
    pub(super) sums: Sums,
    pub(super) chains: Chains,
    /// See [`Walk::placed`].
    pub(super) placed: Placed,
    /// Stores to these stand for calls.
    pub(super) procedures: &'a [Callee],
    /// In the order of the text.
    pub(super) calls: Vec<Call>,
    /// The arms of conditions around, outside of loops.
    pub(super) arms: Vec<(u32, bool)>,
    /// Where more is counted than accesses.
    pub(super) tallies: Option<Tallies>,
    /// Whether nests of loops that data decide are counted as transitions.
    pub(super) by_transitions: bool,
    /// By loop of such a nest, all of its iterations.
    pub(super) iterations: HashMap<usize, Rc<Iterations>>,
}

/// A call of a procedure that calls itself.
pub(super) struct Call {
    /// Which one.
    pub(super) callee: usize,
    /// The sizes of what it is given, and where ranges begin, by one more.
    pub(super) sizes: Vec<Polynomial>,
    pub(super) positions: Vec<Polynomial>,
    /// What holds there.
    pub(super) facts: Facts,
    /// How often it is made, at most and at least.
    pub(super) counts: [Vec<GuardedPolynomial>; 2],
    /// The arms of conditions around, outside of loops: of each, by its number, which one.
    pub(super) arms: Vec<(u32, bool)>,
    pub(super) span: Span,
}

impl Call {
    /// Whether what it is given has the size that a procedure's sizes have: 1 at least.
    pub(super) fn has_sizes(&self) -> bool {
        let one = Polynomial::constant(1);
        self.sizes.iter().chain(&self.positions).all(|it| self.facts.imply(&(it - &one)))
    }
}

/// A procedure that calls itself, as a walk sees it: what stands for a call, and how many sizes it has.
pub(super) type Callee = (ArrayId, usize);

/// How often a loop's iterations begin at most, over all of the outermost loop around it.
pub(super) struct Iterations {
    /// Before the outermost loop.
    pub(super) before: Scope,
    /// What that one changes.
    pub(super) changed: Vec<usize>,
    pub(super) most: Polynomial,
}

impl<'a> Walk<'a> {
    pub(super) fn new(question: &'a Question<'a>, procedures: &'a [Callee]) -> Self {
        Self {
            question,
            symbolizer: Symbolizer::new(question),
            derived: Derived::default(),
            counted: HashMap::new(),
            places: 0,
            silent: 0,
            sums: Sums::default(),
            chains: Chains::default(),
            placed: Placed::new(),
            procedures,
            calls: vec![],
            arms: vec![],
            tallies: None,
            by_transitions: false,
            iterations: HashMap::new(),
        }
    }

    pub(super) fn missing(&mut self, span: Span, why: &'static str) {
        if self.silent == 0 {
            self.derived.missing.push(Missing { span, why });
        }
    }

    pub(super) fn new_place(&mut self, scope: &mut Scope) {
        self.places += 1;
        scope.place = self.places;
    }
}

/// How often things happen at a place, over the whole run.
pub(super) struct AccessCounts {
    /// Those of all threads.
    pub(super) all: Option<Vec<GuardedPolynomial>>,
    pub(super) surely: Vec<GuardedPolynomial>,
    /// Those that one pipeline serves: in shared memories, that of the DMM with most. So for steps and
    /// rows.
    pub(super) requests: Option<Vec<GuardedPolynomial>>,
    /// Steps that wait, those of a wave's blocks being one.
    pub(super) rounds: Option<Vec<GuardedPolynomial>>,
    /// Steps, and steps times iterations, if the number of steps is known.
    pub(super) steps: Option<[Vec<GuardedPolynomial>; 2]>,
    /// For each of the nest's loops but the innermost: steps times its iterations.
    pub(super) rows: Vec<Option<Vec<GuardedPolynomial>>>,
}

/// Why the time is at least a sum over the whole run.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Bandwidth,
    SharedBandwidth,
    Threads,
    Chain,
    Places,
    OneBlock,
}

pub(super) const RULES: [(Rule, &str); 6] = [
    (Rule::Bandwidth, BANDWIDTH),
    (Rule::SharedBandwidth, "bandwidth: d stages serve d·w requests to shared memories"),
    (Rule::Threads, THREADS),
    (Rule::Chain, CHAIN),
    (Rule::Places, "places: d·R blocks run at a time, each as long as its barriers say"),
    (Rule::OneBlock, "one block: its threads make a request each in l time units, ls if shared"),
];

/// By rule, the sums of what is made under no condition.
pub(super) type Sums = [Vec<GuardedPolynomial>; RULES.len()];

/// By place and case, what [`Walk::placed`] found.
pub(super) type Placed = HashMap<(u32, (usize, usize)), Rc<Vec<GuardedPolynomial>>>;

/// The latencies of accesses that follow each other.
#[derive(Default)]
pub(super) struct Chains {
    /// Of a nest: of the first block, the last one and all of them, by its first and its last
    /// iteration. Outside of blocks, that of all of them.
    pub(super) lanes: [[Vec<GuardedPolynomial>; 2]; 3],
    /// Of the blocks, nest after nest.
    pub(super) blocks: [Vec<GuardedPolynomial>; 3],
    /// Of all threads of the first block, and of the last one.
    pub(super) threads: [Vec<GuardedPolynomial>; 2],
}

/// What shares out a wave's blocks.
#[derive(Clone, Copy)]
pub(super) enum Share {
    /// The places for blocks, d·R.
    Places,
    /// The DMMs.
    Dmms,
}

impl Share {
    /// One over their number.
    pub(super) fn per(self) -> Polynomial {
        let dmms = Polynomial::per(Size::Dmms);
        match self {
            Self::Places => &dmms * &Polynomial::per(Size::Resident),
            Self::Dmms => dmms,
        }
    }
}

/// The latency of a memory.
pub(super) fn latency(space: Space) -> Polynomial {
    let latency = if space == Space::Global { Size::Latency } else { Size::SharedLatency };
    latency.into()
}

impl Symbolizer<'_> {
    /// Facts of a condition that holds, and of one that does not; `None` where it says nothing.
    pub(super) fn facts(
        &mut self,
        condition: &Expr,
        scope: &mut Scope,
    ) -> [Option<Vec<Polynomial>>; 2] {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return [None, None] };
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let [left, right] = [left, right].map(|it| self.facts(it, scope));
            let at = usize::from(*op == BinaryOp::Or);
            let mut both = [None, None];
            both[at] = left[at].clone().zip(right[at].clone()).map(|(a, b)| [a, b].concat());
            return both;
        }
        if left.element != Type::I64 || right.element != Type::I64 {
            return [None, None];
        }
        let left = self.value(left, scope);
        let right = self.value(right, scope);
        let one = Polynomial::constant(1);
        let (less, more) = (&right - &left, &left - &right);
        let facts = match op {
            BinaryOp::Less => [Some(vec![&less - &one]), Some(vec![more])],
            BinaryOp::LessEqual => [Some(vec![less]), Some(vec![&more - &one])],
            BinaryOp::Greater => [Some(vec![&more - &one]), Some(vec![less])],
            BinaryOp::GreaterEqual => [Some(vec![more]), Some(vec![&less - &one])],
            BinaryOp::Equal | BinaryOp::NotEqual => {
                // Of sizes that differ, the one that is no less is more.
                let differ = [&less, &more].into_iter().find_map(|it| {
                    let is_more = !it.is_local() && scope.facts.imply(it);
                    is_more.then(|| vec![it - &one])
                });
                let equal = Some(vec![less, more]);
                if *op == BinaryOp::Equal { [equal, differ] } else { [differ, equal] }
            }
            _ => [None, None],
        };
        facts.map(|it| it.filter(|it| it.iter().all(|it| scope.is_known(it))))
    }

    /// Facts that are enough for a condition to hold, or not to: of two numbers that differ, the first is the
    /// greater.
    pub(super) fn enough(
        &mut self,
        condition: &Expr,
        holds: bool,
        scope: &mut Scope,
    ) -> Option<Vec<Polynomial>> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return None };
        match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                let left = self.enough(left, holds, scope)?;
                Some([left, self.enough(right, holds, scope)?].concat())
            }
            (BinaryOp::And, false) | (BinaryOp::Or, true) => {
                let left = self.enough(left, holds, scope);
                left.or_else(|| self.enough(right, holds, scope))
            }
            (BinaryOp::NotEqual, true) | (BinaryOp::Equal, false)
                if left.element == Type::I64 && right.element == Type::I64 =>
            {
                let more = &self.value(left, scope) - &self.value(right, scope);
                let fact = &more - &Polynomial::constant(1);
                scope.is_known(&fact).then(|| vec![fact])
            }
            _ => {
                let [holding, failing] = self.facts(condition, scope);
                if holds { holding } else { failing }
            }
        }
    }
}
