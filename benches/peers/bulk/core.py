"""The listings on one core: core.py UMM BUILD_DIR LISTINGS.csv prints rows of seconds. The code is that of
`umm cuda --standalone --bulk row`, compiled by g++ -O3 for the machine at hand."""
import csv
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

umm, build, chosen = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
LAUNCH = re.compile(r"(\w+)<<<(.+), (\d+), 0, stream>>>(\(.*\));")


def compiled(row):
    """The program of a listing, or why there is none."""
    name, path = row["listing"], os.path.join(build, row["listing"])
    emit = [umm, "cuda", name, "--set", row["set"], "--bulk", "row", "--prefetch", "1", "--standalone"]
    source = subprocess.run(emit, capture_output=True, text=True, check=True, timeout=60).stdout
    source, launches = LAUNCH.subn(r"launch(\2, \3, [&] { \1\4; });", source)
    if launches != 1:
        raise ValueError(f"{launches} launches")
    with open(path + ".cpp", "w") as file:
        file.write('#include "core.h"\n' + source)
    gcc = ["g++", "-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-w", f"-I{here}", "-o", path, path + ".cpp"]
    subprocess.run(gcc, check=True, timeout=120, capture_output=True, text=True)
    return path


def measured(row, path):
    """Rows of seconds of the listing's repetitions."""
    inputs = row["core_inputs"]
    ran = subprocess.run([path, inputs], capture_output=True, text=True, check=True, timeout=100)
    times = re.findall(r"^(\S+) s$", ran.stdout, re.M)
    return [f"{row['listing']},{row['set']},core,{inputs},{at},{time}" for at, time in enumerate(times)]


def rows(row):
    try:
        return measured(row, compiled(row))
    except (subprocess.SubprocessError, ValueError) as error:
        print(f"{row['listing']} on a core: {error} {getattr(error, 'stderr', '') or ''}"[:2000], file=sys.stderr)
        return []


listings = list(csv.DictReader(open(chosen, newline="")))
# A few at a time: cores do not wait for each other's memory.
with ThreadPoolExecutor(4) as pool:
    for found in pool.map(rows, listings):
        print("\n".join(found), flush=True) if found else None
