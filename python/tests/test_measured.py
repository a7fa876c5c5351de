"""Folders of measurements, and charts: what the command line makes of them."""

import csv
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from test_listings import UMM

import memory_machine as mm

ROOT = Path(__file__).parents[2]
MEASUREMENTS = ROOT / "models/measurements"
H200 = MEASUREMENTS / "nvidia-h200/2026-11-21"


def umm(*words):
    found = subprocess.run([UMM, *map(str, words)], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A few points of a large folder: all are compared in seconds."""
    path = tmp_path_factory.mktemp("measured")
    shutil.copy(H200 / "device.json", path)
    shutil.copy(H200 / "microbenchmarks.csv", path)
    with (H200 / "algorithms.csv").open() as file:
        rows = list(csv.DictReader(file))
    kept = [it for it in rows if it["name"] == "prefix_sums" and it["set"] == "n=32"]
    with (path / "algorithms.csv").open("w") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
    return path


def test_lines_are_those_of_the_command_line(folder):
    fits = mm.fit(folder)
    assert fits.report == json.loads(umm("fit", folder, "--json"))
    assert len(fits.lines) == len(fits.report["fits"]) > 0
    assert (fits.lines["fixed_s"] >= 0).all() and fits.device in repr(fits)
    stated = mm.fit(MEASUREMENTS / "tani-gtx-titan")
    assert stated.report == json.loads(umm("fit", MEASUREMENTS / "tani-gtx-titan", "--json"))
    assert len(stated.points) == len(stated.report["points"]) > 0
    with pytest.raises(mm.Error, match="cannot read it"):
        mm.fit(folder / "nowhere")


def test_a_comparison_is_that_of_the_command_line(folder):
    found = mm.compare(folder, model="h200")
    words = ["compare", folder, "--model", "h200", "--listing", "--json"]
    assert found.report == json.loads(umm(*words))
    assert len(found.points) == found.report["points"]
    apart = found.points["calibrated_s"] / found.points["measured_s"] - 1
    assert abs(apart).mean() == pytest.approx(found.mape)
    assert list(found.machines["machine"][:2]) == ["calibrated", "plain"]
    less = mm.compare(folder, without=["sectors"])
    assert less.report == json.loads(umm(*words, "--without", "sectors"))
    with pytest.raises(mm.Error, match="textbook is not calibrated"):
        mm.compare(folder, model="textbook")
    with pytest.raises(mm.Error, match="sectors"):
        mm.compare(folder, without=["sector"])


def test_a_machine_is_calibrated_as_on_the_command_line(folder, tmp_path):
    complete = MEASUREMENTS / "nvidia-h200/2026-11-22"
    text = mm.calibrate(complete, name="mine")
    assert text == umm("calibrate", complete, "--name", "mine")
    path = tmp_path / "mine.toml"
    path.write_text(text)
    own = mm.Listing.load("sum").predict(n=4096, model=path)
    assert own.seconds > 0 and own.report["model"] == "mine"
    with pytest.raises(mm.Error, match="`add` is missing"):
        mm.calibrate(folder)
    with pytest.raises(mm.Error, match="device.json"):
        mm.calibrate(tmp_path)


def test_a_page_is_that_of_the_command_line(folder, tmp_path):
    page = mm.report(folder)
    umm("report", folder, "-o", tmp_path / "page.html")
    assert page.html == (tmp_path / "page.html").read_text()
    assert page.without_predictions is None and "<iframe" in page._repr_html_()
    page.save(tmp_path / "own.html")
    assert (tmp_path / "own.html").read_text() == page.html
    other = mm.report(folder, model="textbook")
    assert "textbook is not calibrated" in other.without_predictions


def test_models_are_those_of_the_command_line():
    assert mm.models() == json.loads(umm("models", "--json"))["models"]


DATA = ROOT / "plots/data"


@pytest.mark.parametrize(
    ("chart", "table", "asked", "words"),
    [
        ("time", "prefix_sums.csv", {"by": "n"}, ["--by", "n"]),
        ("time", "hmm_opt_n.csv", {"by": "algorithm", "bounds": True}, ["--by", "algorithm", "--bounds"]),
        ("speedup", "opt.csv", {"baseline": {"bulk": "row"}}, ["--baseline", "bulk=row"]),
        ("stages", "hmm_rap.csv", {"by": "algorithm"}, ["--by", "algorithm"]),
        ("regime", "umm_opt.csv", {"theme": "dark"}, ["--theme", "dark"]),
        ("phases", "umm_opt_phases.csv", {"title": "Mine"}, ["--title", "Mine"]),
        ("arrangements", "transpose.csv", {"size": (800, 450)}, ["--size", "800x450"]),
        ("peers", "peers.csv", {}, []),
    ],
)
def test_charts_are_those_of_the_command_line(chart, table, asked, words, tmp_path, monkeypatch):
    # The picture names the file as it was given.
    monkeypatch.chdir(DATA)
    mine = getattr(mm.plot, chart)(table, **asked)
    umm("plot", chart, table, *words, "-o", tmp_path / "chart.svg")
    assert mine.svg == (tmp_path / "chart.svg").read_text()
    mine.save(tmp_path / "mine.svg")
    assert (tmp_path / "mine.svg").read_text() == mine.svg


def test_heat_is_that_of_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(MEASUREMENTS / "ito-nakano-gtx-680")
    mine = mm.plot.heat("table-1b.csv", of={"n": 8192})
    umm("plot", "heat", "table-1b.csv", "--of", "n=8192", "-o", tmp_path / "chart.svg")
    assert mine.svg == (tmp_path / "chart.svg").read_text()


def test_a_sweep_is_drawn_as_its_table_is(tmp_path):
    rows = mm.sweep("sum", n=[256, 1024], p="32..1024*2", machine=["umm", "dmm"])
    grid = ["--set", "n=256,1024", "-p", "32..1024*2", "-m", "umm,dmm"]
    umm("sweep", "sum", *grid, "-o", tmp_path / "samples")
    table = (tmp_path / "samples").rename(tmp_path / "samples.csv")
    drawn = [mm.plot.time(it, x="p").svg.replace(str(table), "samples") for it in (rows, table)]
    assert drawn[0] == drawn[1]
    assert mm.plot.time(rows.to_dict("records"), x="p").svg == drawn[0]
    shares = mm.sweep("umm_opt", n=[16, 32], phases=True)
    assert "umm_opt" in mm.plot.phases(shares).svg
    with pytest.raises(mm.Error, match="no column `q`"):
        mm.plot.time(rows, by="q")
    with pytest.raises(mm.Error, match="one column and its value"):
        mm.plot.speedup(rows, baseline={})
    with pytest.raises(mm.Error, match="400 to 8000 pixels"):
        mm.plot.time(rows, size=(100, 100))


def test_pictures_of_a_trace_a_loop_and_points(tmp_path):
    trace = mm.Listing.load("transpose").trace(n=8, p=16, w=8)
    path = tmp_path / "trace"
    path.write_text(trace)
    for mine, words in (
        (mm.plot.occupancy(trace, w=8, l=8), ["occupancy", path, "-w", "8", "-l", "8"]),
        (
            mm.plot.access(trace, step=2, machine="dmm", w=8),
            ["access", path, "--step", "2", "-m", "dmm", "-w", "8"],
        ),
        (
            mm.plot.cells("umm_opt", n=12, phase=["D", "E"], time=3),
            ["cells", "umm_opt", "--set", "n=12", "--phase", "D,E", "--time", "3"],
        ),
        (
            mm.plot.cells("umm_opt", n=12, phase="D", time=3, iteration={"i": 2}),
            ["cells", "umm_opt", "--set", "n=12", "--phase", "D", "--time", "3", "--iteration", "i=2"],
        ),
    ):
        umm("plot", *words, "-o", tmp_path / "chart.svg")
        assert mine.svg == (tmp_path / "chart.svg").read_text().replace(str(path), "trace")
    points = np.random.default_rng(1).random((60, 2))
    np.savetxt(tmp_path / "points.csv", points, delimiter=",", fmt="%.17g")
    umm("plot", "pipeline", tmp_path / "points.csv", "-o", tmp_path / "chart.svg")
    theirs = (tmp_path / "chart.svg").read_text()
    mine = mm.plot.pipeline(points, title="points").svg
    # All but the line on the source.
    assert set(mine.splitlines()) - set(theirs.splitlines()) == set()
    with pytest.raises(mm.Error, match="no points"):
        mm.plot.pipeline(np.zeros((0, 2)))


def test_a_chart_of_measurements_is_that_of_the_command_line(folder, tmp_path):
    for chart, asked, words in (
        ("bulk", {"of": "prefix_sums n=32"}, ["--of", "prefix_sums n=32"]),
        ("staircase", {"theme": "dark"}, ["--theme", "dark"]),
        (
            "time",
            {"of": "prefix_sums n=32", "model": "h200"},
            ["--of", "prefix_sums n=32", "--model", "h200"],
        ),
    ):
        mine = mm.plot.measured(folder, chart, **asked)
        umm("plot", "measured", folder, "--chart", chart, *words, "-o", tmp_path / "chart.svg")
        assert mine.svg == (tmp_path / "chart.svg").read_text(), chart
    for chart, asked, why in (
        ("scatter", {}, "give model"),
        ("bars", {}, "`bars` is none of"),
        ("bulk", {"of": "sum"}, "choose one with of: 'prefix_sums n=32"),
    ):
        with pytest.raises(mm.Error, match=why):
            mm.plot.measured(folder, chart, **asked)
