"""What a person at a prompt or a notebook meets: Ctrl-C, threads, pictures, examples."""

import doctest
import os
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter

import memory_machine as mm
from memory_machine import _listing, _magic, _studies, _table, _trace, opt

LONG = "import memory_machine as mm; print('go', flush=True); "


@pytest.mark.parametrize(
    "work",
    [
        "mm.run('umm_opt', n=2000)",
        "mm.sweep('umm_opt', n='100..900+1', p='1..100', mode='async')",
        "import numpy; mm.opt.solve(weights=numpy.ones((6000, 6000)))",
    ],
)
def test_ctrl_c_ends_it(work):
    with subprocess.Popen(
        [sys.executable, "-c", LONG + work], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.5)
        assert process.poll() is None, "it was done before"
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
    assert "KeyboardInterrupt" in error


def test_other_threads_go_on():
    ran, done = [0], threading.Event()

    def count():
        while not done.is_set():
            ran[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    mm.run("umm_opt", n=128)
    done.set()
    thread.join()
    assert ran[0] > 5


def test_the_wheel_writes_the_playground(tmp_path):
    own, page = Path(sys.executable).with_name("umm"), tmp_path / "page.html"
    done = subprocess.run([own, "web", "sum", "--set", "n=64", "-o", page], capture_output=True, text=True)
    if "there is no page yet" in done.stderr and "UMM_REQUIRE_PAGE" not in os.environ:
        pytest.skip("the wheel was built without the playground: see python/ci")
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("<!doctype html>") and '"set":{"n":64}' in text


def test_pictures_are_pictures():
    points = np.random.default_rng(1).random((50, 2))
    for it in (
        mm.hull(points),
        mm.greedy(points),
        opt.solve([(0, 0), (2, 3), (4, 0), (2, 1)]),
        opt.solve(weights=np.ones((6, 6))),
        mm.Listing.load("sum").explain(n=8, p=4, w=4, l=5),
        mm.Listing.load("sum").graph(n=8),
        mm.plot.time(mm.sweep("sum", n=64, p=[8, 16, 32])),
    ):
        assert isinstance(it, mm.Picture) and "style" not in ElementTree.fromstring(it.svg).attrib
        root = ElementTree.fromstring(it._repr_svg_())
        assert root.tag.endswith("svg")
        # A cell that is narrower than the picture shows all of it.
        assert root.attrib["style"] == "max-width:100%;height:auto"
        width, height = (float(root.attrib[side]) for side in ("width", "height"))
        assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"


def test_a_run_is_a_table():
    page = mm.run("umm_opt", n=64)._repr_html_()
    ElementTree.fromstring(f"<div>{page}</div>")
    assert "verified: the result agrees with the reference" in page
    assert page.count("<tr>") == 1 + 6 + 1


def test_without_pandas_rows_are_dictionaries(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    rows = mm.sweep("sum", n=[4, 8])
    assert [row["n"] for row in rows] == [4, 8]
    assert _table.html_table([]) == ""


RACY = """algorithm racy(n)
inout a[n] : f32
for i <- 0 to n-2 do in parallel
  a[i] <- a[i+1] + a[0]
"""


def test_the_magic_asks_a_cell():
    cell = mm.Listing.load("sum").text
    assert _magic.umm("n=8 p=4 mode=async", cell).time == mm.run("sum", n=8, p=4, mode="async").time
    assert _magic.umm("check n=8", cell).pram_class == "EREW"
    assert "__global__" in _magic.umm("cuda", cell)
    assert _magic.umm("complexity bound=n*l", cell).verdict == "proved"
    assert len(_magic.umm("sweep n=8..64*2 p=8,16", cell)) == 8
    assert _magic.umm("graph n=8", cell).depth == mm.Listing.load("sum").graph(n=8).depth
    with pytest.raises(mm.Error, match="neither NAME=VALUE nor one of"):
        _magic.umm("ruin n=8", cell)


def test_the_magic_asks_a_line():
    assert _magic.umm("sum n=8 p=4").time == _magic.umm("run sum n=8 p=4").time == mm.run("sum", n=8, p=4).time
    for line in ("run", "n=8"):
        with pytest.raises(mm.Error, match="name a listing"):
            _magic.umm(line)


def shown(value):
    """What a notebook shows of a value, as plain text."""
    return DisplayFormatter().format(value)[0]["text/plain"]


def test_a_notebook_says_which_race():
    text = shown(_magic.umm("check n=4", RACY))
    head, *races = text.splitlines()
    assert head == "<Checked racy: oblivious, CREW, 2 races>" and len(races) == 2
    writes, reads = "iteration i = 0 writes it in line 4", "iteration i = 1 reads it in line 4"
    assert f"  race on a[0]: {writes}; {reads}" in races
    once = shown(_magic.umm("check n=3", RACY.replace(" + a[0]", "")))
    assert once.splitlines()[0].endswith(", 1 race>")
    assert shown(mm.Listing.load("sum").check(n=8)) == "<Checked sum: oblivious, EREW, no races>"


def test_a_notebook_shows_lines():
    for value in (
        _magic.umm("cuda", RACY),
        _magic.umm("trace n=4 p=4 w=4", RACY),
        _magic.umm("derive", RACY),
        mm.Listing.load("sum").graph(n=8).dot,
    ):
        text = shown(value)
        assert "\\n" not in text and text.rstrip() == str(value).rstrip() and len(text.splitlines()) > 3


@pytest.mark.parametrize("module", [mm, _listing, _studies, _trace, opt])
def test_examples_of_the_documentation(module):
    assert doctest.testmod(module, extraglobs=vars(mm)).failed == 0
