//! Work and span (Blelloch 1996; Cormen et al., Chapter 26).

use super::strands::Strands;
use super::{Cost, CostModel, CountedCost, Event, Spawn};
use crate::units::Threads;

pub(super) struct WorkSpan {
    strands: Strands,
    threads: Threads,
}

impl WorkSpan {
    pub(super) fn new(counted: CountedCost, spawn: Spawn, threads: Threads) -> Self {
        Self { strands: Strands::new(counted, spawn), threads }
    }
}

impl CostModel for WorkSpan {
    fn event(&mut self, event: &Event<'_>) {
        self.strands.event(event);
    }

    fn cost(self: Box<Self>) -> Cost {
        let (work, span) = (self.strands.work, self.strands.span);
        let p = u128::from(self.threads.get());
        // Of a listing that does nothing there is no quotient.
        let parallelism = if span == 0 { 0.0 } else { work as f64 / span as f64 };
        Cost::default()
            .with("work", "work T₁", work)
            .with("span", "span T∞", span)
            .with("parallelism", "parallelism T₁/T∞", parallelism)
            .with("processors", "processors p", p)
            .with("brent", "Brent's bound ⌈(T₁ − T∞)/p⌉ + T∞", (work - span).div_ceil(p) + span)
    }
}
