//! Races found while a program runs, with any number of threads, are those that a run with one
//! thread an iteration shows.

use memory_machine::diagnostic::Source;
use memory_machine::language;
use memory_machine::run::layout::Layout;
use memory_machine::run::memory::Memory;
use memory_machine::run::pram::Pram;
use memory_machine::run::race::Races;
use memory_machine::run::{Limits, execute};
use memory_machine::units::{Threads, Width};

/// Bodies of `for i ← 1 to 7 do in parallel`, and whether they race.
const BODIES: &[(&str, bool)] = &[
    ("a[i] ← a[i] + 1", false),
    ("a[i] ← a[i-1] + 1", true),
    ("a[i] ← a[i] + a[i-1]", true),
    ("b[0] ← 1", false),
    ("b[0] ← i", false),
    ("b[0] ← a[i]", false),
    // Iteration 1 reads what all others write, after it wrote it itself or before.
    ("b[1] ← a[i]\n  if i = 1 then r ← b[1]", true),
    ("a[1] ← a[i]", true),
    // In one step of the loop each writes its own, in the next its neighbour's.
    ("for k ← 0 to 1 do b[i+k] ← k", true),
    ("for k ← 0 to 1 do b[2×i+k] ← k", false),
    // Iteration 1 alone writes a word in the loop, and all after it.
    ("for k ← i to 1 do b[0] ← k\n  b[0] ← 9", true),
    // All write it in the same step, in whatever round they are.
    ("for k ← 0 to 2 do\n    if k = i mod 3 then b[k] ← 1", false),
    ("for k ← 0 to 2 do\n    if k = i mod 3 then b[0] ← 1", true),
    ("k ← 0\n  while k < i do k ← k + 1\n  b[0] ← 1", false),
    ("k ← 0\n  while k < i do\n    k ← k + 1\n    b[k] ← 1", false),
    ("k ← 0\n  while k < i do\n    k ← k + 1\n    b[i-k] ← 1", true),
];

#[test]
fn they_are_found_with_any_number_of_threads() {
    for &(body, races) in BODIES {
        let text = format!(
            "algorithm f(n)\ninout a[n] : i64\ninout b[n] : i64\n\n\
             for i ← 1 to 7 do in parallel\n  {body}\n"
        );
        let source = Source { name: "race.alg".to_owned(), text };
        let program = language::load(source).unwrap_or_else(|error| panic!("{error}"));
        let layout = Layout::new(&program, |_| Some(20), Width::new(1).unwrap(), None).unwrap();
        let mut memory = Memory::new(&layout).unwrap();
        for id in [0, 1].map(language::program::ArrayId) {
            memory.fill(&layout, id, 0, &[5; 20]);
        }
        for threads in [2, 3, 4, 7, u64::MAX] {
            let threads = Threads::new(threads).unwrap();
            let limits = Limits::new(threads, 100);
            let mut observers = (Pram::new(&program), Races::new(&program, &layout));
            execute(&program, &layout, &mut memory.clone(), limits, &mut observers).unwrap();
            let found = observers.1.finish().unwrap();
            assert_eq!(!found.is_empty(), races, "{body} {threads:?} {found:?}");
            if threads.get() == u64::MAX {
                assert_eq!(!observers.0.finish().1.is_empty(), races, "{body}");
            }
        }
    }
}
