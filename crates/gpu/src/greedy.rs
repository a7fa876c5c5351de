//! Greedy triangulation on a GPU by the paper's kernels, corrected (`kernels/greedy.cuh`).

use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::kernel::{Function, Module};
use crate::nvrtc;
use bytemuck::{cast_slice, cast_slice_mut};
use memory_machine_geometry::points::Point;

/// A line's name is its two points' numbers in 16 bits each.
pub const MOST_POINTS: usize = 1 << 16;

/// Keys that a block sorts at once.
const SORT_TILE: u64 = 4096;
const SORT_THREADS: u32 = 256;
const DIGIT_BITS: u32 = 8;
const DIGITS: u64 = 1 << DIGIT_BITS;
const SCAN_TILE: u64 = 2048;
const SCAN_THREADS: u32 = 256;
/// Lines whose bits a thread reads at once.
const WORD: u64 = 32;
/// Threads that look for the next line together.
const SEEKERS: u32 = 1024;
/// Rounds that are launched as one graph.
const ROUNDS: usize = 256;

/// The kernels' text.
pub fn source() -> String {
    [
        include_str!("../kernels/exact.cuh"),
        include_str!("../kernels/scan.cuh"),
        include_str!("../kernels/greedy.cuh"),
    ]
    .concat()
}

/// Shoemaker's algorithm on one GPU.
pub struct GreedyKernels<'g> {
    gpu: &'g Gpu,
    generate: Function,
    count_digits: Function,
    scan_counts: [Function; 3],
    place_digits: Function,
    settle_ties: Function,
    triangulate: Function,
    find_new_small: Function,
    _module: Module,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuTriangulation {
    /// The lines accepted, in that order, as numbers of points `i < j`.
    pub edges: Vec<[u32; 2]>,
    /// Seconds of making all lines, measured on the device, as those of the other steps are.
    pub generate_s: f64,
    /// Of sorting the lines by length.
    pub sort_s: f64,
    /// Of all rounds.
    pub triangulate_s: f64,
}

/// All lines of a set of points on a GPU, sorted.
struct DeviceLines<'e, 'g> {
    engine: &'e GreedyKernels<'g>,
    points: Buffer,
    names: Buffer,
    count: u64,
    generate_s: f64,
    sort_s: f64,
}

impl<'g> GreedyKernels<'g> {
    /// Compiles and loads.
    ///
    /// # Errors
    /// No NVRTC.
    pub fn new(gpu: &'g Gpu) -> Result<Self> {
        let module = gpu.load(&nvrtc::compile(&source(), gpu.architecture()?)?)?;
        let scan = |step: u32| module.function(&format!("scan_counts_{step}"));
        Ok(Self {
            gpu,
            generate: module.function("generate")?,
            count_digits: module.function("count_digits")?,
            scan_counts: [scan(1)?, scan(2)?, scan(3)?],
            place_digits: module.function("place_digits")?,
            settle_ties: module.function("settle_ties")?,
            triangulate: module.function("triangulate")?,
            find_new_small: module.function("find_new_small")?,
            _module: module,
        })
    }

    /// The greedy triangulation of distinct points by `blocks` blocks of `threads` threads: `O(n²)`
    /// memory, a launch of `O(n²/(blocks · threads))` steps for each line accepted.
    ///
    /// # Errors
    /// [`crate::CudaError::Memory`] if it does not fit.
    ///
    /// # Panics
    /// If there are more than [`MOST_POINTS`] points.
    pub fn triangulate(
        &self,
        points: &[Point],
        blocks: u32,
        threads: u32,
    ) -> Result<GpuTriangulation> {
        let lines = self.lines(points)?;
        let (edges, triangulate_s, _) = lines.rounds(points.len(), (blocks, threads), false)?;
        let DeviceLines { generate_s, sort_s, .. } = lines;
        Ok(GpuTriangulation { edges, generate_s, sort_s, triangulate_s })
    }

    /// The number of conflict tests that [`Self::triangulate`] makes.
    ///
    /// # Errors
    /// As there.
    pub fn tests(&self, points: &[Point]) -> Result<u64> {
        let (_, _, tests) = self.lines(points)?.rounds(points.len(), (512, 1024), true)?;
        Ok(tests)
    }

    fn lines(&self, points: &[Point]) -> Result<DeviceLines<'_, 'g>> {
        let (gpu, n) = (self.gpu, points.len());
        assert!(n <= MOST_POINTS, "a point's number takes 16 bits");
        let count = (n * n.saturating_sub(1) / 2) as u64;
        let on_gpu = gpu.allocate(size_of_val(points) as u64)?;
        gpu.upload(&on_gpu, cast_slice(points))?;
        let keys = [gpu.allocate(8 * count)?, gpu.allocate(8 * count)?];
        let names = [gpu.allocate(4 * count)?, gpu.allocate(4 * count)?];
        let digits = count.div_ceil(SORT_TILE) * DIGITS;
        let counts = gpu.allocate(4 * digits)?;
        let totals = gpu.allocate(4 * (digits.div_ceil(SCAN_TILE) + 1))?;

        let grid = n.clamp(1, 1 << 14) as u32;
        let arguments = [on_gpu.address(), n as u64, keys[0].address(), names[0].address()];
        gpu.synchronize()?;
        let generate_s = gpu.seconds(|| gpu.launch(&self.generate, (grid, 256), &arguments))?;
        let sort_s = gpu.seconds(|| {
            if count < 2 {
                return Ok(());
            }
            for pass in 0..u64::BITS / DIGIT_BITS {
                let (from, to) = (pass as usize % 2, 1 - pass as usize % 2);
                let shift = u64::from(pass * DIGIT_BITS);
                let tiles = count.div_ceil(SORT_TILE) as u32;
                let taken = [keys[from].address(), count, shift, counts.address()];
                gpu.launch(&self.count_digits, (tiles, SORT_THREADS), &taken)?;
                self.scan(&counts, digits, &totals)?;
                let taken = [
                    keys[from].address(),
                    names[from].address(),
                    count,
                    shift,
                    counts.address(),
                    keys[to].address(),
                    names[to].address(),
                ];
                gpu.launch(&self.place_digits, (tiles, SORT_THREADS), &taken)?;
            }
            // Passes are even in number, so that everything is where it was.
            let spare = names[1].address();
            let taken = [on_gpu.address(), keys[0].address(), count, names[0].address(), spare];
            let blocks = count.div_ceil(256).min(1 << 16) as u32;
            gpu.launch(&self.settle_ties, (blocks, 256), &taken)
        })?;
        let [names, _] = names;
        Ok(DeviceLines { engine: self, points: on_gpu, names, count, generate_s, sort_s })
    }

    /// Replaces counts by the sums of those before.
    fn scan(&self, counts: &Buffer, count: u64, totals: &Buffer) -> Result<()> {
        let [first, second, third] = &self.scan_counts;
        let tiles = count.div_ceil(SCAN_TILE);
        let taken = [counts.address(), count, totals.address()];
        self.gpu.launch(first, (tiles as u32, SCAN_THREADS), &taken)?;
        self.gpu.launch(second, (1, 1024), &[tiles, totals.address()])?;
        self.gpu.launch(third, (tiles as u32, SCAN_THREADS), &taken)
    }
}

impl DeviceLines<'_, '_> {
    /// The lines accepted, the seconds that it took, and if asked for the conflict tests made.
    fn rounds(
        &self,
        n: usize,
        shape: (u32, u32),
        counted: bool,
    ) -> Result<(Vec<[u32; 2]>, f64, u64)> {
        let GreedyKernels { gpu, triangulate, find_new_small, .. } = self.engine;
        let open = gpu.allocate(self.count.div_ceil(WORD) * 4)?;
        gpu.set(&open, 0xff)?;
        if !self.count.is_multiple_of(WORD) {
            let last = !(u32::MAX << (self.count % WORD));
            gpu.upload_at(&open, self.count / WORD * 4, cast_slice(&[last]))?;
        }
        // A planar graph has at most 3n − 6 edges, or n − 1.
        let accepted = gpu.allocate(4 * 3 * n as u64)?;
        let (smallest, made, tests) = (gpu.allocate(8)?, gpu.allocate(4)?, gpu.allocate(8)?);
        for buffer in [&smallest, &made, &tests] {
            gpu.set(buffer, 0)?;
        }
        let (names, lines) = (self.names.address(), self.count);
        let tested = if counted { tests.address() } else { 0 };
        let strike =
            [self.points.address(), names, lines, smallest.address(), open.address(), tested];
        let seek =
            [names, lines, open.address(), smallest.address(), made.address(), accepted.address()];
        let graph = gpu.capture(|| {
            for _ in 0..ROUNDS {
                gpu.launch(triangulate, shape, &strike)?;
                gpu.launch(find_new_small, (1, SEEKERS), &seek)?;
            }
            Ok(())
        })?;
        gpu.synchronize()?;
        let seconds = gpu.seconds(|| {
            let mut next = [0_u64];
            while next[0] < lines {
                graph.launch()?;
                gpu.download(&smallest, cast_slice_mut(&mut next))?;
            }
            Ok(())
        })?;
        let mut rounds = [0_u32];
        gpu.download(&made, cast_slice_mut(&mut rounds))?;
        let mut edges = vec![0_u32; rounds[0] as usize];
        gpu.download(&accepted, cast_slice_mut(&mut edges))?;
        let mut tested = [0_u64];
        gpu.download(&tests, cast_slice_mut(&mut tested))?;
        let edges = edges.into_iter().map(|name| [name >> 16, name & 0xffff]).collect();
        Ok((edges, seconds, tested[0]))
    }
}
