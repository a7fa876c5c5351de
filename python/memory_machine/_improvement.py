"""Faster listings, each step proved."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from . import _native
from ._listing import Listing
from ._numbers import whole
from ._setting import machine_of, setting_of


class Improvement:
    """A ladder: from a listing by proved steps to one that takes less time.

    Attributes
    ----------
    listing : Listing
        The fastest.
    rungs : list of dict
        `listing` (text), `time_units`, `stages`, `accesses`, `launches` (how often a parallel loop starts,
        if no data decide), with a calibrated model `predicted_s`, and
        `step`: `what` was done, `why` the result is the same, and its `certificates`.
    faster : float
        Time units of the first rung over those of the last.
    refused : list of dict
        `what` would have been faster, and the `reason` why it is not legal.
    report : dict
        All of it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.rungs: list[dict[str, Any]] = report["rungs"]
        self.refused: list[dict[str, Any]] = report["refused"]
        first, last = (self.rungs[at]["time_units"] for at in (0, -1))
        self.faster: float = first / max(last, 1)

    @property
    def listing(self) -> Listing:
        return Listing(self.rungs[-1]["listing"])

    def verify(self) -> None:
        """Checks every certificate again; an `Error` says which proves nothing, and why."""
        for rung in self.rungs[1:]:
            for certificate in rung["step"]["certificates"]:
                _native.verify_step(json.dumps(certificate))

    def __repr__(self) -> str:
        steps = "; ".join(it["step"]["what"] for it in self.rungs[1:]) or "nothing"
        return f"<Improvement {self.faster:.4g} ×: {steps}>"


def improve(
    algorithm: Listing | str | os.PathLike[str],
    *,
    p: int = 1024,
    w: int | None = None,
    l: int | None = None,
    machine: str | None = None,
    d: int | None = None,
    shared_latency: int | None = None,
    resident: int | None = None,
    model: str | os.PathLike[str] | None = None,
    mode: str = "sync",
    bulk: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    seed: int = 1,
    steps: int = 6,
    beam: int = 4,
    budget: float = 60.0,
    reassociate: bool = False,
    layouts: bool = False,
    launch: int = 0,
    set: Mapping[str, float] | None = None,
    **sizes: float,
) -> Improvement:
    """Rewrites a listing so that it takes less time, each step proved, as `umm improve` does.

    Steps are parallel loops, interchange, wavefronts, tiles in shared memory and registers, a block or a
    team of threads for each sum, trees, scans, bands of steps, distribution, fusion, other layouts,
    padding, swizzles, and writes left out.

    Takes sizes, inputs and machines as `run` does.

    Parameters
    ----------
    algorithm : Listing or str
        A listing, a shipped one's name, or a file `FILE.alg`.
    steps, beam : int
        Rungs of the ladder at most; listings that are kept of each round.
    budget : float
        Seconds after which the search stops with what it has.
    reassociate : bool
        Allow sums of floats in another order, which changes their last bits.
    layouts : bool
        Allow arrays to lie column by column, records field by field: who fills and reads them must know.
    launch : int
        Time units that starting a parallel loop counts in the search, beside those of the machine.

    Examples
    --------
    >>> improve("edit_distance", n=32).rungs[1]["step"]["what"]
    'run the diagonals d = i + j in turn, each over `i` in parallel'
    """
    native = Listing.of(algorithm)._native
    asked = setting_of(
        native, sizes, given=set, inputs=inputs, p=p, mode=mode, bulk=bulk, seed=seed,
        machine=machine_of(
            machine=machine, w=w, l=l, d=d, shared_latency=shared_latency, resident=resident,
            model=model,
        ),
    )
    reach = (
        whole("steps", steps, 0, 100), whole("beam", beam, 1, 1000), budget, reassociate, layouts,
        whole("launch", launch, 0, 2**63 - 1),
    )
    return Improvement(json.loads(native.improve(asked, reach)))
