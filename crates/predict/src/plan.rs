//! How a parallel loop is launched: which blocks of threads have which iterations.

use super::launches::{SequentialAccesses, each_launch};
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK, Emission, LaunchGrid};
use memory_machine_core::diagnostic::Diagnostic;
use memory_machine_core::language::program::{
    Blocks, LoopId, LoopRange, Program, ScalarId, Statement,
};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::outermost_parallel;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::units::Threads;

/// Rows of all nests that a prediction goes through; more would take minutes.
const MOST_ROWS: u128 = 1 << 26;

/// A parallel loop with its launches.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) of: LoopId,
    /// Whether it is a loop on DMMs.
    pub(super) of_blocks: bool,
    /// Threads of a block.
    pub(super) threads: u64,
    grid: LaunchGrid,
    /// Neighbouring iterations of a thread.
    pub(super) each: u64,
    /// Bytes of a block's shared memory.
    pub(super) shared_bytes: f64,
    searched: bool,
    pub(super) launches: Vec<PlannedLaunch>,
    /// Products and sums with which a thread finds its row, at most, and those that wait for each other.
    pub(super) search: [f64; 2],
}

/// One launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlannedLaunch {
    pub(super) blocks: u64,
    pub(super) iterations: u64,
}

impl Plan {
    /// The iterations of a block as (first, how many), ascending.
    pub(super) fn pieces(&self, launch: usize, block: u64) -> Vec<(u64, u64)> {
        if let LaunchGrid::Tiles(tile) = self.grid {
            return tile.pieces(block);
        }
        let each = self.threads * self.each;
        let from = block * each;
        vec![(from, each.min(self.launches[launch].iterations.saturating_sub(from)))]
    }
}

/// The parallel loops of a case as `emission` has them, in the order of the program.
pub(super) fn plan(
    case: &Case,
    layout: &Layout,
    emission: &Emission,
    resident: Threads,
) -> Result<(Vec<Plan>, SequentialAccesses), CaseError> {
    let program = &*case.program;
    let plans = outermost_parallel(&program.body).map(|it| of(program, layout, emission, it));
    let plans = plans.collect();
    let mut planner = Planner { layout, resident, plans, rows: RowCount::default() };
    let note =
        |ranges: &[LoopRange], scalars: &dyn Fn(ScalarId) -> i64| planner.launch(ranges, scalars);
    let between = each_launch(case, layout, note)?;
    Ok((planner.plans, between))
}

fn of(program: &Program, layout: &Layout, emission: &Emission, source: &Statement) -> Plan {
    let id = source.ranges()[0].id;
    // A cooperative kernel has all loops.
    let kernel = emission.of_loop(id).map_or(&emission.kernels[0], |it| it.1);
    let each = match kernel.grid {
        LaunchGrid::Threads(each) => each.into(),
        LaunchGrid::Tiles(_) | LaunchGrid::Program | LaunchGrid::Blocks => 1,
    };
    let blocks = match source {
        Statement::Blocks(blocks) => Some(blocks),
        _ => None,
    };
    let shared = |blocks: &Blocks| {
        let arrays = program.blocks[blocks.id.0].arrays.clone();
        let shared = arrays.filter(|&it| program.arrays[it].role == Role::Shared);
        let bytes =
            |it: usize| layout.regions[it].words * codegen::bytes_of(program.arrays[it].element);
        shared.map(bytes).sum::<u64>() as f64
    };
    Plan {
        of: id,
        of_blocks: blocks.is_some(),
        // A cooperative kernel says none.
        threads: match kernel.grid {
            LaunchGrid::Program => COOPERATIVE_BLOCK.into(),
            _ => kernel.threads.into(),
        },
        grid: kernel.grid,
        each,
        shared_bytes: blocks.map_or(0.0, shared),
        searched: is_searched(source.ranges()),
        launches: vec![],
        search: [0.0; 2],
    }
}

/// Blocks of a launch. Threads that count all rows do so once each: no more come than are there at once,
/// if that is known.
pub(super) fn blocks(
    grid: LaunchGrid,
    threads: u64,
    iterations: u64,
    at_once: Option<Threads>,
) -> u64 {
    let each = match grid {
        LaunchGrid::Tiles(tile) => return tile.blocks.into(),
        LaunchGrid::Blocks => return iterations,
        LaunchGrid::Threads(each) => each.into(),
        LaunchGrid::Program => 1,
    };
    let all = iterations.div_ceil(each);
    at_once.map_or(all, |it| all.min(it.get())).div_ceil(threads)
}

/// Whether a nest's rows differ in length, so that a thread searches for its own.
fn is_searched(ranges: &[LoopRange]) -> bool {
    let mut inner = ranges[1..].iter().flat_map(|range| [&range.from, &range.to]);
    let is_variable = |it| ranges.iter().any(|range| range.variable == it);
    inner.any(|bound| bound.scalars().any(is_variable))
}

/// # Errors
/// A bound that is read from memory.
pub(super) fn rows_are_known(ranges: &[LoopRange]) -> Result<(), Box<Diagnostic>> {
    let mut bounds = ranges.iter().flat_map(|it| [&it.from, &it.to]);
    match bounds.find(|it| it.reads().next().is_some()) {
        None => Ok(()),
        Some(bound) => {
            let message =
                "how often this parallel loop iterates is read from memory, which is not predicted";
            Err(Diagnostic::new(bound.span, message)
                .help("read it into a variable before the loop")
                .into())
        }
    }
}

/// Rows of all nests whose rows are traversed one by one.
#[derive(Default)]
pub(super) struct RowCount(u128);

impl RowCount {
    /// Those of one more launch.
    ///
    /// # Errors
    /// More in all than a prediction goes through.
    pub(super) fn of(
        &mut self,
        ranges: &[LoopRange],
        parameters: &[i64],
        scalars: &dyn Fn(ScalarId) -> Option<i64>,
    ) -> Result<u64, Box<Diagnostic>> {
        let rows = codegen::iterations(&ranges[..1], parameters, scalars).unwrap_or(0);
        if is_searched(ranges) {
            self.0 += u128::from(rows);
        }
        if self.0 > MOST_ROWS {
            let message = format!(
                "with these loops there are {} rows of different lengths, and a prediction goes \
                 through them one by one, up to {MOST_ROWS}: choose smaller sizes",
                self.0
            );
            return Err(Diagnostic::new(ranges[0].span, message).into());
        }
        Ok(rows)
    }
}

/// Notes each launch of each loop.
struct Planner<'a> {
    layout: &'a Layout,
    /// Threads that are there at once.
    resident: Threads,
    plans: Vec<Plan>,
    rows: RowCount,
}

impl Planner<'_> {
    fn launch(
        &mut self,
        ranges: &[LoopRange],
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<(), Box<Diagnostic>> {
        let known = |scalar| Some(scalars(scalar));
        let parameters = &self.layout.parameters;
        let Some(plan) = self.plans.iter_mut().find(|it| it.of == ranges[0].id) else {
            return Ok(());
        };
        rows_are_known(ranges)?;
        let rows = self.rows.of(ranges, parameters, &known)?;
        let iterations = codegen::iterations(ranges, parameters, &known).unwrap_or(0);
        if iterations == 0 {
            return Ok(());
        }
        let walked = codegen::is_walked(ranges);
        let most = walked.then_some(self.resident);
        let blocks = blocks(plan.grid, plan.threads, iterations, most);
        plan.launches.push(PlannedLaunch { blocks, iterations });
        if plan.searched && !plan.of_blocks {
            // A row's two bounds; or a closed sum.
            let (steps, each) = match walked {
                true => (rows as f64, [16.0, 5.0]),
                false => ((rows as f64).log2().ceil(), [6.0, 6.0]),
            };
            for (search, each) in plan.search.iter_mut().zip(each) {
                *search = search.max(steps * each);
            }
        }
        Ok(())
    }
}
