//! The listings that ship with the program, by topic, and what the correct output of each is.
//!
//! A topic is a folder of `kernels/`, a listing's name is its file there, and where it stands is said
//! in its first line: a row of the tables below says the rest.

use super::reference::{
    Reference, cryptography, dynamic_programming, geometry, graphs, grids, linear_algebra, numbers,
    permutations, polybench, scans, sorting, strings, sweeps, transforms,
};
use memory_machine_core::keyword;
use memory_machine_core::language;
use memory_machine_core::language::program::Program;

/// A listing of `kernels/`.
pub struct Entry {
    /// The folder of `kernels/` in which it is.
    pub topic: &'static str,
    /// What `umm run` calls it: its file in that folder, without `.alg`.
    pub name: &'static str,
    /// The listing as printed.
    pub text: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What the outputs must be.
    pub reference: Reference,
}

impl Entry {
    /// Where it stands: paper or book, section, algorithm. The comment of its first line says so,
    /// before a colon if there is more to say.
    pub fn source(&self) -> &'static str {
        let head = self.text.lines().next().unwrap_or_default();
        let comment = head.split_once("//").map_or("", |it| it.1);
        comment.split(": ").next().unwrap_or_default().trim()
    }
}

/// A table of listings: by topic, name, reference and what it does.
macro_rules! listings {
    ($($topic:literal { $($name:literal $reference:path: $about:literal;)* })*) => {
        &[$($(Entry {
            topic: $topic,
            name: $name,
            text: include_str!(concat!("../kernels/", $topic, "/", $name, ".alg")),
            about: $about,
            reference: $reference,
        },)*)*]
    };
}

/// The shipped listings that any machine runs.
pub const CATALOGUE: &[Entry] = listings! {
    "scans" {
        "prefix_sums" scans::prefix_sums: "prefix-sums by one thread, for bulk runs";
        "prefix_sums_parallel" scans::prefix_sums_parallel: "prefix-sums by a tree of pairwise sums";
        "sum" scans::sum: "sum of n numbers by halving";
        "hillis_steele" scans::wrapping_sums: "prefix-sums in ⌈log₂ n⌉ steps of all threads";
        "blelloch_scan" scans::sums_before: "sums of all numbers before each, by a tree in place";
        "segmented_scan" scans::segmented_sums: "prefix-sums that begin anew at each flag";
        "compact" scans::compact: "those of n numbers that have a flag, in their order";
        "maximum_subarray" scans::maximum_subarray: "greatest sum of neighbours, in one pass";
    }
    "sorting" {
        "bitonic" sorting::sorted: "bitonic sort of 2^k keys, a thread a comparator";
        "bitonic_in_turn" sorting::sorted: "bitonic sort by one thread, for bulk runs";
        "bitonic_registers" sorting::sorted: "the same in a thread's registers";
        "odd_even_merge" sorting::sorted: "Batcher's merge exchange of n keys, a thread a comparator";
        "odd_even_transposition" sorting::sorted: "n rounds in which neighbours are exchanged";
        "bubble_sort" sorting::sorted: "bubble sort by one thread, for bulk runs";
        "insertion_sort" sorting::sorted: "insertion sort as the textbook has it";
        "rank_sort" sorting::sorted_apart: "each key to the place that is its rank, a thread a key";
        "merge_sort" sorting::sorted: "merge sort by recursion, by one thread";
        "merge_path" sorting::sorted: "merge sort whose merges are cut into equal parts";
        "radix_sort" sorting::radix_sorted: "bit by bit, with prefix-sums for the places";
        "counting_sort" sorting::sorted_apart: "small keys by how many there are of each";
        "count_keys" sorting::histogram: "how many keys there are of each value, by atomics";
    }
    "transforms" {
        "walsh_hadamard" transforms::walsh_hadamard: "Walsh–Hadamard transform of 2^k numbers";
        "haar" transforms::haar: "Haar wavelets of 2^k numbers";
        "fft" transforms::fft: "fast Fourier transform of 2^k numbers by one thread, for bulk runs";
        "fft_recursive" transforms::fft: "the same by recursion";
        "fft_stockham" transforms::fft_by_turns: "fast Fourier transform of 2^k numbers, a thread a butterfly";
        "ntt" transforms::number_theoretic: "number-theoretic transform of 2^k numbers";
        "cosine_transform" transforms::cosine_transform: "discrete cosine transforms of n blocks, a thread a number";
    }
    "permutations" {
        "sequential_access" permutations::sequential_access: "reads and writes n words with f gaps";
        "transpose" permutations::transpose: "matrix transpose by rows, by columns and by diagonals";
        "transpose_recursive" permutations::transpose_power_of_two: "matrix transpose in quarters, for caches of any size";
        "permute" permutations::permute: "moves each element to a given place";
    }
    "dynamic-programming" {
        "opt" dynamic_programming::optimal_triangulation: "optimal polygon triangulation by one thread, for bulk runs";
        "dp_opt" dynamic_programming::optimal_triangulation: "optimal polygon triangulation by one thread, diagonal by diagonal";
        "umm_opt" dynamic_programming::optimal_triangulation: "optimal polygon triangulation, time-optimal on the UMM";
        "opt_tb_naive" dynamic_programming::optimal_triangulation: "optimal polygon triangulation, a thread a cell, naive arrangement";
        "opt_tb_sliding" dynamic_programming::sliding_triangulation: "the same, sliding arrangement";
        "opt_bb_naive" dynamic_programming::optimal_triangulation: "optimal polygon triangulation, a block a cell, naive arrangement";
        "opt_bb_mirroring" dynamic_programming::mirrored_triangulation: "the same, mirroring arrangement";
        "matrix_chain" dynamic_programming::matrix_chain: "cheapest order to multiply n matrices, a thread a cell";
        "search_tree" dynamic_programming::search_tree: "optimal binary search tree, a thread a cell";
        "knapsack" dynamic_programming::knapsack: "most value of n things within weight c";
        "cyk" dynamic_programming::cyk: "which variables of a grammar make which parts of a word";
        "viterbi" dynamic_programming::viterbi: "likeliest states of a hidden Markov model";
        "increasing_subsequence" dynamic_programming::increasing_subsequence: "longest increasing subsequence by one thread";
        "rod_cutting" dynamic_programming::rod_cutting: "best prices of a rod in pieces";
    }
    "strings" {
        "lcs" strings::lcs: "longest common subsequence, diagonal by diagonal";
        "edit_distance" strings::edit_distance: "edit distance of two words by one thread, for bulk runs";
        "smith_waterman" strings::local_alignment: "best local alignment, diagonal by diagonal";
        "time_warping" strings::time_warping: "dynamic time warping of two series by one thread";
        "nussinov" strings::nussinov: "folding of RNA with most pairs of bases";
        "kmp" strings::ends_of_matches: "where a pattern ends in a text, letter by letter";
        "shift_and" strings::ends_of_matches: "the same with a bit a letter of the pattern";
    }
    "linear-algebra" {
        "matrix_multiply" linear_algebra::matrix_multiply: "product of two matrices, one thread an element";
        "strassen" linear_algebra::integer_product: "product of two matrices by seven of their quarters";
        "strassen_recursive" linear_algebra::power_of_two_product: "the same by recursion, by one thread";
        "matrix_multiply_recursive" linear_algebra::power_of_two_product: "product in halves, for caches of any size";
        "matrix_vector" linear_algebra::matrix_vector: "product of a matrix, and of the transposed one, with a vector";
        "lu" linear_algebra::lu: "LU decomposition without pivots";
        "lu_pivoted" linear_algebra::lu_pivoted: "LU decomposition with pivots by one thread";
        "cholesky" linear_algebra::cholesky: "Cholesky decomposition, column by column";
        "forward_substitution" linear_algebra::forward_substitution: "solution of a triangular system, column by column";
        "thomas" linear_algebra::tridiagonal: "solution of a tridiagonal system by one thread, for bulk runs";
        "cyclic_reduction" linear_algebra::tridiagonal: "the same by cyclic reduction";
        "conjugate_gradient" linear_algebra::conjugate_gradient: "steps towards the solution of a symmetric system";
        "power_iteration" linear_algebra::power_iteration: "steps towards the greatest eigenvalue";
    }
    "polybench" {
        "two_products" polybench::two_products: "2mm: two products of matrices in turn";
        "three_products" polybench::three_products: "3mm: a product of two products";
        "gemm" polybench::product: "a product of matrices added to a third";
        "syrk" polybench::symmetric_product: "a symmetric product of rank m";
        "syr2k" polybench::two_symmetric_products: "a symmetric product of rank 2m";
        "trmm" polybench::triangular_product: "product with a triangular matrix, in place";
        "symm" polybench::symmetric_left: "product with a symmetric matrix, of which half is read";
        "doitgen" polybench::row_products: "rows of a table times a matrix";
        "gramschmidt" polybench::gram_schmidt: "QR decomposition by modified Gram–Schmidt";
        "covariance" polybench::covariance: "covariances of m variables";
        "correlation" polybench::correlation: "correlations of m variables";
        "atax" polybench::twice_applied: "the transposed matrix times the matrix times a vector";
        "bicg" polybench::both_sides: "a matrix and the transposed one times vectors";
        "mvt" polybench::both_vectors: "a matrix and the transposed one times vectors, one after the other";
        "gemver" polybench::two_updates: "two updates of rank 1, and products with vectors";
        "gesummv" polybench::sum_of_products: "sum of two matrices' products with a vector";
        "durbin" polybench::toeplitz: "solution of a Toeplitz system";
        "ludcmp" polybench::lu_solution: "solution of a system by LU decomposition";
        "jacobi_1d" polybench::jacobi_1d: "steps of the mean of three";
        "jacobi_2d" polybench::jacobi_2d: "steps of the mean of five";
        "heat_3d" polybench::heat_3d: "steps of the seven-point stencil in space";
        "seidel_2d" polybench::seidel_2d: "sweeps of the mean of nine, in place";
        "fdtd_2d" sweeps::waves: "steps of electric and magnetic waves in a plane";
        "adi" sweeps::heat_by_lines: "steps of heat, implicit by columns and rows in turn";
        "deriche" sweeps::recursive_filter: "a recursive filter of an image, forth and back";
    }
    "grids" {
        "life" grids::life: "generations of Conway's Life";
        "elementary_automaton" grids::elementary_automaton: "generations of a cellular automaton in a ring";
        "red_black" grids::red_black: "Gauss–Seidel sweeps of the five-point stencil by colours";
        "nine_point" grids::nine_point: "Jacobi steps of the nine-point stencil";
        "heat" grids::heat: "Jacobi steps of the seven-point stencil in space";
        "image_filter" grids::image_filter: "an image filtered with m × m weights";
        "median_filter" grids::median_filter: "median of each pixel's neighbourhood of nine";
        "distance_transform" grids::distance_transform: "steps from each pixel to the nearest point, by one thread";
        "mandelbrot" grids::mandelbrot: "how soon z² + c leaves the circle of radius 2";
    }
    "graphs" {
        "floyd_warshall" graphs::shortest_paths: "shortest paths between all vertices, a thread a pair";
        "floyd_warshall_in_turn" graphs::shortest_paths: "the same by one thread, for bulk runs";
        "warshall" graphs::closure: "which vertices can be reached from which";
        "degrees" graphs::degrees: "how many edges end at each vertex, by atomics";
        "bfs" graphs::levels: "breadth-first search by levels, a thread a vertex";
        "bellman_ford" graphs::bellman_ford: "shortest paths from a vertex, all arcs at once";
        "dijkstra" graphs::dijkstra: "shortest paths from a vertex by one thread";
        "prim" graphs::spanning_tree: "minimum spanning tree by one thread";
        "components" graphs::components: "connected components by least vertices";
        "list_ranking" graphs::list_ranking: "places in a linked list by pointer jumping";
        "triangles" graphs::triangles: "number of triangles, a thread an edge";
    }
    "cryptography" {
        "xtea" cryptography::xtea: "encrypts n blocks with XTEA";
        "chacha20" cryptography::chacha20: "n blocks of ChaCha20's key stream";
        "rc4" cryptography::rc4: "n bytes of RC4's key stream, by one thread";
        "aes" cryptography::aes: "encrypts n blocks with AES-128";
        "sha256" cryptography::sha256: "SHA-256 of a message of n blocks, by one thread";
        "crc32" cryptography::crc32: "check sum of n bytes, by one thread";
    }
    "numbers" {
        "sieve" numbers::primes: "which numbers up to n are prime";
        "gcd" numbers::common_divisors: "greatest common divisors of n pairs";
        "modular_power" numbers::modular_powers: "n powers modulo m";
        "montgomery" numbers::montgomery_products: "n products modulo m without division";
        "long_product" numbers::long_product: "product of two numbers of n digits, by one thread";
        "montgomery_words" numbers::long_montgomery: "product of numbers of n words modulo another, by one thread";
        "long_gcd" numbers::long_divisor: "greatest common divisor of two odd numbers of n words, by one thread";
        "long_sum" numbers::long_sum: "sum of two numbers of n digits, carries in parallel";
        "philox" numbers::philox: "random words from n counters";
        "mersenne_twister" numbers::mersenne_twister: "n random words of MT19937, by one thread";
    }
    "geometry" {
        "greedy" geometry::greedy: "greedy triangulation of n points";
        "quickhull" geometry::quickhull: "convex hull of n points by iterative quickhull";
        "n_body" geometry::n_body: "accelerations of n bodies by all others";
        "k_means" geometry::k_means: "a step of k-means clustering";
        "closest_pair" geometry::closest_pair: "least distance of two of n points, all pairs";
        "point_in_polygon" geometry::point_in_polygon: "which of n points lie inside a polygon of m vertices";
    }
};

/// The shipped listings with loops on DMMs, likewise.
pub const ON_DMMS: &[Entry] = listings! {
    "scans" {
        "sum_hmm" scans::sum_of_blocks: "sum of n numbers: one sum a block, then the sum of those";
        "prefix_sums_hmm" scans::prefix_sums_of_blocks: "prefix-sums: sums of blocks, those up to each block, then all";
        "sum_warps" scans::sum_of_blocks: "sum of n numbers: warps sum registers by shuffles, then their sums";
        "prefix_sums_warps" scans::prefix_sums_of_rows: "prefix-sums of m rows, one a block, by shuffles";
    }
    "permutations" {
        "transpose_padded" permutations::transpose_tiles: "matrix transpose by tiles in shared memory, with padded rows";
        "transpose_diagonal" permutations::transpose_tiles: "the same, with tiles arranged by diagonals";
        "transpose_rap" permutations::transpose_tiles: "the same, with rows of tiles shifted by a random permutation";
        "permute_hmm" permutations::permute: "the conventional permutation: each number to its place";
        "permute_offline" permutations::scheduled: "the optimal offline permutation by a schedule: rows, columns, rows";
    }
    "dynamic-programming" {
        "opt_hmm" dynamic_programming::optimal_triangulation: "optimal polygon triangulation by tiles in shared memory";
        "opt_tiled" dynamic_programming::optimal_triangulation: "the same, with a tile in the registers of each thread, all tiles at once";
    }
    "strings" {
        "string_matching_hmm" strings::string_matching: "least edit distance of a pattern from pieces of a text";
    }
    "linear-algebra" {
        "matrix_multiply_hmm" linear_algebra::matrix_multiply: "product of two matrices by tiles in shared memory";
        "matrix_multiply_registers" linear_algebra::matrix_multiply: "the same, with a tile in the registers of each thread";
    }
    "transforms" {
        "fft_hmm" transforms::fft_of_rows: "fast Fourier transforms of p times 1024 numbers, one a block";
        "convolution_hmm" transforms::convolution: "n numbers of the convolution of n + m - 1 numbers with m";
    }
    "grids" {
        "jacobi_tiled" grids::jacobi: "k Jacobi steps of the five-point stencil, tiles with halo";
        "sat_2r2w" grids::summed_area_table: "summed area table: prefix-sums of columns, then of rows";
        "sat_2r1w" grids::summed_area_table: "the same: sums of tiles, sums of those, then each tile";
        "sat_1r1w" grids::summed_area_table: "the same: tiles in the order of their anti-diagonals";
    }
    "graphs" {
        "floyd_warshall_blocked" graphs::shortest_paths: "shortest paths between all vertices by tiles in shared memory";
    }
    "sorting" {
        "bitonic_hmm" sorting::sorted: "bitonic sort with the short strides in shared memory";
        "count_keys_hmm" sorting::histogram: "how many keys there are of each value, counted in each block, then added";
    }
};

/// The shipped listings, topic by topic.
pub fn by_topic() -> Vec<&'static Entry> {
    let mut all: Vec<&Entry> = CATALOGUE.iter().chain(ON_DMMS).collect();
    all.sort_by_key(|entry| entry.topic);
    all
}

/// The shipped listing of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().chain(ON_DMMS).find(|entry| entry.name == name)
}

/// The same, in small letters or capitals, as people type names.
pub fn find_typed(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().chain(ON_DMMS).find(|entry| entry.name.eq_ignore_ascii_case(name))
}

/// The question whether the shipped listing of the nearest name is meant, if one is near.
pub fn suggestion(name: &str) -> String {
    keyword::suggestion(name, CATALOGUE.iter().chain(ON_DMMS).map(|entry| entry.name))
}

/// The shipped listing that says the same as a program, wherever that was read.
pub fn of(program: &Program) -> Option<&'static Entry> {
    let says_the_same =
        |entry: &&Entry| language::parse(entry.text).is_ok_and(|it| it == program.listing);
    find(&program.name).filter(says_the_same)
}
