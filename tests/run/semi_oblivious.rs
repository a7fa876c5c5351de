//! What is called oblivious or semi-oblivious is: in each step of a bulk run, all threads that access
//! do so at the same cell.

use memory_machine::case::Case;
use memory_machine::language::oblivious::{Obliviousness, obliviousness};
use memory_machine::language::program::Nest;
use memory_machine::run::layout::Arrangement;
use memory_machine::run::{Accesses, Observer};
use proptest::prelude::*;

use super::generate;

/// Whether threads ever accessed different cells in a step, and whether one was skipped.
#[derive(Default)]
struct Steps {
    differ: bool,
    skipped: bool,
    steps: u128,
}

const INPUTS: u64 = 8;

impl Observer for Steps {
    fn access(&mut self, it: &Accesses<'_>) {
        // Column-wise, cell a of input j lies at base + a·p + j.
        let mut cells = vec![];
        it.active.for_each(|lane| cells.push(it.addresses[lane] - lane as u64));
        self.differ |= cells.iter().any(|&it| it != cells[0]);
        self.skipped |= cells.len() < INPUTS as usize;
        self.steps += 1;
    }

    fn enter_nest(&mut self, _: &Nest) {}
    fn leave_nest(&mut self, _: &Nest, _: &[(&str, &[u64])]) {}
}

fn steps(text: &str) -> Option<(Steps, Case)> {
    let case = Case::parse("mine.alg", text).unwrap().set("n", 4);
    let has_m = case.program.parameters.iter().any(|it| it.name == "m");
    let case = if has_m { case.set("m", 3) } else { case };
    let case = case.threads(INPUTS).unwrap().bulk(Arrangement::ColumnWise);
    let case = Case { while_iterations: 1000, ..case };
    let layout = case.layout().ok()?;
    let mut memory = case.memory(&layout).ok()?;
    let mut steps = Steps::default();
    // What was done before a mistake counts, too.
    let _ = case.execute(&layout, &mut memory, &mut steps);
    Some((steps, case))
}

fn verdict(text: &str) -> Obliviousness {
    obliviousness(&Case::parse("mine.alg", text).unwrap().program)
}

const HEAD: &str = "algorithm t(n)\ninput a[n] : i32\ninput b[n] : i32\noutput c[n+1, n+1] : i32\n\
                    inout d[n] : i32\n";

/// With a guard around accesses, and loops that end when data say so.
const SEMI: [&str; 9] = [
    // A longest common subsequence.
    "for i ← 0 to n do\n  c[i, 0] ← 0\n  c[0, i] ← 0\nfor i ← 1 to n do\n  for j ← 1 to n do\n    \
     if a[i-1] mod 2 = b[j-1] mod 2 then\n      c[i, j] ← c[i-1, j-1] + 1\n    else\n      \
     c[i, j] ← max(c[i-1, j], c[i, j-1])",
    // Sorting by exchanges.
    "for i ← 0 to n-2 do\n  for j ← 0 to n-2-i do\n    if d[j] > d[j+1] then\n      t ← d[j]\n      \
     d[j] ← d[j+1]\n      d[j+1] ← t",
    // Euclid on words of memory.
    "for i ← 0 to n-1 do\n  c[i, 0] ← a[i]\n  c[i, 1] ← b[i]\n  while c[i, 1] ≠ 0 do\n    \
     t ← c[i, 0] mod c[i, 1]\n    c[i, 0] ← c[i, 1]\n    c[i, 1] ← t",
    // A counter of a loop that ends by data.
    "k ← 0\nwhile k < n and a[k] > 20 do\n  d[k] ← 0\n  k ← k + 1",
    "for k ← 0 to a[0] mod n do d[k] ← 1",
    "if a[0] > 50 then\n  k ← 1\n  d[k] ← 2\nelse\n  k ← 2\n  d[k] ← 3",
    "s ← if a[0] > 50 then b[1] else b[2]\nd[0] ← s",
    "if a[0] > 50 and b[1] > 50 then d[0] ← 1",
    // Data decide which register is read.
    "register y[4] : i32\nfor g ← 0 to 3 do y[g] ← g\nif y[a[0] mod 4] > 1 then d[0] ← 1",
];

/// Addresses that depend on what data decided.
const NOT: [&str; 9] = [
    "k ← 0\nwhile k < n and a[k] > 20 do\n  k ← k + 1\nd[k mod n] ← 1",
    "k ← 1\nif a[0] > 50 then k ← 2\nd[k] ← 1",
    "for i ← 0 to 1 do\n  k ← 0\n  if a[i] > 50 then\n    k ← 1\n  d[k] ← 1",
    "for k ← a[0] mod 2 to 3 do d[k] ← 1",
    "for k ← 0 to 3 step a[0] mod 2 + 1 do d[k] ← 1",
    "k ← 0\nfor i ← 0 to a[0] mod 3 do k ← k + 1\nd[k] ← 1",
    "if a[0] > 50 then d[0] ← 1 else d[0] ← 2\nd[d[0]] ← 3",
    "k ← 0\nfor i ← 0 to 2 do\n  d[k] ← 1\n  if a[i] > 50 then\n    k ← k + 1",
    "register y[4] : i32\nfor g ← 0 to 3 do y[g] ← g\ny[a[0] mod 2] ← 6\nd[y[1] mod n] ← 1",
];

#[test]
fn guards_leave_addresses_alone() {
    for statements in SEMI {
        let text = format!("{HEAD}\n{statements}\n");
        assert!(matches!(verdict(&text), Obliviousness::Semi(_)), "{statements}");
        let (steps, case) = steps(&text).unwrap();
        assert!(!steps.differ && steps.skipped, "{statements}");
        // No step takes longer than that of all threads.
        let time = case.time().unwrap().total().time_units.0;
        let step = u128::from(INPUTS.div_ceil(32) + case.machine.latency.get() - 1);
        assert!(time <= step * steps.steps, "{statements}");
    }
    for statements in NOT {
        let text = format!("{HEAD}\n{statements}\n");
        assert!(matches!(verdict(&text), Obliviousness::Not(_)), "{statements}");
        assert!(steps(&text).unwrap().0.differ, "{statements}");
    }
}

#[test]
fn parallel_loops_of_unknown_length_are_not() {
    let text = format!("{HEAD}\nfor i ← 0 to a[0] mod n do in parallel\n  d[0] ← 1\n");
    assert!(matches!(verdict(&text), Obliviousness::Not(_)));
    let text = format!("{HEAD}\nfor i ← 0 to n-1 do in parallel\n  if a[i] > 1 then d[i] ← 1\n");
    assert!(matches!(verdict(&text), Obliviousness::Semi(_)));
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn verdicts_on_random_listings_hold(bytes in proptest::collection::vec(any::<u8>(), 40..300)) {
        let text = generate::listing(&bytes, false);
        let verdict = verdict(&text);
        if let Some((steps, _)) = steps(&text) {
            match verdict {
                Obliviousness::Oblivious => prop_assert!(!steps.differ && !steps.skipped, "{}", text),
                Obliviousness::Semi(_) => prop_assert!(!steps.differ, "{}", text),
                Obliviousness::Not(_) => {}
            }
        }
    }
}
