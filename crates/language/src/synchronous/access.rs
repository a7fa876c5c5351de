//! What statements read and write, in their order.

use std::collections::HashSet;

use crate::syntax::{ExprNode, ExprNodeKind, Listing, StatementKind, StatementNode, Target};

/// An element that is read or written.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) array: String,
    pub(super) indices: Vec<ExprNode>,
    pub(super) is_write: bool,
    /// The loops inside the statements at hand that it is in.
    loops: Vec<usize>,
    /// The branches that it is in, and on which side of each.
    sides: Vec<(usize, bool)>,
    /// Of the statements at hand, which it belongs to.
    pub(super) statement: usize,
}

/// Accesses and scalars of statements.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) accesses: Vec<Event>,
    pub(super) assigned: HashSet<String>,
    pub(super) read: HashSet<String>,
    loops: Vec<usize>,
    sides: Vec<(usize, bool)>,
    opened: usize,
    statement: usize,
}

impl Events {
    pub(super) fn of(statements: &[StatementNode]) -> Self {
        let mut it = Self::default();
        for (at, statement) in statements.iter().enumerate() {
            it.statement = at;
            it.add(statement);
        }
        it
    }

    pub(super) fn of_expression(expr: &ExprNode) -> Self {
        let mut it = Self::default();
        it.expression(expr);
        it
    }

    /// Whether a read must see, or a write follow, what other processors wrote a round before.
    pub(super) fn needs_rounds(&self, is_own: impl Fn(&str) -> bool) -> bool {
        self.accesses.iter().enumerate().any(|(at, write)| {
            let meets = |(later, other): (usize, &Event)| {
                let is_later = later > at
                    || !other.loops.is_empty() && other.loops.first() == write.loops.first();
                // Of a branch, a processor does one side.
                let is_other_side =
                    write.sides.iter().any(|(at, side)| other.sides.contains(&(*at, !side)));
                let is_apart =
                    (!other.is_write || other.statement != write.statement) && !is_other_side;
                other.array == write.array
                    && is_later
                    && (later != at || !other.loops.is_empty())
                    && is_apart
            };
            write.is_write && !is_own(&write.array) && self.accesses.iter().enumerate().any(meets)
        })
    }

    /// Whether every access to an array has the same indices, with each of these variables alone in one.
    pub(super) fn is_own(&self, array: &str, variables: &[String]) -> bool {
        let mut accesses = self.accesses.iter().filter(|it| it.array == array);
        let Some(first) = accesses.next() else { return true };
        let text = |it: &Event| it.indices.iter().map(ToString::to_string).collect::<Vec<_>>();
        let indices = text(first);
        variables.iter().all(|it| indices.contains(it)) && accesses.all(|it| text(it) == indices)
    }

    fn element(&mut self, array: &str, indices: &[ExprNode], is_write: bool) {
        indices.iter().for_each(|it| self.expression(it));
        let (array, indices, loops) = (array.to_owned(), indices.to_vec(), self.loops.clone());
        let (sides, statement) = (self.sides.clone(), self.statement);
        self.accesses.push(Event { array, indices, is_write, loops, sides, statement });
    }

    fn target(&mut self, target: &Target) {
        match target.indices.is_empty() {
            true => drop(self.assigned.insert(target.name.text.clone())),
            false => self.element(&target.name.text, &target.indices, true),
        }
    }

    fn block(&mut self, statements: &[StatementNode]) {
        statements.iter().for_each(|it| self.add(it));
    }

    fn in_loop(&mut self, body: &[StatementNode], condition: Option<&ExprNode>) {
        self.opened += 1;
        self.loops.push(self.opened);
        condition.into_iter().for_each(|it| self.expression(it));
        self.block(body);
        self.loops.pop();
    }

    fn add(&mut self, statement: &StatementNode) {
        match &statement.kind {
            StatementKind::Assign { target, indices, value, .. } => {
                self.expression(value);
                self.target(&Target { name: target.clone(), indices: indices.clone() });
            }
            StatementKind::Several { targets, values } => {
                values.iter().for_each(|it| self.expression(it));
                targets.iter().for_each(|it| self.target(it));
            }
            StatementKind::Swap([left, right]) => {
                for it in [left, right] {
                    if it.indices.is_empty() {
                        self.read.insert(it.name.text.clone());
                    } else {
                        self.element(&it.name.text, &it.indices, false);
                    }
                }
                self.target(left);
                self.target(right);
            }
            StatementKind::Atomic { result, target, value } => {
                // What it reads of its own element is the atomic's affair.
                self.expression(value);
                self.target(target);
                self.assigned.extend(result.iter().map(|it| it.text.clone()));
            }
            StatementKind::Call { arguments, .. } => {
                arguments.iter().for_each(|it| self.expression(it))
            }
            // Told no round by round.
            StatementKind::Fork { .. } | StatementKind::Break => {}
            StatementKind::Return { values, .. } => {
                values.iter().for_each(|it| self.expression(it))
            }
            StatementKind::Repeat { body, until } => self.in_loop(body, Some(until)),
            StatementKind::While { condition, body, .. } => self.in_loop(body, Some(condition)),
            StatementKind::For(it) => {
                [Some(&it.from), Some(&it.to), it.step.as_ref()]
                    .into_iter()
                    .flatten()
                    .for_each(|it| self.expression(it));
                self.in_loop(&it.body, None);
                self.read.remove(&it.variable.text);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.expression(condition);
                self.opened += 1;
                let branch = self.opened;
                for (side, block) in [(true, then), (false, otherwise)] {
                    self.sides.push((branch, side));
                    self.block(block);
                    self.sides.pop();
                }
            }
            StatementKind::Label { body, .. } => self.block(body),
        }
    }

    fn expression(&mut self, expr: &ExprNode) {
        match &expr.kind {
            ExprNodeKind::Name(name) => drop(self.read.insert(name.clone())),
            ExprNodeKind::Element { array, indices } => self.element(array, indices, false),
            _ => parts(expr).into_iter().for_each(|it| self.expression(it)),
        }
    }
}

/// The expressions inside one.
pub(super) fn parts(expr: &ExprNode) -> Vec<&ExprNode> {
    match &expr.kind {
        ExprNodeKind::Element { indices, .. } => indices.iter().collect(),
        ExprNodeKind::Slice { ranges, .. } => {
            ranges.iter().flat_map(|it| std::iter::once(&it.0).chain(it.1.as_ref())).collect()
        }
        ExprNodeKind::Call { arguments, .. } => arguments.iter().collect(),
        ExprNodeKind::Unary(_, of) | ExprNodeKind::Floor(of) | ExprNodeKind::Ceiling(of) => {
            vec![of]
        }
        ExprNodeKind::Binary(_, left, right) => vec![left, right],
        ExprNodeKind::Conditional(parts) => parts.iter().collect(),
        _ => vec![],
    }
}

/// The blocks inside a statement.
pub(super) fn blocks(statement: &StatementNode) -> Vec<&[StatementNode]> {
    match &statement.kind {
        StatementKind::For(it) => vec![&it.body],
        StatementKind::While { body, .. }
        | StatementKind::Repeat { body, .. }
        | StatementKind::Label { body, .. } => vec![body],
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        StatementKind::Fork { calls, meanwhile } => vec![calls, meanwhile],
        _ => vec![],
    }
}

/// All names of a listing.
pub(super) fn names(listing: &Listing) -> HashSet<String> {
    let text = listing.to_string();
    let words = text.split(|it: char| !it.is_alphanumeric() && it != '_');
    words.map(str::to_owned).collect()
}
