//! Bounds that are derived of loops on DMMs against counted times.

use memory_machine::case::Case;
use memory_machine::machine::{Dmms, MachineKind, Mode};
use memory_machine::units::Latency;
use proptest::prelude::*;
use rayon::prelude::*;

use super::claims::{Claim, get_their_verdicts};
use super::derivation::{holds, on};
use super::nests;
use crate::count::blocks::listing::listing;

/// What the papers say of shipped listings, with what they assume, and what is too little.
const CLAIMS: &[Claim] = &[
    // Nakano 2013, p = b·q threads.
    (
        "sum_hmm hmm",
        "n/w+n*l/(b*q)+l+ls*log2(q)+ls*log2(b)",
        "w*log2(q)<=q,b*q<=n,b<=d*R,b<=q",
        'p',
    ),
    ("sum_hmm hmm", "n*l+ls", "", 'p'),
    ("sum_hmm hmm", "Θ(n*l+ls)", "", 'p'),
    ("sum_hmm hmm", "n/w+l", "", 'r'),
    (
        "convolution_hmm hmm",
        "n/w+m*n/(d*w)+n*l/(q*d*R)+l+m*ls+m*n*ls/(q*d*R)",
        "w<=q,q<=t,m<=t,t<=q,d*t<=n",
        'p',
    ),
    ("convolution_hmm hmm", "n/w+m*n/(d*w)+n*l/(d*R)+l+m*n*ls/(d*R)+m*ls", "", 'r'),
    // Kasagi, Nakano, Ito 2014: without their ⌈tile/w⌉ for columns, which needs t + 1 and w to be coprime.
    (
        "transpose_padded hmm",
        "n^2/w+n^2/d+n^2*l/(q*d*R)+l+n^2*ls/(q*d*R)+ls",
        "w<=t,q<=t^2,t^2<=q,d*t^2<=n^2,t<=n",
        'p',
    ),
    ("transpose_padded hmm", "n^2+n^2*l/(d*R)+l+n^2*ls/(d*R)+ls", "", 'p'),
    ("transpose_padded hmm", "Ω(n^2/w+l)", "", 'p'),
    ("transpose_padded hmm", "n^2/w^2+n^2*l/(d*R)+l", "", 'r'),
    ("transpose_padded hmm async", "n^2*l+n^2*ls", "", 'p'),
    ("transpose_padded hmm async", "n^2/w+l", "", 'r'),
    ("permute_hmm hmm", "n+n*l/(q*d*R)+l", "q<=n,w<=q", 'p'),
    ("permute_hmm hmm", "n/w+n*l/(d*R)+l", "", 'o'),
    ("sat_2r2w hmm", "Ω(n^2/w+l)", "", 'p'),
    ("sat_2r2w hmm", "n^2+n*l+n^2*l/(d*R)+n*ls+n^2*ls/(d*R)", "", 'p'),
    ("sat_2r2w hmm", "n^2/w+l", "", 'r'),
    ("prefix_sums_hmm hmm", "Θ(n*l+n*ls)", "", 'p'),
    (
        "matrix_multiply_hmm hmm",
        "n^3/(t*w)+n^3/(d*w)+n^3*l/(t*q*d*R)+n*t*l/q+n^3*ls/(q*d*R)+n*t^2*ls/q",
        "w<=t,w<=q,t<=n,q<=t^2,d*t<=n",
        'p',
    ),
    ("matrix_multiply_hmm hmm", "n^3+n^3*l/(d*R)+n*l+n^3*ls/(d*R)+n*ls", "", 'p'),
    ("matrix_multiply_hmm hmm", "n^3+n^3*l/(d*R)+n*l", "", 'r'),
    ("matrix_multiply_hmm hmm", "n^2*l", "", 'r'),
    // CANDAR 2014, of tiles of 32: O(n³/w²) of global memory is n³/(32w).
    ("opt_hmm hmm", "n^3+n^3*l/(d*R)+n^2*l+n^3*ls/(d*R)+n^2*ls", "", 'p'),
    ("opt_hmm hmm", "n^3+n^3*l/(d*R)+n*l+n^3*ls/(d*R)+n^2*ls", "", 'r'),
    ("floyd_warshall_blocked hmm", "n^3+n*l+n*ls+n^3*l/(d*R)+n^3*ls/(d*R)", "", 'p'),
];

#[test]
fn claims_get_their_verdicts() {
    get_their_verdicts(CLAIMS, 5);
}

/// With d DMMs of latency ls and R blocks on each.
fn of_dmms(mut case: Case, [number, latency, resident]: [u64; 3]) -> Case {
    let latency = Latency::new(latency).unwrap();
    case.machine.kind = MachineKind::Hmm(Dmms { number, latency, resident });
    case
}

/// Shipped listings on machines of every kind; how often there is an upper bound, too.
#[test]
fn derived_bounds_hold_for_shipped_listings() {
    let listings = [
        ("sum_hmm", &["b=3", "q=8"][..], true),
        ("sum_hmm", &[], true),
        ("prefix_sums_hmm", &["q=8"], true),
        ("convolution_hmm", &["m=3", "t=8", "q=5"], true),
        ("transpose_padded", &["t=4", "q=16"], true),
        ("transpose_padded", &["t=8", "q=12"], true),
        ("transpose_diagonal", &["t=4", "q=9"], true),
        ("transpose_rap", &["t=4", "q=16"], true),
        ("permute_hmm", &["q=8"], true),
        ("sat_2r2w", &["t=4", "q=3"], true),
        ("sat_2r1w", &["t=4", "q=16"], true),
        ("sat_1r1w", &["t=4", "q=8"], true),
        ("matrix_multiply_hmm", &["t=4", "q=8"], true),
        ("matrix_multiply_registers", &["t=2", "v=2"], true),
        ("opt_hmm", &["t=4", "q=6"], true),
        ("floyd_warshall_blocked", &["t=4", "q=7"], true),
        ("jacobi_tiled", &["t=4", "k=2", "q=9"], true),
        ("string_matching_hmm", &["m=3", "t=8", "q=8"], true),
        ("bitonic_hmm", &["m=2", "q=4"], false),
    ];
    let pairs = listings.iter().flat_map(|it| [(it, Mode::Sync), (it, Mode::Async)]);
    let tried: Vec<_> = crate::some(pairs, 7).collect();
    tried.into_par_iter().for_each(|((name, set, bounded_above), mode)| {
        let mut case = of_dmms(Case::load(name).unwrap(), [1, 1, 1]);
        case.mode = mode;
        for pair in *set {
            let (parameter, value) = pair.split_once('=').unwrap();
            case = case.set(parameter, value.parse().unwrap());
        }
        let bounded = case.derive(&|it| it == "n");
        assert_eq!(bounded.derived.missing.is_empty(), *bounded_above, "{name}");
        for n in [1, 5, 13, 32] {
            for machine in [[1, 1, 1], [64, 4, 7], [5, 3, 20]] {
                for dmms in [[1, 1, 1], [3, 9, 2], [2, 3, 16]] {
                    holds(&bounded, &on(&of_dmms(case.clone(), dmms), n, machine));
                }
            }
        }
    });
}

/// Asynchronously the requests of all DMMs may follow each other; and where it is not known how often
/// a thread goes through a loop, they are counted all the same.
#[test]
fn requests_to_shared_memories_are_those_of_all_dmms() {
    let text = "algorithm f(n)\noutput b[n] : i64\n\n\
                for i ← 0 to n-1 do in parallel on DMMs with n + 2 threads\n  shared s[n] : i64\n  \
                for j ← i to n-1 do in parallel\n    for k ← i to n/2 do\n      s[i] ← 1\n";
    let mut case = of_dmms(Case::parse("f", text).unwrap(), [1, 1, 1]);
    case.mode = Mode::Async;
    let bounded = case.derive(&|_| true);
    assert!(bounded.derived.missing.is_empty());
    for n in [1, 4, 12] {
        for dmms in [[1, 4, 1], [3, 4, 1]] {
            holds(&bounded, &on(&of_dmms(case.clone(), dmms), n, [8, 7, 29]));
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(25))]

    #[test]
    fn derived_bounds_hold_for_random_blocks(
        seed: u64,
        runs in prop::collection::vec(
            (1..14_i64, [1..40_u64, 1..20_u64, 1..30_u64], [1..5_u64, 1..9_u64, 1..4_u64]),
            6,
        ),
        asynchronous: bool,
    ) {
        let text = nests::on_dmms(seed);
        let case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        let mut case = of_dmms(case, [1, 1, 1]);
        case.mode = if asynchronous { Mode::Async } else { Mode::Sync };
        let bounded = case.derive(&|_| true);
        for (n, machine, dmms) in runs {
            holds(&bounded, &on(&of_dmms(case.clone(), dmms), n, machine));
        }
    }

    /// Registers, functions of several kinds, loops that differ from block to block.
    #[test]
    fn derived_bounds_hold_for_any_blocks(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        m in 1..7_i64,
        grows: bool,
        runs in prop::collection::vec(
            (1..14_i64, [1..40_u64, 1..20_u64, 1..30_u64], [1..5_u64, 1..9_u64, 1..4_u64]),
            4,
        ),
    ) {
        let text = listing(&bytes);
        let case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        let case = of_dmms(case, [1, 1, 1]).set("m", m);
        let bounded = case.derive(&|it| grows || it == "n");
        for (n, machine, dmms) in runs {
            holds(&bounded, &on(&of_dmms(case.clone(), dmms), n, machine));
        }
    }
}
