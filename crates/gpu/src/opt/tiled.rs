//! The interval dynamic programming on a GPU by tiles (`kernels/opt_tiled.cuh`), and its triangles.

mod polygons;

use std::cell::OnceCell;
use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice};

pub use self::polygons::Polygons;
use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::kernel::{Function, Module};
use crate::nvrtc;
use memory_machine_core::language::syntax::Type;
use memory_machine_core::run::memory::Bits;
use memory_machine_geometry::opt::Weight;

/// Numbers that the engine computes with.
pub trait Number: Weight + Pod + Bits {
    /// Its type in listings, and for random inputs.
    const TYPE: Type;
}

impl Number for f32 {
    const TYPE: Type = Type::F32;
}
impl Number for i32 {
    const TYPE: Type = Type::I32;
}
impl Number for f64 {
    const TYPE: Type = Type::F64;
}

/// Vertices along a tile as it lies in memory.
const TILE: usize = 64;

/// Vertices along a tile as it is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// 32: closed sooner, for tables whose block diagonals have too few tiles to keep a GPU busy, and
    /// for numbers of which more have no room.
    Narrow,
    /// 64: fewer reads for each relaxation.
    Wide,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Narrow, Self::Wide];

    /// What suits `polygons` `n`-gons of numbers `T`.
    fn of<T: Number>(n: usize, polygons: usize) -> Self {
        let few = n > TILE && n <= LONGEST_NARROW && n * polygons <= MOST_NARROW;
        if few || size_of::<T>() > 4 { Self::Narrow } else { Self::Wide }
    }

    /// Vertices.
    const fn vertices(self) -> usize {
        match self {
            Self::Narrow => 32,
            Self::Wide => 64,
        }
    }

    /// Threads of a block.
    const fn threads(self) -> u32 {
        4 * self.vertices() as u32
    }

    /// Bytes of shared memory of a block: a tile of sums for each group of threads, the two tiles on
    /// the main diagonal that closing a tile needs, in rows of four more, and its weights if narrow.
    const fn shared_bytes<T: Number>(self) -> u32 {
        let side = self.vertices();
        let groups = self.threads() as usize / (side / 8).pow(2);
        let weights = matches!(self, Self::Narrow) as usize;
        (((groups + weights) * side + 2 * (side + 4)) * side * size_of::<T>()) as u32
    }

    /// The same for a tile on the main diagonal: its cells, in rows of four more, and its weights.
    const fn corner_bytes<T: Number>(self) -> u32 {
        ((2 * self.vertices() + 4) * self.vertices() * size_of::<T>()) as u32
    }
}

/// The kernels' text for numbers `T`, and for problems with [sides](memory_machine_geometry::opt::Problem::sides) if `split`.
pub fn source<T: Number>(split: bool, side: Side) -> String {
    let [number, product, tiled, triangles, small] = [
        include_str!("../../kernels/opt_number.cuh"),
        include_str!("../../kernels/opt_product.cuh"),
        include_str!("../../kernels/opt_tiled.cuh"),
        include_str!("../../kernels/opt_triangles.cuh"),
        include_str!("../../kernels/opt_small.cuh"),
    ];
    let (real, vertices) = (T::NAME.to_uppercase(), side.vertices());
    let shared = side.shared_bytes::<T>();
    format!(
        "#define REAL_{real}\n#define SPLIT {split}\n#define SIDE {vertices}\n\
         #define SHARED_BYTES {shared}\n{number}{product}{tiled}{triangles}{small}"
    )
}

/// Vertices of a polygon, and of all, up to which narrow tiles are faster on an H200.
const LONGEST_NARROW: usize = 6144;
const MOST_NARROW: usize = 1 << 15;
/// Threads of a block that triangulates small polygons.
const SMALL_THREADS: u32 = 128;
/// Block diagonals by which products run ahead of the tiles that are being closed.
const AHEAD: usize = 1;
/// The most blocks of vertices that a part of a tile's products runs over. Parts are as short as
/// keeps every multiprocessor busy, and no longer than this.
const LONGEST_PART: usize = 16;
/// Polygons of this many vertices are triangulated by less than a block of threads.
pub const SMALL: usize = 64;
/// Rounds of 128 relaxations that a thread makes to find the ceiling.
const CEILING_ROUNDS: u64 = 20_000;

/// The engine for numbers `T`, on one GPU.
pub struct Tiled<'g, T> {
    gpu: &'g Gpu,
    /// By side, compiled when first needed.
    kernels: [OnceCell<TileKernels>; 2],
    /// Whether triangles weigh something themselves.
    split: bool,
    number: PhantomData<T>,
}

/// The kernels for tiles of one side.
struct TileKernels {
    side: Side,
    arrange: Function,
    corners: Function,
    triangulate: Function,
    triangles: Function,
    /// Blocks of `triangulate` that run at once.
    slots: usize,
    module: Module,
}

impl<'g, T: Number> Tiled<'g, T> {
    /// The engine of problems with [sides](memory_machine_geometry::opt::Problem::sides) if `split`, else that of problems without.
    pub fn new(gpu: &'g Gpu, split: bool) -> Self {
        Self { gpu, kernels: Default::default(), split, number: PhantomData }
    }

    /// Those for one side.
    ///
    /// # Errors
    /// No NVRTC, or a GPU whose blocks have too little shared memory (before sm_80).
    fn kernels(&self, side: Side) -> Result<&TileKernels> {
        let cell = &self.kernels[side as usize];
        if let Some(kernels) = cell.get() {
            return Ok(kernels);
        }
        let gpu = self.gpu;
        let module =
            gpu.load(&nvrtc::compile(&source::<T>(self.split, side), gpu.architecture()?)?)?;
        let triangulate = module.function_with("triangulate", side.shared_bytes::<T>())?;
        let kernels = TileKernels {
            side,
            arrange: module.function("arrange")?,
            corners: module.function_with("corners", side.corner_bytes::<T>())?,
            slots: gpu.resident_blocks(&triangulate, side.threads())? as usize,
            triangulate,
            triangles: module.function("triangles")?,
            module,
        };
        Ok(cell.get_or_init(|| kernels))
    }

    /// Bytes that the tiles of `polygons` `n`-gons take.
    pub const fn bytes(n: usize, polygons: usize) -> u64 {
        let blocks = n.div_ceil(TILE);
        (polygons * blocks * blocks * TILE * TILE * size_of::<T>()) as u64
    }

    /// Memory for `polygons` `n`-gons, `n ≥ 2`.
    ///
    /// # Errors
    /// [`crate::CudaError::Memory`] if it does not fit; no NVRTC, or a GPU whose blocks have too
    /// little shared memory (before sm_80).
    pub fn polygons(&self, n: usize, polygons: usize) -> Result<Polygons<'_, T>> {
        self.polygons_by(Side::of::<T>(n, polygons), n, polygons)
    }

    /// The same with tiles of a given side.
    ///
    /// # Errors
    /// As [`Self::polygons`].
    pub fn polygons_by(&self, side: Side, n: usize, polygons: usize) -> Result<Polygons<'_, T>> {
        let kernels = self.kernels(side)?;
        let (gpu, blocks) = (self.gpu, n.div_ceil(side.vertices()));
        let plan = plan(blocks, polygons, kernels.slots);
        let on_gpu = gpu.allocate(size_of_val(plan.as_slice()) as u64)?;
        gpu.upload(&on_gpu, cast_slice(plan.as_flattened()))?;
        let counters = polygons * blocks * blocks + 1;
        Ok(Polygons {
            engine: self,
            kernels,
            tiles: gpu.allocate(Self::bytes(n, polygons))?,
            base: None,
            sides: None,
            counters: gpu.allocate(4 * counters as u64)?,
            negative: gpu.allocate(4)?,
            plan: on_gpu,
            n,
            blocks,
            polygons,
        })
    }

    /// Triangulates many polygons of at most [`SMALL`] vertices: weights, `polygons × n × n`, are
    /// replaced by tables `T`; only upper triangles count. Nothing is waited for.
    ///
    /// # Panics
    /// If `n` is 2 or less, or more than [`SMALL`], or the engine is that of problems with sides.
    pub fn small(&self, n: usize, polygons: usize, tables: &Buffer) -> Result<()> {
        assert!((3..=SMALL).contains(&n) && !self.split, "small polygons without sides");
        let lanes = n.next_power_of_two().min(32) as u32;
        let threads = SMALL_THREADS;
        let each = n * (n | 1) * size_of::<T>();
        let module = &self.kernels(Side::of::<T>(n, polygons))?.module;
        let function = module.function_with("small", threads / lanes * each as u32)?;
        let grid = self.gpu.resident_blocks(&function, threads)? as u32;
        let arguments = [tables.address(), n as u64, u64::from(lanes), polygons as u64];
        self.gpu.launch(&function, (grid, threads), &arguments)
    }

    /// Seconds of 10¹² relaxations in registers alone, the fastest that any engine can be; `natural` for the form of `f32` that needs weights of 0 or more.
    pub fn ceiling(&self, natural: bool) -> Result<f64> {
        let gpu = self.gpu;
        let kernels = self.kernels(Side::of::<T>(usize::MAX, 1))?;
        let (ceiling, threads) = (kernels.module.function("ceiling")?, kernels.side.threads());
        let sums = gpu.allocate(u64::from(threads) * size_of::<T>() as u64)?;
        gpu.set(&sums, 0)?;
        let arguments = [sums.address(), CEILING_ROUNDS, u64::from(natural)];
        gpu.synchronize()?;
        let grid = (gpu.resident_blocks(&ceiling, threads)? as u32, threads);
        let seconds = gpu.seconds(|| gpu.launch(&ceiling, grid, &arguments))?;
        let relaxations = f64::from(grid.0 * threads) * 128.0 * CEILING_ROUNDS as f64;
        Ok(seconds / relaxations * 1e12)
    }
}

/// For each block diagonal `e`: the first of its items of work, and the parts into which the
/// products of each of its tiles are cut; behind them, the number of items. Items are the tiles of
/// `e` to close, then the parts of the tiles of `e + AHEAD`.
fn plan(blocks: usize, polygons: usize, slots: usize) -> Vec<[i32; 2]> {
    let parts = |e: usize| {
        let products = e.saturating_sub(2 * AHEAD + 1);
        let of_a_slot = products * blocks.saturating_sub(e) * polygons / slots;
        products.div_ceil(of_a_slot.clamp(1, LONGEST_PART))
    };
    let mut item = 0;
    let mut plan = vec![[0, 0]];
    for e in 1..=blocks {
        plan.push([item as i32, parts(e) as i32]);
        let ahead = blocks.saturating_sub(e + AHEAD) * parts(e + AHEAD);
        item += (blocks - e + ahead) * polygons;
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::plan;

    #[test]
    fn a_plan_has_each_tile_and_each_product_once() {
        for (blocks, polygons) in [(1, 1), (2, 1), (3, 5), (16, 1), (128, 1), (8, 1000)] {
            let plan = plan(blocks, polygons, 264);
            assert_eq!(plan.len(), blocks + 1);
            let mut items = 0;
            for e in 1..blocks {
                assert_eq!(plan[e][0] as usize, items);
                let parts = plan.get(e + 1).map_or(0, |it| it[1] as usize);
                items += polygons * (blocks - e + (blocks - e - 1) * parts);
                // A part is never empty, and there is one where there are products.
                assert!(plan[e][1] as usize <= e.saturating_sub(3));
                assert_eq!(plan[e][1] == 0, e <= 3);
            }
            assert_eq!(plan[blocks][0] as usize, items);
        }
    }
}
