"""What questions to a listing, or to a trace, are answered with."""

from __future__ import annotations

import html
import json
from typing import Any

import numpy as np

from ._native import Error
from ._show import Chart, Picture, Text
from ._table import html_table, table


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

    def __init__(self, native: Any):
        self._native = native
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
        """A row for each phase: accesses, dispatches, stages, time units."""
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
        return _array(self._native, name)

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


def _array(native: Any, name: str) -> np.ndarray:
    """An array of a run."""
    found = native.array(name)
    if found is None:
        raise Error("only the time was counted; leave out time_only to have arrays")
    extents, numbers, known = found
    numbers = numbers.reshape(extents)
    return numbers if known.all() else np.ma.masked_array(numbers, ~known.reshape(extents))


#: Keys of a report that are no figures of a machine.
_OF_RUNS = ("algorithm", "parameters", "machine", "threads", "seed", "verified", "answer", "races")


class Cost:
    """What a run cost on a machine of courses, and what memory held after it.

    Each figure is an attribute, under the key that the machine's page gives: `cost.misses`, `cost.span`.

    Attributes
    ----------
    figures : dict
        All figures, tables such as `curve` with them.
    machine : dict
        Its `kind` and its parameters.
    verified, answer, difference
        As of a `Run`.
    report : dict
        All of it, as `umm run --json` prints it.
    """

    def __init__(self, native: Any):
        self._native = native
        self.report: dict[str, Any] = json.loads(native.json)
        self.difference: str | None = native.difference
        self.machine: dict[str, Any] = self.report["machine"]
        self.verified: bool | None = self.report["verified"]
        self.answer: Any = self.report["answer"]
        self.figures = {key: it for key, it in self.report.items() if key not in _OF_RUNS}

    def __getattr__(self, name: str) -> Any:
        figures = self.__dict__.get("figures", {})
        if name in figures:
            return figures[name]
        raise AttributeError(f"no figure `{name}`; there are: {', '.join(figures)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.figures]

    def __getitem__(self, name: str) -> np.ndarray:
        """An array after the run, as of a `Run`."""
        return _array(self._native, name)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{key} = {it}" for key, it in self.figures.items() if not isinstance(it, list)
        )
        verdict = {True: "verified", False: "WRONG", None: "not verified"}[self.verified]
        return f"<Cost {self.report['algorithm']} on {self.machine['kind']}: {shown}, {verdict}>"

    def _repr_html_(self) -> str:
        rows = [{"figure": key, "value": it} for key, it in self.figures.items() if not isinstance(it, list)]
        tables = [it for it in self.figures.values() if isinstance(it, list)]
        return f"<p><code>{html.escape(repr(self))}</code></p>" + "".join(map(html_table, [rows, *tables]))


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
        many = len(self.races)
        counted = {0: "no races", 1: "1 race"}.get(many, f"{many} races")
        races = f", {self.pram_class}, {counted}" if self.pram_class else ""
        head = f"<Checked {self.report['algorithm']}: {self.obliviousness}{what}{races}>"
        return "\n".join([head, *(f"  race on {_race(it)}" for it in self.races)])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


def _race(race: dict[str, Any]) -> str:
    """Which word, and what two threads do with it."""

    def access(it: dict[str, Any]) -> str:
        iteration = ", ".join(f"{name} = {value}" for name, value in it["iteration"].items())
        verb = "writes" if it["kind"] == "write" else "reads"
        return f"iteration {iteration} {verb} it in line {it['line']}"

    return f"{race['element']}: {'; '.join(map(access, race['accesses']))}"


class Explanation(Picture):
    """A small run's way through the pipeline: `text`, and `svg` for a slide."""

    def __init__(self, text: str, svg: str):
        self.text = text
        self._svg = svg

    @property
    def svg(self) -> str:
        """The picture as SVG text, of a slide's shape."""
        return self._svg

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


class Graph(Picture):
    """Which accesses of a run need one another.

    Attributes
    ----------
    depth : int
        Accesses of the longest chain, which takes depth · l time units on any UMM or DMM.
    accesses, dependences : int or None
        Of the graph; `None` if it is too large to be kept.
    growth : str or None
        The formula that the depth follows for n = 2 … 33, if that was asked for and there is one.
    report : dict
        All of it, as `umm graph --json` prints it, with the longest chain.
    """

    def __init__(self, native: Any):
        self._native = native
        self.report: dict[str, Any] = json.loads(native.json)
        self.depth: int = self.report["depth"]
        self.accesses: int | None = self.report["accesses"]
        self.dependences: int | None = self.report["dependences"]
        growth = self.report["growth"]
        self.growth: str | None = growth["formula"] if growth else None

    @property
    def chain(self) -> Any:
        """A row for each access of the longest chain, the first access first."""
        return table(self.report["longest_chain"] or [])

    @property
    def svg(self) -> str:
        """The graph as SVG text; an error if it is too large to be read."""
        svg: str = self._native.svg(None)
        return svg

    @property
    def dot(self) -> Text:
        """The graph in DOT, for Graphviz."""
        return Text(self._native.dot())

    def layers(self, first: int, last: int) -> Chart:
        """A picture of the accesses of depth `first` (from 1) to `last` alone."""
        return Chart(self._native.svg((first, last)), f"{self!r}, depths {first} to {last}")

    def __repr__(self) -> str:
        size = "" if self.accesses is None else f", {self.accesses} accesses"
        return f"<Graph {self.report['algorithm']}: depth {self.depth}{size}>"


class Derivation:
    """Bounds of a listing's time for all sizes, with the rule that gives each.

    Attributes
    ----------
    text : str
        As `umm bounds --derive` prints them.
    order : dict
        What the time is: `upper` as in O(…) and `lower` as in Ω(…); `None` where there is none.
    report : dict
        All of it, as `umm bounds --derive --json` prints it.
    """

    def __init__(self, text: str, report: dict[str, Any]):
        self.text = text
        self.report = report
        self.order: dict[str, str | None] = report["order"]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


class Replay:
    """What a trace takes.

    Attributes
    ----------
    time, stages, accesses, dispatches : int
        Of the whole trace: time units, pipeline stages, requests by threads, and warps' accesses.
    threads : int
        p, as the trace says.
    report : dict
        All of it, as `umm replay --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.time: int = report["time_units"]
        self.stages: int = report["stages"]
        self.accesses: int = report["accesses"]
        self.dispatches: int = report["dispatches"]
        self.threads: int = report["threads"]

    def __repr__(self) -> str:
        return f"<Replay of {self.threads} threads: {self.time} time units, {self.stages} stages>"


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


class Complexity:
    """A claim judged for all sizes, times fitted to terms, or both.

    Attributes
    ----------
    verdict : str or None
        Of a claim: ``"proved"``, ``"refuted"`` or ``"open"``.
    proof : list of str
        Line by line; empty without one.
    witness, evidence : dict or None
        Runs along a direction of growing sizes: those that refute the claim, or those that come nearest.
    terms : list of dict
        Of a fit: each `term`, its `coefficient`, and `low` and `high` of the 95 % interval.
    r2, worst_relative_residual : float or None
        How good the fit is.
    report : dict
        All of it, as `umm complexity --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.verdict: str | None = report.get("verdict")
        self.proof: list[str] = report.get("proof") or []
        self.witness: dict[str, Any] | None = report.get("witness")
        self.evidence: dict[str, Any] | None = report.get("evidence")
        self.terms: list[dict[str, Any]] = report.get("terms", [])
        self.r2: float | None = report.get("r2")
        self.worst_relative_residual: float | None = report.get("worst_relative_residual")

    @property
    def formula(self) -> str | None:
        """The fitted sum, terms that vanish left out; `None` without a fit."""
        if not self.terms:
            return None
        kept = [it for it in self.terms if it["coefficient"] > 0]
        return " + ".join(f"{it['coefficient']:.4g}·{it['term']}" for it in kept) or "0"

    def __repr__(self) -> str:
        said = []
        if self.verdict is not None:
            said.append(f"{self.report['bound']} is {self.verdict}")
        if self.terms:
            said.append(f"time ≈ {self.formula}, R² = {self.r2:.4f}")
        return f"<Complexity of {self.report['algorithm']}: {'; '.join(said)}>"

    def _repr_html_(self) -> str:
        parts = [f"<p>{html.escape(repr(self)[1:-1])}</p>", html_table(self.terms)]
        parts += [f"<p>{html.escape(line)}</p>" for line in self.proof]
        shown = self.witness or self.evidence
        if shown:
            bound = f": {shown['bound']}" if shown["bound"] else ""
            parts.append(f"<p>{html.escape(shown['direction'] + bound)}</p>")
            points = [
                {**it["sizes"], "time units": it["time_units"], "time/claim": f"{it['ratio']:.4f}"}
                for it in shown["points"]
            ]
            parts.append(html_table(points))
        return "".join(parts)
