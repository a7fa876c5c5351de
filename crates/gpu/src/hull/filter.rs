//! One pass over all points that drops those certainly inside the hull of a sample
//! (`kernels/hull_filter.cuh`).

use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::kernel::{Function, Module};
use bytemuck::{cast_slice, cast_slice_mut};
use memory_machine_geometry::hull::chains;
use memory_machine_geometry::hull::grid::{COLUMNS, PolygonColumns};
use memory_machine_geometry::hull::reference::monotone_chain;
use memory_machine_geometry::points::Point;

const THREADS: u32 = 512;
/// Blocks that a multiprocessor holds at once.
const RESIDENT: u64 = 4;
/// Vertices of a sample's hull that are used, at most.
const MOST_VERTICES: usize = 4096;
/// The first sample's points, and how many times larger a further one is at most. The hull of a
/// sample of m uniform points in a convex body leaves of n points n/m for each of its vertices
/// (Efron 1965): few, if samples grow by moderate steps.
const SAMPLE: usize = 512;
const GROWTH: f64 = 64.0;

pub(super) struct Filter<'g> {
    gpu: &'g Gpu,
    filter: Function,
    kept: Buffer,
    /// A polygon's table and chains.
    polygon: Buffer,
    blocks: u32,
    _module: Module,
}

/// Room for the points that a pass keeps.
pub(super) struct FilterBuffers {
    pub(super) places: Buffer,
    pub(super) numbers: Buffer,
}

impl<'g> Filter<'g> {
    pub(super) fn new(gpu: &'g Gpu, module: Module) -> Result<Self> {
        Ok(Self {
            gpu,
            filter: module.function("filter")?,
            kept: gpu.allocate(4)?,
            // Where a chain ends, the other one may begin.
            polygon: gpu
                .allocate((COLUMNS * 32 + (MOST_VERTICES + 2) * size_of::<Point>()) as u64)?,
            blocks: (gpu.multiprocessors()? * RESIDENT) as u32,
            _module: module,
        })
    }

    /// Room for `n` points.
    pub(super) fn spare(&self, n: usize) -> Result<FilterBuffers> {
        Ok(FilterBuffers {
            places: self.gpu.allocate((n * size_of::<Point>()) as u64)?,
            numbers: self.gpu.allocate(4 * n as u64)?,
        })
    }

    /// Puts the points that may be vertices into `spare`; how many they are, and the seconds of the
    /// pass over all points.
    pub(super) fn kept(
        &self,
        points: &Buffer,
        n: usize,
        spare: &FilterBuffers,
    ) -> Result<(usize, f64)> {
        let mut words = [0; WORDS];
        for sample in samples(n) {
            let kept = self.pass(points, (sample, n / sample), &words, spare)?;
            let mut sampled = vec![Point::default(); kept];
            self.gpu.download(&spare.places, cast_slice_mut(&mut sampled))?;
            words = self.polygon(&sampled)?;
        }
        let mut kept = 0;
        let seconds = self.gpu.seconds(|| {
            kept = self.pass(points, (n, 1), &words, spare)?;
            Ok(())
        })?;
        Ok((kept, seconds))
    }

    /// Passes over points 0, stride, 2 · stride, … `count` of them.
    fn pass(
        &self,
        points: &Buffer,
        (count, stride): (usize, usize),
        polygon: &[u64; WORDS],
        spare: &FilterBuffers,
    ) -> Result<usize> {
        self.gpu.set(&self.kept, 0)?;
        let arguments: [&[u64]; 7] = [
            &[points.address()],
            &[count as u64],
            &[stride as u64],
            polygon,
            &[spare.places.address()],
            &[spare.numbers.address()],
            &[self.kept.address()],
        ];
        let blocks = self.blocks.min(count.div_ceil(THREADS as usize) as u32);
        self.gpu.launch_words(&self.filter, (blocks, THREADS), &arguments)?;
        let mut kept = [0_u32];
        self.gpu.download(&self.kept, cast_slice_mut(&mut kept))?;
        Ok(kept[0] as usize)
    }

    /// Puts the hull of points into the GPU's memory, and gives the kernel's structure `Polygon`;
    /// points on one line have no polygon, and so no chains.
    fn polygon(&self, points: &[Point]) -> Result<[u64; WORDS]> {
        let hull = monotone_chain(points);
        // Some of a convex polygon's vertices are a convex polygon inside it.
        let vertices: Vec<Point> = hull
            .iter()
            .step_by(hull.len().div_ceil(MOST_VERTICES).max(1))
            .map(|&at| points[at as usize])
            .collect();
        let Some(chains) = chains(&vertices) else { return Ok([0; WORDS]) };
        let [lower, upper] = &chains;
        let Some(grid) = PolygonColumns::new(&chains, lower[0].x, lower[lower.len() - 1].x) else {
            return Ok([0; WORDS]);
        };
        let lines = cast_slice(&grid.lines);
        let table = [lines, cast_slice(lower), cast_slice(upper)].concat();
        self.gpu.upload(&self.polygon, &table)?;
        let at = |bytes: usize| self.polygon.address() + bytes as u64;
        Ok([
            at(0),
            at(lines.len()),
            at(lines.len() + size_of_val(lower.as_slice())),
            grid.origin.x.to_bits(),
            grid.origin.y.to_bits(),
            grid.columns_per_unit.to_bits(),
            lower.len() as u64 | (upper.len() as u64) << 32,
        ])
    }
}

/// Words of the kernel's structure `Polygon`.
const WORDS: usize = 7;

/// Sizes of samples of `n` points, increasing by equal factors.
fn samples(n: usize) -> Vec<usize> {
    let whole = n as f64 / SAMPLE as f64;
    let steps = (whole.ln() / GROWTH.ln()).ceil();
    let grown = |step: u32| SAMPLE as f64 * whole.powf(f64::from(step) / steps);
    (0..steps as u32).map(|step| grown(step) as usize).collect()
}
