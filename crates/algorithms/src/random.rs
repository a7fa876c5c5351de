//! The random inputs that a run has unless it is given others.

use std::{fmt, iter};

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};

use super::opt;
use super::reference::Numbers;
use memory_machine_core::language::program::{Array, ExprKind, Program};
use memory_machine_core::language::syntax::Type;

/// What random numbers an array is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// [0, 1), with 24 bits, so that f32 holds each exactly.
    Unit,
    /// Integers 0 … 99.
    Integers,
    /// Integers 0 … 3, so that sequences have letters in common.
    Letters,
    /// Integers 1 … 100: rows and columns of matrices.
    Dimensions,
    /// 0 or 1.
    Coin,
    /// 0, or 1 once in eight times.
    Seldom,
    /// A permutation of 0 … cells − 1.
    Permutation,
    /// Symmetric chord weights of an n-gon from [0, 1); its edges weigh 0.
    Chords,
    /// A symmetric n × n matrix from [0, 1), with n more in the diagonal, so that it is positive
    /// definite.
    Definite,
    /// [2, 3), with 22 bits: more than two neighbours from [0, 1).
    Dominant,
}

impl Distribution {
    /// Every distribution.
    pub const ALL: [Self; 10] = [
        Self::Unit,
        Self::Integers,
        Self::Letters,
        Self::Dimensions,
        Self::Coin,
        Self::Seldom,
        Self::Permutation,
        Self::Chords,
        Self::Definite,
        Self::Dominant,
    ];
}

/// As a report prints it.
impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unit => "random, from [0, 1)",
            Self::Integers => "random, 0 … 99",
            Self::Letters => "random, 0 … 3",
            Self::Dimensions => "random, 1 … 100",
            Self::Coin => "random, 0 or 1",
            Self::Seldom => "random, 0, or 1 once in eight times",
            Self::Permutation => "a random permutation of 0 … cells - 1",
            Self::Chords => "random chord weights from [0, 1)",
            Self::Definite => "random, symmetric and positive definite",
            Self::Dominant => "random, from [2, 3)",
        })
    }
}

/// Random numbers that make sense for an array: chord weights, permutations, letters and dimensions
/// where the shipped listings expect them, else by element type.
pub fn distribution(program: &Program, array: &Array) -> Distribution {
    match (program.name.as_str(), array.name.as_str()) {
        (
            "opt" | "dp_opt" | "umm_opt" | "opt_tb_naive" | "opt_tb_sliding" | "opt_bb_naive"
            | "opt_bb_mirroring" | "opt_hmm",
            "c",
        ) if is_square(array) => return Distribution::Chords,
        ("permute" | "permute_hmm" | "list_ranking", "p") | ("transpose_rap", "r") => {
            return Distribution::Permutation;
        }
        ("lcs" | "edit_distance" | "smith_waterman", "a" | "b")
        | ("string_matching_hmm" | "nussinov" | "kmp" | "shift_and", "x" | "y")
        | ("cyk" | "viterbi", "x") => return Distribution::Letters,
        ("cyk", "rule") | ("bfs" | "warshall" | "components", "arc") => {
            return Distribution::Seldom;
        }
        ("cholesky" | "conjugate_gradient" | "lu", "a") if is_square(array) => {
            return Distribution::Definite;
        }
        ("thomas" | "cyclic_reduction", "b") => return Distribution::Dominant,
        ("matrix_chain", "p") => return Distribution::Dimensions,
        _ => {}
    }
    match array.element {
        it if it.is_float() => Distribution::Unit,
        Type::Bool => Distribution::Coin,
        _ => Distribution::Integers,
    }
}

/// Of a type of floats of 16 bits: of how many equal parts of [0, 1) a number is the beginning of one.
pub const fn places_of_unit(element: Type) -> Option<f64> {
    match element {
        Type::F16 => Some(2048.0),
        Type::Bf16 => Some(256.0),
        _ => None,
    }
}

/// Whether an array takes a [schedule](super::schedule) where the shipped listings expect one.
pub fn is_schedule(program: &Program, array: &Array) -> bool {
    program.name == "permute_offline" && array.name == "s" && array.extents.len() == 3
}

/// Whether an array is n × n.
pub fn is_square(array: &Array) -> bool {
    let [rows, columns] = &array.extents[..] else { return false };
    matches!((&rows.kind, &columns.kind), (ExprKind::Parameter(a), ExprKind::Parameter(b)) if a == b)
}

/// The numbers of one input's array, row-major. Each input of a bulk run, and each array (by its
/// number), has a seed of its own.
pub fn of_array(
    distribution: Distribution,
    number: usize,
    extents: &[u64],
    input: u64,
    seed: u64,
) -> Numbers<'static> {
    let cells = extents.iter().product::<u64>() as usize;
    numbers(distribution, cells, seed_of(number, input, seed))
}

/// The seed of an array, by its number, of one input of a bulk run.
pub fn seed_of(number: usize, input: u64, seed: u64) -> u64 {
    seed.wrapping_add((number as u64) << 32).wrapping_add(input << 40)
}

/// `cells` random numbers, made one by one as far as the distribution allows; the same seed gives the
/// same numbers on every machine.
pub fn numbers(distribution: Distribution, cells: usize, seed: u64) -> Numbers<'static> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    match distribution {
        Distribution::Unit => Box::new((0..cells).map(move |_| unit(&mut rng))),
        Distribution::Integers => {
            Box::new((0..cells).map(move |_| rng.random_range(0..100).into()))
        }
        Distribution::Letters => Box::new((0..cells).map(move |_| rng.random_range(0..4).into())),
        Distribution::Dimensions => {
            Box::new((0..cells).map(move |_| rng.random_range(1..=100).into()))
        }
        Distribution::Coin => {
            Box::new((0..cells).map(move |_| f64::from(u8::from(rng.random::<bool>()))))
        }
        Distribution::Seldom => {
            Box::new((0..cells).map(move |_| f64::from(u8::from(rng.random_range(0..8) == 0))))
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
        Distribution::Definite => {
            let n = cells.isqrt();
            let mut matrix = vec![0.0; cells];
            for i in 0..n {
                for j in 0..=i {
                    let number = unit(&mut rng);
                    matrix[i * n + j] = number;
                    matrix[j * n + i] = number;
                }
                matrix[i * n + i] += n as f64;
            }
            Box::new(matrix.into_iter())
        }
        Distribution::Dominant => {
            let more = move || f64::from(rng.next_u32() >> 10) / f64::from(1 << 22);
            Box::new(iter::repeat_with(more).map(|it| 2.0 + it).take(cells))
        }
    }
}

fn unit(rng: &mut impl Rng) -> f64 {
    f64::from(rng.next_u32() >> 8) / f64::from(1 << 24)
}
