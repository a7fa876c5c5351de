//! How a parallel loop is launched: which blocks of threads have which iterations.

use crate::case::{Case, CaseError};
use crate::diagnostic::Diagnostic;
use crate::emission::{self, COOPERATIVE_BLOCK, Emission, Grid};
use crate::language::program::{Blocks, LoopId, Nest, Program, Range, ScalarId, Statement};
use crate::language::syntax::Role;
use crate::language::walk::outermost_parallel;
use crate::run::layout::{self, Layout};
use crate::run::{self, Accesses, Observer};
use crate::units::Threads;

/// Rows of all nests that a prediction goes through; more would take minutes.
const MOST_ROWS: u128 = 1 << 26;
/// A tile's columns and rows, as emitted code has them.
const COLUMNS: u64 = 32;
const ROWS: u64 = 8;

/// A parallel loop with its launches.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) of: LoopId,
    /// Whether it is a loop on DMMs.
    pub(super) of_blocks: bool,
    /// Threads of a block.
    pub(super) threads: u64,
    /// Neighbouring iterations of a thread.
    pub(super) each: u64,
    /// Whether blocks lie as tiles over the innermost two loops.
    tiled: bool,
    /// Bytes of a block's shared memory.
    pub(super) shared_bytes: f64,
    searched: bool,
    pub(super) launches: Vec<Planned>,
    /// Products and sums with which a thread finds its row, at most, and those that wait for each other.
    pub(super) search: [f64; 2],
}

/// One launch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Planned {
    pub(super) blocks: u64,
    pub(super) iterations: u64,
    /// Of the innermost two loops: rows, columns, columns before the first.
    tile: [u64; 3],
}

impl Plan {
    /// The iterations of a block as (first, how many), ascending.
    pub(super) fn pieces(&self, launch: usize, block: u64) -> Vec<(u64, u64)> {
        let Planned { iterations, tile: [rows, columns, before], .. } = self.launches[launch];
        if !self.tiled {
            let each = self.threads * self.each;
            let from = block * each;
            return vec![(from, each.min(iterations.saturating_sub(from)))];
        }
        let across = (before + columns).div_ceil(COLUMNS);
        let down = rows.div_ceil(ROWS);
        let (column, rest) = (block % across * COLUMNS, block / across);
        let (first_row, outer) = (rest % down * ROWS, rest / down);
        let (from, to) = (column.max(before) - before, (column + COLUMNS - before).min(columns));
        (first_row..rows.min(first_row + ROWS))
            .map(|row| ((outer * rows + row) * columns + from, to - from))
            .filter(|it| it.1 > 0)
            .collect()
    }
}

/// The parallel loops of a case as `emission` has them, in the order of the program.
pub(super) fn plan(
    case: &Case,
    layout: &Layout,
    emission: &Emission,
    resident: Threads,
) -> Result<Vec<Plan>, CaseError> {
    let program = &*case.program;
    let plans = outermost_parallel(&program.body).map(|it| of(program, layout, emission, it));
    let mut planner = Planner { layout, resident: resident.get(), plans: plans.collect(), rows: 0 };
    run::execute_without_values(program, layout, case.limits(), &mut planner)?;
    Ok(planner.plans)
}

fn of(program: &Program, layout: &Layout, emission: &Emission, source: &Statement) -> Plan {
    let id = source.ranges()[0].id;
    // A cooperative kernel has all loops.
    let kernel = emission.of_loop(id).map_or(&emission.kernels[0], |it| it.1);
    let (each, tiled) = match kernel.grid {
        Grid::Threads(each) => (each.into(), false),
        Grid::Tiles(_) => (1, true),
        Grid::Program | Grid::Blocks => (1, false),
    };
    let blocks = match source {
        Statement::Blocks(blocks) => Some(blocks),
        _ => None,
    };
    let shared = |blocks: &Blocks| {
        let arrays = program.blocks[blocks.id.0].arrays.clone();
        let shared = arrays.filter(|&it| program.arrays[it].role == Role::Shared);
        let bytes =
            |it: usize| layout.regions[it].cells * emission::bytes_of(program.arrays[it].element);
        shared.map(bytes).sum::<u64>() as f64
    };
    Plan {
        of: id,
        of_blocks: blocks.is_some(),
        // A cooperative kernel says none.
        threads: match kernel.grid {
            Grid::Program => COOPERATIVE_BLOCK.into(),
            _ => kernel.threads.into(),
        },
        each,
        tiled,
        shared_bytes: blocks.map_or(0.0, shared),
        searched: is_searched(source.ranges()),
        launches: vec![],
        search: [0.0; 2],
    }
}

/// Whether a nest's rows differ in length, so that a thread searches for its own.
fn is_searched(ranges: &[Range]) -> bool {
    let mut inner = ranges[1..].iter().flat_map(|range| [&range.from, &range.to]);
    let is_variable = |it| ranges.iter().any(|range| range.variable == it);
    inner.any(|bound| bound.scalars().any(is_variable))
}

/// Notes each launch of each loop.
struct Planner<'a> {
    layout: &'a Layout,
    /// Threads that are there at once.
    resident: u64,
    plans: Vec<Plan>,
    /// Of all nests whose rows are gone through one by one.
    rows: u128,
}

impl Planner<'_> {
    fn launch(
        &mut self,
        ranges: &[Range],
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<(), Box<Diagnostic>> {
        let known = |scalar| Some(scalars(scalar));
        let parameters = &self.layout.parameters;
        let count = |ranges| emission::iterations(ranges, parameters, &known).unwrap_or(0);
        let rows = count(&ranges[..1]);
        let Some(plan) = self.plans.iter_mut().find(|it| it.of == ranges[0].id) else {
            return Ok(());
        };
        if plan.searched {
            self.rows += u128::from(rows);
        }
        if self.rows > MOST_ROWS {
            let message = format!(
                "with these loops there are {} rows of different lengths, and a prediction goes \
                 through them one by one, up to {MOST_ROWS}: choose smaller sizes",
                self.rows
            );
            return Err(Diagnostic::new(ranges[0].from.span, message).into());
        }
        let iterations = count(ranges);
        if iterations == 0 {
            return Ok(());
        }
        let walked = emission::is_walked(ranges);
        let mut tile = [0; 3];
        let blocks = if plan.of_blocks {
            iterations
        } else if plan.tiled {
            let outer = count(&ranges[..ranges.len() - 1]);
            let columns = iterations / outer;
            let rows = match ranges.len() {
                2 => outer,
                depth => outer / count(&ranges[..depth - 2]),
            };
            let inner = &ranges[ranges.len() - 1];
            let before = match layout::integer(&inner.from, parameters, &known) {
                Some(from) if !inner.downward && inner.step.is_none() => {
                    from.rem_euclid(COLUMNS as i64) as u64
                }
                _ => 0,
            };
            tile = [rows, columns, before];
            iterations / (rows * columns)
                * rows.div_ceil(ROWS)
                * (before + columns).div_ceil(COLUMNS)
        } else {
            // Threads that count all rows do so once each: no more come than are there at once.
            let threads = iterations.div_ceil(plan.each);
            let threads = if walked { threads.min(self.resident) } else { threads };
            threads.div_ceil(plan.threads)
        };
        plan.launches.push(Planned { blocks, iterations, tile });
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

impl Observer for Planner<'_> {
    fn access(&mut self, _: &Accesses<'_>) {}
    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}

    fn skip_nest(
        &mut self,
        nest: &Nest,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        self.launch(&nest.ranges, scalars)?;
        Ok(true)
    }

    fn skip_blocks(
        &mut self,
        blocks: &Blocks,
        scalars: &dyn Fn(ScalarId) -> i64,
    ) -> Result<bool, Box<Diagnostic>> {
        self.launch(&blocks.ranges, scalars)?;
        Ok(true)
    }
}
