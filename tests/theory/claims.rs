//! Claims on running times: what is proved of them, what is refuted, and that verdicts agree.

mod listings;

use std::sync::atomic::{AtomicUsize, Ordering};

use memory_machine::case::Case;
use memory_machine::case::claim::{ClaimVerdict, ParsedClaim};
use memory_machine::machine::{Dmms, MachineKind, Mode};
use memory_machine::run::layout::Arrangement;
use memory_machine::units::{Latency, Threads, Width};
use proptest::prelude::*;
use rayon::prelude::*;

use self::listings::OWN;
use super::derivation::on;
use super::{measures, premises};

/// A listing with flags, a claim, what it assumes, and the verdict: **p**roved, **r**efuted, **o**pen.
pub(super) type Claim = (&'static str, &'static str, &'static str, char);

const CLAIMS: &[Claim] = &[
    ("permute", "n+n*l/p+l", "", 'p'),
    ("umm_opt", "n^3/w+n^3*l/p+n*l", "", 'p'),
    ("prefix_sums_parallel", "n/w+n*l/p+l*log2(n)", "", 'p'),
    ("sum", "n/w+n*l/p+l*log2(n)", "", 'p'),
    ("matrix_multiply", "n^3/w+n^3*l/p+n*l", "", 'p'),
    ("opt_tb_sliding", "n^3/w+n^3*l/p+n^2*l", "", 'p'),
    ("umm_opt", "n^3/w+n^3*l/p", "", 'r'),
    ("umm_opt", "n^3/w", "", 'r'),
    ("umm_opt", "n^3/w^2+n*l", "", 'r'),
    ("sum", "n/w+n*l/p+l", "", 'r'),
    ("sum", "n/w", "", 'r'),
    ("transpose", "n^2/w+n^2*l/p+l", "", 'r'),
    ("transpose", "n^2+n^2*l/p+l", "", 'p'),
    // False, as runs show; but nothing is derived of addresses that depend on data.
    ("permute", "n/w+n*l/p+l", "", 'o'),
    ("opt", "n^3*l", "", 'p'),
    ("opt", "n^2*l", "", 'r'),
    ("opt column", "n^3*p/w+n^3*l", "", 'p'),
    ("opt row", "n^3*p+n^3*l", "", 'p'),
    ("opt row", "n^3*p/w+n^3*l", "", 'r'),
    ("prefix_sums column", "n*p/w+n*l", "", 'p'),
    ("prefix_sums row", "n*p/w+n*l", "", 'r'),
    ("dp_opt", "n^3*l", "", 'p'),
    ("dp_opt", "Θ(n^3*l)", "", 'p'),
    ("sum", "Θ(n/w+n*l/p+l*log2(n))", "", 'p'),
    ("umm_opt", "Ω(n^3/w+n^3*l/p+n*l)", "", 'p'),
    ("umm_opt", "Theta(n^3/w+n^3*l/p+n*l)", "", 'p'),
    ("umm_opt", "Ω(n^3)", "", 'r'),
    ("matrix_multiply", "Θ(n^3/w+n^3*l/p+n*l)", "", 'p'),
    ("sequential_access", "n/w+n*l/p+l", "", 'p'),
    ("sequential_access", "(n/w+l)*(1+n/p)", "", 'p'),
    ("opt_tb_naive", "n^3+n^3*l/p+n^2*l", "", 'p'),
    ("opt_bb_naive", "n^3+n^3*l/p+n^2*l", "", 'p'),
    // What papers write, and what is printed.
    ("sum", "n^0.1*n^0.2*n^0.7/w + n*l/p + l*log2(n)", "", 'p'),
    ("sum", "n·l/p + n^(1/3)·n^(2/3)/w + l log n", "", 'p'),
    ("sum", "n·l/p + n/w + l·⌈log₂ n⌉", "", 'p'),
    ("sum", "n/p + n/w + log n", "l = 1", 'p'),
    ("sum", "n/p + n/w + log n", "", 'r'),
    ("umm_opt", "n³/w + n³·l/p + n·l", "", 'p'),
    ("bitonic_shipped", "2^k·k²·(1 + l/p) + k²·l", "", 'p'),
    ("bitonic_shipped", "k²·l", "", 'r'),
    ("bitonic_in_turn", "2^k k² l", "", 'p'),
    ("fft", "k·l", "", 'r'),
    // Of contradictions the stronger claim is refuted, too.
    ("transpose", "Ω(n)", "", 'r'),
    ("transpose", "Ω(n^2)", "", 'r'),
    ("sum", "Ω(n)", "", 'r'),
    ("product", "n*m*k/w + n*m*k*l/p + m*l", "", 'r'),
    ("product", "n*m*k/w + n*m*k*l/p + m*l", "w <= k", 'p'),
    // However far the runs go apart, these end: the first after 1000 iterations, the second after 10⁵.
    ("until_thousand", "l", "", 'o'),
    ("until_cap", "l", "", 'o'),
    ("warshall", "n³/w + n³·l/p + n·l", "", 'p'),
    ("warshall", "Θ(n/w + n*l/p + l*log2(n))", "", 'r'),
    ("greedy", "n^6*l", "", 'o'),
    ("quickhull", "n^2*l", "", 'o'),
    ("transpose dmm", "n^2+n^2*l/p+l", "", 'p'),
    ("transpose dmm", "n^2/w+n^2*l/p+l", "", 'r'),
    ("umm_opt dmm", "n^3/w+n^3*l/p+n*l", "", 'p'),
    ("transpose", "n^2*l", "", 'p'),
    ("transpose", "Θ(n^2*l)", "", 'r'),
    ("matrix_multiply", "n^3*l/p+n^3/w", "p<=n^2", 'p'),
    ("sum", "n*l*log2(n)", "p<=n", 'p'),
    ("parity", "n/w+n*l/p+l", "", 'r'),
    ("parity", "n^2/w+n^2*l/p+l", "", 'p'),
    ("depth40", "n*l", "", 'p'),
    ("depth40", "l", "", 'p'),
    ("saxpy", "Θ(n/w+n*l/p+l)", "", 'p'),
    ("saxpy", "n/w+l", "", 'r'),
    ("saxpy", "n/p+l+n/w", "", 'r'),
    ("stride", "n*m+n*m*l/p+m*l", "", 'p'),
    ("stride", "n*m/w+n*m*l/p+m*l", "", 'r'),
    ("colsum", "n*m/w+n*m*l/p+n*l", "", 'p'),
    ("colsum", "Θ(n*m/w+n*m*l/p+n*l)", "", 'p'),
    ("colsum", "n*m/w+n*m*l/p+l", "", 'r'),
    ("jacobi", "steps*n^2/w+steps*n^2*l/p+steps*l", "", 'p'),
    ("jacobi", "n^2/w+n^2*l/p+steps*l", "", 'r'),
    ("fw", "n^3/w+n^3*l/p+n*l", "", 'p'),
    ("fw", "Θ(n^3/w+n^3*l/p+n*l)", "", 'p'),
    ("fw", "n^3/w+n^2*l/p+n*l", "", 'r'),
    ("tri", "n^2+n^2*l/p+n*l", "", 'p'),
    ("tri", "n^2/w+n^2*l/p+n*l", "", 'r'),
    ("blocked", "n/w+n*l/p+l", "", 'p'),
    ("blocked", "n+n*l/p+l", "", 'p'),
    ("bitonic", "n*log2(n)/w+n*log2(n)*l/p+l*log2(n)", "", 'p'),
    ("bitonic", "n/w+n*l/p+l*log2(n)", "", 'r'),
    ("bitonic", "Θ(n*log2(n)/w+n*log2(n)*l/p+l*log2(n))", "", 'p'),
    ("floyd3", "n^3+n^3*l/p+l", "", 'p'),
    ("floyd3", "n^2+n^2*l/p+l", "", 'r'),
    ("race", "l", "", 'p'),
    ("lcs", "n*m+n*m*l/p+(n+m)*l", "", 'p'),
    ("lcs", "n*m/w+n*m*l/p+n*l", "", 'r'),
    ("lcs", "n*l", "", 'r'),
    ("prefix_sums", "Θ(n*l)", "", 'p'),
    ("prefix_sums", "n", "", 'r'),
    ("opt_bb_mirroring", "n^3+n^3*l/p+n^2*l", "", 'p'),
    ("opt_bb_mirroring", "n^2", "", 'r'),
    ("umm_opt async", "n^3/w+n^3*l/p+n*l", "", 'p'),
    ("greedy", "n", "", 'r'),
    ("quickhull", "n/w", "", 'r'),
    ("umm_opt", "n^3*l", "", 'p'),
    ("umm_opt", "n^2*l", "", 'r'),
    ("matrix_multiply", "n^3/w+n^3*l/p", "", 'r'),
    ("matrix_multiply", "n^2*l", "", 'r'),
    ("matrix_multiply", "Θ(n^3/w+n^3*l/p)", "p<=n^2", 'p'),
    ("umm_opt", "n^3/w+n^3*l/p", "p<=n^2,w<=n", 'p'),
    // Remainders, quotients by numbers and exclusive or keep neighbours near each other.
    ("partners", "Θ(n/w+n*l/p+l)", "", 'p'),
    ("partners dmm", "Θ(n/w+n*l/p+l)", "", 'p'),
    ("halves", "Θ(n/w+n*l/p+l)", "", 'p'),
    ("turned", "Θ(n^2/w+n^2*l/p+n*l)", "", 'p'),
    ("swapped", "Θ(n/w+n*l/p+l)", "", 'p'),
    ("odd_even", "n^2/w+n^2*l/p+n*l", "", 'p'),
    // A number that grows threefold, falls to a third, or grows to one more than threefold.
    ("threefold", "Θ(n*log n/w+n*l*log n/p+l*log n)", "", 'p'),
    ("thirds", "Θ(n/w+n*l/p+l*log n)", "", 'p'),
    ("gaps", "n*log n/w+n*l*log n/p+l*log n", "", 'p'),
];

pub(super) fn case(listing: &str) -> Case {
    let mut words = listing.split(' ');
    let name = words.next().unwrap();
    let own = OWN.iter().find(|it| it.0 == name).map(|it| it.1);
    let own = own.or_else(|| measures::text(name)).map(str::to_owned);
    let mut case = match own
        .or_else(|| premises::text(name))
        .or_else(|| premises::decreasing(name))
        .as_deref()
    {
        Some(text) => Case::parse(name, text).unwrap_or_else(|error| panic!("{error}")),
        // There is one of its own of that name.
        None => Case::load(name.trim_end_matches("_shipped")).unwrap(),
    };
    for word in words {
        match word {
            "dmm" => case.machine.kind = MachineKind::Dmm,
            "hmm" => case.machine.kind = MachineKind::Hmm(Dmms::ONE),
            "async" => case.mode = Mode::Async,
            "row" => case = case.bulk(Arrangement::RowWise),
            "column" => case = case.bulk(Arrangement::ColumnWise),
            _ => panic!("{word}"),
        }
    }
    case
}

#[test]
fn claims_get_their_verdicts() {
    get_their_verdicts(CLAIMS, 6);
}

/// One in so many; all if tests are thorough.
pub(super) fn get_their_verdicts(claims: &[Claim], one_in: usize) {
    let wrong = AtomicUsize::new(0);
    let claims: Vec<_> = crate::some(claims, one_in).collect();
    claims.into_par_iter().for_each(|(listing, claim, assumed, expected)| {
        let mut written = ParsedClaim::parse(claim).unwrap();
        let assumed = assumed.split(',').filter(|it| !it.is_empty());
        written.assumed = assumed.flat_map(|it| ParsedClaim::assumption(it).unwrap()).collect();
        let judged = case(listing).judge(&written).unwrap();
        let found = match judged.verdict {
            ClaimVerdict::Proved => 'p',
            ClaimVerdict::Refuted => 'r',
            ClaimVerdict::Open => 'o',
        };
        assert_eq!(judged.verdict == ClaimVerdict::Proved, !judged.proof.is_empty());
        assert_eq!(judged.verdict == ClaimVerdict::Refuted, judged.witness.is_some());
        if found != *expected {
            println!("{listing}: {claim}: {found} instead of {expected}: {judged:?}");
            wrong.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!(wrong.into_inner(), 0);
}

/// A witness is a run: its time is what the run takes, and time/claim grows along the ray.
#[test]
fn a_size_of_the_machine_is_no_parameter() {
    let text = "algorithm clash(n, w = 4)\ninout a[n] : i32\n\nfor i ← 0 to n - 1 do in parallel\n  a[i] ← a[i] + w\n";
    let case = Case::parse("clash.alg", text).unwrap();
    let message = case.judge(&ParsedClaim::parse("n/w + n*l/p + l").unwrap()).unwrap_err();
    assert!(
        message.contains("`w` is a parameter of `clash` and a size of the machine"),
        "{message}"
    );
    // What the claim does not name is the parameter's own affair.
    let judged = case.judge(&ParsedClaim::parse("n + n*l/p + l").unwrap()).unwrap();
    assert_eq!(judged.verdict, ClaimVerdict::Proved);
}

#[test]
fn witnesses_are_runs() {
    let judged = case("sum").judge(&ParsedClaim::parse("n/w + n*l/p + l").unwrap()).unwrap();
    let witness = judged.witness.unwrap();
    assert!(witness.growth > 2.0, "{witness:?}");
    for point in &witness.points {
        let size = |name: &str| point.sizes[name];
        let mut case = case("sum").set("n", size("n").cast_signed());
        case.threads = Threads::new(size("p")).unwrap();
        case.machine.width = Width::new(size("w")).unwrap();
        case.machine.latency = Latency::new(size("l")).unwrap();
        assert_eq!(case.time().unwrap().total().time_units.0, point.time_units);
    }
}

/// The constant of a proof holds for every run.
#[test]
fn proofs_state_constants_that_hold() {
    for (listing, claim) in [
        ("sum", "n/w + n·l/p + l·log n"),
        ("jacobi", "steps·n²/w + steps·n²·l/p + steps·l"),
        ("umm_opt", "n³/w + n³·l/p + n·l"),
    ] {
        let case = case(listing);
        let written = ParsedClaim::parse(claim).unwrap();
        let proof = case.judge(&written).unwrap().proof;
        let constant = proof[0].strip_prefix("time ≤ ").unwrap();
        let constant: f64 = constant.split('·').next().unwrap().parse().unwrap();
        for n in [2, 7, 40] {
            for [p, w, l] in [[1, 1, 1], [64, 4, 1], [8, 32, 100], [1000, 7, 9]] {
                let run = on(&case, n, [p, w, l]);
                let run = if listing == "jacobi" { run.set("steps", 3) } else { run };
                let value = |name: &str| match name {
                    "n" => Some(n as f64),
                    "steps" => Some(3.0),
                    "p" => Some(p as f64),
                    "w" => Some(w as f64),
                    _ => Some(l as f64),
                };
                let time = run.time().unwrap().total().time_units.0 as f64;
                let claimed = written.formula.evaluate(&value).unwrap();
                assert!(time <= constant * claimed, "{run}: {time} > {constant}·{claimed}");
            }
        }
    }
}

// Claims of which one is below the other: a verdict on one holds for the other where it must, and how a sum
// is written does not matter.

const LISTINGS: [&str; 6] = ["sum", "transpose", "product", "colsum", "bitonic", "jacobi"];

/// Tenths of powers of n, w, p, l and ⌈log₂ n⌉.
type Tenths = [i32; 5];

fn product(tenths: Tenths, order: usize) -> String {
    let names = ["n", "w", "p", "l", "log n"];
    let mut factors: Vec<String> = vec![];
    for (name, power) in names.into_iter().zip(tenths) {
        let name = if name == "log n" { "log(n)" } else { name };
        // In two parts, so that powers are added up.
        factors.push(format!("{name}^(1/10)"));
        factors.push(format!("{name}^({}/10)", power - 1).replace("^(-", "^(0-"));
    }
    let by = order % factors.len();
    factors.rotate_left(by);
    if order % 2 == 1 {
        factors.reverse();
    }
    factors.join("·")
}

fn verdict(case: &Case, relation: &str, terms: &[Tenths], order: usize) -> ClaimVerdict {
    let mut sum: Vec<String> = terms.iter().map(|it| product(*it, order)).collect();
    let by = order % sum.len();
    sum.rotate_left(by);
    let claim = format!("{relation}({})", sum.join(" + "));
    case.verdict(&ParsedClaim::parse(&claim).unwrap()).unwrap().verdict
}

proptest! {
    #![proptest_config(crate::cases(40))]

    #[test]
    fn depend_on_the_claim_alone(
        listing in prop::sample::select(&LISTINGS[..]),
        upper: bool,
        terms in prop::collection::vec(
            [0..31_i32, -10..1_i32, -10..1_i32, 0..11_i32, 0..11_i32],
            1..4,
        ),
        less in [0..11_i32, 0..11_i32, 0..11_i32, 0..11_i32, 0..11_i32],
        orders: [u16; 2],
    ) {
        let case = case(listing);
        let relation = if upper { "O" } else { "Ω" };
        let of = |terms: &[Tenths], order: u16| verdict(&case, relation, terms, order.into());
        let found = of(&terms, orders[0]);
        prop_assert_eq!(found, of(&terms, orders[1]));
        // Terms that are nowhere larger.
        let smaller = |it: &Tenths| std::array::from_fn(|at| it[at] - less[at]);
        let smaller: Vec<Tenths> = terms.iter().map(smaller).collect();
        let other = of(&smaller, orders[1]);
        let (weaker, stronger) = if upper { (found, other) } else { (other, found) };
        // A refuted claim refutes what is stronger; a proved one proves what is weaker.
        prop_assert!(weaker != ClaimVerdict::Refuted || stronger == ClaimVerdict::Refuted);
        prop_assert!(stronger != ClaimVerdict::Proved || weaker == ClaimVerdict::Proved);
    }
}
