//! Integer expressions as polynomials, where a quotient, a minimum or what is not known gets a name.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use super::Question;
use super::level::Level;
use super::polynomial::{Atom, Monomial, Polynomial, Size, whole};
use super::scope::{Scope, Variable, greater_high, is_size};
use memory_machine_core::language::program::{Expr, ExprKind, LoopRange, Program};
use memory_machine_core::language::syntax::{BinaryOp, Type, UnaryOp};

/// Makes names, and polynomials of expressions.
pub(super) struct Symbolizer<'a> {
    /// Parameters that are numbers.
    pub(super) fixed: &'a [Option<i64>],
    /// The listing.
    pub(super) program: &'a Program,
    /// Parameters that are logarithms of sizes.
    exponents: &'a [bool],
    pub(super) next: u32,
}

impl<'a> Symbolizer<'a> {
    pub(super) fn new(question: &Question<'a>) -> Self {
        let Question { program, fixed, exponents, .. } = *question;
        Self { fixed, program, exponents, next: 0 }
    }

    pub(super) fn local(&mut self) -> Atom {
        self.next += 1;
        Atom::Local(self.next - 1)
    }

    /// A number of which nothing is known: the difference of two.
    pub(super) fn unknown(&mut self) -> Polynomial {
        let (more, less) = (self.local(), self.local());
        &Polynomial::from(more) - &Polynomial::from(less)
    }

    /// A number that is no less than any of some others and no more than one; it is not negative.
    pub(super) fn between(
        &mut self,
        lows: Vec<Polynomial>,
        high: Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        let atom = self.local();
        let own = Polynomial::from(atom);
        for low in &lows {
            scope.facts = scope.facts.and(&own - low);
        }
        scope.facts = scope.facts.and(&high - &own);
        scope.levels.push(Level::Value { atom, lows, high });
        own
    }

    /// An i64 expression, where its scalars have the scope's values.
    pub(super) fn value(&mut self, expr: &Expr, scope: &mut Scope) -> Polynomial {
        if expr.element != Type::I64 {
            return self.unknown();
        }
        match &expr.kind {
            ExprKind::Integer(value) => Polynomial::constant(*value),
            ExprKind::Parameter(id) => match self.fixed[id.0] {
                Some(value) => Polynomial::constant(value),
                None if self.exponents[id.0] => Atom::Log(Size::Parameter(id.0)).into(),
                None => Size::Parameter(id.0).into(),
            },
            ExprKind::Scalar(id) => match &scope.values[id.0] {
                Some(value) => value.clone(),
                None => self.unknown(),
            },
            ExprKind::Unary(UnaryOp::Negate, operand) => -&self.value(operand, scope),
            // ⌊x / 2^(a+b)⌋ is x shifted by both.
            ExprKind::Binary(BinaryOp::Divide, left, right)
                if let ExprKind::Binary(BinaryOp::ShiftLeft, power, by) = &right.kind
                    && let ExprKind::Integer(power @ 1..) = power.kind
                    && (power & (power - 1)) == 0
                    && let of = self.value(left, scope)
                    && scope.facts.imply(&of) =>
            {
                let more = Polynomial::constant(power.ilog2().into());
                let by = &self.value(by, scope) + &more;
                self.operation(BinaryOp::ShiftRight, of, by, scope)
            }
            ExprKind::Binary(op, left, right) => {
                let left = self.value(left, scope);
                let right = self.value(right, scope);
                self.operation(*op, left, right, scope)
            }
            ExprKind::Let(scalar, parts) => {
                let value = self.value(&parts[0], scope);
                scope.values[scalar.0] = Some(value);
                self.value(&parts[1], scope)
            }
            ExprKind::Conditional(parts) => {
                let arms = [1, 2].map(|it| self.value(&parts[it], scope));
                self.one_of(None, &arms[0], &arms[1], scope)
            }
            _ => self.unknown(),
        }
    }

    fn operation(
        &mut self,
        op: BinaryOp,
        left: Polynomial,
        right: Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        let constant = right.as_whole();
        match (op, constant) {
            (BinaryOp::Add, _) => &left + &right,
            (BinaryOp::Subtract, _) => &left - &right,
            (BinaryOp::Multiply, _) => &left * &right,
            (BinaryOp::Divide, _) if is_size(&right) => self.quotient(&left, &right, scope),
            (BinaryOp::Modulo, _) if is_size(&right) => {
                let quotient = self.quotient(&left, &right, scope);
                &left - &(&quotient * &right)
            }
            (BinaryOp::ShiftRight, Some(by @ 0..=62)) => {
                self.quotient(&left, &Polynomial::constant(1 << by), scope)
            }
            (BinaryOp::ShiftLeft, Some(by @ 0..=62)) => left.scale(&whole(1 << by)),
            (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, None)
                if let Some([by, over]) = self.power_of_two(&right) =>
            {
                let [by, over] = if op == BinaryOp::ShiftLeft { [by, over] } else { [over, by] };
                self.quotient(&(&left * &by), &over, scope)
            }
            (BinaryOp::ShiftRight, None) => self.shifted(&left, &right, scope),
            (BinaryOp::Modulo, None) => {
                let most = &right - &Polynomial::constant(1);
                if scope.facts.imply(&most) {
                    self.between(vec![Polynomial::default()], most, scope)
                } else {
                    self.unknown()
                }
            }
            (BinaryOp::Divide, None)
                if let Some(by) = loop_variable(&right, scope)
                    && scope.facts.imply(&left) =>
            {
                self.harmonic(left, by, scope)
            }
            (BinaryOp::Divide, None) => {
                let positive = scope.facts.imply(&(&right - &Polynomial::constant(1)));
                if positive && scope.facts.imply(&left) {
                    self.between(vec![Polynomial::default()], left, scope)
                } else {
                    self.unknown()
                }
            }
            (BinaryOp::Min | BinaryOp::Max, _) => {
                self.one_of(Some(op == BinaryOp::Min), &left, &right, scope)
            }
            // No bit that changes counts for more than all of the constant.
            (BinaryOp::BitXor, Some(bits @ 0..)) if scope.facts.imply(&left) => {
                let bits = Polynomial::constant(bits);
                self.between(vec![&left - &bits, Polynomial::default()], &left + &bits, scope)
            }
            (BinaryOp::BitAnd, _) if scope.facts.imply(&left) && scope.facts.imply(&right) => {
                self.between(vec![Polynomial::default()], left, scope)
            }
            _ => self.unknown(),
        }
    }

    /// One of two numbers: the lesser, the greater, or either, where that is not negative.
    fn one_of(
        &mut self,
        lesser: Option<bool>,
        left: &Polynomial,
        right: &Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        if left == right {
            return left.clone();
        }
        if let Some(lesser) = lesser {
            for (less, more) in [(left, right), (right, left)] {
                if scope.facts.imply(&(more - less)) {
                    return if lesser { less.clone() } else { more.clone() };
                }
            }
        }
        let positive = [left, right].map(|it| scope.facts.imply(it));
        let is_positive = positive[0] && positive[1];
        if !is_positive && (lesser != Some(false) || !positive[0] && !positive[1]) {
            return self.unknown();
        }
        let Some(lesser) = lesser else {
            return self.between(vec![Polynomial::default()], left + right, scope);
        };
        let atom = self.local();
        let own = Polynomial::from(atom);
        let one = Polynomial::constant(1);
        if lesser && [left, right].iter().all(|it| scope.facts.imply(&(*it - &one))) {
            scope.facts = scope.facts.and(&own - &one);
        }
        for it in [left, right] {
            scope.facts = scope.facts.and(if lesser { it - &own } else { &own - it });
        }
        if !lesser {
            scope.facts = scope.facts.and(&greater_high(left, right, &scope.facts) - &own);
        }
        let of = [left, right].map(Clone::clone);
        scope.levels.push(Level::OneOf { atom, of, lesser });
        own
    }

    /// `⌊of / by⌋`.
    pub(super) fn quotient(
        &mut self,
        of: &Polynomial,
        by: &Polynomial,
        scope: &mut Scope,
    ) -> Polynomial {
        let exact = of * &by.reciprocal();
        let is_whole = |(monomial, it): (&Monomial, &BigRational)| {
            it.is_integer() && monomial.iter().all(|it| it.1 > 0)
        };
        if exact.terms().all(is_whole) {
            return exact;
        }
        if let Some(value) = exact.as_constant() {
            return Polynomial::from(value.floor());
        }
        // What is whole in it stands outside, and so much that the rest is not negative.
        let shifts = (0..=2).map(Polynomial::constant).map(|it| (of + &(by * &it), it));
        let found = shifts.into_iter().find(|(of, _)| scope.facts.imply(of));
        let Some((of, shift)) = found else { return self.unknown() };
        let atom = self.local();
        let own = &Polynomial::from(atom) * by;
        let rest = &of - &own;
        scope.facts = scope.facts.and(&(by - &rest) - &Polynomial::constant(1)).and(rest);
        scope.levels.push(Level::Quotient { atom, of, by: by.clone() });
        &Polynomial::from(atom) - &shift
    }

    /// `⌊of / by⌋`, where neither is negative and a loop goes through `by`.
    fn harmonic(&mut self, of: Polynomial, by: Atom, scope: &mut Scope) -> Polynomial {
        let atom = self.local();
        scope.facts = scope.facts.and(&of - &Polynomial::from(atom));
        scope.levels.push(Level::Harmonic { atom, of, by, is_share: false });
        atom.into()
    }

    /// 2^of as a quotient of two products of sizes, where it is over exponents alone.
    fn power_of_two(&self, of: &Polynomial) -> Option<[Polynomial; 2]> {
        let mut power = [Polynomial::constant(1), Polynomial::constant(1)];
        for (monomial, factor) in of.terms() {
            let factor = factor.is_integer().then(|| factor.to_integer().to_i32()).flatten()?;
            let factor = Some(factor).filter(|it| it.abs() <= 60)?;
            let side = &mut power[usize::from(factor < 0)];
            *side = match monomial[..] {
                [] => side.scale(&whole(1 << factor.abs())),
                [(Atom::Log(size @ Size::Parameter(at)), 1)] if self.exponents[at] => {
                    &*side * &Polynomial::power(Atom::Size(size), factor.abs())
                }
                _ => return None,
            };
        }
        Some(power)
    }

    /// `of >> by` where a loop goes through `by`, give or take a constant.
    fn shifted(&mut self, of: &Polynomial, by: &Polynomial, scope: &mut Scope) -> Polynomial {
        let sums = scope.levels.iter().filter_map(|level| match level {
            Level::Sum(atom) => Some(*atom),
            _ => None,
        });
        for sum in sums {
            let Some(more) = (by - &Polynomial::from(sum)).as_whole() else { continue };
            let from = (0..=3_u32).rev().find(|&least| {
                let least = Polynomial::constant(least.into());
                scope.facts.imply(&(&Polynomial::from(sum) - &least))
            });
            let from = from.unwrap_or(0);
            if !(-3..=60).contains(&more) || i64::from(from) + more < 0 || !scope.facts.imply(of) {
                return self.unknown();
            }
            let atom = self.local();
            let factor = whole(2).pow(-(more as i32));
            let of = of.scale(&factor);
            // A shift by nothing or more leaves no more than there was.
            scope.facts = scope.facts.and(&of - &Polynomial::from(atom));
            scope.levels.push(Level::Shifted { atom, of, by: sum, least: from });
            return atom.into();
        }
        self.unknown()
    }

    /// Enters a loop: its variable counts from 0 if threads in step must be at equal places, or if it
    /// may be negative. `None` if its step is no positive constant, nor a product of sizes.
    pub(super) fn enter(
        &mut self,
        range: &LoopRange,
        scope: &mut Scope,
        in_step: bool,
    ) -> Option<Variable> {
        let step = match &range.step {
            None => Polynomial::constant(1),
            Some(step) => {
                let step = self.value(step, scope);
                let is_fine = is_size(&step) || loop_variable(&step, scope).is_some();
                is_fine.then_some(step)?
            }
        };
        let (least, most) =
            if range.downward { (&range.to, &range.from) } else { (&range.from, &range.to) };
        let mut direct = None;
        if step.as_whole() == Some(1) && !in_step {
            let mut ends = |of, op| -> Vec<Polynomial> {
                parts(of, op).into_iter().map(|it| self.value(it, scope)).collect()
            };
            let (lows, highs) = (ends(least, BinaryOp::Max), ends(most, BinaryOp::Min));
            if lows.iter().any(|it| scope.facts.imply(it)) {
                direct = Some((lows, highs));
            }
        }
        let atom;
        let (lows, highs, value) = if let Some((mut lows, highs)) = direct {
            let first = lows.iter().position(|it| scope.facts.imply(it)).unwrap_or(0);
            lows.swap(0, first);
            atom = self.local();
            (lows, highs, Polynomial::from(atom))
        } else {
            let (from, to) = (self.value(&range.from, scope), self.value(&range.to, scope));
            atom = self.local();
            let run = if range.downward { &from - &to } else { &to - &from };
            let way = &Polynomial::from(atom) * &step;
            let value = if range.downward { &from - &way } else { &from + &way };
            let high = match step.as_constant() {
                Some(_) if let Some(count) = self.share(range, scope) => {
                    &count - &Polynomial::constant(1)
                }
                Some(step) => run.scale(&step.recip()),
                None if let Some(by) = loop_variable(&step, scope) => {
                    // What may be less than nothing is no more than without what is taken off; from
                    // below it counts where it is not.
                    let is_fine = scope.facts.imply(&run);
                    let of =
                        if is_fine { run.clone() } else { run.without(|_, it| it.is_negative()) };
                    if !is_fine {
                        scope.narrower.push(run.clone());
                    }
                    scope.facts.imply(&of).then(|| self.harmonic(of, by, scope))?
                }
                None => self.quotient(&run, &step, scope),
            };
            (vec![Polynomial::default()], vec![high], value)
        };
        let own = Polynomial::from(atom);
        let mut highs = highs;
        if let ([low], [high]) = (&lows[..], &highs[..]) {
            // From above a few iterations more do no harm where the loop may be empty by more than
            // one, and by how much depends on computed values.
            let room = &(high - low) + &Polynomial::constant(1);
            let is_short = !scope.is_of_loops(&room) && !scope.facts.imply(&room);
            let longer = |more: &i64| scope.facts.imply(&(&room + &Polynomial::constant(*more)));
            if let Some(more) = (1..4).find(longer).filter(|_| is_short) {
                scope.narrower.push(high - &own);
                highs = vec![high + &Polynomial::constant(more)];
            }
        }
        scope.levels.push(Level::Sum(atom));
        for low in lows.iter().filter(|it| !it.is_zero()) {
            scope.facts = scope.facts.and(&own - low);
        }
        if lows.iter().any(Polynomial::is_zero) {
            scope.facts = scope.facts.and(own.clone());
        }
        for high in &highs {
            scope.facts = scope.facts.and(high - &own);
        }
        let (levels, facts) = (scope.levels.len(), scope.facts.clone());
        Some(Variable { atom, lows, highs, value, levels, facts })
    }
}

/// The variable of a loop, if it is that, and no less than 1.
fn loop_variable(of: &Polynomial, scope: &Scope) -> Option<Atom> {
    let atom = of.atoms().next()?;
    let is_loop = scope.levels.iter().any(|it| matches!(it, Level::Sum(it) if *it == atom));
    let is_positive = scope.facts.imply(&(of - &Polynomial::constant(1)));
    (is_loop && *of == atom.into() && is_positive).then_some(atom)
}

/// What a nested minimum or maximum is of.
fn parts(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(it, left, right) if *it == op => {
            [parts(left, op), parts(right, op)].concat()
        }
        _ => vec![expr],
    }
}
