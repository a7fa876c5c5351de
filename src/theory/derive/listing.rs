//! Goes through a listing and adds up what its accesses take.

use std::collections::HashMap;
use std::rc::Rc;

use super::access::Counted;
use super::domain::{Facts, Halving, Level, Piece, merged, total};
use super::polynomial::{Atom, Polynomial, Size};
use super::scope::{
    Condition, Namer, NestScope, Scope, assigned, is_of_parameters, logarithm_high, logarithm_low,
};
use super::{Choice, Derived, Lower, Missing, Part, Question, Term, access};
use crate::diagnostic::Span;
use crate::language::program::{Access, Block, Expr, ExprKind, For, Nest, Statement};
use crate::language::syntax::{BinaryOp, Type};
use crate::machine::MachineKind;

pub(super) const ALONE: &str = "one thread: each access takes l time units";
pub(super) const BANDWIDTH: &str = "bandwidth: a stage serves w requests";
const THREADS: &str = "threads: p threads make p requests in l time units";
const CHAIN: &str =
    "barriers: one iteration's accesses and successive nests wait l time units each";

pub(super) struct Walk<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) namer: Namer<'a>,
    pub(super) derived: Derived,
    pub(super) counted: HashMap<u32, Rc<Counted>>,
    places: u32,
    /// Nothing is noted while loops are tried out.
    silent: u32,
    /// Surely made requests, and accesses that follow each other.
    requests: Vec<Piece>,
    chain: Vec<Piece>,
    /// The same of the present nest, for its first and its last iteration.
    pub(super) lanes: [Vec<Piece>; 2],
}

pub(super) fn derive(question: &Question<'_>) -> Derived {
    let program = question.program;
    let mut walk = Walk {
        question,
        namer: Namer { fixed: question.fixed, next: 0 },
        derived: Derived::default(),
        counted: HashMap::new(),
        places: 0,
        silent: 0,
        requests: vec![],
        chain: vec![],
        lanes: [vec![], vec![]],
    };
    let mut scope = Scope::at_start(question);
    walk.block(&program.body, &mut scope);
    let l = Polynomial::from(Size::Latency);
    let per = |size| Polynomial::power(Atom::Size(size), -1);
    let sequential = program.first_parallel_loop().is_none();
    let (requests, chain) = (&walk.requests, &walk.chain);
    let mut lower = vec![];
    let mut push = |rule, pieces: Vec<Piece>| {
        if !pieces.is_empty() {
            lower.push(Lower { rule, conditions: vec![], pieces });
        }
    };
    if sequential {
        push(ALONE, access::times(requests, &l));
    } else {
        push(BANDWIDTH, access::times(requests, &per(Size::Width)));
        push(THREADS, access::times(requests, &(&l * &per(Size::Threads))));
        push(CHAIN, access::times(chain, &l));
    }
    let mut derived = walk.derived;
    derived.lower.splice(0..0, lower);
    for pieces in derived.pieces_mut() {
        *pieces = merged(std::mem::take(pieces));
    }
    derived
}

/// The words of each array, if they follow from the parameters.
pub(super) fn cells(question: &Question<'_>) -> Option<Vec<Polynomial>> {
    let mut namer = Namer { fixed: question.fixed, next: 0 };
    let mut scope = Scope::at_start(question);
    let mut cells = vec![];
    for array in &question.program.arrays {
        let mut product = Polynomial::constant(1);
        for extent in &array.extents {
            product = &product * &namer.value(extent, &mut scope);
        }
        let is_of_sizes = product.atoms().all(|it| !matches!(it, Atom::Local(_)));
        cells.push(is_of_sizes.then_some(product)?);
    }
    Some(cells)
}

impl Walk<'_> {
    fn missing(&mut self, span: Span, why: &'static str) {
        if self.silent == 0 {
            self.derived.missing.push(Missing { span, why });
        }
    }

    fn new_place(&mut self, scope: &mut Scope) {
        self.places += 1;
        scope.place = self.places;
    }

    /// What statements may assign is not known before them in a loop, nor after them.
    fn forget(&mut self, scalars: &[usize], scope: &mut Scope) {
        for &scalar in scalars {
            let value = self.namer.unknown();
            scope.values[scalar] = Some(value);
        }
    }

    fn block(&mut self, block: &Block, scope: &mut Scope) {
        for statement in block {
            self.statement(statement, scope);
        }
    }

    fn statement(&mut self, statement: &Statement, scope: &mut Scope) {
        match statement {
            Statement::Assign { target, value, .. } => {
                self.reads(value, scope);
                let known = self.namer.value(value, scope);
                scope.values[target.0] = Some(known);
            }
            Statement::Store { access, value, .. } => {
                self.reads(value, scope);
                self.access(access, scope);
            }
            Statement::For(it) => self.sequential(it, scope),
            Statement::Parallel(it) => self.parallel(it, scope),
            Statement::While { condition, body, span, .. } => {
                self.repeated(condition, body, *span, scope);
            }
            Statement::If { condition, then, otherwise, .. } => {
                self.reads(condition, scope);
                let facts = self.namer.facts(condition, scope);
                for (at, arm) in [then, otherwise].into_iter().enumerate() {
                    let mut inside = scope.clone();
                    self.assume(condition, facts[at].as_ref(), at == 0, &mut inside);
                    self.block(arm, &mut inside);
                }
                let changed = [assigned(then), assigned(otherwise)].concat();
                self.forget(&changed, scope);
            }
            Statement::Labelled { body, .. } => self.block(body, scope),
            Statement::Blocks(blocks) => {
                self.missing(blocks.span, "loops on DMMs are not derived");
                self.forget(&assigned(&blocks.body), scope);
            }
        }
    }

    /// Goes where a condition holds, or does not.
    fn assume(
        &mut self,
        condition: &Expr,
        facts: Option<&Vec<Polynomial>>,
        holds: bool,
        scope: &mut Scope,
    ) {
        self.new_place(scope);
        let is_local = |it: &Polynomial| it.atoms().any(|it| matches!(it, Atom::Local(_)));
        match facts {
            // What computed values are compared with narrows the domain from below only: from above,
            // all is counted.
            Some(facts) if !is_of_parameters(condition) => {
                let (plain, others): (Vec<Polynomial>, _) =
                    facts.iter().cloned().partition(|it| scope.is_of_loops(it));
                plain.into_iter().for_each(|it| scope.facts = scope.facts.and(it));
                scope.narrower.extend(others);
            }
            Some(facts) if !facts.iter().any(is_local) => {
                facts.iter().for_each(|it| scope.facts = scope.facts.and(it.clone()));
            }
            _ if is_of_parameters(condition) => {
                scope.conditions.push(Condition::Holds(condition.clone(), holds));
            }
            _ => scope.sure = false,
        }
    }

    /// The reads of an expression, each where it is made for sure, or perhaps.
    fn reads(&mut self, expr: &Expr, scope: &mut Scope) {
        match &expr.kind {
            ExprKind::Element(access) => self.access(access, scope),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.reads(left, scope);
                self.perhaps(right, scope);
            }
            ExprKind::Conditional(parts) => {
                self.reads(&parts[0], scope);
                self.perhaps(&parts[1], scope);
                self.perhaps(&parts[2], scope);
            }
            ExprKind::Let(scalar, parts) => {
                self.reads(&parts[0], scope);
                let value = self.namer.value(&parts[0], scope);
                scope.values[scalar.0] = Some(value);
                self.reads(&parts[1], scope);
            }
            _ => expr.operands().for_each(|it| self.reads(it, scope)),
        }
    }

    fn perhaps(&mut self, expr: &Expr, scope: &mut Scope) {
        let sure = std::mem::replace(&mut scope.sure, false);
        self.reads(expr, scope);
        scope.sure = sure;
    }

    fn access(&mut self, access: &Access, scope: &mut Scope) {
        access.indices.iter().for_each(|it| self.reads(it, scope));
        if self.silent > 0 {
            return;
        }
        if scope.nest.is_some() {
            let cell = self.cell(access, scope);
            return self.of_threads(access.site, &cell, scope);
        }
        let one = Polynomial::constant(1);
        match total(&scope.levels, &scope.facts, &one, true) {
            Some(pieces) => {
                let pieces = access::times(&pieces, &Size::Latency.into());
                let choices = vec![Choice { rule: ALONE, pieces }];
                let sites = vec![access.site];
                self.derived.upper.push(Term { sites, part: Part::Alone, choices });
            }
            None => self.missing(access.span, access::UNCOUNTED),
        }
        if scope.sure {
            let facts = scope.narrow_facts();
            let pieces = total(&scope.levels, &facts, &one, false).unwrap_or_default();
            self.surely(&pieces, Some(&pieces), scope);
        }
    }

    /// Requests that are made, and those of them that follow each other.
    pub(super) fn surely(&mut self, requests: &[Piece], chain: Option<&[Piece]>, scope: &Scope) {
        if scope.conditions.is_empty() {
            self.requests.extend_from_slice(requests);
            self.chain.extend_from_slice(chain.unwrap_or_default());
            return;
        }
        let l = Polynomial::from(Size::Latency);
        let per = |size| Polynomial::power(Atom::Size(size), -1);
        let parts = [
            (BANDWIDTH, requests, per(Size::Width)),
            (THREADS, requests, &l * &per(Size::Threads)),
            (CHAIN, chain.unwrap_or_default(), l.clone()),
        ];
        for (rule, pieces, factor) in parts {
            let pieces = access::times(pieces, &factor);
            self.derived.lower.push(Lower { rule, conditions: scope.conditions.clone(), pieces });
        }
    }

    /// The array's cell, row by row from 0.
    fn cell(&mut self, access: &Access, scope: &mut Scope) -> Polynomial {
        let array = &self.question.program.arrays[access.array.0];
        let mut cell = Polynomial::default();
        for (at, index) in access.indices.iter().enumerate() {
            if at > 0 {
                let extent = self.namer.value(&array.extents[at], scope);
                cell = &cell * &extent;
            }
            cell = &cell + &self.namer.value(index, scope);
        }
        cell
    }

    fn sequential(&mut self, it: &For, scope: &mut Scope) {
        it.range.bounds().for_each(|bound| self.reads(bound, scope));
        let mut inside = scope.clone();
        let changed = assigned(&it.body);
        self.forget(&changed, &mut inside);
        self.new_place(&mut inside);
        let in_step = inside.nest.is_some();
        match self.namer.enter(&it.range, &mut inside, in_step) {
            Some(variable) => {
                inside.values[it.range.variable.0] = Some(variable.value.clone());
                inside.inner_loop(variable.atom, &variable.count());
                self.block(&it.body, &mut inside);
            }
            None => self.missing(it.range.span, "its step is not a positive constant"),
        }
        self.forget(&changed, scope);
        self.forget(&[it.range.variable.0], scope);
    }

    fn parallel(&mut self, it: &Nest, scope: &mut Scope) {
        let changed = assigned(&it.body);
        let mut inside = scope.clone();
        self.forget(&changed, &mut inside);
        self.new_place(&mut inside);
        let (outside, outer_facts) = (inside.levels.len(), inside.facts.clone());
        let first = self.namer.next;
        let mut variables = vec![];
        for range in &it.ranges {
            range.bounds().for_each(|bound| self.reads(bound, &mut inside));
            let Some(variable) = self.namer.enter(range, &mut inside, false) else {
                self.missing(range.span, "its step is not a positive constant");
                break;
            };
            inside.values[range.variable.0] = Some(variable.value.clone());
            variables.push(variable);
        }
        if variables.len() == it.ranges.len() {
            let steps = Some(Polynomial::constant(1));
            let inner = vec![];
            let conditions = inside.conditions.len();
            inside.nest = Some(NestScope {
                outside,
                outer_facts,
                conditions,
                variables,
                first,
                inner,
                steps,
            });
            self.lanes = [vec![], vec![]];
            self.block(&it.body, &mut inside);
            let lanes = std::mem::take(&mut self.lanes);
            // Either iteration will do; the one that makes more accesses where sizes are large.
            let [first, last] = lanes.map(|it| (access::at_large(&it), it));
            let chain = if first.0 >= last.0 { first.1 } else { last.1 };
            self.surely(&[], Some(&chain), scope);
        }
        self.forget(&changed, scope);
        let own: Vec<usize> = it.ranges.iter().map(|it| it.variable.0).collect();
        self.forget(&own, scope);
    }

    /// A `while` loop: of a number that grows or falls by a constant, halves or doubles.
    fn repeated(&mut self, condition: &Expr, body: &Block, span: Span, scope: &mut Scope) {
        self.reads(condition, scope);
        let changed = assigned(body);
        let entered = self.count_while(condition, body, &changed, scope);
        match entered {
            Some(mut entered) => {
                self.reads(condition, &mut entered.inside);
                self.block(body, &mut entered.inside);
                self.forget(&changed, scope);
                for (scalar, value) in entered.after {
                    let known = match value {
                        After::Known(value) => value,
                        After::Between(lows, high) => {
                            let atom = self.namer.local();
                            let own = Polynomial::from(atom);
                            for low in &lows {
                                scope.facts = scope.facts.and(&own - low);
                            }
                            scope.facts = scope.facts.and(&high - &own);
                            scope.levels.push(Level::Value { atom, lows, high });
                            own
                        }
                    };
                    scope.values[scalar] = Some(known);
                }
            }
            None => {
                self.missing(span, "how often this loop runs is not known");
                self.forget(&changed, scope);
            }
        }
    }

    fn count_while(
        &mut self,
        condition: &Expr,
        body: &Block,
        changed: &[usize],
        scope: &Scope,
    ) -> Option<Entered> {
        // Trying out takes the body twice at each depth.
        if self.silent > 3 {
            return None;
        }
        // Of a conjunction the first part is looked at: the loop may end before.
        let (main, whole_condition) = match &condition.kind {
            ExprKind::Binary(BinaryOp::And, left, _) => (&**left, false),
            _ => (condition, true),
        };
        let driver = main.scalars().find(|it| changed.contains(&it.0))?;
        let only = main.scalars().all(|it| it == driver || !changed.contains(&it.0));
        if !only || self.question.program.scalars[driver.0].element != Type::I64 {
            return None;
        }
        let before = scope.values[driver.0].clone()?;
        let mut inside = scope.clone();
        self.forget(changed, &mut inside);
        self.new_place(&mut inside);
        let start = self.namer.local();
        let number = Polynomial::from(start);
        inside.values[driver.0] = Some(number.clone());
        inside.levels.push(Level::Sum(start));
        let [Some(holds), _] = self.namer.facts(main, &mut inside) else { return None };
        holds.iter().for_each(|it| inside.facts = inside.facts.and(it.clone()));
        let mut tried = inside.clone();
        let at_start = inside.values.clone();
        self.silent += 1;
        self.block(body, &mut tried);
        self.silent -= 1;
        let next = tried.values[driver.0].clone()?;
        if !whole_condition {
            inside.sure = false;
        }
        let grows = (&next - &number).as_whole();
        let twice = next.scale(&super::polynomial::whole(2));
        let one = Polynomial::constant(1);
        let counters = |count: &[Polynomial; 2]| {
            let changes = changed.iter().filter(|it| **it != driver.0).filter_map(|&scalar| {
                let change = tried.values[scalar].as_ref()? - at_start[scalar].as_ref()?;
                let change = change.as_constant().filter(num_traits::Signed::is_positive)?;
                let first = scope.values[scalar].clone()?;
                // No less than at first, whatever is known of the number of iterations.
                scope.facts.imply(&first).then_some(())?;
                let [high, low] = [0, 1].map(|it| &first + &count[it].scale(&change));
                Some((scalar, After::Between(vec![low, first], high)))
            });
            changes.collect::<Vec<_>>()
        };
        match grows {
            Some(0) => None,
            Some(by) if by == -1 && inside.facts.imply(&(&number - &one)) => {
                // Itself the variable, from where it began down.
                inside.facts = inside.facts.and(&before - &number);
                let count = before.clone();
                inside.inner_loop(start, &count);
                inside.sure &= holds.len() == 1;
                let after = if whole_condition { self.end_of(&holds, start) } else { None };
                let after = after.map(|it| (driver.0, After::Known(it))).into_iter().collect();
                Some(Entered { inside, after })
            }
            Some(by) => {
                let way = Polynomial::from(start).scale(&super::polynomial::whole(by));
                let value = &before + &way;
                let mut counted = scope.clone();
                self.forget(changed, &mut counted);
                (counted.place, counted.sure) = (inside.place, inside.sure);
                counted.values[driver.0] = Some(value);
                counted.levels.push(Level::Sum(start));
                counted.facts = counted.facts.and(start.into());
                let [Some(holds), _] = self.namer.facts(main, &mut counted) else { return None };
                let [fact] = &holds[..] else { return None };
                let powers = fact.by_powers(start)?;
                let slope = powers.get(1)?.as_constant()?;
                if !num_traits::Signed::is_negative(&slope) {
                    return None;
                }
                counted.facts = counted.facts.and(fact.clone());
                let count = &powers[0].scale(&-slope.recip()) + &one;
                counted.inner_loop(start, &count);
                Some(Entered { inside: counted, after: vec![] })
            }
            None => {
                let [fact] = &holds[..] else { return None };
                let powers = fact.by_powers(start)?;
                let slope = powers.get(1)?.as_constant()?;
                let doubles = next == number.scale(&super::polynomial::whole(2));
                let halves =
                    |up: i64| tried.facts.imply(&(&(&number + &Polynomial::constant(up)) - &twice));
                let halving = if doubles && num_traits::Signed::is_negative(&slope) {
                    // It is no more than that, and doubles from `before` on.
                    let most = powers[0].scale(&-slope.recip());
                    if !scope.facts.imply(&(&before - &one)) {
                        return None;
                    }
                    let high = &logarithm_high(&scope.extreme(&most, 0, true)?)? + &one;
                    let low = match (before.as_whole(), logarithm_low(&most)) {
                        (Some(1), Some(low)) => &low + &one,
                        _ => Polynomial::default(),
                    };
                    let first_low = if before == one {
                        most.scale(&super::polynomial::whole(2).recip())
                    } else {
                        Polynomial::default()
                    };
                    Halving {
                        atom: start,
                        first_high: most,
                        first_low,
                        stop: 0,
                        up: false,
                        count: [high, low],
                    }
                } else if num_traits::Signed::is_positive(&slope) {
                    let stop = powers[0].scale(&-slope.recip()).as_constant()?.ceil();
                    let stop = i64::try_from(stop.to_integer()).ok()? - 1;
                    let up = if halves(0) {
                        false
                    } else if halves(1) {
                        true
                    } else {
                        return None;
                    };
                    if stop < i64::from(up) {
                        return None;
                    }
                    let high = logarithm_high(&scope.extreme(&before, 0, true)?)?;
                    let high = if stop == 0 { &high + &one } else { high };
                    let slowly = tried.facts.imply(&(&(&twice - &number) + &one));
                    let first = scope.extreme(&before, 0, true);
                    let low = match first.and_then(|it| logarithm_low(&it)) {
                        Some(low) if slowly => {
                            let stop = Polynomial::constant(stop + 1);
                            let less = logarithm_high(&stop)?;
                            &(&low - &less) + &one
                        }
                        _ => Polynomial::default(),
                    };
                    let (first_high, first_low) = (before.clone(), before.clone());
                    Halving { atom: start, first_high, first_low, stop, up, count: [high, low] }
                } else {
                    return None;
                };
                inside.levels.pop();
                let count = halving.count.clone();
                let first = &halving.first_high - &number;
                inside.facts =
                    inside.facts.and(first).and(&number - &Polynomial::constant(halving.stop + 1));
                let mut after = counters(&count);
                if num_traits::Signed::is_positive(&slope) {
                    let stop = Polynomial::constant(halving.stop);
                    after.push((driver.0, After::Between(vec![Polynomial::default()], stop)));
                }
                if !whole_condition {
                    after.clear();
                }
                inside.levels.push(Level::Halving(halving));
                inside.inner_loop(start, &count[0]);
                Some(Entered { inside, after })
            }
        }
    }

    /// The value with which a loop ends that counts down by 1: the first for which its condition does
    /// not hold.
    fn end_of(&self, holds: &[Polynomial], number: Atom) -> Option<Polynomial> {
        let [fact] = holds else { return None };
        let powers = fact.by_powers(number)?;
        (powers.get(1)?.as_whole()? == 1).then(|| &-&powers[0] - &Polynomial::constant(1))
    }
}

/// A `while` loop's inside, and what it leaves.
struct Entered {
    inside: Scope,
    after: Vec<(usize, After)>,
}

enum After {
    Known(Polynomial),
    /// No less than any of these, no more than that; never negative.
    Between(Vec<Polynomial>, Polynomial),
}

impl Scope {
    fn at_start(question: &Question<'_>) -> Self {
        Self {
            levels: vec![],
            facts: Facts::default(),
            narrower: vec![],
            values: vec![None; question.program.scalars.len()],
            sure: true,
            conditions: vec![],
            nest: None,
            place: 0,
        }
    }

    /// Notes a loop of a thread's own iteration.
    fn inner_loop(&mut self, atom: Atom, count: &Polynomial) {
        let Some(nest) = &self.nest else { return };
        let outside = nest.outside;
        let most = self.extreme(count, outside, true);
        let facts = nest.outer_facts.clone();
        let most = most.and_then(|it| {
            let slack = (0..4).map(|it| &Polynomial::constant(it) + &Polynomial::default());
            slack.map(|slack| &it + &slack).find(|it| facts.imply(it))
        });
        let Some(nest) = &mut self.nest else { return };
        nest.inner.push(atom);
        nest.steps = nest.steps.take().zip(most).map(|(steps, most)| &steps * &most);
    }
}

/// Whether stages are those of a UMM.
pub(super) fn is_umm(question: &Question<'_>) -> bool {
    question.kind == MachineKind::Umm
}
