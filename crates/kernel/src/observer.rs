//! Who is told of all that a launch does.

use super::counts::InstructionCounts;
use super::findings::Checker;
use super::timing::Recorder;
use memory_machine_sass::launch::{Launch, LaunchObserver, WarpAccess, WarpPlace};

/// Counts, checks and records.
pub(crate) struct Observer<'a> {
    launch: Launch<'a>,
    pub(crate) counts: Vec<InstructionCounts>,
    pub(crate) checker: Option<Checker>,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) printed: String,
}

impl<'a> Observer<'a> {
    /// Of a launch of so many instructions of code.
    pub(crate) fn new(launch: Launch<'a>, instructions: usize, checks: bool, traces: bool) -> Self {
        Self {
            launch,
            counts: vec![InstructionCounts::default(); instructions],
            checker: checks.then(Checker::default),
            recorder: traces.then(|| Recorder::new(launch.threads())),
            printed: String::new(),
        }
    }
}

/// Bytes of what threads print that are kept.
const MOST_PRINTED: usize = 1 << 20;

impl LaunchObserver for Observer<'_> {
    fn begin_block(&mut self, block: u64) {
        if let Some(it) = &mut self.checker {
            it.begin_block(block);
        }
        if let Some(it) = &mut self.recorder {
            it.begin_block(block);
        }
    }

    fn instruction(&mut self, warp: WarpPlace) {
        self.counts[warp.instruction].execute(warp.active);
    }

    fn divergence(&mut self, warp: WarpPlace) {
        self.counts[warp.instruction].divergences += 1;
    }

    fn access(&mut self, access: &WarpAccess<'_>) {
        self.counts[access.warp.instruction].access(access);
        if let Some(it) = &mut self.checker {
            it.access(&self.launch, access);
        }
        if let Some(it) = &mut self.recorder {
            it.access(access);
        }
    }

    fn barrier(&mut self, block: u64) {
        if let Some(it) = &mut self.checker {
            it.barrier(block);
        }
        if let Some(it) = &mut self.recorder {
            it.barrier(block);
        }
    }

    fn partial_barrier(&mut self, block: u64) {
        if let Some(it) = &mut self.checker {
            it.partial_barrier(block);
        }
    }

    fn fence(&mut self, _: WarpPlace) {
        if let Some(it) = &mut self.checker {
            it.fence();
        }
    }

    fn print(&mut self, text: &str) {
        if self.printed.len() + text.len() <= MOST_PRINTED {
            self.printed += text;
        }
    }
}
