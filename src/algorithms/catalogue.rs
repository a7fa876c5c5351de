//! The listings that ship with the program, where each comes from, and what its default input and
//! correct output are.

use std::iter;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::opt;
use super::reference::{self, Numbers, Reference};

/// A listing of `kernels/`.
pub struct Entry {
    pub name: &'static str,
    /// The listing as printed.
    pub text: &'static str,
    pub paper: &'static str,
    pub about: &'static str,
    /// What the outputs must be.
    pub reference: Reference,
}

macro_rules! listing {
    ($name:literal) => {
        include_str!(concat!("../../kernels/", $name, ".alg"))
    };
}

pub const CATALOGUE: &[Entry] = &[
    Entry {
        name: "sequential_access",
        text: listing!("sequential_access"),
        paper: "Nakano 2013, Section II, Theorem 1",
        about: "reads and writes n words with f gaps",
        reference: reference::sequential_access,
    },
    Entry {
        name: "prefix_sums",
        text: listing!("prefix_sums"),
        paper: "Tani et al. 2014, Algorithm Prefix-sums",
        about: "prefix-sums in turn, for bulk runs",
        reference: reference::prefix_sums,
    },
    Entry {
        name: "opt",
        text: listing!("opt"),
        paper: "Tani et al. 2014, Algorithm OPT",
        about: "optimal polygon triangulation in turn, for bulk runs",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "dp_opt",
        text: listing!("dp_opt"),
        paper: "Nakano 2013, Algorithm DP-OPT",
        about: "optimal polygon triangulation in turn, diagonal by diagonal",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "umm_opt",
        text: listing!("umm_opt"),
        paper: "Nakano 2013, Algorithm UMM-OPT",
        about: "optimal polygon triangulation, time-optimal on the UMM",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "opt_tb_naive",
        text: listing!("opt_tb_naive"),
        paper: "Ito and Nakano 2013, TB(t)",
        about: "optimal polygon triangulation, a thread a cell, naive arrangement",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "opt_tb_sliding",
        text: listing!("opt_tb_sliding"),
        paper: "Ito and Nakano 2013, TB(t)",
        about: "the same, sliding arrangement",
        reference: reference::sliding_triangulation,
    },
    Entry {
        name: "opt_bb_naive",
        text: listing!("opt_bb_naive"),
        paper: "Ito and Nakano 2013, BB(t, 1)",
        about: "optimal polygon triangulation, a block a cell, naive arrangement",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "opt_bb_mirroring",
        text: listing!("opt_bb_mirroring"),
        paper: "Ito and Nakano 2013, BB(t, 1)",
        about: "the same, mirroring arrangement",
        reference: reference::mirrored_triangulation,
    },
    Entry {
        name: "sum",
        text: listing!("sum"),
        paper: "Nakano 2012 (IPDPSW), parallel sum",
        about: "sum of n numbers by halving",
        reference: reference::sum,
    },
    Entry {
        name: "prefix_sums_parallel",
        text: listing!("prefix_sums_parallel"),
        paper: "Nakano 2012 (ICA3PP), prefix-sums",
        about: "prefix-sums by a tree of pairwise sums",
        reference: reference::prefix_sums_parallel,
    },
    Entry {
        name: "transpose",
        text: listing!("transpose"),
        paper: "Nakano 2012 (IPDPSW), Section IV",
        about: "matrix transpose by rows, by columns and by diagonals",
        reference: reference::transpose,
    },
    Entry {
        name: "permute",
        text: listing!("permute"),
        paper: "Nakano 2012 (IPDPSW), off-line permutation",
        about: "moves each element to a given place; not oblivious",
        reference: reference::permute,
    },
    Entry {
        name: "matrix_multiply",
        text: listing!("matrix_multiply"),
        paper: "textbook",
        about: "product of two matrices, one thread an element",
        reference: reference::matrix_multiply,
    },
    Entry {
        name: "greedy",
        text: listing!("greedy"),
        paper: "Shoemaker 2020, Sections III and IV",
        about: "greedy triangulation of n points; not oblivious",
        reference: reference::greedy,
    },
    Entry {
        name: "quickhull",
        text: listing!("quickhull"),
        paper: "Srikanth et al. 2009, Section 2.1",
        about: "convex hull of n points by iterative quickhull; not oblivious",
        reference: reference::quickhull,
    },
];

/// The shipped listing of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name == name)
}

/// What random numbers an array is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// [0, 1), with 24 bits, so that f32 holds each exactly.
    Unit,
    /// Integers 0 … 99.
    Integers,
    /// 0 or 1.
    Coin,
    /// A permutation of 0 … cells − 1.
    Permutation,
    /// Symmetric chord weights of an n-gon from [0, 1); its edges weigh 0.
    Chords,
}

impl Distribution {
    pub const ALL: [Self; 5] =
        [Self::Unit, Self::Integers, Self::Coin, Self::Permutation, Self::Chords];
}

/// `cells` random numbers; the same seed gives the same numbers on every machine.
pub fn random(distribution: Distribution, cells: usize, seed: u64) -> Vec<f64> {
    numbers(distribution, cells, seed).collect()
}

/// The same, made one by one as far as the distribution allows.
pub fn numbers(distribution: Distribution, cells: usize, seed: u64) -> Numbers<'static> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    match distribution {
        Distribution::Unit => Box::new((0..cells).map(move |_| unit(&mut rng))),
        Distribution::Integers => {
            Box::new((0..cells).map(move |_| rng.random_range(0..100).into()))
        }
        Distribution::Coin => {
            Box::new((0..cells).map(move |_| f64::from(u8::from(rng.random::<bool>()))))
        }
        Distribution::Permutation => {
            // No array of more words is run with values.
            let mut places: Vec<u32> = (0..cells).map(|place| place as u32).collect();
            places.shuffle(&mut rng);
            Box::new(places.into_iter().map(f64::from))
        }
        Distribution::Chords => {
            let n = cells.isqrt();
            if n < 3 {
                return Box::new(iter::repeat_n(0.0, cells));
            }
            let weights = opt::Weights::from_chords(n, |_, _| unit(&mut rng) as f32);
            Box::new((0..cells).map(move |cell| weights.as_slice()[cell].into()))
        }
    }
}

fn unit(rng: &mut impl Rng) -> f64 {
    f64::from(rng.next_u32() >> 8) / f64::from(1 << 24)
}
