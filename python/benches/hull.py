"""10⁷ × 2 numbers of numpy into `hull`, beside the command line's own time for points in memory.

    python python/benches/hull.py [N]
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import memory_machine as mm

REPETITIONS = 7
UMM = Path(sys.executable).with_name("umm")


def seconds(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def command(n):
    words = ["hull", "random", "-n", str(n), "--json"]
    found = subprocess.run([UMM, *words], capture_output=True, text=True, check=True)
    return json.loads(found.stdout)["seconds"]


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    points = np.random.default_rng(1).random((n, 2))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # By turns, so that both see the same machine.
    pairs = [(seconds(lambda: mm.hull(points)), command(n)) for _ in range(REPETITIONS)]
    ours, theirs = map(statistics.median, zip(*pairs))
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"{n} points: {ours:.4f} s, of the command line {theirs:.4f} s: {ours / theirs:.3f} ×")
    print(f"{more / 1024:.0f} MiB more memory, where the points take {points.nbytes / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
