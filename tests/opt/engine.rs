//! The CPU engine against the recurrence as it stands.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use memory_machine::algorithms::opt::{
    Problem, Weight, Weights, paper, reference, relaxations, solve, triangulation,
};
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

/// A number below 1000 in magnitude with many ties among small ones, or +∞.
trait Random: Weight {
    fn random(rng: &mut ChaCha8Rng) -> Self;
    /// A number of which the product of three is finite.
    fn side(rng: &mut ChaCha8Rng) -> Self;
}

macro_rules! random_float {
    ($float:ty) => {
        impl Random for $float {
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
struct Anything<T> {
    base: Vec<T>,
    whole: Weights<T>,
    sides: Option<Vec<T>>,
}

impl<T: Random> Anything<T> {
    fn new(n: usize, sides: bool, seed: u64) -> Self {
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

/// Every bit of the engine's table is that of the plain triple loop.
fn check<T: Weight>(problem: &impl Problem<T>, what: impl Debug) {
    let n = problem.n();
    let done = AtomicU64::new(0);
    let table = solve(problem, &|count| {
        done.fetch_add(count, Ordering::Relaxed);
    });
    assert_eq!(u128::from(done.into_inner()), relaxations(n as u64), "{what:?}");
    let (found, right) = (table.square(), reference::solve(problem));
    for (cell, (found, right)) in found.iter().zip(&right).enumerate() {
        // The shortest decimal that reads back tells apart all values but NaNs.
        assert!(
            found == right && format!("{found:?}") == format!("{right:?}"),
            "{what:?}, M[{}][{}]: {found:?}, not {right:?}",
            cell / n,
            cell % n
        );
    }
}

fn check_all<T: Random>(n: usize) {
    let seed = n as u64;
    for sides in [false, true] {
        check(&Anything::<T>::new(n, sides, seed), (n, T::NAME, sides));
    }
}

#[test]
fn all_small_sizes() {
    for n in 3..=200 {
        check_all::<f32>(n);
        check_all::<f64>(n);
        check_all::<i32>(n);
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
