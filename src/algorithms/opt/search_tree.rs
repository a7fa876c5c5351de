//! Optimal binary search trees (Knuth 1971; Cormen, Leiserson, Rivest and Stein, *Introduction to
//! Algorithms*, Section "Optimal binary search trees").
//!
//! Key `k` is vertex `v_k`, between `v_0` and `v_{m+1}`; gap `i`, between keys `i` and `i + 1`, is
//! edge `v_i v_{i+1}`. The tree of the keys between `v_a` and `v_b` is polygon `v_a … v_b`: its root
//! is `k` of triangle `v_a v_k v_b`, and each search in it passes one node more than in its subtree.
//!
//! ```
//! use memory_machine::algorithms::opt::search_tree::SearchTree;
//!
//! // CLRS's example, in hundredths.
//! let tree = SearchTree::new(&[15.0, 10.0, 5.0, 10.0, 20.0], &[5.0, 10.0, 5.0, 5.0, 5.0, 10.0])?;
//! let best = tree.solve()?;
//! assert_eq!(best.cost, 275.0);
//! assert_eq!(best.parents, [Some(2), None, Some(4), Some(5), Some(2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use thiserror::Error;

use super::triangulation::{RecoverError, triangles};
use super::{Problem, Triangle};

/// Keys `1 … m` in order, and how often what is searched is one of them, or lies between two.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchTree {
    gaps: Vec<f64>,
    /// Weight of all gaps and keys before vertex `v_b`.
    until: Vec<f64>,
    /// The same, and of `v_a` itself.
    through: Vec<f64>,
}

/// Weights that are no search problem.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TreeError {
    #[error("{keys} keys have {} gaps before, between and after them, but {gaps} are given", keys + 1)]
    Count { keys: usize, gaps: usize },
    #[error("a tree needs a key")]
    NoKey,
    #[error("{what} weighs {weight}; write a finite number that is not negative")]
    Weight { what: String, weight: f64 },
    #[error("a path through all {keys} keys may cost more than f64 holds; scale the weights down")]
    TooLarge { keys: usize },
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
    /// counts of searches. Costs are exact if weights are whole numbers and `m + 1` times their sum
    /// is below 2⁵³.
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
        let (mut until, mut through) = (vec![0.0], vec![0.0]);
        let mut sum = 0.0;
        for (gap, key) in gaps.iter().zip(keys.iter().chain([&0.0])) {
            sum += gap;
            until.push(sum);
            sum += key;
            through.push(sum);
        }
        if !(sum * (gaps.len() + 1) as f64).is_finite() {
            return Err(TreeError::TooLarge { keys: keys.len() });
        }
        // A weight may be written −0, which no problem may give.
        Ok(Self { gaps: gaps.iter().map(|it| it + 0.0).collect(), until, through })
    }

    /// The cheapest tree; of several, the one of the least keys as roots from the top down. `O(m³)`
    /// time.
    ///
    /// # Errors
    /// [`RecoverError`] if the engine is at fault.
    pub fn solve(&self) -> Result<Tree, RecoverError> {
        let table = super::solve(self, &|_| ());
        let last = self.gaps.len();
        // Nodes above and at each vertex; none for the outermost two.
        let mut depth = vec![0; last + 1];
        let mut parents = vec![None; last - 1];
        for Triangle { a, k, b } in triangles(self, |a, b| table.get(a, b))? {
            // What bounds a subtree are its ancestors, and the nearer one is the parent.
            let above = if depth[a] > depth[b] { a } else { b };
            depth[k] = depth[above] + 1;
            parents[k - 1] = (depth[above] > 0).then_some(above);
        }
        Ok(Tree { cost: table.get(0, last), parents })
    }
}

impl Problem<f64> for SearchTree {
    fn n(&self) -> usize {
        self.gaps.len() + 1
    }

    fn base(&self, a: usize) -> f64 {
        self.gaps[a]
    }

    fn whole(&self, a: usize, b: usize) -> f64 {
        self.until[b] - self.through[a]
    }
}
