//! What a listing requires of its inputs, and what a loop decreases: proofs use it, runs check it, and nothing is
//! charged for it.

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

const BUBBLE: &str = "\
algorithm bubble(n)
inout a[n] : i64

swapped ← 1
round ← 0
while swapped = 1 do
  decreases n - round
  swapped ← 0
  round ← round + 1
  for i ← 0 to n-2 do
    if a[i] > a[i+1] then
      a[i] ↔ a[i+1]
      swapped ← 1
";

/// Nothing in the text says that links lead backwards.
const LINKS: &str = "\
algorithm links(n)
input back[n] : i64
output far[n] : i64

for i ← 0 to n-1 do in parallel
  x ← i
  while x > 0 do
    decreases x
    x ← back[x] mod x
  far[i] ← x
";

pub(super) fn decreasing(name: &str) -> Option<String> {
    match name {
        "bubble" => Some(BUBBLE.to_owned()),
        "bubble_unsaid" => Some(BUBBLE.replace("  decreases n - round\n", "")),
        "links" => Some(LINKS.to_owned()),
        _ => None,
    }
}

#[test]
fn a_loop_runs_as_often_as_its_measure_lets_it() {
    let claims = [
        ("bubble", "n²·l", "", 'p'),
        ("bubble", "n·l", "", 'o'),
        ("bubble_unsaid", "n²·l", "", 'o'),
        ("links", "n² + n²·l/p + n·l", "", 'p'),
    ];
    get_their_verdicts(&claims, 1);
    for name in ["bubble", "links"] {
        let parsed =
            Case::parse(name, &decreasing(name).unwrap()).unwrap_or_else(|it| panic!("{it}"));
        let bounded = parsed.derive(&|_| true);
        assert!(bounded.derived.missing.is_empty(), "{name}");
        for (n, machine) in [(2, [4, 2, 7]), (9, [8, 4, 5]), (40, [64, 4, 9])] {
            holds(&bounded, &on(&parsed, n, machine));
        }
    }
}

#[test]
fn a_run_checks_that_it_falls() {
    let said = "decreases n - round";
    let [slow, below] =
        ["decreases n", "decreases n - 9 - round"].map(|it| BUBBLE.replace(said, it));
    let links = LINKS.replace("mod x", "mod (x + 1)");
    let unsaid = decreasing("bubble_unsaid").unwrap();
    let files = folder(&[
        ("bubble.alg", BUBBLE),
        ("unsaid.alg", &unsaid),
        ("slow.alg", &slow),
        ("below.alg", &below),
        ("links.alg", &links),
    ]);
    let here = files.path();
    let message = exits(here, "run slow.alg --set n=12", 2);
    assert!(
        message.contains("what `decreases` is 12, and was 12 an iteration before"),
        "{message}"
    );
    assert!(message.contains("slow.alg:7:13"), "{message}");
    let message = exits(here, "run below.alg --set n=12", 2);
    assert!(message.contains("what `decreases` is -1 where an iteration begins"), "{message}");
    // By a thread for itself, with its iteration.
    let message = exits(here, "run links.alg --set n=12", 2);
    assert!(message.contains("links.alg:8:15") && message.contains("i = "), "{message}");
    for machine in ["-m umm", "-m work-span --cost both", "-m pram", "-m roofline"] {
        let [with, without] = ["bubble", "unsaid"]
            .map(|it| json(here, &format!("run {it}.alg --set n=12 {machine} --json")));
        assert_eq!(with, without, "{machine}");
    }
}

#[test]
fn it_is_a_whole_number_that_reads_nothing() {
    for (said, message) in [
        ("decreases a[0]", "what `decreases` reads no array"),
        ("decreases 0.5", "what `decreases` must be an integer"),
        ("decreases other", "other"),
        ("decreases n - round 1", "the end of the line"),
    ] {
        let text = BUBBLE.replace("decreases n - round", said);
        let error = Case::parse("bad.alg", &text).err().unwrap_or_else(|| panic!("{said}"));
        assert!(error.to_string().contains(message), "{said}: {error}");
    }
    let text = BUBBLE.replace("\nswapped ←", "\nprocedure decreases(x)\n  y ← x\n\nswapped ←");
    let error = Case::parse("bad.alg", &text).err().unwrap();
    assert!(error.to_string().contains("no procedure is called `decreases`"), "{error}");
    // Scalars may have the name.
    let text = BUBBLE.replace("round", "decreases").replace("  decreases n - decreases\n", "");
    Case::parse("fine.alg", &text).unwrap_or_else(|it| panic!("{it}"));
}
