//! The loops of a listing's text: where they stand, and what is put in their place.

use std::collections::BTreeSet;

use memory_machine_core::diagnostic::Span;
use memory_machine_core::language::syntax::{
    BinaryOp, ExprNode, ExprNodeKind, ForNode, Listing, Name, Order, StatementKind, StatementNode,
};

use super::form::{Form, joined, operands};

/// Where a statement stands: at which place of the listing, then of the statement there, and so on.
pub(crate) type Path = Vec<usize>;

/// The statements directly inside one.
pub(crate) fn inner(statement: &StatementNode) -> Option<&Vec<StatementNode>> {
    match &statement.kind {
        StatementKind::For(it) => Some(&it.body),
        StatementKind::While { body, .. } | StatementKind::Label { body, .. } => Some(body),
        StatementKind::If { then, .. } => Some(then),
        _ => None,
    }
}

fn inner_mut(statement: &mut StatementNode) -> Option<&mut Vec<StatementNode>> {
    match &mut statement.kind {
        StatementKind::For(it) => Some(&mut it.body),
        StatementKind::While { body, .. } | StatementKind::Label { body, .. } => Some(body),
        StatementKind::If { then, .. } => Some(then),
        _ => None,
    }
}

/// Every block with its path and with how many statements the checker enters to come there: loops of one
/// parallel nest are one.
pub(crate) fn blocks(listing: &Listing) -> Vec<(Path, usize, &[StatementNode])> {
    fn walk<'a>(
        block: &'a [StatementNode],
        path: &Path,
        depth: usize,
        around: Option<&ForNode>,
        found: &mut Vec<(Path, usize, &'a [StatementNode])>,
    ) {
        found.push((path.clone(), depth, block));
        for (at, statement) in block.iter().enumerate() {
            let Some(body) = inner(statement) else { continue };
            let is_of_nest = |outer: &ForNode, own: &ForNode| {
                outer.order != Order::InTurn
                    && std::mem::discriminant(&outer.order) == std::mem::discriminant(&own.order)
                    && outer.body.len() == 1
            };
            let own = match &statement.kind {
                StatementKind::For(it) => Some(it),
                _ => None,
            };
            let is_same = around.zip(own).is_some_and(|(outer, own)| is_of_nest(outer, own));
            let mut path = path.clone();
            path.push(at);
            walk(body, &path, depth + usize::from(!is_same), own, found);
        }
    }
    let mut found = vec![];
    walk(&listing.body, &vec![], 0, None, &mut found);
    found
}

/// How many loops stand inside each other.
pub(crate) fn depth(block: &[StatementNode]) -> usize {
    let own = |it: &StatementNode| usize::from(as_for(it).is_some());
    let all = block.iter().map(|it| own(it) + inner(it).map_or(0, |it| depth(it)));
    all.max().unwrap_or(0)
}

/// How many sequential loops a path enters.
pub(crate) fn loops_in_turn(listing: &Listing, path: &[usize]) -> usize {
    let (mut block, mut found) = (&listing.body, 0);
    for step in path {
        let Some(statement) = block.get(*step) else { break };
        let is_in_turn = match &statement.kind {
            StatementKind::For(it) => it.order == Order::InTurn,
            StatementKind::While { .. } => true,
            _ => false,
        };
        found += usize::from(is_in_turn);
        let Some(next) = inner(statement) else { break };
        block = next;
    }
    found
}

/// A listing in which `count` statements, of which the first is at a place of a block, are others.
pub(crate) fn replace(
    listing: &Listing,
    (path, at, count): (&Path, usize, usize),
    by: Vec<StatementNode>,
) -> Option<Listing> {
    let mut listing = listing.clone();
    block_at_mut(&mut listing, path)?.splice(at..at + count, by);
    Some(listing)
}

/// The block at a path.
pub(crate) fn block_at<'a>(listing: &'a Listing, path: &[usize]) -> Option<&'a Vec<StatementNode>> {
    path.iter().try_fold(&listing.body, |block, step| inner(block.get(*step)?))
}

pub(crate) fn block_at_mut<'a>(
    listing: &'a mut Listing,
    path: &[usize],
) -> Option<&'a mut Vec<StatementNode>> {
    path.iter().try_fold(&mut listing.body, |block, step| inner_mut(block.get_mut(*step)?))
}

pub(crate) fn as_for_mut(statement: &mut StatementNode) -> Option<&mut ForNode> {
    match &mut statement.kind {
        StatementKind::For(it) => Some(it),
        _ => None,
    }
}

/// A loop in turn that is all of another one's body, and that one first.
pub(crate) fn pair_in_turn(statement: &StatementNode) -> Option<[&ForNode; 2]> {
    let outer = as_for(statement)?;
    let [inner] = &outer.body[..] else { return None };
    let pair = [outer, as_for(inner)?];
    pair.iter().all(|it| it.order == Order::InTurn).then_some(pair)
}

pub(crate) fn as_for(statement: &StatementNode) -> Option<&ForNode> {
    match &statement.kind {
        StatementKind::For(it) => Some(it),
        _ => None,
    }
}

pub(crate) fn statement(kind: StatementKind) -> StatementNode {
    StatementNode { kind, span: Span::default() }
}

pub(crate) fn loop_over(it: ForNode) -> StatementNode {
    statement(StatementKind::For(it))
}

pub(crate) fn named(text: &str) -> Name {
    Name { text: text.to_owned(), span: Span::default() }
}

/// The line on which a statement begins, from 1.
pub(crate) fn line(text: &str, span: Span) -> usize {
    text.get(..span.start).map_or(0, |it| it.matches('\n').count()) + 1
}

/// A `for` loop as sums of names that are at least 0; `None` if it has a step, or is not affine.
pub(crate) fn constraints(it: &ForNode, names: &BTreeSet<String>) -> Option<Vec<Form>> {
    if it.step.is_some() {
        return None;
    }
    let (low, high) = if it.downward { (&it.to, &it.from) } else { (&it.from, &it.to) };
    let variable = Form::name(&it.variable.text);
    let lows = operands(low, BinaryOp::Max, names)?;
    let highs = operands(high, BinaryOp::Min, names)?;
    let low = lows.iter().map(|low| variable.plus(low, -1));
    Some(low.chain(highs.iter().map(|high| high.plus(&variable, -1))).collect())
}

/// A loop whose variable has these bounds.
pub(crate) fn bounded(
    variable: &str,
    [lows, highs]: &[Vec<Form>; 2],
    downward: bool,
    order: Order,
    body: Vec<StatementNode>,
) -> Option<ForNode> {
    let (low, high) = (joined(BinaryOp::Max, lows)?, joined(BinaryOp::Min, highs)?);
    let (from, to) = if downward { (high, low) } else { (low, high) };
    let variable = named(variable);
    Some(ForNode { variable, from, to, downward, step: None, order, arrays: vec![], body })
}

/// The parameters and loops' variables of a listing: all of them are whole numbers that nothing assigns.
pub(crate) fn numbers(listing: &Listing) -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        listing.parameters.iter().map(|it| it.name.text.clone()).collect();
    for (_, _, block) in blocks(listing) {
        names.extend(block.iter().filter_map(as_for).map(|it| it.variable.text.clone()));
    }
    names
}

/// Every name of a listing.
fn all_names(listing: &Listing) -> BTreeSet<String> {
    let text = listing.to_string();
    let words = text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    words.filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// A name that the listing does not have: one of those wanted, or the last of them with a number.
pub(crate) fn new_name(listing: &Listing, wanted: &[&str]) -> String {
    let names = all_names(listing);
    let numbered = (2..).map(|at| format!("{}{at}", wanted.last().unwrap_or(&"x")));
    let mut all = wanted.iter().map(|it| (*it).to_owned()).chain(numbered);
    all.find(|it| !names.contains(it)).unwrap_or_default()
}

/// Does something to every expression of statements, those inside others first.
pub(crate) fn each_expr(block: &mut [StatementNode], change: &mut impl FnMut(&mut ExprNode)) {
    for statement in block {
        match &mut statement.kind {
            StatementKind::Assign { indices, value, .. } => {
                indices.iter_mut().for_each(|it| within(it, change));
                within(value, change);
            }
            StatementKind::Several { targets, values }
            | StatementKind::Return { targets, values } => {
                let indices = targets.iter_mut().flat_map(|it| it.indices.iter_mut());
                indices.chain(values).for_each(|it| within(it, change));
            }
            StatementKind::Call { arguments, .. } => {
                arguments.iter_mut().for_each(|it| within(it, change));
            }
            StatementKind::Atomic { target, value, .. } => {
                target.indices.iter_mut().for_each(|it| within(it, change));
                within(value, change);
            }
            StatementKind::Swap(targets) => {
                let indices = targets.iter_mut().flat_map(|it| it.indices.iter_mut());
                indices.for_each(|it| within(it, change));
            }
            StatementKind::Break => {}
            StatementKind::Fork { calls, meanwhile } => {
                each_expr(calls, change);
                each_expr(meanwhile, change);
            }
            StatementKind::Repeat { body, until: condition } => {
                within(condition, change);
                each_expr(body, change);
            }
            StatementKind::While { condition, decreases, body } => {
                within(condition, change);
                decreases.iter_mut().for_each(|it| within(it, change));
                each_expr(body, change);
            }
            StatementKind::For(it) => {
                [&mut it.from, &mut it.to]
                    .into_iter()
                    .chain(&mut it.step)
                    .for_each(|it| within(it, change));
                each_expr(&mut it.body, change);
            }
            StatementKind::If { condition, then, otherwise } => {
                within(condition, change);
                each_expr(then, change);
                each_expr(otherwise, change);
            }
            StatementKind::Label { body, .. } => each_expr(body, change),
        }
    }
}

fn within(expr: &mut ExprNode, change: &mut impl FnMut(&mut ExprNode)) {
    match &mut expr.kind {
        ExprNodeKind::Element { indices, .. } => {
            indices.iter_mut().for_each(|it| within(it, change))
        }
        ExprNodeKind::Slice { ranges, .. } => {
            for (first, last) in ranges {
                within(first, change);
                last.iter_mut().for_each(|it| within(it, change));
            }
        }
        ExprNodeKind::Call { arguments, .. } => {
            arguments.iter_mut().for_each(|it| within(it, change))
        }
        ExprNodeKind::Unary(_, it) | ExprNodeKind::Floor(it) | ExprNodeKind::Ceiling(it) => {
            within(it, change);
        }
        ExprNodeKind::Binary(_, left, right) => {
            within(left, change);
            within(right, change);
        }
        ExprNodeKind::Conditional(parts) => parts.iter_mut().for_each(|it| within(it, change)),
        _ => {}
    }
    change(expr);
}

/// Puts a form in the place of a name; sums that become affine are written in order.
pub(crate) fn substitute(
    block: &mut [StatementNode],
    of: &str,
    value: &Form,
    names: &BTreeSet<String>,
) {
    let put = value.expr();
    each_expr(block, &mut |expr| {
        if matches!(&expr.kind, ExprNodeKind::Name(it) if it == of) {
            *expr = put.clone();
        } else if matches!(&expr.kind, ExprNodeKind::Binary(BinaryOp::Add | BinaryOp::Subtract, ..))
            && let Some(form) = Form::of(expr, names)
        {
            *expr = form.expr();
        }
    });
}
