//! What one iteration of each loop accesses, read off the program's text.

use super::program::{
    Access, Block, Expr, ExprKind, For, Nest, Program, ScalarId, SiteId, Statement,
};
use crate::trace::{Kind, Phase};

/// The accesses that one iteration of the innermost of `loops` makes in a phase, if it takes every
/// branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    pub phase: Phase,
    /// Variables of the loops around, outermost first; `while` loops are called so.
    pub loops: Vec<String>,
    pub reads: Vec<SiteId>,
    pub writes: Vec<SiteId>,
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
    loops: Vec<String>,
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
                    self.inside(&[range.variable], body);
                }
                Statement::Parallel(Nest { ranges, body, .. }) => {
                    let variables: Vec<_> = ranges.iter().map(|range| range.variable).collect();
                    self.inside(&variables, body);
                }
                Statement::While { condition, body, .. } => {
                    self.loops.push("while".to_owned());
                    self.expr(condition);
                    self.block(body);
                    self.loops.pop();
                }
                Statement::If { condition, then, otherwise, .. } => {
                    self.expr(condition);
                    self.block(then);
                    self.block(otherwise);
                }
                Statement::Labelled { body, .. } => self.block(body),
            }
        }
    }

    fn inside(&mut self, variables: &[ScalarId], body: &Block) {
        let outer = self.loops.len();
        let names = variables.iter().map(|it| self.program.scalars[it.0].name.clone());
        self.loops.extend(names);
        self.block(body);
        self.loops.truncate(outer);
    }

    fn expr(&mut self, expr: &Expr) {
        let mut accesses = vec![];
        expr.walk(&mut |it| {
            if let ExprKind::Element(access) = &it.kind {
                accesses.push(&**access);
            }
        });
        accesses.into_iter().for_each(|access| self.access(access));
    }

    fn access(&mut self, access: &Access) {
        let site = &self.program.sites[access.site.0];
        let known = self.found.iter_mut();
        let known = known.rev().find(|it| it.phase == site.phase && it.loops == self.loops);
        let work = match known {
            Some(work) => work,
            None => {
                let loops = self.loops.clone();
                self.found.push(Work { phase: site.phase, loops, reads: vec![], writes: vec![] });
                let last = self.found.len() - 1;
                &mut self.found[last]
            }
        };
        match site.kind {
            Kind::Read => work.reads.push(access.site),
            Kind::Write => work.writes.push(access.site),
        }
    }
}
