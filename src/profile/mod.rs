//! A run spread out: what each line of the listing takes, and the accesses of warps as a flame that other
//! viewers show.

mod flame;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::case::{Case, CaseError};
use crate::language::program::Program;
use crate::machine::Mode;
use crate::run::layout::Layout;
use crate::steps::{StepRecorder, Steps};
use crate::units::TimeUnits;

/// A run with all of its accesses.
pub struct Profile {
    program: Arc<Program>,
    layout: Layout,
    steps: Steps,
    is_sum: bool,
}

/// What the accesses of one line take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LineCost {
    /// Steps in which it is executed.
    pub steps: u128,
    /// Accesses of warps.
    pub dispatches: u128,
    /// Pipeline stages of them.
    pub stages: u128,
    /// Stages beyond one for each access of a warp: what lies in the way.
    pub conflicts: u128,
    /// Its part of the run's time; none where times overlap: asynchronously, and on the HMM.
    pub time_units: Option<u128>,
}

impl LineCost {
    /// 1 where all is coalesced, w at worst.
    pub fn stages_per_dispatch(&self) -> f64 {
        self.stages as f64 / self.dispatches.max(1) as f64
    }
}

impl Profile {
    /// Executes a case and keeps all that is asked for, if these are at most so many requests.
    ///
    /// # Errors
    /// [`CaseError`]; a run with more requests.
    pub fn record(case: &Case, most: u64) -> Result<Self, CaseError> {
        let layout = case.layout()?;
        let mut memory = case.memory(&layout)?;
        let before = memory.clone();
        let mut recorder = StepRecorder::new(
            (&case.program, &layout, &before),
            (case.machine, case.mode, case.threads),
            TimeUnits(0),
            [most; 2],
        );
        let run = case.execute(&layout, &mut memory, &mut recorder);
        let steps = recorder.finish();
        if !steps.is_to_the_end {
            return Err(CaseError::Given(format!(
                "the run makes more than {most} requests, which are not kept one by one; choose smaller sizes"
            )));
        }
        run?;
        let is_sum = case.mode == Mode::Sync && case.machine.kind.dmms().is_none();
        Ok(Self { program: case.program.clone(), layout, steps, is_sum })
    }

    /// The cost of each line that accesses memory, by its number from 1.
    pub fn by_line(&self) -> BTreeMap<usize, LineCost> {
        // By access step: warps' accesses and stages.
        let events = RefCell::new(BTreeMap::<usize, [u128; 2]>::new());
        self.steps.pipeline(|it, _, event| {
            let mut events = events.borrow_mut();
            let [dispatches, stages] = events.entry(event).or_default();
            *dispatches += 1;
            *stages += u128::from(it.stages);
            false
        });
        let latency = u128::from(self.steps.machine().latency.get());
        let mut lines = BTreeMap::<usize, LineCost>::new();
        for (event, [dispatches, stages]) in events.into_inner() {
            let line = lines.entry(self.line(event)).or_default();
            line.steps += 1;
            line.dispatches += dispatches;
            line.stages += stages;
            line.conflicts += stages - dispatches;
            line.time_units =
                self.is_sum.then(|| line.time_units.unwrap_or(0) + stages + latency - 1);
        }
        lines
    }

    /// The line of an access step.
    fn line(&self, event: usize) -> usize {
        self.program.source.line(self.program.sites[self.steps.site_of(event).0].span)
    }
}
