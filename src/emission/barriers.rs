//! Where the threads of a block must wait for each other.
//!
//! Before and after every nest stands a barrier of the block, says the model; but a block only needs
//! one where a statement reads what others have written since the last barrier, or writes what others
//! have read or written. Between the iterations of one nest there is none: they must not need each
//! other's values.

use std::collections::HashSet;
use std::ptr::from_ref;

use crate::language::program::{Access, ArrayId, Blocks, Expr, Program, Statement};
use crate::language::syntax::Role;
use crate::language::walk::statements;
use crate::trace::Kind;

/// The statements of a block that wait.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    before: HashSet<*const Statement>,
    /// Loops whose condition waits before it is looked at again.
    at_end: HashSet<*const Statement>,
}

impl Barriers {
    pub(super) fn of(program: &Program, blocks: &Blocks) -> Self {
        let mut search = Search { program, found: Self::default() };
        let mut done = Accessed::default();
        search.block(&blocks.body, &mut done);
        search.found
    }

    pub(super) fn before(&self, statement: &Statement) -> bool {
        self.before.contains(&from_ref(statement))
    }

    pub(super) fn at_end(&self, statement: &Statement) -> bool {
        self.at_end.contains(&from_ref(statement))
    }
}

/// Memory that a block has accessed since its last barrier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Accessed {
    read: HashSet<ArrayId>,
    written: HashSet<ArrayId>,
}

impl Accessed {
    fn meets(&self, next: &Self) -> bool {
        let any = |one: &HashSet<_>, other: &HashSet<_>| !one.is_disjoint(other);
        any(&self.written, &next.read)
            || any(&self.written, &next.written)
            || any(&self.read, &next.written)
    }

    fn extend(&mut self, other: &Self) {
        self.read.extend(&other.read);
        self.written.extend(&other.written);
    }
}

struct Search<'a> {
    program: &'a Program,
    found: Barriers,
}

impl Search<'_> {
    /// Goes through statements after what was `done`, and leaves there what is then.
    fn block(&mut self, block: &[Statement], done: &mut Accessed) {
        for statement in block {
            self.statement(statement, done);
        }
    }

    fn statement(&mut self, statement: &Statement, done: &mut Accessed) {
        let own = match statement {
            Statement::Parallel(_) => {
                let inside = statement.blocks().flat_map(statements).flat_map(Statement::accesses);
                self.accessed(inside.chain(statement.accesses()))
            }
            _ => self.accessed(statement.accesses()),
        };
        let is_before = done.meets(&own);
        if is_before {
            self.found.before.insert(from_ref(statement));
            *done = Accessed::default();
        }
        done.extend(&own);
        match statement {
            Statement::If { then, otherwise, .. } => {
                let mut other = done.clone();
                self.block(then, done);
                self.block(otherwise, &mut other);
                done.extend(&other);
            }
            Statement::For(source) => self.repeated(statement, &source.body, None, done),
            Statement::While { condition, body, .. } => {
                self.repeated(statement, body, Some(condition), done);
            }
            Statement::Labelled { body, .. } => self.block(body, done),
            _ => {}
        }
    }

    /// A loop's body comes after what was before the loop, or after itself. What is found before one
    /// of these holds before all, since a barrier too many does no harm.
    fn repeated(
        &mut self,
        statement: &Statement,
        body: &[Statement],
        condition: Option<&Expr>,
        done: &mut Accessed,
    ) {
        let asked = self.accessed(condition.into_iter().flat_map(Expr::reads));
        let mut before = done.clone();
        loop {
            let mut after = before.clone();
            self.block(body, &mut after);
            if after.meets(&asked) {
                self.found.at_end.insert(from_ref(statement));
                after = Accessed::default();
            }
            after.extend(&asked);
            let mut all = before.clone();
            all.extend(&after);
            if all == before {
                break;
            }
            before = all;
        }
        *done = before;
    }

    /// Memory that other threads of the block see.
    fn accessed<'b>(&self, accesses: impl Iterator<Item = &'b Access>) -> Accessed {
        let mut found = Accessed::default();
        for access in accesses {
            let site = &self.program.sites[access.site.0];
            if self.program.arrays[site.array.0].role != Role::Register {
                let set = match site.kind {
                    Kind::Read => &mut found.read,
                    Kind::Write => &mut found.written,
                };
                set.insert(site.array);
            }
        }
        found
    }
}
