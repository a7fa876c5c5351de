//! Keeps steps of an execution.

use super::{Steps, active};
use crate::language::program::{ArrayId, Nest, Program};
use crate::machine::{self, Machine, Mode};
use crate::run::layout::Layout;
use crate::run::memory::Memory;
use crate::run::{Accesses, BlockTracer, BlocksEvent, Observer};
use crate::trace::{AccessKind, Sink, Step, Trace};
use crate::units::{Threads, TimeUnits};

/// Words of global memory up to which they are shown with their values.
const MOST_WORDS: u64 = 1 << 12;

/// Keeps the steps of an execution from a time unit on, as many as it may. A run can be cut where
/// nothing is under way: after each step of a synchronous run, at each barrier, and around a loop on
/// DMMs. The steps that are kept begin at the last such place.
pub struct StepRecorder<'a> {
    program: &'a Program,
    kept: Steps,
    blocks: BlockTracer,
    is_in_blocks: bool,
    from: TimeUnits,
    /// Requests that may still be kept.
    left: u64,
    /// Requests that may still be passed over.
    patience: u64,
    step: Step,
}

impl<'a> StepRecorder<'a> {
    /// Of a run of a program on `memory`, the steps from time unit `from` on: at most `most` requests,
    /// but for those of the last step, and at most `patience` requests before them.
    pub fn new(
        (program, layout, memory): (&'a Program, &Layout, &Memory),
        (machine, mode, threads): (Machine, Mode, Threads),
        from: TimeUnits,
        [most, patience]: [u64; 2],
    ) -> Self {
        let words = (layout.words <= MOST_WORDS).then(|| {
            let mut words = vec![None; layout.words as usize];
            for (id, region) in layout.regions.iter().enumerate() {
                if program.arrays[id].role.is_local() {
                    continue;
                }
                let first = region.base.0 as usize;
                for (word, bits) in words[first..].iter_mut().zip(memory.words(layout, ArrayId(id)))
                {
                    *word = bits;
                }
            }
            words
        });
        let kept = Steps {
            machine,
            mode,
            trace: Trace::new(threads),
            facts: vec![],
            values: vec![],
            start: TimeUnits(0),
            before: 0,
            memory: words,
            is_to_the_end: false,
        };
        let (blocks, step) = (BlockTracer::default(), Step::new(AccessKind::Read));
        Self { program, kept, blocks, is_in_blocks: false, from, left: most, patience, step }
    }

    /// What was kept.
    pub fn finish(mut self) -> Steps {
        self.kept.is_to_the_end = !self.has_seen_enough();
        self.kept
    }

    /// Nothing is under way: forgets what is kept if it is over before it is of interest.
    fn cut(&mut self) {
        let kept = &mut self.kept;
        if kept.start >= self.from || kept.trace.events.is_empty() {
            return;
        }
        let end = kept.start + machine::time(kept.machine, kept.mode, &kept.trace).time_units;
        if end > self.from {
            // From here on all is kept.
            self.from = kept.start;
            return;
        }
        kept.memory = kept.memory.is_some().then(|| kept.memory(end)).flatten();
        kept.start = end;
        kept.before += kept.pipeline(|_, _, _| false).steps;
        let (passed, trace) = (kept.values.len() as u64, &mut kept.trace);
        self.patience = self.patience.saturating_sub(passed);
        self.left += passed;
        trace.events.clear();
        kept.facts.clear();
        kept.values.clear();
    }
}

impl Observer for StepRecorder<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let site = &self.program.sites[accesses.site.0];
        let Some(elements) = site.elements() else { return };
        self.step.words = elements;
        self.blocks.begin(elements);
        if self.kept.mode == Mode::Sync && !self.is_in_blocks {
            self.cut();
        }
        let kept = &mut self.kept;
        let mut value = kept.values.len();
        accesses.active.for_each(|lane| kept.values.push(accesses.values[lane]));
        self.left = self.left.saturating_sub((kept.values.len() - value) as u64);
        match accesses.blocks {
            Some(of) => {
                self.blocks.access(accesses, of, site, &mut kept.trace);
                accesses.by_block(of, &mut self.step, |_, step| {
                    kept.facts.push((accesses.site, value));
                    value += active(&step.pieces).count();
                });
            }
            None => {
                accesses.fill(site.kind, &mut self.step);
                self.step.is_atomic = site.atomic.is_some_and(|it| it.is_serial);
                kept.trace.step(site.phase, &self.step);
                kept.facts.push((accesses.site, value));
            }
        }
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.cut();
        self.kept.trace.barrier();
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.cut();
        self.kept.trace.barrier();
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        if matches!(event, BlocksEvent::Begin { .. }) {
            self.cut();
            self.is_in_blocks = true;
        }
        self.blocks.event(event, &mut self.kept.trace);
        if matches!(event, BlocksEvent::End) {
            self.is_in_blocks = false;
            self.cut();
        }
    }

    fn blocks_in_step(&self) -> Option<u64> {
        self.kept.trace.blocks_in_step()
    }

    fn has_seen_enough(&self) -> bool {
        self.left == 0 || self.patience == 0
    }
}
