//! What a listing requires of its inputs: proofs use it, runs check it.

use memory_machine::case::{Case, Inputs};

use super::claims::get_their_verdicts;
use super::derivation::{holds, on};
use crate::support::{exits, folder, json, succeeds};

/// Rows of a sparse matrix: what all together have is required, so a loop over one is counted over all.
pub(super) const SPMV: &str = "\
algorithm spmv(n, m)
input row[n+1] : i32
input col[m] : i32
input a[m] : f32
input x[n] : f32
output y[n] : f32
requires sorted(row)
requires row[0] = 0
requires row[n] = m

for i ← 0 to n-1 do in parallel
  s ← 0
  for j ← row[i] to row[i+1] - 1 do
    s ← s + a[j] × x[col[j]]
  y[i] ← s
";

#[test]
fn rows_are_counted_all_together() {
    let claims = [
        ("spmv", "n/w + n·l/p + m·l + l", "", 'p'),
        ("spmv", "n/w + n·l/p + m + l", "", 'o'),
        ("spmv_in_turn", "n·l + m·l", "", 'p'),
        ("spmv_unsorted", "n·l + m·l", "", 'o'),
    ];
    get_their_verdicts(&claims, 1);
}

pub(super) fn text(name: &str) -> Option<String> {
    match name {
        "spmv" => Some(SPMV.to_owned()),
        "spmv_in_turn" => Some(SPMV.replace(" in parallel", "")),
        "spmv_unsorted" => {
            Some(SPMV.replace(" in parallel", "").replace("requires sorted(row)\n", ""))
        }
        _ => None,
    }
}

/// Also where one row has everything, and some have nothing.
#[test]
fn bounds_of_rows_hold() {
    for name in ["spmv", "spmv_in_turn"] {
        let parsed = Case::parse(name, &text(name).unwrap()).unwrap_or_else(|it| panic!("{it}"));
        let bounded = parsed.derive(&|_| true);
        for (rows, machine) in [
            (&[0, 0, 9][..], [4, 2, 7]),
            (&[0, 3, 3, 4, 8], [2, 4, 1]),
            (&[0, 40, 40, 40, 40, 41, 42, 43, 44], [8, 4, 5]),
            (&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [64, 4, 9]),
        ] {
            let (n, m) = (rows.len() as i64 - 1, *rows.last().unwrap());
            let lines = |all: &mut dyn Iterator<Item = i64>| -> String {
                all.map(|it| format!("{it}\n")).collect()
            };
            let files = folder(&[
                ("row.csv", &lines(&mut rows.iter().copied())),
                ("col.csv", &lines(&mut (0..m).map(|it| it * 7 % n))),
            ]);
            let given = ["row", "col"]
                .map(|it| (it.to_owned(), files.path().join(format!("{it}.csv")).into_os_string()));
            let mut case = on(&parsed, n, machine).set("m", m);
            case.inputs = Inputs::read(&case.program, &given, 1).unwrap();
            assert!(holds(&bounded, &case).is_some(), "{case} does not run");
        }
    }
}

#[test]
fn verdicts_say_what_is_required() {
    let few = "algorithm few(n, m)\ninout a[n] : i32\nrequires m ≤ n\n\nfor i ← 0 to m - 1 do\n  a[0] ← 1\n";
    let files = folder(&[("few.alg", few)]);
    let line = "complexity few.alg --bound n*l --where p<=n";
    let text = succeeds(files.path(), line);
    let first = "PROVED: O(n*l) where p ≤ n if `m ≤ n` holds, as line 3 requires\n";
    assert!(text.starts_with(first), "{text}");
    let report = json(files.path(), &*format!("{line} --json"));
    assert_eq!(report["premises"][0], "`m ≤ n` holds, as line 3 requires");
    assert_eq!(report["where"][0], "p ≤ n");
    // A certificate would state the opposite, since it knows nothing of what is required.
    let message = exits(files.path(), &*format!("{line} --certificate few.json"), 2);
    assert!(message.contains("no certificates that rest on `requires` yet"), "{message}");
    assert!(!files.path().join("few.json").exists());
}

#[test]
fn a_run_checks_what_is_required() {
    let files = folder(&[
        ("spmv.alg", SPMV),
        (
            "few.alg",
            "algorithm few(n, m)\noutput b[n] : i32\nrequires m ≤ n and n < 100\n\nb[0] ← m\n",
        ),
        ("right.csv", "0\n2\n2\n3\n"),
        ("down.csv", "0\n2\n1\n3\n"),
        ("short.csv", "0\n1\n1\n2\n"),
        ("col.csv", "0\n1\n2\n"),
    ]);
    let here = files.path();
    let run = "run spmv.alg --set n=3 --set m=3 --input col=col.csv --input row=";
    succeeds(here, &*format!("{run}right.csv"));
    let message = exits(here, &*format!("{run}down.csv"), 2);
    assert!(message.contains("spmv.alg:7:17"), "{message}");
    assert!(message.contains("cell 1 holds 2, and the next 1"), "{message}");
    let message = exits(here, &*format!("{run}short.csv"), 2);
    assert!(message.contains("spmv.alg:9:10"), "{message}");
    assert!(message.contains("left 2, right 3"), "{message}");
    // Sizes are known before anything is counted.
    succeeds(here, "run few.alg --set n=9 --set m=9");
    let message = exits(here, "run few.alg --set n=9 --set m=10 --time-only", 2);
    assert!(message.contains("left 10, right 9"), "{message}");
    assert!(message.contains("this is required, and does not hold"), "{message}");
}

#[test]
fn what_is_required_is_known_before_a_run() {
    for (clause, message) in [
        ("requires b[0] = 0", "what is required is known before a run"),
        ("requires sorted(b)", "`b` is no array that is given"),
        ("requires sorted(a, b)", "one array is sorted"),
        ("requires a[0] < 1", "what is required is of whole numbers"),
        ("requires n", "what is required must be bool, not"),
    ] {
        let text = format!(
            "algorithm bad(n)\ninput a[n] : f32\noutput b[n] : i32\n{clause}\n\nb[0] ← 1\n"
        );
        let error = Case::parse("bad.alg", &text).err().unwrap_or_else(|| panic!("{clause}"));
        assert!(error.to_string().contains(message), "{clause}: {error}");
    }
    // The printed form says the same.
    let program = Case::parse("spmv", SPMV).unwrap().program;
    let again = Case::parse("spmv", &program.listing.to_string()).unwrap().program;
    assert_eq!(again.listing.to_string(), program.listing.to_string());
    assert_eq!(again.requirements.len(), 3);
}
