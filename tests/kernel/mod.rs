//! Kernels of `kernels/cuda`, compiled by NVRTC, as a user runs them: values, counts, time, and what is wrong.

mod commands;
mod mutants;
mod samples;
mod sanitizer;
mod structures;
mod tensors;

use std::path::{Path, PathBuf};

use memory_machine::gpu::toolchain::{CompileOptions, machine_code};
use memory_machine::kernel::trace_file::{self, TraceFormat};
use memory_machine::kernel::{
    Execution, FindingKind, KernelError, Plan, Prepared, SourceTable, execute, machine_trace,
    parameters,
};
use memory_machine::machine::{self, Dmms, Machine, MachineKind, Mode};
use memory_machine::sass::{self, Module};

use crate::support::root;

/// A file of `kernels/cuda`, or one with a source of its own.
fn compiled(path: &Path) -> (Module, String) {
    let code = machine_code(path, &CompileOptions::default()).unwrap();
    (sass::read(&code).unwrap(), std::fs::read_to_string(path).unwrap())
}

fn plan(grid: &str, block: &str, arguments: &[&str]) -> Plan {
    Plan {
        grid: grid.parse().unwrap(),
        block: block.parse().unwrap(),
        shared_bytes: 0,
        arguments: arguments.iter().map(|it| it.parse().unwrap()).collect(),
        constants: vec![],
        constant_types: vec![],
        seed: 0,
        sample: None,
        limit: 1 << 30,
        checks: true,
        traces: false,
    }
}

fn run(
    (module, source): &(Module, String),
    name: &str,
    plan: &Plan,
) -> Result<Execution, KernelError> {
    let is = |it: &&sass::KernelCode| it.name.contains(&format!("{}{name}", name.len()));
    let kernel = module.kernels.iter().find(is).unwrap();
    execute(module, kernel, parameters(source, name).as_deref(), plan)
}

fn numbers(execution: &Execution, name: &str) -> Vec<f64> {
    let (bytes, element, _) = execution.array(execution.parameter(name).unwrap()).unwrap();
    bytes.chunks(element.bytes()).map(|it| element.number(it)).collect()
}

fn shipped_code(name: &str) -> Vec<u8> {
    let path = root().join("kernels/cuda").join(name);
    machine_code(&path, &CompileOptions::default()).unwrap()
}

fn shipped(name: &str) -> (Module, String) {
    compiled(&root().join("kernels/cuda").join(name))
}

/// A source in a file of its own.
fn own(source: &str) -> ((Module, String), tempfile::TempDir) {
    let folder = crate::support::folder(&[("own.cu", source)]);
    let path: PathBuf = folder.path().join("own.cu");
    (compiled(&path), folder)
}

#[test]
#[ignore = "needs NVRTC"]
fn shipped_kernels_compute_what_they_say() {
    let saxpy = shipped("saxpy.cu");
    let given = ["n=1000", "a=2.5", "x=count:f32[1000]", "y=ones:f32[1000]"];
    let done = run(&saxpy, "saxpy", &plan("4", "256", &given)).unwrap();
    let y = numbers(&done, "y");
    assert!((0..1000).all(|it| y[it] == 2.5 * it as f64 + 1.0));

    let transpose = shipped("transpose.cu");
    for name in ["naive", "tiled", "padded"] {
        let given = ["n=64", "in=count:f32[64x64]", "out=unwritten:f32[64x64]"];
        let done = run(&transpose, name, &plan("2x2", "32x32", &given)).unwrap();
        let out = numbers(&done, "out");
        assert!((0..64 * 64).all(|it| out[it] == (it % 64 * 64 + it / 64) as f64), "{name}");
        assert_eq!(done.findings, []);
    }

    let reduce = shipped("reduce.cu");
    for name in ["reduce", "shuffled"] {
        let given = ["n=4096", "x=count:f32[4096]", "sum=zeros:f32[1]"];
        let done = run(&reduce, name, &plan("8", "256", &given)).unwrap();
        assert_eq!(numbers(&done, "sum"), [4095.0 * 4096.0 / 2.0], "{name}");
        assert_eq!(done.findings, [], "{name}");
    }

    let product = shipped("product.cu");
    let given = ["n=32", "a=count:f32[32x32]", "b=ones:f32[32x32]", "c=zeros:f32[32x32]"];
    let done = run(&product, "product", &plan("2x2", "16x16", &given)).unwrap();
    let row = |it: usize| (0..32).map(|k| (32 * it + k) as f64).sum::<f64>();
    assert!(numbers(&done, "c").iter().enumerate().all(|(at, it)| *it == row(at / 32)));
}

#[test]
#[ignore = "needs NVRTC"]
fn transposes_take_the_sectors_and_wavefronts_that_they_are_known_for() {
    let transpose = shipped("transpose.cu");
    let given = ["n=64", "in=count:f32[64x64]", "out=zeros:f32[64x64]"];
    let total = |name: &str| {
        let done = run(&transpose, name, &plan("2x2", "32x32", &given)).unwrap();
        let mut all = (0, 0, 0);
        for it in &done.counts {
            all = (all.0 + it.requests, all.1 + it.sectors, all.2 + it.wavefronts);
        }
        all
    };
    // 128 warps read a row of 4 sectors each, and write 32 sectors each; or a row.
    assert_eq!(total("naive"), (256, 128 * 4 + 128 * 32, 0));
    assert_eq!(total("tiled"), (256, 256 * 4, 128 + 128 * 32));
    assert_eq!(total("padded"), (256, 256 * 4, 256));
}

#[test]
#[ignore = "needs NVRTC"]
fn the_worst_line_is_named_with_its_remedy() {
    let transpose = shipped("transpose.cu");
    let given = ["n=64", "in=count:f32[64x64]", "out=zeros:f32[64x64]"];
    let done = run(&transpose, "tiled", &plan("2x2", "32x32", &given)).unwrap();
    let kernel = transpose.0.kernels.iter().find(|it| it.name.contains("tiled")).unwrap();
    let table =
        SourceTable::new(kernel, &done.counts, None, |path| std::fs::read_to_string(path).ok());
    let worst = table.worst();
    assert!(worst[0].0.text.as_deref().unwrap().contains("tile[threadIdx.x][threadIdx.y]"));
    assert!(worst[0].1.contains("32 wavefronts a request, 1 would do"), "{}", worst[0].1);
}

#[test]
#[ignore = "needs NVRTC"]
fn a_barrier_that_is_forgotten_is_a_race() {
    let reduce = shipped("reduce.cu");
    let given = ["n=4096", "x=count:f32[4096]", "sum=zeros:f32[1]"];
    let done = run(&reduce, "forgotten", &plan("8", "256", &given)).unwrap();
    assert!(done.findings.iter().any(|it| it.kind == FindingKind::RaceInBlock));
}

/// A source, how it is launched, and a part of what is said of it.
const FAULTS: [(&str, &str, &[&str], &str); 9] = [
    (
        "__global__ void f(int *x) { x[threadIdx.x + 1] = 1; }",
        "32",
        &["x=zeros:i32[32]"],
        "beyond the end of `x`",
    ),
    (
        "__global__ void f(int *x) { x[int(threadIdx.x) - 1] = 1; }",
        "32",
        &["x=zeros:i32[32]"],
        "before the beginning of `x`",
    ),
    (
        "__global__ void f(char *x) { *(int *)(x + 2) = 1; }",
        "1",
        &["x=zeros:i8[32]"],
        "no multiple",
    ),
    (
        "__global__ void f(int *x) { __shared__ int s[32]; s[threadIdx.x + x[0]] = x[1]; x[2] = s[x[3]]; }",
        "32",
        &["0=ones:i32[32]"],
        "shared memory",
    ),
    (
        "__global__ void f(int *x) { if (threadIdx.x == 3) __trap(); x[0] = 1; }",
        "32",
        &["x=zeros:i32[32]"],
        "thread (3, 0, 0)",
    ),
    (
        "__global__ void f(int *x) { if (threadIdx.x < 32) __syncthreads(); else while (atomicAdd(x, 0) == 0); }",
        "64",
        &["x=zeros:i32[1]"],
        "warp instructions",
    ),
    (
        "__global__ void f(int *x) { if (threadIdx.x < 40) __syncthreads(); x[threadIdx.x] = 1; }",
        "64",
        &["x=zeros:i32[64]"],
        "others of their warp never come to",
    ),
    (
        "__global__ void f(int *x) { x[0] = *(volatile int *)nullptr; }",
        "1",
        &["x=zeros:i32[1]"],
        "where no array is",
    ),
    (
        "#include <assert.h>\n__global__ void f(int *x) { if (x[0] != 1) { x[1] = 3; __trap(); } }",
        "1",
        &["x=zeros:i32[2]"],
        "trap",
    ),
];

#[test]
#[ignore = "needs NVRTC"]
fn what_goes_wrong_names_its_line_and_thread() {
    for (source, block, given, expected) in FAULTS {
        let (code, _folder) = own(source);
        let plan = Plan { limit: 1 << 16, ..plan("1", block, given) };
        let error = run(&code, "f", &plan).map(|it| it.instructions).unwrap_err().to_string();
        assert!(error.contains(expected), "{source}: {error}");
        assert!(error.contains("own.cu:"), "{error}");
    }
}

/// The rest of an unrolled loop is skipped by whole warps.
#[test]
#[ignore = "needs NVRTC"]
fn what_a_whole_warp_skips_is_no_divergence() {
    let source = "__global__ void f(float *x, int n) {\n  float s = 0;\n  for (int i = 0; i < n; i++)\n    \
                  s += x[i] * x[i + 1];\n  x[threadIdx.x] = s;\n}";
    let (code, _folder) = own(source);
    let done = run(&code, "f", &plan("1", "32", &["x=ones:f32[64]", "n=2"])).unwrap();
    let table = SourceTable::new(&code.0.kernels[0], &done.counts, None, |_| None);
    let said: Vec<_> = table.worst().into_iter().map(|it| it.1).collect();
    assert!(said.iter().all(|it| !it.contains("threads are active")), "{said:?}");
}

#[test]
#[ignore = "needs NVRTC"]
fn what_was_never_written_and_races_between_blocks_are_found() {
    let found = |source: &str, grid: &str, given: &[&str]| {
        let (code, _folder) = own(source);
        let done = run(&code, "f", &plan(grid, "64", given)).unwrap();
        done.findings.iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    let sums = "__global__ void f(int *x, int *y) { y[threadIdx.x] = x[threadIdx.x]; }";
    assert_eq!(
        found(sums, "1", &["x=unwritten:i32[64]", "y=zeros:i32[64]"]),
        [FindingKind::Unwritten]
    );
    assert_eq!(found(sums, "1", &["x=zeros:i32[64]", "y=zeros:i32[64]"]), []);
    let blocks = "__global__ void f(int *x) { x[threadIdx.x] = blockIdx.x + 1; }";
    assert_eq!(found(blocks, "2", &["x=zeros:i32[64]"]), [FindingKind::RaceBetweenBlocks]);
    // To write the same is none, nor is what is atomic.
    let same = "__global__ void f(int *x) { x[threadIdx.x] = 7; }";
    assert_eq!(found(same, "2", &["x=zeros:i32[64]"]), []);
    let atomic = "__global__ void f(int *x) { atomicAdd(x, 1); }";
    assert_eq!(found(atomic, "2", &["x=zeros:i32[64]"]), []);
}

#[test]
#[ignore = "needs NVRTC"]
fn grids_and_blocks_have_three_dimensions() {
    let source = "__global__ void f(int *x) {\n\
        int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;\n\
        int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n\
        x[block * blockDim.x * blockDim.y * blockDim.z + thread] =\n\
          ((threadIdx.z * 10 + threadIdx.y) * 10 + threadIdx.x) * 1000 +\n\
          (blockIdx.z * 10 + blockIdx.y) * 10 + blockIdx.x;\n}";
    let (code, _folder) = own(source);
    let done = run(&code, "f", &plan("2x3x2", "5x2x3", &["x=zeros:i32[360]"])).unwrap();
    let x = numbers(&done, "x");
    for (at, found) in x.iter().enumerate() {
        let (block, thread) = (at / 30, at % 30);
        let of = |it: usize, [x, y]: [usize; 2]| (it / (x * y) * 10 + it / x % y) * 10 + it % x;
        assert_eq!(*found as usize, of(thread, [5, 2]) * 1000 + of(block, [2, 3]), "{at}");
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn constants_structures_and_prints() {
    let source = "struct Pair { int a[3]; float b; };\n__constant__ float c[4];\n\
        __device__ int counter = 40;\n\
        __global__ void f(Pair p, float *x) {\n\
          x[threadIdx.x] = c[threadIdx.x] * p.b + p.a[2] + atomicAdd(&counter, 1) * 0;\n\
          if (threadIdx.x == 2) printf(\"%d %5.2f|\", counter, x[1]);\n}";
    let (code, _folder) = own(source);
    let given = ["p=i32:1,2,3,1065353216", "x=zeros:f32[4]"];
    let plan = Plan { constants: vec!["c=f32:1,2,3,4".parse().unwrap()], ..plan("1", "4", &given) };
    let done = run(&code, "f", &plan).unwrap();
    assert_eq!(numbers(&done, "x"), [4.0, 5.0, 6.0, 7.0]);
    assert_eq!(done.printed, "44  5.00|");
}

#[test]
#[ignore = "needs NVRTC"]
fn blocks_beside_each_other_leave_what_they_leave_one_after_another() {
    // Of many blocks that do not need each other; of blocks that go on where others wrote; of atomics.
    let source = "__global__ void own(int n, const float *x, float *y) {\n\
        int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n\
        __global__ void chain(int n, const float *x, float *y) {\n\
        int i = blockIdx.x * 64 + threadIdx.x; if (i + 64 < n) y[i + 64] = y[i] + x[i]; }\n\
        __global__ void sums(int n, const float *x, float *y) {\n\
        int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[atomicAdd((int *)y + n - 1, 1)] = x[i]; }\n";
    let (code, _folder) = own(source);
    let given = ["n=4100", "x=random:f32[4100]", "y=zeros:f32[4100]"];
    let x = numbers(&run(&code, "own", &plan("65", "64", &given)).unwrap(), "x");
    let done = run(&code, "own", &plan("65", "64", &given)).unwrap();
    assert!(numbers(&done, "y").iter().zip(&x).all(|(y, x)| *y == 2.0 * x));
    assert_eq!(done.findings, []);
    let done = run(&code, "chain", &plan("64", "64", &given)).unwrap();
    let y = numbers(&done, "y");
    assert!((64..4096).all(|it| y[it] == f64::from(y[it - 64] as f32 + x[it - 64] as f32)));
    assert!(done.findings.iter().all(|it| it.kind == FindingKind::RaceBetweenBlocks));
    assert_ne!(done.findings, []);
    let y = numbers(&run(&code, "sums", &plan("64", "64", &given)).unwrap(), "y");
    assert_eq!(y[..4096], x[..4096]);
}

#[test]
#[ignore = "needs NVRTC"]
fn a_trace_that_is_written_takes_the_time_that_the_launch_does() {
    let transposed = ["n=64", "in=count:f32[64x64]", "out=zeros:f32[64x64]"];
    let reduced = ["n=2048", "x=ones:f32[2048]", "sum=zeros:f32[1]"];
    for (file, name, [grid, block], given, least) in [
        ("transpose.cu", "tiled", ["2x2", "32x32"], transposed, 4096),
        // Its last words are added by atomic operations.
        ("reduce.cu", "reduce", ["8", "256"], reduced, 64),
    ] {
        let (module, source) = shipped(file);
        let kernel = module.kernels.iter().find(|it| it.name.contains(name)).unwrap();
        let plan = Plan { traces: true, ..plan(grid, block, &given) };
        let names = parameters(&source, name);
        let prepared = Prepared::new(&module, kernel, names.as_deref(), &plan).unwrap();
        let mut written = vec![];
        prepared.clone().write_traceg(&module, kernel, &plan, &mut written).unwrap().unwrap();
        let kind = MachineKind::hierarchical(Dmms { number: 4, ..Dmms::ONE });
        let machine = Machine { kind, ..Machine::default() };
        let done = prepared.execute(&module, kernel, &plan).unwrap();
        let trace = machine_trace(done.trace.as_ref().unwrap(), machine).unwrap().trace;
        let own = machine::time(machine, Mode::Sync, &trace);
        let format = TraceFormat::of(&written).unwrap();
        let read = trace_file::time("it", &mut &written[..], format, machine, Mode::Sync).unwrap();
        assert_eq!(read.counts, own, "{name}");
        assert!(own.stages > least);
    }
}

#[test]
#[ignore = "needs NVRTC"]
fn what_runs_on_the_host_is_left_out_of_headers_and_structures_too() {
    let header = "#pragma once\n#include <sys/syscall.h>\n#define BOTH __host__ __device__\n\
        struct Timer { std::chrono::steady_clock clock; };\n\
        struct Pair {\n  float a;\n  void print() { std::cout << a; }\n  double b;\n\
        BOTH double sum() const { return a + b; }\n};\n\
        inline void check(cudaError_t it) { puts(cudaGetErrorString(it)); }\n";
    let source = "#include <bits/stdc++.h>\n#include <cfloat>\n#include \"own.h\"\n#include \"own.h\"\n\
        using std::cout;\ntypedef std::vector<int> Numbers;\n\
        constexpr int twice(int a) { return 2 * a; }\n\
        __global__ void all(double *x, Pair it) {\n  x[0] = FLT_MAX;\n  x[1] = -INFINITY;\n  x[2] = M_PI;\n\
        x[3] = std::min(3, twice(1));\n  x[4] = std::numeric_limits<long long>::lowest();\n\
        x[5] = std::sqrt(2.0f);\n  x[6] = it.sum();\n  x[7] = UINT32_MAX;\n  x[8] = DBL_EPSILON;\n}\n\
        int main() { Numbers all(3); cout << all[0]; }\n";
    let folder = crate::support::folder(&[("own.cu", source), ("own.h", header)]);
    let code = compiled(&folder.path().join("own.cu"));
    // 1.5 as a float, a gap, and 3 as a double.
    let given = ["x=zeros:f64[9]", "it=i32:1069547520,0,0,1074266112"];
    let done = run(&code, "all", &plan("1", "1", &given)).unwrap();
    let known = [
        f64::from(f32::MAX),
        f64::NEG_INFINITY,
        std::f64::consts::PI,
        2.0,
        i64::MIN as f64,
        f64::from(2_f32.sqrt()),
        4.5,
        f64::from(u32::MAX),
        f64::EPSILON,
    ];
    assert_eq!(numbers(&done, "x"), known);
}
