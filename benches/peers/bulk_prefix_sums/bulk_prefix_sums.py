"""Bulk prefix-sums of p inputs of n words of f32: copy, hand-written, emitted, PyTorch and CUB.

python3 bulk_prefix_sums.py BUILD_DIR OUT_DIR [NxP ...], by `run` beside this file.
"""

import csv
import ctypes
import os
import random
import statistics
import subprocess
import sys
import time

import torch

SIZES = [(32, 4 << 20), (32, 8 << 20), (32, 16 << 20), (1024, 262144), (1024, 524288),
         (32768, 8192), (32768, 16384)]
WARM_UPS = 3
REPETITIONS = 11
SLOW = 3.0               # hand-written variants this many times slower than the fastest
SLOW_REPETITIONS = 3     # are repeated only so often
SAMPLE = 512             # inputs checked against the host
TOLERANCE = 1e-4         # relative, for sums in another order
SCRATCH = 256 << 20      # bytes rewritten before each measurement, several times the L2
TIME_LIMIT = 110.0       # seconds; later sizes are left out

INT, LONG, POINTER, TEXT = ctypes.c_int, ctypes.c_longlong, ctypes.c_void_p, ctypes.c_char_p


def load(path, **functions):
    library = ctypes.CDLL(path)
    for name, (result, *arguments) in functions.items():
        getattr(library, name).restype = result
        getattr(library, name).argtypes = arguments
    return library


build, out_dir = sys.argv[1:3]
sizes = [tuple(int(x) for x in s.split("x")) for s in sys.argv[3:]] or SIZES
started = time.monotonic()

hand = load(os.path.join(build, "hand.so"),
            prepare=(INT,), variant_count=(INT,), variant_name=(TEXT, INT),
            variant_arrangement=(TEXT, INT), variant_fits=(INT, INT, LONG, LONG),
            variant_launch=(INT, INT, POINTER, LONG, LONG, POINTER),
            copy_count=(INT,), copy_name=(TEXT, INT),
            copy_launch=(INT, INT, POINTER, POINTER, LONG, POINTER),
            copy_driver=(INT, POINTER, POINTER, LONG, POINTER),
            error_name=(TEXT, INT),
            reference=(None, POINTER, POINTER, POINTER, LONG, LONG))
emitted = load(os.path.join(build, "emitted.so"), emitted_launch=(INT, POINTER, LONG, LONG, POINTER))
CUB = (INT, POINTER, ctypes.POINTER(ctypes.c_size_t), POINTER, POINTER, LONG, LONG, POINTER)
cub = {}
cub_version = None
for name in ["cub_by_key", "cub_segmented"]:
    path = os.path.join(build, name + ".so")
    if os.path.exists(path):
        library = load(path, **{name: CUB})
        cub[name] = getattr(library, name)
        if name == "cub_by_key":
            cub_version = library.cub_version()


def call(code):
    if code != 0:
        raise RuntimeError(hand.error_name(code).decode())


class Side:
    """One thing to time: `launch` leaves its result in `result`, arranged as `arrangement`."""

    def __init__(self, side, arrangement, variant, launch, result, check):
        self.side, self.arrangement, self.variant = side, arrangement, variant
        self.launch, self.result, self.check = launch, result, check
        self.verified, self.warm, self.times = None, [], []

    def median(self):
        return statistics.median(self.times)


def measure(n, p, rows, say):
    stream = torch.cuda.current_stream().cuda_stream
    words, bytes_moved = n * p, 2 * 4 * n * p
    data = {"column": torch.rand((n, p), device="cuda", dtype=torch.float32)}
    data["row"] = data["column"].t().contiguous()
    shape = {"column": (n, p), "row": (p, n)}
    b = torch.empty(words, device="cuda", dtype=torch.float32)
    out = torch.empty(words, device="cuda", dtype=torch.float32)
    scratch = torch.rand(SCRATCH // 4, device="cuda", dtype=torch.float32)

    # ---- the sides --------------------------------------------------------------------------
    sides = [Side("copy driver", "any", "cudaMemcpyAsync",
                  lambda: call(hand.copy_driver(out.data_ptr(), b.data_ptr(), 4 * words, stream)), out, "copy")]
    for i in range(hand.copy_count()):
        name = hand.copy_name(i).decode()
        sides.append(Side("copy kernel", "any", name,
                          lambda i=i: call(hand.copy_launch(i, out.data_ptr(), b.data_ptr(), 4 * words, stream)),
                          out, "copy"))
        if "block=256" in name:
            sides.append(Side("pass in place", "any", name,
                              lambda i=i: call(hand.copy_launch(i, b.data_ptr(), b.data_ptr(), 4 * words, stream)),
                              b, "copy"))
    for i in range(hand.variant_count()):
        if hand.variant_fits(i, n, p):
            sides.append(Side("hand", hand.variant_arrangement(i).decode(), hand.variant_name(i).decode(),
                              lambda i=i: call(hand.variant_launch(i, b.data_ptr(), n, p, stream)), b, "exact"))
    for slot in ["", "again"]:
        sides.append(Side("emitted", "column", slot,
                          lambda: call(emitted.emitted_launch(b.data_ptr(), n, p, stream)), b, "exact"))
    for arrangement, dim in [("column", 0), ("row", 1)]:
        here, there = b.view(shape[arrangement]), out.view(shape[arrangement])
        sides.append(Side("torch", arrangement, "out=",
                          lambda here=here, there=there, dim=dim: torch.cumsum(here, dim, out=there), out, "close"))
        sides.append(Side("torch", arrangement, "in place",
                          lambda here=here, dim=dim: here.cumsum_(dim), b, "close"))
    memories = []
    for name, function in cub.items():
        need = ctypes.c_size_t(0)
        call(function(None, ctypes.byref(need), b.data_ptr(), out.data_ptr(), n, p, stream))
        memory = torch.empty(max(need.value, 1), device="cuda", dtype=torch.uint8)
        memories.append(memory)
        for variant, result in [("out of place", out), ("in place", b)]:
            def launch(function=function, need=need, memory=memory, result=result):
                call(function(memory.data_ptr(), ctypes.byref(need), b.data_ptr(), result.data_ptr(), n, p, stream))
            sides.append(Side(name.replace("_", " "), "row", variant, launch, result, "close"))

    def refill(side):
        b.view(shape["row" if side.arrangement == "row" else "column"]).copy_(
            data["row" if side.arrangement == "row" else "column"])

    # ---- correct before fast ----------------------------------------------------------------
    sample = torch.tensor(sorted({0, p - 1, *random.sample(range(p), min(p, SAMPLE))}), device="cuda")
    m = len(sample)
    given = data["column"].index_select(1, sample).cpu().contiguous()
    sums, wide = torch.empty_like(given), torch.empty((n, m), dtype=torch.float64)
    hand.reference(given.data_ptr(), sums.data_ptr(), wide.data_ptr(), n, m)
    sums, wide = sums.cuda(), wide.cuda()
    expected = {}

    def bits(x):
        return x.view(torch.int32)

    def columns(side):
        if side.arrangement == "row":
            return side.result.view(p, n).index_select(0, sample).t()
        return side.result.view(n, p).index_select(1, sample)

    def verify(side):
        refill(side)
        if side.result is not b:
            out.fill_(float("nan"))
        side.launch()
        torch.cuda.synchronize()
        if side.check == "copy":
            return torch.equal(bits(side.result), bits(data["column"].view(-1)))
        if side.check == "exact":
            if not torch.equal(bits(columns(side).contiguous()), bits(sums)):
                return False
            if not expected:
                expected["column"] = side.result.clone()
                expected["row"] = side.result.view(n, p).t().contiguous().view(-1)
            return torch.equal(bits(side.result), bits(expected[side.arrangement]))
        near = (columns(side).double() - wide).abs() <= TOLERANCE * wide.abs()
        if not bool(near.all()):
            return False
        near = (side.result - expected[side.arrangement]).abs() <= TOLERANCE * expected[side.arrangement].abs()
        return bool(near.all())

    # The plainest kernel first: the whole of its result is what all others are held against.
    sides.sort(key=lambda s: (s.side, s.variant) != ("hand", "V=1 U=1 block=128"))
    for side in sides:
        side.verified = verify(side)
        if side is sides[0] and not side.verified:
            raise RuntimeError("the plainest kernel is wrong: nothing to compare with")
    expected.clear()
    wrong = [s for s in sides if not s.verified]
    right = [s for s in sides if s.verified]

    # ---- time -------------------------------------------------------------------------------
    def timed(side):
        refill(side)
        scratch.add_(1.0)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        side.launch()
        end.record()
        return begin, end

    def round_of(chosen):
        order = chosen[:]
        random.shuffle(order)
        events = [(side, *timed(side)) for side in order]
        torch.cuda.synchronize()
        return [(side, begin.elapsed_time(end) * 1e-3) for side, begin, end in events]

    for _ in range(WARM_UPS):
        for side, seconds in round_of(right):
            side.warm.append(seconds)
    fastest = {a: min(min(s.warm) for s in right if s.side == "hand" and s.arrangement == a)
               for a in {s.arrangement for s in right if s.side == "hand"}}
    for repetition in range(REPETITIONS):
        chosen = [s for s in right if repetition < SLOW_REPETITIONS or s.side != "hand"
                  or min(s.warm) <= SLOW * fastest[s.arrangement]]
        for side, seconds in round_of(chosen):
            side.times.append(seconds)

    for side in wrong:
        rows.append([side.side, side.arrangement, n, p, side.variant, "", "", bytes_moved, "WRONG"])
    for side in right:
        how = {"copy": "exact", "exact": "exact", "close": "within 1e-4"}[side.check]
        for repetition, seconds in enumerate(side.times, 1):
            rows.append([side.side, side.arrangement, n, p, side.variant, repetition,
                         f"{seconds:.9f}", bytes_moved, how])

    # ---- report -----------------------------------------------------------------------------
    def best(*chosen):
        return min(chosen, key=Side.median) if chosen else None

    def those(name, arrangement=None, test=lambda v: True):
        return [s for s in right if s.side == name and arrangement in (None, s.arrangement) and test(s.variant)]

    copies = those("copy driver") + those("copy kernel")
    ceiling = best(*copies)
    program = best(*those("emitted", test=lambda v: v == ""))
    again = best(*those("emitted", test=lambda v: v == "again"))
    hand_column, hand_row = best(*those("hand", "column")), best(*those("hand", "row"))
    torch_column, torch_row = best(*those("torch", "column")), best(*those("torch", "row"))
    cub_best = best(*[s for s in right if s.side.startswith("cub")])

    say("")
    say(f"n = {n}  p = {p}  {4 * words / 2**30:g} GiB, {bytes_moved / 1e9:.3f} GB read and written")
    say(f"  {'':48} {'median ms':>10} {'TB/s':>6} {'of copy':>8} {'spread':>7}")

    def line(label, side):
        if side is None:
            say(f"  {label:48} {'-':>10}")
            return
        t = side.median()
        spread = (max(side.times) - min(side.times)) / t
        say(f"  {label + ': ' + side.variant if side.variant else label:48} {t * 1e3:10.4f} "
            f"{bytes_moved / t / 1e12:6.3f} {ceiling.median() / t:8.1%} {spread:7.1%}")

    line("copy", best(*those("copy driver")))
    line("copy", best(*those("copy kernel")))
    line("pass in place", best(*those("pass in place")))
    line("column emitted", program)
    line("column emitted", again)
    for family, test in [("", lambda v: v[0] == "V" and v[2] == "1"), ("", lambda v: v[0] == "V" and v[2] == "2"),
                         ("", lambda v: v[0] == "V" and v[2] == "4"),
                         ("", lambda v: v.startswith("ahead")), ("", lambda v: v.startswith("ring"))]:
        line("column hand", best(*those("hand", "column", test)))
    for variant in ["V=1 U=1 block=128", "V=1 U=8 block=128"]:
        line("column hand", best(*those("hand", "column", lambda v: v == variant)))
    line("column torch", torch_column)
    line("row hand", hand_row)
    line("row torch", torch_row)
    for name in cub:
        line("row " + name.replace("_", " "), best(*those(name.replace("_", " "))))
    if wrong:
        say("  WRONG, not timed: " + "; ".join(f"{s.side} {s.arrangement} {s.variant}" for s in wrong))

    def ratio(x, y):
        return f"{x.median() / y.median():.3f}" if x and y else "-"

    return [n, p, f"{ceiling.median() / program.median():.1%}" if program else "WRONG",
            ratio(program, hand_column), ratio(program, hand_row), ratio(program, torch_column),
            ratio(program, torch_row), ratio(program, cub_best)]


def main():
    text = []

    def say(line):
        print(line, flush=True)
        text.append(line)

    seed = int.from_bytes(os.urandom(6), "little")
    torch.manual_seed(seed)
    random.seed(seed)
    call(hand.prepare())
    with open(os.path.join(out_dir, "build.txt")) as file:
        nvcc = " ".join(file.read().split())
    driver = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                            capture_output=True, text=True).stdout.strip()
    version = f"{cub_version // 100000}.{cub_version // 100 % 1000}.{cub_version % 100}" if cub_version else "-"
    say(f"{torch.cuda.get_device_name()} ({driver}), torch {torch.__version__}, CUB {version}, seed {seed}")
    say(nvcc)
    say(f"{WARM_UPS} warm-ups, {REPETITIONS} repetitions (hand-written variants over {SLOW:g} times the fastest: "
        f"{SLOW_REPETITIONS}), all sides in turn")
    rows, summary = [], []
    for n, p in sizes:
        if time.monotonic() - started > TIME_LIMIT:
            say(f"n = {n}  p = {p}: left out, time is up")
            continue
        summary.append(measure(n, p, rows, say))
        torch.cuda.empty_cache()
        with open(os.path.join(out_dir, "bulk_prefix_sums.csv"), "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow("side,arrangement,n,p,variant,repetition,time_s,bytes,verified".split(","))
            writer.writerows(rows)
    say("")
    say("emitted: share of the copy; its time over that of the best of each other side (below 1: emitted is faster)")
    say(f"{'n':>7} {'p':>9} {'of copy':>8} {'hand col':>9} {'hand row':>9} {'torch col':>10} {'torch row':>10} {'CUB row':>8}")
    for n, p, share, a, b, c, d, e in summary:
        say(f"{n:7} {p:9} {share:>8} {a:>9} {b:>9} {c:>10} {d:>10} {e:>8}")
    say(f"{time.monotonic() - started:.0f} s")
    with open(os.path.join(out_dir, "bulk_prefix_sums.txt"), "w") as file:
        file.write("\n".join(text) + "\n")


main()
