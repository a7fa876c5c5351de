//! Paths through a block, by its `if`s: what scalars are at the end of each.

use super::level::Level;
use super::polynomial::Polynomial;
use super::scope::{Scope, assigned};
use super::walk::Walk;
use memory_machine_core::language::program::{Block, LoopId, Statement};

/// A way through a block.
#[derive(Clone)]
pub(super) struct Path {
    /// Where it has come to.
    pub(super) scope: Scope,
    /// Before the loop at which it stopped, each time.
    pub(super) stops: Vec<Scope>,
    /// After that loop.
    pub(super) resumed: Option<Scope>,
}

/// More paths than this are not followed.
const MOST_PATHS: usize = 24;

impl Path {
    pub(super) fn at(scope: Scope) -> Self {
        Self { scope, stops: vec![], resumed: None }
    }
}

impl Walk<'_> {
    /// Gives scalars names of which facts may speak: those that are `positive` are not negative.
    pub(super) fn name(&mut self, scalars: &[usize], positive: &[usize], scope: &mut Scope) {
        for &scalar in scalars {
            let more = self.symbolizer.local();
            scope.levels.push(Level::Sum(more));
            let mut value = Polynomial::from(more);
            if !positive.contains(&scalar) {
                let less = self.symbolizer.local();
                scope.levels.push(Level::Sum(less));
                value = &value - &less.into();
            }
            scope.values[scalar] = Some(value);
        }
    }

    /// All paths from `start` through a block. At the loop `stop` nothing is known but what it leaves
    /// alone; what other loops change has no name.
    pub(super) fn paths(
        &mut self,
        block: &Block,
        stop: Option<LoopId>,
        start: Path,
    ) -> Option<Vec<Path>> {
        let mut paths = vec![start];
        for statement in block {
            let mut next = vec![];
            for path in paths {
                next.extend(self.after(statement, stop, path)?);
            }
            paths = next;
            if paths.len() > MOST_PATHS {
                return None;
            }
        }
        Some(paths)
    }

    fn after(
        &mut self,
        statement: &Statement,
        stop: Option<LoopId>,
        mut path: Path,
    ) -> Option<Vec<Path>> {
        match statement {
            Statement::Assign { target, value, .. } => {
                let known = self.symbolizer.value(value, &mut path.scope);
                path.scope.values[target.0] = Some(known);
            }
            Statement::Store { atomic, .. } => {
                let old: Vec<_> = atomic.iter().filter_map(|it| it.old).map(|it| it.0).collect();
                self.forget(&old, &mut path.scope);
            }
            Statement::If { condition, then, otherwise, .. } => {
                let facts = self.symbolizer.facts(condition, &mut path.scope);
                let mut all = vec![];
                for (arm, facts) in [then, otherwise].into_iter().zip(facts) {
                    let mut inside = path.clone();
                    let known = &mut inside.scope.facts;
                    facts.into_iter().flatten().for_each(|it| *known = known.and(it));
                    all.extend(self.paths(arm, stop, inside)?);
                }
                return Some(all);
            }
            Statement::Labelled { body, .. } => return self.paths(body, stop, path),
            Statement::While { id, body, .. } if Some(*id) == stop => {
                path.stops.push(path.scope.clone());
                self.name(&assigned(body), &[], &mut path.scope);
                path.resumed = Some(path.scope.clone());
            }
            Statement::While { .. }
            | Statement::For(_)
            | Statement::Fork { .. }
            | Statement::Parallel(_)
            | Statement::Blocks(_) => {
                let changed: Vec<usize> = statement.blocks().flat_map(assigned).collect();
                self.forget(&changed, &mut path.scope);
                let own: Vec<usize> = statement.ranges().iter().map(|it| it.variable.0).collect();
                self.forget(&own, &mut path.scope);
            }
        }
        Some(vec![path])
    }
}
