//! The parallel loops that a run comes to, each as often as it does: what a host launches.

use super::layout::Layout;
use super::observer::{Accesses, Observer};
use super::{Limits, execute_without_values};
use crate::diagnostic::{Diagnostic, Located};
use crate::language::program::{Blocks, LoopRange, Nest, Program, ScalarId};

/// Calls `note` for each parallel loop that a run of `program` comes to outside others, with its ranges
/// and the integers outside it; none is executed.
///
/// # Errors
/// Those of `note`, and as [`execute_without_values`].
pub fn each_launch(
    program: &Program,
    layout: &Layout,
    limits: Limits,
    note: impl FnMut(&[LoopRange], &dyn Fn(ScalarId) -> i64) -> Result<(), Box<Diagnostic>>,
) -> Result<(), Box<Located>> {
    let watch: &mut dyn Observer = &mut Launches(note);
    execute_without_values(program, layout, limits, watch)
}

struct Launches<F>(F);

impl<F> Observer for Launches<F>
where
    F: FnMut(&[LoopRange], &dyn Fn(ScalarId) -> i64) -> Result<(), Box<Diagnostic>>,
{
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        (self.0)(&nest.ranges, scalars).map(|()| true)
    }

    fn skip_blocks(
        &mut self,
        blocks: &Blocks,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        (self.0)(&blocks.ranges, scalars).map(|()| true)
    }
}
