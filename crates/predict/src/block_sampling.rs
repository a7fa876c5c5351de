//! Runs a few blocks of threads of a few launches of each parallel loop: what they do stands for all.

use super::block_counts::BlockSums;
use super::current_launch::CurrentLaunch;
use super::plan::Plan;
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen as codegen;
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::oblivious::{Origin, first_dependence};
use memory_machine_core::language::program::{Blocks, LoopId, Nest, Program, ScalarId};
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::{self, Accesses, Active, BlocksEvent, Budget, Observer, Operation};
use memory_machine_core::run::{Flow, NestArrival};
use memory_machine_core::trace::{AccessKind, Space};
use memory_machine_core::units::{Threads, WARP};

/// Launches of a loop that are looked at, and blocks of each.
const SAMPLED_LAUNCHES: usize = 6;
const SAMPLED_BLOCKS: u64 = 4;
/// The same where all run anyway.
const SAMPLED_BLOCKS_WITH_VALUES: u64 = 16;

/// Operations of a run with values, at most: ten seconds or so.
const MOST_OPERATIONS: u64 = 1 << 31;

/// What a mean block of a launch does.
#[derive(Debug, Clone)]
pub(super) struct BlockSample {
    pub(super) launch: usize,
    /// Iterations of the mean block; of a loop on DMMs 1.
    pub(super) iterations: f64,
    pub(super) sums: BlockSums,
}

/// By plan, those launches that were looked at.
pub(super) type LaunchSamples = Vec<Vec<BlockSample>>;

/// Samples every plan. `l1_bytes` is a multiprocessor's cache, of which each block that it holds has
/// an equal share.
pub(super) fn sample(
    case: &Case,
    layout: &Layout,
    plans: &[Plan],
    resident: Threads,
    l1_bytes: &dyn Fn(&Plan) -> f64,
) -> Result<LaunchSamples, CaseError> {
    let program = &*case.program;
    let has_values = first_dependence(program, Origin::AnyArray).is_some();
    let chosen = plans.iter().map(|it| spread(it.launches.len() as u64, SAMPLED_LAUNCHES as u64));
    let mut sampler = Sampler {
        program,
        layout,
        plans,
        resident: resident.get(),
        bytes: plans.iter().map(l1_bytes).collect(),
        chosen: chosen.map(|it| it.into_iter().map(|at| at as usize).collect()).collect(),
        begun: vec![0; plans.len()],
        has_values,
        samples: vec![vec![]; plans.len()],
        offsets: offsets(program, layout),
        now: None,
    };
    let case = &Case { threads: resident, ..case.clone() };
    if has_values {
        let mut watch = (sampler, Budget(MOST_OPERATIONS));
        let run = case.execute(layout, &mut case.memory(layout)?, &mut watch);
        if watch.1.has_seen_enough() {
            return Err(CaseError::TooLong(format!(
                "its time depends on its values, and executing it takes more than {MOST_OPERATIONS} \
                 operations: choose smaller sizes"
            )));
        }
        run?;
        Ok(watch.0.samples)
    } else {
        run::execute_without_values(program, layout, case.limits(), &mut sampler)?;
        Ok(sampler.samples)
    }
}

/// At most `count` numbers below `all`, evenly apart.
pub(super) fn spread(all: u64, count: u64) -> Vec<u64> {
    let count = count.min(all);
    (0..count).map(|it| (2 * it + 1) * all / (2 * count)).collect()
}

/// Where each array begins in bytes, as a device allocates them.
fn offsets(program: &Program, layout: &Layout) -> Vec<u64> {
    let mut next = 0;
    let place = |(region, array): (
        &run::layout::Region,
        &memory_machine_core::language::program::Array,
    )| {
        let here = next;
        next += (region.cells * codegen::bytes_of(array.element)).next_multiple_of(256);
        here
    };
    layout.regions.iter().zip(&program.arrays).map(place).collect()
}

struct Sampler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    plans: &'a [Plan],
    /// Threads that are there at once.
    resident: u64,
    /// Cache of a block, by plan.
    bytes: Vec<f64>,
    /// Launches to look at, by plan.
    chosen: Vec<Vec<usize>>,
    /// Launches that have begun, by plan.
    begun: Vec<usize>,
    has_values: bool,
    samples: LaunchSamples,
    offsets: Vec<u64>,
    now: Option<CurrentLaunch>,
}

impl Sampler<'_> {
    /// A launch begins; whether it is looked at.
    fn begin(&mut self, of: LoopId) -> bool {
        let Some(plan) = self.plans.iter().position(|it| it.of == of) else { return false };
        let launch = self.begun[plan];
        self.begun[plan] += 1;
        let planned = &self.plans[plan];
        if !self.chosen[plan].contains(&launch) {
            return false;
        }
        let most = if self.has_values { SAMPLED_BLOCKS_WITH_VALUES } else { SAMPLED_BLOCKS };
        let picked = spread(planned.launches[launch].blocks, most);
        self.now = Some(CurrentLaunch::new((plan, launch), planned, &picked, self.bytes[plan]));
        true
    }

    fn end(&mut self) {
        let Some(now) = self.now.take() else { return };
        let (plan, launch) = (now.plan, now.launch);
        let (iterations, sums) = now.mean_block(&self.plans[plan], self.resident);
        self.samples[plan].push(BlockSample { launch, iterations, sums });
    }
}

impl Observer for Sampler<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let Some(now) = &mut self.now else { return };
        let plan = &self.plans[now.plan];
        let site = &self.program.sites[accesses.site.0];
        let bytes = codegen::bytes_of(self.program.arrays[site.array.0].element);
        let (base, offset) = (self.layout.regions[site.array.0].base.0, self.offsets[site.array.0]);
        let is_shared = accesses.blocks.is_some_and(|it| it.space == Space::Shared);
        let mut words: Vec<u64> = Vec::with_capacity((WARP * plan.each) as usize);
        let mut of = None;
        let number = accesses.site.0;
        let flush = |now: &mut CurrentLaunch, of: Option<(usize, u64)>, words: &mut Vec<u64>| {
            let Some((block, warp)) = of else { return };
            let is_read = site.kind == AccessKind::Read;
            match is_shared {
                true => now.blocks[block].shared((number, warp), is_read, words, bytes),
                false => {
                    now.blocks[block].global((number, warp), is_read, words, bytes);
                }
            }
            words.clear();
        };
        accesses.active.for_each(|lane| {
            let Some((block, thread)) = now.place(plan, self.has_values, lane as u64) else {
                return;
            };
            let warp = Some((block, thread / WARP));
            if warp != of {
                flush(now, of, &mut words);
                of = warp;
            }
            let cell = accesses.addresses[lane];
            words.push(if is_shared { cell * bytes } else { (cell - base) * bytes + offset });
        });
        flush(now, of, &mut words);
    }

    fn operation(&mut self, operation: &dyn Fn() -> Option<Operation>, active: &Active) {
        let Some(now) = &mut self.now else { return };
        let Some(operation) = operation() else { return };
        let plan = &self.plans[now.plan];
        if !self.has_values
            && !plan.of_blocks
            && let Active::First(count) = active
        {
            if let Some(block) = now.running() {
                now.blocks[block].operation(operation, (0, count.div_ceil(WARP as usize) as f64));
            }
            return;
        }
        // All threads of a block do what thread 0 decides.
        let times = match plan.of_blocks && !now.in_nest {
            true => plan.threads.div_ceil(WARP) as f64,
            false => 1.0,
        };
        let mut of = None;
        active.for_each(|lane| {
            let place = now.place(plan, self.has_values, lane as u64);
            let Some((block, thread)) = place else { return };
            let warp = Some((block, lane / WARP as usize));
            if warp != of {
                of = warp;
                now.blocks[block].operation(operation, (thread / WARP, times));
            }
        });
    }

    fn flow(&mut self, flow: Flow<'_>) {
        let Some(now) = &mut self.now else { return };
        if self.has_values && !self.plans[now.plan].of_blocks {
            match flow {
                Flow::RoundBegins { count } => now.count = count as u64,
                Flow::RoundEnds => now.passed += now.count,
                _ => {}
            }
        }
    }

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let known = |scalar| Some(scalars(scalar));
        let parameters = &self.layout.parameters;
        let iterations = codegen::iterations(&nest.ranges, parameters, &known).unwrap_or(0);
        Ok(iterations == 0 || !self.begin(nest.id()))
    }

    fn skip_blocks(
        &mut self,
        blocks: &Blocks,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        let known = |scalar| Some(scalars(scalar));
        let parameters = &self.layout.parameters;
        let count = codegen::iterations(&blocks.ranges, parameters, &known).unwrap_or(0);
        Ok(count == 0 || !self.begin(blocks.ranges[0].id))
    }

    fn next_round(&mut self, _: &Nest) -> Option<Vec<(u64, u64)>> {
        let now = self.now.as_mut()?;
        if self.plans[now.plan].of_blocks {
            return None;
        }
        Some(now.rounds.pop().unwrap_or_default())
    }

    fn enter_nest(&mut self, nest: &Nest) {
        // With values no nest is skipped; an empty one is no launch.
        if self.has_values {
            self.begin(nest.id());
        }
        if let Some(now) = &mut self.now {
            now.in_nest = true;
        }
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        self.end();
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        if let BlocksEvent::Begin { blocks, .. } = event
            && self.has_values
        {
            self.begin(blocks.ranges[0].id);
        }
        let Some(now) = &mut self.now else { return };
        match event {
            BlocksEvent::Begin { .. } => {}
            BlocksEvent::Deal { first, .. } => now.passed = first,
            BlocksEvent::Barrier { active, .. } => {
                // One before a nest, one after it.
                now.in_nest = !now.in_nest;
                let warps = self.plans[now.plan].threads.div_ceil(WARP) as f64;
                let has_values = self.has_values;
                active.for_each(|lane| {
                    let block = match has_values {
                        true => now.places.get(&(now.passed + lane as u64)).copied(),
                        false => Some(lane),
                    };
                    if let Some(block) = block {
                        now.blocks[block].barrier(warps);
                    }
                });
            }
            BlocksEvent::Round(_) => {}
            BlocksEvent::End => self.end(),
        }
    }

    fn dealt(
        &mut self,
        _: &Blocks,
        lanes: std::ops::Range<usize>,
        _: &dyn Fn(ScalarId, usize) -> i64,
    ) -> (Vec<usize>, bool) {
        let Some(now) = &mut self.now else { return (vec![], true) };
        let (start, first) = (lanes.start, now.dealt);
        now.dealt += lanes.len() as u64;
        let is_picked = |lane: &usize| now.places.contains_key(&(first + (lane - start) as u64));
        (lanes.filter(is_picked).collect(), true)
    }

    fn enter_nest_of_blocks(&mut self, _: &Nest, at: NestArrival<'_>) -> Active {
        at.active.clone()
    }
}
