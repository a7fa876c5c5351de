//! One pass over all points that drops those certainly inside the hull of a sample
//! (`kernels/hull_filter.cuh`).

use crate::algorithms::hull::reference::monotone_chain;
use crate::algorithms::points::Point;
use crate::cuda::error::Result;
use crate::cuda::gpu::{Buffer, Function, Gpu, Module, bytes_of, bytes_of_mut};

const THREADS: u32 = 512;
/// Blocks that a multiprocessor holds at once.
const RESIDENT: u64 = 4;
/// Equal ranges of x in which most points are told apart by one look at a table.
const CELLS: usize = 1024;
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
pub(super) struct Spare {
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
            polygon: gpu.allocate(((CELLS + MOST_VERTICES + 2) * size_of::<Point>()) as u64)?,
            blocks: (gpu.multiprocessors()? * RESIDENT) as u32,
            _module: module,
        })
    }

    /// Room for `n` points.
    pub(super) fn spare(&self, n: usize) -> Result<Spare> {
        Ok(Spare {
            places: self.gpu.allocate((n * size_of::<Point>()) as u64)?,
            numbers: self.gpu.allocate(4 * n as u64)?,
        })
    }

    /// Puts the points that may be vertices into `spare`; how many they are, and the seconds of the
    /// pass over all points.
    pub(super) fn kept(&self, points: &Buffer, n: usize, spare: &Spare) -> Result<(usize, f64)> {
        let mut words = [0; WORDS];
        for sample in samples(n) {
            let kept = self.pass(points, (sample, n / sample), &words, spare)?;
            let mut sampled = vec![Point::default(); kept];
            self.gpu.download(&spare.places, bytes_of_mut(&mut sampled))?;
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
        spare: &Spare,
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
        self.gpu.download(&self.kept, bytes_of_mut(&mut kept))?;
        Ok(kept[0] as usize)
    }

    /// Puts the hull of points into the GPU's memory, and gives the kernel's structure `Polygon`;
    /// points on one line have no polygon, and so no cells.
    fn polygon(&self, points: &[Point]) -> Result<[u64; WORDS]> {
        let hull = monotone_chain(points);
        // Some of a convex polygon's vertices are a convex polygon inside it.
        let vertices: Vec<Point> = hull
            .iter()
            .step_by(hull.len().div_ceil(MOST_VERTICES).max(1))
            .map(|&at| points[at as usize])
            .collect();
        let Some((lower, upper)) = chains(&vertices) else { return Ok([0; WORDS]) };
        self.gpu.upload(
            &self.polygon,
            bytes_of(&[cells(&lower, &upper), lower.clone(), upper.clone()].concat()),
        )?;
        let at = |points: usize| self.polygon.address() + (points * size_of::<Point>()) as u64;
        let left = lower[0].x;
        let scale = CELLS as f64 / (lower[lower.len() - 1].x - left);
        Ok([
            at(0),
            at(CELLS),
            at(CELLS + lower.len()),
            left.to_bits(),
            scale.to_bits(),
            CELLS as u64 | (lower.len() as u64) << 32,
            upper.len() as u64,
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

/// The lower and the upper chain of a convex polygon, counter-clockwise, each from left to right;
/// `None` if it has no width or no area.
fn chains(vertices: &[Point]) -> Option<(Vec<Point>, Vec<Point>)> {
    let n = vertices.len();
    if n < 3 {
        return None;
    }
    let order = |&i: &usize, &j: &usize| {
        let key = |i: usize| (vertices[i].x, vertices[i].y);
        key(i).partial_cmp(&key(j)).unwrap_or(std::cmp::Ordering::Equal)
    };
    // Leftmost, lowest; rightmost, highest: where the chains meet, but for vertical edges.
    let (first, last) = ((0..n).min_by(order)?, (0..n).max_by(order)?);
    let walk = |from: usize, to: usize| {
        let mut chain = vec![vertices[from]];
        let mut at = from;
        while at != to {
            at = (at + 1) % n;
            chain.push(vertices[at]);
        }
        chain
    };
    let (mut lower, mut upper) = (walk(first, last), walk(last, first));
    upper.reverse();
    let vertical = |a: Point, b: Point| a.x == b.x;
    if vertical(lower[lower.len() - 2], lower[lower.len() - 1]) {
        lower.pop();
    }
    if vertical(upper[0], upper[1]) {
        upper.remove(0);
    }
    Some((lower, upper))
}

/// For each cell the range of y that is certainly inside for all of its x, as `x` and `y`: empty at
/// both ends.
fn cells(lower: &[Point], upper: &[Point]) -> Vec<Point> {
    let left = lower[0].x;
    let width = lower[lower.len() - 1].x - left;
    let cell = width / CELLS as f64;
    // Far more than cells are off by rounding, and far less than a cell.
    let slack = 1e-6 * cell;
    let largest = lower.iter().chain(upper).fold(0.0_f64, |most, it| most.max(it.y.abs()));
    let margin = 8.0 * f64::EPSILON * largest;
    let (mut low, mut high) = (Chain::new(lower, left), Chain::new(upper, left));
    (0..CELLS)
        .map(|k| {
            let (from, to) = (k as f64 * cell - slack, (k + 1) as f64 * cell + slack);
            if from <= 0.0 || to >= width {
                return Point { x: f64::INFINITY, y: f64::NEG_INFINITY };
            }
            // Of a chain that bends towards the inside's far side, an end of the range is extreme.
            let floor = low.at(from).max(low.at(to));
            let ceiling = high.at(from).min(high.at(to));
            Point { x: floor + margin, y: ceiling - margin }
        })
        .collect()
}

/// A chain that is looked up from left to right, in steps that go back by less than a cell.
struct Chain<'c> {
    vertices: &'c [Point],
    left: f64,
    edge: usize,
}

impl<'c> Chain<'c> {
    const fn new(vertices: &'c [Point], left: f64) -> Self {
        Self { vertices, left, edge: 0 }
    }

    /// y at `x` from the left end.
    fn at(&mut self, x: f64) -> f64 {
        while self.edge > 0 && self.vertices[self.edge].x - self.left > x {
            self.edge -= 1;
        }
        while self.edge + 2 < self.vertices.len() && self.vertices[self.edge + 1].x - self.left <= x
        {
            self.edge += 1;
        }
        let (a, b) = (self.vertices[self.edge], self.vertices[self.edge + 1]);
        a.y + (b.y - a.y) * ((x - (a.x - self.left)) / (b.x - a.x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_inside_the_polygon() {
        for corners in [3, 4, 5, 17, 100] {
            let vertices: Vec<Point> = (0..corners)
                .map(|k| {
                    (std::f64::consts::TAU * (f64::from(k) + 0.3) / f64::from(corners)).sin_cos()
                })
                .map(|(sin, cos)| Point { x: 1e6 + cos, y: sin })
                .collect();
            let (lower, upper) = chains(&vertices).unwrap();
            let cells = cells(&lower, &upper);
            let (left, width) = (lower[0].x, lower[lower.len() - 1].x - lower[0].x);
            let inside = |x: f64, y: f64| {
                (0..vertices.len()).all(|k| {
                    let [a, b] = [vertices[k], vertices[(k + 1) % vertices.len()]];
                    crate::algorithms::points::orientation(a, b, Point { x, y }) > 0.0
                })
            };
            let mut area = 0.0;
            for (k, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.x < cell.y) {
                for x in
                    [0.001, 0.5, 0.999].map(|part| left + width * (k as f64 + part) / CELLS as f64)
                {
                    assert!(inside(x, cell.x) && inside(x, cell.y), "{corners} corners, cell {k}");
                }
                area += (cell.y - cell.x) * width / CELLS as f64;
            }
            let turn = std::f64::consts::TAU / f64::from(corners);
            let whole = f64::from(corners) / 2.0 * turn.sin();
            assert!(area > 0.98 * whole, "{corners} corners: {area} of {whole}");
        }
    }

    #[test]
    fn chains_leave_vertical_edges_out() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point { x, y });
        let (lower, upper) = chains(&square).unwrap();
        assert_eq!(lower, [square[0], square[1]]);
        assert_eq!(upper, [square[3], square[2]]);
        assert!(chains(&square[..2]).is_none());
    }
}
