//! The listings that ship with the program, where each comes from, and what its correct output is.

use super::reference::{self, Reference};
use crate::language;
use crate::language::program::Program;

/// A listing of `kernels/`.
pub struct Entry {
    /// What `umm run` calls it: its file in `kernels/`, without `.alg`.
    pub name: &'static str,
    /// The listing as printed.
    pub text: &'static str,
    /// Where it stands: paper, section, algorithm.
    pub paper: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What the outputs must be.
    pub reference: Reference,
}

macro_rules! listing {
    ($name:literal) => {
        include_str!(concat!("../../kernels/", $name, ".alg"))
    };
}

/// The shipped listings with loops on DMMs, likewise.
pub const ON_DMMS: &[Entry] = &[
    Entry {
        name: "sum_hmm",
        text: listing!("hmm/sum_hmm"),
        paper: "Nakano 2013 (HMM), the sum",
        about: "sum of n numbers: one sum a block, then the sum of those",
        reference: reference::on_dmms::sum,
    },
    Entry {
        name: "prefix_sums_hmm",
        text: listing!("hmm/prefix_sums_hmm"),
        paper: "textbook",
        about: "prefix-sums: sums of blocks, those up to each block, then all",
        reference: reference::on_dmms::prefix_sums,
    },
    Entry {
        name: "transpose_padded",
        text: listing!("hmm/transpose_padded"),
        paper: "Kasagi, Nakano, Ito 2014, transpose",
        about: "matrix transpose by tiles in shared memory, with padded rows",
        reference: reference::on_dmms::transpose,
    },
    Entry {
        name: "transpose_diagonal",
        text: listing!("hmm/transpose_diagonal"),
        paper: "Kasagi, Nakano, Ito 2014, transpose",
        about: "the same, with tiles arranged by diagonals",
        reference: reference::on_dmms::transpose,
    },
    Entry {
        name: "matrix_multiply_hmm",
        text: listing!("hmm/matrix_multiply_hmm"),
        paper: "textbook",
        about: "product of two matrices by tiles in shared memory",
        reference: reference::matrix_multiply,
    },
    Entry {
        name: "matrix_multiply_registers",
        text: listing!("hmm/matrix_multiply_registers"),
        paper: "textbook",
        about: "the same, with a tile in the registers of each thread",
        reference: reference::matrix_multiply,
    },
    Entry {
        name: "transpose_rap",
        text: listing!("hmm/transpose_rap"),
        paper: "Nakano, Matsumae, Ito 2014, RAP",
        about: "the transpose, with rows of tiles shifted by a random permutation",
        reference: reference::on_dmms::transpose,
    },
    Entry {
        name: "permute_hmm",
        text: listing!("hmm/permute_hmm"),
        paper: "Kasagi, Nakano, Ito 2014, permutation",
        about: "the conventional permutation: each number to its place; not oblivious",
        reference: reference::permute,
    },
    Entry {
        name: "permute_offline",
        text: listing!("hmm/permute_offline"),
        paper: "Kasagi, Nakano, Ito 2014, permutation",
        about: "the optimal offline permutation by a schedule: rows, columns, rows",
        reference: reference::on_dmms::scheduled,
    },
    Entry {
        name: "convolution_hmm",
        text: listing!("hmm/convolution_hmm"),
        paper: "Nakano 2013 (HMM), the direct convolution",
        about: "n numbers of the convolution of n + m - 1 numbers with m",
        reference: reference::on_dmms::convolution,
    },
    Entry {
        name: "sat_2r2w",
        text: listing!("hmm/sat_2r2w"),
        paper: "Kasagi, Nakano, Ito 2014, SAT",
        about: "summed area table: prefix-sums of columns, then of rows",
        reference: reference::on_dmms::summed_area_table,
    },
    Entry {
        name: "sat_2r1w",
        text: listing!("hmm/sat_2r1w"),
        paper: "Kasagi, Nakano, Ito 2014, SAT",
        about: "the same: sums of tiles, sums of those, then each tile",
        reference: reference::on_dmms::summed_area_table,
    },
    Entry {
        name: "sat_1r1w",
        text: listing!("hmm/sat_1r1w"),
        paper: "Kasagi, Nakano, Ito 2014, SAT",
        about: "the same: tiles in the order of their anti-diagonals",
        reference: reference::on_dmms::summed_area_table,
    },
    Entry {
        name: "opt_hmm",
        text: listing!("hmm/opt_hmm"),
        paper: "CANDAR 2014, OPT on the HMM",
        about: "optimal polygon triangulation by tiles in shared memory",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "opt_tiled",
        text: listing!("hmm/opt_tiled"),
        paper: "the GPU engine of this crate",
        about: "the same, with a tile in the registers of each thread, all tiles at once",
        reference: reference::optimal_triangulation,
    },
    Entry {
        name: "floyd_warshall_blocked",
        text: listing!("hmm/floyd_warshall_blocked"),
        paper: "Katz and Kider 2008",
        about: "shortest paths between all vertices by tiles in shared memory",
        reference: reference::on_dmms::shortest_paths,
    },
    Entry {
        name: "jacobi_tiled",
        text: listing!("hmm/jacobi_tiled"),
        paper: "textbook",
        about: "k Jacobi steps of the five-point stencil, tiles with halo",
        reference: reference::on_dmms::jacobi,
    },
    Entry {
        name: "bitonic_hmm",
        text: listing!("hmm/bitonic_hmm"),
        paper: "Batcher 1968",
        about: "bitonic sort with the short strides in shared memory",
        reference: reference::on_dmms::sorted,
    },
    Entry {
        name: "string_matching_hmm",
        text: listing!("hmm/string_matching_hmm"),
        paper: "Man, Nakano, Ito 2013 (MCSoC)",
        about: "least edit distance of a pattern from pieces of a text",
        reference: reference::on_dmms::string_matching,
    },
];

/// The shipped listings that any machine runs, in the order in which `umm list` shows them.
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
        name: "matrix_chain",
        text: listing!("matrix_chain"),
        paper: "textbook (Cormen et al.)",
        about: "cheapest order to multiply n matrices, a thread a cell",
        reference: reference::matrix_chain,
    },
    Entry {
        name: "lcs",
        text: listing!("lcs"),
        paper: "textbook (Cormen et al.)",
        about: "longest common subsequence, diagonal by diagonal",
        reference: reference::lcs,
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
    CATALOGUE.iter().chain(ON_DMMS).find(|entry| entry.name == name)
}

/// The shipped listing that says the same as a program, wherever that was read.
pub fn of(program: &Program) -> Option<&'static Entry> {
    let says_the_same =
        |entry: &&Entry| language::parse(entry.text).is_ok_and(|it| it == program.listing);
    find(&program.name).filter(says_the_same)
}
