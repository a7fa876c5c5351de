//! A run for values, for what launches find in arrays.

use std::collections::{BTreeSet, HashMap};

use super::arrays::Arrays;
use memory_machine_case::{Case, CaseError};
use memory_machine_core::language::program::{ArrayId, LoopId, Nest, Program};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::{self, Accesses, BlocksEvent, Budget, Flow, Observer};
use memory_machine_core::units::Threads;

/// Iterations of a launch that are done at a time, so that it ends where it should.
const ROUND_ITERATIONS: u64 = 1 << 13;
/// Operations of a run that is to find out what arrays are, at most: some seconds.
const MOST_OPERATIONS: u64 = 1 << 30;
/// This many of them at its end are shared by all launches that are left.
const FINAL_OPERATIONS: u64 = 1 << 27;

/// A launch: of a loop, for the time after this many.
pub(super) type LaunchKey = (LoopId, usize);

/// Visits these launches of `all` with what arrays are before them, in one run of the program. Where it
/// takes long, the rest of its launches do only as many of their first iterations as there is time
/// for; what was not computed for later ones is taken to be like that of the first. Launches that it
/// does not find the arrays as it leaves them.
pub(super) fn visit_launches(
    case: &Case,
    layout: &Layout,
    launches: BTreeSet<LaunchKey>,
    all: usize,
    mut visit: impl FnMut(LaunchKey, Arrays<'_>),
) -> Result<(), CaseError> {
    let program = &*case.program;
    let (mut memory, mut left) = (case.memory(layout)?, launches);
    let visit_launch = |launch, memory: &run::memory::Memory, known| {
        if left.remove(&launch) {
            visit(launch, Arrays::of(program, layout, memory, known));
        }
        left.is_empty()
    };
    let threads = case.threads.get().min(ROUND_ITERATIONS);
    let case = &Case { threads: Threads::at_least_one(threads), ..case.clone() };
    let mut fast_forward = FastForward::new(visit_launch, program, layout, all as u64);
    // It ends in the middle, which is a failure; as is what the case itself would say.
    let _ = case.execute(layout, &mut memory, &mut fast_forward);
    let known = fast_forward.known;
    left.into_iter().for_each(|it| visit(it, Arrays::of(program, layout, &memory, known)));
    Ok(())
}

/// Ends a run at a launch after which none is asked for. Once most of its time is over, each launch ends
/// after its share of what is left.
struct FastForward<'a, F> {
    visit_launch: F,
    program: &'a Program,
    layout: &'a Layout,
    /// How often each loop has been reached.
    turns: HashMap<LoopId, usize>,
    is_over: bool,
    /// Operations of the run, and of the launch, that are left.
    left: Budget,
    left_of_launch: Budget,
    /// Launches that are left.
    launches: u64,
    /// Threads of a block of the loop on DMMs that runs.
    a_block: Option<u64>,
    /// First threads that the launch has done, and that all have which ended early.
    done: u64,
    known: u64,
    /// Whether all cells have values.
    is_whole: bool,
}

impl<'a, F> FastForward<'a, F> {
    fn new(visit_launch: F, program: &'a Program, layout: &'a Layout, launches: u64) -> Self {
        Self {
            visit_launch,
            program,
            layout,
            turns: HashMap::new(),
            is_over: false,
            left: Budget(MOST_OPERATIONS),
            left_of_launch: Budget(0),
            launches,
            a_block: None,
            done: 0,
            known: u64::MAX,
            is_whole: false,
        }
    }
}

impl<F: FnMut(LaunchKey, &run::memory::Memory, u64) -> bool> Observer for FastForward<'_, F> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn memory_before(&mut self, of: LoopId, memory: &mut run::memory::Memory) {
        let is_cut = self.known < u64::MAX;
        if is_cut && !self.is_whole {
            let arrays = self.program.global_arrays().count();
            (0..arrays).for_each(|it| memory.repeat(self.layout, ArrayId(it)));
            self.is_whole = true;
        }
        let turn = self.turns.entry(of).or_default();
        self.is_over = (self.visit_launch)((of, *turn), memory, self.known);
        *turn += 1;
        let share = match self.left.0.checked_sub(FINAL_OPERATIONS).filter(|_| !is_cut) {
            Some(left) => left,
            None => self.left.0 / self.launches.max(1),
        };
        (self.done, self.left_of_launch) = (0, Budget(share));
        self.launches = self.launches.saturating_sub(1);
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { threads, .. } => self.a_block = Some(threads.get()),
            BlocksEvent::Deal { count, .. } => {
                self.done += count as u64 * self.a_block.unwrap_or_default();
            }
            BlocksEvent::End => self.a_block = None,
            _ => {}
        }
    }

    fn ends_nest(&mut self) -> bool {
        let ends = self.left_of_launch.has_seen_enough() && self.done > 0;
        if ends {
            self.known = self.known.min(self.done);
        }
        ends
    }

    fn flow(&mut self, flow: Flow<'_>) {
        // Of a loop on DMMs the blocks count that are dealt, not the rounds of their nests.
        if let (Flow::RoundBegins { count }, None) = (&flow, self.a_block) {
            self.done += *count as u64;
        }
        self.left.flow(flow.clone());
        self.left_of_launch.flow(flow);
    }

    fn has_seen_enough(&self) -> bool {
        self.is_over || self.left.has_seen_enough()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory_machine_core::language::walk::outermost_parallel;

    /// Of two loops, for whose iterations there is no time, each does its first; the second finds the
    /// first one's results there, and the same again where it has none.
    #[test]
    fn a_long_run_does_first_iterations_of_all_loops() {
        let text = "algorithm gathers(n)
input a[n] : i32 from random(0, 1000)
output b[n] : i32
output c[n] : i32
for i ← 0 to n-1 do in parallel
  b[i] ← a[i] + 1
for i ← 0 to n-1 do in parallel
  c[i] ← b[n - 1 - i]
";
        let case = Case::parse("gathers", text).unwrap().set("n", 3 * ROUND_ITERATIONS as i64);
        let case = Case { threads: Threads::at_least_one(ROUND_ITERATIONS), ..case };
        let (program, layout) = (&*case.program, case.layout().unwrap());
        let mut memory = case.memory(&layout).unwrap();
        let mut found = vec![];
        let visit_launch = |launch: LaunchKey, memory: &run::memory::Memory, known| {
            found.push((launch.1, known, memory.values(&layout, ArrayId(1), 0)));
            false
        };
        let mut fast_forward = FastForward::new(visit_launch, program, &layout, 3);
        fast_forward.left = Budget(15 * ROUND_ITERATIONS);
        case.execute(&layout, &mut memory, &mut fast_forward).unwrap();
        assert!(fast_forward.left.0 > 0);
        let a = memory.values(&layout, ArrayId(0), 0);
        let [first, second] = &found[..] else { panic!("{} launches", found.len()) };
        assert_eq!((first.0, first.1), (0, u64::MAX));
        assert!(first.2.iter().all(Option::is_none));
        let known = second.1;
        assert!(
            second.0 == 0 && [ROUND_ITERATIONS, 2 * ROUND_ITERATIONS].contains(&known),
            "{known}"
        );
        for (cell, value) in second.2.iter().enumerate() {
            assert_eq!(*value, a[cell % known as usize].map(|it| it + 1), "{cell}");
        }
        let c = memory.values(&layout, ArrayId(2), 0);
        assert!(c[..ROUND_ITERATIONS as usize].iter().all(Option::is_some));
    }

    /// A loop on DMMs finds what the loop before it has computed, and the loop after it what it has.
    #[test]
    fn loops_on_dmms_find_values_and_leave_them() {
        let text = "algorithm turns_hmm(n)
input a[n] : i32 from random(0, 1000)
work b[n] : i32
output c[n] : i32
output d[n] : i32
for i ← 0 to n-1 do in parallel
  b[i] ← a[i] + 1
for k ← 0 to n/32 - 1 do in parallel on DMMs with 32 threads
  shared s[32] : i32
  for i ← 0 to 31 do in parallel
    s[i] ← b[32 × k + i]
  for i ← 0 to 31 do in parallel
    c[32 × k + i] ← s[31 - i]
for i ← 0 to n-1 do in parallel
  d[i] ← c[c[i] mod n]
";
        let case = Case::parse("turns_hmm", text).unwrap().set("n", 256).with_dmms();
        let (program, layout) = (&*case.program, case.layout().unwrap());
        let loops = outermost_parallel(&program.body);
        let launches: BTreeSet<LaunchKey> = loops.map(|it| (it.ranges()[0].id, 0)).collect();
        let mut found = vec![];
        visit_launches(&case, &layout, launches, 3, |_, arrays| {
            let of = |array| arrays.memory.values(&layout, ArrayId(array), 0);
            found.push([of(0), of(1), of(2)]);
        })
        .unwrap();
        let [_, blocks, last] = &found[..] else { panic!("{} launches", found.len()) };
        for cell in 0..256 {
            let more = |it: usize| blocks[0][it].map(|it| it + 1);
            assert_eq!(blocks[1][cell], more(cell), "{cell}");
            assert_eq!(last[2][cell], more(cell / 32 * 32 + 31 - cell % 32), "{cell}");
        }
        assert!(blocks[2].iter().all(Option::is_none));
    }
}
