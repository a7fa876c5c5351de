//! A block takes the time that its machine code and its accesses say.

use memory_machine::gpu::nvrtc::{Architecture, compile};
use memory_machine::sass::{self, ExecutionCounts, Module, RunError, Timing, parse};

use super::{Arrays, TIMING, alone};

/// Of what the multiprocessor did not have before.
const FAR: f64 = TIMING.l2[1];
/// Reads and writes that the compiler leaves where they are, and a chain of sums.
const HEAD: &str = "
__device__ unsigned rd(const unsigned *p) {
  unsigned x; asm volatile(\"ld.global.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(p)); return x;
}
__device__ void wr(unsigned *p, unsigned x) {
  asm volatile(\"st.global.u32 [%0], %1;\" :: \"l\"(p), \"r\"(x));
}
template <int N> __device__ unsigned chain(unsigned x) {
#pragma unroll
  for (int i = 0; i < N; i++) asm volatile(\"mul.lo.u32 %0, %0, %0;\" : \"+r\"(x));
  return x;
}
";

/// A kernel of an array `a`, of which each thread `t` has the word `p`.
fn kernel(body: &str) -> Module {
    let source = format!(
        "{HEAD}extern \"C\" __global__ void test(unsigned *a) {{
           unsigned t = threadIdx.x, *p = a + t; {body} }}"
    );
    parse(&compile(&source, Architecture(90)).unwrap()).unwrap()
}

pub fn timed_on(timing: &Timing, body: &str, warps: u64) -> (ExecutionCounts, Vec<u32>) {
    let module = kernel(body);
    let mut arrays = Arrays(vec![vec![0; 1 << 18]]);
    let run = alone(warps, 1 << 20);
    let counts = sass::run(&module, &module.kernels[0], run, timing, &mut arrays).unwrap();
    let words = arrays.0[0].chunks_exact(4);
    (counts, words.map(|it| u32::from_le_bytes(it.try_into().unwrap())).collect())
}

fn timed(body: &str, warps: u64) -> ExecutionCounts {
    timed_on(&TIMING, body, warps).0
}

#[test]
#[ignore = "needs NVRTC"]
fn an_instruction_waits_for_what_it_reads() {
    let products = |count: u32| timed(&format!("wr(p, chain<{count}>(t));"), 1).cycles;
    // As the compiler counts, a product is there after four cycles.
    assert!((products(60) - products(40) - 20.0 * 4.0).abs() < 1e-9);
}

#[test]
#[ignore = "needs NVRTC"]
fn reads_are_under_way_together_unless_one_needs_another() {
    let apart = "wr(a + 4096, rd(p) + rd(p + 1024) + rd(p + 2048) + rd(p + 3072));";
    let chained = "unsigned x = rd(p); x = rd(p + x + 1024); x = rd(p + x + 2048);
                   wr(a + 4096, rd(p + x + 3072));";
    let one = timed("wr(a + 4096, rd(p));", 1).cycles;
    assert!(timed(apart, 1).cycles < one + 0.2 * FAR);
    assert!(timed(chained, 1).cycles > one + 3.0 * FAR);
}

#[test]
#[ignore = "needs NVRTC"]
fn caches_serve_what_was_read_before() {
    let body = "unsigned x = rd(p), y = rd(p); wr(a + 2048, x); wr(a + 2051, y);";
    let counts = timed(body, 1);
    // 32 words of four bytes: an address group of four sectors, once.
    assert_eq!((counts.l2_groups, counts.l2_sectors), (1.0, 4.0));
    // All threads write two words of one sector; the second does not find the first gone.
    assert_eq!(counts.l1_stored_groups, 2.0);
    let written = (counts.written_groups, counts.written_sectors, counts.written_part_sectors);
    assert_eq!(written, (1.0, 1.0, 1.0));
}

/// As an H200 and an H100 do it: of a line that a read is under way to, a store leaves its own bytes.
#[test]
#[ignore = "needs NVRTC"]
fn a_store_gives_up_the_line_that_is_awaited() {
    let groups = |body: &str| {
        let body = format!("unsigned *q = a + 32 * t, x = 0, y = 0; {body} wr(a + 9999, x + y);");
        let none = timed("unsigned *q = a + 32 * t; wr(q + 2, 1);", 1).l2_groups;
        timed(&body, 1).l2_groups - none
    };
    assert_eq!(groups("x = rd(q); y = rd(q + 2 + x);"), 32.0);
    // What is stored is computed of what was read.
    assert_eq!(groups("x = rd(q); wr(q + 1, x); y = rd(q + 2 + x);"), 32.0);
    assert_eq!(groups("x = rd(q); wr(q + 1, t); y = rd(q + 2 + x);"), 64.0);
    // Of a line that is not there a store leaves its own bytes, too.
    assert_eq!(groups("wr(q + 1, t); y = rd(q + 1);"), 0.0);
    assert_eq!(groups("wr(q + 1, t); y = rd(q + 2);"), 32.0);
}

/// As counted on an H200: 4 stores of 4 groups each are one of all their sectors; 8 of 8 are not.
#[test]
#[ignore = "needs NVRTC"]
fn stores_that_fill_sectors_one_after_another_are_one() {
    for words in [2, 4, 8, 16] {
        let stores = (0..words).map(|it| format!("wr(a + {words} * t + {it}, t);"));
        let counts = timed(&stores.collect::<String>(), 1);
        let (groups, sectors) = (f64::from(words), f64::from(4 * words));
        assert_eq!(counts.l1_stored_groups, groups * groups);
        let written = (counts.written_groups, counts.written_sectors, counts.written_part_sectors);
        let each = f64::from(32.min(4 * words) * words);
        match words <= 4 {
            true => assert_eq!(written, (groups, sectors, 0.0)),
            false => assert_eq!(written, (groups * groups, each, each)),
        }
    }
}

/// What an access waits for, others of the same address group wait for, too.
#[test]
#[ignore = "needs NVRTC"]
fn what_is_under_way_is_there_for_all_at_once() {
    let first = timed("wr(a + 4096, rd(p));", 1).cycles;
    let second = timed("unsigned x = rd(p); wr(a + 4096, x + rd(p));", 1).cycles;
    assert!((first..first + 10.0).contains(&second), "{first} {second}");
}

/// What a multiprocessor had before is there sooner than what is new to it, beyond the first cache, too.
#[test]
#[ignore = "needs NVRTC"]
fn what_was_there_before_comes_sooner() {
    let tiny = Timing { l1_groups: 1e-3, ..TIMING };
    let cycles = |count: usize| {
        let read = "x = rd(p + x); x = rd(p + x + 1024);".repeat(count);
        timed_on(&tiny, &format!("unsigned x = 0; {read} wr(a, x);"), 1).0.cycles
    };
    let [again, new] = TIMING.l2;
    let (first, others) = (cycles(2) - cycles(1), cycles(4) - cycles(3));
    assert!((first - others).abs() < 10.0, "{first} {others}");
    assert!(cycles(1) - first > 2.0 * (new - again) - 10.0, "{} {first}", cycles(1));
}

/// Words of 32 bits of a warp's threads stand beside each other: one of 64 bits takes two address
/// groups, which go on to the last-level cache, and come back from the first one.
#[test]
#[ignore = "needs NVRTC"]
fn what_threads_have_of_their_own_stands_thread_beside_thread() {
    let body = |own: &str| format!("unsigned x = rd(p) & 15; {own} wr(p, x);");
    let own = "unsigned long long own[16]; for (int i = 0; i < 16; i++) own[i] = t + i;
               x = own[x];";
    let (with, without) = (timed(&body(own), 1), timed(&body(""), 1));
    assert_eq!(with.l2_groups, without.l2_groups);
    assert_eq!(with.l1_stored_groups - without.l1_stored_groups, 32.0);
    assert_eq!(with.written_sectors - without.written_sectors, 128.0);
    let (_, words) = timed_on(&TIMING, &body(own), 1);
    assert_eq!(words[..4], [0, 1, 2, 3]);
}

/// A warp that computes before it reads keeps none waiting that reads before.
#[test]
#[ignore = "needs NVRTC"]
fn the_first_cache_serves_in_the_order_of_time() {
    let body = |first: &str| format!("if (t < 32) {{ {first} }} else wr(p, chain<300>(rd(p)));");
    let busy = timed(&body("wr(p, rd(p + 1024 + chain<100>(0)));"), 2).cycles;
    let idle = timed(&body(""), 2).cycles;
    // A branch more.
    assert!((busy - idle).abs() <= 25.0, "{busy} {idle}");
}

#[test]
#[ignore = "needs NVRTC"]
fn threads_that_a_branch_parts_meet_again() {
    // In a loop that each thread leaves after as many turns as it says, and meets the others behind.
    let body = "unsigned x = t; for (unsigned i = 0; i < t % 5; i++) x = chain<2>(x) + rd(a + 64);
                wr(p, x + 1);";
    let (counts, words) = timed_on(&TIMING, body, 1);
    let turns = |t: u32| (0..t % 5).fold(t, |x, _| x.wrapping_pow(4)).wrapping_add(1);
    assert_eq!(words[..32], (0..32).map(turns).collect::<Vec<_>>());
    assert_eq!((counts.l1_stored_groups, counts.written_groups), (1.0, 1.0));
}

#[test]
#[ignore = "needs NVRTC"]
fn barriers_are_waited_at_by_all_warps() {
    // A block whose first warp computes long, and whose others wait for it.
    let body = "unsigned x = 0; if (t < 32) x = chain<100>(t); __syncthreads(); wr(p, x);";
    let (one, four) = (timed(body, 1).cycles, timed(body, 4).cycles);
    assert!((four - one - 3.0 * TIMING.barrier[1]).abs() < 20.0, "{one} {four}");
}

/// Each further word of a bank of shared memory is there two cycles later.
#[test]
#[ignore = "needs NVRTC"]
fn banks_of_shared_memory_serve_one_word_after_another() {
    let ways = |apart: u32| {
        let body = format!(
            "__shared__ unsigned s[1024]; for (int i = 0; i < 32; i++) s[t + 32 * i] = t;
             __syncthreads(); wr(p, s[t * (rd(p) + {apart})]);"
        );
        timed(&body, 1).cycles
    };
    for (apart, more) in [(2, 1), (4, 3), (8, 7), (16, 15), (32, 31)] {
        assert_eq!(ways(apart) - ways(1), 2.0 * f64::from(more));
    }
}

/// What decides on no branch and no address need not be computed: the same is counted.
#[test]
#[ignore = "needs NVRTC"]
fn results_that_decide_on_nothing_need_not_be_computed() {
    let counted = |body: &str, has_results: bool| {
        let module = kernel(body);
        let run = sass::BlockRun { has_results, ..alone(2, 1 << 20) };
        let mut arrays = Arrays(vec![vec![0; 1 << 18]]);
        let counts = sass::run(&module, &module.kernels[0], run, &TIMING, &mut arrays).unwrap();
        (module.kernels[0].depends_on_values(), counts, arrays.0[0].iter().any(|it| *it != 0))
    };
    // A register that held an address holds a value later.
    let blind = "unsigned x = 1; for (unsigned i = 0; i < 40; i++) x = x * 3 + rd(p + i * 64);
                 if (t % 3) wr(p, x);";
    let (depends, with, has_written) = counted(blind, true);
    assert!(!depends && has_written);
    assert_eq!(counted(blind, false), (false, with, false));
    assert!(counted("if (rd(p) == 0) wr(p, rd(p + 64));", false).0);
    assert!(counted("wr(p, rd(a + rd(p)));", false).0);
}

#[test]
#[ignore = "needs NVRTC"]
fn endless_code_ends() {
    let module = kernel("unsigned i = t; while (rd(p) == 0) i++; wr(p, i);");
    let mut arrays = Arrays(vec![vec![0; 1 << 18]]);
    let ended = sass::run(&module, &module.kernels[0], alone(1, 1000), &TIMING, &mut arrays);
    assert_eq!(ended, Err(RunError::TooLong(1000)));
}

#[test]
fn what_is_not_understood_is_named() {
    let error = parse(b"no cubin").unwrap_err();
    assert!(error.to_string().starts_with("no machine code: "), "{error}");
}

#[test]
#[ignore = "needs NVRTC"]
fn an_instruction_that_is_not_understood_is_named() {
    let source = "extern \"C\" __global__ void test(float *a) {
        asm volatile(\"nanosleep.u32 100;\"); }";
    let error = parse(&compile(source, Architecture(90)).unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("kernel `test`: instruction "), "{error}");
    assert!(error.contains("of its machine code is not understood: NANOSLEEP (0x"), "{error}");
}

/// Sums of products of bytes, signed or not, and of halves and bytes.
#[test]
#[ignore = "needs NVRTC"]
fn products_of_bytes_are_added() {
    let kinds = [
        ("__dp4a(x, y, z)", [false; 2], None),
        ("__dp4a((int)x, (int)y, (int)z)", [true; 2], None),
        ("__dp2a_lo(x, y, z)", [false; 2], Some(0)),
        ("__dp2a_lo((int)x, (int)y, (int)z)", [true; 2], Some(0)),
        ("__dp2a_hi((int)x, (int)y, (int)z)", [true; 2], Some(2)),
    ];
    let bytes = |word: u32, width: usize, is_signed: bool| {
        let part = move |at: usize| {
            let part = word >> (8 * width * at) & (0xffff >> (16 - 8 * width));
            let sign = u32::from(is_signed) << (8 * width);
            i64::from(part) - i64::from(if part & sign >> 1 != 0 { sign } else { 0 })
        };
        (0..4 / width).map(part).collect::<Vec<i64>>()
    };
    for (call, is_signed, first) in kinds {
        let body = format!(
            "unsigned x = 0x80ff7f01 + t * 0x01030507, y = 0xfe80017f - t * 0x03010709, z = t - 9;
             wr(p, {call});"
        );
        let (_, words) = timed_on(&TIMING, &body, 1);
        for t in 0..32_u32 {
            let x = 0x80ff_7f01_u32.wrapping_add(t.wrapping_mul(0x0103_0507));
            let y = 0xfe80_017f_u32.wrapping_sub(t.wrapping_mul(0x0301_0709));
            let a = bytes(x, if first.is_some() { 2 } else { 1 }, is_signed[0]);
            let b = bytes(y, 1, is_signed[1]);
            let products = a.iter().zip(&b[first.unwrap_or(0)..]).map(|(a, b)| a * b);
            let sum = t.wrapping_sub(9).wrapping_add(products.sum::<i64>() as u32);
            assert_eq!(words[t as usize], sum, "{call}, thread {t}");
        }
    }
}
