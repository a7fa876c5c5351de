//! Compiled kernels executed by warps: they leave in memory what the listing does, and take the time
//! that their dependences say.

use memory_machine::case::Case;
use memory_machine::cuda::nvrtc::{Architecture, compile_ptx};
use memory_machine::emission::{self, LaunchGrid, Options};
use memory_machine::emission::{BULK_BLOCK, Launch};
use memory_machine::language::program::ArrayId;
use memory_machine::ptx::{self, Beyond, BlockRun, Counts, Memory, Timing, parse};
use memory_machine::run::Blind;
use memory_machine::run::layout::{Arrangement, Layout};
use memory_machine::run::memory::Memory as Words;

use crate::cuda::compile::nvrtc_is_here;

/// Where array 0 begins, and how far apart the next ones do.
const APART: u64 = 1 << 48;

/// Arrays as a device has them.
struct Arrays(Vec<Vec<u8>>);

impl Arrays {
    fn bytes(&mut self, address: u64, bytes: u64) -> &mut [u8] {
        let (array, place) = ((address / APART - 1) as usize, (address % APART) as usize);
        &mut self.0[array][place..place + bytes as usize]
    }
}

impl Memory for Arrays {
    fn load(&mut self, address: u64, bytes: u64) -> u64 {
        let mut value = [0; 8];
        value[..bytes as usize].copy_from_slice(self.bytes(address, bytes));
        u64::from_le_bytes(value)
    }

    fn store(&mut self, address: u64, bytes: u64, value: u64) {
        self.bytes(address, bytes).copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
    }
}

/// Latencies that tell levels apart.
const TIMING: Timing = Timing {
    simple: 4.0,
    f64: [8.0, 2.0],
    product64: 16.0,
    quotient: [100.0, 20.0],
    quotient64: [200.0, 40.0],
    f32_quotient: [50.0, 16.0],
    f64_quotient: [100.0, 20.0],
    f32_root: [50.0, 16.0],
    f64_root: [100.0, 20.0],
    branch: 8.0,
    near: 40.0,
    far: 300.0,
    memory: 600.0,
    shared: 30.0,
    barrier: 20.0,
    near_groups: 1000.0,
    beyond: Beyond::Part(0.0),
};

/// What array `number` holds, as bytes of a device; cells without value are zero.
fn bytes(case: &Case, layout: &Layout, number: usize, memory: &Words) -> Vec<u8> {
    let each = emission::bytes_of(case.program.arrays[number].element) as usize;
    let words = memory.words(layout, ArrayId(number));
    words.flat_map(|it| it.unwrap_or(0).to_le_bytes()[..each].to_vec()).collect()
}

/// Runs all blocks of the case's only launch on the compiled code, and the listing itself; both leave
/// the same in every array.
fn agree(case: &Case, prefetch: u32) {
    let program = &*case.program;
    let layout = case.layout().unwrap();
    let options = Options { bulk: case.bulk, launch: Launch::Plain, prefetch, standalone: false };
    let emission = emission::emit(program, options, &emission::sizes(&layout)).unwrap();
    let text = compile_ptx(&emission.source, Architecture(90)).unwrap();
    let text = String::from_utf8(text).unwrap();
    let module = parse(text.trim_end_matches('\0')).unwrap();
    assert_eq!(module.kernels.len(), 1, "{}", program.name);
    let mut memory = case.memory(&layout).unwrap();
    let count = program.global_arrays().count();
    let begin = |number| bytes(case, &layout, number, &memory);
    let mut arrays = Arrays((0..count).map(begin).collect());
    let parameters = layout.parameters.iter().zip(&emission.constants);
    let mut arguments: Vec<u64> = (1..=count as u64).map(|it| it * APART).collect();
    arguments.extend(parameters.filter(|it| it.1.is_none()).map(|it| it.0.cast_unsigned()));
    let emitted = &emission.kernels[0];
    let (blocks, threads) = match (case.bulk, emitted.grid) {
        (Some(_), _) => {
            arguments.push(case.threads.get());
            (case.threads.get().div_ceil(BULK_BLOCK.into()), BULK_BLOCK)
        }
        (None, LaunchGrid::Tiles(tile)) => (tile.blocks.into(), emitted.threads),
        (None, _) => (layout.parameters[0].cast_unsigned().pow(2) / 32 / 32, emitted.threads),
    };
    for block in 0..blocks {
        let run = BlockRun {
            blocks,
            threads: threads.into(),
            block,
            warps: u64::from(threads) / 32,
            arguments: &arguments,
            limit: 1 << 24,
        };
        ptx::run(&module, &module.kernels[0], run, &TIMING, &mut arrays).unwrap();
    }
    case.execute(&layout, &mut memory, &mut Blind).unwrap();
    for number in 0..count {
        let name = &program.arrays[number].name;
        let expected = bytes(case, &layout, number, &memory);
        assert!(arrays.0[number] == expected, "{}: {name} {:?}", program.name, case.bulk);
    }
}

/// Listings with their sizes: branches that part warps, quotients, roots, bits, recursion.
const SEQUENTIAL: [(&str, &[(&str, i64)]); 18] = [
    ("prefix_sums", &[("n", 37)]),
    ("opt", &[("n", 9)]),
    ("dp_opt", &[("n", 9)]),
    ("insertion_sort", &[("n", 13)]),
    ("bubble_sort", &[("n", 9)]),
    ("rc4", &[("n", 20)]),
    ("crc32", &[("n", 20)]),
    ("sha256", &[("n", 2)]),
    ("edit_distance", &[("n", 9)]),
    ("knapsack", &[("n", 7), ("c", 19)]),
    ("kmp", &[("n", 40), ("m", 3)]),
    ("shift_and", &[("n", 40), ("m", 3)]),
    ("lu_pivoted", &[("n", 7)]),
    ("thomas", &[("n", 12)]),
    ("fft_recursive", &[("k", 4)]),
    ("long_gcd", &[("n", 4)]),
    ("mersenne_twister", &[("n", 30)]),
    ("dijkstra", &[("n", 7)]),
];

#[test]
fn warps_compute_what_the_listing_does() {
    if !nvrtc_is_here() {
        return;
    }
    for (name, sizes) in SEQUENTIAL {
        for arrangement in [Arrangement::RowWise, Arrangement::ColumnWise] {
            // Two warps and a part of one; and a block of which a part is idle.
            for (inputs, prefetch) in [(72, 1), (40, 8)] {
                let case = Case::load(name).unwrap().bulk(arrangement).threads(inputs).unwrap();
                let case = sizes.iter().fold(case, |case, &(name, value)| case.set(name, value));
                agree(&case, prefetch);
            }
        }
    }
}

/// Blocks of several warps with shared memory and barriers, and threads in tiles.
#[test]
fn blocks_compute_what_the_listing_does() {
    if !nvrtc_is_here() {
        return;
    }
    for name in ["transpose_padded", "transpose_diagonal", "matrix_multiply_hmm", "matrix_multiply"]
    {
        let case = Case::load(name).unwrap().set("n", 64);
        agree(&case.threads(1 << 40).unwrap().with_dmms(), 1);
    }
}

/// A kernel around some instructions; `%rd1` is its array, from which each thread of a warp has a word
/// at `%rd2`.
fn kernel(body: &str) -> String {
    format!(
        ".visible .entry test(\n\t.param .u64 test_param_0\n)\n{{\n\
         ld.param.u64 %rd1, [test_param_0];\nmov.u32 %r1, %tid.x;\n\
         mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n{body}ret;\n}}\n"
    )
}

/// The only block of a launch.
fn alone(warps: u64, limit: u64) -> BlockRun<'static> {
    BlockRun { blocks: 1, threads: 32 * warps, block: 0, warps, arguments: &[APART], limit }
}

fn timed(body: &str, warps: u64) -> Counts {
    let module = parse(&kernel(body)).unwrap();
    let run = alone(warps, 1 << 20);
    let mut arrays = Arrays(vec![vec![0; 1 << 16]]);
    ptx::run(&module, &module.kernels[0], run, &TIMING, &mut arrays).unwrap()
}

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
    assert!(timed(&four, 1).cycles < alone + 0.2 * TIMING.far);
    let stored: String = (0..4).map(|it| read(it) + &use_of(it) + &store(it)).collect();
    assert!(timed(&stored, 1).cycles > alone + 3.0 * TIMING.far);
    // Unless nothing that is written can be meant: then one goes ahead.
    let ahead = stored.replace("ld.global", "ld.global.nc");
    let ahead = timed(&ahead, 1).cycles;
    assert!(ahead < alone + 2.0 * TIMING.far && ahead > alone + 0.5 * TIMING.far);
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
    assert_eq!(timed(&busy, 2).cycles, timed(&body("add.s32 %r7, %r7, 1;\n"), 2).cycles);
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
    assert!(after(1) < 1.5 * TIMING.far, "{}", after(1));
    assert!(after(8) > 4.0 * TIMING.far, "{}", after(8));
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
    assert_eq!(one, four);
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
