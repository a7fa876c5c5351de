"""Points and polygons: the command line's results, without copies."""

import json
import subprocess

import numpy as np
import pytest
import shapely
from test_listings import UMM

import memory_machine as mm


def points(n, seed=1):
    return np.random.default_rng(seed).random((n, 2))


def solved(tmp_path, command, numbers, *words):
    path = tmp_path / "points.csv"
    # Shortest texts that read back as the same numbers.
    path.write_text("".join(f"{x!r},{y!r}\n" for x, y in numbers.tolist()))
    found = subprocess.run(
        [UMM, *command, path, "--json", *words], capture_output=True, text=True, check=True
    )
    return json.loads(found.stdout)


def test_hull_is_that_of_the_command_line(tmp_path):
    numbers = points(5000)
    hull = mm.hull(numbers)
    assert hull.vertices.tolist() == solved(tmp_path, ["hull"], numbers)["vertices"]
    assert mm.hull(shapely.MultiPoint(numbers)).vertices.tolist() == hull.vertices.tolist()
    assert mm.hull([shapely.Point(it) for it in numbers]).vertices.tolist() == hull.vertices.tolist()


@pytest.mark.parametrize("engine", ["fast", "paper"])
def test_greedy_is_that_of_the_command_line(tmp_path, engine):
    numbers = np.concatenate([points(100), points(5)])  # with copies
    found = mm.greedy(numbers, engine)
    report = solved(tmp_path, ["greedy"], numbers)
    assert found.edges.tolist() == report["edges"] and found.length == report["length"]


def test_points_are_not_copied():
    numbers = points(1000)
    assert np.shares_memory(mm.hull(numbers).points, numbers)
    assert np.shares_memory(mm.greedy(numbers).points, numbers)
    # Other layouts are.
    assert mm.hull(np.asfortranarray(numbers)).vertices.tolist() == mm.hull(numbers).vertices.tolist()
    assert mm.hull(numbers.astype(np.float32)).points.dtype == np.float64


def test_opt_is_that_of_the_command_line(tmp_path):
    angle = np.sort(points(40)[:, 0]) * 2 * np.pi
    polygon = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    report = solved(tmp_path, ["opt", "solve"], polygon, "--type", "f64")
    for given in (polygon, shapely.Polygon(polygon)):
        found = mm.opt.solve(given, type="f64")
        assert found.chords.tolist() == report["chords"] and found.weight == report["weight"]


def test_weights_of_chords():
    weights = np.ones((6, 6))
    weights[0, 3] = np.inf
    found = mm.opt.solve(weights=weights, type="i32")
    assert found.weight == 3 and [0, 3] not in found.chords.tolist()


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: mm.hull(np.zeros((0, 2))), "no points"),
        (lambda: mm.hull(np.zeros((3, 3))), "shape (n, 2)"),
        (lambda: mm.hull([[0, np.nan]]), "point 0 has coordinate NaN"),
        (lambda: mm.greedy([[0, 1e300]]), "rescale"),
        (lambda: mm.greedy([[0, 1]], "quick"), "choose \"fast\" or \"paper\""),
        (lambda: mm.opt.solve(), "either a polygon or weights"),
        (lambda: mm.opt.solve([[0, 0], [1, 1], [1, 0], [0, 1]]), "edge"),
        (lambda: mm.opt.solve(weights=np.ones((3, 4))), "n × n"),
        (lambda: mm.opt.solve(weights=np.ones(4)), "shape (n, n)"),
        (lambda: mm.opt.solve(weights=np.full((5, 5), -np.inf)), "weighs -inf"),
        (lambda: mm.opt.solve([[0, 0], [1, 0], [0, 1]], type="f16"), "f32"),
    ],
)
def test_what_is_wrong_is_said(call, why):
    with pytest.raises(mm.Error) as error:
        call()
    assert why in str(error.value)
