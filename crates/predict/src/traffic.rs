//! What the emitted kernels of a run ask of a GPU's memory, warp by warp: the program is executed, and
//! each access is given to the warp and the block that the emitter gives it to.

use std::collections::{BTreeSet, HashSet};

use super::block_counts::bank_stages;
use super::counter::Counter;
use memory_machine_case::{Case, CaseError};
use memory_machine_codegen::{
    self as codegen, BULK_BLOCK, Emission, Launch, LaunchGrid, Options, Tile, bytes_of,
};
use memory_machine_core::keyword::Keyword;
use memory_machine_core::language::program::{LoopId, Nest, Program};
use memory_machine_core::language::syntax::Role;
use memory_machine_core::run::layout::Layout;
use memory_machine_core::run::{Accesses, BlocksEvent, Observer};
use memory_machine_core::trace::{AccessKind, Space};
use memory_machine_core::units::{SECTOR_BYTES, Threads, WARP};

/// What a kernel asks for over all its launches in one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelTraffic {
    /// As in the source.
    pub kernel: String,
    /// How often it is launched.
    pub launches: usize,
    /// By counter.
    counts: [u64; Counter::WORDS.len()],
}

impl KernelTraffic {
    /// A count.
    pub const fn of(&self, counter: Counter) -> u64 {
        self.counts[counter as usize]
    }

    const fn add(&mut self, counter: Counter, more: u64) {
        self.counts[counter as usize] += more;
    }
}

/// Bytes that memory moves at a time.
const DRAM_ACCESS_BYTES: u64 = 64;

/// What the kernels of a case ask for that is launched by the host, each read in its place.
///
/// # Errors
/// What the emitter refuses, what running the listing finds, inputs that do not fit.
pub fn traffic(case: &Case) -> Result<Vec<KernelTraffic>, CaseError> {
    let case = match case.bulk {
        Some(_) => case.clone(),
        // Each iteration of a nest has a thread of its own.
        None => Case { threads: Threads::at_least_one(1 << 40), ..case.clone() },
    };
    let layout = case.layout()?;
    let options =
        Options { bulk: case.bulk, launch: Launch::Plain, prefetch: 1, standalone: false };
    case.program.without_global_layouts("predictions")?;
    let emission = codegen::emit(&case.program, options, &codegen::sizes(&layout))?;
    let mut memory = case.memory(&layout)?;
    let mut counter = TrafficObserver::new(&case.program, &layout, &emission);
    case.execute(&layout, &mut memory, &mut counter)?;
    counter.end();
    Ok(counter.kernels.into_iter().filter(|it| it.launches > 0).collect())
}

/// How the lanes of a launch are dealt to warps and blocks.
#[derive(Debug, Clone, Copy)]
enum LaneMapping {
    /// This many neighbouring lanes a thread, in blocks of this many threads.
    InTurn { each: usize, block: usize },
    /// In tiles.
    Tiles(Tile),
    /// Blocks of the listing, of this many threads.
    Blocks { threads: usize },
}

/// A warp's accesses by one instruction, and its block.
struct WarpAccess {
    block: u64,
    warp: usize,
    /// By byte.
    places: Vec<u64>,
}

struct TrafficObserver<'a> {
    program: &'a Program,
    layout: &'a Layout,
    emission: &'a Emission,
    kernels: Vec<KernelTraffic>,
    /// The kernel that runs.
    running: Option<(usize, LaneMapping)>,
    in_blocks: bool,
    /// Of the launch: sectors that each block has read, and what memory has moved.
    read: HashSet<(u64, u64)>,
    moved: HashSet<u64>,
    /// Of the launch: what it has written, which memory need not bring.
    written: HashSet<u64>,
}

impl<'a> TrafficObserver<'a> {
    fn new(program: &'a Program, layout: &'a Layout, emission: &'a Emission) -> Self {
        let kernel = |it: &codegen::Kernel| KernelTraffic {
            kernel: it.name.clone(),
            launches: 0,
            counts: [0; Counter::WORDS.len()],
        };
        let kernels = emission.kernels.iter().map(kernel).collect();
        let (read, moved, written) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut this = Self {
            program,
            layout,
            emission,
            kernels,
            running: None,
            in_blocks: false,
            read,
            moved,
            written,
        };
        if emission.kernels[0].of.is_none() {
            // One thread, or one an input.
            this.begin(0, LaneMapping::InTurn { each: 1, block: BULK_BLOCK as usize });
        }
        this
    }

    fn begin(&mut self, kernel: usize, dealt: LaneMapping) {
        self.running = Some((kernel, dealt));
        self.kernels[kernel].launches += 1;
    }

    /// What is known only when all accesses of a launch are.
    fn end(&mut self) {
        if let Some((kernel, _)) = self.running.take() {
            self.kernels[kernel].add(Counter::CacheReads, self.read.len() as u64);
            self.kernels[kernel]
                .add(Counter::MemoryReads, DRAM_ACCESS_BYTES * self.moved.len() as u64);
        }
        self.read.clear();
        self.moved.clear();
        self.written.clear();
    }

    fn launched(&self, id: LoopId) -> Option<(usize, &codegen::Kernel)> {
        // A whole program's kernel goes on through its loops.
        self.running.is_none().then(|| self.emission.of_loop(id)).flatten()
    }

    fn of_nest(kernel: &codegen::Kernel) -> LaneMapping {
        let block = kernel.threads as usize;
        match kernel.grid {
            LaunchGrid::Tiles(tile) => LaneMapping::Tiles(tile),
            LaunchGrid::Threads(each) => LaneMapping::InTurn { each: each as usize, block },
            LaunchGrid::Program | LaunchGrid::Blocks => LaneMapping::InTurn { each: 1, block },
        }
    }

    /// The block and the warp of a lane.
    fn place(dealt: LaneMapping, lane: usize, blocks: Option<(u64, usize)>) -> (u64, usize) {
        match (dealt, blocks) {
            (LaneMapping::Tiles(tile), _) => {
                let (block, warp) = tile.place(lane as u64);
                (block, warp as usize)
            }
            (_, Some((first, lanes))) => (
                first + (lane / lanes) as u64,
                lane / lanes * lanes.div_ceil(WARP as usize) + lane % lanes / WARP as usize,
            ),
            (LaneMapping::InTurn { each, block }, None) => {
                ((lane / each / block) as u64, lane / each / WARP as usize)
            }
            (LaneMapping::Blocks { .. }, None) => (0, lane / WARP as usize),
        }
    }

    /// An instruction of a warp, made by `times` warps of the block alike.
    fn global(&mut self, kernel: usize, kind: AccessKind, group: &WarpAccess, times: u64) {
        let sectors: BTreeSet<u64> = group.places.iter().map(|it| it / SECTOR_BYTES).collect();
        let (requests, all) = match kind {
            AccessKind::Read => (Counter::LoadRequests, Counter::LoadSectors),
            AccessKind::Write => (Counter::StoreRequests, Counter::StoreSectors),
        };
        let count = times * sectors.len() as u64;
        self.kernels[kernel].add(requests, times);
        self.kernels[kernel].add(all, count);
        match kind {
            AccessKind::Read => {
                self.read.extend(sectors.iter().map(|&it| (group.block, it)));
                let brought = sectors.iter().filter(|it| !self.written.contains(it));
                self.moved.extend(brought.map(|it| it * SECTOR_BYTES / DRAM_ACCESS_BYTES));
            }
            AccessKind::Write => {
                self.kernels[kernel].add(Counter::CacheWrites, count);
                self.written.extend(&sectors);
            }
        }
    }

    /// The same of shared memory.
    fn shared(
        &mut self,
        kernel: usize,
        kind: AccessKind,
        (places, bytes): (&[u64], u64),
        times: u64,
    ) {
        let counter = match kind {
            AccessKind::Read => Counter::SharedLoads,
            AccessKind::Write => Counter::SharedStores,
        };
        self.kernels[kernel].add(counter, times * bank_stages(places, bytes));
    }
}

impl Observer for TrafficObserver<'_> {
    fn access(&mut self, accesses: &Accesses<'_>) {
        let Some((kernel, dealt)) = self.running else { return };
        let site = &self.program.sites[accesses.site.0];
        let array = &self.program.arrays[site.array.0];
        if array.role == Role::Register {
            return;
        }
        let bytes = bytes_of(array.element);
        // Each array begins where no other's sector ends.
        let first = (site.array.0 as u64) << 48;
        let base = self.layout.regions[site.array.0].base.0;
        let space = accesses.blocks.map_or(Space::Global, |it| it.space);
        let origin = if space == Space::Shared { 0 } else { base };
        let place = |lane: usize| first + (accesses.addresses[lane] - origin) * bytes;
        let blocks = accesses.blocks.map(|it| (it.first, it.lanes));
        // What thread 0 alone does on the machine, all threads read, and thread 0 writes.
        let times = match (dealt, blocks, site.kind) {
            (LaneMapping::Blocks { threads }, Some((_, 1)), AccessKind::Read) => {
                threads.div_ceil(WARP as usize) as u64
            }
            _ => 1,
        };
        let mut group: Option<WarpAccess> = None;
        let hand_on = |this: &mut Self, group: Option<WarpAccess>| {
            let Some(group) = group else { return };
            match space {
                Space::Global => this.global(kernel, site.kind, &group, times),
                Space::Shared => this.shared(kernel, site.kind, (&group.places, bytes), times),
            }
        };
        accesses.active.for_each(|lane| {
            let (block, warp) = Self::place(dealt, lane, blocks);
            match &mut group {
                Some(it) if (it.block, it.warp) == (block, warp) => it.places.push(place(lane)),
                _ => {
                    let next = WarpAccess { block, warp, places: vec![place(lane)] };
                    let before = group.replace(next);
                    hand_on(self, before);
                }
            }
        });
        hand_on(self, group);
    }

    fn enter_nest(&mut self, nest: &Nest) {
        let Some((kernel, emitted)) = self.launched(nest.id()) else { return };
        let dealt = Self::of_nest(emitted);
        self.begin(kernel, dealt);
    }

    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {
        if !self.in_blocks && self.emission.kernels[0].of.is_some() {
            self.end();
        }
    }

    fn blocks(&mut self, event: BlocksEvent<'_>) {
        match event {
            BlocksEvent::Begin { blocks, threads } => {
                self.in_blocks = true;
                let Some((kernel, _)) = self.launched(blocks.ranges[0].id) else { return };
                self.begin(kernel, LaneMapping::Blocks { threads: threads.get() as usize });
            }
            BlocksEvent::End => {
                self.in_blocks = false;
                self.end();
            }
            _ => {}
        }
    }
}
