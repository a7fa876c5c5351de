//! An end to what takes long.

use super::{Accesses, Flow, Observer};
use crate::language::program::Nest;

/// Operations that an execution has left.
#[derive(Debug)]
pub struct Budget(pub u64);

impl Observer for Budget {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn flow(&mut self, flow: Flow<'_>) {
        let threads = match &flow {
            Flow::Computed { active, .. } => active.count(),
            _ => 1,
        };
        self.0 = self.0.saturating_sub(threads as u64);
    }

    fn has_seen_enough(&self) -> bool {
        self.0 == 0
    }
}
