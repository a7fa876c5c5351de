"""Measured seconds: folders of measurements, and machines that are calibrated from them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._numbers import optional
from ._show import Page, Text
from ._table import table

class FittedLines:
    """Measured times of bulk runs, fitted to a + b·p seconds for p inputs.

    Attributes
    ----------
    device : str
        On what they were measured.
    report : dict
        All of it, as `umm fit --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        self.device: str = report["device"]

    @property
    def lines(self) -> Any:
        """A row for each line: what ran, and `fixed_s` (a) and `per_input_s` (b), in seconds, each with
        the ends of its 95 % interval, `r2` and `mape`, the mean relative error."""
        return table([_line(it) for it in self.report["fits"]])

    @property
    def points(self) -> Any:
        """Of times that a paper states, a row each: what ran, and `time_s`, in seconds."""
        points = self.report.get("points") or []
        return table([{**_subject(it["subject"]), "time_s": it["time_s"]} for it in points])

    def __repr__(self) -> str:
        return f"<FittedLines of {self.device}: {len(self.report['fits'])} lines>"


def _line(fit: dict[str, Any]) -> dict[str, Any]:
    row = _subject(fit["subject"])
    row.update({name: fit[name] for name in ("inputs_from", "inputs_to", "points")})
    for name in ("fixed_s", "per_input_s"):
        it = fit[name]
        row.update({name: it["coefficient"], f"{name}_low": it["low"], f"{name}_high": it["high"]})
    row.update({name: fit[name] for name in ("r2", "mape")})
    return row


def _subject(subject: dict[str, Any]) -> dict[str, Any]:
    """What ran, with a text for its sizes."""
    sizes = subject["set"]
    if isinstance(sizes, dict):
        sizes = " ".join(f"{name}={value}" for name, value in sizes.items())
    return {**{name: value for name, value in subject.items() if value is not None}, "set": sizes}


class Comparison:
    """Predictions beside measured times.

    Attributes
    ----------
    mape, median_ape, worst_ape : float
        Mean, median and largest |predicted − measured| / measured of the calibrated machine.
    rank_correlation : float
        Spearman's.
    left_out : list of str
        Points that this computer is too small, or too slow, to predict, and why.
    report : dict
        All of it, as `umm compare --listing --json` prints it.
    """

    def __init__(self, report: dict[str, Any], rows: dict[str, Any]):
        self.report = report
        self.mape: float = report["mape"]
        self.median_ape: float = report["median_ape"]
        self.worst_ape: float = report["worst_ape"]
        self.rank_correlation: float = report["rank_correlation"]
        self.left_out: list[str] = rows["left_out"]
        self._rows = rows

    @property
    def points(self) -> Any:
        """A row for each point: what ran, and seconds: `measured_s`, `calibrated_s`, `plain_s`, and
        `without_…_s` with an extension left out."""
        return table([_subject(it) for it in self._rows["points"]])

    @property
    def machines(self) -> Any:
        """A row for each machine, the calibrated one first: its errors on all points."""
        return table(self._rows["machines"])

    def __repr__(self) -> str:
        return (
            f"<Comparison of {self.report['points']} points: mean error {100 * self.mape:.1f} %, median "
            f"{100 * self.median_ape:.1f} %>"
        )


def fit(folder: str | os.PathLike[str]) -> FittedLines:
    """Fits measured times of bulk runs to a + b·p seconds for p inputs, as `umm fit` does.

    One line for each algorithm, size, arrangement, processor, number of GPUs and kind of launch with three
    numbers of inputs or more, through the medians of the repetitions.

    Parameters
    ----------
    folder : path
        A folder of measurements (`docs/measurements.md`), or of times that a paper states.

    Raises
    ------
    Error
        A file that is missing or malformed, or no times to fit.
    """
    return FittedLines(json.loads(_native.fit(os.fspath(folder))))


def compare(
    folder: str | os.PathLike[str],
    *,
    model: str | os.PathLike[str] = "h200",
    without: Sequence[str] = (),
    inputs: Mapping[str, str] | None = None,
    while_limit: int | None = None,
) -> Comparison:
    """A calibrated machine's predictions beside measured times, as `umm compare --listing` has them.

    Parameters
    ----------
    folder : path
        A folder of measurements.
    model : str
        A calibrated machine: `"h200"`, or a file of `calibrate`.
    without : sequence of str
        Extensions of the plain memory machine to leave out of all predictions; if none is named, each is
        left out once.
    inputs : dict of str to str
        Sources of arrays, where accesses depend on them.
    while_limit : int
        A sequential loop that iterates more often is taken for infinite.
    """
    limit = optional("while_limit", while_limit, 0, 2**64 - 1)
    sources = dict(inputs or {})
    report, rows = _native.compare(
        os.fspath(folder), os.fspath(model), list(without), sources, limit
    )
    return Comparison(json.loads(report), json.loads(rows))


def calibrate(folder: str | os.PathLike[str], *, name: str | None = None) -> Text:
    """A machine calibrated from a folder's microbenchmarks, as the text of a `FILE.toml`.

    No time of an algorithm is read. Save the text, and name the file as `model`.

    Parameters
    ----------
    folder : path
        A folder with `device.json` and `microbenchmarks.csv`.
    name : str
        What the machine is called: as the device, if left out.
    """
    return Text(_native.calibrate(os.fspath(folder), name))


def report(
    folder: str | os.PathLike[str] | None = None, *, model: str | os.PathLike[str] | None = None
) -> Page:
    """A page on a folder of measurements, as `umm report` writes it: findings, method, charts, all times.

    Parameters
    ----------
    folder : path
        A folder of measurements; the latest of `models/measurements` if left out.
    model : str
        A calibrated machine to hold against the times; the shipped one of the device's name if left out.
    """
    path = None if folder is None else os.fspath(folder)
    return Page(*_native.report(path, None if model is None else os.fspath(model)))


def models() -> list[dict[str, Any]]:
    """The described machines that `model` knows, as `umm models --json` prints them: every number with
    its source."""
    described: list[dict[str, Any]] = json.loads(_native.described_machines())
    return described
