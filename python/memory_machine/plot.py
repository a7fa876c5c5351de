"""Charts of samples, of measurements, of traces, of loops, and of points.

Each is a `Chart`, which a notebook shows: `svg` is its text, and `save` writes a file.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from . import _native
from ._listing import Listing
from ._numbers import optional, whole
from ._points import coordinates
from ._setting import machine_of, setting_of
from ._show import Chart

__all__ = [
    "access",
    "arrangements",
    "cells",
    "heat",
    "measured",
    "occupancy",
    "peers",
    "phases",
    "pipeline",
    "ratio",
    "regime",
    "speedup",
    "stages",
    "time",
]

#: Rows as `sweep` gives them (a DataFrame or a list of dict), or a CSV file, or several files.
Samples: TypeAlias = Any
#: A column of samples: a parameter's name, or p, w, l, d, algorithm, machine, mode, bulk, …
Column: TypeAlias = str


def time(
    samples: Samples,
    *,
    x: Column | None = None,
    by: Column | None = None,
    bounds: bool = False,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Time against p, n, w, l or d.

    Parameters
    ----------
    samples : DataFrame, list of dict, path, or several paths
        What `sweep` gives, or a table as `umm sweep` writes it.
    x : str
        The column of the horizontal axis; the one that varies most if left out.
    by : str
        The only column that tells curves apart; every column that varies if left out.
    bounds : bool
        Draws the rows' lower bounds, too, if they have any (`umm bounds --csv`).
    title : str
        In place of the usual one.
    theme : {"light", "dark"}
        What the page is.
    size : (int, int)
        Width and height in pixels, 400 to 8000.
    """
    return _of_samples("time", samples, x, by, title, theme, size, bounds=bounds)


def speedup(
    samples: Samples,
    *,
    baseline: Mapping[Column, Any],
    x: Column | None = None,
    by: Column | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """How many times faster than a baseline, whose rows have one value in a column: `{"bulk": "row"}`.

    Other arguments as for `time`.
    """
    chosen = _cell("baseline", baseline)
    return _of_samples("speedup", samples, x, by, title, theme, size, baseline=chosen)


def ratio(
    samples: Samples,
    *,
    x: Column | None = None,
    by: Column | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Time over its lower bound, of a table that has it (`umm bounds --csv`); arguments as for `time`."""
    return _of_samples("ratio", samples, x, by, title, theme, size)


def stages(
    samples: Samples,
    *,
    x: Column | None = None,
    by: Column | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Pipeline stages of a warp's access, of an HMM those in shared memory; arguments as for `time`."""
    return _of_samples("stages", samples, x, by, title, theme, size)


def arrangements(
    samples: Samples,
    *,
    x: Column | None = None,
    by: Column | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Arrangements side by side, and how many times longer than the fastest each takes; arguments as for
    `time`."""
    return _of_samples("arrangements", samples, x, by, title, theme, size)


def regime(
    samples: Samples,
    *,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Which term of the lower bound dominates, over threads and latency."""
    return _of_samples("regime", samples, None, None, title, theme, size)


def phases(
    samples: Samples,
    *,
    x: Column | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """The phases' shares of the time, of rows that have phases: `sweep(…, phases=True)`."""
    return _of_samples("phases", samples, x, None, title, theme, size)


def heat(
    samples: Samples,
    *,
    x: Column | None = None,
    by: Column | None = None,
    of: Mapping[Column, Any] | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """Time over two parameters, as coloured cells.

    Parameters
    ----------
    x, by : str
        The columns of the two axes: t and b if left out.
    of : dict
        Only the rows with this value in a column: `{"n": 8192}`.
    """
    chosen = None if of is None else _cell("of", of)
    return _of_samples("heat", samples, x, by, title, theme, size, of=chosen)


def measured(
    folder: str | os.PathLike[str],
    chart: str,
    *,
    of: str | None = None,
    model: str | os.PathLike[str] | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """A chart of a folder of measurements.

    Parameters
    ----------
    folder : path
        A folder of measurements (`docs/measurements.md`).
    chart : str
        Which: `"bulk"`, `"time"`, `"scatter"`, `"staircase"`, …; `umm plot measured --help` has all.
    of : str
        For a chart of each algorithm, distribution or size: which one, as in `"opt n=8"`.
    model : str
        A calibrated machine whose predictions time, residuals and scatter show.
    """
    on = None if model is None else os.fspath(model)
    path = os.fspath(folder)
    return Chart(_native.draw_measured(path, chart, of, on, _look(title, theme, size)), chart)


def peers(
    table: Samples,
    *,
    title: str | None = None,
    theme: str = "light",
) -> Chart:
    """Own times over those of peers, a dot each.

    Parameters
    ----------
    table : DataFrame, list of dict, or path
        Columns what, size, peer, kind, and in seconds time_s, peer_time_s.
    """
    if isinstance(table, (str, os.PathLike)):
        name, text = os.fspath(table), _native.read_text(os.fspath(table))
    else:
        name, text = "rows", _csv(_rows(table))
    return Chart(_native.draw_peers(name, text, _look(title, theme, (1200, 675))), "peers")


def occupancy(
    trace: str,
    *,
    machine: str | None = None,
    w: int | None = None,
    l: int | None = None,
    model: str | os.PathLike[str] | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """When the pipeline is busy during a trace, which `Listing.trace` gives."""
    on = machine_of(machine=machine, w=w, l=l, model=model)
    look = _look(title, theme, size)
    return Chart(_native.draw_trace("trace", trace, on, None, look), "occupancy")


def access(
    trace: str,
    *,
    step: int = 1,
    machine: str | None = None,
    w: int | None = None,
    l: int | None = None,
    model: str | os.PathLike[str] | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
) -> Chart:
    """The address groups and banks that one step of a trace, from 1, asks for."""
    on = machine_of(machine=machine, w=w, l=l, model=model)
    number, look = whole("step", step, 0), _look(title, theme, size)
    return Chart(_native.draw_trace("trace", trace, on, number, look), f"access of step {step}")


def cells(
    algorithm: Listing | str | os.PathLike[str],
    *,
    phase: str | Iterable[str],
    time: int = 1,
    iteration: Mapping[str, int] | None = None,
    inputs: Mapping[str, Any] | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    title: str | None = None,
    theme: str = "light",
    size: tuple[int, int] = (1200, 675),
    set: Mapping[str, int] | None = None,
    **sizes: int,
) -> Chart:
    """Which cells of its arrays a parallel loop of a listing reads and writes.

    Parameters
    ----------
    phase : str or several
        Labels of the listing.
    time : int
        Of each phase, which of its parallel loops, in the order in which they are executed, from 1.
    iteration : dict
        Only iterations in which a loop variable has a value: `{"i": 2}`.
    inputs, seed, while_limit, set, **sizes
        As for `Listing.run`.
    """
    native = Listing.of(algorithm)._native
    asked = setting_of(native, sizes, given=set, inputs=inputs, seed=seed, while_limit=while_limit)
    labels = [phase] if isinstance(phase, str) else list(phase)
    chosen = None
    if iteration is not None:
        name, value = _cell("iteration", iteration)
        chosen = (name, whole(name, iteration[name]))
    number, look = whole("time", time, 1), _look(title, theme, size)
    return Chart(_native.draw_cells(native, asked, labels, number, chosen, look), f"cells of {native.name}")


def pipeline(points: Any, *, title: str | None = None, theme: str = "light") -> Chart:
    """Points, their convex hull, its optimal triangulation, and their greedy one, on one page.

    Parameters
    ----------
    points : array_like, shape (n, 2), or geometries of shapely
        At most 1,000,000.
    """
    look = _look(title, theme, (1200, 675))
    return Chart(_native.draw_pipeline(coordinates(points), look), "pipeline")


def _of_samples(
    kind: str,
    samples: Samples,
    x: str | None,
    by: str | None,
    title: str | None,
    theme: str,
    size: tuple[int, int],
    *,
    bounds: bool = False,
    baseline: tuple[str, str] | None = None,
    of: tuple[str, str] | None = None,
) -> Chart:
    look = _look(title, theme, size)
    tables = _tables(samples)
    return Chart(_native.draw_samples(tables, kind, x, by, bounds, baseline, of, look), kind)


def _look(title: str | None, theme: str, size: tuple[int, int]) -> tuple[int, int, str, str | None]:
    width, height = (whole("size", it, 0, 2**32 - 1) for it in size)
    return width, height, theme, title


def _cell(what: str, given: Mapping[str, Any]) -> tuple[str, str]:
    if len(given) != 1:
        raise _native.Error(f"{what}={given!r}: give one column and its value, as in {{'n': 64}}")
    [(column, value)] = given.items()
    return column, str(value)


def _tables(samples: Samples) -> list[tuple[str, str]]:
    """Names and texts of tables of samples."""
    if isinstance(samples, (str, os.PathLike)):
        samples = [samples]
    if isinstance(samples, (list, tuple)) and all(isinstance(it, (str, os.PathLike)) for it in samples):
        paths = [os.fspath(it) for it in samples]
        return [(path, _native.read_text(path)) for path in paths]
    return [("samples", _csv(_samples(_rows(samples))))]


def _rows(table: Any) -> list[dict[str, Any]]:
    """Rows as dictionaries, without what is missing."""
    rows = table.to_dict("records") if hasattr(table, "to_dict") else list(table)
    return [{name: it for name, it in row.items() if it is not None and it == it} for row in rows]


def _samples(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows whose parameters are one column again, as `sweep` has spread them."""
    known = _native.sample_columns()

    def packed(row: dict[str, Any]) -> dict[str, Any]:
        sizes = {name: it for name, it in row.items() if name not in known}
        texts = [f"{name}={optional(name, it, -(2**63), 2**63 - 1)}" for name, it in sizes.items()]
        kept = {name: _cell_text(name, it) for name, it in row.items() if name in known}
        return {**kept, "set": row.get("set", " ".join(texts))}

    return [packed(row) for row in rows]


#: Columns of samples that are no whole numbers, and no texts.
_FLOATS = ("time_s", "lower_bound", "upper_bound")


def _cell_text(name: str, value: Any) -> Any:
    """A number that pandas holds as a float because other rows have none is whole again."""
    is_whole = isinstance(value, float) and name not in _FLOATS and value.is_integer()
    return int(value) if is_whole else value


def _csv(rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
