"""A random permutation of 2^24 words by PyTorch and CuPy: prints NAME,SIZE,REPETITION,SECONDS."""
import sys

import torch

N, REPETITIONS = 1 << 24, 11
p = torch.randperm(N, device="cuda")
narrow = p.to(torch.int32)
a = torch.rand(N, device="cuda")
b = torch.empty_like(a)
scattered, gathered = torch.empty_like(a), a[p]
scattered[p] = a


def time(name, run, wanted):
    try:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for repetition in range(-2, REPETITIONS):
            b.fill_(-1)
            torch.cuda.synchronize()
            begin.record()
            run()
            end.record()
            end.synchronize()
            if repetition == -2 and not torch.equal(b, wanted):
                print(f"{name}: WRONG", file=sys.stderr)
                return
            if repetition >= 0:
                print(f"{name},{N},{repetition},{begin.elapsed_time(end) / 1000:.9g}")
    except (RuntimeError, TypeError) as error:
        print(f"{name}: {error}", file=sys.stderr)


time("torch_scatter", lambda: b.scatter_(0, p, a), scattered)
time("torch_index_copy", lambda: b.index_copy_(0, p, a), scattered)
time("torch_gather", lambda: torch.gather(a, 0, p, out=b), gathered)
time("torch_take_32", lambda: torch.index_select(a, 0, narrow, out=b), gathered)
try:
    import cupy

    with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
        x, y, q = (cupy.from_dlpack(it) for it in (a, b, narrow))
        time("cupy_scatter", lambda: y.__setitem__(q, x), scattered)
        time("cupy_gather", lambda: cupy.take(x, q, out=y), gathered)
except ImportError as error:
    print(f"CuPy: {error}", file=sys.stderr)
