//! The quickhull of Srikanth et al. for the Cell processor, on cores instead of SPEs.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::quickhull_chains::{Chain, Half, UNCERTAIN, most_rounds, outside, solve};
use super::simd::{self, Lanes, LanesJob};
use super::{IndexedPoint, ends};
use crate::points::{Point, orientation};

/// The hull by the quickhull of [`sequential`](super::sequential()), the points in one chunk for each
/// of `workers` threads (at least one).
///
/// In each round a worker computes the distances of its chunk and the farthest point of each label;
/// these are merged; then each worker drops what is not outside and labels the rest anew. Where in
/// memory a worker puts its rest, the prefix-sums of the workers' counts tell, so that removal is
/// parallel, too, which in the paper it is not. `simd` computes distances with the widest vectors
/// that the CPU has. `O(n log n)` time on one worker.
pub fn workers(points: &[Point], workers: usize, simd: bool) -> Vec<u32> {
    in_chunks(points, workers.max(1), DistanceMethod { simd, prefetch: false })
}

/// As [`workers`], but that the block of points after the one in work is on its way to the cache
/// meanwhile: the paper's double buffering, where SPEs fetch blocks into their own memory.
pub fn workers_prefetch(points: &[Point], workers: usize, simd: bool) -> Vec<u32> {
    in_chunks(points, workers.max(1), DistanceMethod { simd, prefetch: true })
}

/// How distances are computed.
#[derive(Clone, Copy)]
struct DistanceMethod {
    simd: bool,
    prefetch: bool,
}

fn in_chunks(points: &[Point], workers: usize, method: DistanceMethod) -> Vec<u32> {
    let run = || {
        let chunk = points.len().div_ceil(workers).max(1);
        let of_chunks = points.par_chunks(chunk).enumerate().filter_map(|(rank, points)| {
            let sites = points.iter().zip(rank * chunk..);
            ends(sites.map(|(&point, i)| IndexedPoint { point, index: i as u32 }))
        });
        let ends = ends(of_chunks.collect::<Vec<_>>().into_iter().flatten());
        solve(ends, |half, ends| quickhull(half, ends, points, workers, method))
    };
    match rayon::ThreadPoolBuilder::new().num_threads(workers).build() {
        Ok(pool) => pool.install(run),
        Err(_) => run(), // no threads to be had: on those that there are
    }
}

/// Points whose distances are still in the first-level cache when the farthest is looked for.
const BLOCK: usize = 1 << 10;

/// The points that are still in question.
struct OpenPoints<'a> {
    points: Cow<'a, [Point]>,
    index: Vec<u32>,
    /// The edge, of those found so far, that each point may be outside of.
    label: Vec<u32>,
}

fn quickhull(
    half: Half,
    ends: [IndexedPoint; 2],
    points: &[Point],
    workers: usize,
    method: DistanceMethod,
) -> Chain {
    let n = points.len();
    let mut found = ends.to_vec();
    let index = (0..n as u32).into_par_iter().collect();
    let mut rest = OpenPoints { points: points.into(), index, label: vec![0; n] };
    let mut distances = vec![0.0; n];
    for _ in 0..most_rounds(n) {
        let chunk = rest.points.len().div_ceil(workers);
        distances.truncate(rest.points.len());
        let edges = Edges::new(&found);
        let parts: Vec<ChunkResult> = (
            distances.par_chunks_mut(chunk),
            rest.points.par_chunks(chunk),
            rest.label.par_chunks(chunk),
        )
            .into_par_iter()
            .enumerate()
            .map(|(rank, (distances, points, labels))| {
                let mut part = ChunkResult::new(edges.ends.len());
                for at in (0..points.len()).step_by(BLOCK) {
                    let end = points.len().min(at + BLOCK);
                    let next = if method.prefetch { end } else { points.len() };
                    let (labels, next_labels) = (&labels[at..end], &labels[next..]);
                    let (distances, next_points) = (&mut distances[at..end], &points[next..]);
                    let points = &points[at..end];
                    let edges = &edges;
                    let job =
                        Distances { edges, points, labels, distances, next_points, next_labels };
                    simd::run(method.simd, job);
                    part.note(rank * chunk + at, distances, labels);
                }
                part
            })
            .collect();
        let counts: Vec<usize> = parts.iter().map(|part| part.outside).collect();

        let mut before = vec![0; found.len() - 1];
        let mut next = vec![found[0]];
        for label in 0..before.len() {
            before[label] = (next.len() - 1 - label) as u32;
            let of_all = parts.iter().map(|part| part.farthest[label]);
            // The first of equals, as on one thread.
            let best = of_all.reduce(|a, b| if b.distance > a.distance { b } else { a });
            if let Some(FarthestPoint { distance, at }) = best
                && distance > 0.0
            {
                next.push(IndexedPoint { point: rest.points[at], index: rest.index[at] });
            }
            next.push(found[label + 1]);
        }
        rest = rest.kept(&distances, chunk, &counts, |point, label| {
            let first = label + before[label as usize];
            first + u32::from(!half.is_before(point, next[first as usize + 1].point))
        });
        found = next;
        if rest.points.is_empty() {
            break;
        }
    }
    let left =
        rest.points.iter().zip(rest.index).map(|(&point, index)| IndexedPoint { point, index });
    Chain { found, left: left.collect() }
}

impl OpenPoints<'_> {
    /// Those of a distance above 0, labelled anew. Each chunk has `counts` of them.
    fn kept(
        &self,
        distances: &[f64],
        chunk: usize,
        counts: &[usize],
        label: impl Fn(Point, u32) -> u32 + Sync,
    ) -> OpenPoints<'static> {
        let total = counts.iter().sum();
        let mut points = vec![Point { x: 0.0, y: 0.0 }; total];
        let (mut index, mut labels) = (vec![0; total], vec![0; total]);
        (split(&mut points, counts), split(&mut index, counts), split(&mut labels, counts))
            .into_par_iter()
            .enumerate()
            .for_each(|(rank, (points, index, labels))| {
                let range = Range { start: rank * chunk, end: self.points.len() };
                // Written in any case, and over if it is not outside: half of the time, a branch
                // would be foreseen wrongly.
                let mut to = 0;
                for from in range.take(chunk) {
                    if to == points.len() {
                        break;
                    }
                    points[to] = self.points[from];
                    index[to] = self.index[from];
                    labels[to] = label(self.points[from], self.label[from]);
                    to += usize::from(distances[from] > 0.0);
                }
            });
        OpenPoints { points: points.into(), index, label: labels }
    }
}

/// Consecutive parts of a slice, of these lengths: where they begin, the prefix-sums tell.
fn split<'a, T>(mut slice: &'a mut [T], counts: &[usize]) -> Vec<&'a mut [T]> {
    let part = |&count: &usize| slice.split_off_mut(..count).unwrap_or_default();
    counts.iter().map(part).collect()
}

/// What a worker finds out of its chunk.
struct ChunkResult {
    /// Of each label, the farthest point outside its edge, if any.
    farthest: Vec<FarthestPoint>,
    /// The number of points outside.
    outside: usize,
}

/// A point and its distance; none is outside if that is 0.
#[derive(Clone, Copy)]
struct FarthestPoint {
    distance: f64,
    at: usize,
}

impl ChunkResult {
    fn new(labels: usize) -> Self {
        Self { farthest: vec![FarthestPoint { distance: 0.0, at: 0 }; labels], outside: 0 }
    }

    /// Takes note of points, the first of which is point `first`.
    fn note(&mut self, first: usize, distances: &[f64], labels: &[u32]) {
        for (at, (&distance, &label)) in (first..).zip(distances.iter().zip(labels)) {
            self.outside += usize::from(distance > 0.0);
            let farthest = &mut self.farthest[label as usize];
            if distance > farthest.distance {
                *farthest = FarthestPoint { distance, at };
            }
        }
    }
}

/// The edges found so far.
struct Edges {
    ends: Vec<[Point; 2]>,
    /// x and y of the beginning, then of the way to the end.
    ways: Vec<[f64; 4]>,
}

impl Edges {
    fn new(found: &[IndexedPoint]) -> Self {
        let ends: Vec<_> = found.windows(2).map(|pair| [pair[0].point, pair[1].point]).collect();
        let ways = ends.iter().map(|[l, r]| [l.x, l.y, r.x - l.x, r.y - l.y]).collect();
        Self { ends, ways }
    }
}

/// [`outside`] of every point of a chunk.
struct Distances<'a> {
    edges: &'a Edges,
    points: &'a [Point],
    labels: &'a [u32],
    distances: &'a mut [f64],
    /// What comes after them, if it is to be fetched.
    next_points: &'a [Point],
    next_labels: &'a [u32],
}

/// Points after which more are fetched: their labels are a line of the cache.
const POINTS_PER_LINE: usize = simd::LINE / size_of::<u32>();

impl LanesJob for Distances<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { edges, points, labels, distances, next_points, next_labels } = self;
        let uncertain = lanes.splat(UNCERTAIN);
        let whole = points.len() - points.len() % L::LANES;
        for i in (0..whole).step_by(L::LANES) {
            if i % POINTS_PER_LINE == 0 && i < next_points.len() {
                let end = next_points.len().min(i + POINTS_PER_LINE);
                simd::prefetch(&next_points[i..end]);
                simd::prefetch(&next_labels[i..end]);
            }
            let [x, y] = lanes.points(&points[i..]);
            let [from_x, from_y, way_x, way_y] =
                lanes.rows(&edges.ways, lanes.labels(&labels[i..]));
            let left = lanes.times(way_x, lanes.minus(y, from_y));
            let right = lanes.times(way_y, lanes.minus(x, from_x));
            let distance = lanes.minus(right, left);
            lanes.store(distance, &mut distances[i..]);
            let size = lanes.plus(lanes.magnitude(left), lanes.magnitude(right));
            let certain = lanes.less(lanes.times(uncertain, size), lanes.magnitude(distance));
            for lane in (0..L::LANES).filter(|lane| certain >> lane & 1 == 0) {
                let [l, r] = edges.ends[labels[i + lane] as usize];
                distances[i + lane] = -orientation(l, r, points[i + lane]);
            }
        }
        for i in whole..points.len() {
            let [l, r] = edges.ends[labels[i] as usize];
            distances[i] = outside(l, r, points[i]);
        }
    }
}
