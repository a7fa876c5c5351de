//! Convex hulls on a GPU.
//!
//! `filter` is this project's: one pass at the memory's speed drops nearly all points, and the
//! host settles the rest. `quickhull` is the system of Srikanth et al., which takes over where too
//! many points stay. Both drop a point only if it is certainly inside; what remains is settled
//! exactly on the host.

mod filter;
mod quickhull;

use std::time::Instant;

use self::filter::Filter;
use self::quickhull::Quickhull;
use crate::error::Result;
use crate::gpu::{Buffer, Gpu};
use crate::nvrtc;
use bytemuck::{cast_slice, cast_slice_mut};
use memory_machine_geometry::hull::IndexedPoint;
use memory_machine_geometry::hull::reference::finish;
use memory_machine_geometry::points::Point;

/// The kernels' texts: of the filter, and of the paper's system.
pub fn sources() -> [String; 2] {
    let exact = include_str!("../../kernels/exact.cuh");
    let scan = include_str!("../../kernels/scan.cuh");
    [
        [exact, include_str!("../../kernels/hull_filter.cuh")].concat(),
        [exact, scan, include_str!("../../kernels/quickhull.cuh")].concat(),
    ]
}

/// Survivors that the host settles itself; more go through the paper's rounds first.
const FEW: usize = 1 << 16;

/// Both systems on one GPU.
pub struct HullKernels<'g> {
    gpu: &'g Gpu,
    filter: Filter<'g>,
    quickhull: Quickhull<'g>,
}

/// Points in a GPU's memory.
pub struct DevicePoints<'h> {
    hull: &'h HullKernels<'h>,
    points: Buffer,
    n: usize,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuHull {
    /// Counter-clockwise from the lowest, of those the leftmost point; strict vertices only.
    pub vertices: Vec<u32>,
    /// Seconds from points in the GPU's memory to vertices in the host's.
    pub seconds: f64,
    /// Seconds of the pass over all points, measured on the device; 0 without the filter.
    pub first_pass_s: f64,
    /// Points that were settled exactly on the host.
    pub survivors: u64,
    /// Rounds of the paper's system; 0 where the filter left few points.
    pub rounds: u32,
}

impl<'g> HullKernels<'g> {
    /// Compiles and loads.
    ///
    /// # Errors
    /// No NVRTC.
    pub fn new(gpu: &'g Gpu) -> Result<Self> {
        let [filter, quickhull] = sources();
        let load = |source: &str| gpu.load(&nvrtc::compile(source, gpu.architecture()?)?);
        Ok(Self {
            gpu,
            filter: Filter::new(gpu, load(&filter)?)?,
            quickhull: Quickhull::new(gpu, load(&quickhull)?)?,
        })
    }

    /// Copies points to the GPU.
    ///
    /// # Errors
    /// [`crate::CudaError::Memory`] if they do not fit.
    ///
    /// # Panics
    /// If there are 2³² or more.
    pub fn load(&self, points: &[Point]) -> Result<DevicePoints<'_>> {
        assert!(u32::try_from(points.len()).is_ok(), "points are numbered in 32 bits");
        let buffer = self.gpu.allocate(size_of_val(points) as u64)?;
        self.gpu.upload(&buffer, cast_slice(points))?;
        Ok(DevicePoints { hull: self, points: buffer, n: points.len() })
    }
}

impl DevicePoints<'_> {
    /// The hull: a pass of the filter over all points, the paper's rounds if many survive, and an
    /// exact finish on the host.
    ///
    /// # Errors
    /// [`crate::CudaError::Memory`] if the survivors do not fit.
    pub fn hull(&self) -> Result<GpuHull> {
        let HullKernels { gpu, filter, quickhull } = self.hull;
        let spare = filter.spare(self.n)?;
        gpu.synchronize()?;
        let started = Instant::now();
        let (kept, first_pass_s) = filter.kept(&self.points, self.n, &spare)?;
        let mut rounds = 0;
        let left = if kept <= FEW {
            sites(gpu, &spare.places, &spare.numbers, kept)?
        } else {
            let space = quickhull.workspace(kept)?;
            let left;
            (left, rounds) =
                quickhull.survivors(&spare.places, Some(&spare.numbers), kept, &space)?;
            left
        };
        Ok(GpuHull::new(left, started, first_pass_s, rounds))
    }

    /// The hull by the paper's seven phases alone.
    ///
    /// # Errors
    /// [`crate::CudaError::Memory`] if what the rounds need does not fit.
    pub fn paper(&self) -> Result<GpuHull> {
        let HullKernels { gpu, quickhull, .. } = self.hull;
        let space = quickhull.workspace(self.n)?;
        gpu.synchronize()?;
        let started = Instant::now();
        let (left, rounds) = quickhull.survivors(&self.points, None, self.n, &space)?;
        Ok(GpuHull::new(left, started, 0.0, rounds))
    }
}

impl GpuHull {
    /// Settles what is left, exactly.
    fn new(left: Vec<IndexedPoint>, started: Instant, first_pass_s: f64, rounds: u32) -> Self {
        let survivors = left.len() as u64;
        let vertices = finish(left);
        let seconds = started.elapsed().as_secs_f64();
        Self { vertices, seconds, first_pass_s, survivors, rounds }
    }
}

/// Downloads the first `count` points, among which all vertices may be.
fn sites(gpu: &Gpu, places: &Buffer, numbers: &Buffer, count: usize) -> Result<Vec<IndexedPoint>> {
    let (mut points, mut indices) = (vec![Point::default(); count], vec![0; count]);
    gpu.download(places, cast_slice_mut(&mut points))?;
    gpu.download(numbers, cast_slice_mut(&mut indices))?;
    Ok(points
        .into_iter()
        .zip(indices)
        .map(|(point, index)| IndexedPoint { point, index })
        .collect())
}
