//! `while` loops of which a measure falls, loops that are counted over an outer one, harmonic sums and
//! neighbours that lie w/C words apart: verdicts on textbook kinds, and bounds against runs.

use memory_machine::case::Case;
use memory_machine::theory::BoundKind;
use proptest::prelude::*;

use super::certificates::stated_holds;
use super::claims::{Claim, get_their_verdicts};
use super::derivation::{holds, on};

/// Of the listings of `kinds.txt`.
pub(super) const KINDS: &[Claim] = &[
    ("search", "Θ(l·log n)", "", 'p'),
    ("search", "l", "", 'r'),
    ("search_between", "l·log n", "", 'p'),
    ("search_each", "n·log n + n·log n·l/p + l·log n", "", 'p'),
    ("two_pointers", "Θ(n·l)", "", 'p'),
    ("two_pointers", "l·log n", "", 'r'),
    ("merge", "n·l", "", 'p'),
    ("merge", "l·log n", "", 'o'),
    ("window", "n·l", "", 'p'),
    ("window", "Ω(n·l)", "", 'p'),
    ("stack_scan", "n·l", "", 'p'),
    ("until_stable", "n²·l", "", 'p'),
    ("strides", "n·l/m + l", "", 'p'),
    ("halves_of_each", "n·l·log n", "", 'p'),
    ("sift_up", "n·l·log n", "", 'p'),
    ("sift_down", "n·l·log n", "", 'p'),
    ("shell", "n²·l·log n", "", 'p'),
    ("squares", "l·log n", "", 'p'),
    ("harmonic", "n·l·log n", "", 'p'),
    ("multiples", "n·log n + n·log n·l/p + n·l", "", 'p'),
    ("rows", "Ω(n²)", "w <= n", 'p'),
    ("rows", "Θ(n² + n²·l/p + n·l)", "w <= n", 'p'),
    ("diagonals", "Ω(n²)", "w <= n", 'p'),
    // A number that is kept and given back grows by more than it says.
    ("kept", "n·l", "", 'o'),
    // It falls on one path only.
    ("waits", "n·l", "", 'o'),
];

/// Likewise; certificates need a loop that is not empty.
const UNCERTIFIED: &[Claim] = &[
    ("sieve_of_two", "n·l·log n", "", 'p'),
    ("sieve_of_two", "n·l", "", 'o'),
    ("sieve_of_squares", "n·l·log n", "", 'p'),
    // By functions that linear programs find.
    ("partition", "n·l", "", 'p'),
    ("odometer", "n²·l", "", 'p'),
    ("odometer", "n·l", "", 'o'),
    ("there_and_back", "n·l", "", 'p'),
    ("two_sorted_sets", "n·l + m·l", "", 'p'),
    ("phases", "n·l", "", 'p'),
    ("kept", "n²·l", "", 'p'),
];

/// Listings that end for every input, in `kinds.txt`; the others may go on without end.
const ENDLESS: [&str; 1] = ["waits"];

pub(super) fn text(name: &str) -> Option<&'static str> {
    let all = include_str!("kinds.txt").split("== ").skip(1);
    all.filter_map(|it| it.split_once('\n')).find(|it| it.0 == name).map(|it| it.1)
}

#[test]
fn textbook_kinds_get_their_verdicts() {
    get_their_verdicts(KINDS, 1);
    get_their_verdicts(UNCERTIFIED, 1);
}

#[test]
fn bounds_of_textbook_kinds_hold() {
    let mut names: Vec<&str> = KINDS.iter().chain(UNCERTIFIED).map(|it| it.0).collect();
    names.dedup();
    for name in names.into_iter().filter(|it| !ENDLESS.contains(it)) {
        let case = Case::parse(name, text(name).unwrap()).unwrap_or_else(|it| panic!("{it}"));
        let bounded = case.derive(&|_| true);
        let mut ran = 0;
        for n in [1, 2, 3, 5, 8, 13, 32, 61] {
            for m in [1, 3, 40] {
                for machine in [[1, 1, 1], [8, 4, 5], [64, 32, 9], [5, 7, 1]] {
                    let mut case = on(&case, n, machine);
                    if text(name).unwrap().contains("(n, m") {
                        case = case.set("m", m);
                    }
                    ran += usize::from(case.time().is_ok());
                    holds(&bounded, &case);
                }
            }
        }
        assert!(ran > 0, "{name}");
    }
}

/// A loop on two numbers, with an assignment of each kind on each of two paths; its condition is one of
/// several. Some have no end: there is nothing to compare then.
fn two_numbers(picks: [usize; 7]) -> String {
    let updates = [
        "i ← i + 1",
        "j ← j - 1",
        "i ← i + 2",
        "j ← j - 3",
        "i ← (i + j) / 2",
        "j ← (i + j) / 2",
        "i ← (i + j) / 2 + 1",
        "i ← 2 × i",
        "i ← i × i",
        "j ← j / 2",
        "i ← i",
        "j ← i",
        "i ← j",
        "k ← k + 1",
        "j ← j - m",
        "i ← i + k",
    ];
    let conditions = [
        "i < j",
        "i + 1 < j",
        "i ≤ j and k < n",
        "j > 0",
        "i < n and j > 1",
        "i < n",
        "2 × i < j",
        "i < j and a[0] < 200",
    ];
    let starts = ["1", "2", "n", "0", "n - 1", "n / 2"];
    let pick = |of: &[&'static str], at: usize| of[at % of.len()];
    format!(
        "algorithm two(n, m)\ninput a[n] : i32\noutput b[3] : i32\n\ni ← {}\nj ← {}\nk ← 0\n\
         while {} do\n  if a[max(0, min(i, n-1))] < 40 then\n    {}\n    {}\n  else\n    {}\n    {}\n  \
         b[0] ← 1\nb[1] ← 1\nwhile k < n do\n  b[2] ← 1\n  k ← k + 1\nwhile i > 0 do\n  b[2] ← 1\n  \
         i ← i - 1\n",
        pick(&starts, picks[0]),
        pick(&["n", "n + m", "n × n", "3"], picks[1]),
        pick(&conditions, picks[2]),
        pick(&updates, picks[3]),
        pick(&updates, picks[4]),
        pick(&updates, picks[5]),
        pick(&updates, picks[6]),
    )
}

/// A loop inside another, which takes from what the other adds; what it kept may come back.
fn inner_and_outer(picks: [usize; 7]) -> String {
    let around = [
        "t ← t + 1",
        "t ← t + 2",
        "t ← 0",
        "z ← t",
        "t ← z",
        "t ← z + 1",
        "t ← t",
        "t ← 2 × t",
        "t ← t - 1",
        "z ← z + 1",
        "if a[i] < 30 then t ← t + 3",
        "if a[i] > 60 then t ← z",
    ];
    let inner = ["t ← t - 1", "t ← t - 2", "t ← t / 2", "z ← z + 1", "t ← min(t - 1, z)"];
    let conditions =
        ["t > 0", "t > 1 and a[i] < 50", "t > z", "z < i and a[i] < 70", "t + z > i", "z ≤ i"];
    let pick = |of: &[&'static str], at: usize| of[at % of.len()];
    format!(
        "algorithm both(n, m)\ninput a[n] : i32\noutput b[3] : i32\n\nt ← {}\nz ← 0\n\
         for i ← {} do\n  {}\n  while {} do\n    b[0] ← 1\n    {}\n  {}\n  {}\n",
        pick(&["0", "m", "n"], picks[0]),
        pick(&["0 to n-1", "n-1 downto 0", "1 to n-1 step 2"], picks[1]),
        pick(&around, picks[2]),
        pick(&conditions, picks[3]),
        pick(&inner, picks[4]),
        pick(&around, picks[5]),
        pick(&around, picks[6]),
    )
}

/// Loops that divide by a loop's number.
fn harmonic(picks: [usize; 7]) -> String {
    let pick = |of: &[&'static str], at: usize| of[at % of.len()];
    format!(
        "algorithm harmonic(n, m)\noutput b[9 × n × n + 9 × m + 99] : i32\n\n\
         for k ← 0 to {} do\n  for i ← {} do\n    for j ← {} do{}\n      b[{}] ← 1\n",
        pick(&["0", "m", "2"], picks[0]),
        pick(&["1 to n", "2 to n", "k + 1 to n", "n downto 1", "1 to n step 2"], picks[1]),
        pick(
            &[
                "1 to n / i",
                "i to n step i",
                "0 to (n - i) / i",
                "2 to (n + i) / i",
                "0 to n × n / i",
                "k to (n - i) / i"
            ],
            picks[2]
        ),
        pick(&["", " in parallel"], picks[3]),
        pick(&["j", "i + j", "2 × j", "n × i + j"], picks[4]),
    )
}

const STARTS: [&str; 6] = ["0", "n", "m", "n - m", "1", "n + m"];
const WHILES: [&str; 10] = [
    "i < n",
    "j > 0",
    "k < i",
    "i < j",
    "j > k and i < n",
    "k ≥ 1 and a[0] < 70",
    "i + j < n",
    "2 × k < j and j < 2 × n",
    "i ≠ j",
    "k > 0 - m",
];
const STEPS: [&str; 18] = [
    "i ← i + 1",
    "j ← j - 1",
    "k ← k - 1",
    "k ← k + 1",
    "i ← 0",
    "j ← i",
    "k ← n - i",
    "i ← i + k",
    "j ← j - m",
    "j ← 2 × j",
    "k ← k / 2",
    "i ← j",
    "k ← a[0]",
    "i ← i - 1",
    "j ← j + 1",
    "k ← j - i",
    "j ← n",
    "k ← 0 - k",
];

/// Three numbers that loops inside each other change.
fn nest_of_loops(picks: &[usize]) -> String {
    let mut picks = picks.iter().copied();
    let mut pick = |of: &[&'static str]| of[picks.next().unwrap_or(0) % of.len()];
    let mut text = "algorithm nest(n, m)\ninput a[n] : i32\noutput b[3] : i32\n\n".to_owned();
    for it in ["i", "j", "k"] {
        text += &format!("{it} ← {}\n", pick(&STARTS));
    }
    let head = pick(&["while", "while", "for t ← 1 to n do\n  while"]);
    let deep = if head.starts_with("for") { "    " } else { "  " };
    text += &format!("{head} {} do\n{deep}b[0] ← 1\n{deep}{}\n", pick(&WHILES), pick(&STEPS));
    let inner = pick(&WHILES);
    text +=
        &format!("{deep}while {inner} do\n{deep}  b[1] ← 1\n{deep}  if {} then\n", pick(&WHILES));
    text += &format!("{deep}    {}\n{deep}    {}\n", pick(&STEPS), pick(&STEPS));
    text += &format!("{deep}  else\n{deep}    {}\n{deep}  {}\n", pick(&STEPS), pick(&STEPS));
    text + &format!("{deep}{}\n{deep}{}\n", pick(&STEPS), pick(&STEPS))
}

/// Rules between three places, as in an integer program.
fn rules(picks: &[usize]) -> String {
    let mut picks = picks.iter().copied();
    let mut pick = |of: &[&'static str]| of[picks.next().unwrap_or(0) % of.len()];
    let mut text =
        "algorithm rules(n, m)\ninput a[n] : i32\noutput b[3] : i32\n\nat ← 1\n".to_owned();
    for it in ["i", "j", "k"] {
        text += &format!("{it} ← {}\n", pick(&STARTS));
    }
    text += "while at > 0 do\n  b[0] ← 1\n";
    for place in 1..=3 {
        text += if place == 1 { "  if at = 1 then\n" } else { "" };
        text += if place == 2 { "  else if at = 2 then\n" } else { "" };
        text += if place == 3 { "  else\n" } else { "" };
        let [to, other] = [pick(&["1", "2", "3", "0"]), pick(&["0", "0", "1", "2", "3"])];
        text += &format!(
            "    if {} then\n      {}\n      {}\n",
            pick(&WHILES),
            pick(&STEPS),
            pick(&STEPS)
        );
        text += &format!("      at ← {to}\n    else\n      {}\n      at ← {other}\n", pick(&STEPS));
    }
    text
}

proptest! {
    #![proptest_config(crate::cases(200))]

    /// Of loops that do not end, nothing may be said that ends.
    #[test]
    fn bounds_of_random_transitions_hold(
        picks in prop::collection::vec(0..180_usize, 24),
        is_nest: bool,
        runs in prop::collection::vec((1..12_i64, 1..5_i64, 1..3_u64), 4),
    ) {
        let text = if is_nest { nest_of_loops(&picks) } else { rules(&picks) };
        let case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        let bounded = case.derive(&|_| true);
        for (n, m, l) in runs {
            let mut case = on(&case, n, [1, 4, l]).set("m", m);
            case.while_iterations = 3000;
            if holds(&bounded, &case).is_none() && case.time().is_err() {
                let bounds = bounded.at(&case, &case.layout().unwrap());
                let upper = bounds.iter().find(|it| it.kind == BoundKind::Upper);
                let why = case.time().map(|_| ()).unwrap_err().to_string();
                let is_endless = why.contains("iterat");
                assert!(!is_endless || upper.is_none_or(|it| it.value >= 3000), "{why}: {upper:?}\n{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(150))]

    #[test]
    fn bounds_of_random_measures_hold(
        picks: [u8; 7],
        which in 0..3_usize,
        runs in prop::collection::vec((1..24_i64, 1..6_i64, [1..9_u64, 1..9_u64, 1..9_u64]), 4),
    ) {
        let picks = picks.map(usize::from);
        let text = match which {
            0 => two_numbers(picks),
            1 => inner_and_outer(picks),
            _ => harmonic(picks),
        };
        let case = Case::parse("random", &text).unwrap_or_else(|it| panic!("{it}\n{text}"));
        let bounded = case.derive(&|_| true);
        // There is none of some.
        let certificate = case.certify_bounds().ok();
        for (n, m, machine) in runs {
            let mut case = on(&case, n, machine).set("m", m);
            case.while_iterations = 3000;
            holds(&bounded, &case);
            if let Some(certificate) = &certificate {
                stated_holds(certificate, &case, &[("n", n), ("m", m)]);
            }
        }
    }
}

/// The loop around falls, and with it what the inner one may still take: it begins at its largest.
#[test]
fn an_outer_loop_that_falls_begins_at_its_end() {
    let text = inner_and_outer([0, 19, 64, 153, 218, 41, 201]);
    assert!(text.contains("downto") && text.contains("while z < i"), "{text}");
    let case = Case::parse("falls", &text).unwrap();
    let bounded = case.derive(&|_| true);
    for n in 1..9 {
        holds(&bounded, &on(&case, n, [1, 1, 1]).set("m", 1));
    }
}
