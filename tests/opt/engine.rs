//! The CPU engine against the recurrence as it stands.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use chacha20::ChaCha8Rng;
use memory_machine::algorithms::opt::simd::SimdLevel;
use memory_machine::algorithms::opt::{
    Problem, Weight, Weights, paper, reference, relaxations, solve, solve_at, triangulation,
};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

/// Numbers to fill a problem with.
pub trait Random: Weight {
    fn bits(self) -> u64;
    /// A number below 1000 in magnitude with many ties among small ones, or +∞.
    fn random(rng: &mut ChaCha8Rng) -> Self;
    /// A number of which the product of three is finite.
    fn side(rng: &mut ChaCha8Rng) -> Self;
}

macro_rules! random_float {
    ($float:ty) => {
        impl Random for $float {
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn random(rng: &mut ChaCha8Rng) -> Self {
                match rng.random_range(0..20) {
                    0 => Self::INFINITY,
                    1..6 => f64::from(rng.random_range(-2..3)) as $float + 0.0,
                    _ => rng.random_range(-1000.0..1000.0),
                }
            }
            fn side(rng: &mut ChaCha8Rng) -> Self {
                rng.random_range(-10.0..10.0)
            }
        }
    };
}
random_float!(f32);
random_float!(f64);

impl Random for i32 {
    fn bits(self) -> u64 {
        u64::from(self.cast_unsigned())
    }
    fn random(rng: &mut ChaCha8Rng) -> Self {
        match rng.random_range(0..20) {
            0 => Self::INFINITY,
            1..6 => rng.random_range(-2..3),
            _ => rng.random_range(-1000..1000),
        }
    }
    fn side(rng: &mut ChaCha8Rng) -> Self {
        rng.random_range(-800..=800)
    }
}

/// A problem of each kind in one: base, whole, and sides if there are any.
pub struct Anything<T> {
    base: Vec<T>,
    whole: Weights<T>,
    sides: Option<Vec<T>>,
}

impl<T: Random> Anything<T> {
    pub fn new(n: usize, sides: bool, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Self {
            base: (0..n).map(|_| T::random(&mut rng)).collect(),
            whole: Weights::from_chords(n, |_, _| T::random(&mut rng)),
            sides: sides.then(|| (0..n).map(|_| T::side(&mut rng)).collect()),
        }
    }
}

impl<T: Weight> Problem<T> for Anything<T> {
    fn n(&self) -> usize {
        self.whole.n()
    }
    fn base(&self, a: usize) -> T {
        self.base[a]
    }
    fn whole(&self, a: usize, b: usize) -> T {
        self.whole.get(a, b)
    }
    fn sides(&self) -> Option<&[T]> {
        self.sides.as_deref()
    }
}

/// At each level that this CPU has, every bit of the engine's table is that of the plain triple
/// loop.
fn check<T: Random>(problem: &impl Problem<T>, what: impl Debug) {
    let n = problem.n();
    let right = reference::solve(problem);
    for level in SimdLevel::available() {
        let done = AtomicU64::new(0);
        let table = solve_at(level, problem, &|count| {
            done.fetch_add(count, Ordering::Relaxed);
        });
        assert_eq!(u128::from(done.into_inner()), relaxations(n as u64), "{what:?}");
        for (cell, (found, &right)) in table.square().into_iter().zip(&right).enumerate() {
            assert!(
                found.bits() == right.bits(),
                "{what:?}, {}: M[{}][{}] is {right}, not {found}",
                level.name(),
                cell / n,
                cell % n
            );
        }
    }
}

fn check_all<T: Random>(n: usize, seed: u64) {
    for sides in [false, true] {
        check(&Anything::<T>::new(n, sides, seed), (n, T::NAME, sides, seed));
    }
}

#[test]
fn all_small_sizes() {
    // One tile, two, and a few vertices of a third; the longest sizes of one tile and of two are
    // tried in each type.
    for n in crate::some((3..=136).chain([191, 192, 193, 200]), 3) {
        check_all::<f32>(n, 0);
        if n <= 72 || (120..=136).contains(&n) {
            check_all::<f64>(n, 0);
            check_all::<i32>(n, 0);
        }
    }
}

#[test]
fn larger_sizes() {
    check_all::<f64>(257, 1);
    check_all::<i32>(300, 1);
}

/// Several times as many tiles in a diagonal as there are threads, and then fewer.
#[test]
#[ignore = "takes seconds"]
fn the_largest_sizes() {
    check_all::<f32>(511, 1);
    check(&Anything::<f32>::new(1000, false, 1), 1000);
}

#[test]
fn fewer_than_three_vertices() {
    struct Edge(usize);
    impl Problem<f32> for Edge {
        fn n(&self) -> usize {
            self.0
        }
        fn base(&self, a: usize) -> f32 {
            assert!(a + 1 < self.0);
            5.0
        }
        fn whole(&self, _: usize, _: usize) -> f32 {
            unreachable!("no chord")
        }
    }
    for n in 0..3 {
        check(&Edge(n), n);
    }
    assert_eq!(solve(&Edge(2), &|_| ()).get(0, 1), 5.0);
}

/// Sums that leave the range of whole numbers count as infinite, at every level alike.
#[test]
fn whole_numbers_out_of_range() {
    for magnitude in [(1 << 29) - 1, 1 << 28, 1 << 20] {
        for n in [7, 70, 130] {
            let c = Weights::from_chords(n, |a, b| match (a * 7 + b * 3) % 5 {
                0 => i32::INFINITY,
                1 => -magnitude,
                _ => magnitude,
            });
            check(&c, (magnitude, n));
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(24))]
    #[test]
    fn random_sizes(n in 3..330_usize, seed: u64, sides: bool, kind in 0..3) {
        match kind {
            0 => check(&Anything::<f32>::new(n, sides, seed), seed),
            1 => check(&Anything::<f64>::new(n, sides, seed), seed),
            _ => check(&Anything::<i32>::new(n, sides, seed), seed),
        }
    }
}

#[test]
fn counts() {
    assert_eq!([0, 1, 2, 3, 4, 8].map(relaxations), [0, 0, 0, 1, 4, 56]);
    assert_eq!(relaxations(8192), 91_592_417_280);
    let right: u128 = (0..20).flat_map(|b| (0..b).map(move |a| b - a - 1)).sum();
    assert_eq!(relaxations(20), right);
}

#[test]
fn papers_polygon() {
    let c = paper::weights();
    let table = solve(&c, &|_| ());
    assert_eq!(table.square(), paper::TABLE.concat());
    let chords = triangulation::recover_from(&c, |a, b| table.get(a, b)).unwrap();
    assert_eq!(chords.len(), paper::N - 3);
}
