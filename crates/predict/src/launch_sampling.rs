//! Parallel loops as compiled code: a few blocks of a few launches of each are executed.

use std::collections::{BTreeMap, BTreeSet};

use super::arrays::Arrays;
use super::block_sampling::spread;
use super::block_sharing::{BlockSharing, SampleRole};
use super::compiled_case::{CompiledCase, MOST_INSTRUCTIONS, shape, work};
use super::fast_forward::{LaunchKey, visit_launches};
use super::indirect::IndirectTotal;
use super::launches::{SequentialAccesses, each_launch};
use super::occupancy::{BlockShape, blocks_at_once};
use super::plan::{RowCount, blocks, rows_are_known};
use super::residency::{Residency, SECTOR, timing};
use super::tail::add_tail;
use super::work::{ArrayBytes, KernelModel, KernelWork, LaunchWork};
use memory_machine_case::CaseError;
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK, LaunchGrid};
use memory_machine_core::language::program::{LoopId, LoopRange, ScalarId};
use memory_machine_core::language::walk::outermost_parallel;
use memory_machine_core::units::{GROUP_BYTES, Threads, WARP};
use memory_machine_sass::{self as sass, BlockRun, ExecutionCounts, KernelCode, L2MissModel};

/// Launches of a loop that are role at, and blocks of each; where these differ, more of them, as long
/// as they are short.
const SAMPLED_LAUNCHES: u64 = 5;
const SAMPLED_BLOCKS: u64 = 3;
const DIFFERENT_BLOCKS: u64 = 17;
/// Where most of the code is reached by none of them, it is role for elsewhere.
const HIDDEN_CODE_BLOCKS: u64 = 257;
/// The part of it that blocks reach which are like the others.
const REACHED_CODE_PART: f64 = 0.6;
/// Instructions of blocks together that are short.
const SHORT_INSTRUCTIONS: f64 = (1 << 19) as f64;
/// Blocks with more instructions are long: few of them are role at, and of their launches, if these differ
/// in nothing but what stands in memory.
const LONG_INSTRUCTIONS: f64 = (1 << 18) as f64;
const LONG_LAUNCHES: usize = 2;
/// How much more one does than another where they differ.
const DIFFERENT_RATIO: f64 = 1.05;

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
            // A launch that was not role at does as the nearest one that was.
            let doing = |(at, launched): (usize, &&LaunchRecord)| {
                let nearest = sampled.iter().min_by_key(|it| it.0.abs_diff(at))?;
                let blocks = launched.blocks as f64;
                let like = launched.each / nest.launches[nearest.0].each;
                let model = KernelModel::Compiled(nearest.1.times(like));
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
        let &NestLaunches { kernel, threads, shape, .. } = nest;
        let (device, blocks) = (self.device, launched.blocks as f64);
        let held = Residency::of(device, shape, blocks);
        let arguments = [&self.arguments[..], &launched.captured].concat();
        let of_multiprocessor = (blocks / device.multiprocessors.value).ceil();
        // Launches before may have done the first iterations only, which this one's first blocks read.
        let known = memory.as_ref().map_or(u64::MAX, |it| it.known) / u64::from(threads);
        let known = known.clamp(1, launched.blocks);
        let mut each_of =
            |blocks: &[(u64, SampleRole)], beyond: L2MissModel, sharing: &mut BlockSharing| {
                let l1_groups = held.l1_bytes / GROUP_BYTES as f64 / sharing.distinct_blocks();
                let warps = held.all * f64::from(threads) / WARP as f64;
                let timing = timing(device, l1_groups, beyond, warps);
                let mut one = |&(block, role): &(u64, SampleRole)| {
                    let run = BlockRun {
                        blocks: launched.blocks,
                        threads: threads.into(),
                        block,
                        warps: u64::from(threads).div_ceil(WARP),
                        arguments: &arguments,
                        limit: MOST_INSTRUCTIONS,
                        has_results: false,
                    };
                    let memory = &mut sharing.of(&mut memory, role);
                    sass::run(self.module, kernel, run, &timing, memory)
                        .map_err(|error| self.too_long(error))
                };
                blocks.iter().map(&mut one).collect::<Result<Vec<ExecutionCounts>, CaseError>>()
            };
        let add_tail = |all: &[ExecutionCounts], ends: &[ExecutionCounts]| {
            add_tail(all, ends, held.all, blocks, device.multiprocessors.value)
        };
        let stand_for_all = |count: u64| {
            let blocks = spread(known, count);
            let sharing = BlockSharing::new(of_multiprocessor, [held.each, held.all], blocks.len());
            let one = |(number, block)| (block, SampleRole::Representative(number));
            (blocks.into_iter().enumerate().map(one).collect::<Vec<_>>(), sharing)
        };
        let (mut chosen, mut sharing) = stand_for_all(SAMPLED_BLOCKS);
        let mut all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        let least = all.iter().map(|it| it.instructions).fold(f64::INFINITY, f64::min);
        let most = ExecutionCounts::most_of(&all);
        let hidden = most.reached_part < REACHED_CODE_PART;
        let more = if hidden { HIDDEN_CODE_BLOCKS } else { DIFFERENT_BLOCKS };
        let more = more.min((SHORT_INSTRUCTIONS / ExecutionCounts::mean(&all).instructions) as u64);
        let differ = most.instructions > DIFFERENT_RATIO * least || hidden;
        if differ && more > SAMPLED_BLOCKS {
            (chosen, sharing) = stand_for_all(more);
            all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        }
        // The first and the last may have more to do than any between.
        let ends = [0, launched.blocks - 1].map(|it| (it, SampleRole::CostOnly));
        let ends = if differ { each_of(&ends, L2MissModel::CACHED, &mut sharing)? } else { vec![] };
        if of_multiprocessor > 1.0 {
            let (middle, _) = chosen[chosen.len() / 2];
            let after = |it: u64, role| [((middle + it) % launched.blocks, role)];
            let next = after(device.multiprocessors.value as u64, SampleRole::Successor);
            each_of(&next, L2MissModel::CACHED, &mut sharing)?;
            if sharing.has_indirect() {
                each_of(&after(1, SampleRole::Neighbour), L2MissModel::CACHED, &mut sharing)?;
            }
        }
        chosen.iter_mut().for_each(|it| it.1 = SampleRole::CostOnly);
        // Of long blocks that are alike one says what all do.
        if !differ && most.instructions > LONG_INSTRUCTIONS {
            chosen = vec![chosen[chosen.len() / 2]];
        }
        if sharing.finish_sampling(&self.array_bytes()) {
            all = each_of(&chosen, L2MissModel::CACHED, &mut sharing)?;
        }
        match self.beyond(nest, held, blocks, &ExecutionCounts::mean(&all), &mut sharing) {
            None => Ok(add_tail(&all, &ends)),
            Some(beyond) => Ok(add_tail(&each_of(&chosen, beyond, &mut sharing)?, &ends)),
        }
    }

    /// What of a launch's accesses beyond its multiprocessors goes on to memory, as far as the last-level
    /// cache does not keep all of it: each sector that is read once, and each that is written once, so that
    /// an array in place goes both ways; and what a block accesses again when that is lost.
    fn beyond(
        &self,
        nest: &NestLaunches<'_>,
        held: Residency,
        blocks: f64,
        mean: &ExecutionCounts,
        sharing: &mut BlockSharing,
    ) -> Option<L2MissModel> {
        let device = self.device;
        let all_bytes = codegen::bytes(&self.case.program, self.layout) as f64;
        let own_bytes = held.all * f64::from(nest.threads) * nest.kernel.local_bytes as f64;
        let held_bytes = device.l2_held_bytes.value;
        let sectors = mean.first_sectors + mean.stored_sectors;
        let touched = nest.bytes.all.min(blocks * sectors * SECTOR).min(all_bytes);
        if sass::l2_share(held_bytes, touched + own_bytes) >= 1.0 {
            return None;
        }
        let lost = 1.0 - sass::l2_share(held_bytes, touched);
        let indirect = sharing.finish_indirect(&self.array_bytes(), held_bytes, blocks);
        let part = |bytes: f64, sectors: f64, indirect: IndirectTotal| {
            let sectors = (blocks * (sectors - indirect.sectors)).max(1.0);
            lost * ((bytes - indirect.bytes).max(0.0) / SECTOR / sectors).min(1.0)
        };
        Some(L2MissModel::First {
            part: part(nest.bytes.read, mean.first_sectors, indirect[0]),
            written_part: part(nest.bytes.written, mean.stored_sectors, indirect[1]),
            groups: held_bytes / GROUP_BYTES as f64 / held.all,
        })
    }
}
