//! Optimal binary search trees (Knuth 1971; Cormen, Leiserson, Rivest and Stein, *Introduction to
//! Algorithms*, Section "Optimal binary search trees").
//!
//! Key `k` is vertex `v_k`, between `v_0` and `v_{m+1}`; gap `i`, between keys `i` and `i + 1`, is
//! edge `v_i v_{i+1}`. The tree of the keys between `v_a` and `v_b` is polygon `v_a … v_b`: its root
//! is `k` of triangle `v_a v_k v_b`, and each search in it passes one node more than in its subtree.
//!
//! ```
//! use memory_machine_geometry::opt::search_tree::SearchTree;
//!
//! // CLRS's example.
//! let (keys, gaps) = ([0.15, 0.10, 0.05, 0.10, 0.20], [0.05, 0.10, 0.05, 0.05, 0.05, 0.10]);
//! let tree = SearchTree::new(&keys, &gaps)?;
//! let best = tree.solve()?;
//! assert_eq!(best.cost, 2.75);
//! assert_eq!(best.parents, [Some(2), None, Some(4), Some(5), Some(2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use chacha20::ChaCha8Rng;
use rand::prelude::*;
use thiserror::Error;

use super::triangulation::{RecoverError, parentheses, triangles};
use super::{Problem, Triangle};

/// Keys `1 … m` in order, and how often what is searched is one of them, or lies between two.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTree {
    gaps: Vec<f64>,
    /// Weight of all gaps and keys before vertex `v_b`.
    until: Vec<f64>,
    /// The same, and of `v_a` itself.
    through: Vec<f64>,
    /// What all weights were multiplied by.
    scale: f64,
    /// Whether no sum is rounded.
    is_exact: bool,
}

/// Weights that are no search problem.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TreeError {
    /// m keys have m + 1 gaps.
    #[error("{keys} key(s) have {} gaps before, between and after them, but {gaps} are given", keys + 1)]
    Count {
        /// As many as were given.
        keys: usize,
        /// As many as were given.
        gaps: usize,
    },
    /// There are gaps alone.
    #[error("a tree needs a key")]
    NoKey,
    /// A weight that is negative or not finite.
    #[error("{what} weighs {weight}; write a finite number that is not negative")]
    Weight {
        /// Whose weight: a key or a gap, with its number.
        what: String,
        /// As given.
        weight: f64,
    },
    /// The cost of a tree may leave the range of `f64`.
    #[error("a path through all {keys} keys may cost more than f64 holds; scale the weights down")]
    TooLarge {
        /// As many as were given.
        keys: usize,
    },
}

/// A tree of least expected cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Each key's weight times the nodes on the path to it, and each gap's times those on the path
    /// to where it is found missing, a dummy leaf included, all summed.
    pub cost: f64,
    /// The parent of key `k`, at `[k − 1]`; `None` for the root.
    pub parents: Vec<Option<usize>>,
}

impl SearchTree {
    /// Keys `1 … m` with weights `p_1 … p_m`, and gaps with weights `q_0 … q_m`: frequencies or
    /// counts of searches. Where a power of ten makes them whole numbers, `m + 1` times their sum
    /// below 2⁵³, no sum is rounded: trees of equal cost are distinguished from others.
    ///
    /// # Errors
    /// [`TreeError`] unless there are keys, one gap more, and weights that are finite, not negative,
    /// and small enough for the sums.
    pub fn new(keys: &[f64], gaps: &[f64]) -> Result<Self, TreeError> {
        if keys.is_empty() {
            return Err(TreeError::NoKey);
        }
        if gaps.len() != keys.len() + 1 {
            return Err(TreeError::Count { keys: keys.len(), gaps: gaps.len() });
        }
        let named = |name, first, weights: &[f64]| {
            let refused = weights.iter().position(|it| !(it.is_finite() && *it >= 0.0));
            refused.map_or(Ok(()), |place| {
                let what = format!("{name}_{}", first + place);
                Err(TreeError::Weight { what, weight: weights[place] })
            })
        };
        named("key p", 1, keys)?;
        named("gap q", 0, gaps)?;
        let scale = scale(keys, gaps);
        // Where that is 1, nothing is rounded. A weight may be written −0, which no problem may give.
        let scaled = |it: &f64| if scale > 1.0 { (it * scale).round() } else { it + 0.0 };
        let gaps: Vec<f64> = gaps.iter().map(scaled).collect();
        let keys: Vec<f64> = keys.iter().map(scaled).collect();
        let are_whole = gaps.iter().chain(&keys).all(|it| it.fract() == 0.0);
        let (mut until, mut through) = (vec![0.0], vec![0.0]);
        let mut sum = 0.0;
        for (gap, key) in gaps.iter().zip(keys.iter().chain(&[0.0])) {
            sum += gap;
            until.push(sum);
            sum += key;
            through.push(sum);
        }
        let most = sum * (gaps.len() + 1) as f64;
        if !most.is_finite() {
            return Err(TreeError::TooLarge { keys: keys.len() });
        }
        let is_exact = are_whole && most < (1_u64 << f64::MANTISSA_DIGITS) as f64;
        Ok(Self { gaps, until, through, scale, is_exact })
    }

    /// The cheapest tree; of several, the one of the least keys as roots from the top down. `O(m²)`
    /// time where no sum is rounded, else `O(m³)`.
    ///
    /// # Errors
    /// [`RecoverError`] if the engine is at fault.
    pub fn solve(&self) -> Result<Tree, RecoverError> {
        let (total, triangles) = if self.is_exact {
            let table = super::knuth::solve(self);
            (table.get(0, self.gaps.len()), triangles(self, |a, b| table.get(a, b))?)
        } else {
            let table = super::solve(self, &|_| ());
            (table.get(0, self.gaps.len()), triangles(self, |a, b| table.get(a, b))?)
        };
        Ok(Tree { cost: self.cost(total), parents: self.parents(&triangles) })
    }

    /// The cost of a tree, from the `total` that a table gives.
    pub fn cost(&self, total: f64) -> f64 {
        total / self.scale
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.gaps.len() - 1
    }

    /// The parents, as [`Tree`] has them, that [`triangles`] of this problem stand for.
    pub fn parents(&self, triangles: &[Triangle]) -> Vec<Option<usize>> {
        // Nodes above and at each vertex; none for the outermost two.
        let mut depth = vec![0; self.gaps.len() + 1];
        let mut parents = vec![None; self.keys()];
        for &Triangle { a, k, b } in triangles {
            // What bounds a subtree are its ancestors, and the nearer one is the parent.
            let above = if depth[a] > depth[b] { a } else { b };
            depth[k] = depth[above] + 1;
            parents[k - 1] = (depth[above] > 0).then_some(above);
        }
        parents
    }

    /// The keys in order, each subtree in parentheses, as in `((1)2(3))`.
    pub fn in_parentheses(&self, triangles: &[Triangle]) -> String {
        let [opened, closed] = parentheses(self.gaps.len() + 1, triangles);
        let key = |k: usize| {
            let (before, after) = ("(".repeat(opened[k - 1]), ")".repeat(closed[k + 1]));
            format!("{before}{k}{after}")
        };
        (1..=self.keys()).map(key).collect()
    }
}

/// The least power of ten that makes all weights whole numbers, small enough for exact sums; 1 if
/// there is none.
#[doc(hidden)]
pub fn scale(keys: &[f64], gaps: &[f64]) -> f64 {
    let sum: f64 = keys.iter().chain(gaps).sum();
    let limit = (1_u64 << f64::MANTISSA_DIGITS) as f64 / (gaps.len() + 1) as f64;
    let is_whole = |scale: f64| {
        // The decimal number that was meant is the nearest one.
        keys.iter().chain(gaps).all(|it| (it * scale).round() / scale == *it)
    };
    let powers = std::iter::successors(Some(1.0), |it| Some(it * 10.0)).take(16);
    powers.take_while(|it| sum * it < limit).find(|it| is_whole(*it)).unwrap_or(1.0)
}

/// Random whole weights from 0 to 999, of `keys` keys and of the gaps.
pub fn random(keys: usize, seed: u64) -> [Vec<f64>; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    [keys, keys + 1].map(|count| (0..count).map(|_| rng.random_range(0..1000).into()).collect())
}

impl Problem<f64> for SearchTree {
    fn n(&self) -> usize {
        self.gaps.len() + 1
    }

    fn base(&self, a: usize) -> f64 {
        self.gaps[a]
    }

    fn has_monotone_splits(&self) -> bool {
        self.is_exact
    }

    fn whole(&self, a: usize, b: usize) -> f64 {
        self.until[b] - self.through[a]
    }
}
