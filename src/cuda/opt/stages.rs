//! The methods of Ito and Nakano (2013), a launch for each stage (`kernels/opt_stages.cu`).
//!
//! Stage `p` computes the `n − 1 − p` cells `M[i][i+p]`, each from `p` sums, for `1 ≤ p ≤ n − 2`;
//! stage 0 is the initialisation. Every method leaves the bits of the plain triple loop.

use std::cell::OnceCell;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use crate::algorithms::opt::Weight;
use crate::cuda::error::Result;
use crate::cuda::gpu::{Buffer, Gpu, Graph};
use crate::cuda::kernel::{Function, Module};
use crate::cuda::nvrtc;
use bytemuck::{Pod, cast_slice, cast_slice_mut};

const SOURCE: &str = include_str!("../../../kernels/opt_stages.cu");

/// Where `M[i][j]` lies in an array of `n × n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrangement {
    /// At `(i, j)`.
    Naive,
    /// At `(i − j + n − 1, j)`: a row for each stage.
    Sliding,
    /// At `(i, j)` and `(j, i)`.
    Mirroring,
}

impl Arrangement {
    pub const ALL: [Self; 3] = [Self::Naive, Self::Sliding, Self::Mirroring];
}

/// What computes a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// TB: a thread a cell.
    TbNaive,
    TbSliding,
    /// BB: one or more blocks a cell.
    BbNaive,
    BbMirroring,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::TbNaive, Self::TbSliding, Self::BbNaive, Self::BbMirroring];

    /// As in the names of kernels and algorithms.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TbNaive => "tb_naive",
            Self::TbSliding => "tb_sliding",
            Self::BbNaive => "bb_naive",
            Self::BbMirroring => "bb_mirroring",
        }
    }

    pub const fn arrangement(self) -> Arrangement {
        match self {
            Self::TbNaive | Self::BbNaive => Arrangement::Naive,
            Self::TbSliding => Arrangement::Sliding,
            Self::BbMirroring => Arrangement::Mirroring,
        }
    }

    pub const fn is_block_based(self) -> bool {
        matches!(self, Self::BbNaive | Self::BbMirroring)
    }
}

/// A method with its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Way {
    pub method: Method,
    /// Threads of a block.
    pub t: u32,
    /// Blocks of a cell; 1 of TB.
    pub b: u32,
}

/// The papers' numbers of threads and of blocks.
pub const THREADS: [u32; 6] = [32, 64, 128, 256, 512, 1024];
pub const BLOCKS: [u32; 4] = [1, 2, 4, 8];

impl Way {
    /// Every method with every parameter: 12 of TB, 48 of BB.
    pub fn all() -> Vec<Self> {
        let of = |method: Method| {
            let blocks = if method.is_block_based() { &BLOCKS[..] } else { &BLOCKS[..1] };
            let ways = move |&b| THREADS.map(|t| Self { method, t, b });
            blocks.iter().flat_map(ways).collect::<Vec<_>>()
        };
        Method::ALL.into_iter().flat_map(of).collect()
    }

    /// Whether the kernels take these parameters.
    pub fn is_valid(self) -> bool {
        THREADS.contains(&self.t)
            && (self.b == 1 || self.method.is_block_based() && BLOCKS.contains(&self.b))
    }
}

/// `BB(256, 1) mirroring`.
impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, t, b } = self;
        let (_, arrangement) = method.word().split_once('_').unwrap_or_default();
        if method.is_block_based() {
            write!(f, "BB({t}, {b}) {arrangement}")
        } else {
            write!(f, "TB({t}) {arrangement}")
        }
    }
}

/// The largest polygon: `n` is an `int` of the kernels, and a grid has 8 blocks a cell.
pub const MOST_VERTICES: usize = 1 << 16;

/// Threads of a block that initialises, and that converts a tile.
const BLOCK: u32 = 256;
/// Blocks that keep any GPU busy.
const GRID: u32 = 2048;
/// Cells of a tile's side.
const TILE: u64 = 32;

/// Weights and tables of one polygon on a GPU.
pub struct Stages<'a, T> {
    gpu: &'a Gpu,
    n: usize,
    weights: Buffer,
    /// By arrangement, allocated when first needed.
    tables: [OnceCell<Buffer>; 3],
    /// By method.
    methods: [Function; 4],
    initialise: Function,
    convert: Function,
    /// Keeps the functions loaded.
    _module: Module,
    element: std::marker::PhantomData<T>,
}

impl<'a, T: Weight + Pod> Stages<'a, T> {
    /// For `n` vertices and the weights `c` of chords, `n × n` numbers row-major, of which those
    /// above the main diagonal are read.
    ///
    /// # Errors
    /// A GPU without room for the weights, or that fails; no NVRTC.
    ///
    /// # Panics
    /// If `weights` are not `n × n`, or `n` is below 3 or above [`MOST_VERTICES`].
    pub fn new(gpu: &'a Gpu, n: usize, weights: &[T]) -> Result<Self> {
        assert_eq!(weights.len(), n * n, "weights are n × n");
        let buffer = gpu.allocate(size_of_val(weights) as u64)?;
        gpu.upload(&buffer, cast_slice(weights))?;
        Self::with_weights(gpu, n, buffer)
    }

    /// The same with weights that are already on the GPU.
    pub fn with_weights(gpu: &'a Gpu, n: usize, weights: Buffer) -> Result<Self> {
        assert!((3..=MOST_VERTICES).contains(&n), "3 to {MOST_VERTICES} vertices");
        let module = gpu.load(&nvrtc::compile(SOURCE, gpu.architecture()?)?)?;
        let function = |word: &str| module.function(&format!("{word}_{}", T::NAME));
        let [a, b, c, d] = Method::ALL.map(|method| function(method.word()));
        Ok(Self {
            gpu,
            n,
            weights,
            tables: Default::default(),
            methods: [a?, b?, c?, d?],
            initialise: function("initialise")?,
            convert: function("convert")?,
            _module: module,
            element: std::marker::PhantomData,
        })
    }

    pub const fn n(&self) -> usize {
        self.n
    }

    fn table(&self, arrangement: Arrangement) -> Result<&Buffer> {
        let cell = &self.tables[arrangement as usize];
        if let Some(buffer) = cell.get() {
            return Ok(buffer);
        }
        let buffer = self.gpu.allocate((self.n * self.n * size_of::<T>()) as u64)?;
        Ok(cell.get_or_init(|| buffer))
    }

    /// Launches stage 0: zero, and everything else infinite.
    pub fn initialise(&self, arrangement: Arrangement) -> Result<()> {
        let sliding = u64::from(arrangement == Arrangement::Sliding);
        let arguments = [self.table(arrangement)?.address(), self.n as u64, sliding];
        self.gpu.launch(&self.initialise, (GRID, BLOCK), &arguments)
    }

    /// Launches stage `p`, from 1 to `n − 2`, on the table of the method's arrangement.
    pub fn stage(&self, way: Way, p: usize) -> Result<()> {
        let Way { method, t, b } = way;
        let cells = (self.n - 1 - p) as u32;
        let table = self.table(method.arrangement())?.address();
        let arguments = [table, self.weights.address(), self.n as u64, p as u64, b.into()];
        let grid = if method.is_block_based() { cells * b } else { cells.div_ceil(t) };
        let taken = if method.is_block_based() { 5 } else { 4 };
        self.gpu.launch(&self.methods[method as usize], (grid, t), &arguments[..taken])
    }

    /// Launches the copy of all cells from one arrangement to another.
    pub fn convert(&self, from: Arrangement, to: Arrangement) -> Result<()> {
        let tiles = (self.n as u64).div_ceil(TILE);
        let places = [self.table(from)?.address(), self.table(to)?.address()];
        let arguments = [places[0], places[1], self.n as u64, from as u64, to as u64];
        self.gpu.launch(&self.convert, ((tiles * tiles) as u32, BLOCK), &arguments)
    }

    /// Launches everything from the initialisation to the last stage, as planned.
    ///
    /// # Panics
    /// If the plan is for another `n`.
    pub fn launch(&self, plan: &Plan) -> Result<()> {
        assert_eq!(plan.n, self.n, "the plan is for another polygon");
        let mut arranged = plan.ranges[0].way.method.arrangement();
        self.initialise(arranged)?;
        for range in &plan.ranges {
            let wanted = range.way.method.arrangement();
            if wanted != arranged {
                self.convert(arranged, wanted)?;
                arranged = wanted;
            }
            for p in range.first.max(1)..=range.last {
                self.stage(range.way, p)?;
            }
        }
        Ok(())
    }

    /// [`Self::launch`] as a graph, which a GPU runs without waiting for the host.
    pub fn graph(&self, plan: &Plan) -> Result<Graph> {
        self.reserve(plan)?;
        self.gpu.capture(|| self.launch(plan))
    }

    /// Allocates the tables that a plan needs: nothing can be allocated while a graph is captured.
    fn reserve(&self, plan: &Plan) -> Result<()> {
        plan.ranges.iter().try_for_each(|it| self.table(it.way.method.arrangement()).map(|_| ()))
    }

    /// Row 1 of `M`, whose last number is the answer, once a plan has run.
    pub fn first_row(&self, plan: &Plan) -> Result<Vec<T>> {
        let mut row = vec![T::ZERO; self.n];
        let offset = size_of_val(row.as_slice()) as u64;
        self.gpu.download_at(self.as_rows(plan)?, offset, cast_slice_mut(&mut row))?;
        // M[1][0] is none.
        row[0] = T::ZERO;
        Ok(row)
    }

    /// The papers' `M` once a plan has run: `n × n` numbers, row-major, 0 where it is not defined.
    pub fn square(&self, plan: &Plan) -> Result<Vec<T>> {
        let mut m = vec![T::ZERO; self.n * self.n];
        self.gpu.download(self.as_rows(plan)?, cast_slice_mut(&mut m))?;
        for (i, row) in m.chunks_mut(self.n).enumerate() {
            let undefined = if i == 0 { self.n } else { i };
            row[..undefined].fill(T::ZERO);
        }
        Ok(m)
    }

    /// The table that a plan leaves, with `M[i][j]` at `(i, j)`.
    fn as_rows(&self, plan: &Plan) -> Result<&Buffer> {
        let left = plan.ranges[plan.ranges.len() - 1].way.method.arrangement();
        if left != Arrangement::Sliding {
            return self.table(left);
        }
        self.convert(left, Arrangement::Naive)?;
        self.table(Arrangement::Naive)
    }
}

/// The papers' table `M` of a polygon, and the seconds from weights in the GPU's memory to the last
/// cell, by a graph of the plan's launches after one that is not timed.
///
/// `O(n³)` time in all; `n²` numbers for the weights and as many for each arrangement in the plan.
///
/// # Errors
/// As [`Stages::new`].
///
/// # Panics
/// As [`Stages::new`], and if the plan is for another `n`.
pub fn solve<T: Weight + Pod>(gpu: &Gpu, weights: &[T], plan: &Plan) -> Result<(Vec<T>, f64)> {
    let stages = Stages::new(gpu, plan.n, weights)?;
    let graph = stages.graph(plan)?;
    let seconds = gpu.laps(1, || graph.launch())?[0];
    Ok((stages.square(plan)?, seconds))
}
