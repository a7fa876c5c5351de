"""Misses and write-backs of -m ideal-cache against pycachesim's, on PolyBench.

    compare.py UMM [LISTING ...]

UMM is the command. Each listing is traced with one thread, which is the serial order of its accesses;
pycachesim hears each of them as a load or a store of one byte, so that a byte is a word. A store is
loaded first: pycachesim leaves a line's age as it is where a store hits, which is not LRU. Exits with 1
where one number differs.
"""

import json
import re
import subprocess
import sys

from cachesim import Cache, CacheSimulator, MainMemory

# pycachesim takes caches of 2ᵏ lines of 2ʲ bytes; its ways are all of them.
SIZES = [16, 32, 64, 128, 256, 512, 1024]
LINES = [1, 4, 8, 16]

LISTINGS = {
    "adi": {"n": 10}, "atax": {"n": 16}, "bicg": {"n": 16}, "correlation": {"m": 8},
    "covariance": {"m": 8}, "deriche": {"n": 16}, "doitgen": {"r": 6}, "durbin": {"n": 24},
    "fdtd_2d": {"n": 10}, "gemm": {"n": 12}, "gemver": {"n": 16}, "gesummv": {"n": 16},
    "gramschmidt": {"n": 8}, "heat_3d": {"n": 7}, "jacobi_1d": {"n": 64}, "jacobi_2d": {"n": 12},
    "ludcmp": {"n": 12}, "mvt": {"n": 16}, "seidel_2d": {"n": 12}, "symm": {"m": 8},
    "syr2k": {"n": 12}, "syrk": {"n": 12}, "three_products": {"n": 10}, "trmm": {"m": 10},
    "two_products": {"n": 10},
}  # fmt: skip


def umm(*words):
    return subprocess.run([UMM, *words], check=True, capture_output=True, text=True).stdout


def accesses(sizes, line, name):
    """Kind and address of each access of a run with one thread."""
    for step in umm("trace", name, *sizes, "-p", "1", "-w", str(line), "-o", "-").splitlines():
        found = re.fullmatch(r"([RW]) (\d+)(?:\+\d+x1)?", step.split("#")[0].strip())
        if found:
            yield found[1], int(found[2])
        elif not re.match(r"threads|B|#|$", step):
            raise SystemExit(f"{name}: a step of one thread is one access, not {step!r}")


def peer(trace, size, line):
    memory = MainMemory()
    cache = Cache("L1", sets=1, ways=size // line, cl_size=line, replacement_policy="LRU")
    memory.load_to(cache)
    memory.store_from(cache)
    simulator = CacheSimulator(cache, memory)
    for kind, address in trace:
        simulator.load(address, 1)
        if kind == "W":
            simulator.store(address, 1)
    simulator.force_write_back()
    stats = cache.stats()
    return stats["MISS_count"], stats["EVICT_count"]


def main():
    print("listing,size,line,cache,accesses,misses,write_backs")
    wrong = 0
    for name in sys.argv[2:] or LISTINGS:
        sizes = [word for it in LISTINGS[name].items() for word in ("--set", "{}={}".format(*it))]
        for line in LINES:
            trace = list(accesses(sizes, line, name))
            caches = [it for it in SIZES if it >= line]
            said = json.loads(umm("run", name, *sizes, "-m", "ideal-cache", "--line", str(line),
                                  "--cache", ",".join(map(str, caches)), "--json"))  # fmt: skip
            for row in said["curve"]:
                ours = row["misses"], row["write_backs"]
                theirs = peer(trace, row["cache"], line)
                if ours != theirs:
                    wrong += 1
                    print(f"{name}: B = {line}, M = {row['cache']}: {ours}, not {theirs}", file=sys.stderr)
                size = "{}={}".format(*next(iter(LISTINGS[name].items())))
                print(name, size, line, row["cache"], len(trace), *theirs, sep=",")
    if wrong:
        raise SystemExit(f"{wrong} rows differ")


if __name__ == "__main__":
    UMM = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
    main()
