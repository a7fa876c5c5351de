//! What one iteration of each loop accesses, read off the program's text.

use std::collections::HashMap;

use super::program::{Access, Block, Expr, ExprKind, LoopId, Program, SiteId, Statement};
use super::syntax::{BinaryOp, Role};
use crate::access::{AccessKind, Phase};

/// The accesses that one iteration of the innermost of `loops` makes in a phase, without those of
/// loops inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IterationAccesses {
    /// The label to which the accesses are counted.
    pub phase: Phase,
    /// The loops around, outermost first.
    pub loops: Vec<LoopId>,
    /// The sites of every branch.
    pub reads: Vec<SiteId>,
    /// The sites of every branch that are written to.
    pub writes: Vec<SiteId>,
    /// Accesses of an iteration that takes the shortest branches.
    pub least: usize,
    /// Accesses of an iteration that takes the longest branches.
    pub most: usize,
}

impl Program {
    /// The phase of what stands under a label, itself in another phase: that one, if nothing under the
    /// label has accesses.
    pub fn phase_within(&self, label: &str, outer: Phase) -> Phase {
        let known = self.phases.iter().position(|it| it == label);
        known.map_or(outer, |index| Phase(index as u32))
    }
}

/// The work of a program, in the order of its text. Linear in its size.
pub fn work(program: &Program) -> Vec<IterationAccesses> {
    let mut survey = Survey { program, loops: vec![], found: vec![], places: HashMap::new() };
    survey.block(&program.body);
    survey.found
}

struct Survey<'a> {
    program: &'a Program,
    loops: Vec<LoopId>,
    found: Vec<IterationAccesses>,
    /// By innermost loop, where the work of each phase is in `found`.
    places: HashMap<Option<LoopId>, Vec<usize>>,
}

impl Survey<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            let outer = self.loops.len();
            // Its condition is evaluated in each of its iterations.
            if let Statement::While { id, .. } = statement {
                self.loops.push(*id);
            }
            statement.expressions().for_each(|it| self.expr(it));
            if let Statement::Store { access, .. } = statement {
                self.access(access);
            }
            self.loops.extend(statement.ranges().iter().map(|range| range.id));
            match statement {
                Statement::If { then, otherwise, .. } => {
                    self.either(|it| it.block(then), |it| it.block(otherwise));
                }
                _ => statement.blocks().for_each(|it| self.block(it)),
            }
            self.loops.truncate(outer);
        }
    }

    /// Two arms, of which an iteration takes one.
    fn either(&mut self, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let before = self.counts();
        then(self);
        let after_then = self.counts();
        // Work that the first arm found is of the other arm, too: none of it.
        for (index, place) in self.here().into_iter().enumerate() {
            let work = &mut self.found[place];
            (work.least, work.most) = before.get(index).copied().unwrap_or_default();
        }
        otherwise(self);
        for (index, place) in self.here().into_iter().enumerate() {
            let work = &mut self.found[place];
            let (least, most) = after_then.get(index).copied().unwrap_or_default();
            (work.least, work.most) = (work.least.min(least), work.most.max(most));
        }
    }

    /// Where the work of the present loop is.
    fn here(&self) -> Vec<usize> {
        self.places.get(&self.loops.last().copied()).cloned().unwrap_or_default()
    }

    /// Of the work of the present loop.
    fn counts(&self) -> Vec<(usize, usize)> {
        let counts = |place: usize| (self.found[place].least, self.found[place].most);
        self.here().into_iter().map(counts).collect()
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.expr(left);
                self.either(|it| it.expr(right), |_| ());
            }
            ExprKind::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                self.expr(condition);
                self.either(|it| it.expr(then), |it| it.expr(otherwise));
            }
            _ => expr.operands().for_each(|it| self.expr(it)),
        }
        if let ExprKind::Element(access) = &expr.kind {
            self.access(access);
        }
    }

    fn access(&mut self, access: &Access) {
        if self.program.arrays[access.array.0].role == Role::Register {
            return;
        }
        let site = &self.program.sites[access.site.0];
        if site.elements().is_none() {
            return;
        }
        let here = self.places.entry(self.loops.last().copied()).or_default();
        let known = here.iter().copied().find(|&place| self.found[place].phase == site.phase);
        let place = known.unwrap_or_else(|| {
            let (phase, loops) = (site.phase, self.loops.clone());
            let (reads, writes) = (vec![], vec![]);
            self.found.push(IterationAccesses { phase, loops, reads, writes, least: 0, most: 0 });
            here.push(self.found.len() - 1);
            self.found.len() - 1
        });
        let work = &mut self.found[place];
        work.least += 1;
        work.most += 1;
        match site.kind {
            AccessKind::Read => work.reads.push(access.site),
            AccessKind::Write => work.writes.push(access.site),
        }
    }
}
