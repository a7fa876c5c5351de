"""Straight-line code: cycles an instruction takes by the length of the code, the first time and again.

python3 fetch.py > fetch.csv: needs CuPy, and ptxas in PATH. The columns: instructions of the code; blocks,
of so many warps; whether other code of 30,000 instructions ran before; cycles an instruction the first of
five times, and the mean of the others, each the mean of the blocks' first threads, third launch.
"""

import subprocess
import tempfile

import cupy

SIZES = [128, 256, 512, 1024, 2048, 4096, 6144, 8192, 12288, 16384, 32768]
TURNS = 5


def kernel(count, name):
    body = "\n".join(f"fma.rn.f32 %x{i % 8},%x{i % 8},%f,%f;" for i in range(count))
    loads = "\n".join(f"ld.global.f32 %x{i},[%p+{4 * i}];" for i in range(8))
    stores = "\n".join(f"st.global.f32 [%p+{4 * i}],%x{i};" for i in range(8))
    return f"""
.visible .entry {name}(.param .u64 a, .param .u64 o, .param .u32 turns) {{
.reg .f32 %x<8>; .reg .f32 %f; .reg .u64 %a,%o,%p,%c0,%c1,%first,%rest;
.reg .u32 %t,%turns,%turn,%cta; .reg .pred %q;
ld.param.u64 %a,[a]; ld.param.u64 %o,[o]; ld.param.u32 %turns,[turns];
mov.u32 %t,%tid.x; mov.u32 %cta,%ctaid.x;
mul.wide.u32 %p,%t,4; add.u64 %p,%p,%a;
{loads}
mov.f32 %f,0f3F000000; mov.u64 %rest,0; mov.u64 %first,0; mov.u32 %turn,0;
L:
mov.u64 %c0,%clock64;
{body}
mov.u64 %c1,%clock64; sub.u64 %c1,%c1,%c0; setp.eq.u32 %q,%turn,0;
@%q mov.u64 %first,%c1; @!%q add.u64 %rest,%rest,%c1;
add.u32 %turn,%turn,1; setp.lt.u32 %q,%turn,%turns; @%q bra L;
{stores}
setp.ne.u32 %q,%t,0; @%q ret;
mul.wide.u32 %p,%cta,16; add.u64 %p,%p,%o; st.global.u64 [%p],%first; st.global.u64 [%p+8],%rest; ret;
}}"""


def main():
    text = ".version 8.0\n.target sm_90\n.address_size 64\n"
    text += "".join(kernel(n, f"k{n}") for n in SIZES) + kernel(30000, "other")
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/fetch.ptx", "w") as file:
            file.write(text)
        command = ["ptxas", "-arch", "sm_90", "-o", f"{folder}/fetch.cubin", f"{folder}/fetch.ptx"]
        subprocess.run(command, check=True)
        module = cupy.RawModule(path=f"{folder}/fetch.cubin")
    words = cupy.zeros(1 << 18, dtype=cupy.float32)
    cycles = cupy.zeros(2 * 132, dtype=cupy.int64)
    other = module.get_function("other")
    print("instructions,blocks,warps,evicted,first,again")
    for n in SIZES:
        function = module.get_function(f"k{n}")
        for blocks in (1, 132):
            for warps in (1, 2, 4, 8, 16):
                for evicted in (0, 1):
                    for _ in range(3):
                        if evicted:
                            other((132,), (32,), (words, cycles, cupy.uint32(1)))
                        function((blocks,), (32 * warps,), (words, cycles, cupy.uint32(TURNS)))
                    taken = cycles.get()[: 2 * blocks]
                    first = taken[0::2].mean() / n
                    again = taken[1::2].mean() / n / (TURNS - 1)
                    print(n, blocks, warps, evicted, round(first, 3), round(again, 3), sep=",")


main()
