//! Parallel loops as compiled code: a few blocks of a few launches of each are executed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::arrays::Arrays;
use super::block::Sums;
use super::code::{Code, MOST, WARP, shape, work};
use super::common::{Common, Looked};
use super::held::{GROUP, Held, SECTOR, timing};
use super::longest::with_longest;
use super::occupancy::{Shape, blocks_at_once};
use super::plan::{Rows, blocks};
use super::sampled::spread;
use super::until::{LaunchOf, before};
use super::work::{Doing, KernelWork, bytes_of};
use memory_machine_case::CaseError;
use memory_machine_codegen::{self as codegen, COOPERATIVE_BLOCK, LaunchGrid};
use memory_machine_core::language::program::{LoopId, LoopRange, ScalarId};
use memory_machine_core::language::walk::outermost_parallel;
use memory_machine_core::run;
use memory_machine_core::units::Threads;
use memory_machine_sass::{self as sass, Beyond, BlockRun, Counts, Kernel};

/// Launches of a loop that are looked at, and blocks of each; where these differ, more of them, as long
/// as they are short.
const LAUNCHES: u64 = 5;
const BLOCKS: u64 = 3;
const MORE_BLOCKS: u64 = 17;
/// Where most of the code is come to by none of them, it is looked for elsewhere.
const MOST_BLOCKS: u64 = 257;
/// The part of it that blocks come to which are like the others.
const REACHED: f64 = 0.6;
/// Instructions of blocks together that are short.
const SHORT: f64 = (1 << 19) as f64;
/// Blocks with more instructions are long: few of them are looked at, and of their launches, if these differ
/// in nothing but what stands in memory.
const LONG: f64 = (1 << 18) as f64;
const FEW: usize = 2;
/// How much more one does than another where they differ.
const DIFFERENT: f64 = 1.05;

/// A launch by the host.
struct Launched {
    /// Number of the kernel in the source.
    kernel: usize,
    /// How often the loop was come to before, empty as it may have been.
    turn: usize,
    blocks: u64,
    /// How many iterations a thread has after each other, on the mean but at least one.
    each: f64,
    /// Captured scalars.
    captured: Vec<u64>,
}

/// A parallel loop that is a kernel.
struct LaunchedNest<'a> {
    id: LoopId,
    kernel: &'a Kernel,
    launches: Vec<&'a Launched>,
    /// Of a block.
    threads: u32,
    shape: Shape,
    /// That it may touch.
    bytes: f64,
}

impl Code<'_> {
    /// The kernels of parallel loops, in the order of the program.
    pub(super) fn nests(&self) -> Result<Vec<KernelWork>, CaseError> {
        let launches = self.launches()?;
        let nests = self.launched(&launches)?;
        let looked_at = |nest: &LaunchedNest<'_>| {
            spread(nest.launches.len() as u64, LAUNCHES).into_iter().map(|at| at as usize)
        };
        let mut all = BTreeMap::new();
        for nest in &nests {
            all.extend(looked_at(nest).map(|at| ((nest.id, nest.launches[at].turn), (nest, at))));
        }
        let mut found: BTreeMap<LaunchOf, Result<Counts, CaseError>> = BTreeMap::new();
        let mut alike: BTreeMap<_, (usize, f64)> = BTreeMap::new();
        let mut look = |launch: LaunchOf, memory: Option<Arrays<'_>>| {
            let (nest, at) = all[&launch];
            let launched = nest.launches[at];
            let (looked, longest) =
                alike.entry((nest.id, launched.blocks, &launched.captured)).or_default();
            if *looked >= FEW && *longest > LONG {
                return;
            }
            let counts = self.launch(nest, launched, memory);
            *looked += 1;
            *longest = counts.as_ref().map_or(*longest, |it| longest.max(it.instructions));
            found.insert(launch, counts);
        };
        let (asked, others): (BTreeSet<LaunchOf>, BTreeSet<_>) =
            all.keys().partition(|it| all[*it].0.kernel.depends_on_values());
        others.into_iter().for_each(|it| look(it, None));
        if !asked.is_empty() {
            before(self.case, self.layout, asked, launches.len(), |launch, arrays| {
                look(launch, Some(arrays));
            })?;
        }
        let work = |nest: &LaunchedNest<'_>| {
            let mut sampled: Vec<(usize, Counts, Arc<Sums>)> = vec![];
            for at in looked_at(nest) {
                if let Some(counts) = found.remove(&(nest.id, nest.launches[at].turn)) {
                    sampled.push((at, counts?, Arc::default()));
                }
            }
            // A launch that was not looked at does as the nearest one that was.
            let doing = |(at, launched): (usize, &&Launched)| {
                let nearest = sampled.iter().min_by_key(|it| it.0.abs_diff(at))?;
                let blocks = launched.blocks as f64;
                let like = launched.each / nest.launches[nearest.0].each;
                let (code, sums) = (Some(nearest.1.times(like)), nearest.2.clone());
                Some(Doing { blocks, times: blocks, sums, code, is_alone: false })
            };
            let doing = nest.launches.iter().enumerate().filter_map(doing).collect();
            Ok(work(nest.shape, nest.bytes, doing))
        };
        nests.iter().map(work).collect()
    }

    /// The parallel loops that are kernels, in the order of the program.
    fn launched<'b>(
        &'b self,
        launches: &'b [Launched],
    ) -> Result<Vec<LaunchedNest<'b>>, CaseError> {
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
            found.push(LaunchedNest {
                id,
                kernel,
                launches: launches.iter().filter(|it| it.kernel == number).collect(),
                threads: emitted.threads,
                shape,
                bytes: body.map_or(0.0, |it| bytes_of(program, self.layout, it)),
            });
        }
        Ok(found)
    }

    fn launches(&self) -> Result<Vec<Launched>, CaseError> {
        let program = &*self.case.program;
        let resident = self.device.resident_threads();
        let of_cooperative = self.cooperative()?.map(|whole| {
            let shape = shape(whole, COOPERATIVE_BLOCK.into(), 0.0);
            let blocks = blocks_at_once(self.device, shape) * self.device.multiprocessors.value;
            Threads::at_least_one(blocks as u64 * u64::from(COOPERATIVE_BLOCK))
        });
        let (mut found, mut turns) = (vec![], vec![0; self.emission.kernels.len()]);
        let mut rows = Rows::default();
        let note = |ranges: &[LoopRange], scalars: &dyn Fn(ScalarId) -> i64| {
            let Some((kernel, emitted)) = self.emission.of_loop(ranges[0].id) else {
                return Ok(());
            };
            let known = |scalar| Some(scalars(scalar));
            let parameters = &self.layout.parameters;
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
                found.push(Launched { kernel, turn, blocks, each, captured });
            }
            Ok(())
        };
        run::each_launch(program, self.layout, self.case.limits(), note)?;
        Ok(found)
    }

    /// What the mean block of a launch does.
    fn launch(
        &self,
        nest: &LaunchedNest<'_>,
        launched: &Launched,
        mut memory: Option<Arrays<'_>>,
    ) -> Result<Counts, CaseError> {
        let &LaunchedNest { kernel, threads, shape, .. } = nest;
        let (device, blocks) = (self.device, launched.blocks as f64);
        let held = Held::of(device, shape, blocks);
        let arguments = [&self.arguments[..], &launched.captured].concat();
        let of_multiprocessor = (blocks / device.multiprocessors.value).ceil();
        // Launches before may have done the first iterations only, which this one's first blocks read.
        let known = memory.as_ref().map_or(u64::MAX, |it| it.known) / u64::from(threads);
        let known = known.clamp(1, launched.blocks);
        let mut each_of = |blocks: &[(u64, Looked)], beyond: Beyond, common: &mut Common| {
            let near_groups = held.near_bytes / GROUP / common.apart();
            let warps = held.all * f64::from(threads) / WARP as f64;
            let timing = timing(device, near_groups, beyond, warps);
            let mut one = |&(block, looked): &(u64, Looked)| {
                let run = BlockRun {
                    blocks: launched.blocks,
                    threads: threads.into(),
                    block,
                    warps: u64::from(threads).div_ceil(WARP),
                    arguments: &arguments,
                    limit: MOST,
                    has_results: false,
                };
                let memory = &mut common.of(&mut memory, looked);
                sass::run(self.module, kernel, run, &timing, memory)
                    .map_err(|error| self.too_long(error))
            };
            blocks.iter().map(&mut one).collect::<Result<Vec<Counts>, CaseError>>()
        };
        let with_longest = |all: &[Counts], ends: &[Counts]| {
            with_longest(all, ends, held.all, blocks, device.multiprocessors.value)
        };
        let stand_for_all = |count: u64| {
            let blocks = spread(known, count);
            let common = Common::new(of_multiprocessor, [held.each, held.all], blocks.len());
            let one = |(number, block)| (block, Looked::One(number));
            (blocks.into_iter().enumerate().map(one).collect::<Vec<_>>(), common)
        };
        let (mut chosen, mut common) = stand_for_all(BLOCKS);
        let mut all = each_of(&chosen, Beyond::CACHED, &mut common)?;
        let least = all.iter().map(|it| it.instructions).fold(f64::INFINITY, f64::min);
        let most = Counts::most_of(&all);
        let hidden = most.reached < REACHED;
        let more = if hidden { MOST_BLOCKS } else { MORE_BLOCKS };
        let more = more.min((SHORT / Counts::mean(&all).instructions) as u64);
        let differ = most.instructions > DIFFERENT * least || hidden;
        if differ && more > BLOCKS {
            (chosen, common) = stand_for_all(more);
            all = each_of(&chosen, Beyond::CACHED, &mut common)?;
        }
        // The first and the last may have more to do than any between.
        let ends = [0, launched.blocks - 1].map(|it| (it, Looked::Alone));
        let ends = if differ { each_of(&ends, Beyond::CACHED, &mut common)? } else { vec![] };
        if of_multiprocessor > 1.0 {
            let (middle, _) = chosen[chosen.len() / 2];
            let after = |it: u64, looked| [((middle + it) % launched.blocks, looked)];
            let next = after(device.multiprocessors.value as u64, Looked::Next);
            each_of(&next, Beyond::CACHED, &mut common)?;
            if common.has_strays() {
                each_of(&after(1, Looked::Beside), Beyond::CACHED, &mut common)?;
            }
        }
        chosen.iter_mut().for_each(|it| it.1 = Looked::Alone);
        // Of long blocks that are alike one says what all do.
        if !differ && most.instructions > LONG {
            chosen = vec![chosen[chosen.len() / 2]];
        }
        if common.settles(&self.array_bytes()) {
            all = each_of(&chosen, Beyond::CACHED, &mut common)?;
        }
        match self.beyond(nest, held, blocks, &Counts::mean(&all), &mut common) {
            None => Ok(with_longest(&all, &ends)),
            Some(beyond) => Ok(with_longest(&each_of(&chosen, beyond, &mut common)?, &ends)),
        }
    }

    /// What of a launch's accesses beyond its multiprocessors goes on to memory, if not all of it fits into
    /// the last-level cache: each sector once, but for what a block accesses again when that is lost.
    fn beyond(
        &self,
        nest: &LaunchedNest<'_>,
        held: Held,
        blocks: f64,
        mean: &Counts,
        common: &mut Common,
    ) -> Option<Beyond> {
        let device = self.device;
        let all_bytes = codegen::bytes(&self.case.program, self.layout) as f64;
        let own_bytes = held.all * f64::from(nest.threads) * nest.kernel.local_bytes as f64;
        let fits = |bytes: f64| bytes <= device.cache_bytes.value;
        let touched = nest.bytes.min(blocks * mean.first_sectors * SECTOR).min(all_bytes);
        if fits(touched + own_bytes) {
            return None;
        }
        let held_bytes = device.cache_held_bytes.value;
        let (stray_bytes, strays) = common.settles_strays(&self.array_bytes(), held_bytes, blocks);
        let sectors = (blocks * (mean.first_sectors - strays)).max(1.0);
        let part = match fits(touched) {
            true => 0.0,
            false => ((nest.bytes - stray_bytes).max(0.0) / SECTOR / sectors).min(1.0),
        };
        Some(Beyond::First { part, groups: held_bytes / GROUP / held.all })
    }
}
