"""Times of torch for the sizes of algorithms.csv: `python3 peers.py > peers.csv`."""

import csv
import sys

import torch

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


n = 16384
a, x = torch.rand(n, n, device="cuda"), torch.rand(n, device="cuda")
y, c = torch.empty_like(x), torch.empty_like(a)
peer("torch.mv transposed", n, lambda: torch.mv(a.t(), x, out=y))
peer("transpose by torch.copy_", n, lambda: c.copy_(a.t()))
peer("copy by torch.copy_", n, lambda: c.copy_(a))
