//! Compiled kernels executed by warps: they leave in memory what the listing does, and take the time
//! that their dependences say.

mod memory;
mod throughput;
mod timing;

use memory_machine::case::Case;
use memory_machine::codegen::{self, BULK_BLOCK, Emission, Launch, LaunchGrid, Options};
use memory_machine::gpu::nvrtc::{Architecture, compile};
use memory_machine::language::program::{ArrayId, LoopRange, ScalarId};
use memory_machine::run::layout::{Arrangement, Layout};
use memory_machine::run::memory::Memory as Words;
use memory_machine::run::{self, NoopObserver};
use memory_machine::sass::{
    self, BlockRun, DeviceMemory, ExecutionCounts, L2MissModel, Module, Timing, parse,
};

use crate::codegen::{all_shipped, emitted, emitted_for, ways};

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

impl DeviceMemory for Arrays {
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
    f64: 2.0,
    branch: 15.0,
    l1: 40.0,
    l2: [300.0, 350.0],
    dram: 600.0,
    shared: 30.0,
    barrier: [20.0, 2.0],
    l1_groups: 1000.0,
    l2_misses: L2MissModel::CACHED,
    warps: 1.0,
};

/// What array `number` holds, as bytes of a device; cells without value are zero.
fn bytes(case: &Case, layout: &Layout, number: usize, memory: &Words) -> Vec<u8> {
    let each = codegen::bytes_of(case.program.arrays[number].element) as usize;
    let words = memory.words(layout, ArrayId(number));
    words.flat_map(|it| it.unwrap_or(0).to_le_bytes()[..each].to_vec()).collect()
}

/// A case's kernels, and what they are launched with.
struct Compiled {
    module: Module,
    emission: Emission,
    arrays: Arrays,
    /// Of all kernels.
    arguments: Vec<u64>,
}

/// A launch of a kernel, with all its arguments.
struct Launched {
    kernel: usize,
    blocks: u64,
    threads: u64,
    arguments: Vec<u64>,
}

impl Compiled {
    fn of(case: &Case, layout: &Layout, memory: &Words, prefetch: u32) -> Self {
        let program = &*case.program;
        let options =
            Options { bulk: case.bulk, launch: Launch::Plain, prefetch, standalone: false };
        let emission = codegen::emit(program, options, &codegen::sizes(layout)).unwrap();
        let module = parse(&compile(&emission.source, Architecture(90)).unwrap()).unwrap();
        let count = program.global_arrays().count();
        let arrays = Arrays((0..count).map(|it| bytes(case, layout, it, memory)).collect());
        let parameters = layout.parameters.iter().zip(&emission.constants);
        let mut arguments: Vec<u64> = (1..=count as u64).map(|it| it * APART).collect();
        arguments.extend(parameters.filter(|it| it.1.is_none()).map(|it| it.0.cast_unsigned()));
        Self { module, emission, arrays, arguments }
    }

    fn launches(&self, case: &Case, layout: &Layout) -> Vec<Launched> {
        let with = |more: &[u64]| [&self.arguments, more].concat();
        if case.bulk.is_some() {
            let inputs = case.threads.get();
            let (threads, arguments) = (BULK_BLOCK.into(), with(&[inputs]));
            let blocks = inputs.div_ceil(threads);
            return vec![Launched { kernel: 0, blocks, threads, arguments }];
        }
        let mut found = vec![];
        let note = |ranges: &[LoopRange], scalars: &dyn Fn(ScalarId) -> i64| {
            let (kernel, emitted) = self.emission.of_loop(ranges[0].id).unwrap();
            let known = |it| Some(scalars(it));
            let iterations = codegen::iterations(ranges, &layout.parameters, &known).unwrap();
            let blocks = match emitted.grid {
                _ if iterations == 0 => 0,
                // However many they are, they do all.
                LaunchGrid::Threads(_) => 3,
                LaunchGrid::Tiles(tile) => tile.blocks.into(),
                _ => iterations,
            };
            let captured = emitted.captured.iter().map(|it| scalars(*it).cast_unsigned());
            let arguments = with(&captured.collect::<Vec<u64>>());
            found.push(Launched { kernel, blocks, threads: emitted.threads.into(), arguments });
            Ok(())
        };
        run::each_launch(&case.program, layout, case.limits(), note).unwrap();
        found
    }

    /// What a block does.
    fn run(&mut self, launched: &Launched, block: u64) -> ExecutionCounts {
        let name = &self.emission.kernels[launched.kernel].name;
        let kernel = self.module.kernels.iter().find(|it| it.name == *name).unwrap();
        let run = BlockRun {
            blocks: launched.blocks,
            threads: launched.threads,
            block,
            warps: launched.threads.div_ceil(32),
            arguments: &launched.arguments,
            launch: None,
            limit: 1 << 28,
            has_results: true,
        };
        sass::run(&self.module, kernel, run, &TIMING, &mut self.arrays).unwrap()
    }
}

/// Runs all launches of a case on the compiled code, and the listing itself; both leave the same in every
/// array.
fn agree(case: &Case, prefetch: u32) {
    let program = &*case.program;
    let layout = case.layout().unwrap();
    let mut memory = case.memory(&layout).unwrap();
    let mut compiled = Compiled::of(case, &layout, &memory, prefetch);
    for launched in compiled.launches(case, &layout) {
        (0..launched.blocks).for_each(|block| _ = compiled.run(&launched, block));
    }
    case.execute(&layout, &mut memory, &mut NoopObserver).unwrap();
    for (number, found) in compiled.arrays.0.iter().enumerate() {
        let name = &program.arrays[number].name;
        let expected = bytes(case, &layout, number, &memory);
        assert!(*found == expected, "{}: {name} {:?}", program.name, case.bulk);
    }
}

/// Listings with their sizes: branches that part warps, quotients, roots, bits, recursion.
const SEQUENTIAL: [(&str, &[(&str, i64)]); 21] = [
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
    // Constants beside an index; functions that threads come to from different places.
    ("smoothsort", &[("n", 20)]),
    ("context_tree_weighting", &[("n", 24)]),
    // Jumps by a table.
    ("q_learning", &[("n", 60)]),
];

#[test]
#[ignore = "needs NVRTC"]
fn warps_compute_what_the_listing_does() {
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

/// Blocks of several warps with shared memory and barriers, threads in tiles, and loops of a block that
/// begin where outer ones say.
#[test]
#[ignore = "needs NVRTC"]
fn blocks_compute_what_the_listing_does() {
    for (name, size) in [
        ("transpose_padded", ("n", 64)),
        ("transpose_diagonal", ("n", 64)),
        ("matrix_multiply_hmm", ("n", 64)),
        ("matrix_multiply", ("n", 64)),
        ("tabu_hmm", ("p", 3)),
        ("particle_swarm_hmm", ("p", 2)),
        ("contrastive_divergence_hmm", ("p", 2)),
        ("seidel_hmm", ("p", 2)),
    ] {
        let case = Case::load(name).unwrap().set(size.0, size.1);
        agree(&case.threads(1 << 40).unwrap().with_dmms(), 1);
    }
}

/// Parallel loops, a kernel each.
#[test]
#[ignore = "needs NVRTC"]
fn loops_compute_what_the_listing_does() {
    for (name, sizes) in [
        ("pollard_rho", &[("n", 200)][..]),
        ("goertzel", &[("n", 64), ("m", 30)]),
        ("hough", &[("n", 64), ("m", 30)]),
        ("black_scholes", &[("n", 100)]),
        ("gauss_legendre", &[("n", 64)]),
        ("keccak", &[("n", 40)]),
        ("nagel_schreckenberg", &[("n", 4096)]),
        ("simhash", &[("n", 64)]),
        ("three_alignment", &[("n", 9)]),
    ] {
        let case = Case::load(name).unwrap();
        let case = sizes.iter().fold(case, |case, &(name, value)| case.set(name, value));
        agree(&case.threads(1 << 40).unwrap(), 1);
    }
}

/// Of shipped listings, by turns for general sizes and for one.
#[test]
#[ignore = "needs NVRTC"]
fn machine_code_of_emitted_kernels_is_understood() {
    let mut not = vec![];
    for (turn, program) in all_shipped().enumerate() {
        let ways = ways(&program);
        let options = ways[turn % ways.len()];
        let emission = match turn % 2 {
            _ if options.launch == Launch::Cooperative => {
                codegen::emit_between_barriers(&program, &[]).unwrap()
            }
            0 => emitted(&program, options),
            _ => emitted_for(&program, options, 64),
        };
        let image = compile(&emission.source, Architecture(90)).unwrap();
        not.extend(parse(&image).err().map(|it| it.to_string()));
    }
    // ATOMS.POPC.INC beside a uniform register: where the register stands is not known, so it is refused.
    let counts =
        |it: &String| it.contains("count_keys_hmm") && it.contains("ATOMS.POPC.INC.32 (0x");
    // By MATCH compilers look for threads of a warp that parted; what it takes has not been measured.
    let matches = |it: &String| it.contains("_warps_") && it.contains("MATCH.ANY (0x");
    not.retain(|it| !counts(it) && !matches(it));
    assert!(not.is_empty(), "{not:#?}");
}

/// The only block of a launch.
fn alone(warps: u64, limit: u64) -> BlockRun<'static> {
    BlockRun {
        blocks: 1,
        threads: 32 * warps,
        block: 0,
        warps,
        arguments: &[APART],
        launch: None,
        limit,
        has_results: true,
    }
}

/// Measured listings that are not shipped, at their first sizes.
#[test]
#[ignore = "needs NVRTC, and takes minutes"]
fn all_measured_listings_compute_what_they_say() {
    // Its quotients of the smallest numbers are a bit off.
    const NOT: [&str; 1] = ["truncated_spike"];
    let mut looked = 0;
    for set in (3..=16).map(|it| format!("models/validation/held-out-{it}.toml")) {
        let table: toml::Table = std::fs::read_to_string(&set).unwrap().parse().unwrap();
        for it in crate::few(table["measure"].as_array().unwrap(), 8) {
            let name = it["algorithm"].as_str().unwrap();
            if NOT.iter().any(|it| name.contains(it)) {
                continue;
            }
            let first = |it: &toml::Value| match it {
                toml::Value::Integer(it) => *it,
                it => it.as_str().unwrap().split(',').next().unwrap().parse().unwrap(),
            };
            let case = Case::load(name).unwrap();
            let sizes = it["set"].as_table().unwrap();
            let case = sizes.iter().fold(case, |case, (name, it)| case.set(name, first(it)));
            let case = match it.get("bulk") {
                Some(_) => case.bulk(Arrangement::ColumnWise).threads(64).unwrap(),
                None => case.threads(1 << 40).unwrap().with_dmms(),
            };
            agree(&case, 1);
            looked += 1;
        }
    }
    assert!(looked > 50, "{looked}");
}
