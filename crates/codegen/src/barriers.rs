//! Where the threads of a block must wait for each other.
//!
//! Before and after every nest stands a barrier of the block, says the model; but a block only needs
//! one where a statement reads what others have written since the last barrier, or writes what others
//! have read or written. Between the iterations of one nest there is none: they must not need each
//! other's values.

use std::collections::{HashMap, HashSet};
use std::ptr::from_ref;

use memory_machine_core::language::program::{Access, ArrayId, Blocks, Expr, Program, Statement};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::statements;
use memory_machine_core::trace::AccessKind;

/// The statements of a block that wait, with the reason.
#[derive(Debug, Default)]
pub(super) struct Barriers {
    before: HashMap<*const Statement, String>,
    /// Loops whose condition waits before it is looked at again.
    at_end: HashMap<*const Statement, String>,
}

impl Barriers {
    pub(super) fn of(program: &Program, blocks: &Blocks) -> Self {
        let mut search = Search { program, found: Self::default() };
        search.block(&blocks.body, &mut PendingAccesses::default());
        search.found
    }

    pub(super) fn before(&self, statement: &Statement) -> Option<&str> {
        self.before.get(&from_ref(statement)).map(String::as_str)
    }

    pub(super) fn at_end(&self, statement: &Statement) -> Option<&str> {
        self.at_end.get(&from_ref(statement)).map(String::as_str)
    }

    fn count(&self) -> usize {
        self.before.len() + self.at_end.len()
    }

    /// How many there are in the text, and the reasons, each once.
    pub(super) fn summary(&self) -> (usize, Vec<&str>) {
        let mut reasons: Vec<&str> =
            self.before.values().chain(self.at_end.values()).map(String::as_str).collect();
        let count = reasons.len();
        reasons.sort_unstable();
        reasons.dedup();
        (count, reasons)
    }
}

/// Memory that a block has accessed since its last barrier.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct PendingAccesses {
    read: HashSet<ArrayId>,
    written: HashSet<ArrayId>,
}

impl PendingAccesses {
    /// The first array for which the next accesses must wait, and why.
    fn meets(&self, next: &Self) -> Option<(ArrayId, &'static str)> {
        let first = |one: &HashSet<ArrayId>, other: &HashSet<ArrayId>, why| {
            one.intersection(other).min().map(|&array| (array, why))
        };
        first(&self.written, &next.read, "read after it was written")
            .or_else(|| first(&self.written, &next.written, "written again"))
            .or_else(|| first(&self.read, &next.written, "written after it was read"))
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
    fn block(&mut self, block: &[Statement], done: &mut PendingAccesses) {
        for statement in block {
            self.statement(statement, done);
        }
    }

    fn statement(&mut self, statement: &Statement, done: &mut PendingAccesses) {
        let own = match statement {
            Statement::Parallel(_) => {
                let inside = statement.blocks().flat_map(statements).flat_map(Statement::accesses);
                self.accessed(inside.chain(statement.accesses()))
            }
            _ => self.accessed(statement.accesses()),
        };
        if let Some(why) = done.meets(&own) {
            let reason = self.reason(why);
            self.found.before.entry(from_ref(statement)).or_insert(reason);
            *done = PendingAccesses::default();
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
            Statement::Fork { branches, .. } => branches.iter().for_each(|it| self.block(it, done)),
            _ => {}
        }
    }

    /// A loop's body comes after what was before the loop, or after itself. What is found before one
    /// of these holds before all, since a barrier too many does no harm. But where one before the
    /// loop spares some in it, it stands there.
    fn repeated(
        &mut self,
        statement: &Statement,
        body: &[Statement],
        condition: Option<&Expr>,
        done: &mut PendingAccesses,
    ) {
        let from = |before: PendingAccesses| {
            let mut search = Search { program: self.program, found: Barriers::default() };
            let after = search.rounds(statement, body, condition, before);
            (search.found, after)
        };
        let (mut inside, mut after) = from(done.clone());
        let (fewer, after_fewer) = from(PendingAccesses::default());
        if fewer.count() < inside.count() {
            let is_in = |all: &Barriers, at: &*const Statement| {
                all.before.contains_key(at) || all.at_end.contains_key(at)
            };
            let mut all = inside.before.iter().chain(&inside.at_end);
            let spared = all.find(|(at, _)| !is_in(&fewer, at));
            let reason = spared.map_or(String::new(), |(_, reason)| reason.clone());
            self.found.before.entry(from_ref(statement)).or_insert(reason);
            (inside, after) = (fewer, after_fewer);
        }
        self.found.before.extend(inside.before);
        self.found.at_end.extend(inside.at_end);
        *done = after;
    }

    /// Goes through a loop until nothing is found any more; what is accessed since the last barrier
    /// then.
    fn rounds(
        &mut self,
        statement: &Statement,
        body: &[Statement],
        condition: Option<&Expr>,
        mut before: PendingAccesses,
    ) -> PendingAccesses {
        let asked = self.accessed(condition.into_iter().flat_map(Expr::reads));
        loop {
            let mut after = before.clone();
            self.block(body, &mut after);
            if let Some(why) = after.meets(&asked) {
                let reason = self.reason(why);
                self.found.at_end.entry(from_ref(statement)).or_insert(reason);
                after = PendingAccesses::default();
            }
            after.extend(&asked);
            let mut all = before.clone();
            all.extend(&after);
            if all == before {
                return before;
            }
            before = all;
        }
    }

    fn reason(&self, (array, why): (ArrayId, &str)) -> String {
        format!("{} is {why}", self.program.arrays[array.0].name)
    }

    /// Memory that other threads of the block see.
    fn accessed<'b>(&self, accesses: impl Iterator<Item = &'b Access>) -> PendingAccesses {
        let mut found = PendingAccesses::default();
        for access in accesses {
            let site = &self.program.sites[access.site.0];
            if self.program.arrays[site.array.0].role != Role::Register {
                let set = match site.kind {
                    AccessKind::Read => &mut found.read,
                    AccessKind::Write => &mut found.written,
                };
                set.insert(site.array);
                if site.atomic.is_some() {
                    found.read.insert(site.array);
                }
            }
        }
        found
    }
}
