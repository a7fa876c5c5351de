"""Listings over grids of sizes and machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from . import _native
from ._listing import Listing
from ._numbers import whole
from ._results import Complexity
from ._setting import rule
from ._table import table

#: A listing, a shipped one's name, or a file.
Algorithm: TypeAlias = "Listing | str | os.PathLike[str]"
#: One number, several, or a range as in "64..4096*2".
Numbers: TypeAlias = "int | str | Iterable[int]"
#: One word or several.
Words: TypeAlias = "str | Iterable[str]"


def sweep(
    algorithms: Algorithm | Iterable[Algorithm],
    *,
    p: Numbers | None = None,
    w: Numbers | None = None,
    l: Numbers | None = None,
    machine: Words | None = None,
    d: Numbers | None = None,
    shared_latency: Numbers | None = None,
    resident: Numbers | None = None,
    mode: Words | None = None,
    bulk: str | None | Iterable[str | None] = None,
    phases: bool = False,
    inputs: Mapping[str, str] | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    rules: Mapping[str, Any] | None = None,
    set: Mapping[str, Numbers] | None = None,
    **sizes: Numbers,
) -> Any:
    """Times every point of a grid, as `umm sweep` does, on all cores.

    Parameters
    ----------
    algorithms : Listing, str, or several
        Listings, shipped ones' names, files.
    p, w, l, d, shared_latency, resident : int, several, or a range
        As for `Listing.run`; a range is a text such as `"64..4096*2"` or `"9..99+10"`.
    machine, mode, bulk : str or several
        As for `Listing.run`, either memory machines or machines of courses; `None` among several `bulk` is a run that is no bulk run.
    phases : bool
        One more row for each phase.
    inputs : dict of str to str
        Sources of arrays, where the time depends on them.
    seed, while_limit : int
        As for `Listing.run`.
    rules : dict
        Of machines of courses: one or several values of each parameter, as in
        ``{"cache": "64..4096*2", "owner": ["block", "cyclic"]}``.
    set : dict
        Values of parameters whose names are those of arguments.
    **sizes : int, several, or a range
        Values of parameters: `n=[16, 32]`, `n="16..512*2"`.

    Returns
    -------
    pandas.DataFrame or list of dict
        A row a point (and phase) in grid order: the columns of `docs/sweeps.md` that are not empty,
        and one for each parameter. Times are in time units.
    """
    axes = _axes(p, w, l, machine, d, shared_latency, resident, mode, bulk)
    listings, spec = _asked(
        algorithms, axes, sizes, set, inputs, rules, phases=phases, seed=seed, while_limit=while_limit
    )
    return table(_spread(json.loads(_native.sweep(listings, spec))))


def bounds(
    algorithms: Algorithm | Iterable[Algorithm],
    *,
    p: Numbers | None = None,
    w: Numbers | None = None,
    l: Numbers | None = None,
    machine: Words | None = None,
    d: Numbers | None = None,
    shared_latency: Numbers | None = None,
    resident: Numbers | None = None,
    mode: Words | None = None,
    bulk: str | None | Iterable[str | None] = None,
    inputs: Mapping[str, str] | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    set: Mapping[str, Numbers] | None = None,
    **sizes: Numbers,
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
    axes = _axes(p, w, l, machine, d, shared_latency, resident, mode, bulk)
    listings, spec = _asked(
        algorithms, axes, sizes, set, inputs, phases=False, seed=seed, while_limit=while_limit
    )
    return table(_spread(json.loads(_native.bounds(listings, spec))))


def complexity(
    algorithm: Algorithm,
    *,
    bound: str | None = None,
    where: str | Sequence[str] = (),
    terms: str | Sequence[str] | None = None,
    growing: str | None = None,
    of: str | None = None,
    p: Numbers | None = None,
    w: Numbers | None = None,
    l: Numbers | None = None,
    machine: str | None = None,
    d: Numbers | None = None,
    shared_latency: Numbers | None = None,
    resident: Numbers | None = None,
    mode: str | None = None,
    bulk: str | None = None,
    inputs: Mapping[str, str] | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    set: Mapping[str, Numbers] | None = None,
    **sizes: Numbers,
) -> Complexity:
    """Judges a claimed O, Ω or Θ, and fits simulated times to a formula, as `umm complexity` does.

    With `bound`, bounds are derived from the listing and held against the claim for all sizes. Without
    it, or with `terms` or a grid, the times of the grid (as for `sweep`) are fitted to terms, with
    non-negative coefficients and least relative errors.

    Parameters
    ----------
    algorithm : Listing or str
        A listing, a shipped one's name, or a file.
    bound : str
        A claim over the parameters, p, w, l, on the HMM d, ls and R: a sum of products is an O;
        otherwise `"Ω(…)"`, `"Θ(…)"`, `"Omega(…)"`, `"Theta(…)"`.
    where : str or several
        What the claim assumes of sizes, as in `"p <= n"`.
    terms : str or several
        Terms to fit, as in `"n/w, n*l/p, log2(n)*l"`; those that the loops' depths suggest if left out.
    of : {"work", "span"}
        With ``machine="work-span"``, what the claim is on; with ``machine="pram"`` it is the steps of p
        processors. Both are counted in accesses.
    growing : str
        The parameter that suggested terms are over: the one of most values if left out.

    Returns
    -------
    Complexity

    Examples
    --------
    >>> complexity("umm_opt", bound="n^3/w + n^3*l/p + n*l").verdict
    'proved'
    """
    axes = _axes(p, w, l, machine, d, shared_latency, resident, mode, bulk)
    listings, spec = _asked(
        algorithm, axes, sizes, set, inputs, phases=False, seed=seed, while_limit=while_limit
    )
    assumptions = where if isinstance(where, str) else ",".join(where)
    assumed = assumptions.split(",") if assumptions else []
    if assumed and bound is None:
        raise _native.Error("where: it is what a claim assumes; give the claim: bound='n*l'")
    written = terms if terms is None or isinstance(terms, str) else ", ".join(terms)
    names = [*sizes, *(set or {})]
    report = _native.complexity(listings[0], spec, names, bound, assumed, written, growing, of)
    return Complexity(json.loads(report))


def _axes(
    p: Any, w: Any, l: Any, machine: Any, d: Any, shared_latency: Any, resident: Any, mode: Any, bulk: Any
) -> dict[str, Any]:
    """The keys of a SPEC.toml, and their values."""
    return {
        "threads": p,
        "width": w,
        "latency": l,
        "machine": machine,
        "dmms": d,
        "shared_latency": shared_latency,
        "resident": resident,
        "mode": mode,
        "bulk": bulk,
    }


def _asked(
    algorithms: Any,
    axes: Mapping[str, Any],
    sizes: Mapping[str, Any],
    given: Mapping[str, Any] | None,
    inputs: Mapping[str, str] | None,
    rules: Mapping[str, Any] | None = None,
    *,
    phases: bool,
    seed: int,
    while_limit: int | None,
) -> tuple[list[_native.Listing], str]:
    """The listings, and the text of the SPEC.toml."""
    if isinstance(algorithms, (Listing, str, os.PathLike)):
        algorithms = [algorithms]
    listings = [Listing.of(it) for it in algorithms]
    known = {name for it in listings for name in it.parameters}
    lines = [f"algorithm = {json.dumps([it.name for it in listings])}"]
    lines += [f"{key} = {_values(key, it)}" for key, it in axes.items() if it is not None]
    for name, value in {**sizes, **(given or {})}.items():
        if name not in known:
            raise _native.Error(
                f"{name}={value!r}: no listing has such a parameter (theirs are: "
                f"{', '.join(sorted(known)) or 'none'}), and this question has no such argument"
            )
        lines.append(f"set.{name} = {_values(name, value)}")
    for name, value in (rules or {}).items():
        lines.append(f"rule.{name} = {json.dumps(rule(value))}")
    for name, source in (inputs or {}).items():
        if not isinstance(source, str):
            raise _native.Error(
                f"inputs: {name}: a grid takes sources, as in \"random:7\" or \"a.csv\"; save the array: "
                "numpy.save"
            )
        lines.append(f"input.{name} = {json.dumps(source)}")
    lines.append(f"phases = {json.dumps(bool(phases))}")
    lines.append(f"seed = {whole('seed', seed, 0, 2**63 - 1)}")
    if while_limit is not None:
        lines.append(f"while_limit = {whole('while_limit', while_limit, 0, 2**63 - 1)}")
    return [it._native for it in listings], "\n".join(lines)


def _values(name: str, value: Any) -> str:
    """A GRID: one value, several, or a range."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        value = [value]

    def text(it: Any) -> str:
        return "none" if it is None else it if isinstance(it, str) else str(whole(name, it))

    return json.dumps(",".join(map(text, value)))


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
