//! Huge numbers: a right answer or an honest refusal, never a wrong number.

use memory_machine::count::{CountError, Counted, count};
use memory_machine::machine::MachineKind::{Dmm, Umm};
use memory_machine::machine::{Counts, Machine, Mode};
use memory_machine::run::Limits;
use memory_machine::run::layout::Layout;
use memory_machine::units::{Threads, TimeUnits};

use super::{agree, load};
use crate::machine::traces::machine_of;

/// A program on arrays `a` of 100 words and, for n > 0, `m` of n × n.
fn program(body: &str) -> String {
    format!("algorithm extreme(n = 100)\ninout a[100] : f32\ninout m[n, n] : f32\n\n{body}")
}

fn counted(
    body: &str,
    n: i64,
    machine: Machine,
    threads: u64,
) -> Result<(Counts, usize), CountError> {
    let program = load(&program(body));
    let layout = Layout::new(&program, |_| Some(n), machine.width, None).unwrap();
    let limits = Limits::new(Threads::new(threads).unwrap(), 1000);
    let Counted { counts, executed, .. } = count(&program, &layout, machine, Mode::Sync, limits)?;
    Ok((counts.into_iter().sum(), executed.len()))
}

fn refusal(body: &str, machine: Machine, threads: u64) -> String {
    counted(body, 100, machine, threads).unwrap_err().to_string()
}

/// Every thread number: rounds that cut warps, that do not, and a single one.
const THREADS: [u64; 5] = [1, 5, 8, 64, (1 << 48) - 1];

#[test]
fn an_address_that_returns_from_beyond_two_to_the_64_is_outside() {
    // The first and the last cell are 0, modulo 2⁶⁴.
    let body = "for j ← 0 to 8 do in parallel\n  a[2305843009213693952 × j] ← 1\n";
    for threads in THREADS {
        let refusal = refusal(body, machine_of(Umm, 4, 5), threads);
        assert!(refusal.contains("outside"), "p = {threads}: {refusal}");
    }
}

#[test]
fn more_iterations_than_fit_are_refused() {
    let most = "9000000000000000000";
    let body = format!("for j ← 0 - {most} to {most} do in parallel\n  a[0] ← 1\n");
    for threads in THREADS {
        let refusal = refusal(&body, machine_of(Umm, 4, 5), threads);
        assert!(refusal.contains("overflow"), "p = {threads}: {refusal}");
    }
    let body = "for j ← 0 - 9223372036854775807 - 1 to 9223372036854775807 do in parallel\n  \
                a[0] ← 1\n";
    assert!(refusal(body, machine_of(Umm, 4, 5), 8).contains("overflow"));
}

#[test]
fn more_time_than_128_bits_is_refused() {
    let body = "for i ← 1 to 9000000000000000000 do in parallel\n  \
                for j ← 1 to 9000000000000000000 do in parallel\n    a[0] ← 1\n";
    let refusal = refusal(body, machine_of(Umm, 1, 1 << 48), 1);
    assert!(refusal.contains("overflow"), "{refusal}");
    let (counts, _) = counted(body, 1, machine_of(Umm, 1, 1), 1).unwrap();
    assert_eq!(counts.time_units.0, 9_000_000_000_000_000_000 * 9_000_000_000_000_000_000);
}

#[test]
fn a_condition_that_wraps_is_executed() {
    // 2⁶¹ · 4 wraps to −2⁶³, which is less than 5.
    let condition = "2305843009213693952 × i < 5";
    for parallel in ["", " in parallel"] {
        let body = format!("for i ← 0 to 7 do{parallel}\n  if {condition} then\n    a[i] ← 1\n");
        let text = program(&body).replace("m[n, n]", "m[1, 1]");
        agree(&text, machine_of(Umm, 4, 5), Mode::Sync, 8, None);
    }
}

#[test]
fn a_step_below_one_is_the_error_that_it_is_in_a_run() {
    for body in [
        "for i ← 1 to 9 step n do in parallel\n  a[i] ← 1\n",
        "for i ← 1 to 9 do in parallel\n  for j ← i to 9 step n do in parallel\n    a[j] ← 1\n",
        "for i ← 1 to 9 do in parallel\n  for j ← 1 to i step n - i + i do\n    a[j] ← 1\n",
        "for i ← 1 to 9 do in parallel\n  for j ← 1 to i step 5 - i do\n    a[j] ← 1\n",
        "for i ← 1 to 9 do\n  for j ← 1 to i step n do\n    a[j] ← 1\n",
    ] {
        let text = program(body).replace("m[n, n]", "m[1, 1]");
        let program = load(&text);
        let machine = machine_of(Dmm, 4, 5);
        let layout = Layout::new(&program, |_| Some(0), machine.width, None).unwrap();
        let limits = Limits::new(Threads::new(8).unwrap(), 1000);
        let refusal = count(&program, &layout, machine, Mode::Sync, limits).unwrap_err();
        assert!(refusal.to_string().contains("the step is 0"), "{refusal}\n{text}");
    }
}

/// Found by hand: what runs is counted, and what fails is not.
#[test]
fn verdicts_are_those_of_a_run() {
    let machine = machine_of(Umm, 4, 5);
    for (body, runs) in [
        ("for i ← 0 to 3 do in parallel\n  x ← n mod i\n  a[i] ← 1\n", false),
        ("for i ← 1 to 3 do in parallel\n  x ← n mod i\n  a[i] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  if i ≠ 0 and n mod i = 0 then a[i] ← 1\n", true),
        ("for i ← 0 to 3 do\n  x ← n / i\n  a[i] ← 1\n", false),
        ("for i ← 0 to 3 do\n  if i > 0 then\n    x ← n / i\n  a[i] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  x ← i × 4611686018427387904 × 4\n  a[i] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  a[i × 4611686018427387904 × 4 + i] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  x ← 1 << (i - 1)\n  a[i] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  x ← i32(i × 2147483647)\n  a[i] ← 1\n", false),
        ("for i ← 0 to 3 do in parallel\n  x ← i32(i × 715827882)\n  a[i] ← 1\n", true),
        // The cell is inside, the index is not.
        ("for i ← 0 to 3 do in parallel\n  m[0, n + i] ← 1\n", false),
        ("for i ← 0 to n do\n  m[0, i] ← 1\n", false),
        ("s ← 0\nfor i ← 0 to 3 do\n  s ← s + i\n  a[i] ← 1\nx ← 10 / s\n", true),
        ("s ← 6\nfor i ← 0 to 3 do\n  s ← s - i\n  a[i] ← 1\nx ← 10 / s\n", false),
        ("for i ← 0 to 3 do\n  for j ← 0 to 3 step i do\n    x ← j\n  a[i] ← 1\n", false),
        ("for i ← 0 to 3 do\n  s ← 0\n  while s < 5 do s ← s × i\n  a[i] ← 1\n", false),
        // Floats do not compare as their bits do: a[n] is outside.
        ("f ← -0.5\ng ← -0.25\nfor i ← 0 to 3 do\n  if f < g then a[100] ← 1\n", false),
        ("f ← -0.5\ng ← -0.25\nfor i ← 0 to 3 do\n  if f > g then a[100] ← 1\n", true),
        // Memory decides: no failure is made up.
        ("x ← 1\ny ← i64(a[0]) mod 7\nx ← 10 / y\na[0] ← 1\n", true),
        ("y ← i64(a[0])\nwhile y < 5 do y ← y × 1 + 1\na[0] ← 1\n", true),
        ("y ← i64(a[0])\nfor i ← 0 to 8 step y do x ← i\na[0] ← 1\n", true),
        ("for i ← 0 to 3 do in parallel\n  y ← i64(a[i])\n  x ← 10 mod y\n  a[i] ← 1\n", true),
    ] {
        for threads in [1, 3, 8] {
            let found = counted(body, 50, machine, threads);
            assert_eq!(found.is_ok(), runs, "{found:?}\n{body}");
        }
    }
}

#[test]
fn a_loop_that_would_not_end_is_refused_where_it_is_executed() {
    let machine = machine_of(Umm, 4, 5);
    // Counted, it may be as long as it likes.
    let long = "for i ← 1 to 1000000000000 do\n  a[0] ← 1\n";
    let in_turn = "for i ← 1000000000000 downto 1 step 7 do\n  a[i mod 3] ← 1\n";
    let together =
        "for i ← 1 to 1000000000000 do in parallel\n  if i & 8 = 0 then a[i mod 3] ← 1\n";
    for (body, accesses) in
        [(long, 1_000_000_000_000), (in_turn, 142_857_142_858), (together, 500_000_000_000)]
    {
        let (counts, executed) = counted(body, 1, machine, 64).unwrap();
        assert_eq!((counts.accesses, executed), (accesses, 0));
    }
    for body in [
        "s ← 0\nfor i ← 1 to 1000000000000 do\n  s ← s + 1\na[s mod 2] ← 1\n",
        "for i ← 0 to 3 do in parallel\n  for j ← 1 to 1000000000000 do\n    a[i] ← 1\n",
        "for i ← 1 to 1000000000000 do\n  for j ← 0 to 3 do in parallel\n    a[j] ← 1\n",
        "for i ← 1000000000000 downto 1 step 7 do\n  a[i × i mod 3] ← 1\n",
    ] {
        let refusal = refusal(body, machine, 4);
        assert!(refusal.contains("this loop would run 1"), "{refusal}");
        assert!(refusal.contains("--while-limit"), "{refusal}");
    }
}

#[test]
fn three_billion_rows_in_closed_form() {
    let n = 3_000_000_000_u64; // a multiple of 32, as all its rows are then
    let cells = u128::from(n) * u128::from(n);
    let nest = |cell: &str| {
        format!(
            "for i ← 0 to n-1 do in parallel\n  for j ← 0 to n-1 do in parallel\n    m[{cell}] ← 1\n"
        )
    };
    for threads in [32, 1 << 40, (1 << 40) + 32, 1 << 48] {
        for (cell, kind, stages) in [
            ("i, j", Umm, cells / 32),
            ("i, j", Dmm, cells / 32),
            ("n-1-i, n-1-j", Umm, cells / 32),
            // All of a column in one bank, and each word in its own address group.
            ("j, i", Umm, cells),
            ("j, i", Dmm, cells),
            ("0, 0", Dmm, cells / 32),
        ] {
            let machine = machine_of(kind, 32, 400);
            let (counts, executed) =
                counted(&nest(cell), n.cast_signed(), machine, threads).unwrap();
            let rounds = cells.div_ceil(threads.into());
            let time_units = TimeUnits(stages + rounds * 399);
            let dispatches = cells / 32;
            let expected =
                Counts { accesses: cells, dispatches, stages, time_units, ..Counts::default() };
            assert_eq!((counts, executed), (expected, 0), "m[{cell}] {kind:?} p = {threads}");
        }
    }
}

#[test]
fn one_round_however_many_threads() {
    // p is no multiple of w, but one round is enough: as quick as with a multiple.
    let body =
        "for i ← 0 to n-1 do in parallel\n  for j ← i to n-1 do in parallel\n    m[i, j] ← 1\n";
    let machine = machine_of(Umm, 32, 7);
    let n = 2_000_000;
    let [many, odd] = [1 << 47, (1 << 47) + 1].map(|p| counted(body, n, machine, p).unwrap());
    assert_eq!(many, odd);
}

#[test]
fn warps_wider_than_the_run() {
    let body = "for i ← 0 to n-1 do in parallel\n  for j ← i to n-1 do in parallel\n    \
                m[i, j] ← m[j, i] + m[n-1-i, n-1-j]\n";
    // A single array: a second one would begin at address w.
    let text = program(body).replace("inout a[100] : f32\n", "");
    for kind in [Umm, Dmm] {
        for width in [99, 1 << 16, (1 << 16) + 1, 1 << 40, 1 << 48] {
            for threads in [width, width - 1, 64, 5000] {
                // An executing run has a register for each thread.
                if threads <= 1 << 17 {
                    let machine = machine_of(kind, width, 5);
                    let executed = agree(&text, machine, Mode::Sync, threads, None);
                    assert_eq!(executed, 0);
                }
            }
        }
    }
}

#[test]
fn loops_that_do_not_run_and_loops_that_run_backwards() {
    let nest = |outer: &str, inner: &str, cell: &str| {
        format!("for {outer} do in parallel\n  for {inner} do in parallel\n    m[{cell}] ← 1\n")
    };
    for (outer, inner) in [
        ("i ← 5 to 4", "j ← 0 to 9"),
        ("i ← 0 to 9", "j ← 5 to 4"),
        ("i ← 0 to 9", "j ← 5 to i"),
        ("i ← 0 to 99", "j ← 99 downto i"),
        ("i ← 99 downto 0", "j ← 0 to i"),
        ("i ← 99 downto 0", "j ← i downto 0"),
        ("i ← 99 downto 1 step 7", "j ← min(99, 2 × i) downto i"),
        ("i ← 99 downto 1 step 7", "j ← 99 downto i step 3"),
    ] {
        for cell in ["i, j", "j, i", "99 - i, j", "99 - j, 99 - i", "0, 99 - j"] {
            for (kind, threads) in [(Umm, 8), (Umm, 7), (Dmm, 400), (Dmm, 30_000), (Umm, 30_001)] {
                let text = program(&nest(outer, inner, cell));
                for latency in [1, 1 << 48] {
                    let machine = machine_of(kind, 4, latency);
                    for mode in [Mode::Sync, Mode::Async] {
                        assert_eq!(agree(&text, machine, mode, threads, None), 0);
                    }
                }
            }
        }
    }
}

#[test]
fn a_product_of_great_matrices_is_counted_without_its_iterations() {
    let listing = include_str!("../../kernels/linear-algebra/matrix_multiply.alg");
    let (n, p, [w, l]) = (1_u128 << 20, 1_u128 << 22, [32, 100]);
    let machine = machine_of(Umm, w, l);
    let program = load(listing);
    let layout =
        Layout::new(&program, |_| Some(n.try_into().unwrap()), machine.width, None).unwrap();
    let threads = Threads::new(p.try_into().unwrap()).unwrap();
    let limits = Limits::new(threads, 1 << 20);
    let Counted { counts, .. } = count(&program, &layout, machine, Mode::Sync, limits).unwrap();
    let counts: Counts = counts.into_iter().sum();
    // n times a word of `a` and an address group of `b` for each warp, and once one of `c`.
    let (steps, stages) = (2 * n + 1, n * n / u128::from(w) * (2 * n + 1));
    assert_eq!((counts.accesses, counts.stages), (n * n * steps, stages));
    assert_eq!(counts.time_units.0, stages + n * n / p * steps * u128::from(l - 1));
}
