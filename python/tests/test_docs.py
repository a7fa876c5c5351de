"""The page on Python: its code runs as it stands, and its errors are those that are raised."""

import re
from pathlib import Path

import numpy as np
import pytest

import memory_machine as mm

PAGE = (Path(__file__).parents[2] / "docs/python.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_code_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    code = blocks("python")
    assert len(code) >= 3
    for block in code:
        exec(block, names)
    assert names["run"].verified is None and names["run"]["b"].shape == (8,)
    assert (tmp_path / "times.svg").read_text().startswith("<svg")


def test_the_errors_are_those_that_are_raised():
    narrow, place = (it for it in blocks("text") if it.startswith("memory_machine.Error: "))
    smooth = mm.Listing(re.search(r'"""(algorithm smooth.*?)"""', PAGE, re.DOTALL)[1])
    with pytest.raises(mm.Error) as error:
        smooth.run(inputs={"a": np.array([0, 0, 0, 1e300])})
    assert narrow == f"memory_machine.Error: {error.value}\n"
    listing = "algorithm f(n)\ninput a[n] : i32\nfor i <- 0 to n-1 do in parallel\n  a[i] <- 0\n"
    with pytest.raises(mm.Error) as error:
        mm.Listing(listing)
    assert place.split() == f"memory_machine.Error: {error.value}".split()
