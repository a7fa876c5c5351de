"""What questions to a listing are answered with."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from ._table import html_table, table

if TYPE_CHECKING:
    from ._listing import Listing


class Run:
    """What a run took, and what memory held after it.

    Attributes
    ----------
    time, stages, accesses, dispatches : int
        Of the whole run: time units, pipeline stages, requests by threads, and warps' accesses.
    phases : pandas.DataFrame or list of dict
        The same of each phase.
    verified : bool or None
        Whether the result agrees with the reference; `None` if there is none.
    answer : number or None
        What the listing answers.
    difference : str or None
        Where the result differs from the reference.
    report : dict
        All of it, as `umm run --json` prints it.
    """

    def __init__(self, native: Any, listing: Listing):
        self._native = native
        self.listing = listing
        self.report: dict[str, Any] = json.loads(native.json)
        self.difference: str | None = native.difference
        self.time: int = self.report["time_units"]
        self.stages: int = self.report["stages"]
        self.accesses: int = self.report["accesses"]
        self.dispatches: int = self.report["dispatches"]
        self.verified: bool | None = self.report["verified"]
        self.answer: Any = self.report["answer"]

    @property
    def phases(self) -> Any:
        return table(self.report["phases"])

    def __getitem__(self, name: str) -> np.ndarray:
        """An array after the run.

        Returns
        -------
        ndarray
            Of the array's shape and dtype, of a bulk run with the p inputs as first axis; a masked
            array where some cells have no value.

        Raises
        ------
        Error
            There is no such array, or only the time was counted.
        """
        found = self._native.array(name)
        if found is None:
            from ._native import Error

            raise Error("only the time was counted; leave out time_only to have arrays")
        extents, numbers, known = found
        numbers = numbers.reshape(extents)
        return numbers if known.all() else np.ma.masked_array(numbers, ~known.reshape(extents))

    def __repr__(self) -> str:
        verdict = {True: "verified", False: "WRONG", None: "not verified"}[self.verified]
        return f"<Run {self._native}: {self.time} time units, {verdict}>"

    def _repr_html_(self) -> str:
        columns = ("name", "accesses", "stages", "time_units")
        rows = [{it: phase[it] for it in columns} for phase in self.report["phases"]]
        if len(rows) != 1:
            rows.append({"name": "total", **{it: self.report[it] for it in columns[1:]}})
        for row in rows:
            row["share"] = f"{100 * row['time_units'] / max(self.time, 1):.1f} %"
        verdict = {
            True: "verified: the result agrees with the reference",
            False: f"WRONG: {self.difference}",
            None: "not verified",
        }[self.verified]
        answer = "" if self.answer is None else f"answer {self.answer}; "
        return (
            f"<p><code>{html.escape(str(self._native))}</code></p>{html_table(rows)}"
            f"<p>{answer}{html.escape(verdict)}</p>"
        )


class Checked:
    """What a listing does, whatever the machine.

    Attributes
    ----------
    oblivious : bool
        Whether the accesses that are made do not depend on input data.
    obliviousness : str
        ``"oblivious"``; ``"semi-oblivious"`` if data decide whether a thread makes an access, but
        never to which address; or ``"not oblivious"``. The first two are proofs.
    dependence : dict or None
        Where accesses depend on data: `what`, `at`, and the `chain` to the input.
    pram_class : str or None
        With sizes, the PRAM that a run needs: EREW, CREW, …
    races : list of dict
        Words that two threads access at once, one of them writing, with both accesses.
    report : dict
        All of it, as `umm check --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.oblivious: bool = report["oblivious"]
        self.obliviousness: str = report["obliviousness"]
        self.dependence: dict[str, Any] | None = report["dependence"]
        self.pram_class: str | None = report["pram_class"]
        self.races: list[dict[str, Any]] = report["races"]

    def __repr__(self) -> str:
        what = f": {self.dependence['what']}" if self.dependence else ""
        races = f", {self.pram_class}, {len(self.races)} races" if self.pram_class else ""
        return f"<Checked {self.report['algorithm']}: {self.obliviousness}{what}{races}>"


class Explanation:
    """A small run's way through the pipeline: `text`, and `svg` for a slide."""

    def __init__(self, text: str, svg: str):
        self.text = text
        self.svg = svg

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


class Prediction:
    """Seconds on a calibrated machine.

    Attributes
    ----------
    seconds : float
        Of the whole.
    plain : float
        What the plain UMM says, without extensions.
    parts : dict of str to float
        Launches, latency, stages, writes and memory, in seconds; they overlap, and do not add up.
    report : dict
        All of it, as `umm predict --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.seconds: float = report["prediction"]["time_s"]
        self.plain: float = report["plain_s"]
        self.parts: dict[str, float] = {
            name: value for name, value in report["prediction"].items() if name != "time_s"
        }

    def __repr__(self) -> str:
        report = self.report
        return f"<Prediction {report['algorithm']} on {report['model']}: {self.seconds:.4g} s>"
