"""Times of torch for the sizes of algorithms.csv: `python3 peers.py > peers.csv`, torch 2.11.0+cu130."""

import csv
import sys

import torch

torch.backends.cuda.matmul.allow_tf32 = False
write = csv.writer(sys.stdout)
write.writerow(["peer", "size", "repetition", "time_s"])


def peer(name, size, run):
    run()
    torch.cuda.synchronize()
    for repetition in range(11):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begin.record()
        run()
        end.record()
        torch.cuda.synchronize()
        write.writerow([name, size, repetition, begin.elapsed_time(end) / 1e3])


def random(*sizes):
    return torch.rand(*sizes, device="cuda")


for n in (2048, 4096):
    a, b = random(n, n), random(n, n)
    c = torch.empty_like(a)
    peer("torch.mm", n, lambda: torch.mm(a, b, out=c))
n = 16384
a, x = random(n, n), random(n)
y = torch.empty_like(x)
peer("torch.mv", n, lambda: torch.mv(a, x, out=y))
turned = a.t()
peer("torch.mv transposed", n, lambda: torch.mv(turned, x, out=y))
c = torch.empty_like(a)
peer("transpose by torch.copy_", n, lambda: c.copy_(turned))
peer("copy by torch.copy_", n, lambda: c.copy_(a))
del a, turned, c
v, w = random(1 << 28), random(1 << 28)
peer("torch.sum", 1 << 28, lambda: torch.sum(v))
peer("torch.max", 1 << 28, lambda: torch.max(v))
peer("torch.dot", 1 << 28, lambda: torch.dot(v, w))
v = v[: 1 << 26].clone()
o = torch.empty_like(v)
peer("torch.cumsum", 1 << 26, lambda: torch.cumsum(v, 0, out=o))
x = random(65536, 256)
peer("torch.layer_norm", "65536x256", lambda: torch.nn.functional.layer_norm(x, (256,)))
