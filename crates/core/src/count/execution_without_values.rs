//! Arrays with a layout, and accesses of neighbours: what is not counted, so that all is executed, without
//! values.

use super::{CountError, Counted, ExecutedLoop, UncheckedFailure};
use crate::language::oblivious::on_data;
use crate::language::program::{Nest, Program};
use crate::machine::{Clock, Counts, Machine, Mode};
use crate::run::layout::Layout;
use crate::run::{self, Accesses, Budget, Flow, Limits, Observer, Tracer};

/// Ends an execution after this many accesses, or operations.
struct Allowance {
    accesses: u64,
    operations: Budget,
}

impl Observer for Allowance {
    fn access(&mut self, accesses: &Accesses<'_>) {
        self.accesses = self.accesses.saturating_sub(accesses.active.count() as u64);
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn flow(&mut self, flow: Flow<'_>) {
        self.operations.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.accesses == 0 || self.operations.has_seen_enough()
    }
}

/// As [`super::count_within`], of a program whose time does not depend on memory.
pub(super) fn count(
    program: &Program,
    layout: &Layout,
    machine: Machine,
    mode: Mode,
    limits: Limits,
    [accesses, operations]: [u64; 2],
) -> Result<Option<Counted>, CountError> {
    if layout.bulk.is_some() {
        program.without_vectors("bulk runs")?;
    }
    let tracer = Tracer::new(program, Clock::new(machine, mode, limits.threads));
    let mut observers = (tracer, Allowance { accesses, operations: Budget(operations) });
    match run::execute_without_values(program, layout, limits, &mut observers) {
        Ok(()) => {}
        Err(_) if observers.1.has_seen_enough() => return Ok(None),
        Err(located) => return Err(located.into()),
    }
    let mut counts = observers.0.sink.finish();
    counts.resize(program.phases.len(), Counts::default());
    let place = program.first_layout().map(|it| it.1.span);
    let why = match place {
        Some(_) => "cells with a layout do not lie row by row",
        None => "neighbours are accessed at once",
    };
    let executed = place.or_else(|| program.first_vector()).map(|span| {
        let phases = (0..).take(program.phases.len()).collect();
        ExecutedLoop { phases, span, why }
    });
    let unchecked = UncheckedFailure::of(program, on_data(program));
    Ok(Some(Counted { counts, executed: executed.into_iter().collect(), unchecked }))
}
