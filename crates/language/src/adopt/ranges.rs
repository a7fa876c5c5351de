//! The least and the greatest value of an index, as polynomials of the sizes.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use super::polynomial::{Polynomial, further};
use super::uses::{Fact, Uses};
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind};

/// What bounds names.
pub(super) struct Ranges<'a> {
    uses: &'a Uses,
    /// Names of sizes, which nothing changes.
    sizes: &'a HashSet<String>,
    /// Names of lengths that are known, by array and dimension.
    lengths: &'a HashMap<(String, usize), String>,
    /// Bounds of expressions that are no polynomials, by the names that stand for them.
    opaque: RefCell<HashMap<String, [Option<Polynomial>; 2]>>,
    /// Bounds of indices, by where these and their facts are: the uses stay where they are.
    bounds: RefCell<HashMap<(usize, usize, bool), Option<Polynomial>>>,
    /// Those of the index at hand, by their text.
    texts: RefCell<HashMap<String, Polynomial>>,
    /// Scalars whose values are being looked for.
    open: RefCell<Vec<(String, bool)>>,
    /// How much may still be tried for one index.
    fuel: Cell<usize>,
}

/// Tries for one index.
const FUEL: usize = 4000;
/// Bounds inside each other.
const DEEPEST: usize = 24;

impl<'a> Ranges<'a> {
    pub(super) fn new(
        uses: &'a Uses,
        sizes: &'a HashSet<String>,
        lengths: &'a HashMap<(String, usize), String>,
    ) -> Self {
        Self {
            uses,
            sizes,
            lengths,
            opaque: RefCell::default(),
            texts: RefCell::default(),
            bounds: RefCell::default(),
            open: RefCell::default(),
            fuel: Cell::new(0),
        }
    }

    /// The least or the greatest value of an index; `None` where that is open.
    pub(super) fn bound(
        &self,
        index: &ExprNode,
        upward: bool,
        facts: &[Fact],
    ) -> Option<Polynomial> {
        let key = (std::ptr::from_ref(index).addr(), facts.as_ptr().addr(), upward);
        if let Some(known) = self.bounds.borrow().get(&key) {
            return known.clone();
        }
        let bound = self.bound_anew(index, upward, facts);
        self.bounds.borrow_mut().insert(key, bound.clone());
        bound
    }

    /// Tries no more than a third of what is left: the other side of an operation may be plainer.
    pub(super) fn sparing<T>(&self, find: impl FnOnce() -> T) -> T {
        let all = self.fuel.get();
        self.fuel.set(all / 3);
        let found = find();
        self.fuel.set(all - (all / 3 - self.fuel.get()));
        found
    }

    fn bound_anew(&self, index: &ExprNode, upward: bool, facts: &[Fact]) -> Option<Polynomial> {
        self.fuel.set(FUEL);
        self.texts.borrow_mut().clear();
        let polynomial = self.polynomial(index, facts, 0)?;
        // All elements of a block, of which the loop has the first.
        if upward && let Some(block) = self.block(&polynomial, facts) {
            return self.bounded(&Polynomial::name(block), upward, facts, 0);
        }
        self.bounded(&polynomial, upward, facts, 0)
    }

    /// An expression as a polynomial of sizes, variables, and names for what is none.
    pub(super) fn polynomial(
        &self,
        expr: &ExprNode,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        if depth > DEEPEST {
            return None;
        }
        let deeper = |it: &ExprNode| self.polynomial(it, facts, depth + 1);
        match &expr.kind {
            ExprNodeKind::Integer(value) => i64::try_from(*value).ok().map(Polynomial::number),
            ExprNodeKind::Name(name) => Some(Polynomial::name(name)),
            ExprNodeKind::Call { function, arguments } => {
                if let [ExprNode { kind: ExprNodeKind::Name(array), .. }] = &arguments[..] {
                    let dimension = usize::from(function == "columns");
                    if let Some(name) = self.lengths.get(&(array.clone(), dimension)) {
                        return Some(Polynomial::name(name));
                    }
                }
                self.of_sizes(expr)
            }
            ExprNodeKind::Unary(crate::syntax::UnaryOp::Negate, of) => {
                Polynomial::number(0).plus(&deeper(of)?, -1)
            }
            ExprNodeKind::Floor(of) | ExprNodeKind::Ceiling(of) => {
                self.of_sizes_unless_linear(expr, of, facts, depth)
            }
            ExprNodeKind::Binary(op, left, right) => {
                self.binary(*op, [left, right], expr, facts, depth)
            }
            ExprNodeKind::Conditional(parts) => {
                let sides = [deeper(&parts[1])?, deeper(&parts[2])?];
                let bound = |upward| {
                    let [a, b] = &sides;
                    let (a, b) = (
                        self.bounded(a, upward, facts, depth + 1)?,
                        self.bounded(b, upward, facts, depth + 1)?,
                    );
                    Some(further(a, b, upward))
                };
                Some(self.opaque([bound(false), bound(true)]))
            }
            _ => None,
        }
    }

    fn of_sizes_unless_linear(
        &self,
        expr: &ExprNode,
        of: &ExprNode,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        match self.of_sizes(expr) {
            Some(it)
                if self.polynomial(of, facts, depth + 1).is_none_or(|it| {
                    it.names().any(|it| it.starts_with('(') || it.starts_with('#'))
                }) =>
            {
                Some(it)
            }
            _ => self.polynomial(of, facts, depth + 1),
        }
    }

    /// What sizes alone make is a size, too.
    pub(super) fn of_sizes(&self, expr: &ExprNode) -> Option<Polynomial> {
        let text = expr.to_string();
        let words = text
            .split(|it: char| !it.is_alphanumeric() && it != '_')
            .filter(|it| it.starts_with(|it: char| it.is_alphabetic()));
        let known = |it: &str| {
            self.sizes.contains(it)
                || ["log2", "min", "max", "mod", "abs", "i64", "f64", "sqrt"].contains(&it)
        };
        let mut words = words.peekable();
        words.peek()?;
        words.all(known).then(|| Polynomial::name(&format!("({text})")))
    }

    /// What an expression that is no polynomial stands for: in one index, the same everywhere.
    pub(super) fn of_text(&self, expr: &ExprNode, bounds: [Option<Polynomial>; 2]) -> Polynomial {
        let mut texts = self.texts.borrow_mut();
        texts.entry(expr.to_string()).or_insert_with(|| self.opaque(bounds)).clone()
    }

    pub(super) fn opaque(&self, bounds: [Option<Polynomial>; 2]) -> Polynomial {
        let mut opaque = self.opaque.borrow_mut();
        let name = format!("#{}", opaque.len());
        opaque.insert(name.clone(), bounds);
        Polynomial::name(&name)
    }

    pub(super) fn bounded(
        &self,
        of: &Polynomial,
        upward: bool,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        let fuel = self.fuel.get().checked_sub(1)?;
        self.fuel.set(fuel);
        if depth > DEEPEST {
            return None;
        }
        let mut found = self.substituted(of, upward, facts, depth);
        // A guard g ≥ 0 bounds e by e ± g, where that has fewer names.
        for fact in facts {
            let Fact::Guard(op, left, right) = fact else { continue };
            let Some(guards) = self.guards(*op, left, right, facts, depth) else { continue };
            for guard in guards {
                let shares =
                    guard.names().any(|it| !self.is_size(it) && of.names().any(|of| of == it));
                if !shares || depth > 6 {
                    continue;
                }
                let Some(sum) = of.plus(&guard, if upward { 1 } else { -1 }) else { continue };
                let variables = |it: &Polynomial| {
                    it.names().filter(|it| !self.is_size(it)).cloned().collect::<HashSet<_>>()
                };
                let (before, after) = (variables(of), variables(&sum));
                let is_simpler = before.iter().any(|it| !after.contains(it));
                if !is_simpler {
                    continue;
                }
                let other = if after.is_empty() {
                    Some(sum)
                } else {
                    self.bounded(&sum, upward, facts, depth + 4)
                };
                found = match (found, other) {
                    (Some(a), Some(b)) => Some(further(a, b, !upward)),
                    (a, b) => a.or(b),
                };
            }
        }
        found
    }

    fn guards(
        &self,
        op: BinaryOp,
        left: &ExprNode,
        right: &ExprNode,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Vec<Polynomial>> {
        let (left, right) =
            (self.polynomial(left, facts, depth + 1)?, self.polynomial(right, facts, depth + 1)?);
        let one = Polynomial::number(1);
        let (more, less) = (left.plus(&right, -1)?, right.plus(&left, -1)?);
        Some(match op {
            BinaryOp::Less => vec![less.plus(&one, -1)?],
            BinaryOp::LessEqual => vec![less],
            BinaryOp::Greater => vec![more.plus(&one, -1)?],
            BinaryOp::GreaterEqual => vec![more],
            BinaryOp::Equal => vec![less, more],
            _ => vec![],
        })
    }

    pub(super) fn is_size(&self, name: &str) -> bool {
        self.sizes.contains(name)
            || name.starts_with('(')
            || self.lengths.values().any(|it| it == name)
    }

    fn substituted(
        &self,
        of: &Polynomial,
        upward: bool,
        facts: &[Fact],
        depth: usize,
    ) -> Option<Polynomial> {
        let mut now = of.clone();
        for _ in 0..20 {
            // The innermost variable first, whose bounds may have the others.
            let place = |name: &String| {
                facts
                    .iter()
                    .rposition(|it| matches!(it, Fact::Loop(variable, ..) if variable == name))
            };
            let variables = now.names().filter(|it| !self.is_size(it));
            // What a loop's bound shares with the index may cancel: such a loop comes first.
            let shares = |it: &&String| {
                place(it).is_some()
                    && now.names().any(|it| it.starts_with('#'))
                    && [false, true].into_iter().any(|upward| {
                        let bound = self.range(it, upward, facts, depth + 1);
                        bound.is_some_and(|bound| {
                            bound
                                .names()
                                .any(|it| it.starts_with('#') && now.names().any(|of| of == it))
                        })
                    })
            };
            let mut variables: Vec<&String> = variables.collect();
            if let Some(first) = variables.iter().copied().find(|it| shares(it)) {
                variables = vec![first];
            }
            let Some(name) = variables
                .into_iter()
                .max_by_key(|it| (it.starts_with('#'), place(it).is_none(), place(it)))
                .cloned()
            else {
                return Some(now);
            };
            let [lower, upper] =
                [false, true].map(|upward| self.range(&name, upward, facts, depth + 1));
            now = now.with(&name, upward, lower.as_ref(), upper.as_ref())?;
        }
        None
    }

    /// The least or the greatest value of a variable, by those outside of it.
    fn range(&self, name: &str, upward: bool, facts: &[Fact], depth: usize) -> Option<Polynomial> {
        let fuel = self.fuel.get().checked_sub(1)?;
        self.fuel.set(fuel);
        if depth > DEEPEST {
            return None;
        }
        if let Some(bounds) = self.opaque.borrow().get(name) {
            return bounds[usize::from(upward)].clone();
        }
        let of_loop = facts.iter().rev().find_map(|it| match it {
            Fact::Loop(variable, from, to) if variable == name => {
                Some(if upward { to } else { from })
            }
            _ => None,
        });
        if let Some(bound) = of_loop {
            let polynomial = self.polynomial(bound, facts, depth + 1)?;
            // The bounds of a loop do not have its own variable, whatever is called so further out.
            if polynomial.names().any(|it| it == name) {
                return None;
            }
            // A loop over the elements of a block, all of which are there.
            let polynomial = match self.start_of_block(&polynomial, facts).filter(|_| upward) {
                Some(name) => Polynomial::name(name),
                None => polynomial,
            };
            // `i ≠ 0` where i begins with 0.
            let is_variable =
                |it: &ExprNode| matches!(&it.kind, ExprNodeKind::Name(of) if of == name);
            let bound = bound.to_string();
            let leaves_out = facts.iter().any(|it| match it {
                Fact::Guard(BinaryOp::NotEqual, left, right) => {
                    is_variable(left) && right.to_string() == bound
                        || is_variable(right) && left.to_string() == bound
                }
                _ => false,
            });
            let inward = match (leaves_out, upward) {
                (false, _) => 0,
                (true, true) => -1,
                (true, false) => 1,
            };
            return polynomial.plus(&Polynomial::number(inward), 1);
        }
        let key = (name.to_owned(), upward);
        if self.open.borrow().contains(&key) {
            return None;
        }
        self.open.borrow_mut().push(key);
        let found = self.of_scalar(name, upward, depth);
        self.open.borrow_mut().pop();
        let shift = facts.iter().rev().find_map(|it| match it {
            Fact::Shift(of, by) if of == name && (*by < 0) == upward => Some(*by),
            _ => None,
        });
        match shift {
            Some(by) => found?.plus(&Polynomial::number(by), 1),
            None => found,
        }
    }

    /// Of all that a scalar is ever assigned.
    fn of_scalar(&self, name: &str, upward: bool, depth: usize) -> Option<Polynomial> {
        let mut furthest: Option<Polynomial> = None;
        for it in self.uses.assignments.iter().filter(|it| it.target == name && !it.is_element) {
            let value = it.value.as_ref()?;
            if self.stays_within(value, name, upward) {
                continue;
            }
            let polynomial = self.polynomial(value, &it.facts, depth + 1)?;
            let bound = self.bounded(&polynomial, upward, &it.facts, depth + 1);
            let is_open =
                || polynomial.names().any(|it| self.open.borrow().iter().any(|open| open.0 == *it));
            let bound = match bound {
                Some(bound) => bound,
                // Through itself it does not get further: it falls on the way.
                None if is_open() && furthest.is_some() && polynomial.falls(upward) => continue,
                None => return None,
            };
            furthest = Some(match furthest {
                None => bound,
                Some(known) => further(known, bound, upward),
            });
        }
        furthest
    }
}
