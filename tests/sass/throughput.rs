//! What a warp and what schedulers take for instructions, as measured: loops of one kind of
//! instructions, by `models/measurements/nvidia-h200/2026-11-25/throughput.py` (H200 and H100).

use memory_machine::cuda::nvrtc::{Architecture, compile};
use memory_machine::sass::{self, Counts, parse};

use super::{Arrays, TIMING, alone};
use crate::cuda::compile::nvrtc_is_here;

/// The measured kernels: of which type `x` and `y` are, and what a body makes of them.
const BODIES: [(&str, &str, &str); 34] = [
    ("add32", "unsigned", "x = x + y; y = y + x;"),
    ("add64", "unsigned long long", "x = x + y; y = y + x;"),
    ("add64_xor64", "unsigned long long", "x = x + y; y = y ^ x;"),
    ("xor32", "unsigned", "x = x ^ y; y = y & ~x | 1;"),
    ("shift_xor32", "unsigned", "x = x << (y & 31); y = y ^ x;"),
    ("min32_xor32", "int", "x = x < y ? x : y; y = y ^ x;"),
    ("min64_xor64", "long long", "x = x < y ? x : y; y = y ^ x;"),
    ("less64", "long long", "x += x < y; y = y ^ x;"),
    ("mad32", "unsigned", "x = x * y + x; y = y * x + 3;"),
    ("mul32_xor32", "unsigned", "x = x * y; y = y ^ x;"),
    ("mulhi32_xor32", "unsigned", "x = __umulhi(x, y); y = y ^ x;"),
    (
        "wide_add64_xor64",
        "unsigned long long",
        "x = (unsigned long long)(unsigned)x * (unsigned)y + y; y = y ^ x;",
    ),
    ("mul64_xor64", "unsigned long long", "x = x * y; y = y ^ x;"),
    ("mulhi_u64_xor64", "unsigned long long", "x = __umul64hi(x, y); y = y ^ x;"),
    ("mulhi_s64_xor64", "long long", "x = __mul64hi(x, y); y = y ^ x;"),
    ("div_s64_by_1001", "long long", "x = x / 1001 + y; y = y ^ x;"),
    ("div_s32_by_1001", "int", "x = x / 1001 + y; y = y ^ x;"),
    ("div_u32", "unsigned", "x = x / (y | 1); y = y ^ x;"),
    ("fadd", "float", "x = __fadd_rn(x, y); y = __fadd_rn(y, x);"),
    ("fma", "float", "x = __fmaf_rn(x, y, x); y = __fmaf_rn(y, x, y);"),
    (
        "fadd_add32",
        "float",
        "x = __fadd_rn(x, y); y = __int_as_float(__float_as_int(y) + __float_as_int(x));",
    ),
    ("less_fadd", "float", "x = y < x ? y : x; y = __fadd_rn(y, x);"),
    ("floor_fadd", "float", "x = floorf(y); y = __fadd_rn(y, x);"),
    ("s32_to_f32_fadd", "float", "x = (float)__float_as_int(y); y = __fadd_rn(y, x);"),
    (
        "u8_to_f32_fadd",
        "float",
        "x = (float)(unsigned char)__float_as_int(y); y = __fadd_rn(y, x);",
    ),
    ("f32_to_s32_xor32", "int", "x = (int)__int_as_float(y); y = y ^ x;"),
    ("f32_to_s64_xor32", "int", "x = (int)(long long)__int_as_float(y); y = y ^ x;"),
    ("s32_to_f64_dadd", "double", "x = (double)__double2loint(y); y = __dadd_rn(y, x);"),
    (
        "f32_to_f64_dadd",
        "double",
        "x = (double)__int_as_float(__double2loint(y)); y = __dadd_rn(y, x);",
    ),
    (
        "f64_to_f32_dadd",
        "double",
        "x = __hiloint2double(__float_as_int((float)y), __double2loint(x)); y = __dadd_rn(y, x);",
    ),
    ("popc32", "int", "x = __popc(y); y = y ^ x << 3;"),
    ("clz32", "int", "x = __clz(y); y = y ^ x << 3;"),
    ("dadd", "double", "x = __dadd_rn(x, y); y = __dadd_rn(y, x);"),
    ("less_dadd", "double", "x = y < x ? y : x; y = __dadd_rn(y, x);"),
];
/// Pairs of registers, and bodies on each of them in a turn of the loop.
const PAIRS: usize = 4;
const BODIES_OF_A_TURN: usize = 8;

fn source((name, ty, body): (&str, &str, &str), turns: usize) -> String {
    format!(
        "extern \"C\" __global__ void k_{name}({ty} *a) {{
  {ty} xs[{PAIRS}], ys[{PAIRS}];
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < {PAIRS}; i++) {{
    xs[i] = a[(id + i * 7) & 1023];
    ys[i] = a[(id + i * 13 + 5) & 1023];
  }}
  __syncthreads();
  #pragma unroll 1
  for (int r = 0; r < {turns}; r++) {{
    #pragma unroll
    for (int q = 0; q < {BODIES_OF_A_TURN}; q++) {{
      #pragma unroll
      for (int i = 0; i < {PAIRS}; i++) {{ {ty} &x = xs[i], &y = ys[i]; {body} }}
    }}
  }}
  {ty} all = 0;
  for (int i = 0; i < {PAIRS}; i++) all = all + xs[i] + ys[i];
  a[1024 + id] = all;
}}
"
    )
}

/// What a warp does in so many turns.
fn counted(kernel: (&str, &str, &str), turns: usize) -> Counts {
    let module = parse(&compile(&source(kernel, turns), Architecture(90)).unwrap()).unwrap();
    let one = if kernel.1 == "float" { u64::from(1.5_f32.to_bits()) } else { 1.5_f64.to_bits() };
    let word = if kernel.1.starts_with(['f', 'd']) { one } else { 12_345_678 };
    let bytes = word.to_le_bytes().repeat(2048);
    let mut arrays = Arrays(vec![bytes]);
    sass::run(&module, &module.kernels[0], alone(1, 1 << 20), &TIMING, &mut arrays).unwrap()
}

/// Cycles of one body, of so many warps that a scheduler has a quarter of.
fn measured(rows: &str, kernel: &str, warps: &str) -> f64 {
    let of_kernel = rows.lines().map(|it| it.split(',').collect::<Vec<_>>());
    let of_kernel = of_kernel.filter(|it| it[0] == kernel && it[1] == warps);
    let mut cycles: Vec<f64> = of_kernel.map(|it| it[3].parse().unwrap()).collect();
    cycles.sort_by(f64::total_cmp);
    cycles[cycles.len() / 2]
}

#[test]
fn warps_and_schedulers_take_as_long_as_was_measured() {
    if !nvrtc_is_here() {
        return;
    }
    let h200 = include_str!("../../models/measurements/nvidia-h200/2026-11-25/throughput.csv");
    let h100 = include_str!("../../models/measurements/nvidia-h100/2026-11-25/throughput.csv");
    for kernel in BODIES {
        let (more, less) = (counted(kernel, 24), counted(kernel, 8));
        let bodies = (16 * BODIES_OF_A_TURN * PAIRS) as f64;
        let alone = (more.cycles - less.cycles) / bodies;
        let units = more.units.into_iter().zip(less.units).map(|(more, less)| more - less);
        let many = units.fold(more.slots - less.slots, f64::max) / bodies;
        for rows in [h200, h100] {
            let alone = alone / measured(rows, kernel.0, "1");
            let many = many / (measured(rows, kernel.0, "32") / 8.0);
            let is_near = |it: f64| (0.8..1.2).contains(&it);
            eprintln!(
                "TP {:18} {alone:.3} {many:.3} {}",
                kernel.0,
                is_near(alone) && is_near(many)
            );
        }
    }
}
