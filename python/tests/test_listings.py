"""Every shipped listing: the same numbers as the command line's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import memory_machine as mm

#: The command of the wheel; or another `umm`, which starts without Python and is faster.
OWN = Path(sys.executable).with_name("umm")
UMM = os.environ.get("UMM", OWN)
NAMES = [it["name"] for it in mm.listings()]


def umm(*words):
    return subprocess.run([UMM, *words], capture_output=True, text=True, check=True).stdout


def test_the_wheel_has_the_command():
    words = ["run", "sum", "--set", "n=64", "--json"]
    own = subprocess.run([OWN, *words], capture_output=True, text=True, check=True)
    assert json.loads(own.stdout) == mm.run("sum", n=64).report
    wrong = subprocess.run([OWN, "run", "som"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "no shipped listing is called `som`" in wrong.stderr


def test_all_shipped_listings_are_there():
    shipped = [it["name"] for it in json.loads(umm("list", "--json"))["algorithms"]]
    assert sorted(NAMES) == sorted(shipped)


def flags(name):
    """Sizes of a listing: as flags of `umm`, and as arguments."""
    # Its matrix has at least w rows.
    size = 32 if name == "permute_offline" else 16
    sizes = {it: size for it, default in mm.Listing.load(name).parameters.items() if default is None}
    words = [word for it, value in sizes.items() for word in ("--set", f"{it}={value}")]
    return words, sizes


def machine(name):
    try:
        mm.run(name, **flags(name)[1], time_only=True)
        return [], {}
    except mm.Error:
        return ["-m", "hmm", "-d", "2"], {"machine": "hmm", "d": 2}


@pytest.mark.parametrize("name", NAMES)
def test_run_is_that_of_the_command_line(name):
    words, sizes = flags(name)
    more, on = machine(name)
    report = json.loads(umm("run", name, *words, *more, "-w", "32", "-l", "7", "-p", "64", "--json"))
    run = mm.run(name, **sizes, **on, w=32, l=7, p=64)
    assert run.report == report
    assert (run.time, run.verified) == (report["time_units"], report["verified"])
    counted = json.loads(umm("run", name, *words, *more, "--time-only", "--json"))
    assert mm.run(name, **sizes, **on, time_only=True).report == counted


@pytest.mark.parametrize("name", NAMES)
def test_check_is_that_of_the_command_line(name):
    words, sizes = flags(name)
    assert mm.Listing.load(name).check(**sizes).report == json.loads(
        umm("check", name, *words, "--json")
    )
    assert mm.Listing.load(name).check().report == json.loads(umm("check", name, "--json"))


def test_check_says_how_oblivious_a_listing_is():
    guarded = mm.Listing("""algorithm guarded(n)
input a[n] : f32
output b[n] : f32
for i <- 0 to n-1 do
  if a[i] > 0 then
    b[i] <- a[i]
""")
    for listing, verdict in [
        (mm.Listing.load("sum"), "oblivious"),
        (guarded, "semi-oblivious"),
        (mm.Listing.load("permute"), "not oblivious"),
    ]:
        checked = listing.check()
        assert checked.obliviousness == verdict
        assert checked.oblivious == (verdict == "oblivious")
        assert f": {verdict}" in repr(checked)


@pytest.mark.parametrize("name", ["sum", "transpose", "umm_opt"])
def test_text_is_that_of_the_command_line(name):
    words, sizes = flags(name)
    listing = mm.Listing.load(name)
    assert listing.trace(**sizes, p=4, w=4) == umm(
        "trace", name, *words, "-p", "4", "-w", "4", "-o", "-"
    )
    # Its first lines name the command that emitted it.
    emitted, cuda = umm("cuda", name), listing.cuda()
    assert emitted.splitlines()[1:] == cuda.splitlines()[1:]


def test_prediction_is_that_of_the_command_line():
    words = ["--model", "h200", "--listing", "--json"]
    bulk = ["--set", "n=64", "--bulk", "column", "-p", "65536"]
    prediction = mm.Listing.load("prefix_sums").predict(n=64, bulk="column", p=65536)
    assert prediction.report == json.loads(umm("predict", "prefix_sums", *bulk, *words))
    assert prediction.seconds > 0 and prediction.plain > 0
    on_dmms = mm.Listing.load("sum_hmm").predict(n=65536)
    assert on_dmms.report == json.loads(umm("predict", "sum_hmm", "--set", "n=65536", *words))


def test_sweep_is_that_of_the_command_line(tmp_path):
    table = tmp_path / "table.csv"
    umm("sweep", "sum,transpose", "--set", "n=8,16", "-m", "umm,dmm", "-p", "1..64*4", "-o", table)
    import pandas

    mine = mm.sweep(["sum", "transpose"], n=[8, 16], machine=["umm", "dmm"], p="1..64*4")
    theirs = pandas.read_csv(table)
    for column in ("algorithm", "machine", "threads", "accesses", "stages", "time_units"):
        assert list(mine[column]) == list(theirs[column])
    assert [f"n={n}" for n in mine["n"]] == list(theirs["set"])


COURSES = [
    ("pram", {"pram": "erew", "cost": "accesses"}),
    ("work-span", {"spawn": "log"}),
    ("ideal-cache", {"cache": [64, 128], "line": 8}),
    ("pem", {"cache": 64, "line": 8}),
    ("bsp", {"processors": 4, "owner": "cyclic", "g": 3, "L": 7}),
    ("logp", {"processors": 4, "L": 7}),
    ("loggp", {"processors": 4, "G": 2}),
    ("mpc", {"space": 64}),
    ("agpu", {"cores": 64}),
    ("tmm", {"cores": 64, "slots": 4, "L": 50}),
    ("roofline", {}),
]


@pytest.mark.parametrize(("kind", "rules"), COURSES, ids=[it for it, _ in COURSES])
def test_machines_of_courses_are_those_of_the_command_line(kind, rules):
    def flag(name):
        return f"-{name}" if len(name) == 1 else f"--{name}"

    def text(value):
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    words = [word for name, value in rules.items() for word in (flag(name), text(value))]
    report = json.loads(umm("run", "sum", "--set", "n=64", "-p", "32", "-m", kind, *words, "--json"))
    run = mm.run("sum", n=64, p=32, machine=kind, **rules)
    assert run.report == report and run.verified
    assert mm.run("sum", n=64, p=32, machine=kind, rules=rules).report == report
    for key, value in run.figures.items():
        assert getattr(run, key) == value == report[key]
    assert run["a"].shape == (64,)
    assert run.machine["kind"] == kind and kind in repr(run)


def test_machines_of_courses_refuse_what_they_do_not_have():
    for wrong, says in [
        ({"machine": "pram", "g": 4}, "no such parameter"),
        ({"machine": "pram", "rules": {"g": 4}}, "it has pram, cost"),
        ({"machine": "pram", "w": 4}, "w: "),
        ({"machine": "pram", "mode": "async"}, "mode: "),
        ({"machine": "pram", "bulk": "row"}, "bulk"),
        ({"machine": "pram", "pram": "x"}, "pram x: "),
        ({"machine": "mpc"}, "space"),
        ({"machine": "bsp", "processors": 0}, "processors 0: "),
        ({"machine": "umm", "rules": {"g": 4}}, "rules: 'g'"),
        ({"machine": "turing"}, "turing"),
    ]:
        with pytest.raises(mm.Error, match=says):
            mm.run("sum", n=64, **wrong)
    with pytest.raises(mm.Error, match="pram"):
        mm.Listing.load("sum").explain(n=64, machine="pram")
    with pytest.raises(AttributeError, match="time_units"):
        mm.run("sum", n=64, machine="pram").misses  # noqa: B018
    counted, executed = (mm.run("sum", n=64, machine="bsp", time_only=it) for it in (True, False))
    assert counted.h == executed.h and counted.time_units == executed.time_units


def test_models_are_compared_as_on_the_command_line(tmp_path):
    listing = mm.Listing.load("sum")
    theirs = json.loads(umm("compare-models", "sum", "--set", "n=64", "-p", "32", "-w", "8", "--json"))
    assert json.loads(listing._native.compare_models(asked(listing, n=64, p=32, w=8))) == theirs
    mine = listing.compare_models(n=64, p=32, w=8)
    assert [it["kind"] for it in mine["machine"]] == [it["machine"]["kind"] for it in theirs]
    rows = mm.sweep("sum", n=[64, 128], machine=["pram", "bsp"], rules={"processors": [2, 4]})
    assert len(rows) == 6 and set(rows["machine"]) == {"pram", "bsp"}


def asked(listing, *, n, p, w):
    from memory_machine._setting import machine_of, setting_of

    return setting_of(listing._native, {"n": n}, machine=machine_of(w=w), p=p)


def test_floats_of_16_bits_are_those_of_numpy():
    half = mm.Listing(COPY.format("f16"))
    given = np.array([[0.1, -65504.0], [5.96e-8, np.inf]])
    run = half.run(inputs={"a": given})
    assert run["b"].dtype == np.float16
    assert (run["b"] == given.astype(np.float32).astype(np.float16)).all()
    assert (half.run(inputs={"a": given.astype(np.float16)})["b"] == run["b"]).all()
    with pytest.raises(mm.Error, match="number 2, 65520.0, is too large for f16"):
        half.run(inputs={"a": [[1.0, 65520.0]]})
    brief = mm.Listing(COPY.format("bf16"))
    assert brief.run(inputs={"a": [[257.0, 1.0]]})["b"].tolist() == [[256.0, 1.0]]


def test_bounds_hold():
    found = mm.bounds("umm_opt", n=[16, 32], p=[64, 1024])
    assert found["holds"].all() and {"lower", "upper"} <= set(found["kind"])
    assert set(found["n"]) == {16, 32}


COPY = """algorithm copy(n, m)
input a[n, m] : {0}
output b[n, m] : {0}
for i <- 0 to n-1 do in parallel
  for j <- 0 to m-1 do in parallel
    b[i, j] <- a[i, j]
"""


@pytest.mark.parametrize("dtype", ["f32", "f64", "i32", "u32", "i64", "u64", "bool", "i8", "u8", "i16", "u16"])
def test_arrays_go_in_and_out(dtype):
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 2, (6, 10)) if dtype == "bool" else rng.integers(0, 100, (6, 10))
    for given in (numbers, np.asfortranarray(numbers), numbers[::2, ::-3], numbers.tolist()):
        run = mm.Listing(COPY.format(dtype)).run(inputs={"a": given}, w=4, l=5, p=8)
        assert run["b"].shape == np.shape(given)
        np.testing.assert_array_equal(run["b"], given)


def test_a_bulk_run_has_its_inputs_first():
    run = mm.run("prefix_sums", n=4, bulk="column", p=3)
    assert run["b"].shape == (3, 4)
    assert run["b"].dtype == np.float32


def test_cells_without_value_are_masked():
    table = mm.run("umm_opt", inputs={"c": "paper"})["M"]
    assert np.ma.is_masked(table) and table[1, 7] == 6


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "the parameter `n` has no value; give it: n=16"),
        ({"n": 4, "m": 3}, "`sum` has no such parameter (its parameters: n)"),
        ({"n": 4, "machine": "tpu"}, "`tpu` is none of umm, dmm, hmm"),
        ({"n": 4, "d": 3}, "say machine=\"hmm\""),
        ({"n": 4, "model": "h300"}, "no model is called"),
        ({"n": 4, "inputs": {"c": [1, 2]}}, "has no input array `c`"),
        ({"n": 4, "inputs": {"a": [1, 2]}}, "a: has 1 × 2 numbers, but the array is a[4]"),
        ({"n": 4, "bulk": "row"}, "a bulk run executes a sequential program"),
    ],
)
def test_what_is_wrong_is_said(asked, why):
    with pytest.raises(mm.Error) as error:
        mm.run("sum", **asked)
    assert why in str(error.value)


def test_an_error_shows_its_place():
    with pytest.raises(mm.Error) as error:
        mm.Listing(COPY.format("f32").replace("b[i, j] <-", "a[i, j] <-"))
    assert "--> listing:6:5" in str(error.value) and "\n  |     ^" in str(error.value)
    with pytest.raises(mm.Error):
        mm.Listing(COPY.format("i32")).run(inputs={"a": [[0.5]]})
    with pytest.raises(mm.Error):
        mm.run("sum", n=4, time_only=True)["a"]


def test_improvement_is_that_of_the_command_line():
    asked = ("edit_distance", "--set", "n=32")
    found = mm.improve("edit_distance", n=32)
    expected = json.loads(umm("improve", *asked, "--json"))
    assert found.report["rungs"] == expected["rungs"] and len(found.rungs) > 1
    assert found.faster > 10 and "for d ←" in found.listing.text
    found.verify()
    found.rungs[1]["step"]["certificates"][0]["proof"]["depth"] = 1
    with pytest.raises(mm.Error):
        found.verify()
    assert found.rungs[0]["launches"] == 0 and found.rungs[1]["launches"] == 63
    assert len(mm.improve("edit_distance", n=8, launch=10**6).rungs) == 1
    alone = mm.improve("edit_distance", n=32, steps=0)
    assert alone.rungs == found.rungs[:1] and alone.faster == 1


def test_a_paste_is_adopted():
    total = mm.adopt("def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n")
    assert total.run(n=4, inputs={"xs": np.array([1, 2, 3, 4])}).answer == 10
    assert total.plain.startswith("algorithm total(n)\n")
    assert any("read, never written" in text for _, text in total.remarks)
    again = mm.Listing(total.plain)
    assert again.plain == total.plain and again.remarks == []
    with pytest.raises(mm.Error, match="changes the length"):
        mm.adopt("def f(xs):\n    xs.append(1)\n    return xs\n")


def test_a_notation_and_the_semantics_of_loops_are_said():
    power = "algorithm power(n)\ninput a[n] : i32\noutput b[n] : i32\nfor i <- 0 to n-1 do\n  b[i] <- a[i] ^ 3\n"
    assert list(mm.Listing(power).run(n=2, inputs={"a": [2, 3]})["b"]) == [8, 27]
    loop = "for (int i = 0; i < n; i++) { b[i] = a[i] ^ 3; }"
    exclusive_or = mm.adopt(loop, notation="c")
    assert list(exclusive_or.run(n=2, inputs={"a": [2, 3]})["b"]) == [1, 0]
    with pytest.raises(mm.Error, match="notation: "):
        mm.adopt(loop, notation="cobol")
    shift = "algorithm shift(n)\ninout a[n] : i32\nfor i <- 0 to n-2 do in parallel\n  a[i] <- a[i+1]\n"
    run = mm.Listing(shift, semantics="pram").run(n=4, inputs={"a": [1, 2, 3, 4]})
    assert list(run["a"]) == [2, 3, 4, 4]
