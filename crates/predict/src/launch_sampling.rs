//! Parallel loops as compiled code: a few blocks of a few launches of each are executed.

use std::collections::{BTreeMap, BTreeSet};

use super::arrays::Arrays;
use super::block_sampling::spread;
use super::compiled_case::{CompiledCase, MOST_INSTRUCTIONS, shape, work};
use super::fast_forward::{LaunchKey, visit_launches};
use super::launch_code::{LONG_INSTRUCTIONS, LaunchCode};
use super::launches::{SequentialAccesses, each_launch};
use super::occupancy::{BlockShape, blocks_at_once};
use super::plan::{RowCount, blocks, rows_are_known};
use super::work::{ArrayBytes, KernelModel, KernelWork, LaunchWork};
use memory_machine_case::CaseError;
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK, LaunchGrid};
use memory_machine_core::language::program::{LoopId, LoopRange, ScalarId};
use memory_machine_core::language::walk::outermost_parallel;
use memory_machine_core::units::{Threads, WARP};
use memory_machine_sass::{BlockRun, ExecutionCounts, KernelCode};

/// Launches of a loop that are looked at.
const SAMPLED_LAUNCHES: u64 = 5;
/// Of long ones that differ in nothing but what stands in memory.
const LONG_LAUNCHES: usize = 2;

/// A launch by the host.
struct LaunchRecord {
    /// Number of the kernel in the source.
    kernel: usize,
    /// How often the loop was reached before, empty as it may have been.
    turn: usize,
    blocks: u64,
    /// How many iterations a thread has after each other, on the mean but at least one.
    each: f64,
    /// Captured scalars.
    captured: Vec<u64>,
}

/// A parallel loop that is a kernel.
struct NestLaunches<'a> {
    id: LoopId,
    kernel: &'a KernelCode,
    launches: Vec<&'a LaunchRecord>,
    /// Of a block.
    threads: u32,
    shape: BlockShape,
    /// That it may touch.
    bytes: ArrayBytes,
}

impl CompiledCase<'_> {
    /// The kernels of parallel loops, in the order of the program.
    pub(super) fn nests(&self) -> Result<(Vec<KernelWork>, SequentialAccesses), CaseError> {
        let (launches, between) = self.launches()?;
        let nests = self.launched(&launches)?;
        let sampled_launches = |nest: &NestLaunches<'_>| {
            spread(nest.launches.len() as u64, SAMPLED_LAUNCHES).into_iter().map(|at| at as usize)
        };
        let mut all = BTreeMap::new();
        for nest in &nests {
            all.extend(
                sampled_launches(nest).map(|at| ((nest.id, nest.launches[at].turn), (nest, at))),
            );
        }
        let mut found: BTreeMap<LaunchKey, Result<ExecutionCounts, CaseError>> = BTreeMap::new();
        let mut alike: BTreeMap<_, (usize, f64)> = BTreeMap::new();
        let mut look = |launch: LaunchKey, memory: Option<Arrays<'_>>| {
            let (nest, at) = all[&launch];
            let launched = nest.launches[at];
            let (role, longest) =
                alike.entry((nest.id, launched.blocks, &launched.captured)).or_default();
            if *role >= LONG_LAUNCHES && *longest > LONG_INSTRUCTIONS {
                return;
            }
            let counts = self.launch(nest, launched, memory);
            *role += 1;
            *longest = counts.as_ref().map_or(*longest, |it| longest.max(it.instructions));
            found.insert(launch, counts);
        };
        let (asked, others): (BTreeSet<LaunchKey>, BTreeSet<_>) =
            all.keys().partition(|it| all[*it].0.kernel.depends_on_values());
        others.into_iter().for_each(|it| look(it, None));
        if !asked.is_empty() {
            visit_launches(self.case, self.layout, asked, launches.len(), |launch, arrays| {
                look(launch, Some(arrays));
            })?;
        }
        let work = |nest: &NestLaunches<'_>| {
            let mut sampled: Vec<(usize, ExecutionCounts)> = vec![];
            for at in sampled_launches(nest) {
                if let Some(counts) = found.remove(&(nest.id, nest.launches[at].turn)) {
                    sampled.push((at, counts?));
                }
            }
            // A launch that was not looked at does as the nearest one that was.
            let doing = |(at, launched): (usize, &&LaunchRecord)| {
                let nearest = sampled.iter().min_by_key(|it| it.0.abs_diff(at))?;
                let blocks = launched.blocks as f64;
                let like = launched.each / nest.launches[nearest.0].each;
                let model = KernelModel::Compiled(Box::new(nearest.1.times(like)));
                Some(LaunchWork { blocks, times: blocks, model, is_alone: false })
            };
            let doing = nest.launches.iter().enumerate().filter_map(doing).collect();
            Ok(work(nest.shape, nest.bytes, doing))
        };
        Ok((nests.iter().map(work).collect::<Result<_, CaseError>>()?, between))
    }

    /// The parallel loops that are kernels, in the order of the program.
    fn launched<'b>(
        &'b self,
        launches: &'b [LaunchRecord],
    ) -> Result<Vec<NestLaunches<'b>>, CaseError> {
        let program = &*self.case.program;
        let mut found = vec![];
        let whole = self.cooperative()?;
        for source in outermost_parallel(&program.body) {
            let id = source.ranges()[0].id;
            let Some((number, emitted)) = self.emission.of_loop(id) else { continue };
            let kernel = self.kernel(number)?;
            let body = source.blocks().next();
            let mut shape = shape(kernel, emitted.threads.into(), emitted.shared.into());
            if let Some(whole) = whole {
                shape.registers = whole.registers as f64;
            }
            found.push(NestLaunches {
                id,
                kernel,
                launches: launches.iter().filter(|it| it.kernel == number).collect(),
                threads: emitted.threads,
                shape,
                bytes: body.map_or_else(ArrayBytes::default, |it| {
                    ArrayBytes::of(program, self.layout, it)
                }),
            });
        }
        Ok(found)
    }

    fn launches(&self) -> Result<(Vec<LaunchRecord>, SequentialAccesses), CaseError> {
        let resident = self.device.resident_threads();
        let of_cooperative = self.cooperative()?.map(|whole| {
            let shape = shape(whole, COOPERATIVE_BLOCK.into(), 0.0);
            let blocks = blocks_at_once(self.device, shape) * self.device.multiprocessors.value;
            Threads::at_least_one(blocks as u64 * u64::from(COOPERATIVE_BLOCK))
        });
        let (mut found, mut turns) = (vec![], vec![0; self.emission.kernels.len()]);
        let mut rows = RowCount::default();
        let note = |ranges: &[LoopRange], scalars: &dyn Fn(ScalarId) -> i64| {
            let Some((kernel, emitted)) = self.emission.of_loop(ranges[0].id) else {
                return Ok(());
            };
            let known = |scalar| Some(scalars(scalar));
            let parameters = &self.layout.parameters;
            rows_are_known(ranges)?;
            rows.of(ranges, parameters, &known)?;
            let iterations = codegen::iterations(ranges, parameters, &known).unwrap_or(0);
            let (grid, threads) = (emitted.grid, emitted.threads.into());
            let walked = codegen::is_walked(ranges).then_some(resident);
            let blocks = blocks(grid, threads, iterations, of_cooperative.or(walked));
            let turn = turns[kernel];
            turns[kernel] += 1;
            if iterations > 0 {
                let captured = emitted.captured.iter().map(|it| scalars(*it).cast_unsigned());
                let captured = captured.collect();
                let at_once = match grid {
                    LaunchGrid::Threads(each) => blocks * threads * u64::from(each),
                    _ => iterations,
                };
                let each = (iterations as f64 / at_once as f64).max(1.0);
                found.push(LaunchRecord { kernel, turn, blocks, each, captured });
            }
            Ok(())
        };
        let between = each_launch(self.case, self.layout, note)?;
        Ok((found, between))
    }

    /// What the mean block of a launch does.
    fn launch(
        &self,
        nest: &NestLaunches<'_>,
        launched: &LaunchRecord,
        mut memory: Option<Arrays<'_>>,
    ) -> Result<ExecutionCounts, CaseError> {
        let threads = u64::from(nest.threads);
        // Launches before may have done the first iterations only, which this one's first blocks read.
        let known = memory.as_ref().map_or(u64::MAX, |it| it.known) / threads;
        let arguments = [&self.arguments[..], &launched.captured].concat();
        let code = LaunchCode {
            module: self.module,
            kernel: nest.kernel,
            device: self.device,
            shape: nest.shape,
            run: BlockRun {
                blocks: launched.blocks,
                threads,
                block: 0,
                warps: threads.div_ceil(WARP),
                arguments: &arguments,
                launch: None,
                limit: MOST_INSTRUCTIONS,
                has_results: false,
            },
            bytes: nest.bytes,
            array_bytes: self.array_bytes(),
            all_bytes: codegen::bytes(&self.case.program, self.layout) as f64,
        };
        let sampled = code.sample(&mut memory, known).map_err(|error| self.too_long(error))?;
        Ok(sampled.counts)
    }
}
