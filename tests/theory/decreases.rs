//! What a loop `decreases`: proofs use it, runs check it, and nothing is charged for it.

use memory_machine::case::Case;

use super::claims::get_their_verdicts;
use super::derivation::{holds, on};
use crate::support::{exits, folder, json};

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

pub(super) fn text(name: &str) -> Option<String> {
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
        let parsed = Case::parse(name, &text(name).unwrap()).unwrap_or_else(|it| panic!("{it}"));
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
    let unsaid = text("bubble_unsaid").unwrap();
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
