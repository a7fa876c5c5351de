//! Procedures that call themselves, against the same computed by Rust.

use memory_machine::case::{Case, Verdict};
use memory_machine::diagnostic::{Diagnostic, Source};
use memory_machine::language;
use memory_machine::language::oblivious::{Origin, first_dependence};
use memory_machine::language::program::Program;
use memory_machine::run::NoopObserver;
use memory_machine::run::layout::LayoutError;

/// Cormen et al. 2009, 2.3.1, with sentinels as printed, and a work array for each half.
const MERGE_SORT: &str = "\
algorithm merge_sort(n)
inout A[n] : i64
work L[n + 1] : i64
work R[n + 1] : i64
ensures sorted(A)
ensures permutation(A, A)
constant infinite = 1 << 40

procedure merge(p, q, r)
  n1 ← q - p + 1
  n2 ← r - q
  for i ← 0 to n1 - 1 do
    L[i] ← A[p + i]
  for j ← 0 to n2 - 1 do
    R[j] ← A[q + 1 + j]
  L[n1] ← infinite
  R[n2] ← infinite
  x ← 0
  y ← 0
  for k ← p to r do
    if L[x] ≤ R[y] then
      A[k] ← L[x]
      x ← x + 1
    else
      A[k] ← R[y]
      y ← y + 1

procedure sort(p, r)
  if p < r then
    q ← ⌊(p + r) / 2⌋
    sort(p, q)
    sort(q + 1, r)
    merge(p, q, r)

sort(0, n - 1)
";

fn load(text: &str, n: Option<i64>) -> Result<Program, Diagnostic> {
    let source = Source { name: "t.alg".to_owned(), text: text.to_owned() };
    let program = language::load_for(source, |name| n.filter(|_| name == "n"));
    program.map_err(|it| it.diagnostic)
}

/// What the answer is, in an array that holds 1, 2, …
fn answer(text: &str, n: i64) -> f64 {
    let program = load(text, Some(n)).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let case = Case::new(program).set("n", n);
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let values: Vec<u64> = (1..=layout.regions[0].cells).collect();
    memory.fill(&layout, memory_machine::language::program::ArrayId(0), 0, &values);
    let bits = case.execute(&layout, &mut memory, &mut NoopObserver).unwrap();
    bits.unwrap().cast_signed() as f64
}

#[test]
fn a_merge_sort_sorts_as_the_book_prints_it() {
    for n in [1, 2, 3, 7, 16, 33] {
        let case = Case::new(load(MERGE_SORT, Some(n)).unwrap()).set("n", n);
        let layout = case.layout().unwrap();
        let mut memory = case.memory(&layout).unwrap();
        case.execute(&layout, &mut memory, &mut NoopObserver).unwrap();
        let verdict = case.verify(&layout, &memory).unwrap();
        assert!(matches!(verdict, Verdict::Right), "{n}: {verdict:?}");
    }
    // Of the values both merges depend.
    let program = load(MERGE_SORT, Some(8)).unwrap();
    assert!(first_dependence(&program, Origin::Inputs).is_some());
}

const HEAD: &str = "algorithm t(n)\ninout a[n] : i64\nanswer a[0]\n";

#[test]
fn extents_and_numbers_end_a_recursion() {
    let by_extents = "
procedure sum(x[m])
  if m = 1 then
    x[0] ← x[0]
  else
    h ← m / 2
    sum(x[0 .. h-1])
    sum(x[h .. m-1])
    x[0] ← x[0] + x[h]
sum(a)
";
    let by_numbers = "
procedure sum(low, high) → s
  if low = high then
    s ← a[low]
  else
    middle ← (low + high) / 2
    left ← sum(low, middle)
    right ← sum(middle + 1, high)
    s ← left + right
s ← sum(0, n - 1)
a[0] ← s
";
    // In each call a loop of its own, whose variable is no number: where a call begins moves with it.
    let in_loops = "
procedure sum(low, k)
  if k > 3 then
    h ← k / 3
    for i ← 0 to 2 do
      sum(low + i×h, h)
    for i ← 1 to 2 do
      a[low] ← a[low] + a[low + i×h]
    for i ← 3×h to k-1 do
      a[low] ← a[low] + a[low + i]
  else
    for i ← 1 to k-1 do
      a[low] ← a[low] + a[low + i]
sum(0, n)
";
    let by_one = "
procedure sum(k)
  if k > 0 and not (k > n-1) then
    a[0] ← a[0] + a[k]
    sum(k - 1)
sum(n - 1)
";
    for n in [1, 2, 3, 5, 12, 30] {
        for text in [by_extents, by_numbers, in_loops, by_one] {
            let found = answer(&format!("{HEAD}{text}"), n);
            assert_eq!(found, (n * (n + 1) / 2) as f64, "{n}{text}");
        }
    }
    let program = load(&format!("{HEAD}{by_numbers}"), Some(9)).unwrap();
    assert!(first_dependence(&program, Origin::Inputs).is_none());
}

/// n disks of Hanoi take 2ⁿ − 1 moves; Fibonacci's numbers are sums of so many ones.
#[test]
fn a_procedure_calls_itself_more_than_once() {
    let hanoi = "
procedure smaller(k) → r
  r ← k - 1
procedure move(disks, source, target, spare)
  if disks > 0 then
    others ← smaller(disks)
    move(others, source, spare, target)
    a[0] ← a[0] + (if source ≠ target then 1 else 1000)
    move(others, spare, target, source)
move(n, 1, 2, 3)
";
    assert_eq!(answer(&format!("{HEAD}{hanoi}"), 9), 512.0);
    let fibonacci = "
procedure fibonacci(k)
  if k ≤ 2 then
    a[0] ← a[0] + 1
  else
    fibonacci(k - 1)
    fibonacci(k - 2)
fibonacci(n)
";
    assert_eq!(answer(&format!("{HEAD}{fibonacci}"), 12), 145.0);
}

#[test]
fn what_never_ends_is_refused() {
    let refused = |text: &str, n| load(&format!("{HEAD}{text}"), n).unwrap_err();
    let undecided = "procedure p(k)\n  if a[k] > 3 then\n    p(k - 1)\np(n)\n";
    let error = refused(undecided, Some(5));
    assert_eq!(error.message, "`p` calls itself more than 32 times inside each other");
    assert!(error.help.as_ref().is_some_and(|it| it.contains("--set n=16")), "{error:?}");
    let by_size = "procedure p(k)\n  if k > 0 then\n    p(k - 1)\np(n)\n";
    assert!(load(&format!("{HEAD}{by_size}"), Some(32)).is_ok());
    assert_eq!(refused(by_size, None).message, error.message);
    assert_eq!(refused(by_size, Some(33)).message, error.message);
    // A scalar that changes is no size.
    let changes = "procedure p(k)\n  k ← k - 1\n  if k > 0 then\n    p(k)\np(n)\n";
    assert_eq!(refused(changes, Some(5)).message, error.message);
    let large = "procedure p(k)\n  if k > 0 then\n    p(k - 1)\n    p(k - 1)\n  a[0] ← k\np(n)\n";
    let error = refused(large, Some(30));
    assert_eq!(error.message, "`p` unfolds to more than 524288 expressions");
    // By way of each other every call counts but the first two.
    let mutual = "procedure p(k)\n  if k > 0 then q(k - 1)\nprocedure q(k)\n  if k > 0 then p(k - 1)\nq(n)\n";
    assert!(load(&format!("{HEAD}{mutual}"), Some(33)).is_ok());
    let error = refused(mutual, Some(34));
    assert_eq!(error.message, "`q` calls itself more than 32 times inside each other");
}

#[test]
fn procedures_call_each_other() {
    let parity = "
procedure even(k) → s
  if k = 0 then return 1
  s ← odd(k - 1)
procedure odd(k) → s
  if k = 0 then return 0
  s ← even(k - 1)
s ← even(n)
a[0] ← s
";
    for n in 1..9 {
        let expected = if n % 2 == 0 { 1.0 } else { 0.0 };
        assert_eq!(answer(&format!("{HEAD}{parity}"), n), expected, "{n}");
    }
}

/// A `return` whose condition is a number leaves out what follows, so that it ends a recursion.
#[test]
fn a_return_ends_a_recursion() {
    let sum = "
procedure sum(x[m]) → s
  if m = 1 then
    return x[0]
  l ← sum(x[0 .. m/2 - 1])
  r ← sum(x[m/2 .. m-1])
  return l + r
s ← sum(a)
a[0] ← s
";
    for n in 1..20 {
        assert_eq!(answer(&format!("{HEAD}{sum}"), n), (n * (n + 1) / 2) as f64, "{n}");
    }
}

/// A program that was unfolded for one size does not run with another.
#[test]
fn a_size_is_that_of_the_program() {
    let text =
        format!("{HEAD}procedure p(k)\n  if k > 0 then\n    p(k - 1)\n  a[k] ← k\np(n - 1)\n");
    let case = Case::new(load(&text, Some(4)).unwrap());
    assert_eq!(case.clone().set("n", 7).layout().unwrap().regions[0].cells, 7);
    let mut stale = case;
    stale.set.0.insert("n".to_owned(), 7);
    let error = stale.layout().unwrap_err().to_string();
    let wanted = LayoutError::Unfolded { parameter: "n".to_owned(), unfolded: 4, value: 7 };
    assert_eq!(error, wanted.to_string());
}
