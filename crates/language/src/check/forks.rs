//! Calls in parallel: they and what is done meanwhile are branches, which meet at `sync`.

use std::collections::HashSet;
use std::slice::from_ref;

use super::early_exits::may_leave;
use super::{Checker, Result};
use crate::diagnostic::{Diagnostic, Span};
use crate::program::{self, ScalarId};
use crate::syntax::{StatementKind, StatementNode};

impl Checker<'_> {
    pub(super) fn fork(
        &mut self,
        calls: &[StatementNode],
        meanwhile: &[StatementNode],
        span: Span,
    ) -> Result<program::Statement> {
        if self.in_parallel || self.in_blocks {
            return Err(Diagnostic::new(span, "`spawn` inside a parallel loop").help(
                "only what stands outside parallel loops is spawned; iterations are parallel without it",
            ));
        }
        if may_leave(meanwhile) {
            return Err(Diagnostic::new(span, "what is spawned here may be left before `sync`")
                .help("write `break` or `return` behind `sync`"));
        }
        let mut branches = vec![];
        let mut given: HashSet<ScalarId> = HashSet::new();
        for call in calls {
            let before = self.assigned.clone();
            branches.push(self.sequence(from_ref(call), None)?);
            given.extend(results(call).into_iter().filter_map(|it| self.scope.lookup(it)));
            given.extend(self.assigned.difference(&before));
            // The branches beside do not see it.
            self.assigned = before;
            self.assigned.retain(|it| !given.contains(it));
        }
        if !meanwhile.is_empty() {
            branches.push(self.sequence(meanwhile, None)?);
        }
        self.assigned.extend(given);
        Ok(program::Statement::Fork { branches, span })
    }
}

/// The scalars that a call's results are assigned to.
fn results(call: &StatementNode) -> Vec<&str> {
    match &call.kind {
        StatementKind::Assign { target, .. } => vec![&target.text],
        StatementKind::Several { targets, .. } => {
            targets.iter().map(|it| it.name.text.as_str()).collect()
        }
        _ => vec![],
    }
}
