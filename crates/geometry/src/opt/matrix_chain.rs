//! In which order to multiply a chain of matrices (Cormen, Leiserson, Rivest and Stein,
//! *Introduction to Algorithms*, Section "Matrix-chain multiplication").
//!
//! Matrix `A_i` of `p_{i−1} × p_i` is edge `v_{i−1} v_i` of a polygon, a product of neighbours is
//! the chord over them, and to multiply two is triangle `v_a v_k v_b`, which weighs `p_a p_k p_b`.
//!
//! ```
//! use memory_machine_geometry::opt::matrix_chain::MatrixChain;
//!
//! let best = MatrixChain::new(&[30, 35, 15, 5, 10, 20, 25])?.solve()?;
//! assert_eq!(best.multiplications, 15_125);
//! assert_eq!(best.order, "((A1(A2A3))((A4A5)A6))");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write;

use chacha20::ChaCha8Rng;
use rand::prelude::*;
use thiserror::Error;

use super::triangulation::{RecoverError, parentheses, triangles};
use super::{Problem, Triangle};

/// Costs must stay below this, so that f64 holds each exactly.
const LIMIT: u128 = 1 << f64::MANTISSA_DIGITS;

/// A chain of matrices.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixChain {
    dimensions: Vec<f64>,
}

/// Dimensions that are no chain, or too large to compute with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChainError {
    /// No matrix: a chain of m matrices has m + 1 dimensions.
    #[error("{dimensions} dimensions are no chain; give m + 1 for m matrices")]
    TooFew {
        /// As many as were given.
        dimensions: usize,
    },
    /// A matrix without rows or columns.
    #[error("dimension p_{index} is 0; a matrix has rows and columns")]
    Zero {
        /// Of the dimension, from 0.
        index: usize,
    },
    /// 2⁵³ multiplications or more, which `f64` does not count exactly.
    #[error(
        "the product of these matrices may take 2^53 multiplications or more, which f64 does not \
         count exactly: the largest dimension times the sum of p_k p_(k+1) must be less; divide all \
         dimensions by a common factor"
    )]
    TooLarge,
}

/// The cheapest way to multiply a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiplication {
    /// Scalar multiplications.
    pub multiplications: u64,
    /// The order in parentheses, as in `((A1A2)A3)`.
    pub order: String,
}

impl MatrixChain {
    /// Matrices `A_1 … A_m`, of which `A_i` is `p_{i−1} × p_i`, from the dimensions `p_0 … p_m`.
    ///
    /// # Errors
    /// [`ChainError`] if there is no matrix, a dimension is 0, or numbers may not stay exact: the
    /// best order of any part of the chain costs at most `max p · Σ p_k p_{k+1}`, the price of one
    /// matrix after another, which must be below 2⁵³.
    pub fn new(dimensions: &[u64]) -> Result<Self, ChainError> {
        if dimensions.len() < 2 {
            return Err(ChainError::TooFew { dimensions: dimensions.len() });
        }
        if let Some(index) = dimensions.iter().position(|&it| it == 0) {
            return Err(ChainError::Zero { index });
        }
        let product = |x: u128, y: u64| x.saturating_mul(y.into());
        let entries = dimensions
            .windows(2)
            .fold(0, |sum: u128, pair| sum.saturating_add(product(pair[0].into(), pair[1])));
        let largest = dimensions.iter().copied().max().unwrap_or(0);
        if product(entries, largest) >= LIMIT {
            return Err(ChainError::TooLarge);
        }
        Ok(Self { dimensions: dimensions.iter().map(|&it| it as f64).collect() })
    }

    /// The cheapest order; of several, the one that splits first where it can. `O(m³)` time.
    ///
    /// # Errors
    /// [`RecoverError`] if the engine is at fault.
    pub fn solve(&self) -> Result<Multiplication, RecoverError> {
        let table = super::solve(self, &|_| ());
        let triangles = triangles(self, |a, b| table.get(a, b))?;
        let multiplications = table.get(0, self.matrices()) as u64;
        Ok(Multiplication { multiplications, order: self.order(&triangles) })
    }

    /// How many matrices there are.
    pub fn matrices(&self) -> usize {
        self.dimensions.len() - 1
    }

    /// The order in parentheses that [`triangles`] of this chain stand for.
    pub fn order(&self, triangles: &[Triangle]) -> String {
        let [opened, closed] = parentheses(self.dimensions.len(), triangles);
        let mut order = String::new();
        for i in 1..=self.matrices() {
            let (before, after) = ("(".repeat(opened[i - 1]), ")".repeat(closed[i]));
            // Writing to a string cannot fail.
            let _ = write!(order, "{before}A{i}{after}");
        }
        order
    }
}

/// `matrices + 1` random dimensions, from 1 to 100.
pub fn random(matrices: usize, seed: u64) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..=matrices).map(|_| rng.random_range(1..=100)).collect()
}

impl Problem<f64> for MatrixChain {
    fn n(&self) -> usize {
        self.dimensions.len()
    }

    fn whole(&self, _: usize, _: usize) -> f64 {
        0.0
    }

    fn sides(&self) -> Option<&[f64]> {
        Some(&self.dimensions)
    }
}
