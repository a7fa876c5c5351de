"""Basic blocks of machine code beside those of the model: python3 compare.py OURS.csv FILE.cubin …

Machine code is disassembled by cuobjdump. Its control bits say how many cycles an instruction keeps
the next one waiting, which scoreboard its result takes, and which ones it waits for. A block is begun
instruction by instruction so, each word from global memory after 300 cycles.
"""

import collections
import csv
import math
import os
import re
import statistics
import subprocess
import sys

LATENCY = collections.defaultdict(lambda: 20, LDG=300, LD=300, LDS=24, LDL=33, LDC=30)
ACCESSES = ("LDG", "STG", "LDS", "STS")


def kernels(cubin):
    """By kernel, its instructions: address, text, cycles, scoreboard, those waited for."""
    text = subprocess.run(["cuobjdump", "-sass", cubin], capture_output=True, text=True, check=True)
    lines, found, name = text.stdout.splitlines(), {}, None
    for first, second in zip(lines, lines[1:]):
        if function := re.search(r"Function : (\S+)", first):
            name = function[1]
        line = re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*/\* 0x[0-9a-f]{16} \*/", first)
        if line and name:
            control = int(re.search(r"0x([0-9a-f]{16})", second)[1], 16) >> 41
            stall, board, waits = control & 15, control >> 5 & 7, control >> 11 & 63
            found.setdefault(name, []).append((int(line[1], 16), line[2], stall, board, waits))
    return found


def blocks(code):
    begins = set()
    for at, text, *_ in code:
        if branch := re.search(r"\b(BRA|BSSY|EXIT|BSYNC|CALL\S*|RET\S*|BRX)\b", text):
            if branch[1] != "BSSY":
                begins.add(at + 16)
            if to := re.search(r"0x([0-9a-f]+)\s*;?$", text):
                begins.add(int(to[1], 16))
    block = []
    for line in code:
        if line[0] in begins and block:
            yield block
            block = []
        if not line[1].startswith("NOP"):
            block.append(line)
    if block:
        yield block


def shape(block):
    """Accesses by kind, instructions, cycles."""
    boards, now, accesses = [0.0] * 6, 0.0, collections.Counter()
    for _, text, stall, board, waits in block:
        name = re.sub(r"^@!?U?P\w+\s+", "", text).split()[0].split(".")[0]
        now = max([now] + [boards[it] for it in range(6) if waits >> it & 1])
        if board < 6:
            boards[board] = max(boards[board], now + LATENCY[name])
        accesses[name] += 1
        now += max(stall, 1)
    return tuple(accesses[it] for it in ACCESSES), len(block), now


def line(name, ratios):
    logarithms = [math.log(it) for it in ratios]
    print(
        f"{name}: {len(ratios)} blocks, geometric mean {math.exp(statistics.mean(logarithms)):.2f}, "
        f"median {statistics.median(ratios):.2f}, off by a factor of "
        f"{math.exp(statistics.mean(map(abs, logarithms))):.2f} on the mean"
    )


def main():
    ours = collections.defaultdict(list)
    for row in csv.DictReader(open(sys.argv[1])):
        accesses = tuple(int(row[it]) for it in ("reads", "writes", "shared_reads", "shared_writes"))
        file = os.path.splitext(os.path.basename(row["file"]))[0]
        numbers = float(row["instructions"]), float(row["cycles"])
        ours[file, row["kernel"], accesses].append(numbers)
    pairs, alone = [], 0
    for cubin in sys.argv[2:]:
        file = os.path.splitext(os.path.basename(cubin))[0]
        for name, code in kernels(cubin).items():
            for accesses, instructions, cycles in map(shape, blocks(code)):
                if sum(accesses) < 2:
                    continue
                left = ours[file, name, accesses]
                if not left:
                    alone += 1
                    continue
                nearest = min(left, key=lambda it: abs(it[0] - instructions))
                left.remove(nearest)
                if nearest[0] > 0:
                    pairs.append((accesses[0], nearest[0] / instructions, nearest[1] / cycles, file, name))
    print(f"{len(pairs)} blocks of two accesses or more in both, {alone} in machine code alone")
    line("instructions, model / ptxas", [it[1] for it in pairs])
    for least in 2, 8:
        line(f"cycles, {least} reads or more", [it[2] for it in pairs if it[0] >= least])
    far = sorted((it for it in pairs if it[0] >= 2), key=lambda it: -abs(math.log(it[2])))
    for reads, _, cycles, file, name in far[:20]:
        print(f"  {cycles:.2f} {file} {name}, {reads} reads")


main()
