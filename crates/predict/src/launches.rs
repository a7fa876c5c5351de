//! The launches of a run, and what is done between them.

use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{self as codegen, Launch};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::language::program::{Blocks, LoopRange, Nest, Program, ScalarId};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::{self, Accesses, Budget, Observer};
use memory_machine_core::trace::AccessKind;

/// Operations of a run whose launches depend on values, at most: some seconds.
const MOST_OPERATIONS: u64 = 1 << 30;

/// Accesses between parallel loops, which a cooperative kernel makes: all threads read, and one writes
/// between two barriers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SequentialAccesses {
    pub(super) reads: f64,
    pub(super) writes: f64,
}

/// Calls `note` for each parallel loop that a run reaches outside others, with its ranges and the integers
/// outside it. With values where accesses between loops may decide on them.
pub(super) fn each_launch(
    case: &Case,
    layout: &Layout,
    note: impl FnMut(&[LoopRange], &dyn Fn(ScalarId) -> i64) -> Result<(), Box<Diagnostic>>,
) -> Result<SequentialAccesses, CaseError> {
    let program = &*case.program;
    let accesses = SequentialAccesses::default();
    let mut observer = LaunchObserver { program, note, accesses, is_in_nest: false };
    let is_whole = codegen::launches(program) == [Launch::Cooperative];
    if !is_whole || first_dependence(program, Origin::AnyArray).is_none() {
        run::execute_without_values(program, layout, case.limits(), &mut observer)?;
        return Ok(observer.accesses);
    }
    let mut watch = (observer, Budget(MOST_OPERATIONS));
    let ran = case.execute(layout, &mut case.memory(layout)?, &mut watch);
    if watch.1.has_seen_enough() {
        return Err(CaseError::TooLong(format!(
            "its launches depend on its values, and executing it takes more than {MOST_OPERATIONS} \
             operations: choose smaller sizes"
        )));
    }
    ran?;
    Ok(watch.0.accesses)
}

struct LaunchObserver<'a, F> {
    program: &'a Program,
    note: F,
    accesses: SequentialAccesses,
    is_in_nest: bool,
}

impl<F> Observer for LaunchObserver<'_, F>
where
    F: FnMut(&[LoopRange], &dyn Fn(ScalarId) -> i64) -> Result<(), Box<Diagnostic>>,
{
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        if self.is_in_nest || self.program.arrays[site.array.0].role == Role::Register {
            return;
        }
        match site.kind {
            AccessKind::Read => self.accesses.reads += 1.0,
            AccessKind::Write => self.accesses.writes += 1.0,
        }
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.is_in_nest = true;
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.is_in_nest = false;
    }

    fn launch(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<(), Box<Diagnostic>> {
        (self.note)(&nest.ranges, scalars)
    }

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        (self.note)(&nest.ranges, scalars).map(|()| true)
    }

    fn skip_blocks(
        &mut self,
        blocks: &Blocks,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        (self.note)(&blocks.ranges, scalars).map(|()| true)
    }
}
