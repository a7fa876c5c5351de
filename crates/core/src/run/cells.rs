//! Which cells of the arrays one parallel loop reads and writes.

use std::collections::BTreeMap;

use super::layout::Layout;
use super::observer::{Accesses, Observer};
use crate::language::program::{ArrayId, Nest, Program, SiteId};
use crate::trace::{AccessKind, Phase};

/// What happens to a cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Use {
    /// It is read at least once.
    pub read: bool,
    /// It is written at least once.
    pub written: bool,
}

/// Observes, of some phases, the `time`-th parallel loop each that accesses memory.
pub struct Cells<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// With the number of their loops so far.
    phases: Vec<(Phase, u64)>,
    /// From 1.
    time: u64,
    /// Only iterations in which a loop variable has this value.
    iteration: Option<(&'a str, i64)>,
    /// The accesses of the present loop, by thread.
    pending: Vec<(usize, SiteId, u64)>,
    /// By array and cell, those that were observed.
    pub uses: BTreeMap<(ArrayId, u64), Use>,
}

impl<'a> Cells<'a> {
    /// An observer of a run from its start, in which every iteration has a thread of its own.
    pub fn new(
        program: &'a Program,
        layout: &'a Layout,
        phases: &[Phase],
        time: u64,
        iteration: Option<(&'a str, i64)>,
    ) -> Self {
        let phases = phases.iter().map(|&phase| (phase, 0)).collect();
        let (pending, uses) = (vec![], BTreeMap::new());
        Self { program, layout, phases, time, iteration, pending, uses }
    }

    fn note(&mut self, site: SiteId, address: u64) {
        let site = &self.program.sites[site.0];
        let (cell, _) = self.layout.cell(site.array, address);
        let cell = self.uses.entry((site.array, cell)).or_default();
        match site.kind {
            AccessKind::Read => cell.read = true,
            AccessKind::Write => cell.written = true,
        }
    }
}

impl Observer for Cells<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let phase = self.program.sites[accesses.site.0].phase;
        if self.phases.iter().any(|it| it.0 == phase) {
            accesses.active.for_each(|thread| {
                self.pending.push((thread, accesses.site, accesses.addresses[thread]));
            });
        }
    }

    fn enter_nest(&mut self, _: &Nest) {
        // What the first thread alone does is no part of a loop.
        self.pending.clear();
    }

    fn leave_nest(&mut self, _: &Nest, variables: &[(&str, &[u64])]) {
        let pending = std::mem::take(&mut self.pending);
        let mut observed = vec![];
        for (phase, times) in &mut self.phases {
            if pending.iter().any(|(_, site, _)| self.program.sites[site.0].phase == *phase) {
                *times += 1;
                if *times == self.time {
                    observed.push(*phase);
                }
            }
        }
        let iteration = self.iteration;
        let is_meant = |thread: usize| {
            iteration.is_none_or(|(name, value)| {
                let of = variables.iter().find(|it| it.0 == name);
                of.is_some_and(|it| it.1[thread].cast_signed() == value)
            })
        };
        for (thread, site, address) in pending {
            if observed.contains(&self.program.sites[site.0].phase) && is_meant(thread) {
                self.note(site, address);
            }
        }
    }
}
