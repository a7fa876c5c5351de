"""Traces given as text."""

from __future__ import annotations

import json
import os

from . import _native
from ._results import Replay
from ._setting import machine_of


def replay(
    trace: str | os.PathLike[str],
    *,
    w: int | None = None,
    l: int | None = None,
    machine: str | None = None,
    d: int | None = None,
    shared_latency: int | None = None,
    resident: int | None = None,
    model: str | os.PathLike[str] | None = None,
    mode: str = "sync",
) -> Replay:
    """Times a trace on a machine, as `umm replay` does.

    Parameters
    ----------
    trace : str or path
        The text of a trace, as `Listing.trace` gives it; or the path of a file of one.
    w, l, machine, d, shared_latency, resident, model, mode
        As for `Listing.run`.

    Raises
    ------
    Error
        The line that is none of a trace; a machine that the trace cannot run on.

    Examples
    --------
    >>> replay("threads 8\\nR 7 5 15 0 10+0x4\\n", w=4, l=5).time
    8
    """
    name = "trace"
    # A trace has lines; a path has none.
    if isinstance(trace, os.PathLike) or "\n" not in trace:
        name = os.fspath(trace)
        trace = _native.read_text(name)
    on = machine_of(
        machine=machine, w=w, l=l, d=d, shared_latency=shared_latency, resident=resident, model=model
    )
    return Replay(json.loads(_native.replay(str(trace), name, on, mode)))
