"""Medians of run's rows, as a table: summary.py bulk.csv [peers.csv], the latter for `umm plot peers`."""
import csv
import statistics
import sys

SIDES = ("row", "column", "core", "blocks")
times, inputs = {}, {}
for row in csv.DictReader(open(sys.argv[1], newline="")):
    key = (row["listing"], row["size"], row["side"])
    times.setdefault(key, []).append(float(row["time_s"]))
    inputs[key] = int(row["inputs"])
# Seconds of an input.
one = {key: statistics.median(it) / inputs[key] for key, it in times.items()}
listings = list(dict.fromkeys(key[:2] for key in times))
print("| listing | inputs | row-wise | column-wise, or by blocks | row / column | one core / column | libraries, over column-wise |")
print("|---|---|---|---|---|---|---|")
rows = []


def ratio(over, under):
    return f"{over / under:.3g}" if over and under else ""


for listing in listings:
    row, column, core = (one.get((*listing, side)) for side in SIDES[:3])
    peers = {key[2]: it for key, it in one.items() if key[:2] == listing and key[2] not in SIDES}
    side = "column" if column else "blocks"
    column = one.get((*listing, side))
    if not column:
        continue
    count = inputs[(*listing, side)]
    milli = lambda it: f"{1e3 * it * count:.4g} ms" if it else ""
    others = ", ".join(f"{name} {it / column:.3g}" for name, it in peers.items())
    name, size = listing
    print(f"| `{name}` {size.replace('=', ' = ')} | {count} | {milli(row)} | {milli(column)} | {ratio(row, column)} | {ratio(core, column)} | {others} |")
    sides = {"row-wise": row, "one core": core, **peers}
    kinds = {"row-wise": "row-wise", "one core": "one core"}
    for side, it in sides.items():
        if it:
            rows.append((f"{name} {size}", count, side, kinds.get(side, "library"), column * count, it * count))
if len(sys.argv) > 2:
    with open(sys.argv[2], "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("what", "size", "peer", "kind", "time_s", "peer_time_s"))
        writer.writerows(rows)
