//! The loops of Algorithm UMM-OPT as printed, against the corrected listing that is shipped.

use memory_machine::algorithms::opt::{paper, reference};
use memory_machine::machine::MachineKind;
use memory_machine::run::memory::{encode, number};
use memory_machine::run::{Limits, NoopObserver, execute};
use memory_machine::units::Threads;

use super::{counts, edited, kernel, load, prepare, sequences};

const N: usize = paper::N;
const LIMITS: Limits = match Threads::new(1024) {
    Ok(threads) => Limits::new(threads, 100),
    Err(_) => unreachable!(),
};

/// Loop C up to `i = n − r − 1`.
fn printed() -> String {
    edited(&kernel("umm_opt"), &[("for i ← 1 to n-r do", "for i ← 1 to n-r-1 do")])
}

#[test]
fn printed_loop_c_leaves_b_without_the_value_that_loop_e_reads() {
    let program = load(&printed());
    let (layout, mut memory) = prepare(&program, N as i64, 4, None);
    let error = execute(&program, &layout, &mut memory, LIMITS, &mut NoopObserver).unwrap_err();
    assert_eq!(error.diagnostic.message, "b[7] is read but was never written");
    assert_eq!(
        program.source.line_text(error.diagnostic.span),
        "M[i, j] ← min(M[i, j], M[i, j-r] + b[j-r+1])"
    );
}

/// The table that a listing computes for the papers' 8-gon, `b` being all 0 at first.
fn table_with_b_cleared(text: &str) -> Vec<f32> {
    let text = edited(text, &[("work b[n]", "inout b[n]")]);
    let program = load(&text);
    let (layout, mut memory) = prepare(&program, N as i64, 4, None);
    let b = program.array_named("b").unwrap();
    memory.fill(&layout, b, 0, &encode(program.arrays[b.0].element, &[0.0; N]).unwrap());
    execute(&program, &layout, &mut memory, LIMITS, &mut NoopObserver).unwrap();
    let m = program.array_named("M").unwrap();
    let values = memory.values(&layout, m, 0);
    let element = program.arrays[m.0].element;
    values.into_iter().map(|bits| bits.map_or(0.0, |bits| number(element, bits) as f32)).collect()
}

#[test]
fn printed_loop_c_computes_a_wrong_table() {
    let right = reference::table(N, paper::weights().as_slice());
    assert_eq!(right, paper::TABLE.concat());
    assert_eq!(table_with_b_cleared(&kernel("umm_opt")), right);
    let wrong = table_with_b_cleared(&printed());
    // In stage 2, b[6] still holds M[6, 6] = 0 instead of M[6, 7] = 1.
    let at = |table: &[f32], i: usize, j: usize| table[i * N + j];
    assert_eq!((at(&wrong, 5, 7), at(&right, 5, 7)), (3.0, 4.0));
}

#[test]
fn diagonal_r_minus_1_has_n_minus_r_cells() {
    for n in 4..20 {
        let read = sequences(&kernel("umm_opt"), n);
        let copies = read.iter().filter(|it| it.phase == "C" && it.site == "M[i, i+r-1]");
        for (r, copy) in (1..).zip(copies) {
            let diagonal = (1..n).filter(|i| i + r - 1 < n).count();
            assert_eq!((copy.addresses.len(), diagonal), ((n - r) as usize, (n - r) as usize));
        }
    }
}

#[test]
fn stage_r_updates_diagonals_up_to_2r_minus_1() {
    for n in 4..20_usize {
        let all = sequences(&kernel("umm_opt"), n as i64);
        let writes = all.iter().filter(|it| it.phase == "D" && it.site == "M");
        for (r, write) in (1..).zip(writes) {
            let first = all[0].addresses[0] as usize - (n + 2);
            let diagonal = |address: &u64| {
                let cell = *address as usize - first;
                cell % n - cell / n
            };
            let last = write.addresses.iter().map(diagonal).max();
            assert_eq!(last, Some((n - 2).min(2 * r - 1)), "n = {n}, r = {r}");
        }
    }
}

/// Time units of phases A and B.
fn time_of_a_and_b(text: &str, n: i64, machine: (u64, u64, u64)) -> [u128; 2] {
    let counts = counts(text, n, MachineKind::Umm, machine, None);
    ["A", "B"].map(|name| counts.iter().find(|(it, _)| it == name).unwrap().1.time_units.0)
}

#[test]
fn loops_a_and_b_are_sequential_accesses_only_in_parallel() {
    let shipped = kernel("umm_opt");
    let as_printed = edited(
        &shipped,
        &[
            ("for j ← i+1 to n-1 do in parallel", "for j ← i+1 to n-1 do"),
            ("for i ← 1 to n-1 do in parallel", "for i ← 1 to n-1 do"),
        ],
    );
    let n = 33;
    let all = sequences(&as_printed, n);
    // Loop A: n − 2 steps, in each of which neighbours lie n + 1 words apart.
    let a: Vec<_> = all.iter().filter(|it| it.phase == "A").collect();
    assert_eq!(a.len() as i64, n - 2);
    assert!(a.iter().all(|step| step.fragmentation() + 1 == step.addresses.len()));
    // Table I: one access, with n − 3 gaps.
    let all = sequences(&shipped, n);
    let a: Vec<_> = all.iter().filter(|it| it.phase == "A").collect();
    assert_eq!((a.len(), a[0].fragmentation() as i64), (1, n - 3));

    let (w, l, p) = (8, 50, 2048);
    let [_, b] = time_of_a_and_b(&as_printed, n, (w, l, p));
    assert_eq!(b, (n as u128 - 1) * u128::from(l), "Loop B, one write after another");
    let [_, b] = time_of_a_and_b(&shipped, n, (w, l, p));
    assert_eq!(b, n as u128 - 1 + u128::from(l) - 1, "Loop B in parallel");
}
