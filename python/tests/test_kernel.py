"""Kernels from outside: launched on numpy's arrays as on a device, with the numbers of the command line."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_listings import UMM

import memory_machine as mm

ROOT = Path(__file__).parents[2]
CUDA = ROOT / "kernels/cuda"

#: As CuPy's RawKernel has it: no mangled name says the types.
SAXPY = """extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def has_compiler():
    try:
        mm.kernel(SAXPY)
    except mm.Error as error:
        assert "no compiler for CUDA" in str(error)
        return False
    return True


pytestmark = pytest.mark.skipif(not has_compiler(), reason="neither nvcc nor NVRTC is here")


def numbers(n=1000):
    return np.arange(n, dtype=np.float32), np.ones(n, np.float32)


def test_arrays_are_written_in_place():
    (x, y), saxpy = numbers(), mm.kernel(CUDA / "saxpy.cu")
    run = saxpy[4, 256](1000, 2.5, x, y)
    assert (y == 2.5 * np.arange(1000) + 1).all() and (x == np.arange(1000)).all()
    assert (run["y"] == y).all() and (run[3] == y).all() and run.findings == []
    assert "saxpy.cu:4  if (i < n) y[i]" in run.sass() and "FFMA R" in run.sass()
    by_name = mm.kernel(str(CUDA / "saxpy.cu"))[(4,), (256, 1)](1000, a=2.5, x=x, y="ones:f32[1000]")
    assert (by_name["y"] == y).all()
    # A whole block of memory is passed as it stands.
    turned = np.asfortranarray(np.ones((4, 8), np.float32))
    saxpy[1, 32](32, 1, x, turned)
    assert (turned.ravel(order="F") == np.arange(32) + 1).all()


def test_numbers_are_those_of_the_command_line():
    launch = ["--kernel", "naive", "--grid", "4x4", "--block", "32x32", "--arg", "n=128"]
    arrays = ["--arg", "in=count:f32[128x128]", "--arg", "out=zeros:f32[128x128]"]
    said = subprocess.run(
        [UMM, "kernel", "kernels/cuda/transpose.cu", *launch, *arrays, "--json", "-m", "umm"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    expected = json.loads(said.stdout)
    given = np.arange(128 * 128, dtype=np.float32).reshape(128, 128)
    out = np.zeros_like(given)
    run = mm.kernel(CUDA / "transpose.cu", kernel="naive")[(4, 4), (32, 32)](128, given, out)
    assert (out == given.T).all()
    assert run.report["total"] == expected["total"] and run.instructions == expected["instructions"]
    assert run.worst == expected["worst"] and "let threadIdx.x run along the last index" in run.worst[0]
    assert run.time("umm").time == expected["counts"]["time_units"]
    rows = run.lines.to_dict("records")
    assert sum(it["sectors"] for it in rows) == expected["total"]["sectors"]
    assert rows[0]["share"] == max(it["share"] for it in rows)
    assert rows[0]["text"].startswith("out[") and rows[0]["explanation"] in run.worst[0]
    assert 1e-7 < run.seconds("h100") < 1e-4
    predicted = run.predict(model="h200")
    assert "KernelSeconds naive on NVIDIA H200" in repr(predicted) or "h200" in repr(predicted)
    assert "long_scoreboard" in predicted.lines.columns
    assert "<h2>Where it loses most</h2>" in run.html() and "in[row * n" in run.html()
    assert run._repr_html_().startswith("<p>KernelRun naive")


def test_a_source_says_types_and_lines():
    (x, y), saxpy = numbers(), mm.kernel(SAXPY)
    assert repr(saxpy) == "<Kernel saxpy(n, a, x, y)>"
    assert [it["type"] for it in saxpy.parameters] == ["i32", "f32", "f32", "f32"]
    run = saxpy[4, 256](1000, np.float64(2), x, y)
    assert y[10] == 21 and run.lines["file"][0].endswith("kernel.cu")
    assert "y[i] = a * x[i] + y[i]" in list(run.lines["text"])[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1000, 2.5), "parameter `x` of `saxpy` is not given"),
        ((1000, 2.5, 1, 2, 3), "5 arguments are given, and the kernel has 4"),
        ((1000.5, 2.5, *numbers()), "argument 0: `1000.5` is no whole number"),
        ((2**31, 2.5, *numbers()), "argument 0: `2147483648` is no i32"),
        ((1000, 2.5, np.zeros(1000), numbers()[0]), "argument 2: holds f64, and the kernel reads f32"),
        ((1000, 2.5, np.zeros(2000, "f4")[::2], numbers()[0]), "argument 2 is no whole block of memory"),
        ((1000, 2.5, [1.0], numbers()[0]), "argument 2 is a list: give a number, a numpy array"),
        ((2000, 2.5, *numbers(1000)), r"saxpy.cu:.*load of 4 bytes at 0 bytes beyond the end of `x`"),
    ],
)
def test_what_does_not_fit_is_named(arguments, message):
    saxpy = mm.kernel(CUDA / "saxpy.cu")
    with pytest.raises(mm.Error, match=message):
        saxpy[8, 256](*arguments)


def test_nothing_is_written_that_may_not_be():
    (x, y), saxpy = numbers(), mm.kernel(SAXPY)
    y.flags.writeable = False
    with pytest.raises(mm.Error, match="writes into argument 3, which is read-only"):
        saxpy[4, 256](1000, 1.0, x, y)
    assert (y == 1).all()
    x.flags.writeable = False
    saxpy[4, 256](1000, 1.0, x, y.copy())


def test_races_are_found_and_endless_loops_end():
    racy = mm.kernel('extern "C" __global__ void f(int *x) { x[0] = threadIdx.x; }')
    run = racy[2, 64](np.zeros(1, np.int32))
    assert {it["kind"] for it in run.findings} >= {"race-in-block"} and "WRONG" in repr(run)
    assert racy.run([np.zeros(1, np.int32)], grid=2, block=64, unchecked=True).findings == []
    endless = mm.kernel('extern "C" __global__ void f(volatile int *x) { while (x[0] == 0); }')
    with pytest.raises(mm.Error, match=r"stopped at the limit of 0.2 s; raise limit"):
        endless.run([np.zeros(1, np.int32)], limit="200ms")


def test_constants_structures_and_shared_memory():
    source = """struct Pair { float a; int b; };
    __constant__ float factors[2];
    extern "C" __global__ void f(Pair pair, double *y) {
        extern __shared__ float given[];
        given[threadIdx.x] = pair.a * factors[threadIdx.x % 2];
        __syncthreads();
        y[threadIdx.x] = given[63 - threadIdx.x] + pair.b;
    }"""
    pair = np.array([(2.0, 7)], dtype=[("a", "f4"), ("b", "i4")])[0]
    y = np.zeros(64)
    factors = np.array([1, 10], np.float32)
    f = mm.kernel(source)
    f.run({"0": pair, "y": y}, block=64, shared=256, constants={"factors": factors})
    assert y[0] == 27 and y[1] == 9
    with pytest.raises(mm.Error, match="shared"):
        f.run([pair, y], block=64, constants={"factors": factors})


def test_textures_and_surfaces_are_arrays():
    source = """extern "C" __global__ void f(cudaTextureObject_t t, cudaSurfaceObject_t s, float *y) {
        int i = threadIdx.x;
        y[i] = tex2D<float>(t, i + 1.0f, 1.5f);
        surf1Dwrite(2 * y[i], s, 4 * i);
    }"""
    f = mm.kernel(source)
    image = np.arange(32, dtype=np.float32).reshape(4, 8)
    y, doubled = np.zeros(8, np.float32), np.zeros(8, np.float32)
    f[1, 8](mm.Texture(image, "linear"), mm.Surface(doubled), y)
    # Between two texels; beyond the last one it is the last.
    assert y.tolist() == [8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.0]
    assert (doubled == 2 * y).all()
    with pytest.raises(mm.Error, match="`cubic` says nothing of a texture: point, linear"):
        f[1, 8](mm.Texture(image, "cubic"), mm.Surface(doubled), y)
    with pytest.raises(mm.Error, match="only normalized coordinates wrap"):
        f[1, 8](mm.Texture(image, "wrap"), mm.Surface(doubled), y)


def test_boxes_of_tensors_are_copied():
    source = """struct alignas(64) Map { unsigned long long opaque[16]; };
    extern "C" __global__ void f(const __grid_constant__ Map m, int y) {
        __shared__ __align__(128) float s[2 * 8];
        s[threadIdx.x] = threadIdx.x;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0)
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                :: "l"(&m), "r"(4), "r"(y), "r"((unsigned)__cvta_generic_to_shared(s)) : "memory");
    }"""
    image = np.zeros((4, 8), np.float32)
    mm.kernel(source)[1, 16](mm.TensorMap(image, (2, 8)), 3)
    # What lies beyond the edge is not stored.
    assert image[3].tolist() == [0, 0, 0, 0, 0, 1, 2, 3] and not image[:3].any()
    with pytest.raises(mm.Error, match="a box has 1 to 256 elements"):
        mm.kernel(source)[1, 16](mm.TensorMap(image, (2, 512)), 3)


def test_machine_code_of_other_kinds(tmp_path):
    class RawKernel:
        code, name = SAXPY, "saxpy"

    RawKernel.__module__ = "cupy._core.raw"
    x, y = numbers()
    mm.kernel(RawKernel())[4, 256](1000, 2.0, x, y)
    assert y[3] == 7
    with pytest.raises(mm.Error, match="a int is no kernel: give a file"):
        mm.kernel(3)
    with pytest.raises(mm.Error, match="kernel=\"other\": .*transpose.cu has no such kernel; it has .*naive"):
        mm.kernel(CUDA / "transpose.cu", kernel="other")
    with pytest.raises(mm.Error, match="none.cu"):
        mm.kernel("none.cu")
    with pytest.raises(mm.Error, match=r"kernel.cu does not compile for sm_90:\nkernel.cu\(1\): error"):
        mm.kernel("__global__ void f( { }")
    (tmp_path / "x.cubin").write_bytes(b"\x7fELF")
    with pytest.raises(mm.Error, match="x.cubin"):
        mm.kernel(tmp_path / "x.cubin")


def test_functions_of_triton(tmp_path, monkeypatch):
    pytest.importorskip("triton")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    module = tmp_path / "of_triton.py"
    module.write_text("""import triton, triton.language as tl
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)
""")
    monkeypatch.syspath_prepend(str(tmp_path))
    import of_triton

    (x, y), out = numbers(), np.zeros(1000, np.float32)
    run = mm.kernel(of_triton.add)[lambda meta: (-(-1000 // meta["BLOCK"]),)](x, y, out, 1000, BLOCK=256)
    assert (out == x + y).all() and (run["out"] == out).all()
    assert run.blocks == (4, 4) and run.lines["file"][0].endswith("of_triton.py")
    folder = next(it.parent for it in (tmp_path / "cache").glob("*/add.cubin"))
    out[:] = 0
    mm.kernel(folder)[4](x, y, out, np.int32(1000))
    assert (out == x + y).all()


def test_functions_of_numba():
    cuda = pytest.importorskip("numba.cuda")

    def axpy(a, x, y):
        i, j = cuda.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            y[i, j] += a * x[i, j]

    x = np.arange(40, dtype=np.float32).reshape(5, 8)
    y = np.ones((5, 8), np.float32)
    run = mm.kernel(cuda.jit(axpy))[(1, 1), (8, 8)](2.0, x, y)
    assert (y == 1 + 2 * x).all() and (run["y"] == y).all()
    assert run.lines["file"][0].endswith("test_kernel.py")


def test_the_page_s_code_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    code = re.findall(r"^```py\n(.*?)^```", (ROOT / "docs/python.md").read_text(), re.MULTILINE | re.DOTALL)
    exec(code[0], names)
    assert names["y"][999] == 2.5 * 999 + 1
    assert (tmp_path / "saxpy.html").read_text().startswith("<!doctype html>")


def test_structures_are_dicts():
    source = """struct Row { float *x; int n; };
    struct Rows { Row rows[2]; double scale; };
    __global__ void sum(Rows all, float3 d, float *y) {
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < all.rows[k].n; i++) all.rows[k].x[i] = y[0] += all.scale * all.rows[k].x[i];
        y[0] += d.z;
    }
    """
    sum_ = mm.kernel(source)
    members = sum_.parameters[0]["members"]
    assert [it["name"] for it in members] == ["rows[0].x", "rows[0].n", "rows[1].x", "rows[1].n", "scale"]
    assert [it["type"] for it in members] == ["f32", "i32", "f32", "i32", "f64"]
    (a, b), y = numbers(4), np.zeros(1, np.float32)
    rows = {"rows[0]": {"x": a, "n": 4}, "rows[1]": {"x": b, "n": np.int64(4)}, "scale": 2}
    run = sum_[1, 1](rows, (0, 0, 0.5), y)
    assert y[0] == 2 * 6 + 2 * 4 + 0.5 and (a == [0, 2, 6, 12]).all() and (b == [14, 16, 18, 20]).all()
    assert (run["all.rows[1].x"] == b).all() and (run["0.rows[0].x"] == a).all()
    with pytest.raises(mm.Error, match=r"parameter `all.scale` of `sum` is not given: argument all.scale=2.5"):
        sum_[1, 1]({"rows[0]": {"x": a, "n": 4}, "rows[1]": {"x": b, "n": 4}}, (0, 0, 0.5), y)
