//! One parallel loop as rounds.

use std::collections::{HashMap, HashSet};

use super::access::{Events, blocks};
use super::make::{
    around, assign, binary, branch, element, expr, name, named, not, over, reading, renamed,
};
use super::{Result, Rewriter};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{
    ArrayDeclaration, BinaryOp, ExprNode, ExprNodeKind, Extent, ForNode, Order, Role,
    StatementKind, StatementNode, Target, Type,
};

/// What stands around the statements of a round.
struct Around {
    heads: Vec<ForNode>,
    variables: Vec<String>,
    /// In order, outside first.
    outer: Vec<Outer>,
    /// Arrays that the loop writes anywhere.
    written: HashSet<String>,
    span: Span,
}

enum Outer {
    /// A scalar of an earlier round, computed again.
    Scalar(Box<StatementNode>),
    /// A branch.
    Guard(ExprNode),
}

impl Rewriter {
    /// The rounds of a parallel loop.
    pub(super) fn nest(&mut self, node: &ForNode, span: Span) -> Result<Vec<StatementNode>> {
        let (mut heads, mut body) = (vec![], vec![]);
        let mut inner = node.clone();
        loop {
            if inner.order != Order::InParallel || !inner.arrays.is_empty() {
                return Err(Diagnostic::new(span, "a loop on DMMs, or with arrays of its own")
                    .help("the PRAM has one memory: write `do in parallel`"));
            }
            body.clone_from(&inner.body);
            inner.body.clear();
            heads.push(inner);
            match &body[..] {
                [StatementNode { kind: StatementKind::For(next), .. }]
                    if next.order == Order::InParallel =>
                {
                    inner = next.clone();
                }
                _ => break,
            }
        }
        let known: HashSet<&str> = self.arrays.iter().map(|it| it.name.text.as_str()).collect();
        if let Some(at) = foreign(&body) {
            return Err(Diagnostic::new(at, "what one processor does here is not told round by round")
                .help("in a loop of the synchronous PRAM, write assignments, branches and loops of the algorithm itself"));
        }
        let events = Events::of(&body);
        let written =
            events.accesses.iter().filter(|it| it.is_write && known.contains(it.array.as_str()));
        let written = written.map(|it| it.array.clone()).collect();
        let variables = heads.iter().map(|it| it.variable.text.clone()).collect();
        let mut around = Around { heads, variables, outer: vec![], written, span };
        self.rounds(&mut around, &body)
    }

    /// Statements, as many as may share it in each round.
    fn rounds(&mut self, at: &mut Around, body: &[StatementNode]) -> Result<Vec<StatementNode>> {
        let (mut out, mut group): (Vec<StatementNode>, Vec<StatementNode>) = (vec![], vec![]);
        for (nth, statement) in body.iter().enumerate() {
            let needs = |group: &[StatementNode]| {
                let events = Events::of(group);
                events.needs_rounds(|array| events.is_own(array, &at.variables))
            };
            let rest = &body[nth..];
            if !needs(std::slice::from_ref(statement)) {
                let both = [&group[..], std::slice::from_ref(statement)].concat();
                if needs(&both) {
                    out.extend(self.round(at, &group, rest)?);
                    group = vec![statement.clone()];
                } else {
                    group = both;
                }
                continue;
            }
            out.extend(self.round(at, &group, rest)?);
            group.clear();
            out.extend(self.apart(at, statement)?);
        }
        out.extend(self.round(at, &group, &[])?);
        Ok(out)
    }

    /// A branch or a loop that takes several rounds.
    fn apart(&mut self, at: &mut Around, statement: &StatementNode) -> Result<Vec<StatementNode>> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::If { condition, then, otherwise } => {
                let (mut out, names) = self.copies(at, &self.shared_by(at, condition), span);
                let condition = renamed(condition, &names);
                for (guard, block) in [(condition.clone(), then), (not(condition), otherwise)] {
                    if block.is_empty() {
                        continue;
                    }
                    let before = at.outer.len();
                    at.outer.push(Outer::Guard(guard));
                    out.extend(self.rounds(at, block)?);
                    at.outer.truncate(before);
                }
                Ok(out)
            }
            StatementKind::For(node) => {
                let bounds = [Some(&node.from), Some(&node.to), node.step.as_ref()];
                let own = |it: &ExprNode| {
                    let events = Events::of_expression(it);
                    !events.accesses.is_empty()
                        || events.read.iter().any(|it| at.variables.contains(it) || at.assigns(it))
                };
                if bounds.into_iter().flatten().any(own) {
                    return Err(Diagnostic::new(span, "each processor goes through this loop as often as its own bounds say, while others change what it reads")
                        .help("let the bounds be the same for all, and put what differs into an `if`"));
                }
                let body = self.rounds(at, &node.body)?;
                let kind = StatementKind::For(ForNode { body, ..node.clone() });
                Ok(vec![StatementNode { kind, span }])
            }
            StatementKind::While { condition, body, .. } => {
                self.while_any(at, condition, body, span)
            }
            _ => {
                Err(Diagnostic::new(span, "this takes several rounds, which cannot be told apart")
                    .help("write it as several statements, or as `while … do`"))
            }
        }
    }

    /// Arrays that a condition reads and the loop writes.
    fn shared_by(&self, at: &Around, condition: &ExprNode) -> Vec<String> {
        let accesses = Events::of_expression(condition).accesses;
        accesses.into_iter().map(|it| it.array).filter(|it| at.written.contains(it)).collect()
    }

    /// One round: what it reads and writes is copied before.
    fn round(
        &mut self,
        at: &mut Around,
        group: &[StatementNode],
        later: &[StatementNode],
    ) -> Result<Vec<StatementNode>> {
        if group.is_empty() {
            return Ok(vec![]);
        }
        let events = Events::of(group);
        let reads =
            |array: &str| events.accesses.iter().any(|it| !it.is_write && it.array == array);
        let writes =
            |array: &str| events.accesses.iter().any(|it| it.is_write && it.array == array);
        let later = Events::of(later);
        // Scalars that later rounds need are computed again there, from what was read here.
        let kept: Vec<&String> =
            events.assigned.iter().filter(|it| later.read.contains(*it)).collect();
        let is_kept = |it: &StatementNode| match &it.kind {
            StatementKind::Assign { target, indices, .. } => {
                indices.is_empty() && kept.contains(&&target.text)
            }
            _ => false,
        };
        let simple: HashSet<&str> = group
            .iter()
            .filter(|it| is_kept(it))
            .filter_map(|it| match &it.kind {
                StatementKind::Assign { target, .. } => Some(target.text.as_str()),
                _ => None,
            })
            .collect();
        if let Some(name) = kept.iter().find(|it| !simple.contains(it.as_str())) {
            return Err(Diagnostic::new(
                group[0].span,
                format!("`{name}` is kept from one round to a later one"),
            )
            .help(format!(
                "write it as an array with an element for each processor, as in `{name}[i]`"
            )));
        }
        let needed: Vec<StatementNode> = group.iter().filter(|it| is_kept(it)).cloned().collect();
        let of_needed = Events::of(&needed);
        let mut arrays: Vec<String> = at
            .written
            .iter()
            .filter(|it| {
                let both = reads(it) && writes(it) && !events.is_own(it, &at.variables);
                both || of_needed.accesses.iter().any(|of| of.array == **it)
            })
            .cloned()
            .collect();
        arrays.sort();
        let (mut out, names) = self.copies(at, &arrays, group[0].span);
        let statements: Vec<StatementNode> = group.iter().map(|it| reading(it, &names)).collect();
        out.push(at.wrap(statements));
        at.outer.extend(needed.iter().map(|it| Outer::Scalar(Box::new(reading(it, &names)))));
        Ok(out)
    }

    /// Loops that copy arrays, and what the copies are called.
    fn copies(
        &mut self,
        at: &Around,
        arrays: &[String],
        span: Span,
    ) -> (Vec<StatementNode>, HashMap<String, String>) {
        let (mut out, mut names) = (vec![], HashMap::new());
        for array in arrays {
            let Some(declared) = self.arrays.iter().find(|it| it.name.text == *array).cloned()
            else {
                continue;
            };
            if names.contains_key(array) {
                continue;
            }
            let copy = self.fresh(&format!("{array}_before"));
            let variables: Vec<String> = declared.extents.iter().map(|_| self.fresh("z")).collect();
            let indices: Vec<ExprNode> = variables.iter().map(|it| name(it, span)).collect();
            let value = element(array, indices.clone(), span);
            let heads = over(&declared.extents, &variables, span);
            out.push(around(&heads, vec![assign(&copy, indices, value, span)], at.span));
            let text = format!(
                "`{array}` is read and written by processors in step: `{copy}` is what it was before the round, and each round copies it"
            );
            self.said.push((span, text));
            self.arrays.push(ArrayDeclaration {
                role: Role::Work,
                name: named(&copy, span),
                ..declared
            });
            names.insert(array.clone(), copy);
        }
        (out, names)
    }

    /// A loop that each processor leaves by its own condition: rounds while any is in it.
    fn while_any(
        &mut self,
        at: &mut Around,
        condition: &ExprNode,
        body: &[StatementNode],
        span: Span,
    ) -> Result<Vec<StatementNode>> {
        let events = Events::of(body);
        let asked = Events::of_expression(condition);
        let range = |it: &ForNode| [Events::of_expression(&it.from), Events::of_expression(&it.to)];
        let is_known = |it: &ForNode| {
            range(it).iter().all(|it| {
                it.accesses.is_empty() && it.read.iter().all(|it| self.parameters.contains(it))
            })
        };
        if asked.read.iter().any(|it| events.assigned.contains(it) || at.assigns(it))
            || !at.heads.iter().all(is_known)
        {
            return Err(Diagnostic::new(span, "processors leave this loop one by one, by what only each of them knows")
                .help("let the condition be of elements of arrays, and the parallel loop go over a range that parameters alone give"));
        }
        let (active, again) = (self.fresh("active"), self.fresh("again"));
        let integer = |it| expr(ExprNodeKind::Integer(it), span);
        let extent = |it: &ForNode| {
            let (first, last) = if it.downward { (&it.to, &it.from) } else { (&it.from, &it.to) };
            Extent { first: Some(first.clone()), size: last.clone() }
        };
        let extents = at.heads.iter().map(extent).collect();
        let one = vec![Extent { first: None, size: integer(1) }];
        for (name, extents, element) in [(&active, extents, Type::Bool), (&again, one, Type::I64)] {
            self.arrays.push(ArrayDeclaration {
                role: Role::Work,
                name: named(name, span),
                extents,
                fields: vec![],
                element,
                layout: None,
            });
        }
        self.said.push((
            span,
            format!("processors leave the loop one by one: `{active}` says which are in it"),
        ));
        let own: Vec<ExprNode> = at.variables.iter().map(|it| name(it, span)).collect();
        let flag = || element(&active, own.clone(), span);
        let of_again = || element(&again, vec![integer(0)], span);
        // Who is in the loop asks again.
        let ask = |at: &Around| {
            let value = binary(BinaryOp::Max, of_again(), integer(1));
            let target = Target { name: named(&again, span), indices: vec![integer(0)] };
            let kind = StatementKind::Atomic { result: None, target, value };
            let atomic = StatementNode { kind, span };
            let asked = assign(&active, own.clone(), condition.clone(), span);
            at.wrap(vec![asked, branch(flag(), vec![atomic])])
        };
        let clear = || assign(&again, vec![integer(0)], integer(0), span);
        let mut out = vec![around(
            &at.heads,
            vec![assign(&active, own.clone(), expr(ExprNodeKind::Boolean(false), span), span)],
            span,
        )];
        out.extend([clear(), ask(at)]);
        let before = at.outer.len();
        at.outer.push(Outer::Guard(flag()));
        let mut rounds = self.rounds(at, body)?;
        at.outer.truncate(before + 1);
        rounds.extend([clear(), ask(at)]);
        at.outer.truncate(before);
        let condition = binary(BinaryOp::Greater, of_again(), integer(0));
        let kind = StatementKind::While { condition, decreases: None, body: rounds };
        out.push(StatementNode { kind, span });
        Ok(out)
    }
}

impl Around {
    /// The loops around statements of a round.
    fn wrap(&self, statements: Vec<StatementNode>) -> StatementNode {
        let inside = |body: Vec<StatementNode>, it: &Outer| match it {
            Outer::Scalar(scalar) => [vec![StatementNode::clone(scalar)], body].concat(),
            Outer::Guard(guard) => vec![branch(guard.clone(), body)],
        };
        around(&self.heads, self.outer.iter().rev().fold(statements, inside), self.span)
    }

    /// Whether processors have a scalar of their own by this name.
    fn assigns(&self, name: &str) -> bool {
        self.outer.iter().any(|it| match it {
            Outer::Scalar(it) => Events::of(std::slice::from_ref(&**it)).assigned.contains(name),
            Outer::Guard(_) => false,
        })
    }
}

/// The first statement that is not told round by round.
fn foreign(statements: &[StatementNode]) -> Option<Span> {
    statements.iter().find_map(|it| match &it.kind {
        StatementKind::Call { .. }
        | StatementKind::Fork { .. }
        | StatementKind::Return { .. }
        | StatementKind::Break => Some(it.span),
        StatementKind::For(node) if node.order != Order::InTurn => Some(it.span),
        _ => blocks(it).into_iter().find_map(foreign),
    })
}
