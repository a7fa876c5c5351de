"""Results of the special function unit (MUFU): python3 special_functions.py, which writes results.pickle

For each function: of each upper half of an operand the sum of a hash over the 65,536 operands with it; all
results for the mantissas of some exponents; and for halves all results. The compiler multiplies an operand of a
sine by 1/2π before the unit sees it; in the machine code that factor is made 1. Needs CuPy and nvcc.
"""

import pickle
import subprocess

import cupy
import numpy

SINGLE = {name: f"{name}.approx.ftz.f32" for name in ("rcp", "rsqrt", "sqrt", "lg2", "ex2", "sin", "cos")}
SINGLE["tanh"] = "tanh.approx.f32"
UPPER = {"rcp64": "rcp.approx.ftz.f64", "rsqrt64": "rsqrt.approx.ftz.f64"}
HALF = {
    "ex2_f16": "ex2.approx.f16", "tanh_f16": "tanh.approx.f16",
    "ex2_bf16": "ex2.approx.ftz.bf16", "tanh_bf16": "tanh.approx.bf16",
}  # fmt: skip
EXPONENTS = {
    "rcp": [127], "rsqrt": [127, 128], "sqrt": [127, 128], "lg2": [126, 127, 128, 130],
    "ex2": [120, 124, 126, 127, 128, 382, 383], "sin": [120, 123, 124, 125, 126, 127],
    "cos": [120, 123, 124, 125, 126], "tanh": [118, 120, 122, 123, 124, 125, 126, 127, 128, 129],
}  # fmt: skip

KERNELS = """
__device__ unsigned f_NAME(unsigned x) {
    TYPE y;
    asm("PTX %0, %1;" : "=LETTER"(y) : "LETTER"(OPERAND));
    return RESULT;
}
extern "C" __global__ void all_NAME(unsigned first, unsigned *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i] = f_NAME(first + i);
}
extern "C" __global__ void hash_NAME(unsigned long long *out) {
    unsigned long long sum = 0;
    for (unsigned i = threadIdx.x; i < 65536; i += 256) {
        unsigned x = blockIdx.x << 16 | i;
        unsigned long long h = ((unsigned long long)x << 32 | f_NAME(x)) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 29;
        h *= 0xBF58476D1CE4E5B9ull;
        sum += h ^ h >> 32;
    }
    atomicAdd(out + blockIdx.x, sum);
}
"""


def kernels(functions, type, letter, operand, result):
    parts = {"TYPE": type, "LETTER": letter, "OPERAND": operand, "RESULT": result}
    text = ""
    for name, ptx in functions.items():
        one = KERNELS
        for word, part in {**parts, "PTX": ptx, "NAME": name}.items():
            one = one.replace(word, part)
        text += one
    return text


def main():
    with open("special_functions.cu", "w") as file:
        file.write(kernels(SINGLE, "float", "f", "__uint_as_float(x)", "__float_as_uint(y)"))
        file.write(kernels(UPPER, "double", "d", "__hiloint2double(x, 0)", "__double2hiint(y)"))
        file.write(kernels(HALF, "unsigned short", "h", "(unsigned short)x", "y"))
    subprocess.run("nvcc -cubin -arch=sm_90 special_functions.cu -o special_functions.cubin", shell=True, check=True)
    with open("special_functions.cubin", "r+b") as file:
        code = file.read().replace(bytes.fromhex("83f9223e"), bytes.fromhex("0000803f"))
        file.seek(0)
        file.write(code)
    module = cupy.RawModule(path="special_functions.cubin")

    def all(name, first, count):
        out = cupy.zeros(count, "u4")
        module.get_function(f"all_{name}")((count // 256,), (256,), (numpy.uint32(first), out))
        return out.get()

    results = {}
    for name in (*SINGLE, *UPPER):
        out = cupy.zeros(65536, "u8")
        module.get_function(f"hash_{name}")((65536,), (256,), (out,))
        results["hash", name] = out.get()
    for name, exponents in EXPONENTS.items():
        for exponent in exponents:
            results[name, exponent] = all(name, exponent << 23, 1 << 23)
    for name in HALF:
        results[name] = all(name, 0, 65536).astype("u2")
    with open("results.pickle", "wb") as file:
        pickle.dump(results, file)


main()
