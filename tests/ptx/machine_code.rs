//! What machine code does otherwise than PTX, each by closed forms: fused instructions, registers,
//! scoreboards, units, branches.

use memory_machine::ptx::{self, Timing, parse};

use super::{Arrays, FAR, TIMING, alone, kernel, timed};

fn instructions(body: &str) -> f64 {
    timed(body, 1).instructions - timed("", 1).instructions
}

#[test]
fn several_instructions_are_one_of_machine_code() {
    let end = "st.global.u32 [%rd2], %r9;\n";
    let stores = instructions("st.global.u32 [%rd2], %r1;\n");
    let of = |body: &str| instructions(&(body.to_owned() + end)) - stores;
    // A sum of three, logic of three, a shift or a product with a sum.
    assert_eq!(of("add.s32 %r8, %r1, 5;\nadd.s32 %r9, %r8, %r1;\n"), 1.0);
    assert_eq!(of("and.b32 %r8, %r1, 5;\nxor.b32 %r9, %r8, %r1;\n"), 1.0);
    assert_eq!(of("shl.b32 %r8, %r1, 5;\nadd.s32 %r9, %r8, %r1;\n"), 1.0);
    let wide = "mul.wide.u32 %rd8, %r1, 12;\nadd.s64 %rd9, %rd8, %rd1;\n";
    let wide = instructions(&(wide.to_owned() + "st.global.u32 [%rd9], %r1;\n")) - stores;
    assert_eq!(wide, 1.0);
    // But not where the first is used again, and not a fourth.
    let again = "and.b32 %r8, %r1, 5;\nxor.b32 %r7, %r8, %r1;\nadd.s32 %r9, %r8, %r7;\n";
    assert_eq!(of(again), 3.0);
    let four = "and.b32 %r7, %r1, 5;\nxor.b32 %r8, %r7, %r1;\nor.b32 %r9, %r8, %r1;\n";
    assert_eq!(of(four), 2.0);
    // Conditions with a comparison.
    let both = "setp.lt.s32 %p1, %r1, 9;\nsetp.gt.s32 %p2, %r1, 2;\nand.pred %p3, %p1, %p2;\n\
                selp.b32 %r9, 1, 2, %p3;\n";
    assert_eq!(of(both), 3.0);
}

#[test]
fn halves_of_64_bits_that_are_known_cost_nothing() {
    let of = |body: &str| {
        let body = format!("shl.b64 %rd7, %rd2, 3;\n{body}st.global.u64 [%rd2], %rd8;\n");
        instructions(&body) - instructions("shl.b64 %rd7, %rd2, 3;\nst.global.u64 [%rd2], %rd7;\n")
    };
    assert_eq!(of("xor.b64 %rd8, %rd7, %rd2;\n"), 2.0);
    assert_eq!(of("and.b64 %rd8, %rd7, 15;\n"), 1.0);
    assert_eq!(of("and.b64 %rd8, %rd7, -512;\n"), 1.0);
    assert_eq!(of("and.b64 %rd8, %rd7, 4294967295;\n"), 0.0);
    assert_eq!(of("shr.u64 %rd8, %rd7, 32;\n"), 0.0);
    assert_eq!(of("shr.u64 %rd8, %rd7, 40;\n"), 1.0);
    assert_eq!(of("shr.s64 %rd8, %rd7, 40;\n"), 2.0);
    assert_eq!(of("shr.s64 %rd8, %rd7, 63;\n"), 1.0);
}

/// A funnel shift for each half; by 32 bits the halves change their names. Not where a part is used
/// again, nor where the parts are no rotation.
#[test]
fn rotations_of_64_bits_take_two_shifts_or_none() {
    let of = |body: &str| {
        let first = "add.s64 %rd7, %rd2, 1;\n";
        let body = format!("{first}{body}st.global.u64 [%rd2], %rd8;\n");
        instructions(&body) - instructions(&format!("{first}st.global.u64 [%rd2], %rd7;\n"))
    };
    let rotates = |left: u64, right: u64, put: &str| {
        let shifts = format!("shl.b64 %rd5, %rd7, {left};\nshr.b64 %rd6, %rd7, {right};\n");
        format!("{shifts}{put}.b64 %rd8, %rd5, %rd6;\n")
    };
    // As NVRTC has it: registers of braces are others than those of their names elsewhere.
    let braces = |it: &str| format!("{{\n.reg .b64 %rd5;\n.reg .b64 %rd6;\n{it}}}\n");
    let twice = [rotates(13, 51, "add"), rotates(32, 32, "add")].map(|it| braces(&it)).concat();
    assert_eq!(of(&twice), 2.0);
    for put in ["add", "or", "xor"] {
        assert_eq!(of(&rotates(13, 51, put)), 2.0, "{put}");
        assert_eq!(of(&rotates(32, 32, put)), 0.0, "{put}");
        assert!(of(&rotates(13, 50, put)) > 2.0, "{put}");
    }
    assert!(of(&format!("{}xor.b64 %rd8, %rd8, %rd5;\n", rotates(13, 51, "or"))) > 4.0);
}

/// Words of 32 bits of a warp's threads stand beside each other: one of 64 bits takes two address
/// groups, which go on to the last-level cache, and come back from the first one.
#[test]
fn what_threads_have_of_their_own_stands_thread_beside_thread() {
    let own = |body: &str| {
        let begin = ".local .align 8 .b8 own[64];\nmov.u64 %rd7, own;\n";
        let (with, without) = (timed(&format!("{begin}{body}"), 1), timed(begin, 1));
        let more = |of: fn(&ptx::Counts) -> f64| of(&with) - of(&without);
        [more(|it| it.stored_groups), more(|it| it.written_sectors), more(|it| it.groups_beyond)]
    };
    assert_eq!(own("st.local.u32 [%rd7], %r1;\n"), [1.0, 4.0, 0.0]);
    assert_eq!(own("st.local.u64 [%rd7+8], %rd2;\n"), [2.0, 8.0, 0.0]);
    let read = "st.local.u64 [%rd7+8], %rd2;\nld.local.u64 %rd8, [%rd7+8];\n\
                st.shared.u64 [%r2], %rd8;\n";
    assert_eq!(own(read), [2.0, 8.0, 0.0]);
}

/// Reads of different address groups, and then a sum of all that they read.
fn reads(count: u32) -> String {
    let read = |at: u32| format!("ld.global.nc.u32 %r{}, [%rd2+{}];\n", 10 + at, 4096 * at);
    let sum = |at: u32| format!("add.s32 %r1, %r1, %r{};\n", 10 + at);
    (0..count).map(read).chain((0..count).map(sum)).collect()
}

/// 30 of 32 registers hold values.
#[test]
fn registers_limit_what_is_under_way() {
    assert!(timed(&reads(20), 1).cycles < 1.5 * FAR);
    let forty = timed(&reads(40), 1).cycles;
    assert!(forty > 2.0 * FAR && forty < 4.0 * FAR, "{forty}");
}

/// Three reads take the boards; the fourth, though the first cache has it, is there with the third.
#[test]
fn who_waits_for_a_scoreboard_waits_for_all_its_reads() {
    let after = |far: u32| {
        let read = |at: u32| format!("ld.global.u32 %r{}, [%rd2+{}];\n", 20 + at, 4096 * (1 + at));
        let far: String = (0..far).map(read).collect();
        let uses = |at: u32| format!("st.shared.u32 [%r2], %r{};\n", 20 + at);
        let uses: String = (0..4).map(uses).collect();
        let chain = "mul.lo.s32 %r9, %r9, %r9;\n".repeat(100);
        let first = "ld.global.u32 %r8, [%rd2];\nst.shared.u32 [%r2], %r8;\nbar.sync 0;\n";
        let near = "bar.sync 0;\n";
        timed(&format!("{first}{far}ld.global.u32 %r9, [%rd2];\n{chain}{uses}{near}"), 1).cycles
    };
    let chain = 400.0;
    assert!(after(2) - after(0) < FAR, "{} {}", after(2), after(0));
    assert!(after(3) > FAR + FAR + chain, "{}", after(3));
}

/// Logic goes to half as many units as there are threads, sums to either half.
#[test]
fn units_take_two_cycles() {
    let apart = |operation: &str, count: u32| -> f64 {
        let one = |it: u32| format!("{operation} %r{}, %r1, {it};\n", 10 + it);
        timed(&(0..count).map(one).collect::<String>(), 1).cycles
    };
    assert_eq!(apart("add.s32", 30) - apart("add.s32", 20), 10.0);
    assert_eq!(apart("xor.b32", 30) - apart("xor.b32", 20), 20.0);
    assert_eq!(apart("mul.lo.s32", 30) - apart("mul.lo.s32", 20), 20.0);
}

/// A loop of one sum: 29.1 cycles a turn on an H200.
#[test]
fn a_loop_waits_for_its_decision_and_its_branch() {
    let turns = |count: u32| {
        let body = format!(
            "mov.u32 %r5, 0;\n$again:\nadd.s32 %r5, %r5, 1;\nsetp.lt.s32 %p1, %r5, {count};\n\
             @%p1 bra $again;\n"
        );
        timed(&body, 1).cycles
    };
    let [sum, comparison, decided, branch] =
        [TIMING.simple, TIMING.simple, 9.0, 1.0 + TIMING.branch];
    assert_eq!(turns(30) - turns(20), 10.0 * (sum + comparison + decided + branch));
}

/// What a multiprocessor had before is there sooner than what is new to it, beyond the first cache, too.
#[test]
fn what_was_there_before_comes_sooner() {
    let tiny = Timing { near_groups: 1e-3, ..TIMING };
    let cycles = |count: usize| {
        let read = "ld.global.u32 %r8, [%rd2];\nst.shared.u32 [%r2], %r8;\nbar.sync 0;\n\
                    ld.global.u32 %r9, [%rd2+4096];\nst.shared.u32 [%r2], %r9;\nbar.sync 0;\n";
        let module = parse(&kernel(&read.repeat(count))).unwrap();
        let mut arrays = Arrays(vec![vec![0; 1 << 16]]);
        ptx::run(&module, &module.kernels[0], alone(1, 1 << 20), &tiny, &mut arrays).unwrap().cycles
    };
    let [again, new] = TIMING.far;
    let (first, others) = (cycles(1), cycles(3) - cycles(2));
    assert!((first - others - 2.0 * (new - again)).abs() < 10.0, "{first} {others}");
}

/// Each further word of a bank of shared memory is there two cycles later.
#[test]
fn banks_of_shared_memory_serve_one_word_after_another() {
    let ways = |shift: u32| {
        let body = format!(
            "shl.b32 %r5, %r1, {shift};\nbar.sync 0;\nld.shared.u32 %r6, [%r5];\n\
             st.shared.u32 [%r2], %r6;\nbar.sync 0;\n"
        );
        timed(&body, 1).cycles
    };
    for (shift, more) in [(3, 1), (4, 3), (5, 7), (6, 15), (7, 31)] {
        assert_eq!(ways(shift) - ways(2), 2.0 * f64::from(more));
    }
}
