"""Cycles that a multiprocessor's schedulers take for instructions: python3 throughput.py > throughput.csv

Each kernel goes through a loop of 8 bodies on 4 (or 2) pairs of registers that do not wait for each
other; one block on each multiprocessor. Cycles are those of one body (all turns of the loop over all
bodies), the median over the multiprocessors, for blocks of 1, 4, 16 and 32 warps; a scheduler has a
quarter of a block's warps. Needs CuPy; operands are random.
"""

import cupy
import numpy

TURNS, BODIES = 64, 8
U32, U64, S32, S64 = "unsigned", "unsigned long long", "int", "long long"
KERNELS = {
    "add32": (U32, 4, "x = x + y; y = y + x;"),
    "add64": (U64, 4, "x = x + y; y = y + x;"),
    "add64_xor64": (U64, 4, "x = x + y; y = y ^ x;"),
    "xor32": (U32, 4, "x = x ^ y; y = y & ~x | 1;"),
    "shift_xor32": (U32, 4, "x = x << (y & 31); y = y ^ x;"),
    "min32_xor32": (S32, 4, "x = x < y ? x : y; y = y ^ x;"),
    "min64_xor64": (S64, 4, "x = x < y ? x : y; y = y ^ x;"),
    "less64": (S64, 4, "x += x < y; y = y ^ x;"),
    "mad32": (U32, 4, "x = x * y + x; y = y * x + 3;"),
    "mul32_xor32": (U32, 4, "x = x * y; y = y ^ x;"),
    "mulhi32_xor32": (U32, 4, "x = __umulhi(x, y); y = y ^ x;"),
    "wide_add64_xor64": (U64, 4, "x = (unsigned long long)(unsigned)x * (unsigned)y + y; y = y ^ x;"),
    "mul64_xor64": (U64, 4, "x = x * y; y = y ^ x;"),
    "mulhi_u64_xor64": (U64, 4, "x = __umul64hi(x, y); y = y ^ x;"),
    "mulhi_s64_xor64": (S64, 4, "x = __mul64hi(x, y); y = y ^ x;"),
    "div_s64_by_1001": (S64, 4, "x = x / 1001 + y; y = y ^ x;"),
    "div_s32_by_1001": (S32, 4, "x = x / 1001 + y; y = y ^ x;"),
    "div_u32": (U32, 4, "x = x / (y | 1); y = y ^ x;"),
    "fadd": ("float", 4, "x = __fadd_rn(x, y); y = __fadd_rn(y, x);"),
    "fma": ("float", 4, "x = __fmaf_rn(x, y, x); y = __fmaf_rn(y, x, y);"),
    "fadd_add32": ("float", 4, "x = __fadd_rn(x, y); y = __int_as_float(__float_as_int(y) + __float_as_int(x));"),
    "less_fadd": ("float", 4, "x = y < x ? y : x; y = __fadd_rn(y, x);"),
    "floor_fadd": ("float", 4, "x = floorf(y); y = __fadd_rn(y, x);"),
    "s32_to_f32_fadd": ("float", 4, "x = (float)__float_as_int(y); y = __fadd_rn(y, x);"),
    "u8_to_f32_fadd": ("float", 4, "x = (float)(unsigned char)__float_as_int(y); y = __fadd_rn(y, x);"),
    "f32_to_s32_xor32": (S32, 4, "x = (int)__int_as_float(y); y = y ^ x;"),
    "f32_to_s64_xor32": (S32, 4, "x = (int)(long long)__int_as_float(y); y = y ^ x;"),
    "s32_to_f64_dadd": ("double", 4, "x = (double)__double2loint(y); y = __dadd_rn(y, x);"),
    "f32_to_f64_dadd": ("double", 4, "x = (double)__int_as_float(__double2loint(y)); y = __dadd_rn(y, x);"),
    "f64_to_f32_dadd": ("double", 4, "x = __hiloint2double(__float_as_int((float)y), __double2loint(x)); y = __dadd_rn(y, x);"),
    "popc32": (S32, 4, "x = __popc(y); y = y ^ x << 3;"),
    "clz32": (S32, 4, "x = __clz(y); y = y ^ x << 3;"),
    "dadd": ("double", 4, "x = __dadd_rn(x, y); y = __dadd_rn(y, x);"),
    "less_dadd": ("double", 4, "x = y < x ? y : x; y = __dadd_rn(y, x);"),
}
SOURCE = """
extern "C" __global__ void __launch_bounds__(1024) k_NAME(TYPE *a, long long *t) {
  TYPE xs[N], ys[N];
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < N; i++) { xs[i] = a[(id + i * 7) & 1023]; ys[i] = a[(id + i * 13 + 5) & 1023]; }
  __syncthreads();
  long long begun = clock64();
  #pragma unroll 1
  for (int r = 0; r < TURNS; r++) {
    #pragma unroll
    for (int q = 0; q < BODIES; q++) {
      #pragma unroll
      for (int i = 0; i < N; i++) { TYPE &x = xs[i], &y = ys[i]; BODY }
    }
  }
  long long ended = clock64();
  TYPE all = 0;
  for (int i = 0; i < N; i++) all = all + xs[i] + ys[i];
  a[1024 + id] = all;
  if (threadIdx.x == 0) t[blockIdx.x] = ended - begun;
}
"""


def source():
    text = ""
    for name, (kind, pairs, body) in KERNELS.items():
        own = SOURCE.replace("NAME", name).replace("TYPE", kind).replace("BODY", body)
        text += own.replace("BODIES", str(BODIES)).replace("TURNS", str(TURNS)).replace("N", str(pairs))
    return text


def main():
    module = cupy.RawModule(code=source(), options=("--fmad=false", "--std=c++17"))
    blocks = cupy.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"]
    types = dict(zip((U32, U64, S32, S64, "float", "double"), ("u4", "u8", "i4", "i8", "f4", "f8")))
    random = numpy.random.default_rng()
    print("kernel,warps,repetition,cycles")
    for name, (kind, pairs, _) in KERNELS.items():
        is_float = kind in ("float", "double")
        values = random.random(1024) + 0.5 if is_float else random.integers(1, 2**31 - 1, 1024)
        for warps in 1, 4, 16, 32:
            for repetition in range(-1, 5):
                a = cupy.zeros(1024 + blocks * 1024, dtype=types[kind])
                a[:1024] = cupy.asarray(values.astype(types[kind]))
                t = cupy.zeros(blocks, dtype="i8")
                module.get_function("k_" + name)((blocks,), (32 * warps,), (a, t))
                cycles = float(numpy.median(t.get())) / (TURNS * BODIES * pairs)
                if repetition >= 0:
                    print(f"{name},{warps},{repetition},{cycles:.4f}")


main()
