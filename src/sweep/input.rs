//! The random inputs that a run has unless it is given others.

use crate::algorithms::catalogue::{self, Distribution};
use crate::algorithms::reference::Numbers;
use crate::language::program::{Array, Program};
use crate::language::syntax::Type;

/// Random numbers that make sense for an array: chord weights and permutations where the shipped
/// listings expect them, else by element type.
pub fn distribution(program: &Program, array: &Array) -> Distribution {
    match (program.name.as_str(), array.name.as_str()) {
        (
            "opt" | "dp_opt" | "umm_opt" | "opt_tb_naive" | "opt_tb_sliding" | "opt_bb_naive"
            | "opt_bb_mirroring",
            "c",
        ) => return Distribution::Chords,
        ("permute", "p") => return Distribution::Permutation,
        _ => {}
    }
    match array.element {
        Type::F32 | Type::F64 => Distribution::Unit,
        Type::Bool => Distribution::Coin,
        Type::I32 | Type::I64 | Type::U32 => Distribution::Integers,
    }
}

/// The numbers of one input's array, row-major. Each input of a bulk run, and each array (by its
/// number), has a seed of its own.
pub fn random(
    distribution: Distribution,
    number: usize,
    extents: &[u64],
    input: u64,
    seed: u64,
) -> Vec<f64> {
    numbers(distribution, number, extents, input, seed).collect()
}

/// The same, one by one.
pub fn numbers(
    distribution: Distribution,
    number: usize,
    extents: &[u64],
    input: u64,
    seed: u64,
) -> Numbers<'static> {
    let cells = extents.iter().product::<u64>() as usize;
    let seed = seed.wrapping_add((number as u64) << 32).wrapping_add(input << 40);
    catalogue::numbers(distribution, cells, seed)
}
