"""Cycles of a warp's dependent operations whose end scoreboards tell, and of branches: python3 chains.py >
chains.csv

Each kernel goes through a loop of 16 bodies, each of which uses what the one before left; one block of one
warp, or of eight, on a multiprocessor. Cycles are those of one body. `ldc_D` looks D different words of a
table of constants up, `branch_…` are one sum under a branch. Needs CuPy; operands are random.
"""

import cupy
import numpy

TURNS, BODIES = 64, 16
INT, FLOAT, DOUBLE = "int", "float", "double"
KERNELS = {
    "mufu_rsq": (FLOAT, 'asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));'),
    "mufu_rcp64": (DOUBLE, 'asm volatile("rcp.approx.ftz.f64 %0, %0;" : "+d"(x));'),
    "i2f_f2i": (INT, 'asm volatile("{.reg .f32 f; cvt.rp.f32.s32 f, %0; cvt.rzi.s32.f32 %0, f;}" : "+r"(x));'),
    "i2f64_f642i": (INT, 'asm volatile("{.reg .f64 f; cvt.rn.f64.s32 f, %0; cvt.rzi.s32.f64 %0, f;}" : "+r"(x));'),
    "f2f64_f642f": (FLOAT, 'asm volatile("{.reg .f64 f; cvt.f64.f32 f, %0; cvt.rn.f32.f64 %0, f;}" : "+f"(x));'),
    "frnd": (FLOAT, 'asm volatile("cvt.rni.f32.f32 %0, %0;" : "+f"(x));'),
    "popc": (INT, 'asm volatile("popc.b32 %0, %0;" : "+r"(x));'),
    "clz": (INT, 'asm volatile("clz.b32 %0, %0;" : "+r"(x));'),
    "dfma": (DOUBLE, 'asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x));'),
    "ffma": (FLOAT, 'asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));'),
    "mul_wide": (INT, 'asm volatile("{.reg .u64 w; mul.wide.u32 w, %0, %0; cvt.u32.u64 %0, w;}" : "+r"(x));'),
    "mul_hi": (INT, 'asm volatile("mul.hi.u32 %0, %0, %0;" : "+r"(x));'),
    "div_f32": (FLOAT, "x = __fdiv_rn(y, x);"),
    "sqrt_f32": (FLOAT, "x = __fsqrt_rn(x);"),
    "div_f64": (DOUBLE, "x = __ddiv_rn(y, x);"),
    "sqrt_f64": (DOUBLE, "x = __dsqrt_rn(x);"),
    "div_s64": ("long long", "x = y / (x | 5);"),
    "rem_u32": ("unsigned", "x = y % (x | 5);"),
    "mufu_rcp_add": (FLOAT, 'asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x)); x = __fadd_rn(x, y);'),
    "lds": (INT, "x = shared_table[x & 1023];"),
    **{f"ldc_{words}_{d}": (INT, f"x = table[(x + lane % {d}) & {words - 1}];") for words in (64, 256, 1024) for d in (1, 2, 4, 8, 16, 32)},
    "branch_all": (INT, "if (x != 7) { asm volatile(\"add.s32 %0, %0, 3;\" : \"+r\"(x)); asm volatile(\"bar.warp.sync 0xffffffff;\"); }"),
    "branch_none": (INT, "if (x == lane + 1000000) { asm volatile(\"add.s32 %0, %0, 3;\" : \"+r\"(x)); asm volatile(\"bar.warp.sync 0xffffffff;\"); }"),
    "branch_half": (INT, "if (lane < 16) { for (int i = 0; i < y; i++) asm volatile(\"add.s32 %0, %0, 3;\" : \"+r\"(x)); }"),
}
SOURCE = """
extern "C" __global__ void __launch_bounds__(256) k_NAME(TYPE *a, long long *t) {
  __shared__ int shared_table[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) shared_table[i] = table[i];
  int lane = threadIdx.x % 32;
  TYPE x = a[lane], y = a[32];
  __syncthreads();
  long long begun = clock64();
  #pragma unroll 1
  for (int r = 0; r < TURNS; r++) {
    #pragma unroll
    for (int q = 0; q < BODIES; q++) { BODY }
  }
  long long ended = clock64();
  a[64 + threadIdx.x + blockIdx.x * blockDim.x] = x;
  if (lane == 0) atomicMax((unsigned long long *)t + blockIdx.x, (unsigned long long)(ended - begun));
}
"""


def source():
    text = "__constant__ int table[1024];\n"
    for name, (kind, body) in KERNELS.items():
        own = SOURCE.replace("NAME", name).replace("TYPE", kind).replace("BODY", body)
        text += own.replace("BODIES", str(BODIES)).replace("TURNS", str(TURNS))
    return text


def main():
    module = cupy.RawModule(code=source(), options=("--fmad=false", "--std=c++17"))
    types = {INT: "i4", FLOAT: "f4", DOUBLE: "f8", "long long": "i8", "unsigned": "u4"}
    random = numpy.random.default_rng()
    table = cupy.ndarray(1024, dtype="i4", memptr=module.get_global("table"))
    table[:] = cupy.asarray(random.integers(0, 1 << 20, 1024).astype("i4") * 32)
    print("kernel,warps,repetition,cycles")
    for name, (kind, _) in KERNELS.items():
        is_float = kind in (FLOAT, DOUBLE)
        values = random.random(96) + 0.5 if is_float else random.integers(1, 1000, 96) * 32
        if name == "branch_half":
            values[:] = 1
        for warps in 1, 8:
            for repetition in range(-1, 3):
                a = cupy.zeros(64 + 132 * 256, dtype=types[kind])
                a[:96] = cupy.asarray(values.astype(types[kind]))
                t = cupy.zeros(132, dtype="i8")
                module.get_function("k_" + name)((132,), (32 * warps,), (a, t))
                cycles = float(numpy.median(t.get())) / (TURNS * BODIES)
                if repetition >= 0:
                    print(f"{name},{warps},{repetition},{cycles:.3f}")


main()
