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
const CHUNK: usize = 1 << 16;
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

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn any_number_of_workers_draws_the_same() {
        let n = 3 * CHUNK + 5;
        for distribution in PointDistribution::ALL {
            let drawn = points(distribution, n, 7);
            for workers in 1..=4 {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build().unwrap();
                assert_eq!(pool.install(|| points(distribution, n, 7)), drawn);
            }
            assert_eq!(points(distribution, 9, 7), drawn[..9], "a longer draw goes on");
            assert_ne!(points(distribution, 9, 8), drawn[..9]);
            assert_eq!(check(&drawn), Ok(()));
        }
    }

    #[test]
    fn points_lie_where_they_are_said_to() {
        let n = 2 * CHUNK;
        let tolerance = 4.0 / (n as f64).sqrt();
        for distribution in PointDistribution::ALL {
            let drawn = points(distribution, n, 1);
            let mean = |of: fn(&Point) -> f64| drawn.iter().map(of).sum::<f64>() / n as f64;
            let (centre, square) = (mean(|p| p.x), mean(|p| p.x * p.x + p.y * p.y));
            let (centre_expected, square_expected) = match distribution {
                PointDistribution::Square => (0.5, 2.0 / 3.0),
                PointDistribution::Disk => (0.0, 0.5),
                PointDistribution::Circle => (0.0, 1.0),
                PointDistribution::Gauss => (0.0, 2.0),
                PointDistribution::Clusters => continue,
            };
            assert!((centre - centre_expected).abs() < tolerance, "{distribution:?} {centre}");
            assert!(
                (square - square_expected).abs() < 2.0 * tolerance,
                "{distribution:?} {square}"
            );
            let inside = drawn.iter().all(|p| match distribution {
                PointDistribution::Square => (0.0..1.0).contains(&p.x) && (0.0..1.0).contains(&p.y),
                PointDistribution::Disk => p.x * p.x + p.y * p.y <= 1.0,
                PointDistribution::Circle => (p.x.hypot(p.y) - 1.0).abs() < 4.0 * f64::EPSILON,
                PointDistribution::Gauss | PointDistribution::Clusters => true,
            });
            assert!(inside, "{distribution:?}");
        }
    }
}
