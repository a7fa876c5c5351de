//! Who is told of all that a launch does.

use super::counts::InstructionCounts;
use super::findings::{Checker, Code};
use super::sample::SampleSums;
use super::timing::Recorder;
use memory_machine_sass::launch::{
    ARRAY_STRIDE, Launch, LaunchObserver, MemoryAccess, MemorySpace, WarpAccess, WarpPlace,
};

/// Called now and then while a launch is executed; what unwinds from it ends the launch.
pub type Watch<'a> = &'a (dyn Fn() + Sync);

/// Instructions between two calls.
const WATCH_INSTRUCTIONS: u32 = 1 << 16;

/// Counts, checks and records.
pub(crate) struct Observer<'a> {
    launch: Launch<'a>,
    code: Code<'a>,
    pub(crate) counts: Vec<InstructionCounts>,
    pub(crate) checker: Option<Checker>,
    pub(crate) recorder: Option<Recorder>,
    /// Of a sample, by block.
    pub(crate) sums: Option<SampleSums>,
    pub(crate) printed: String,
    /// By array, whether it is read and whether it is written.
    pub(crate) arrays: Vec<[bool; 2]>,
    watch: Watch<'a>,
    unwatched: u32,
}

impl<'a> Observer<'a> {
    /// Of a launch of a kernel with so many arrays; whether it checks, and whether it records.
    pub(crate) fn new(
        launch: Launch<'a>,
        (code, arrays): (Code<'a>, usize),
        [checks, traces]: [bool; 2],
        watch: Watch<'a>,
    ) -> Self {
        Self {
            launch,
            code,
            counts: vec![InstructionCounts::default(); code.kernel.instructions()],
            checker: checks.then(Checker::default),
            recorder: traces.then(|| Recorder::new(launch.threads())),
            sums: launch.chosen.map(|_| SampleSums::default()),
            printed: String::new(),
            arrays: vec![[false; 2]; arrays],
            watch,
            unwatched: 0,
        }
    }
}

impl Observer<'_> {
    /// Counts what a warp does, for its instruction, and for its block where blocks are a sample.
    fn count(&mut self, warp: WarpPlace, of: impl FnOnce(&mut InstructionCounts)) {
        let counts = &mut self.counts[warp.instruction];
        let Some(sums) = &mut self.sums else { return of(counts) };
        let before = *counts;
        of(counts);
        sums.add(warp.block, &before, counts);
    }
}

/// Bytes of what threads print that are kept.
const MOST_PRINTED: usize = 1 << 20;

impl LaunchObserver for Observer<'_> {
    fn part(&self) -> Option<Self> {
        let asks = [self.checker.is_some(), self.recorder.is_some()];
        Some(Self::new(self.launch, (self.code, self.arrays.len()), asks, self.watch))
    }

    fn join(&mut self, part: Self) {
        if let (Some(it), Some(part)) = (&mut self.sums, part.sums) {
            it.join(part);
        }
        self.counts.iter_mut().zip(&part.counts).for_each(|(it, later)| it.join(later));
        if let (Some(it), Some(part)) = (&mut self.checker, part.checker) {
            it.join(part);
        }
        if let (Some(it), Some(part)) = (&mut self.recorder, part.recorder) {
            it.join(part);
        }
        for (all, of_part) in self.arrays.iter_mut().zip(part.arrays) {
            all.iter_mut().zip(of_part).for_each(|(all, of_part)| *all |= of_part);
        }
        self.print(&part.printed);
    }

    fn asks_for_values(&self) -> bool {
        self.checker.is_some()
    }

    fn begin_block(&mut self, block: u64) {
        if let Some(it) = &mut self.checker {
            it.begin_block(block);
        }
        if let Some(it) = &mut self.recorder {
            it.begin_block(block);
        }
    }

    fn instruction(&mut self, warp: WarpPlace) {
        self.count(warp, |it| it.execute(warp.active));
        if let Some(it) = &mut self.checker
            && self.code.kernel.orders_warp(warp.instruction)
        {
            it.meet_warp(warp.block, warp.warp);
        }
        self.unwatched += 1;
        if self.unwatched == WATCH_INSTRUCTIONS {
            self.unwatched = 0;
            (self.watch)();
        }
    }

    fn divergence(&mut self, warp: WarpPlace) {
        self.count(warp, |it| it.divergences += 1);
    }

    fn access(&mut self, access: &WarpAccess<'_>) {
        if access.is_request {
            self.count(access.warp, |it| it.access(access));
        }
        if access.space == MemorySpace::Global {
            let first = access.addresses[access.warp.active.trailing_zeros() as usize % 32];
            if let Some(it) = self.arrays.get_mut((first / ARRAY_STRIDE) as usize - 1) {
                it[0] |= access.access != MemoryAccess::Store;
                it[1] |= access.access.writes();
            }
        }
        if let Some(it) = &mut self.checker {
            it.access(&self.launch, access, self.code);
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

    fn barrier_apart(&mut self, warp: WarpPlace, other: usize) {
        if let Some(it) = &mut self.checker {
            it.barrier_apart(&self.launch, warp, other);
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
