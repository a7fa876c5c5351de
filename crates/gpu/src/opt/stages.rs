//! The methods of Ito and Nakano (2013), a launch for each stage (`kernels/opt_stages.cu`).
//!
//! Stage `p` computes the `n − 1 − p` cells `M[i][i+p]`, each from `p` sums, for `1 ≤ p ≤ n − 2`;
//! stage 0 is the initialisation. Every method leaves the bits of the plain triple loop.

use std::cell::OnceCell;

use crate::error::Result;
use crate::gpu::{Buffer, Gpu, Graph};
use crate::kernel::{Function, Module};
use crate::nvrtc;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use memory_machine_geometry::opt::Weight;
use memory_machine_geometry::opt::plan::Plan;
use memory_machine_geometry::opt::variant::{MOST_VERTICES, Method, TableArrangement, Variant};

const SOURCE: &str = include_str!("../../kernels/opt_stages.cu");

/// Threads of a block that initialises, and that converts a tile.
const BLOCK: u32 = 256;
/// Blocks that keep any GPU busy.
const GRID: u32 = 2048;
/// Cells of a tile's side.
const TILE: u64 = 32;

/// Weights and tables of one polygon on a GPU.
pub struct StagedOpt<'a, T> {
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

impl<'a, T: Weight + Pod> StagedOpt<'a, T> {
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

    /// Vertices of the polygon.
    pub const fn n(&self) -> usize {
        self.n
    }

    fn table(&self, arrangement: TableArrangement) -> Result<&Buffer> {
        let cell = &self.tables[arrangement as usize];
        if let Some(buffer) = cell.get() {
            return Ok(buffer);
        }
        let buffer = self.gpu.allocate((self.n * self.n * size_of::<T>()) as u64)?;
        Ok(cell.get_or_init(|| buffer))
    }

    /// Launches stage 0: zero, and everything else infinite.
    pub fn initialise(&self, arrangement: TableArrangement) -> Result<()> {
        let sliding = u64::from(arrangement == TableArrangement::Sliding);
        let arguments = [self.table(arrangement)?.address(), self.n as u64, sliding];
        self.gpu.launch(&self.initialise, (GRID, BLOCK), &arguments)
    }

    /// Launches stage `p`, from 1 to `n − 2`, on the table of the method's arrangement.
    pub fn stage(&self, variant: Variant, p: usize) -> Result<()> {
        let Variant { method, t, b } = variant;
        let cells = (self.n - 1 - p) as u32;
        let table = self.table(method.arrangement())?.address();
        let arguments = [table, self.weights.address(), self.n as u64, p as u64, b.into()];
        let grid = if method.is_block_based() { cells * b } else { cells.div_ceil(t) };
        let taken = if method.is_block_based() { 5 } else { 4 };
        self.gpu.launch(&self.methods[method as usize], (grid, t), &arguments[..taken])
    }

    /// Launches the copy of all cells from one arrangement to another.
    pub fn convert(&self, from: TableArrangement, to: TableArrangement) -> Result<()> {
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
        let mut arranged = plan.ranges[0].variant.method.arrangement();
        self.initialise(arranged)?;
        for range in &plan.ranges {
            let wanted = range.variant.method.arrangement();
            if wanted != arranged {
                self.convert(arranged, wanted)?;
                arranged = wanted;
            }
            for p in range.first.max(1)..=range.last {
                self.stage(range.variant, p)?;
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
        plan.ranges
            .iter()
            .try_for_each(|it| self.table(it.variant.method.arrangement()).map(|_| ()))
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
        let left = plan.ranges[plan.ranges.len() - 1].variant.method.arrangement();
        if left != TableArrangement::Sliding {
            return self.table(left);
        }
        self.convert(left, TableArrangement::Naive)?;
        self.table(TableArrangement::Naive)
    }
}

/// The papers' table `M` of a polygon, and the seconds from weights in the GPU's memory to the last
/// cell, by a graph of the plan's launches after one that is not timed.
///
/// `O(n³)` time in all; `n²` numbers for the weights and as many for each arrangement in the plan.
///
/// # Errors
/// As [`StagedOpt::new`].
///
/// # Panics
/// As [`StagedOpt::new`], and if the plan is for another `n`.
pub fn solve<T: Weight + Pod>(gpu: &Gpu, weights: &[T], plan: &Plan) -> Result<(Vec<T>, f64)> {
    let stages = StagedOpt::new(gpu, plan.n, weights)?;
    let graph = stages.graph(plan)?;
    let seconds = gpu.laps(1, || graph.launch())?[0];
    Ok((stages.square(plan)?, seconds))
}
