//! Standalone programs, as far as no GPU is needed: a C++ compiler takes their host code, and with
//! kernels that run on the host, thread after thread, they touch no memory but their own and print
//! what a run leaves.

use std::path::Path;
use std::process::{Command, Output};

use memory_machine::case::Case;
use memory_machine::codegen::{self, Launch, Options};
use memory_machine::language::program::{ArrayId, Program};
use memory_machine::language::syntax::Role;
use memory_machine::run::layout::{Arrangement, Bulk, Layout};
use memory_machine::run::memory;
use memory_machine::run::{self, Limits, NoopObserver};
use memory_machine::units::{Threads, Width};

use super::compile::{NAMES, named};
use super::{all_shipped, emitted, is_tried_in_full, listing};

/// As much of CUDA as emitted programs need.
const ON_THE_HOST: &str = r"
#include <cmath>
#include <cstdlib>
#include <cstring>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
struct ushort4 { unsigned short x, y, z, w; };
static ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) { return {x, y, z, w}; }
#define __shared__ static
#define __constant__ static const
#define __launch_bounds__(threads)
#define __align__(bytes) __attribute__((aligned(bytes)))
#include <pthread.h>
struct dim3 { unsigned x; dim3(unsigned x) : x(x) {} };
struct int4 { int x, y, z, w; };
static thread_local dim3 blockIdx(0), threadIdx(0);
static dim3 blockDim(1), gridDim(1);
static pthread_barrier_t *of_the_block = 0;
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline double __dsqrt_rn(double x) { return sqrt(x); }
static inline float __double2float_rn(double x) { return (float)x; }
static inline long long __double2ll_rz(double x) {
    if (x != x) return 0;
    if (x >= 9223372036854775808.0) return 9223372036854775807LL;
    return x <= -9223372036854775808.0 ? -9223372036854775807LL - 1 : (long long)x;
}
static inline int __double2int_rz(double x) {
    if (x != x) return 0;
    return x >= 2147483647.0 ? 2147483647 : x <= -2147483648.0 ? -2147483647 - 1 : (int)x;
}
static inline unsigned __double2uint_rz(double x) { return !(x > 0) ? 0 : x >= 4294967295.0 ? 4294967295u : (unsigned)x; }
static inline unsigned long long __double2ull_rz(double x) {
    return !(x > 0) ? 0 : x >= 18446744073709551615.0 ? 18446744073709551615ull : (unsigned long long)x;
}
static inline int __float2int_rz(float x) { return __double2int_rz(x); }
static inline unsigned __float2uint_rz(float x) { return __double2uint_rz(x); }
static inline long long __float2ll_rz(float x) { return __double2ll_rz(x); }
static inline unsigned long long __float2ull_rz(float x) { return __double2ull_rz(x); }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline void __syncthreads() { if (of_the_block) pthread_barrier_wait(of_the_block); }
static inline void __syncwarp() { __syncthreads(); }
static inline void __threadfence() {}
template <typename T, typename U> static inline T atomicAdd(T *at, U by) { return __atomic_fetch_add(at, (T)by, __ATOMIC_SEQ_CST); }
typedef int cudaError_t, cudaStream_t, cudaEvent_t, cudaGraph_t, cudaGraphExec_t;
enum { cudaFuncAttributeMaxDynamicSharedMemorySize, cudaSuccess = 0, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaDevAttrMultiProcessorCount, cudaStreamCaptureModeThreadLocal };
static const char *cudaGetErrorString(int) { return 0; }
static int cudaGetLastError() { return 0; }
template <class F> static int cudaFuncSetAttribute(F, int, int) { return 0; }
static int cudaDeviceSynchronize() { return 0; }
static int cudaGetDevice(int *) { return 0; }
static int cudaDeviceGetAttribute(int *value, int, int) { return *value = 1, 0; }
template <class F> static int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *value, F, int, int) { return *value = 1, 0; }
template <class T> static int cudaMalloc(T **at, size_t bytes) { return (*at = (T *)malloc(bytes)) == 0; }
static int cudaMemcpy(void *to, const void *from, size_t bytes, int) { return memcpy(to, from, bytes), 0; }
static int cudaMemset(void *at, int byte, size_t bytes) { return memset(at, byte, bytes), 0; }
static int cudaMemsetAsync(void *at, int byte, size_t bytes, int) { return memset(at, byte, bytes), 0; }
static int cudaStreamCreate(int *) { return 0; }
static int cudaStreamBeginCapture(int, int) { return 0; }
static int cudaStreamEndCapture(int, int *) { return 0; }
static int cudaGraphInstantiate(int *, int, int) { return 0; }
static int cudaGraphLaunch(int, int) { return 0; }
static int cudaEventCreate(int *) { return 0; }
static int cudaEventRecord(int, int) { return 0; }
static int cudaEventSynchronize(int) { return 0; }
static int cudaEventElapsedTime(float *value, int, int) { return *value = 0, 0; }
template <class F> static void launch(unsigned blocks, unsigned threads, F kernel) {
    gridDim.x = blocks, blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) kernel();
    }
}
// The threads of a block at once, block after block.
template <class F> static void launch_blocks(unsigned blocks, unsigned threads, F kernel) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, 0, threads);
    of_the_block = &barrier;
    gridDim.x = blocks, blockDim.x = threads;
    struct Work { F *kernel; pthread_barrier_t *barrier; unsigned thread, blocks; } work[64];
    pthread_t all[64];
    if (threads > 64) abort();
    for (unsigned thread = 0; thread < threads; thread++) {
        work[thread] = {&kernel, &barrier, thread, blocks};
        // C++'s own threads take as long to compile as all the rest.
        pthread_create(&all[thread], 0, [](void *given) -> void * {
            Work &work = *(Work *)given;
            threadIdx.x = work.thread;
            for (unsigned block = 0; block < work.blocks; block++) {
                blockIdx.x = block;
                (*work.kernel)();
                pthread_barrier_wait(work.barrier);
            }
            return 0;
        }, &work[thread]);
    }
    for (unsigned thread = 0; thread < threads; thread++) pthread_join(all[thread], 0);
    of_the_block = 0;
}
";

/// Times a run is repeated: as often as a program does, and as often as tells whether each begins anew.
const REPEATED: [&str; 2] = ["repetition < 8;", "repetition < 2;"];

/// The program with its launches, written in chevrons or with cooperation, as calls of `launch`.
fn on_the_host(source: &str) -> String {
    assert!(source.contains(REPEATED[0]));
    let source = source.replace(REPEATED[0], REPEATED[1]);
    let mut passed = String::new();
    let lines = source.lines().map(|line| match line.split_once("<<<") {
        None if line.contains("extern __shared__") => {
            "alignas(16) static unsigned char shared[1 << 20];".to_owned()
        }
        None => {
            let arguments = line.trim().strip_prefix("void *arguments[] = {");
            if let Some(arguments) = arguments.and_then(|it| it.strip_suffix("};")) {
                passed = arguments.replace("(void *)&", "");
            }
            let kernel = line.trim().strip_prefix("CHECK(cudaLaunchCooperativeKernel((void *)");
            match kernel.and_then(|it| it.split_once(',')) {
                // One thread is a whole grid.
                Some((kernel, _)) => format!("launch(1, 1, [&] {{ {kernel}({passed}); }});"),
                None => line.to_owned(),
            }
        }
        Some((kernel, rest)) => {
            let (shape, arguments) = rest.split_once(">>>").unwrap();
            let mut shape = shape.strip_suffix(", stream").unwrap().rsplitn(3, ", ").skip(1);
            let (threads, blocks) = (shape.next().unwrap(), shape.next().unwrap());
            let arguments = arguments.strip_suffix(';').unwrap();
            match kernel.rsplit_once(") ") {
                Some((condition, kernel)) => format!(
                    "{condition}) launch_blocks({blocks}, {threads}, [&] {{ {kernel}{arguments}; }});"
                ),
                None => format!("launch({blocks}, {threads}, [&] {{ {kernel}{arguments}; }});"),
            }
        }
    });
    ON_THE_HOST.to_owned() + &lines.collect::<Vec<_>>().join("\n")
}

/// Compiles with the system's C++ compiler.
fn compile(source: &str, folder: &Path, flags: &[&str]) {
    let file = folder.join("program.cpp");
    std::fs::write(&file, on_the_host(source)).unwrap();
    let compiler = Command::new("c++")
        .args(["-std=c++17", "-ffp-contract=off", "-w"])
        .args(flags)
        .arg("-o")
        .arg(folder.join("program"))
        .arg(&file)
        .output();
    let Output { status, stderr, .. } =
        compiler.expect("`c++` compiles standalone programs: install g++ or clang");
    assert!(status.success(), "{}\n{source}", String::from_utf8_lossy(&stderr));
}

fn options(bulk: Option<Arrangement>, launch: Launch) -> Options {
    Options { bulk, launch, prefetch: codegen::PREFETCH, standalone: true }
}

/// Runs the program on the host and on the machine; both must leave the same.
pub(super) fn check(program: &Program, bulk: Option<Arrangement>, sizes: &[i64]) {
    let launch = codegen::launches(program)[0];
    let options = options(bulk, launch);
    let source = emitted(program, options).source;
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover"];
    if bulk.is_none() && crate::is_thorough() {
        // With sizes as constants, and places in 32 bits where they fit.
        let parameters = program.parameters.iter().enumerate();
        let constants = parameters.map(|(at, it)| sizes.get(at).copied().or(it.default));
        let constants: Vec<_> = constants.collect();
        let source = codegen::emit(program, options, &constants).unwrap().source;
        prints_what_a_run_leaves(program, None, sizes, (&source, &[]), &flags);
    }
    let inputs = bulk.map(|_| INPUTS.to_string());
    let words: Vec<_> = sizes.iter().map(i64::to_string).chain(inputs).collect();
    let source = (source.as_str(), &words[..]);
    prints_what_a_run_leaves(program, bulk, sizes, source, &flags);
}

/// Inputs of a bulk run. Not a multiple of four, so that no thread fetches for its neighbours.
const INPUTS: u64 = 7;

/// Compiles a program with a sanitizer, and runs it with arguments.
fn prints_what_a_run_leaves(
    program: &Program,
    bulk: Option<Arrangement>,
    sizes: &[i64],
    (source, arguments): (&str, &[String]),
    flags: &[&str],
) {
    let inputs = INPUTS;
    let folder = tempfile::tempdir().unwrap();
    compile(source, folder.path(), flags);
    // The end of the program frees its memory.
    let mut command = Command::new(folder.path().join("program"));
    let ran = command.args(arguments).env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{} {sizes:?} {bulk:?}\n{err}\n{source}", program.name);

    let bulk = bulk.map(|arrangement| Bulk { inputs, arrangement });
    let value = |name: &str| {
        let index = program.parameters.iter().position(|it| it.name == name)?;
        sizes.get(index).copied()
    };
    let layout = Layout::new(program, value, Width::new(1).unwrap(), bulk).unwrap();
    let mut memory = Case::new(program.clone()).memory(&layout).unwrap();
    let limits = Limits::new(Threads::new(1 << 20).unwrap(), 1 << 20);
    run::execute(program, &layout, &mut memory, limits, &mut NoopObserver).unwrap();
    for (index, array) in program.arrays.iter().enumerate() {
        if !matches!(array.role, Role::Output | Role::Inout) {
            continue;
        }
        let line = out.lines().find_map(|it| it.strip_prefix(&format!("{}: ", array.name)));
        let printed: Vec<&str> = line.unwrap().split(' ').filter(|it| *it != "...").collect();
        let words: Vec<_> = memory.words(&layout, ArrayId(index)).collect();
        let wanted = words.iter().take(8).chain(words.last());
        for (printed, wanted) in printed.into_iter().zip(wanted) {
            let Some(wanted) = wanted else { continue };
            let wanted = memory::number(array.element, *wanted);
            let printed: f64 = printed.parse().unwrap();
            let near = (printed - wanted).abs() <= 1e-8 * wanted.abs();
            assert!(near || printed.is_nan() && wanted.is_nan(), "{}: {out}\n{wanted}", array.name);
        }
    }
}

#[test]
fn shipped_listings_keep_to_their_memory_and_print_what_a_run_leaves() {
    // Besides, those that have random inputs of a kind of their own.
    let others = ["cyk", "cholesky", "thomas"];
    let is_tried = |it: &Program| is_tried_in_full(it) || others.contains(&it.name.as_str());
    let tried = all_shipped().filter(is_tried).filter(|it| it.blocks.is_empty());
    for program in crate::some(tried, 6) {
        let n = if program.name == "permute" { 5000 } else { 13 };
        let bulk = match program.first_parallel_loop() {
            Some(_) => vec![None],
            None => vec![Some(Arrangement::RowWise), Some(Arrangement::ColumnWise)],
        };
        for bulk in bulk {
            check(&program, bulk, &[n]);
        }
    }
}

/// Blocks of threads that do not divide anything, with every thread of a block at once: the thread
/// sanitizer finds a barrier that is missing.
#[test]
fn blocks_wait_for_each_other_where_they_must() {
    // A schedule is no random input. Words of warps, which threads of C++ have not, are executed as machine
    // code in `warps`.
    let on_dmms = |it: &Program| {
        !it.blocks.is_empty() && it.name != "permute_offline" && it.first_warp_word().is_none()
    };
    for program in crate::some(all_shipped().filter(on_dmms), 6) {
        for (n, t, q) in crate::some([(13, 4, 6), (20, 3, 33)], 2) {
            let known = [("n", n), ("t", t), ("q", q), ("b", 5), ("m", 2), ("v", 2), ("w", t)];
            let value = |name: &str| known.iter().find(|it| it.0 == name).map(|it| it.1);
            let sizes: Vec<i64> = program
                .parameters
                .iter()
                .map(|it| value(&it.name).or(it.default).unwrap())
                .collect();
            let constants: Vec<_> = sizes.iter().copied().map(Some).collect();
            let options = options(None, Launch::Plain);
            let source = codegen::emit(&program, options, &constants).unwrap().source;
            let source = (source.as_str(), &[][..]);
            let flags = ["-fsanitize=thread", "-pthread", "-O1"];
            prints_what_a_run_leaves(&program, None, &sizes, source, &flags);
        }
    }
}

/// A word is read by way of a scalar after it was written, in a nest whose words go four at a time
/// otherwise.
#[test]
fn what_an_iteration_wrote_it_reads() {
    let text = "algorithm f(n)\ninput x[n] : i32\noutput y[n] : i32\noutput z[n] : i32\n\n\
                for i ← 0 to n-1 do in parallel\n  y[i] ← x[i]\n  r ← i\n  z[i] ← y[r]\n";
    check(&listing(text), None, &[64]);
    let text = "algorithm f(n)\ninput x[n] : i32\noutput y[n] : i32\n\n\
                for i ← 0 to n-1 do in parallel\n  y[i] ← x[i] + x[0]\n";
    check(&listing(text), None, &[64]);
}

/// Integers, coins, and weights of listings that are not shipped.
#[test]
fn every_kind_of_input_is_that_of_a_run() {
    let text = "algorithm kinds(n, m = 2)\ninout i[n] : i32\ninout u[n, m] : u32\ninout l[n] : i64\n\
                inout q[n, 3, m] : bool\ninout d[n] : f64\n\ni[0] ← i[0] + 1\n";
    check(&listing(text), None, &[300]);
    check(&listing(text), Some(Arrangement::ColumnWise), &[300, 3]);
}

/// What a listing says of its inputs holds for the emitted program, or it is refused.
#[test]
fn inputs_are_those_that_the_listing_names() {
    let text = "algorithm named(n)\ninput a[n] : i64 from random(-5, 1000)\n\
                input b[n] : f32 from random(-2.5, 7)\ninput c[n] : u8 from text(ACGT)\n\
                input d[n] : i32 from sorted\ninput e[n] : f64 from sorted\n\
                input p[n] : u16 from permutation\ninput r[n] : i16 from random\n\
                output o[n] : f64\n\nfor i ← 0 to n-1 do\n  \
                o[i] ← a[i] + b[i] × 3 + i64(c[i]) × 1_000 + d[i] × 1e6 + e[i] + p[i] / 7 + r[i]\n";
    for (bulk, n) in
        [(None, 40), (Some(Arrangement::RowWise), 9), (Some(Arrangement::ColumnWise), 9)]
    {
        check(&listing(text), bulk, &[n]);
    }
    let sized = text.replace("random(-5, 1000)", "random(-n, 2 × n + 1)");
    let sized = sized.replace("random(-2.5, 7)", "random(-2.5, n)");
    check(&listing(&sized), None, &[40]);
    check(&listing(&sized), Some(Arrangement::ColumnWise), &[9]);
    let text = text.replace("from sorted", "from graph(3, 4)");
    let error = codegen::emit(&listing(&text), options(None, Launch::Plain), &[]).unwrap_err();
    assert_eq!(error.diagnostic.message, "a standalone program does not fill an array so");
}

#[test]
fn sizes_that_make_no_array_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = all_shipped().find(|it| it.name == "sum").unwrap();
    let source = emitted(&program, options(None, Launch::Graph)).source;
    compile(&source, folder.path(), &[]);
    for (words, message) in [
        (&["0"][..], "a: each extent must be at least 1"),
        (&["-5"], "a: each extent must be at least 1"),
        (&["9223372036854775807"], "room for 2^40 cells"),
        (&["8k"], "8k: is no integer"),
        (&[], "usage: "),
        (&["8", "9"], "usage: "),
    ] {
        let ran = Command::new(folder.path().join("program")).args(words).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{words:?} {error}");
        assert!(error.contains(message), "{words:?} {error}");
    }
}

#[test]
fn any_name_suits_the_host() {
    let folder = tempfile::tempdir().unwrap();
    // All of them in one file would be faster, but a macro would go unnoticed behind another.
    for names in crate::some(NAMES.chunks(3).filter(|it| it.len() == 3), 5) {
        let program = listing(&named([names[0], names[1], names[2]], true));
        for launch in Launch::ALL {
            let source = emitted(&program, options(None, launch)).source;
            compile(&source, folder.path(), &["-fsyntax-only", "-Dlinux=1", "-Dunix=1"]);
        }
    }
}
