//! A block takes the time that its dependences say.

use memory_machine::ptx::{self, parse};

use super::{Arrays, FAR, TIMING, alone, kernel, timed};

#[test]
fn an_instruction_waits_for_what_it_reads() {
    let sums = |count: usize| {
        timed(&"add.s32 %r1, %r1, 1;\n".repeat(count), 1).cycles - timed("", 1).cycles
    };
    assert_eq!(sums(21) - sums(11), 10.0 * TIMING.simple);
    let apart = |count: u32| -> f64 {
        let sums = (0..count).map(|it| format!("add.s32 %r{}, %r1, 1;\n", 10 + it));
        timed(&sums.collect::<String>(), 1).cycles
    };
    // Each is begun a cycle after the one before.
    assert_eq!(apart(30) - apart(20), 10.0);
}

#[test]
fn reads_without_a_store_between_them_are_under_way_together() {
    let read = |at: u32| format!("ld.global.u32 %r{}, [%rd2+{}];\n", 10 + at, 4096 * at);
    let use_of = |at: u32| format!("add.s32 %r1, %r1, %r{};\n", 10 + at);
    let store = |at: u32| format!("st.global.u32 [%rd1+{}], %r1;\n", 4 * at);
    let alone = timed(&(read(0) + &use_of(0)), 1).cycles;
    let four: String = (0..4).map(|it| read(it) + &use_of(it)).collect();
    assert!(timed(&four, 1).cycles < alone + 0.2 * FAR);
    let stored: String = (0..4).map(|it| read(it) + &use_of(it) + &store(it)).collect();
    assert!(timed(&stored, 1).cycles > alone + 3.0 * FAR);
    // Unless nothing that is written can be meant.
    let ahead = stored.replace("ld.global", "ld.global.nc");
    assert!(timed(&ahead, 1).cycles < alone + 0.2 * FAR);
}

#[test]
fn caches_serve_what_was_read_before() {
    let twice = "ld.global.u32 %r8, [%rd2];\nadd.s64 %rd4, %rd2, 0;\nst.global.u32 [%rd1+8192], %r8;\n\
                 ld.global.u32 %r9, [%rd4];\nst.global.u32 [%rd1+8192], %r9;\n";
    let counts = timed(twice, 1);
    // 32 words of four bytes: an address group of four sectors, once.
    assert_eq!((counts.groups_beyond, counts.sectors_beyond), (1.0, 4.0));
    // All threads write one word of one sector, twice; the second does not find it gone.
    assert_eq!(counts.stored_groups, 2.0);
    assert_eq!(
        (counts.written_groups, counts.written_sectors, counts.written_parts),
        (1.0, 1.0, 1.0)
    );
}

/// As an H200 and an H100 do it: of a line that a read is under way to, a store leaves its own bytes.
#[test]
fn a_store_gives_up_the_line_that_is_awaited() {
    let start = "mul.wide.u32 %rd5, %r1, 128;\nadd.s64 %rd4, %rd1, %rd5;\n";
    let groups = |body: &[&str]| timed(&(start.to_owned() + &body.concat()), 1).groups_beyond;
    let (read, again) = ("ld.global.u32 %r8, [%rd4];\n", "ld.global.u32 %r9, [%rd4+8];\n");
    let wait = "add.s32 %r10, %r8, 1;\nadd.s32 %r11, %r10, 1;\n";
    let store = "st.global.u32 [%rd4+4], %r1;\n";
    assert_eq!(groups(&[read, wait, again]), 32.0);
    // What is stored is computed of what was read.
    let late = "st.global.u32 [%rd4+4], %r11;\n";
    assert_eq!(groups(&[read, wait, late, again]), 32.0);
    assert_eq!(groups(&[read, store, wait, again]), 64.0);
    // Of a line that is not there a store leaves its own bytes, too.
    assert_eq!(groups(&[store, "ld.global.u32 %r9, [%rd4+4];\n"]), 0.0);
    assert_eq!(groups(&[store, again]), 32.0);
}

/// As counted on an H200: 4 stores of 4 groups each are one of all their sectors; 8 of 8 are not.
#[test]
fn stores_that_fill_sectors_one_after_another_are_one() {
    let stores = |words: u32| {
        let one = |word: u32| format!("st.global.u32 [%rd4+{}], %r1;\n", 4 * word);
        let start = format!("mul.wide.u32 %rd5, %r1, {};\nadd.s64 %rd4, %rd1, %rd5;\n", 4 * words);
        timed(&(start + &(0..words).map(one).collect::<String>()), 1)
    };
    for words in [2, 4, 8, 16] {
        let counts = stores(words);
        let (groups, sectors) = (f64::from(words), f64::from(4 * words));
        assert_eq!(counts.stored_groups, groups * groups);
        let written = (counts.written_groups, counts.written_sectors, counts.written_parts);
        let each = f64::from(32.min(4 * words) * words);
        match words <= 4 {
            true => assert_eq!(written, (groups, sectors, 0.0)),
            false => assert_eq!(written, (groups * groups, each, each)),
        }
    }
}

/// What an access waits for, others of the same address group wait for, too.
#[test]
fn what_is_under_way_is_there_for_all_at_once() {
    let first = timed("ld.global.u32 %r9, [%rd2];\nadd.s32 %r1, %r1, %r9;\n", 1).cycles;
    let second = "ld.global.u32 %r8, [%rd2];\nld.global.u32 %r9, [%rd2];\nadd.s32 %r1, %r1, %r9;\n";
    let second = timed(second, 1).cycles;
    assert!((first..first + 2.0).contains(&second), "{first} {second}");
}

/// A warp that computes before it reads keeps none waiting that reads before.
#[test]
fn the_first_cache_serves_in_the_order_of_time() {
    let chain = "add.s32 %r8, %r8, 1;\n".repeat(300);
    let body = |first: &str| {
        format!(
            "setp.ge.s32 %p1, %r1, 32;\n@%p1 bra $other;\n{first}bra.uni $end;\n$other:\n\
             ld.global.u32 %r8, [%rd2];\n{chain}$end:\nadd.s32 %r7, %r7, 1;\n"
        )
    };
    let roots = "mov.f32 %f1, 0f40000000;\n".to_owned() + &"sqrt.rn.f32 %f1, %f1;\n".repeat(10);
    let busy = body(&(roots + "ld.global.u32 %r9, [%rd2+4096];\n"));
    let idle = timed(&body("add.s32 %r7, %r7, 1;\n"), 2).cycles;
    let busy = timed(&busy, 2).cycles;
    assert!((busy - idle).abs() <= 2.0, "{busy} {idle}");
}

/// A branch past a few instructions is none in machine code: reads behind it are begun before.
#[test]
fn short_branches_are_predicates() {
    let after = |passed: usize| -> f64 {
        let one = |at: u32| {
            let sums = "add.s32 %r1, %r1, 1;\n".repeat(passed);
            format!(
                "ld.global.u32 %r{r}, [%rd2+{place}];\nsetp.lt.s32 %p{r}, %r{r}, 5;\n\
                 @%p{r} bra $past{at};\n{sums}$past{at}:\n",
                r = 10 + at,
                place = 4096 * at
            )
        };
        timed(&(0..4).map(one).collect::<String>(), 1).cycles
    };
    assert!(after(1) < 1.5 * FAR, "{}", after(1));
    assert!(after(8) > 4.0 * FAR, "{}", after(8));
}

#[test]
fn threads_that_a_branch_parts_meet_again() {
    // As a predicate, and as a branch.
    for more in [1, 8] {
        let sums = "add.s32 %r3, %r3, 7;\n".repeat(more as usize);
        let body = format!(
            "and.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\nmov.u32 %r3, %r1;\n@%p1 bra $even;\n\
             {sums}$even:\nst.global.u32 [%rd2], %r3;\n"
        );
        let module = parse(&kernel(&body)).unwrap();
        let mut arrays = Arrays(vec![vec![0; 128]]);
        let run = alone(1, 100);
        let counts = ptx::run(&module, &module.kernels[0], run, &TIMING, &mut arrays).unwrap();
        let words = arrays.0[0].chunks_exact(4);
        let words: Vec<u32> = words.map(|it| u32::from_le_bytes(it.try_into().unwrap())).collect();
        let expected: Vec<u32> =
            (0..32).map(|it| if it % 2 == 0 { it } else { it + 7 * more }).collect();
        assert_eq!(words, expected);
        assert_eq!(counts.written_groups, 1.0);
    }
}

#[test]
fn barriers_are_waited_at_by_all_warps() {
    // A block whose first warp computes long, and whose others wait for it.
    let long = "add.s32 %r1, %r1, 1;\n".repeat(100);
    let body = format!("setp.ge.s32 %p1, %r1, 32;\n@%p1 bra $end;\n{long}$end:\nbar.sync 0;\n");
    let (one, four) = (timed(&body, 1).cycles, timed(&body, 4).cycles);
    assert_eq!(one + 3.0 * TIMING.barrier[1], four);
}

#[test]
fn what_is_not_understood_is_named() {
    let error = parse(&kernel("wgmma.fence.sync.aligned;\n")).unwrap_err();
    assert_eq!(error.line, 9);
    assert!(error.to_string().contains("`wgmma.fence.sync.aligned;` is not understood"), "{error}");
}

#[test]
fn endless_code_ends() {
    let module = parse(&kernel("$again:\nbra $again;\n")).unwrap();
    let run = alone(1, 1000);
    let mut arrays = Arrays(vec![]);
    let ended = ptx::run(&module, &module.kernels[0], run, &TIMING, &mut arrays);
    assert_eq!(ended, Err(ptx::RunError::TooLong(1000)));
}

#[test]
fn signs_are_copied() {
    let body = "mov.f64 %fd1, 0dC000000000000000;\nmov.f64 %fd2, 0d4008000000000000;\n\
                copysign.f64 %fd3, %fd1, %fd2;\nst.global.f64 [%rd1], %fd3;\n";
    let module = parse(&kernel(body)).unwrap();
    let mut arrays = Arrays(vec![vec![0; 8]]);
    ptx::run(&module, &module.kernels[0], alone(1, 100), &TIMING, &mut arrays).unwrap();
    assert_eq!(arrays.0[0], (-3.0_f64).to_le_bytes());
}
