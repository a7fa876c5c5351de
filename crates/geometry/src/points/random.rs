//! Random points.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::Point;
use memory_machine_core::keyword::keywords;

/// How points are spread. Variants stand by their words, as tables are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PointDistribution {
    /// On the circle of radius 1 around the origin, but for rounding.
    Circle,
    /// Around 64 centres, uniform in the unit square: normal of standard deviation 1/64.
    Clusters,
    /// Uniform in the disk of radius 1 around the origin.
    Disk,
    /// Normal: `x` and `y` of mean 0 and standard deviation 1.
    Gauss,
    /// Uniform in the unit square, `0 ≤ x, y < 1`.
    Square,
}

keywords! { PointDistribution {
    Square "square" "Uniform in the unit square"
    Disk "disk" "Uniform in the disk of radius 1"
    Circle "circle" "On the circle of radius 1"
    Gauss "gauss" "Normal, of standard deviation 1"
    Clusters "clusters" "Normal around each of 64 centres in the unit square"
} }

impl PointDistribution {
    /// Every distribution.
    pub const ALL: [Self; 5] =
        [Self::Square, Self::Disk, Self::Circle, Self::Gauss, Self::Clusters];
}

/// A chunk has a stream of random numbers of its own, so that any number of threads draws the same.
#[doc(hidden)]
pub const CHUNK: usize = 1 << 16;
const CENTRES: usize = 64;

/// `n` points, the same for the same `seed` however many threads draw them. `O(n)` time, in
/// parallel. Coordinates are of the magnitudes that [`super::check`] allows.
pub fn points(distribution: PointDistribution, n: usize, seed: u64) -> Vec<Point> {
    use self::PointDistribution::*;
    let stream = |stream: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream as u64);
        rng
    };
    let centres: Vec<Point> = match distribution {
        Clusters => {
            let mut rng = stream(0);
            (0..CENTRES).map(|_| square(&mut rng)).collect()
        }
        Square | Disk | Circle | Gauss => vec![],
    };
    let draw = |rng: &mut ChaCha8Rng| match distribution {
        Square => square(rng),
        Disk => disk(rng).0,
        Circle => circle(rng),
        Gauss => gauss(rng),
        Clusters => {
            let centre = centres[rng.random_range(0..CENTRES)];
            let around = gauss(rng);
            let deviation = 1.0 / 64.0;
            Point { x: centre.x + deviation * around.x, y: centre.y + deviation * around.y }
        }
    };
    let mut points = vec![Point { x: 0.0, y: 0.0 }; n];
    points.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, points)| {
        let mut rng = stream(1 + chunk);
        points.fill_with(|| draw(&mut rng));
    });
    points
}

/// Coordinates are whole multiples of 2^−53.
fn square(rng: &mut ChaCha8Rng) -> Point {
    Point { x: rng.random(), y: rng.random() }
}

/// By rejection from the square around it; and the squared distance from the origin, not 0.
fn disk(rng: &mut ChaCha8Rng) -> (Point, f64) {
    loop {
        let Point { x, y } = square(rng);
        let (x, y) = (2.0 * x - 1.0, 2.0 * y - 1.0);
        let square = x * x + y * y;
        if square <= 1.0 && square > 0.0 {
            return (Point { x, y }, square);
        }
    }
}

/// The direction of a point in the disk.
fn circle(rng: &mut ChaCha8Rng) -> Point {
    let (Point { x, y }, square) = disk(rng);
    let length = square.sqrt();
    Point { x: x / length, y: y / length }
}

/// Marsaglia's polar method.
fn gauss(rng: &mut ChaCha8Rng) -> Point {
    loop {
        let (Point { x, y }, square) = disk(rng);
        if square < 1.0 {
            let factor = (-2.0 * square.ln() / square).sqrt();
            return Point { x: factor * x, y: factor * y };
        }
    }
}
