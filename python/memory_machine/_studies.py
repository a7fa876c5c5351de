"""Listings over grids of sizes and machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from . import _native
from ._listing import Listing
from ._table import table

#: Arguments, and the keys of a SPEC.toml that they are.
AXES = {
    "p": "threads",
    "w": "width",
    "l": "latency",
    "machine": "machine",
    "d": "dmms",
    "shared_latency": "shared_latency",
    "resident": "resident",
    "mode": "mode",
    "bulk": "bulk",
}


def sweep(
    algorithms: Listing | str | os.PathLike[str] | Iterable[Listing | str],
    *,
    phases: bool = False,
    **grid: Any,
) -> Any:
    """Times every point of a grid, as `umm sweep` does, on all cores.

    Parameters
    ----------
    algorithms : Listing, str, or several
        Listings, shipped ones' names, files.
    phases : bool
        One more row for each phase.
    p, w, l, machine, mode, bulk, d, shared_latency, resident
        One value, several, or a range as in `"64..4096*2"`.
    inputs : dict of str to str
        Sources of arrays, where the time depends on them.
    seed, while_limit : int
        As for `run`.
    set : dict
        Values of parameters whose names are those of arguments.
    **sizes
        Values of parameters, likewise: `n=[16, 32]`, `n="16..512*2"`.

    Returns
    -------
    pandas.DataFrame or list of dict
        A row a point (and phase) in grid order: the columns of `docs/sweeps.md` that are not empty,
        and one for each parameter.
    """
    rows = json.loads(_native.sweep(*_asked(algorithms, {"phases": phases, **grid})))
    return table(_spread(rows))


def bounds(
    algorithm: Listing | str | os.PathLike[str] | Iterable[Listing | str], **grid: Any
) -> Any:
    """Holds lower and upper bounds and closed forms against simulated times, as `umm bounds` does.

    Takes listings and a grid as `sweep` does.

    Returns
    -------
    pandas.DataFrame or list of dict
        A row for each bound of each point: the point as in `sweep`, `bound`, `kind` (lower, upper,
        exact), `of_phase`, `value` and `time` (time units), whether it `holds`, its `formula` and
        `theorem`.
    """
    rows = json.loads(_native.bounds(*_asked(algorithm, grid)))
    return table(_spread(rows))


def _asked(algorithms: Any, grid: dict[str, Any]) -> tuple[list[Any], str]:
    """The listings, and the text of the SPEC.toml."""
    if isinstance(algorithms, (Listing, str, os.PathLike)):
        algorithms = [algorithms]
    listings = [Listing.of(it) for it in algorithms]
    lines = [f"algorithm = {json.dumps([it.name for it in listings])}"]
    sizes = dict(grid.pop("set", {}))
    for name, source in grid.pop("inputs", {}).items():
        lines.append(f"input.{name} = {json.dumps(source)}")
    for name, value in grid.items():
        if name in AXES:
            lines.append(f"{AXES[name]} = {_values(value)}")
        elif name in ("phases", "seed", "while_limit"):
            lines.append(f"{name} = {json.dumps(value)}")
        else:
            sizes[name] = value
    lines += [f"set.{name} = {_values(value)}" for name, value in sizes.items()]
    return [it._native for it in listings], "\n".join(lines)


def _values(value: Any) -> str:
    """A GRID: one value, several, or a range."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        value = [value]
    return json.dumps(",".join("none" if it is None else str(it) for it in value))


def _spread(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with a column for each parameter, without columns that are empty everywhere."""
    filled = {name for row in rows for name, value in row.items() if value not in (None, "")}
    spread = []
    for row in rows:
        sizes = dict(it.split("=") for it in row["set"].split())
        point: dict[str, Any] = {"algorithm": row["algorithm"]}
        point.update((name, int(value)) for name, value in sizes.items())
        point.update(
            (name, value)
            for name, value in row.items()
            if name in filled and name not in ("algorithm", "set", "version")
        )
        spread.append(point)
    return spread
