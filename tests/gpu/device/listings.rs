//! On a GPU: every way to run a listing leaves, word by word, what a run on the CPU leaves.

use memory_machine::algorithms::catalogue::ON_DMMS;
use memory_machine::algorithms::random;
use memory_machine::codegen::Options;
use memory_machine::gpu::Gpu;
use memory_machine::gpu::execution::Kernels;
use memory_machine::language::program::Program;
use memory_machine::run::layout::{Bulk, Layout};
use memory_machine::run::memory::{self, Memory};
use memory_machine::run::{self, Limits, NoopObserver};
use memory_machine::units::{Threads, Width};

use super::gpu;
use crate::codegen::compile::EVERYTHING;
use crate::codegen::{self, listing, shipped};

/// As the listing has it, or with reads ahead, in turn: compiling takes longest here.
fn ways(program: &Program) -> Vec<Options> {
    let nests = program.first_parallel_loop().is_some();
    codegen::ways(program).into_iter().filter(|it| !nests || it.prefetch > 1).collect()
}

fn check(gpu: &Gpu, program: &Program, options: Options, set: &[i64], inputs: u64, seed: u64) {
    let what = format!("{} {set:?} p = {inputs} seed {seed} {options:?}", program.name);
    let bulk = options.bulk.map(|arrangement| Bulk { inputs, arrangement });
    let value = |name: &str| {
        let index = program.parameters.iter().position(|it| it.name == name)?;
        set.get(index).copied()
    };
    let layout = Layout::new(program, value, Width::new(32).unwrap(), bulk).unwrap();
    let mut given = Memory::new(&layout).unwrap();
    for id in memory::given(program) {
        let array = &program.arrays[id.0];
        let distribution = random::distribution(program, array);
        for input in 0..bulk.map_or(1, |it| it.inputs) {
            let extents = &layout.regions[id.0].extents;
            let numbers =
                random::of_array(distribution, id.0, extents, input, seed).collect::<Vec<_>>();
            given.fill(&layout, id, input, &memory::encode(array.element, &numbers).unwrap());
        }
    }
    let limits = Limits::new(Threads::new(1 << 20).unwrap(), 1 << 20);
    let mut expected = given.clone();
    run::execute(program, &layout, &mut expected, limits, &mut NoopObserver)
        .unwrap_or_else(|error| panic!("{what}: {error}"));

    let kernels =
        Kernels::new(gpu, program, options, &layout).unwrap_or_else(|it| panic!("{what}: {it}"));
    let execution = kernels.prepare(&layout, limits).unwrap_or_else(|it| panic!("{what}: {it}"));
    // Twice: nothing of the first run may matter to the second.
    for _ in 0..2 {
        execution.upload(&given).unwrap();
        execution.launch().unwrap();
        let difference = execution.first_difference(&expected).unwrap();
        assert_eq!(difference, None, "{what}");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn shipped_listings_run_bit_by_bit() {
    let gpu = gpu();
    let mut seed = 1;
    for (name, sets) in [
        ("sequential_access", &[&[1][..], &[1000, 3, 7], &[4097, 0, 1]][..]),
        ("prefix_sums", &[&[1], &[15], &[128], &[1000]]),
        ("opt", &[&[3], &[8], &[40]]),
        ("dp_opt", &[&[3], &[8], &[40]]),
        ("umm_opt", &[&[3], &[4], &[77], &[300]]),
        ("matrix_chain", &[&[1], &[2], &[77]]),
        ("lcs", &[&[1], &[2], &[300]]),
        ("sum", &[&[1], &[1000], &[65537]]),
        ("prefix_sums_parallel", &[&[1], &[2], &[1000], &[65537]]),
        ("transpose", &[&[1], &[33], &[500]]),
        ("permute", &[&[1], &[100_000]]),
        ("matrix_multiply", &[&[1], &[33], &[150]]),
        ("greedy", &[&[1], &[2], &[40]]),
        ("quickhull", &[&[1], &[33], &[1000]]),
    ] {
        let program = shipped(name);
        for options in ways(&program) {
            for set in sets {
                for inputs in if options.bulk.is_some() { &[1, 64, 333][..] } else { &[1] } {
                    check(&gpu, &program, options, set, *inputs, seed);
                    seed += 1;
                }
            }
        }
    }
}

/// With sizes that divide nothing, blocks of less than a warp and of many, and more shared memory
/// than a kernel may declare.
#[test]
#[ignore = "needs a GPU"]
fn listings_on_dmms_run_bit_by_bit() {
    let gpu = gpu();
    // A schedule is no random input.
    let random = ON_DMMS.iter().filter(|entry| entry.name != "permute_offline");
    for (seed, entry) in (1..).zip(random) {
        let program = shipped(entry.name);
        let mut all = vec![];
        for (n, t, q) in [(2, 4, 6), (33, 4, 7), (77, 8, 33), (130, 16, 100), (257, 32, 256)] {
            all.push([("n", n), ("t", t), ("q", q), ("b", 5), ("m", 2), ("v", 2), ("w", t)]);
        }
        all.push([("n", 300), ("t", 64), ("q", 512), ("b", 7), ("m", 9), ("v", 4), ("w", 32)]);
        for known in all {
            let value = |name: &str| known.iter().find(|it| it.0 == name).map(|it| it.1);
            let sizes: Vec<i64> = program
                .parameters
                .iter()
                .map(|it| match (it.name.as_str(), value(&it.name)) {
                    // t × t threads.
                    ("t", Some(t))
                        if ["matrix_multiply_registers", "opt_tiled"].contains(&entry.name) =>
                    {
                        t.min(16)
                    }
                    (_, known) => known.or(it.default).unwrap(),
                })
                .collect();
            for options in ways(&program) {
                check(&gpu, &program, options, &sizes, 1, seed);
            }
        }
    }
}

#[test]
#[ignore = "needs a GPU"]
fn every_operator_is_the_cpus() {
    let gpu = gpu();
    let program = listing(EVERYTHING);
    for options in ways(&program) {
        for seed in 0..20 {
            check(&gpu, &program, options, &[200], 1, seed);
        }
    }
}

/// Nests whose rows are longer and shorter, empty, downward, in steps, of three loops, of no
/// formula.
#[test]
#[ignore = "needs a GPU"]
fn ragged_nests_find_their_iterations() {
    let gpu = gpu();
    for bounds in [
        ["0 to n-1", "0 to i", ""],
        ["0 to n-1", "i to n-1", ""],
        ["n-1 downto 0", "0 to i", ""],
        ["n-1 downto 0", "i downto 0", ""],
        ["0 to n-1 step 3", "0 to i", ""],
        ["0 to n-1", "i to min(n-1, 2×i)", ""],
        ["0 to n-1", "max(0, i-5) to i", ""],
        ["0 to n-1", "i to 7", ""],
        ["0 to n-1", "0 to min(i, n-1-i) - 2", ""],
        ["0 to n-1", "0 to i×i mod n", ""],
        ["0 to n-1", "0 to i step 2", ""],
        ["0 to n-1", "0 to i", "0 to min(j, 3)"],
        ["0 to n-1", "0 to 4", "0 to 2"],
        ["0 to n-1 step 2", "4 downto 0", "0 to 5 step 3"],
        ["1 to 0", "0 to 4", "0 to 2"],
    ] {
        let [outer, inner, innermost] = bounds;
        let (third, k) = match innermost {
            "" => (String::new(), "0"),
            innermost => (format!("      for k ← {innermost} do in parallel\n"), "k"),
        };
        let indent = if third.is_empty() { "      " } else { "        " };
        let text = format!(
            "algorithm ragged(n)\noutput a[n, n, 6] : i64\n\n\
             for i ← {outer} do in parallel\n    for j ← {inner} do in parallel\n{third}{indent}\
             a[i, j, {k}] ← i × 1000 + j × 10 + {k}\n"
        );
        let program = listing(&text);
        for options in ways(&program) {
            for n in [8, 64, 200] {
                check(&gpu, &program, options, &[n], 1, 1);
            }
        }
    }
}

/// What stands between nests reads and writes memory: only a cooperative kernel does that.
#[test]
#[ignore = "needs a GPU"]
fn control_may_depend_on_data() {
    let gpu = gpu();
    let collatz = listing(
        "algorithm collatz(n)\ninout a[n] : i64\nwork busy[1] : i64\noutput rounds[1] : i64\n\n\
         busy[0] ← 1\nr ← 0\nwhile busy[0] > 0 and r < 300 do\n  busy[0] ← 0\n  \
         for i ← 0 to n-1 do in parallel\n    if a[i] > 1 then\n      busy[0] ← 1\n      \
         a[i] ← if a[i] mod 2 = 0 then a[i] / 2 else 3 × a[i] + 1\n  r ← r + 1\nrounds[0] ← r\n",
    );
    let halves = listing(
        "algorithm halves(n)\ninput length[1] : i32\ninout a[n] : f32\n\n\
         for r ← 1 to 5 do\n  if a[0] > 0.01 then\n    for i ← 0 to n-1 do in parallel\n      \
         a[i] ← a[i] / 2\n  else\n    for i ← 0 to min(n-1, i64(length[0])) do in parallel\n      \
         a[i] ← a[i] + 1\n",
    );
    for program in [&collatz, &halves] {
        for options in ways(program) {
            for (n, seed) in [(1, 1), (1000, 2), (40_000, 3)] {
                check(&gpu, program, options, &[n], 1, seed);
            }
        }
    }
}
