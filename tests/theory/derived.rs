//! Claims on running times and what is proved of them; derived bounds against counted times.

use std::sync::atomic::{AtomicUsize, Ordering};

use memory_machine::case::Case;
use memory_machine::case::claim::{Judgement, Written};
use memory_machine::machine::{Dmms, MachineKind, Mode};
use memory_machine::run::layout::Arrangement;
use memory_machine::theory::BoundKind;
use memory_machine::units::{Latency, Threads, Width};
use proptest::prelude::*;
use rayon::prelude::*;

use super::nests;

/// Listings that are not shipped.
const OWN: &[(&str, &str)] = &[
    (
        "bitonic",
        "\
algorithm double(n)
inout a[n] : f32

s ← 1
while s < n do
  for i ← 0 to n-1 do in parallel
    a[i] ← a[i] + 1
  s ← 2 × s",
    ),
    (
        "blocked",
        "\
algorithm blocked(n, t = 8)
input a[n] : f32
output b[n] : f32

for ii ← 0 to (n-1)/t do in parallel
  for i ← ii×t to min(ii×t+t-1, n-1) do in parallel
    b[i] ← a[i]",
    ),
    (
        "colsum",
        "\
algorithm colsum(n, m)
input a[n, m] : f32
output s[m] : f32

for j ← 0 to m-1 do in parallel
  t ← 0
  for i ← 0 to n-1 do
    t ← t + a[i, j]
  s[j] ← t",
    ),
    (
        "depth40",
        "\
algorithm depth40(n)
inout a[n] : i32

for i ← 1 to min(n-1, 40) do
  a[i] ← a[i-1] + 1",
    ),
    (
        "floyd3",
        "\
algorithm cube(n)
output a[n, n, n] : f32

for i ← 0 to n-1 do in parallel
  for j ← 0 to i do in parallel
    for k ← 0 to j do in parallel
      a[i, j, k] ← 1",
    ),
    (
        "fw",
        "\
algorithm fw(n)
inout d[n, n] : f32

for k ← 0 to n-1 do
  for i ← 0 to n-1 do in parallel
    for j ← 0 to n-1 do in parallel
      d[i, j] ← min(d[i, j], d[i, k] + d[k, j])",
    ),
    (
        "jacobi",
        "\
algorithm jacobi(n, steps)
inout a[n, n] : f32
work b[n, n] : f32

for t ← 1 to steps do
  for i ← 1 to n-2 do in parallel
    for j ← 1 to n-2 do in parallel
      b[i, j] ← a[i-1, j] + a[i+1, j] + a[i, j-1] + a[i, j+1]
  for i ← 1 to n-2 do in parallel
    for j ← 1 to n-2 do in parallel
      a[i, j] ← b[i, j]",
    ),
    (
        "lcs",
        "\
algorithm lcs(n, m)
input x[n+1] : i32
input y[m+1] : i32
output c[n+1, m+1] : i32

for i ← 0 to n do
  c[i, 0] ← 0
for j ← 0 to m do
  c[0, j] ← 0
for d ← 2 to n+m do
  for i ← max(1, d-m) to min(n, d-1) do in parallel
    c[i, d-i] ← if x[i] = y[d-i] then c[i-1, d-i-1] + 1 else max(c[i-1, d-i], c[i, d-i-1])",
    ),
    (
        "parity",
        "\
algorithm parity(n)
output b[n, n] : f32

if n mod 2 = 0 then
  for i ← 0 to n-1 do in parallel
    for j ← 0 to n-1 do in parallel
      b[i, j] ← 1
else
  for i ← 0 to n-1 do in parallel
    b[0, i] ← 1",
    ),
    (
        "race",
        "\
algorithm shift(n)
inout a[n] : i32

for i ← 0 to 7 do in parallel
  for k ← 0 to 7 do
    if i = k then a[k+1] ← a[k]",
    ),
    (
        "saxpy",
        "\
algorithm saxpy(n)
input x[n] : f32
inout y[n] : f32

for i ← 0 to n-1 do in parallel
  y[i] ← y[i] + 2.0 × x[i]",
    ),
    (
        "stride",
        "\
algorithm stride(n, m)
input a[n, m] : f32
output s[n] : f32

for i ← 0 to n-1 do in parallel
  t ← 0
  for j ← 0 to m-1 do
    t ← t + a[i, j]
  s[i] ← t",
    ),
    (
        "tri",
        "\
algorithm tri(n)
input a[n, n] : f32
input x[n] : f32
output y[n] : f32

for i ← 0 to n-1 do in parallel
  t ← 0
  for j ← 0 to i do
    t ← t + a[i, j] × x[j]
  y[i] ← t",
    ),
];

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
    ("permute", "n/w+n*l/p+l", "", 'r'),
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
];

fn case(listing: &str) -> Case {
    let mut words = listing.split(' ');
    let name = words.next().unwrap();
    let own = OWN.iter().find(|it| it.0 == name);
    let mut case = match own {
        Some((_, text)) => Case::parse(name, text).unwrap_or_else(|error| panic!("{error}")),
        None => Case::load(name).unwrap(),
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
    get_their_verdicts(CLAIMS);
}

pub(super) fn get_their_verdicts(claims: &[Claim]) {
    let wrong = AtomicUsize::new(0);
    let claims: Vec<_> = crate::some(claims, 3).collect();
    claims.into_par_iter().for_each(|(listing, claim, assumed, expected)| {
        let mut written = Written::parse(claim).unwrap();
        let assumed = assumed.split(',').filter(|it| !it.is_empty());
        written.assumed = assumed.map(|it| Written::assumption(it).unwrap()).collect();
        let judged = case(listing).judge(&written).unwrap();
        let found = match judged.verdict {
            Judgement::Proved => 'p',
            Judgement::Refuted => 'r',
            Judgement::Open => 'o',
        };
        assert_eq!(judged.verdict == Judgement::Proved, !judged.proof.is_empty());
        assert_eq!(judged.verdict == Judgement::Refuted, judged.witness.is_some());
        if found != *expected {
            println!("{listing}: {claim}: {found} instead of {expected}: {judged:?}");
            wrong.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!(wrong.into_inner(), 0);
}

/// A condition that is no inequality of the halved number says nothing of where it stops.
#[test]
fn a_square_in_a_condition_is_not_taken_for_a_line() {
    let text = "algorithm root(n)\noutput b[n] : f32\n\nh ← n\nwhile h × h + h > 100 do\n\
                \u{20} for i ← 0 to h-1 do in parallel\n    b[i] ← 1\n  h ← h / 2\n";
    let case = Case::parse("root", text).unwrap_or_else(|it| panic!("{it}"));
    let bounded = case.derive(&|_| false);
    assert!(!bounded.derived.missing.is_empty());
    for n in [5, 40, 90, 500] {
        holds(&bounded, &on(&case, n, [64, 4, 5]));
    }
}

/// Threads that part at a condition on data take the steps of both arms.
#[test]
fn semi_oblivious_listings_have_bounds_in_bulk() {
    let text = "algorithm arms(n)\ninput a[n] : i32\noutput b[n] : i32\n\nfor i ← 0 to n-1 do\n\
                \u{20} if a[i] > 50 then b[i] ← 1 else b[i] ← a[0] + 2\n";
    for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
        let case = Case::parse("arms", text).unwrap_or_else(|it| panic!("{it}")).bulk(arrangement);
        let bounded = case.derive(&|_| false);
        assert!(bounded.derived.missing.is_empty());
        for n in [1, 8, 30] {
            assert!(holds(&bounded, &on(&case, n, [64, 4, 5])).is_some());
        }
    }
}

/// A witness is a run: its time is what the run takes, and time/claim grows along the ray.
#[test]
fn witnesses_are_runs() {
    let judged = case("sum").judge(&Written::parse("n/w + n*l/p + l").unwrap()).unwrap();
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

/// Whether derived bounds hold for a run; its upper bound over its lower one.
pub(super) fn holds(
    bounded: &memory_machine::case::claim::DerivedBounds,
    case: &Case,
) -> Option<f64> {
    let timed = case.time().ok()?;
    let time = timed.total().time_units.0;
    let bounds = bounded.at(case, &timed.layout);
    for bound in &bounds {
        assert!(bound.holds(time), "{case}: {time} {bound:?}\n{}", case.program.source.text);
    }
    let of = |kind| bounds.iter().find(|it| it.kind == kind).map(|it| it.value as f64);
    of(BoundKind::Upper)
        .zip(of(BoundKind::Lower).filter(|it| *it > 0.0))
        .map(|(upper, lower)| upper / lower)
}

pub(super) fn on(case: &Case, n: i64, [p, w, l]: [u64; 3]) -> Case {
    let mut case = case.clone().set("n", n);
    case.threads = Threads::new(p).unwrap();
    case.machine.width = Width::new(w).unwrap();
    case.machine.latency = Latency::new(l).unwrap();
    case
}

/// Shipped listings that are affine: bounds hold for sizes of every kind, and lie within a factor of
/// each other that is 8 at most in the median.
#[test]
fn derived_bounds_hold_for_shipped_listings() {
    let listings = [
        "umm_opt",
        "umm_opt dmm",
        "umm_opt async",
        "sum",
        "sum dmm",
        "sum async",
        "transpose",
        "transpose dmm",
        "matrix_multiply",
        "matrix_multiply dmm",
        "prefix_sums_parallel",
        "prefix_sums_parallel async",
        "sequential_access",
        "opt_tb_sliding",
        "opt_tb_naive",
        "opt_bb_naive",
        "opt_bb_mirroring",
        "dp_opt",
        "opt row",
        "opt column",
        "opt row dmm",
        "prefix_sums row",
        "prefix_sums column",
        "prefix_sums column dmm",
        "permute",
    ];
    let medians: Vec<f64> = listings
        .par_iter()
        .map(|listing| {
            let case = case(listing);
            let bounded = case.derive(&|_| false);
            let mut ratios = vec![];
            for n in [1, 2, 5, 40] {
                for p in [1, 64, 100_000] {
                    for w in [1, 32, 100] {
                        for l in [1, 100] {
                            ratios.extend(holds(&bounded, &on(&case, n, [p, w, l])));
                        }
                    }
                }
            }
            ratios.sort_by(f64::total_cmp);
            let median = ratios[ratios.len() / 2];
            println!("{listing}: {median:.2}");
            median
        })
        .collect();
    let mut sorted = medians;
    sorted.sort_by(f64::total_cmp);
    assert!(sorted[sorted.len() / 2] <= 8.0, "{sorted:?}");
}

/// Rows ask for one word each, neighbouring rows for neighbours: a warp may lie in two address groups.
#[test]
fn rows_of_equal_addresses_turn_inside_warps() {
    let text = "algorithm rows(n)\noutput b[n] : f32\n\nfor i ← 0 to n - 3 do in parallel\n  \
                for j ← 0 to n - i do in parallel\n    b[2 + i] ← 1\n";
    let case = Case::parse("rows", text).unwrap();
    let bounded = case.derive(&|_| true);
    for n in 3..20 {
        for machine in [[25, 3, 1], [7, 2, 5], [100, 32, 3]] {
            holds(&bounded, &on(&case, n, machine));
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(100))]

    /// Bounds that are derived from a random listing hold for all sizes.
    #[test]
    fn derived_bounds_hold_for_random_listings(
        seed: u64,
        runs in prop::collection::vec((1..14_i64, [1..40_u64, 1..20_u64, 1..30_u64]), 6),
        asynchronous: bool,
        dmm: bool,
    ) {
        let text = nests::listing(seed);
        let mut case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        case.mode = if asynchronous { Mode::Async } else { Mode::Sync };
        case.machine.kind = if dmm { MachineKind::Dmm } else { MachineKind::Umm };
        let bounded = case.derive(&|_| true);
        for (n, machine) in runs {
            holds(&bounded, &on(&case, n, machine));
        }
    }
}
