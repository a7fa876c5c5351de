//! Work and span: T₁ is all that is done, T∞ the longest chain of it. Serial parts add; a parallel nest
//! adds the span of its longest iteration (Blelloch 1996; Cormen et al., Chapter 26).

use super::lanes::Lanes;
use super::{Cost, CostModel, CountedCost, Event, Spawn};
use crate::run::Active;
use crate::units::Threads;

pub(super) struct WorkSpan {
    counted: CountedCost,
    spawn: Spawn,
    threads: Threads,
    work: u128,
    span: u128,
    lanes: Lanes,
    /// Of the present nest: its iterations, and the span of the longest.
    nest: Option<(u128, u64)>,
}

impl WorkSpan {
    pub(super) fn new(counted: CountedCost, spawn: Spawn, threads: Threads) -> Self {
        let lanes = Lanes::default();
        Self { counted, spawn, threads, work: 0, span: 0, lanes, nest: None }
    }

    fn add(&mut self, active: &Active, cost: u64) {
        self.work += active.count() as u128 * u128::from(cost);
        match self.nest {
            Some(_) => self.lanes.add(active, cost),
            None => self.span += u128::from(cost),
        }
    }
}

impl CostModel for WorkSpan {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Access(_, site) if site.elements().is_none() => {}
            Event::Access(accesses, _) => self.add(accesses.active, self.counted.of_access()),
            Event::Operation(_, active) => self.add(active, self.counted.of_operation()),
            Event::NestBegins => self.nest = Some((0, 0)),
            Event::RoundBegins { count } => {
                self.lanes.begin(*count);
                if let Some((iterations, _)) = &mut self.nest {
                    *iterations += *count as u128;
                }
            }
            Event::RoundEnds => {
                if let Some((_, longest)) = &mut self.nest {
                    *longest = (*longest).max(self.lanes.most());
                }
            }
            Event::NestEnds => {
                let (iterations, longest) = self.nest.take().unwrap_or_default();
                self.span += u128::from(longest);
                if self.spawn == Spawn::Log {
                    self.span += u128::from(ceil_log2(iterations));
                }
            }
        }
    }

    fn cost(self: Box<Self>) -> Cost {
        let (work, span, p) = (self.work, self.span, u128::from(self.threads.get()));
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

/// ⌈log₂ n⌉; 0 for nothing.
const fn ceil_log2(n: u128) -> u32 {
    match n {
        0 | 1 => 0,
        _ => (n - 1).ilog2() + 1,
    }
}
