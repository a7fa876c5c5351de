//! How a listing without declarations uses its names: in order, with the loops and guards around.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::diagnostic::Span;
use crate::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, StatementKind, StatementNode, Target, Type,
    UnaryOp,
};

/// What is known where something stands.
#[derive(Debug, Clone)]
pub(super) enum Fact {
    /// A loop variable, with the least and the greatest value.
    Loop(String, ExprNode, ExprNode),
    /// A comparison that holds.
    Guard(BinaryOp, ExprNode, ExprNode),
    /// A loop variable that begins blocks of many elements.
    Block(String),
    /// A scalar that was just assigned itself and so much.
    Shift(String, i64),
}

/// Facts, the innermost last.
pub(super) type Facts = Rc<Vec<Fact>>;

/// An element, read or written.
#[derive(Debug, Clone)]
pub(super) struct Access {
    pub(super) array: String,
    pub(super) indices: Vec<ExprNode>,
    pub(super) is_write: bool,
    pub(super) facts: Facts,
}

/// An assignment.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    pub(super) target: String,
    pub(super) is_element: bool,
    /// `None` behind a call, whose value is not known.
    pub(super) value: Option<ExprNode>,
    pub(super) facts: Facts,
    pub(super) span: Span,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) accesses: Vec<Access>,
    pub(super) assignments: Vec<Assignment>,
    /// Names that are read as scalars, in order, with their places.
    pub(super) names: Vec<(String, Span)>,
    pub(super) loop_variables: Vec<String>,
    /// Names in the bounds of loops.
    pub(super) bounds: HashSet<String>,
    /// `length(A)`, `rows(A)`, `columns(A)`: the array and the dimension.
    pub(super) lengths: Vec<(String, usize, Span)>,
    /// Real scalars whose type is declared.
    pub(super) declared: HashMap<String, Type>,
    /// Functions and procedures that are called.
    pub(super) calls: Vec<(String, Span)>,
    /// Arrays that calls are given whole, with the procedure and the position.
    pub(super) given: Vec<(String, String, usize)>,
    /// Conditions and what stands in them alone.
    pub(super) conditions: Vec<ExprNode>,
    facts: Vec<Fact>,
    /// Formal parameters of the procedure that is walked.
    formals: HashMap<String, bool>,
}

/// The uses of a listing.
pub(super) fn uses(listing: &Listing) -> Uses {
    let mut uses = Uses::default();
    for procedure in &listing.procedures {
        let formals =
            procedure.parameters.iter().map(|it| (it.name.text.clone(), !it.extents.is_empty()));
        uses.formals = formals.collect();
        let sizes =
            procedure.parameters.iter().flat_map(|it| &it.extents).chain(&procedure.results);
        uses.formals.extend(sizes.map(|it| (it.text.clone(), false)));
        uses.statements(&procedure.body);
        uses.formals.clear();
    }
    uses.statements(&listing.body);
    uses
}

impl Uses {
    fn statements(&mut self, statements: &[StatementNode]) {
        statements.iter().for_each(|it| self.statement(it));
    }

    fn now(&self) -> Facts {
        Rc::new(self.facts.clone())
    }

    fn assign(&mut self, name: &str, indices: &[ExprNode], value: Option<&ExprNode>, span: Span) {
        indices.iter().for_each(|it| self.expression(it));
        let facts = self.now();
        let is_formal = self.formals.contains_key(name);
        if !is_formal {
            let target = name.to_owned();
            self.assignments.push(Assignment {
                target,
                is_element: !indices.is_empty(),
                value: value.cloned(),
                facts: facts.clone(),
                span,
            });
        }
        if !indices.is_empty() && !is_formal {
            self.accesses.push(Access {
                array: name.to_owned(),
                indices: indices.to_vec(),
                is_write: true,
                facts,
            });
        }
    }

    fn target(&mut self, target: &Target, value: Option<&ExprNode>) {
        self.unshifted(&target.name.text);
        self.assign(&target.name.text, &target.indices, value, target.name.span);
    }

    fn statement(&mut self, statement: &StatementNode) {
        match &statement.kind {
            StatementKind::Assign { target, indices, value, declared } => {
                self.expression(value);
                if let Some(real) = declared.filter(|it| it.is_float()) {
                    self.declared.insert(target.text.clone(), real);
                }
                self.assign(&target.text, indices, Some(value), target.span);
                if indices.is_empty() {
                    self.shift(&target.text, value);
                }
            }
            StatementKind::Atomic { result, target, value } => {
                self.expression(value);
                self.target(target, Some(value));
                if let Some(result) = result {
                    self.assign(&result.text, &[], None, result.span);
                }
            }
            StatementKind::Several { targets, values } => {
                values.iter().for_each(|it| self.expression(it));
                for (at, target) in targets.iter().enumerate() {
                    let value = values.get(at).filter(|_| values.len() == targets.len());
                    self.target(target, value);
                }
            }
            StatementKind::Swap([left, right]) => {
                let value = |it: &Target| {
                    let (name, span) = (it.name.text.clone(), it.name.span);
                    let kind = match it.indices.is_empty() {
                        true => ExprNodeKind::Name(name),
                        false => ExprNodeKind::Element { array: name, indices: it.indices.clone() },
                    };
                    ExprNode { kind, span }
                };
                let (a, b) = (value(left), value(right));
                self.expression(&a);
                self.expression(&b);
                self.target(left, Some(&b));
                self.target(right, Some(&a));
            }
            StatementKind::Call { procedure, arguments } => {
                self.call(&procedure.text, arguments, procedure.span);
            }
            StatementKind::Return { values, .. } => {
                values.iter().for_each(|it| self.expression(it))
            }
            StatementKind::Break => {}
            StatementKind::Fork { calls, meanwhile } => {
                self.statements(calls);
                self.statements(meanwhile);
            }
            StatementKind::Repeat { body, until } => {
                let before = self.facts.len();
                self.forget(body);
                self.statements(body);
                self.facts.truncate(before);
                self.forget(body);
                self.expression(until);
                self.conditions.push(until.clone());
            }
            StatementKind::For(it) => self.for_loop(it),
            StatementKind::While { condition, body, .. } => {
                self.forget(body);
                self.condition(condition);
                let before = self.facts.len();
                self.holds(condition, false);
                self.statements(body);
                self.facts.truncate(before);
                self.forget(body);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                let before = self.facts.len();
                self.holds(condition, false);
                self.statements(then);
                self.facts.truncate(before);
                self.holds(condition, true);
                self.statements(otherwise);
                self.facts.truncate(before);
            }
            StatementKind::Label { body, .. } => self.statements(body),
        }
    }

    fn condition(&mut self, condition: &ExprNode) {
        self.expression(condition);
        self.conditions.push(condition.clone());
    }

    fn for_loop(&mut self, it: &ForNode) {
        let bounds = [Some(&it.from), Some(&it.to), it.step.as_ref()];
        for bound in bounds.into_iter().flatten() {
            let from = self.names.len();
            self.expression(bound);
            self.bounds.extend(self.names[from..].iter().map(|it| it.0.clone()));
        }
        let name = it.variable.text.clone();
        let (least, greatest) = if it.downward { (&it.to, &it.from) } else { (&it.from, &it.to) };
        self.loop_variables.push(name.clone());
        let before = self.facts.len();
        self.forget(&it.body);
        self.facts.push(Fact::Loop(name.clone(), least.clone(), greatest.clone()));
        let is_number = |it: &ExprNode| matches!(it.kind, ExprNodeKind::Integer(_));
        let is_block = |step: &ExprNode| !is_number(step) || has_loop_from(&it.body, &name);
        if it.step.as_ref().is_some_and(is_block) && !it.downward {
            self.facts.push(Fact::Block(name));
        }
        self.statements(&it.body);
        self.facts.truncate(before);
    }

    /// What statements assign is no longer known to be shifted.
    fn forget(&mut self, statements: &[StatementNode]) {
        let mut uses = Self::default();
        uses.statements(statements);
        for it in uses.assignments.iter().filter(|it| !it.is_element) {
            self.unshifted(&it.target);
        }
    }

    fn unshifted(&mut self, name: &str) {
        for fact in &mut self.facts {
            if let Fact::Shift(of, by) = fact
                && of == name
            {
                *by = 0;
            }
        }
    }

    /// Of `x ← x - 1`, how far the value is from all that x ever is.
    fn shift(&mut self, name: &str, value: &ExprNode) {
        self.unshifted(name);
        let ExprNodeKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) =
            &value.kind
        else {
            return;
        };
        if let (ExprNodeKind::Name(of), ExprNodeKind::Integer(by)) = (&left.kind, &right.kind)
            && of == name
            && let Ok(by) = i64::try_from(*by)
        {
            let by = if *op == BinaryOp::Add { by } else { -by };
            self.facts.push(Fact::Shift(name.to_owned(), by));
        }
    }

    /// What follows from a condition, or from its contrary.
    fn holds(&mut self, condition: &ExprNode, not: bool) {
        match &condition.kind {
            ExprNodeKind::Binary(BinaryOp::And, left, right) if !not => {
                self.holds(left, false);
                self.holds(right, false);
            }
            ExprNodeKind::Binary(BinaryOp::Or, left, right) if not => {
                self.holds(left, true);
                self.holds(right, true);
            }
            ExprNodeKind::Unary(UnaryOp::Not, of) => self.holds(of, !not),
            ExprNodeKind::Binary(op, left, right) => {
                let op = match (op, not) {
                    (BinaryOp::Less, true) => BinaryOp::GreaterEqual,
                    (BinaryOp::LessEqual, true) => BinaryOp::Greater,
                    (BinaryOp::Greater, true) => BinaryOp::LessEqual,
                    (BinaryOp::GreaterEqual, true) => BinaryOp::Less,
                    (BinaryOp::NotEqual, true) => BinaryOp::Equal,
                    (BinaryOp::Equal, true) => BinaryOp::NotEqual,
                    (op, _) => *op,
                };
                if op.is_comparison() {
                    self.facts.push(Fact::Guard(op, (**left).clone(), (**right).clone()));
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, name: &str, arguments: &[ExprNode], span: Span) {
        if let (Some(dimension), [ExprNode { kind: ExprNodeKind::Name(array), .. }]) = (
            ["length", "columns"]
                .iter()
                .position(|it| *it == name)
                .or_else(|| (name == "rows").then_some(0)),
            arguments,
        ) {
            self.lengths.push((array.clone(), dimension, span));
            return;
        }
        self.calls.push((name.to_owned(), span));
        for (at, argument) in arguments.iter().enumerate() {
            match &argument.kind {
                ExprNodeKind::Name(array) => self.given.push((name.to_owned(), array.clone(), at)),
                ExprNodeKind::Slice { array, ranges } => {
                    self.given.push((name.to_owned(), array.clone(), at));
                    for (first, last) in ranges {
                        self.expression(first);
                        last.iter().for_each(|it| self.expression(it));
                    }
                    continue;
                }
                _ => {}
            }
            self.expression(argument);
        }
    }

    fn expression(&mut self, expr: &ExprNode) {
        match &expr.kind {
            ExprNodeKind::Integer(_)
            | ExprNodeKind::Float(_)
            | ExprNodeKind::Infinity
            | ExprNodeKind::Boolean(_) => {}
            ExprNodeKind::Name(name) => {
                if !self.formals.contains_key(name) {
                    self.names.push((name.clone(), expr.span));
                }
            }
            ExprNodeKind::Element { array, indices } => {
                indices.iter().for_each(|it| self.expression(it));
                if !self.formals.contains_key(array) {
                    let (array, indices, facts) = (array.clone(), indices.clone(), self.now());
                    self.accesses.push(Access { array, indices, is_write: false, facts });
                }
            }
            ExprNodeKind::Slice { .. } => {}
            ExprNodeKind::Neighbours(ends) => ends.iter().for_each(|it| self.expression(it)),
            ExprNodeKind::Call { function, arguments } => self.call(function, arguments, expr.span),
            ExprNodeKind::Unary(_, of) | ExprNodeKind::Floor(of) | ExprNodeKind::Ceiling(of) => {
                self.expression(of)
            }
            ExprNodeKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.expression(left);
                let before = self.facts.len();
                self.holds(left, *op == BinaryOp::Or);
                self.expression(right);
                self.facts.truncate(before);
            }
            ExprNodeKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExprNodeKind::Conditional(parts) => {
                self.expression(&parts[0]);
                self.conditions.push(parts[0].clone());
                let before = self.facts.len();
                self.holds(&parts[0], false);
                self.expression(&parts[1]);
                self.facts.truncate(before);
                self.holds(&parts[0], true);
                self.expression(&parts[2]);
                self.facts.truncate(before);
            }
        }
    }
}

/// Whether a loop directly inside others begins with a variable.
fn has_loop_from(statements: &[StatementNode], name: &str) -> bool {
    statements.iter().any(|it| match &it.kind {
        StatementKind::For(it) => {
            matches!(&it.from.kind, ExprNodeKind::Name(from) if from == name)
                || has_loop_from(&it.body, name)
        }
        _ => false,
    })
}
