"""What libraries take for the same tasks: library.py [LISTING ...] prints rows of seconds, of all tasks or those of listings. Needs PyTorch with CUDA."""
import math
import random
import sys
import time

import torch

REPETITIONS = 11


def timed(listing, size, side, inputs, run, restore=lambda: None):
    """Seconds of `run`, between events, after two runs that warm up."""
    try:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for repetition in range(-2, REPETITIONS):
            restore()
            torch.cuda.synchronize()
            begin.record()
            run()
            end.record()
            end.synchronize()
            if repetition >= 0:
                print(f"{listing},{size},{side},{inputs},{repetition},{begin.elapsed_time(end) / 1000:.9g}", flush=True)
    except RuntimeError as error:
        print(f"{listing} {side}: {error}", file=sys.stderr)


def fft(listing, size, kind, inputs):
    x = torch.view_as_complex(torch.rand(inputs, 1024, 2, dtype=kind, device="cuda"))
    y = torch.empty_like(x)
    torch.fft.fft(x, out=y)
    wanted = torch.fft.fft(x[:64].to(torch.complex128))
    error = ((y[:64] - wanted).abs().max() / wanted.abs().max()).item()
    assert error < 1e-5, f"{listing}: {error}"
    timed(listing, size, "cuFFT", inputs, lambda: torch.fft.fft(x, out=y))


def sort(inputs):
    given = torch.rand(inputs, 64, device="cuda")
    values, places = torch.empty_like(given), torch.empty_like(given, dtype=torch.int64)
    torch.sort(given, dim=1, out=(values, places))
    assert (values[:, 1:] >= values[:, :-1]).all()
    timed("bitonic_registers", "k=6", "torch.sort", inputs, lambda: torch.sort(given, dim=1, out=(values, places)))


def lu(inputs):
    given = torch.rand(inputs, 16, 16, dtype=torch.float64, device="cuda")
    factors, pivots, _ = torch.linalg.lu_factor_ex(given[:64])
    p, l, u = torch.lu_unpack(factors, pivots)
    assert torch.allclose(p @ l @ u, given[:64])
    timed("lu_pivoted", "n=16", "torch.linalg.lu_factor", inputs, lambda: torch.linalg.lu_factor_ex(given))


def cumsum(inputs):
    b = torch.rand(1024, inputs, device="cuda")
    out = torch.empty_like(b)
    timed("prefix_sums", "n=1024", "torch.cumsum", inputs, lambda: torch.cumsum(b, 0, out=out))


def gcd(inputs):
    """CPython's math.gcd (Lehmer's) on one core, of as large numbers."""
    numbers = random.Random(1)
    pairs = [[numbers.getrandbits(1024) | 1 | 1 << 1023 for _ in range(2)] for _ in range(inputs)]
    for repetition in range(REPETITIONS):
        begin = time.perf_counter()
        for a, b in pairs:
            math.gcd(a, b)
        print(f"long_gcd_1024,n=32,CPython,{inputs},{repetition},{time.perf_counter() - begin:.9g}")


tasks = {
    "long_gcd_1024": lambda: gcd(2000),
    "fft_hmm": lambda: fft("fft_hmm", "m=64 p=262144", torch.float32, 1 << 18),
    "fft32": lambda: fft("fft32", "k=10", torch.float32, 1 << 18),
    "fft": lambda: fft("fft", "k=10", torch.float64, 1 << 16),
    "bitonic_registers": lambda: sort(1 << 20),
    "lu_pivoted": lambda: lu(1 << 17),
    "prefix_sums": lambda: cumsum(1 << 19),
}
for task in sys.argv[1:] or tasks:
    try:
        tasks.get(task, lambda: None)()
    except (RuntimeError, AssertionError) as error:
        print(f"PyTorch: {error}", file=sys.stderr)
    torch.cuda.empty_cache()
