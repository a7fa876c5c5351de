//! From the text to transitions: every path from a loop's head to the next one.

use std::collections::{BTreeMap, HashMap};

use num_traits::Signed;

use super::{Transition, Transitions};
use crate::derive::level::Level;
use crate::derive::polynomial::{Atom, Polynomial, whole};
use crate::derive::scope::{Scope, assigned};
use crate::derive::walk::Walk;
use memory_machine_core::language::program::{Expr, ExprKind, For, LoopId, Statement};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp};
use memory_machine_core::language::walk;

/// More paths than this are not followed.
const MOST_TRANSITIONS: usize = 400;

/// What is left to be done on a path.
#[derive(Clone)]
enum Frame<'b> {
    Rest(&'b [Statement]),
    /// The end of this loop's body.
    Back(LoopId),
}

/// A path that has not come to a head yet.
#[derive(Clone)]
struct OpenPath<'b> {
    from: usize,
    scope: Scope,
    passes: BTreeMap<usize, i64>,
    stack: Vec<Frame<'b>>,
}

/// A state's number where a path begins, as the difference of two that are not negative.
struct State {
    scalar: usize,
    more: Atom,
    less: Atom,
    own: Atom,
}

struct Flow<'w, 'a, 'b> {
    walk: &'w mut Walk<'a>,
    states: Vec<State>,
    /// Scalars that are only ever given numbers of the text: places know them.
    controls: Vec<usize>,
    /// Where a path begins.
    start: Scope,
    /// A loop's head with its controls.
    places: Vec<(LoopId, Vec<i64>)>,
    loops: HashMap<usize, (&'b Statement, Vec<Frame<'b>>)>,
    found: Transitions,
}

impl Walk<'_> {
    /// The transitions of a loop and of those inside it; `None` if they are too many, or a loop's end is not
    /// understood.
    pub(super) fn transitions(&mut self, of: &Statement, scope: &Scope) -> Option<Transitions> {
        let first = self.symbolizer.next;
        let inside: Vec<&Statement> =
            std::iter::once(of).chain(of.blocks().flat_map(walk::statements)).collect();
        let changed = changed(&inside);
        let is_whole = |it: &usize| self.question.program.scalars[*it].element == Type::I64;
        let is_control = |it: &usize| {
            let known = scope.values[*it].as_ref().and_then(Polynomial::as_whole);
            known.is_some() && inside.iter().all(|statement| is_literal(statement, *it))
        };
        let (controls, others): (Vec<usize>, Vec<usize>) =
            changed.into_iter().filter(is_whole).partition(is_control);
        let mut start = scope.clone();
        start.outer = None;
        let mut states = vec![];
        for scalar in others {
            let [more, less, own] = [0; 3].map(|_| self.symbolizer.local());
            start.levels.extend([more, less].map(Level::Sum));
            start.values[scalar] = Some(&Polynomial::from(more) - &less.into());
            states.push(State { scalar, more, less, own });
        }
        let own = states.iter().map(|it| it.own).collect();
        let found = Transitions { all: vec![], states: own, places: 1, first };
        let (places, loops) = (vec![], HashMap::new());
        let mut flow = Flow { walk: self, states, controls, start, places, loops, found };
        let stack = vec![Frame::Rest(std::slice::from_ref(of))];
        let entry = OpenPath { from: 0, scope: scope.clone(), passes: BTreeMap::new(), stack };
        flow.follow(entry)?;
        let mut at = 0;
        while at < flow.places.len() {
            flow.leave(at)?;
            at += 1;
        }
        let mut found = flow.found;
        found.places = at + 1;
        found.join();
        Some(found)
    }
}

impl<'b> Flow<'_, '_, 'b> {
    /// Both ways from a head: into an iteration, and past the loop.
    fn leave(&mut self, at: usize) -> Option<()> {
        let (id, controls) = self.places[at].clone();
        let mut scope = self.start.clone();
        for (scalar, value) in self.controls.iter().zip(controls) {
            scope.values[*scalar] = Some(Polynomial::constant(value));
        }
        let (statement, past) = self.loops[&id.0].clone();
        let mut inward = vec![Frame::Back(id)];
        let [entered, left] = match statement {
            Statement::While { condition, body, .. } => {
                inward.push(Frame::Rest(body));
                [true, false].map(|holds| self.assume(condition, holds, scope.clone()))
            }
            Statement::For(it) => {
                inward.push(Frame::Rest(&it.body));
                let [mut entered, mut left] = [scope.clone(), scope];
                let more = self.room(it, &mut entered);
                let less = -&(&self.room(it, &mut left) + &Polynomial::constant(1));
                self.know(more, &mut entered);
                if it.while_true.is_none() {
                    self.know(less, &mut left);
                }
                self.unknown(it.range.variable.0, &mut left);
                [vec![entered], vec![left]]
            }
            _ => return None,
        };
        for scope in entered {
            let (passes, stack) = (BTreeMap::from([(id.0, 1)]), inward.clone());
            self.follow(OpenPath { from: at + 1, scope, passes, stack })?;
        }
        for scope in left {
            let (passes, stack) = (BTreeMap::new(), past.clone());
            self.follow(OpenPath { from: at + 1, scope, passes, stack })?;
        }
        Some(())
    }

    /// To the next head on every path.
    fn follow(&mut self, mut path: OpenPath<'b>) -> Option<()> {
        while let Some(frame) = path.stack.pop() {
            let statement = match frame {
                Frame::Back(id) => {
                    if let (Statement::For(it), _) = &self.loops[&id.0] {
                        let step = Polynomial::constant(step(it)?);
                        let value = path.scope.values[it.range.variable.0].as_ref()? + &step;
                        path.scope.values[it.range.variable.0] = Some(value);
                    }
                    return self.arrive(id, path);
                }
                Frame::Rest(of) => {
                    let Some((first, rest)) = of.split_first() else { continue };
                    path.stack.push(Frame::Rest(rest));
                    first
                }
            };
            match statement {
                Statement::Assign { target, value, .. } => {
                    let known = self.walk.symbolizer.value(value, &mut path.scope);
                    let is_known = path.scope.is_known(&known);
                    path.scope.values[target.0] = Some(known);
                    if !is_known {
                        self.named(target.0, value, &mut path.scope);
                    }
                }
                Statement::If { condition, then, otherwise, .. } => {
                    for (arm, holds) in [(then, true), (otherwise, false)] {
                        for scope in self.assume(condition, holds, path.scope.clone()) {
                            let mut inside = OpenPath { scope, ..path.clone() };
                            inside.stack.push(Frame::Rest(arm));
                            self.follow(inside)?;
                        }
                    }
                    return Some(());
                }
                Statement::Labelled { body, .. } => path.stack.push(Frame::Rest(body)),
                Statement::While { id, .. } => {
                    self.loops.insert(id.0, (statement, path.stack.clone()));
                    return self.arrive(*id, path);
                }
                Statement::For(it) => {
                    // Its end is what it was when the loop began.
                    let own = [assigned(&it.body), vec![it.range.variable.0]].concat();
                    let mut ends = it.range.to.scalars();
                    if ends.any(|it| own.contains(&it.0)) {
                        return None;
                    }
                    let from = self.walk.symbolizer.value(&it.range.from, &mut path.scope);
                    path.scope.values[it.range.variable.0] = Some(from);
                    self.loops.insert(it.range.id.0, (statement, path.stack.clone()));
                    return self.arrive(it.range.id, path);
                }
                _ => {
                    let inner = statement.blocks().flat_map(walk::statements);
                    let all: Vec<&Statement> = std::iter::once(statement).chain(inner).collect();
                    changed(&all).into_iter().for_each(|it| self.unknown(it, &mut path.scope));
                }
            }
        }
        Some(())
    }

    /// At a loop's head.
    fn arrive(&mut self, id: LoopId, path: OpenPath<'b>) -> Option<()> {
        let values = &path.scope.values;
        let control = |it: &usize| values[*it].as_ref()?.as_whole();
        let place = (id, self.controls.iter().map(control).collect::<Option<Vec<_>>>()?);
        let known = self.places.iter().position(|it| *it == place);
        let to = known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        });
        let facts = path.scope.facts.0.get(self.start.facts.0.len()..).unwrap_or_default();
        let guard = facts.iter().filter_map(|it| self.over_states(it)).collect();
        let update = self.states.iter().map(|state| {
            let value = values[state.scalar].as_ref().and_then(|it| self.over_states(it));
            value.ok_or(state.own)
        });
        let update: Vec<Result<Polynomial, Atom>> = update.collect();
        let unknown = &mut self.walk.symbolizer;
        let update = update.into_iter().map(|it| it.unwrap_or_else(|_| unknown.unknown()));
        let (from, passes) = (path.from, path.passes);
        let update = update.collect();
        self.found.all.push(Transition { from, to: to + 1, guard, update, passes });
        (self.found.all.len() <= MOST_TRANSITIONS).then_some(())
    }

    /// With states in the place of their parts.
    fn over_states(&self, of: &Polynomial) -> Option<Polynomial> {
        let mut of = of.clone();
        for state in &self.states {
            let own = &Polynomial::from(state.own) + &state.less.into();
            of = of.substitute(state.more, &own)?;
            if of.mentions(state.less) {
                return None;
            }
        }
        Some(of)
    }

    /// How far a `for` loop's number is from its end.
    fn room(&mut self, of: &For, scope: &mut Scope) -> Polynomial {
        let own = scope.values[of.range.variable.0].clone().unwrap_or_default();
        let to = self.walk.symbolizer.value(&of.range.to, scope);
        if of.range.downward { &own - &to } else { &to - &own }
    }

    fn know(&self, fact: Polynomial, scope: &mut Scope) {
        if scope.is_known(&fact) {
            scope.facts = scope.facts.and(fact);
        }
    }

    /// Goes where a condition holds, or does not: all ways for that to be, none if it cannot be.
    fn assume(&mut self, condition: &Expr, holds: bool, mut scope: Scope) -> Vec<Scope> {
        let one = Polynomial::constant(1);
        let facts: Vec<Vec<Polynomial>> = match &condition.kind {
            ExprKind::Boolean(value) if *value != holds => return vec![],
            ExprKind::Unary(UnaryOp::Not, of) => return self.assume(of, !holds, scope),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let is_all = (*op == BinaryOp::And) == holds;
                let first = self.assume(left, holds, scope.clone());
                if is_all {
                    return first
                        .into_iter()
                        .flat_map(|it| self.assume(right, holds, it))
                        .collect();
                }
                // Where the first says nothing, or there are too many ways, nothing is said.
                let is_nothing = |it: &Scope| it.facts.0.len() == scope.facts.0.len();
                if first.iter().any(is_nothing) || [left, right].iter().any(|it| is_joined(it)) {
                    return vec![scope];
                }
                let others = self.assume(left, !holds, scope);
                let others = others.into_iter().flat_map(|it| self.assume(right, holds, it));
                return [first, others.collect()].concat();
            }
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right)
                if (*op == BinaryOp::NotEqual) == holds && left.element == Type::I64 =>
            {
                let [left, right] =
                    [left, right].map(|it| self.walk.symbolizer.value(it, &mut scope));
                let more = &left - &right;
                vec![vec![&more - &one], vec![&-&more - &one]]
            }
            _ => {
                let [holding, failing] = self.walk.symbolizer.facts(condition, &mut scope);
                vec![if holds { holding } else { failing }.unwrap_or_default()]
            }
        };
        let mut all = vec![];
        for facts in facts {
            let is_known = facts.iter().all(|it| scope.is_known(it));
            let is_false = |it: &Polynomial| it.as_constant().is_some_and(|it| it.is_negative());
            if !is_known {
                return vec![scope];
            }
            if !facts.iter().any(is_false) {
                let mut inside = scope.clone();
                inside.facts.0.extend(facts);
                all.push(inside);
            }
        }
        all
    }

    /// A number that is not known gets a name; a maximum is no less than what it is of, a minimum no more.
    fn named(&mut self, scalar: usize, value: &Expr, scope: &mut Scope) {
        let sign = match &value.kind {
            ExprKind::Binary(BinaryOp::Max, ..) => 1,
            ExprKind::Binary(BinaryOp::Min, ..) => -1,
            _ => 0,
        };
        let parts = value.operands().filter(|_| sign != 0);
        let parts: Vec<Polynomial> =
            parts.map(|it| self.walk.symbolizer.value(it, scope)).collect();
        self.unknown(scalar, scope);
        let own = scope.values[scalar].clone().unwrap_or_default();
        for part in parts {
            self.know((&own - &part).scale(&whole(sign)), scope);
        }
    }

    /// A number of which nothing is known gets a name.
    fn unknown(&mut self, scalar: usize, scope: &mut Scope) {
        let [more, less] = [0; 2].map(|_| self.walk.symbolizer.local());
        scope.levels.extend([more, less].map(Level::Sum));
        scope.values[scalar] = Some(&Polynomial::from(more) - &less.into());
    }
}

/// Scalars that statements assign, loops' variables and what atomics return included.
pub(super) fn changed(statements: &[&Statement]) -> Vec<usize> {
    let mut all: Vec<usize> = statements.iter().flat_map(|it| targets(it)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn targets(of: &Statement) -> Vec<usize> {
    match of {
        Statement::Assign { target, .. } => vec![target.0],
        Statement::Store { atomic, .. } => {
            atomic.iter().filter_map(|it| it.old).map(|it| it.0).collect()
        }
        _ => of.ranges().iter().map(|it| it.variable.0).collect(),
    }
}

/// Whether a statement assigns nothing but a number of the text to a scalar.
fn is_literal(of: &Statement, scalar: usize) -> bool {
    match of {
        Statement::Assign { target, value, .. } if target.0 == scalar => {
            matches!(value.kind, ExprKind::Integer(_))
        }
        _ => !targets(of).contains(&scalar),
    }
}

/// Whether a condition is of several.
const fn is_joined(of: &Expr) -> bool {
    matches!(of.kind, ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..))
}

/// What a `for` loop's number changes by.
fn step(of: &For) -> Option<i64> {
    let by = match of.range.step.as_ref().map(|it| &it.kind) {
        None => 1,
        Some(ExprKind::Integer(by @ 1..)) => *by,
        Some(_) => return None,
    };
    Some(if of.range.downward { -by } else { by })
}
