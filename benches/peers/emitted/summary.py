"""Medians and ratios of run's rows: summary.py emitted.csv [peers.csv], the latter for `umm plot peers`."""
import csv
import statistics
import sys

times = {}
for name, size, _, seconds in csv.reader(open(sys.argv[1], newline="")):
    if name == "name":
        continue
    times.setdefault((name, int(size)), []).append(float(seconds))
median = {key: statistics.median(it) for key, it in times.items()}
for (name, size), seconds in median.items():
    print(f"{name:36} {size:10} {1e3 * seconds:10.4f} ms  ({len(times[name, size])})")
N = 1 << 28
COPY, SCAN = ("copy", N), "emitted_prefix_sums_hmm"
pairs = [
    (("emitted_saxpy", N), [("saxpy", N), ("torch_saxpy", N)]),
    (("emitted_jacobi", 16384), [("jacobi", 16384)]),
    (("emitted_stencil9", 16384), [("stencil9", 16384)]),
    (("emitted_heat3d", 640), [("heat3d", 640)]),
    (("emitted_floyd_warshall", 1024), [("floyd_warshall", 1024)]),
    (("emitted_floyd_warshall", 4096), [("floyd_warshall", 4096)]),
    (("emitted_floyd_warshall_blocked", 4096), [("floyd_warshall", 4096)]),
    (("emitted_matrix_multiply", 2048), [("matrix_multiply", 2048)]),
    (("emitted_sum_hmm", N), [("torch_sum", N), ("cub_sum", N)]),
    ((SCAN, N // 4), [("torch_cumsum", N // 4), ("cub_scan", N // 4)]),
    ((SCAN, N), [("torch_cumsum", N), ("cub_scan", N)]),
    *[((f"emitted_transpose_{it}", 16384), [COPY, ("transpose", 16384)]) for it in ("padded", "diagonal", "rap")],
    *[((f"emitted_sat_{it}", 16384), [COPY]) for it in ("2r2w", "2r1w", "1r1w")],
    *[((f"emitted_matrix_multiply_{it}", 4096), [("cublas", 4096)]) for it in ("hmm", "registers")],
    *[((f"emitted_opt_{it}", 8192), [("engine_opt", 8192)]) for it in ("hmm", "tiled")],
]
KINDS = {"torch": "PyTorch", "cub": "CUB", "cublas": "cuBLAS", "copy": "copy", "engine": "engine of umm"}
rows = []
print()
for side, peers in pairs:
    for peer in peers:
        if side in median and peer in median:
            print(f"{side[0]:36} {side[1]:10} {median[side] / median[peer]:6.3f} x {peer[0]}")
            kind = KINDS.get(peer[0].split("_")[0], "by hand")
            name = "naive by hand" if kind == "by hand" and "blocked" in side[0] else kind
            rows.append((side[0].removeprefix("emitted_"), side[1], name, kind, median[side], median[peer]))
if len(sys.argv) > 2:
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("what", "size", "peer", "kind", "time_s", "peer_time_s"))
        writer.writerows(rows)
