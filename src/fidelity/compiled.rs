//! What compiled code does: a warp of a bulk run, or a few blocks of a few launches of each parallel
//! loop, execute the PTX of their kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::arrays::{APART, Arrays, InputsOfAWarp, LaunchOf};
use super::block::Sums;
use super::common::Common;
use super::occupancy::{SCHEDULERS, Shape, blocks_at_once, near_bytes};
use super::plan::{Rows, blocks};
use super::sampled::spread;
use super::work::{Doing, KernelWork, Work, bytes_of, emitted, time_units};
use super::{Compile, Manner};
use crate::case::{Case, CaseError};
use crate::emission::{self, BULK_BLOCK, COOPERATIVE_BLOCK, Emission, Launch, LaunchGrid};
use crate::language::program::{LoopId, LoopRange, ScalarId};
use crate::language::walk::outermost_parallel;
use crate::machine::{Machine, Mode};
use crate::models::Calibration;
use crate::models::calibration::Fitted;
use crate::run;
use crate::run::layout::{Arrangement, Layout};
use crate::sass::{self, Beyond, BlockRun, Counts, Kernel, Module, RunError, Timing};
use crate::units::{Threads, Width};

/// Threads of a warp.
const WARP: u64 = 32;
/// Instructions of a block that a prediction goes through; more would take many seconds.
const MOST: u64 = 1 << 22;
/// Bytes of an address group, and of a sector.
const GROUP: f64 = sass::GROUP as f64;
const SECTOR: f64 = 32.0;
/// Launches of a loop that are looked at, and blocks of each; where these differ, more of them, as long
/// as they are short.
const LAUNCHES: u64 = 5;
const BLOCKS: u64 = 3;
const MORE_BLOCKS: u64 = 17;
/// Where most of the code is come to by none of them, it is looked for elsewhere.
const MOST_BLOCKS: u64 = 257;
/// The part of it that blocks come to which are like the others.
const REACHED: f64 = 0.5;
/// Instructions of blocks together that are short.
const SHORT: f64 = (1 << 19) as f64;
/// How much more one does than another where they differ.
const DIFFERENT: f64 = 1.05;

impl Work {
    /// What the compiled code of a run does on a device: `compile` makes machine code of CUDA C.
    ///
    /// # Errors
    /// What has no kernel launched by the host; sizes that make no sense; what the compiler says; more
    /// than 2²² instructions of a bulk run's warp or of a block.
    pub fn of_compiled(
        case: &Case,
        manner: Manner,
        device: &Calibration,
        compile: Compile<'_>,
    ) -> Result<Self, CaseError> {
        let program = &*case.program;
        let threads = if case.bulk.is_some() { case.threads } else { device.resident_threads() };
        let machine = Machine { width: Width::at_least_one(WARP), ..case.machine };
        let case = &Case { threads, machine, mode: Mode::Sync, ..case.clone() }.with_dmms();
        let layout = &case.layout()?;
        let (launch, mut emission) = emitted(case, layout, manner)?;
        // Blocks of a cooperative kernel wait for each other: each loop is run by itself.
        if launch == Launch::Cooperative {
            emission = emission::emit_between_barriers(program, &emission::sizes(layout))?;
        }
        let given = |error: String| CaseError::Given(format!("{}: {error}", program.name));
        let module =
            sass::parse(&compile(&emission.source)?).map_err(|it| given(it.to_string()))?;
        let mut arguments: Vec<u64> =
            (1..=program.global_arrays().count() as u64).map(|it| it * APART).collect();
        let parameters = layout.parameters.iter().zip(&emission.constants);
        let free = parameters.filter(|it| it.1.is_none()).map(|it| it.0.cast_unsigned());
        arguments.extend(free);
        let code = Code { case, layout, emission: &emission, module: &module, device, arguments };
        let kernels = match case.bulk {
            Some(arrangement) => vec![code.bulk(arrangement)?],
            None => code.nests()?,
        };
        let bytes = emission::bytes(program, layout) as f64;
        Ok(Self { kernels, launch, bytes, time_units: time_units(case)? })
    }
}

/// What is emitted and compiled for a case.
struct Code<'a> {
    case: &'a Case,
    layout: &'a Layout,
    emission: &'a Emission,
    module: &'a Module,
    device: &'a Calibration,
    /// Of every kernel.
    arguments: Vec<u64>,
}

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
    fn failed(&self, error: impl std::fmt::Display) -> CaseError {
        CaseError::Given(format!("{}: {error}", self.case.program.name))
    }

    fn too_long(&self, error: RunError) -> CaseError {
        self.failed(format_args!("{error}; choose smaller sizes, or leave out --compiled"))
    }

    fn kernel(&self, number: usize) -> Result<&Kernel, CaseError> {
        let name = &self.emission.kernels[number].name;
        let found = self.module.kernels.iter().find(|it| it.name == *name);
        found.ok_or_else(|| self.failed(format_args!("its code has no kernel `{name}`")))
    }

    fn array_bytes(&self) -> Vec<f64> {
        let arrays = self.case.program.global_arrays();
        let bytes = arrays.zip(&self.layout.regions);
        bytes.map(|(it, region)| (region.cells * emission::bytes_of(it.element)) as f64).collect()
    }

    /// The cooperative kernel whose barriers part the loops, if that is the launch.
    fn cooperative(&self) -> Result<Option<&Kernel>, CaseError> {
        let mut kernels = self.emission.kernels.iter();
        let whole = kernels.position(|it| it.of.is_none() && it.grid == LaunchGrid::Program);
        whole.map(|number| self.kernel(number)).transpose()
    }

    fn bulk(&self, arrangement: Arrangement) -> Result<KernelWork, CaseError> {
        let kernel = self.kernel(0)?;
        let (inputs, block) = (self.case.threads.get(), u64::from(BULK_BLOCK));
        let blocks = inputs.div_ceil(block);
        let bytes = emission::bytes(&self.case.program, self.layout) as f64;
        let mut arguments = self.arguments.clone();
        arguments.push(inputs);
        // One warp stands for both of a block, and so do its shares of caches.
        let warps = (block / WARP) as f64;
        let run = BlockRun {
            blocks,
            threads: block.min(inputs),
            block: 0,
            warps: 1,
            arguments: &arguments,
            limit: MOST,
            has_results: false,
        };
        let shape = shape(kernel, block as f64, 0.0);
        let held = Held::of(self.device, shape, blocks as f64);
        let device = self.device;
        let beyond = match bytes <= device.cache_bytes.value {
            true => Beyond::Part(0.0),
            false => Beyond::Groups(device.cache_held_bytes.value / GROUP / (held.all * warps)),
        };
        let near_groups = held.near_bytes / GROUP / (held.each * warps);
        let timing = timing(device, near_groups, beyond, held.all * warps);
        let known = || InputsOfAWarp::of(self.case, arrangement);
        let mut memory = kernel.depends_on_values().then(known).transpose()?;
        let counts = sass::run(self.module, kernel, run, &timing, &mut memory)
            .map_err(|error| self.too_long(error))?;
        let doing = Doing {
            blocks: blocks as f64,
            times: inputs as f64 / block as f64,
            sums: Arc::default(),
            code: Some(Counts { cycles: counts.cycles, ..counts.times(warps) }),
            is_alone: true,
        };
        Ok(work(shape, bytes, vec![doing]))
    }

    /// The kernels of parallel loops, in the order of the program.
    fn nests(&self) -> Result<Vec<KernelWork>, CaseError> {
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
        let mut look = |launch: LaunchOf, memory: Option<Arrays<'_>>| {
            let (nest, at) = all[&launch];
            found.insert(launch, self.launch(nest, nest.launches[at], memory));
        };
        if self.module.kernels.iter().any(Kernel::depends_on_values) {
            let launches = all.keys().copied().collect();
            Arrays::before(self.case, self.layout, launches, |launch, arrays| {
                look(launch, Some(arrays));
            })?;
        } else {
            all.keys().for_each(|launch| look(*launch, None));
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
            let iterations = emission::iterations(ranges, parameters, &known).unwrap_or(0);
            let (grid, threads) = (emitted.grid, emitted.threads.into());
            let walked = emission::is_walked(ranges).then_some(resident);
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
        let &LaunchedNest { kernel, threads, shape, bytes, .. } = nest;
        let (device, blocks) = (self.device, launched.blocks as f64);
        let held = Held::of(device, shape, blocks);
        let arguments = [&self.arguments[..], &launched.captured].concat();
        let of_multiprocessor = (blocks / device.multiprocessors.value).ceil();
        let mut mean_and_most =
            |chosen: &[u64], part: f64, common: &mut Common| -> Result<_, CaseError> {
                let near_groups = held.near_bytes / GROUP / common.apart();
                let warps = held.all * f64::from(threads) / WARP as f64;
                let timing = timing(device, near_groups, Beyond::Part(part), warps);
                let (mut sum, mut most) = (Counts::default(), Counts::default());
                let mut least = f64::INFINITY;
                for &block in chosen {
                    let run = BlockRun {
                        blocks: launched.blocks,
                        threads: threads.into(),
                        block,
                        warps: u64::from(threads).div_ceil(WARP),
                        arguments: &arguments,
                        limit: MOST,
                        has_results: false,
                    };
                    let counts =
                        sass::run(self.module, kernel, run, &timing, &mut common.of(&mut memory))
                            .map_err(|error| self.too_long(error))?;
                    sum.add(&counts);
                    most.most(&counts);
                    least = least.min(counts.instructions);
                }
                let differ = most.instructions > DIFFERENT * least;
                Ok((sum.times(1.0 / chosen.len().max(1) as f64), most, differ))
            };
        // Of several waves, and of several blocks of a multiprocessor, one is the longest.
        let with_longest = |(counts, most): (Counts, Counts)| {
            counts.with_longest(&most, held.all / blocks, 1.0 / of_multiprocessor)
        };
        let common_of = |count: usize| Common::new(of_multiprocessor, held.each, count);
        let mut chosen = spread(launched.blocks, BLOCKS);
        let mut common = common_of(chosen.len());
        let (mut counts, mut most, differ) = mean_and_most(&chosen, 0.0, &mut common)?;
        let hidden = counts.reached < REACHED;
        let more = if hidden { MOST_BLOCKS } else { MORE_BLOCKS };
        let more = more.min((SHORT / counts.instructions) as u64);
        if (differ || hidden) && more > BLOCKS {
            chosen = spread(launched.blocks, more);
            common = common_of(chosen.len());
            (counts, most, _) = mean_and_most(&chosen, 0.0, &mut common)?;
        }
        if of_multiprocessor > 1.0 {
            let middle = chosen[chosen.len() / 2];
            let after = |it: u64| (middle + it) % launched.blocks;
            mean_and_most(&[after(device.multiprocessors.value as u64)], 0.0, &mut common)?;
            if common.has_strays() {
                mean_and_most(&[after(1)], 0.0, &mut common)?;
            }
        }
        if common.settles() {
            (counts, most, _) = mean_and_most(&chosen, 0.0, &mut common)?;
        }
        // What a launch touches beyond its multiprocessors is in the last-level cache if all of it
        // fits; else each of its sectors comes from memory once.
        let of_block = counts.sectors_beyond + counts.written_sectors;
        let all = emission::bytes(&self.case.program, self.layout) as f64;
        let fits = |bytes: f64| bytes <= device.cache_bytes.value;
        if fits(bytes.min(blocks * of_block * SECTOR)) || fits(all) {
            return Ok(with_longest((counts, most)));
        }
        let held_bytes = device.cache_held_bytes.value;
        let (stray_bytes, strays) = common.settles_strays(&self.array_bytes(), held_bytes, blocks);
        let sectors = (blocks * (of_block - strays)).max(1.0);
        let part = ((bytes - stray_bytes).max(0.0) / SECTOR / sectors).min(1.0);
        let (counts, most, _) = mean_and_most(&chosen, part, &mut common)?;
        Ok(with_longest((counts, most)))
    }
}

/// What a block of a kernel takes, with so many bytes of dynamic shared memory.
fn shape(kernel: &Kernel, threads: f64, dynamic: f64) -> Shape {
    let shared = kernel.shared_bytes as f64 + dynamic;
    Shape { threads, shared, registers: kernel.registers as f64 }
}

fn work(shape: Shape, bytes: f64, launches: Vec<Doing>) -> KernelWork {
    KernelWork {
        block: shape.threads,
        shared_bytes: shape.shared,
        registers: shape.registers,
        bytes,
        search: [0.0; 2],
        depth: 0.0,
        launches,
        sites: BTreeMap::new(),
        groups: vec![],
        reuse: None,
    }
}

/// Blocks that are there at once.
#[derive(Debug, Clone, Copy)]
struct Held {
    /// On the multiprocessor that has most.
    each: f64,
    /// On the device.
    all: f64,
    /// Bytes of a multiprocessor's first cache that are not shared memory.
    near_bytes: f64,
}

impl Held {
    fn of(device: &Calibration, shape: Shape, blocks: f64) -> Self {
        let most = blocks_at_once(device, shape);
        let each = most.min((blocks / device.multiprocessors.value).ceil());
        let near_bytes = near_bytes(device, shape).max(GROUP);
        Self { each, all: blocks.min(most * device.multiprocessors.value), near_bytes }
    }
}

/// Instructions that wait for each other, in cycles: on NVIDIA's GPUs since Volta a sum of f32 is there
/// after four, and half a one is the loop of the microbenchmark.
const SUM: f64 = 4.5;
/// Cycles that a warp loses at a branch that is taken.
const BRANCH: f64 = 15.0;
/// What a warp's word takes longer than one thread's, whose chain of loads is measured: from the
/// last-level cache where the multiprocessor had it before, where it did not, and from memory.
const OF_A_WARP: [f64; 3] = [1.02, 1.17, 1.1];

/// Seconds of a cycle.
pub(super) fn cycle_s(device: &Calibration) -> f64 {
    device.f32_latency_s.value / SUM
}

fn timing(device: &Calibration, near_groups: f64, beyond: Beyond, warps: f64) -> Timing {
    let cycle = cycle_s(device);
    let cycles = |it: &Fitted| it.value / cycle;
    let [again, new, memory] = OF_A_WARP;
    // A chain of loads computes addresses, too.
    let load = |it: &Fitted| cycles(it) - SUM - 1.0;
    Timing {
        f64: SCHEDULERS * cycles(&device.f64_s),
        branch: BRANCH,
        near: load(&device.near_latency_s),
        far: [again * load(&device.cache_latency_s), new * load(&device.cache_latency_s)],
        memory: memory * load(&device.memory_latency_s),
        shared: load(&device.shared_latency_s),
        barrier: [cycles(&device.block_barrier_latency_s), cycles(&device.block_barrier_s)],
        near_groups,
        beyond,
        warps,
    }
}
