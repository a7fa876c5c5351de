//! Polygons on a GPU: loaded, triangulated, read back.

use bytemuck::{cast_slice, cast_slice_mut};
use rayon::prelude::*;

use super::{AHEAD, Number, TILE, TileKernels, Tiled};
use crate::error::Result;
use crate::gpu::Buffer;
use memory_machine_geometry::opt::{Problem, Table, Triangle};

/// Polygons in a GPU's memory: weights, and once they are triangulated the tables `T`.
pub struct Polygons<'e, T> {
    pub(super) engine: &'e Tiled<'e, T>,
    pub(super) kernels: &'e TileKernels,
    pub(super) tiles: Buffer,
    pub(super) base: Option<Buffer>,
    /// Of the only polygon, 0 for vertices beyond `n`.
    pub(super) sides: Option<Buffer>,
    /// Finished parts of each tile's products and whether it is closed, and the next item.
    pub(super) counters: Buffer,
    /// Whether a weight is negative.
    pub(super) negative: Buffer,
    pub(super) plan: Buffer,
    pub(super) n: usize,
    pub(super) blocks: usize,
    pub(super) polygons: usize,
}

impl<T: Number> Polygons<'_, T> {
    /// The kernels' parameters, and what comes after them.
    fn arguments(&self, more: &[u64]) -> Vec<u64> {
        let counters = self.counters.address();
        let [polygons, blocks] = [self.polygons, self.blocks].map(|it| it as u64);
        let next = polygons * blocks * blocks;
        let mut arguments = vec![
            self.tiles.address(),
            address(self.base.as_ref()),
            counters,
            counters + 4 * next,
            self.negative.address(),
            self.plan.address(),
            self.n as u64,
            blocks,
            AHEAD as u64,
            polygons,
            address(self.sides.as_ref()),
        ];
        arguments.extend(more);
        arguments
    }

    /// Copies the weights of the only polygon to the GPU, 64 rows at a time. `progress` receives how
    /// many rows were copied since it was last called.
    ///
    /// # Panics
    /// If there are more polygons, or the engine is not that of problems with sides, or without, as
    /// this one is.
    pub fn load<P>(&mut self, problem: &P, progress: &dyn Fn(u64)) -> Result<()>
    where
        P: Problem<T> + ?Sized,
    {
        assert_eq!(self.polygons, 1, "one polygon");
        assert_eq!(self.engine.split, problem.sides().is_some(), "the engine for its sides");
        let (gpu, n) = (self.engine.gpu, self.n);
        let base: Vec<T> =
            (0..n).map(|a| if a + 1 < n { problem.base(a) } else { T::ZERO }).collect();
        self.base = None;
        if base.iter().any(|&it| it != T::ZERO) {
            let buffer = gpu.allocate(size_of_val(base.as_slice()) as u64)?;
            gpu.upload(&buffer, cast_slice(&base))?;
            self.base = Some(buffer);
        }
        self.sides = None;
        if let Some(given) = problem.sides() {
            let mut sides = vec![T::ZERO; n.next_multiple_of(TILE)];
            sides[..n].copy_from_slice(given);
            let buffer = gpu.allocate(size_of_val(sides.as_slice()) as u64)?;
            gpu.upload(&buffer, cast_slice(&sides))?;
            self.sides = Some(buffer);
        }
        gpu.set(&self.negative, 0)?;
        let mut rows = vec![T::ZERO; TILE * n];
        let staging = gpu.allocate(size_of_val(rows.as_slice()) as u64)?;
        let blocks = n.div_ceil(TILE);
        for block in 0..blocks {
            rows.par_chunks_exact_mut(n)
                .enumerate()
                .for_each(|(row, cells)| problem.write_row(block * TILE + row, 0, cells));
            gpu.upload(&staging, cast_slice(&rows))?;
            let arguments = self.arguments(&[staging.address(), block as u64, 1]);
            let grid = (blocks as u32, self.kernels.side.threads());
            gpu.launch(&self.kernels.arrange, grid, &arguments)?;
            progress(TILE.min(n - block * TILE) as u64);
        }
        gpu.synchronize()
    }

    /// Tables of weights that are in the GPU's memory, `polygons × n × n`. Nothing is waited for.
    ///
    /// # Panics
    /// If the engine is that of problems with sides.
    pub fn triangulate_weights(&self, weights: &Buffer) -> Result<()> {
        assert!(!self.engine.split, "polygons without sides");
        if self.blocks == 1 {
            return self.launch_corners(weights.address());
        }
        let (gpu, blocks) = (self.engine.gpu, self.n.div_ceil(TILE));
        gpu.set(&self.negative, 0)?;
        let grid = (self.polygons * blocks * blocks).min(1 << 14) as u32;
        let arguments = self.arguments(&[weights.address(), 0, blocks as u64]);
        gpu.launch(&self.kernels.arrange, (grid, self.kernels.side.threads()), &arguments)?;
        self.triangulate()
    }

    /// Replaces weights by tables. Nothing is waited for.
    pub fn triangulate(&self) -> Result<()> {
        let TileKernels { side, triangulate, slots, .. } = self.kernels;
        let gpu = self.engine.gpu;
        self.launch_corners(0)?;
        if self.blocks == 1 {
            return Ok(());
        }
        gpu.set(&self.counters, 0)?;
        gpu.launch(triangulate, (*slots as u32, side.threads()), &self.arguments(&[]))
    }

    /// The tiles on the main diagonal, of weights that are in them, or at an address.
    fn launch_corners(&self, elsewhere: u64) -> Result<()> {
        let grid = ((self.polygons * self.blocks) as u32, self.kernels.side.threads());
        self.engine.gpu.launch(&self.kernels.corners, grid, &self.arguments(&[elsewhere]))
    }

    /// `T[a][b]` of a polygon, `a < b`.
    pub fn cell(&self, polygon: usize, a: usize, b: usize) -> Result<T> {
        assert!(polygon < self.polygons && a < b && b < self.n, "a cell of a table");
        let blocks = self.n.div_ceil(TILE);
        let tile = (polygon * blocks + a / TILE) * blocks + b / TILE;
        let place = tile * TILE * TILE + a % TILE * TILE + b % TILE;
        let mut cell = [T::ZERO];
        let offset = (place * size_of::<T>()) as u64;
        self.engine.gpu.download_at(&self.tiles, offset, cast_slice_mut(&mut cell))?;
        Ok(cell[0])
    }

    /// `T[v][b]` for `b > vertex`, and `T[a][v]` for `a < vertex`, at `[b]` and `[a]`.
    pub fn at_vertex(&self, polygon: usize, vertex: usize) -> Result<Vec<T>> {
        let blocks = self.n.div_ceil(TILE);
        let mut cells = vec![T::ZERO; blocks * TILE * TILE];
        let first = (polygon * blocks + vertex / TILE) * blocks;
        let offset = (first * TILE * TILE * size_of::<T>()) as u64;
        self.engine.gpu.download_at(&self.tiles, offset, cast_slice_mut(&mut cells))?;
        let row = vertex % TILE * TILE;
        let rows = cells.chunks_exact(TILE * TILE).flat_map(|tile| &tile[row..row + TILE]);
        Ok(rows.copied().collect())
    }

    /// The table of a polygon.
    pub fn table(&self, polygon: usize) -> Result<Table<T>> {
        let blocks = self.n.div_ceil(TILE);
        Table::from_rows(self.n, |row, cells| {
            // The tiles of a row from the main diagonal on lie together.
            let first = (polygon * blocks + row) * blocks + row;
            let offset = (first * TILE * TILE * size_of::<T>()) as u64;
            self.engine.gpu.download_at(&self.tiles, offset, cast_slice_mut(cells))
        })
    }

    /// The triangles of the first polygon's triangulation, as
    /// [`memory_machine_geometry::opt::triangulation::triangles`] finds and orders them; `None` if no
    /// triangulation has finite weight.
    pub fn triangles(&self) -> Result<Option<Vec<Triangle>>> {
        let (gpu, n) = (self.engine.gpu, self.n);
        if !self.cell(0, 0, n - 1)?.is_finite() {
            return Ok(None);
        }
        let vertices = |each: u64| gpu.allocate(each * 4 * n as u64);
        let (queue, found, count) = (vertices(2)?, vertices(3)?, gpu.allocate(4)?);
        let arguments = self.arguments(&[queue.address(), found.address(), count.address()]);
        gpu.launch(&self.kernels.triangles, (1, 1024), &arguments)?;
        let mut made = [0_i32];
        gpu.download(&count, cast_slice_mut(&mut made))?;
        let mut corners = vec![[0_i32; 3]; made[0] as usize];
        gpu.download(&found, cast_slice_mut(corners.as_flattened_mut()))?;
        let triangle = |it: [i32; 3]| {
            let [a, k, b] = it.map(|vertex| vertex as usize);
            Triangle { a, k, b }
        };
        let mut triangles: Vec<Triangle> = corners.into_iter().map(triangle).collect();
        triangles.sort_unstable_by_key(|it| (it.a, std::cmp::Reverse(it.b)));
        Ok(Some(triangles))
    }
}

/// Where a buffer lies, if there is one; else 0.
fn address(buffer: Option<&Buffer>) -> u64 {
    buffer.map_or(0, Buffer::address)
}
