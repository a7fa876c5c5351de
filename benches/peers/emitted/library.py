"""What libraries take: library.py [REPETITIONS] prints NAME,SIZE,REPETITION,SECONDS. Needs PyTorch with CUDA."""
import sys

import torch

repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 11
torch.backends.cuda.matmul.allow_tf32 = False


def time(name, size, run):
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for repetition in range(-2, repetitions):
        begin.record()
        run()
        end.record()
        end.synchronize()
        if repetition >= 0:
            print(f"{name},{size},{repetition},{begin.elapsed_time(end) / 1000:.9g}")


n = 1 << 28
a, b, c = (torch.rand(n, device="cuda") for _ in range(3))
time("torch_copy", n, lambda: b.copy_(a))
time("torch_saxpy", n, lambda: b.add_(a, alpha=0.75))
one = torch.empty((), device="cuda")
time("torch_sum", n, lambda: torch.sum(a, dim=0, out=one))
for size in (n // 4, n):
    time("torch_cumsum", size, lambda: torch.cumsum(a[:size], 0, out=b[:size]))
square = a.view(16384, 16384)
time("torch_transpose", 16384, lambda: b.view(16384, 16384).copy_(square.t()))
time("torch_sat", 16384, lambda: torch.cumsum(torch.cumsum(square, 0), 1))
for size in (2048, 4096):
    x, y, z = (it[: size * size].view(size, size) for it in (a, b, c))
    time("cublas", size, lambda: torch.matmul(x, y, out=z))
p = torch.randperm(1 << 24, device="cuda")
x, y = a[: 1 << 24], b[: 1 << 24]
time("torch_scatter", 1 << 24, lambda: y.index_copy_(0, p, x))
