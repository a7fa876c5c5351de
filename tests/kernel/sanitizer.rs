//! Faults planted in small kernels: each kind in each memory, in blocks of one, two and three dimensions. All
//! are found, with the line, the thread and the value; the same kernels without the fault are clean.

use memory_machine::kernel::{KernelReport, SourceTable};

use super::{Plan, compiled, numbers, plan, run};
use crate::support::folder;

/// What stands before all kernels. `FAULT` is 1 where the fault is, else 0; t is the thread's number.
const HEAD: &str = "\
#define T int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x
#define N 64
__constant__ int c[N];
#define BARRIER __shared__ unsigned long long bar; unsigned b = (unsigned)__cvta_generic_to_shared(&bar)
#define SET(n) BARRIER; if (t == 0) INIT(n); __syncthreads()
#define INIT(n) asm volatile(\"mbarrier.init.shared.b64 [%0], %1;\" :: \"r\"(b), \"r\"(n) : \"memory\")
#define END asm volatile(\"mbarrier.inval.shared.b64 [%0];\" :: \"r\"(b) : \"memory\")
#define ARRIVE asm volatile(\"{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }\" :: \"r\"(b) : \"memory\")
#define ARRIVES(n) asm volatile(\"{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], %1; }\" :: \"r\"(b), \"r\"(n) : \"memory\")
#define ARRIVE_EXPECTING(n) asm volatile(\"{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }\" :: \"r\"(b), \"r\"(n) : \"memory\")
#define EXPECT(n) asm volatile(\"mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], %1;\" :: \"r\"(b), \"r\"(n) : \"memory\")
#define COPY(to, from, n) asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\" :: \"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(from), \"r\"(n), \"r\"(b) : \"memory\")
#define WAIT(parity) { int is; do { asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }\" : \"=r\"(is) : \"r\"(b), \"r\"(parity) : \"memory\"); } while (!is); }
";

/// A body; what is said of it where FAULT is 1 (several parts); and whether its launch ends with it.
type Fault = (&'static str, &'static str, &'static [&'static str]);

/// Each thread is one of 64; x has 64 numbers, y 64 that nobody has written.
const FAULTS: [Fault; 36] = [
    // Beyond the end, by one and by many, and before the beginning.
    (
        "end_global",
        "x[t + FAULT] = 7;",
        &["a store of 4 bytes (value 0x7) at 0 bytes beyond the end of `x`"],
    ),
    (
        "far_global",
        "y[t] = x[t * (1 + 1000 * FAULT)];",
        &["a load of 4 bytes at", "beyond the end of `x`"],
    ),
    ("before_global", "x[t - FAULT] = 9;", &["(value 0x9) at 4 bytes before the beginning of `x`"]),
    (
        "atomic_global",
        "atomicAdd(x + t + FAULT, 1);",
        &["an atomic operation of 4 bytes at 0 bytes beyond"],
    ),
    (
        "wide_global",
        "((int2 *)x)[(t + N * FAULT) / 2] = make_int2(5, 6);",
        &["a store of 8 bytes (value 0x5) at"],
    ),
    (
        "end_shared",
        "__shared__ int s[N]; s[t + FAULT] = 7; __syncthreads(); x[t] = s[t ^ 1];",
        &["(value 0x7) at shared memory at byte 256, of 256"],
    ),
    (
        "far_shared",
        "__shared__ int s[N]; s[t] = 1; __syncthreads(); x[t] = s[t ^ (1 + 4096 * FAULT)];",
        &["a load of 4 bytes at shared memory at byte"],
    ),
    (
        "before_shared",
        "__shared__ int s[N]; s[t - FAULT] = 9; __syncthreads(); x[t] = s[t ^ 1];",
        &["(value 0x9) at shared memory at byte -4"],
    ),
    // From one array into its neighbour, of which a line may have both.
    (
        "next_shared",
        "__shared__ int s[N], u[N]; s[t] = 1; u[t] = 2; __syncthreads(); x[t] = s[t + N * FAULT] + u[t ^ 1];",
        &["leaves `s`, at byte 384 of 256: shared memory, byte 384; it reads 0x2"],
    ),
    (
        "last_shared",
        "__shared__ int s[N], u[N]; s[t] = 1; u[t - FAULT] = 2; __syncthreads(); x[t] = s[t ^ 1] + u[t ^ 1];",
        &["leaves `u`, at byte -4 of 256: shared memory, byte 252; it writes 0x2"],
    ),
    (
        "column_shared",
        "__shared__ float s[8][8], u[9][9]; for (int i = 0; i < 8 + FAULT; i++) s[i][t & 7] = u[i][t & 7] = 1; __syncthreads(); x[t] = s[t / 8][t & 7] + u[t / 8][t & 7];",
        &["leaves `s`, at byte 256 of 256"],
    ),
    (
        "end_local",
        "int l[N]; for (int i = 0; i < N + FAULT; i++) l[i ^ c[0]] = i; x[t] = l[x[t]];",
        &["a store of 4 bytes (value 0x40) at the thread's own memory at byte 256, of 256"],
    ),
    (
        "far_local",
        "int l[N]; for (int i = 0; i < N; i++) l[i ^ c[0]] = i; x[t] = l[x[t] + 4096 * FAULT];",
        &["a load of 4 bytes at the thread's own memory at byte 16384"],
    ),
    (
        "before_local",
        "int l[N]; for (int i = 0; i < N; i++) l[(i ^ c[0]) - FAULT] = 3; x[t] = l[x[t]];",
        &["(value 0x3) at the thread's own memory at byte -4"],
    ),
    (
        "end_constant",
        "x[t] = c[(t & 15) + x[t] + N * FAULT];",
        &["a load of 4 bytes at byte 256 of the module's constants"],
    ),
    // At no multiple of the size.
    (
        "odd_global",
        "*(int *)((char *)x + 4 * t / (1 + FAULT)) = 7;",
        &["no multiple of it", "of `x`"],
    ),
    (
        "odd_shared",
        "__shared__ int s[N + 1]; *(int *)((char *)s + 4 * t + 2 * FAULT) = 7; __syncthreads(); x[t] = s[t];",
        &["no multiple of it: shared memory at byte 2"],
    ),
    (
        "odd_local",
        "int l[N]; for (int i = 0; i < N - 1; i++) *(int *)((char *)l + 4 * (i ^ c[0]) + FAULT) = 3; x[t] = l[x[t]];",
        &["no multiple of it: the thread's own memory at byte 1"],
    ),
    // What nobody has written.
    (
        "blank_global",
        "if (!FAULT) y[t] = 1; x[t] = y[t];",
        &["reads what was never written: byte", "of `y`", "it reads 0x0"],
    ),
    (
        "blank_shared",
        "__shared__ int s[N]; if (t != 5 || !FAULT) s[t] = 1; __syncthreads(); x[t] = s[t ^ 1];",
        &["reads what was never written: shared memory, byte 20"],
    ),
    (
        "blank_local",
        "int l[N]; for (int i = 0; i < N - FAULT; i++) l[i ^ c[0]] = i; x[t] = l[N - 1 - x[t]];",
        &["reads what was never written: its own memory"],
    ),
    // Races: of threads of a block, of a warp, and of blocks.
    (
        "race_shared",
        "__shared__ int s[N]; s[t] = t; if (!FAULT) __syncthreads(); x[t] = s[N - 1 - t];",
        &["races with another warp of its block at", "shared memory", "it reads"],
    ),
    (
        "race_global",
        "x[t] = t + 1; if (!FAULT) __syncthreads(); y[t] = x[N - 1 - t];",
        &["races with another warp of its block at", "of `x`"],
    ),
    (
        "warp_shared",
        "__shared__ int s[N]; s[t] = t; if (!FAULT) __syncwarp(); x[t] = s[t ^ 1];",
        &[
            "races with another thread of its warp at",
            "no __syncwarp is between them",
            "shared memory, byte 4",
        ],
    ),
    (
        "warp_global",
        "volatile int *z = x; z[t] = t + 1; if (!FAULT) __syncwarp(); y[t] = z[t ^ 1];",
        &["no __syncwarp is between them", "of `x`"],
    ),
    (
        "blocks",
        "x[t] = FAULT * (1 + blockIdx.x);",
        &["races with another block at", "of `x`", "it writes 0x2"],
    ),
    // Barriers that not all come to.
    (
        "part_of_warp",
        "if (t % 2 == 0 || !FAULT) __syncthreads(); x[t] = 1;",
        &["threads wait at a barrier that others of their"],
    ),
    (
        "part_of_block",
        "__shared__ volatile int s; if (FAULT && t >= 32) { asm volatile(\"bar.sync 1, 64;\"); } else __syncthreads(); x[t] = 1;",
        &["threads wait at a barrier that others of their block never come to"],
    ),
    // Barriers in shared memory.
    (
        "barrier_unset",
        "BARRIER; if (t == 0 && !FAULT) INIT(N); __syncthreads(); ARRIVE; WAIT(0); x[t] = 1;",
        &["what is no barrier: none was set there", "shared memory, byte 0"],
    ),
    (
        "barrier_ended",
        "SET(N); ARRIVE; WAIT(0); __syncthreads(); if (t == 0) END; __syncthreads(); if (FAULT) ARRIVE; x[t] = 1;",
        &["what is no barrier: none was set there, or it was invalidated"],
    ),
    (
        "barrier_many",
        "SET(N); if (t == 0) ARRIVES(N + FAULT); WAIT(0); x[t] = 1;",
        &["65 arrivals at a barrier at which 64 lack"],
    ),
    (
        "barrier_few",
        "SET(N + FAULT); ARRIVE; WAIT(0); x[t] = 1;",
        &["a wait for a phase of parity 0 that never ends: 1 arrivals lack, and no thread is left"],
    ),
    (
        "barrier_parity",
        "SET(N); ARRIVE; WAIT(0); if (FAULT) WAIT(1); x[t] = 1;",
        &["a wait for a phase of parity 1 that never ends: 64 arrivals lack"],
    ),
    (
        "barrier_bytes",
        "__shared__ __align__(16) int s[N]; SET(1); if (t == 0) { ARRIVE_EXPECTING(4 * N + 16 * FAULT); COPY(s, x, 4 * N); } WAIT(0); y[t] = s[t ^ 1];",
        &["that never ends: 0 arrivals lack, and 16 bytes that are expected"],
    ),
    (
        "barrier_early",
        "__shared__ __align__(16) int s[N]; SET(1); if (t == 0) { ARRIVE_EXPECTING(4 * N - 16 * FAULT); COPY(s, x, 4 * N); } WAIT(0); y[t] = s[t ^ 1];",
        &["that never ends: 0 arrivals lack, and 16 bytes came that nobody expects"],
    ),
    (
        "barrier_beyond",
        "SET(N); if (FAULT && t == 0) EXPECT(1 << 20); ARRIVE; WAIT(0); x[t] = 1;",
        &["1048576 bytes are to come to a barrier, which counts 1048575"],
    ),
];

/// Blocks of 64 threads.
const BLOCKS: [&str; 3] = ["64", "16x4", "4x4x4"];

#[test]
#[ignore = "needs NVRTC"]
fn planted_faults_are_found_in_each_memory_and_dimension() {
    let mut source = HEAD.to_owned();
    for fault in [0, 1] {
        source += &format!("#undef FAULT\n#define FAULT {fault}\n");
        for (name, body, _) in FAULTS {
            source += &format!("__global__ void {name}_{fault}(int *x, int *y) {{ T; {body} }}\n");
        }
    }
    let folder = folder(&[("own.cu", &source)]);
    let code = compiled(&folder.path().join("own.cu"));
    let line = |kernel: &str| 1 + source.lines().position(|it| it.contains(kernel)).unwrap();
    let (mut planted, mut wrong) = (0, vec![]);
    for (name, _, expected) in FAULTS {
        for block in BLOCKS {
            for fault in [0, 1] {
                let kernel = format!("{name}_{fault}");
                let said = found(&code, &kernel, block);
                if fault == 0 {
                    if !said.is_empty() {
                        wrong.push(format!("{kernel} in blocks of {block} is clean: {said}"));
                    }
                    continue;
                }
                let place = format!("own.cu:{}", line(&kernel));
                let parts = expected.iter().copied().chain([place.as_str(), "thread"]);
                for part in parts.filter(|it| !said.contains(it)) {
                    wrong.push(format!("{kernel} in blocks of {block}: no `{part}` in: {said}"));
                }
                planted += 1;
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(planted, 108);
}

/// What is wrong with a launch of two blocks, in words.
fn found(code: &(memory_machine::sass::Module, String), name: &str, block: &str) -> String {
    let given = ["x=zeros:i32[64]", "y=unwritten:i32[64]"];
    let grid = if name.starts_with("blocks") { "2" } else { "1" };
    let plan = Plan { limit: 1 << 20, ..plan(grid, block, &given) };
    let done = match run(code, name, &plan) {
        Ok(done) => done,
        Err(error) => return error.to_string(),
    };
    let is = |it: &&memory_machine::sass::KernelCode| it.name.contains(name);
    let kernel = code.0.kernels.iter().find(is).unwrap();
    let table = SourceTable::new(kernel, &done.counts, None, |_| None);
    let report = KernelReport {
        kernel,
        plan: &plan,
        execution: &done,
        table: &table,
        time: None,
        predicted: None,
    };
    let all: Vec<String> = done.findings.iter().map(|it| report.finding(it)).collect();
    all.join("\n")
}

#[test]
#[ignore = "needs NVRTC"]
fn functions_of_objects_and_the_heap_work() {
    let source = "struct Shape { __device__ virtual int area(int n) = 0; __device__ virtual ~Shape() {} };\n\
        struct Square : Shape { int side; __device__ Square(int n) : side(n) {} \
          __device__ int area(int n) override { return side * side + n; } };\n\
        struct Line : Shape { __device__ int area(int n) override { return n; } };\n\
        __global__ void f(int *x) { Shape *it = threadIdx.x % 3 ? (Shape *)new Square(threadIdx.x) : new Line; \
          int *l = (int *)malloc(8); l[1] = it->area(1); x[threadIdx.x] = l[1]; free(l); delete it; }\n\
        __global__ void g(int *x, int kind) { int *l = (int *)malloc(8), *m = (int *)malloc(40); \
          if (kind == 0) l[2 + threadIdx.x] = 1; \
          if (kind == 1) m[-1] = 1; \
          if (kind == 2) { free(m); x[1] = m[3]; } \
          if (kind == 3) free(m + 1); \
          if (kind == 4) { free(l); free(l); } \
          x[0] = l[0]; }";
    let folder = folder(&[("own.cu", source)]);
    let code = compiled(&folder.path().join("own.cu"));
    let done = run(&code, "f", &plan("1", "32", &["x=zeros:i32[32]"])).unwrap();
    let area = |it: usize| if it.is_multiple_of(3) { 1 } else { it * it + 1 };
    assert_eq!(numbers(&done, "x"), (0..32).map(|it| area(it) as f64).collect::<Vec<_>>());
    for (kind, expected) in [
        (0, "at 0 bytes beyond the end of a block of 8 bytes from malloc"),
        (1, "at 68 bytes beyond the end of a block of 8 bytes from malloc"),
        (2, "at byte 12 of a block of 40 bytes that was freed"),
        (3, "freed before: byte 4 of a block of 40 bytes from malloc"),
        (4, "freed before: byte 0 of a block of 8 bytes that was freed"),
    ] {
        let given = format!("kind={kind}");
        let wrong = run(&code, "g", &plan("1", "1", &["x=zeros:i32[32]", &given]));
        let wrong = wrong.unwrap_err().to_string();
        assert!(wrong.contains(expected), "{kind}: {wrong}");
    }
}

/// A swap of 8 bytes whose result is not asked for leaves the registers of the warp alone.
#[test]
#[ignore = "needs NVRTC"]
fn what_is_written_nowhere_is_written_nowhere() {
    let source = "__global__ void f(unsigned long long *x, int n) { \
        __shared__ unsigned long long s[64]; s[threadIdx.x] = threadIdx.x; __syncthreads(); \
        for (int i = 0; i < n; i++) { unsigned long long *at = s + (threadIdx.x + i) % 32; \
          unsigned long long old = *at; atomicCAS(at, old, old ^ 5); } \
        __syncthreads(); x[threadIdx.x] = s[threadIdx.x]; }";
    let folder = folder(&[("own.cu", source)]);
    let code = compiled(&folder.path().join("own.cu"));
    let done = run(&code, "f", &plan("1", "32", &["x=zeros:u64[32]", "n=3"])).unwrap();
    assert_eq!(numbers(&done, "x"), (0..32).map(|it| f64::from(it ^ 5)).collect::<Vec<_>>());
}
