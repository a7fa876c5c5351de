//! What one iteration of each loop accesses, read off the program's text.

use super::program::{Access, Block, Expr, ExprKind, For, Nest, Program, Range, SiteId, Statement};
use super::syntax::BinaryOp;
use crate::trace::{Kind, Phase};

/// The accesses that one iteration of the innermost of `loops` makes in a phase, without those of
/// loops inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    pub phase: Phase,
    /// The loops around, outermost first.
    pub loops: Vec<Loop>,
    /// The sites of every branch.
    pub reads: Vec<SiteId>,
    pub writes: Vec<SiteId>,
    /// How many accesses an iteration makes, whichever branches it takes: at least and at most.
    pub least: usize,
    pub most: usize,
}

/// A loop of the listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// Its variable; `while` loops are called so.
    pub name: String,
    /// Where it stands in the text, in bytes.
    pub start: usize,
}

/// The work of a program, in the order of its text. Linear in its size.
pub fn work(program: &Program) -> Vec<Work> {
    let mut survey = Survey { program, loops: vec![], found: vec![] };
    survey.block(&program.body);
    survey.found
}

/// Every site of a block.
pub fn sites_of(program: &Program, block: &Block) -> Vec<SiteId> {
    let mut survey = Survey { program, loops: vec![], found: vec![] };
    survey.block(block);
    survey.found.into_iter().flat_map(|work| work.reads.into_iter().chain(work.writes)).collect()
}

struct Survey<'a> {
    program: &'a Program,
    loops: Vec<Loop>,
    found: Vec<Work>,
}

impl Survey<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Assign { value, .. } => self.expr(value),
                Statement::Store { access, value, .. } => {
                    self.expr(value);
                    access.indices.iter().for_each(|index| self.expr(index));
                    self.access(access);
                }
                Statement::For(For { range, body }) => {
                    for bound in [Some(&range.from), Some(&range.to), range.step.as_ref()] {
                        bound.into_iter().for_each(|bound| self.expr(bound));
                    }
                    self.inside(std::slice::from_ref(range), body);
                }
                Statement::Parallel(Nest { ranges, body, .. }) => {
                    self.inside(ranges, body);
                }
                Statement::While { condition, body, span } => {
                    self.loops.push(Loop { name: "while".to_owned(), start: span.start });
                    self.expr(condition);
                    self.block(body);
                    self.loops.pop();
                }
                Statement::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.either(|it| it.block(then), |it| it.block(otherwise));
                }
                Statement::Labelled { body, .. } => self.block(body),
            }
        }
    }

    fn inside(&mut self, ranges: &[Range], body: &Block) {
        let outer = self.loops.len();
        let scalars = &self.program.scalars;
        self.loops.extend(ranges.iter().map(|range| {
            let name = scalars[range.variable.0].name.clone();
            Loop { name, start: range.span.start }
        }));
        self.block(body);
        self.loops.truncate(outer);
    }

    /// Two arms, of which an iteration takes one.
    fn either(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let before = self.counts();
        then(self);
        let after_then = self.counts();
        // Work that the first arm found is of the other arm, too: none of it.
        for (index, work) in self.found.iter_mut().enumerate() {
            if work.loops == self.loops {
                (work.least, work.most) = before.get(index).copied().unwrap_or_default();
            }
        }
        otherwise(self);
        for (index, work) in self.found.iter_mut().enumerate() {
            if work.loops == self.loops {
                let (least, most) = after_then.get(index).copied().unwrap_or_default();
                (work.least, work.most) = (work.least.min(least), work.most.max(most));
            }
        }
    }

    /// By number of the work found so far.
    fn counts(&self) -> Vec<(usize, usize)> {
        self.found.iter().map(|work| (work.least, work.most)).collect()
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Element(access) => {
                access.indices.iter().for_each(|index| self.expr(index));
                self.access(access);
            }
            ExprKind::Convert(operand) | ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.expr(left);
                self.either(|it| it.expr(right), |_| ());
            }
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.expr(condition);
                self.either(|it| it.expr(then), |it| it.expr(otherwise));
            }
            ExprKind::Let(_, parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Boolean(_)
            | ExprKind::Parameter(_)
            | ExprKind::Scalar(_) => {}
        }
    }

    fn access(&mut self, access: &Access) {
        let site = &self.program.sites[access.site.0];
        let known = self.found.iter_mut();
        let known = known.rev().find(|it| it.phase == site.phase && it.loops == self.loops);
        let work = match known {
            Some(work) => work,
            None => {
                let loops = self.loops.clone();
                let (phase, reads, writes) = (site.phase, vec![], vec![]);
                self.found.push(Work { phase, loops, reads, writes, least: 0, most: 0 });
                let last = self.found.len() - 1;
                &mut self.found[last]
            }
        };
        work.least += 1;
        work.most += 1;
        match site.kind {
            Kind::Read => work.reads.push(access.site),
            Kind::Write => work.writes.push(access.site),
        }
    }
}
