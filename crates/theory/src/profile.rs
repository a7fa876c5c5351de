//! The sequential memory accesses of a program: their lengths and fragmentations, for all numbers
//! of threads, widths and latencies at once.

use std::collections::BTreeMap;

use memory_machine_core::diagnostic::Located;
use memory_machine_core::language::program::{Nest, Program};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::memory::Memory;
use memory_machine_core::run::{self, Accesses, Limits, Observer};
use memory_machine_core::units::Threads;

/// One sequential memory access (Nakano 2013, Section II): iteration `i` of a parallel nest asks
/// for one word, or for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SequentialAccess {
    /// The number of the phase among the program's.
    pub phase: u32,
    /// Iterations up to the last one that asks; 1 outside parallel nests.
    pub lanes: u64,
    /// The length: how many ask.
    pub length: u64,
    /// The fragmentation: neighbours, among those who ask, whose addresses differ by 2 or more.
    pub fragmentation: u64,
}

/// The accesses of a run with a thread for each iteration. With p threads, each falls into rounds
/// of p iterations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// How often each shape occurs.
    pub shapes: BTreeMap<SequentialAccess, u128>,
    /// Accesses that follow each other with any number of threads: those outside parallel nests,
    /// and for each nest the most that one iteration makes. Nests stand between barriers, and one
    /// thread's accesses follow each other, in either mode.
    pub chain: u128,
}

impl Profile {
    /// Adds `times` accesses of one shape.
    pub fn add(&mut self, shape: SequentialAccess, times: u128) {
        if shape.length > 0 {
            *self.shapes.entry(shape).or_default() += times;
        }
    }

    /// Takes the profile of a program whose addresses do not depend on memory. Time: the number of
    /// accesses. The layout must not be a bulk run's; its width does not matter, as gaps lie inside
    /// arrays.
    ///
    /// # Errors
    /// The program fails as it would when run.
    pub fn of(program: &Program, layout: &Layout, limits: Limits) -> Result<Self, Box<Located>> {
        let mut profiler = Profiler::new(program);
        let watch: &mut dyn Observer = &mut profiler;
        run::execute_without_values(program, layout, of_each(limits), watch)?;
        Ok(profiler.profile)
    }

    /// Takes the profile of one run, of a program whose iterations do not race; else another number of
    /// threads might ask for other words. Otherwise as [`Profile::of`].
    ///
    /// # Errors
    /// The program fails.
    pub fn of_run(
        program: &Program,
        layout: &Layout,
        memory: &mut Memory,
        limits: Limits,
    ) -> Result<Self, Box<Located>> {
        let mut profiler = Profiler::new(program);
        let watch: &mut dyn Observer = &mut profiler;
        run::execute(program, layout, memory, of_each(limits), watch)?;
        Ok(profiler.profile)
    }
}

struct Profiler<'a> {
    program: &'a Program,
    profile: Profile,
    inside: bool,
    /// Accesses of each iteration of the present nest.
    by_lane: Vec<u64>,
}

/// A thread for each iteration.
fn of_each(limits: Limits) -> Limits {
    Limits { threads: Threads::at_least_one(u64::MAX), ..limits }
}

impl<'a> Profiler<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, profile: Profile::default(), inside: false, by_lane: vec![] }
    }
}

impl Observer for Profiler<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let (mut lanes, mut length, mut fragmentation) = (0, 0, 0);
        let mut last: Option<u64> = None;
        accesses.active.for_each(|lane| {
            let address = accesses.addresses[lane];
            fragmentation += u64::from(last.is_some_and(|last| last.abs_diff(address) >= 2));
            last = Some(address);
            length += 1;
            lanes = lane as u64 + 1;
            if self.inside {
                if lane >= self.by_lane.len() {
                    self.by_lane.resize(lane + 1, 0);
                }
                self.by_lane[lane] += 1;
            }
        });
        let phase = self.program.sites[accesses.site.0].phase.0;
        self.profile.add(SequentialAccess { phase, lanes, length, fragmentation }, 1);
        if !self.inside {
            self.profile.chain += 1;
        }
    }

    fn enter_nest(&mut self, _: &Nest) {
        self.inside = true;
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.inside = false;
        self.profile.chain += u128::from(self.by_lane.iter().copied().max().unwrap_or(0));
        self.by_lane.clear();
    }
}
