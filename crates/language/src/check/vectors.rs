//! Statements with neighbours, `b[i : i+3] ← a[i : i+3] + 1`: each read in one access, then for each
//! lane a value, all of them written in one access.

use super::types::Typed;
use super::{Checker, Result};
use crate::access::AccessKind;
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, Block, Expr, ExprKind};
use crate::syntax::{BinaryOp, ExprNode, ExprNodeKind, Name, Role, Target};
use crate::vector::{VECTOR_LANES, VectorLane};

const HELP: &str = "write `b[i : i+3] ← 2 * a[i : i+3]`, or `x, y, z, u ← a[i : i+3]`";

/// Whether indices name neighbours.
pub(super) fn are_neighbours(indices: &[ExprNode]) -> bool {
    indices.iter().any(|it| matches!(it.kind, ExprNodeKind::Neighbours(_)))
}

/// # Errors
/// Neighbours where one element is meant.
pub(super) fn refuse_neighbours(indices: &[ExprNode], span: Span) -> Result<()> {
    match are_neighbours(indices) {
        true => Err(Diagnostic::new(span, "neighbours stand in an assignment").help(HELP)),
        false => Ok(()),
    }
}

/// Whether an expression reads neighbours.
pub(super) fn reads_neighbours(node: &ExprNode) -> bool {
    any(
        node,
        |it| matches!(&it.kind, ExprNodeKind::Element { indices, .. } if are_neighbours(indices)),
    )
}

/// Whether some part of an expression, however deep, is such. Indices are no parts.
fn any(node: &ExprNode, is_such: impl Fn(&ExprNode) -> bool) -> bool {
    let mut rest = vec![node];
    while let Some(node) = rest.pop() {
        if is_such(node) {
            return true;
        }
        rest.extend(node.operands());
    }
    false
}

/// What was read before the lanes' values are computed: a name for each lane, or one for all.
struct Held {
    names: Vec<String>,
}

impl Checker<'_> {
    /// `target[…, i : i+3] ← value`.
    pub(super) fn vector_assignment(
        &mut self,
        (target, indices): (&Name, &[ExprNode]),
        value: &ExprNode,
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        if !are_neighbours(indices) {
            let message = format!("`{}` is one element or scalar, and this several", target.text);
            return Err(Diagnostic::new(value.span, message).help(HELP));
        }
        let lanes = self.lanes(indices)?;
        let mut held = vec![];
        let value = self.hold_reads(value, Some(lanes), (span, block), &mut held)?;
        let mut stores = vec![];
        for lane in 0..lanes {
            let value = self.typed(&of_lane(&value, &held, lane))?;
            let indices = at_lane(indices, lane);
            let mut store = self.assign(target, None, &indices, value, span)?;
            self.mark(&mut store, VectorLane { lane, lanes });
            stores.push(store);
        }
        self.are_vectors(&target.text, target.span)?;
        block.append(&mut stores);
        held.iter().flat_map(|it| &it.names).for_each(|_| self.scope.unbind());
        Ok(())
    }

    /// `x, y, z, u ← a[i : i+3]`.
    pub(super) fn vector_read(
        &mut self,
        targets: &[Target],
        value: &ExprNode,
        span: Span,
        block: &mut Block,
    ) -> Result<()> {
        let ExprNodeKind::Element { indices, .. } = &value.kind else {
            return Err(
                Diagnostic::new(value.span, "several targets take neighbours alone").help(HELP)
            );
        };
        let lanes = self.lanes(indices)?;
        if lanes != targets.len() as u64 {
            let message = format!("{lanes} neighbours for {} targets", targets.len());
            return Err(Diagnostic::new(value.span, message).help("name a target for each"));
        }
        let mut held = vec![];
        let value = self.hold_reads(value, Some(lanes), (span, block), &mut held)?;
        for (lane, Target { name, indices }) in (0..).zip(targets) {
            let value = self.typed(&of_lane(&value, &held, lane))?;
            let assignment = self.assign(name, None, indices, value, span)?;
            block.push(assignment);
        }
        held.iter().flat_map(|it| &it.names).for_each(|_| self.scope.unbind());
        Ok(())
    }

    /// Makes every read of an expression, from left to right, into registers, and returns the expression
    /// with their numbers in place of the reads.
    fn hold_reads(
        &mut self,
        node: &ExprNode,
        lanes: Option<u64>,
        (span, block): (Span, &mut Block),
        held: &mut Vec<Held>,
    ) -> Result<ExprNode> {
        let kind = match &node.kind {
            ExprNodeKind::Element { array, indices } if self.table(array).is_none() => {
                let count = if are_neighbours(indices) { self.lanes(indices)? } else { 1 };
                if count > 1 && Some(count) != lanes {
                    let message = format!("{count} neighbours beside {}", lanes.unwrap_or(1));
                    return Err(Diagnostic::new(node.span, message).help(HELP));
                }
                let mut names = vec![];
                for lane in 0..count {
                    let indices = at_lane(indices, lane);
                    let access = self.access(array, &indices, AccessKind::Read, node.span)?;
                    if count > 1 {
                        self.sites[access.site.0].vector = Some(VectorLane { lane, lanes: count });
                    }
                    let element = self.arrays[access.array.0].element;
                    let kind = ExprKind::Element(Box::new(access));
                    let expr = Expr { kind, element, span: node.span };
                    // No listing can spell such a name.
                    let name = format!("{array}:{}:{lane}", held.len());
                    let inferred = super::types::TypeEstimate::Known(element);
                    let target = self.scope.bind_to(&name, &format!("{array}_{lane}"), inferred);
                    self.assigned.insert(target);
                    let value = Typed { expr, inferred }.coerce(element)?;
                    block.push(program::Statement::Assign { target, value, span });
                    names.push(name);
                }
                if count > 1 {
                    self.are_vectors(array, node.span)?;
                }
                held.push(Held { names });
                ExprNodeKind::Name(placeholder(held.len() - 1))
            }
            ExprNodeKind::Conditional(_)
            | ExprNodeKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
                if node.operands().into_iter().any(reads_memory) =>
            {
                return Err(Diagnostic::new(node.span, "lanes would read or not, each for itself")
                    .help("read the neighbours into scalars first"));
            }
            kind => {
                let mut failure = None;
                let mut kind = kind.clone();
                kind.operands_mut().into_iter().for_each(|it| {
                    if failure.is_none() {
                        match self.hold_reads(it, lanes, (span, &mut *block), held) {
                            Ok(made) => *it = made,
                            Err(error) => failure = Some(error),
                        }
                    }
                });
                if let Some(error) = failure {
                    return Err(error);
                }
                kind
            }
        };
        Ok(ExprNode { kind, span: node.span })
    }

    /// How many neighbours the last index names.
    fn lanes(&self, indices: &[ExprNode]) -> Result<u64> {
        for (at, index) in indices.iter().enumerate() {
            let ExprNodeKind::Neighbours(ends) = &index.kind else { continue };
            if at + 1 < indices.len() {
                return Err(Diagnostic::new(index.span, "neighbours differ in the last index")
                    .help("swap the dimensions, or make an access for each"));
            }
            if reads_memory(&ends[0]) {
                return Err(Diagnostic::new(index.span, "an index of neighbours reads an array")
                    .help("read it into a scalar first"));
            }
            let [first, last] = &**ends;
            let ends_at = |lanes: &u64| {
                super::extents::plus(first.clone(), *lanes as i64 - 1).to_string()
                    == super::extents::plus(last.clone(), 0).to_string()
            };
            return VECTOR_LANES.into_iter().find(ends_at).ok_or_else(|| {
                Diagnostic::new(index.span, "one access has 2 or 4 neighbours")
                    .help("write `a[i : i+1]` or `a[i : i+3]`")
            });
        }
        Ok(1)
    }

    /// Refuses arrays whose neighbours are no neighbours in memory.
    fn are_vectors(&self, array: &str, span: Span) -> Result<()> {
        let Some(id) = self.array(array) else { return Ok(()) };
        let array = &self.arrays[id.0];
        let why = match (array.role, &array.layout) {
            (Role::Register, _) => "registers are read one by one",
            (_, Some(_)) => "its layout puts other words between neighbours",
            _ => return Ok(()),
        };
        Err(Diagnostic::new(span, format!("no neighbours of `{}`: {why}", array.name))
            .help("make an access for each element"))
    }

    fn mark(&mut self, store: &mut program::Statement, lane: VectorLane) {
        if let program::Statement::Store { access, .. } = store {
            self.sites[access.site.0].vector = Some(lane);
        }
    }
}

fn placeholder(read: usize) -> String {
    format!(":{read}")
}

/// Whether an expression reads an element.
fn reads_memory(node: &ExprNode) -> bool {
    any(node, |it| matches!(it.kind, ExprNodeKind::Element { .. }))
}

/// Indices of one of the neighbours.
fn at_lane(indices: &[ExprNode], lane: u64) -> Vec<ExprNode> {
    let at = |index: &ExprNode| match &index.kind {
        ExprNodeKind::Neighbours(ends) => super::extents::plus(ends[0].clone(), lane as i64),
        _ => index.clone(),
    };
    indices.iter().map(at).collect()
}

/// What one lane computes from what was read.
fn of_lane(node: &ExprNode, held: &[Held], lane: u64) -> ExprNode {
    let mut made = node.clone();
    if let ExprNodeKind::Name(name) = &mut made.kind
        && let Some(read) = name.strip_prefix(':').and_then(|it| it.parse::<usize>().ok())
    {
        let names = &held[read].names;
        *name = names[lane as usize % names.len()].clone();
    }
    made.kind.operands_mut().into_iter().for_each(|it| *it = of_lane(it, held, lane));
    made
}
