//! What a program gives the machine to do, kernel by kernel: counted, not measured.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::access_group::{AccessGroup, groups};
use super::block_counts::{AccessCounts, BlockSums, l1_stages};
use super::block_sampling::{BlockSample, sample};
use super::device_case::on_device;
use super::emission::{LaunchOptions, emitted};
use super::launches::SequentialAccesses;
use super::occupancy::{BlockShape, blocks_at_once, l1_bytes};
use super::plan::{Plan, PlannedLaunch, plan};
use super::reuse::{Reuse, ReuseCache};
use super::time_units::time_units;
use memory_machine_case::{Case, CaseError, Prepared};
use memory_machine_codegen::{self as codegen, BULK_BLOCK, Emission, Launch};
use memory_machine_core::language::program::{Access, ArrayId, Block, Program, Statement};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::language::walk::{accesses, outermost_parallel};
use memory_machine_core::run::layout::{Arrangement, Layout};
use memory_machine_core::trace::AccessKind;
use memory_machine_core::units::WARP;
use memory_machine_measure::models::Calibration;
use memory_machine_sass::ExecutionCounts;

/// Everything that a run makes the machine do.
#[derive(Debug, Clone)]
pub struct Work {
    /// In the order of the program; a kernel stands here once, however often it is launched.
    pub kernels: Vec<KernelWork>,
    /// How they are launched.
    pub launch: Launch,
    /// Bytes of all arrays.
    pub bytes: f64,
    /// Time units on the plain UMM.
    pub time_units: Option<f64>,
    /// Why the listing was counted, if it was in place of the compiled code.
    pub fallback: Option<String>,
    /// Between parallel loops.
    pub(super) between: SequentialAccesses,
}

/// A kernel with its launches.
#[derive(Debug, Clone)]
pub struct KernelWork {
    /// Threads of a block.
    pub block: f64,
    /// Bytes of shared memory of a block.
    pub(super) shared_bytes: f64,
    /// Registers of a thread; 0 where they are not known.
    pub(super) registers: f64,
    /// Of the arrays that it accesses.
    pub(super) bytes: ArrayBytes,
    /// What each launch does.
    pub(super) launches: Vec<LaunchWork>,
}

impl KernelWork {
    pub(super) fn shape(&self) -> BlockShape {
        BlockShape { threads: self.block, shared: self.shared_bytes, registers: self.registers }
    }
}

/// A kernel as its listing has it.
#[derive(Debug, Clone)]
pub(super) struct SampledKernel {
    /// Products and sums with which a thread finds its iteration, and those that wait for each other.
    pub(super) search: [f64; 2],
    /// Loops around an iteration, whose variables a thread computes.
    pub(super) depth: f64,
    /// By number, the accesses of the listing.
    pub(super) sites: BTreeMap<usize, Site>,
    pub(super) groups: Vec<AccessGroup>,
    pub(super) reuse: Option<BulkReuse>,
}

/// What a block of a launch does.
#[derive(Debug, Clone)]
pub(super) enum KernelModel {
    /// Blocks of the listing were sampled.
    Sampled(Arc<SampledKernel>, Arc<BlockSums>),
    /// Compiled code was executed.
    Compiled(Box<ExecutionCounts>),
}

impl KernelModel {
    /// Whether another says the same of the same blocks.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sampled(_, one), Self::Sampled(_, other)) => Arc::ptr_eq(one, other),
            (Self::Compiled(one), Self::Compiled(other)) => one == other,
            _ => false,
        }
    }
}

/// What a launch does: this many blocks as this one.
#[derive(Debug, Clone)]
pub(super) struct LaunchWork {
    /// Blocks of threads.
    pub(super) blocks: f64,
    /// How often what the mean block does is done.
    pub(super) times: f64,
    /// What that block does.
    pub(super) model: KernelModel,
    /// Whether a warp that ran alone stands for all.
    pub(super) is_alone: bool,
}

impl LaunchWork {
    /// Whether another launch does the same: one of the same blocks that were looked at.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.blocks, self.times) == (other.blocks, other.times) && self.model.is_like(&other.model)
    }
}

/// Where a thread of a bulk run comes back to what it accessed.
#[derive(Debug, Clone)]
pub(super) struct BulkReuse {
    pub(super) reuse: Arc<Reuse>,
    /// Simple operations for an address: a row's lie a known distance apart.
    pub(super) address: f64,
    /// Bytes of cache that one of the thread's address groups takes.
    pub(super) group_bytes: f64,
}

/// An access of the listing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    pub(super) kind: AccessKind,
    pub(super) is_shared: bool,
}

impl Work {
    /// What `case` does on a device. How a bulk run's thread comes back to what it accessed does not
    /// depend on the number of inputs: it is found once, if what is `known` is kept.
    ///
    /// # Errors
    /// Sizes that make no sense; what running the listing would find.
    pub fn of(
        case: &Case,
        options: LaunchOptions,
        device: &Calibration,
        known: &mut ReuseCache,
    ) -> Result<Self, CaseError> {
        Self::of_listing(&on_device(case, device)?, options, device, known)
    }

    pub(super) fn of_listing(
        prepared: &Prepared,
        options: LaunchOptions,
        device: &Calibration,
        known: &mut ReuseCache,
    ) -> Result<Self, CaseError> {
        let (case, layout) = (prepared.case(), prepared.layout());
        case.program.with_plain_accesses("predictions from the listing alone")?;
        let (launch, emission) = emitted(prepared, options)?;
        let (kernels, between) = match case.bulk {
            Some(arrangement) => {
                let kernel = bulk(case, options, arrangement, layout, known)?;
                (vec![kernel], SequentialAccesses::default())
            }
            None => parallel(case, options, layout, &emission, device)?,
        };
        Ok(Self {
            kernels,
            launch,
            bytes: codegen::bytes(&case.program, layout) as f64,
            time_units: time_units(prepared)?,
            fallback: None,
            between,
        })
    }

    /// Whether the compiled code was counted, in place of the listing.
    pub fn is_compiled(&self) -> bool {
        self.kernels
            .iter()
            .any(|it| it.launches.iter().any(|it| matches!(it.model, KernelModel::Compiled(_))))
    }

    /// Kernels that are launched, or barriers that are waited at.
    pub fn launches(&self) -> usize {
        self.kernels.iter().map(|it| it.launches.len()).sum()
    }
}

/// The sites of a kernel's body that are in memory.
fn sites(program: &Program, body: &Block) -> BTreeMap<usize, Site> {
    let site = |access: &Access| {
        let site = &program.sites[access.site.0];
        let is_shared = program.arrays[site.array.0].role == Role::Shared;
        (access.site.0, Site { kind: site.kind, is_shared })
    };
    accesses(body).map(site).collect()
}

/// Bytes of the arrays in global memory that a body accesses.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct ArrayBytes {
    /// Of those that it reads.
    pub(super) read: f64,
    /// Of those that it writes.
    pub(super) written: f64,
    /// Of all.
    pub(super) all: f64,
}

impl ArrayBytes {
    pub(super) fn of(program: &Program, layout: &Layout, body: &Block) -> Self {
        let bytes = |is: &dyn Fn(AccessKind) -> bool| {
            let made = accesses(body).filter(|it| is(program.sites[it.site.0].kind));
            let arrays: BTreeSet<ArrayId> = made.map(|it| it.array).collect();
            let global = arrays.into_iter().filter(|it| it.0 < program.global_arrays().count());
            global.map(|it| codegen::array_bytes(program, layout, it)).sum::<u64>() as f64
        };
        Self {
            read: bytes(&|it| it == AccessKind::Read),
            written: bytes(&|it| it == AccessKind::Write),
            all: bytes(&|_| true),
        }
    }
}

fn parallel(
    case: &Case,
    options: LaunchOptions,
    layout: &Layout,
    emission: &Emission,
    device: &Calibration,
) -> Result<(Vec<KernelWork>, SequentialAccesses), CaseError> {
    let (program, resident) = (&*case.program, device.resident_threads());
    let (plans, between) = plan(case, layout, emission, resident)?;
    let of_a_block = |it: &Plan| {
        let (threads, shared) = (it.threads as f64, it.shared_bytes);
        let shape = BlockShape { threads, shared, registers: 0.0 };
        let blocks = blocks_at_once(device, shape);
        // Few blocks have a multiprocessor each.
        let most = it.launches.iter().map(|it| it.blocks).max().unwrap_or(1) as f64;
        let blocks = blocks.min((most / device.multiprocessors.value).ceil());
        l1_bytes(device, shape) / blocks
    };
    let samples = sample(case, layout, &plans, resident, &of_a_block)?;
    let sources = outermost_parallel(&program.body).zip(&plans).zip(samples);
    let kernel = |((source, plan), samples): ((&Statement, &Plan), Vec<BlockSample>)| {
        let body = source.blocks().next()?;
        let samples: Vec<(usize, f64, Arc<BlockSums>)> =
            samples.into_iter().map(|it| (it.launch, it.iterations, Arc::new(it.sums))).collect();
        let sampled = Arc::new(SampledKernel {
            search: plan.search,
            depth: source.ranges().len() as f64,
            sites: sites(program, body),
            groups: groups(program, body, options.prefetch),
            reuse: None,
        });
        // A launch that was not looked at does as the nearest one that was.
        let doing = |(number, launch): (usize, &PlannedLaunch)| {
            let nearest = samples.iter().min_by_key(|it| it.0.abs_diff(number))?;
            let blocks = launch.blocks as f64;
            let times = match plan.of_blocks {
                true => blocks,
                false => launch.iterations as f64 / nearest.1.max(1.0),
            };
            let model = KernelModel::Sampled(sampled.clone(), nearest.2.clone());
            Some(LaunchWork { blocks, times, model, is_alone: false })
        };
        Some(KernelWork {
            block: plan.threads as f64,
            shared_bytes: plan.shared_bytes,
            registers: 0.0,
            bytes: ArrayBytes::of(program, layout, body),
            launches: plan.launches.iter().enumerate().filter_map(doing).collect(),
        })
    };
    Ok((sources.filter_map(kernel).collect(), between))
}

fn bulk(
    case: &Case,
    options: LaunchOptions,
    arrangement: Arrangement,
    layout: &Layout,
    known: &mut ReuseCache,
) -> Result<KernelWork, CaseError> {
    let program = &*case.program;
    let reuse = known.get(case, arrangement)?;
    let groups = groups(program, &program.body, options.prefetch);
    let threads = case.threads.get() as f64;
    let block = f64::from(BULK_BLOCK);
    let warps = block / WARP as f64;
    let mut sums = BlockSums::default();
    for (&operation, &count) in &reuse.operations {
        sums.operations.insert(operation, warps * count);
        sums.busiest.insert(operation, count);
    }
    for (number, &accesses) in reuse.accesses.iter().enumerate() {
        let site = &program.sites[number];
        let bytes = codegen::bytes_of(program.arrays[site.array.0].element) as f64;
        // How far the words of neighbouring threads are apart.
        let apart = match arrangement {
            Arrangement::ColumnWise => bytes,
            Arrangement::RowWise => bytes * layout.regions[site.array.0].cells as f64,
        };
        let warp = WARP as f64;
        let requests = warps * reuse.turns[number];
        // Of a request, the threads that take part.
        let part = accesses / reuse.turns[number].max(1.0);
        let touched =
            |unit: f64| (part * warp * apart / unit).clamp(1.0, warp * part.max(1.0 / warp));
        let (groups, sectors) = (requests * touched(128.0), requests * touched(32.0));
        let places: Vec<u64> = (0..WARP).map(|it| it * apart as u64).collect();
        let stages = requests * l1_stages(site.kind, &places, bytes as u64, touched(128.0));
        // A row's thread comes back to what it left of a sector.
        let parts = match apart < 32.0 {
            true => 0.0,
            false => sectors,
        };
        sums.sites.insert(
            number,
            AccessCounts {
                accesses: block * accesses,
                requests,
                turns: reuse.turns[number],
                stages,
                groups,
                sectors,
                l2_groups: groups,
                l2_sectors: sectors,
                dram_pairs: requests * touched(64.0),
                parts,
            },
        );
    }
    let shared = groups.iter().any(|it| it.prefetch);
    let blocks = (threads / block).ceil();
    let mean = codegen::bytes(program, layout) as f64 / layout.words.max(1) as f64;
    let sampled = SampledKernel {
        search: [0.0; 2],
        depth: 0.0,
        sites: sites(program, &program.body),
        groups,
        reuse: Some(BulkReuse {
            reuse,
            address: match arrangement {
                Arrangement::RowWise => 1.0,
                Arrangement::ColumnWise => 2.0,
            },
            group_bytes: match arrangement {
                Arrangement::RowWise => 128.0,
                Arrangement::ColumnWise => mean,
            },
        }),
    };
    let model = KernelModel::Sampled(Arc::new(sampled), Arc::new(sums));
    let launch = LaunchWork { blocks, times: threads / block, model, is_alone: true };
    Ok(KernelWork {
        block,
        shared_bytes: if shared { 4.0 * options.prefetch as f64 * block } else { 0.0 },
        registers: 0.0,
        bytes: ArrayBytes::of(program, layout, &program.body),
        launches: vec![launch],
    })
}
