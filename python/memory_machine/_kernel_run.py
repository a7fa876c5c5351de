"""What a launch of a kernel is answered with."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._native import Error
from ._results import Replay
from ._setting import machine_of
from ._show import Page
from ._table import html_table, table

#: Numbers of a line that a table shows.
_COLUMNS = (
    "executions", "threads", "requests", "sectors", "ideal_sectors", "shared_requests", "wavefronts",
    "ideal_wavefronts", "divergences",
)  # fmt: skip

#: By the library's names of types numpy's.
_DTYPES = {
    "bool": "bool", "i8": "int8", "u8": "uint8", "i16": "int16", "u16": "uint16", "i32": "int32",
    "u32": "uint32", "i64": "int64", "u64": "uint64", "f16": "float16", "bf16": "uint16",
    "f32": "float32", "f64": "float64",
}  # fmt: skip


class KernelSeconds:
    """Seconds of a launch on a calibrated machine, and what they rest on.

    Attributes
    ----------
    seconds, launched : float
        Of the kernel as a profiler has it, and with its launch by the host.
    bound : str
        What most of the time is spent on.
    occupancy, roofline : dict
        What of its multiprocessors the launch has, and what limits it; where it stands under the roof.
    report : dict
        All of it, as `umm kernel --model --json` prints it.
    """

    def __init__(self, report: dict[str, Any]):
        self.report = report
        predicted = report["predicted"]
        self.seconds: float = predicted["kernel_s"]
        self.launched: float = predicted["prediction"]["time_s"]
        self.bound: str = predicted["bound"]
        self.occupancy: dict[str, Any] = predicted["occupancy"]
        self.roofline: dict[str, Any] = predicted["roofline"]

    @property
    def lines(self) -> Any:
        """A row for each line, by its share of the predicted time, with what warps wait for."""
        return table(_rows(self.report))

    def __repr__(self) -> str:
        report = self.report
        return f"<KernelSeconds {report['kernel']} on {report['model']}: {self.seconds:.4g} s, bound by {self.bound}>"


class KernelRun:
    """What a launch did, line by line, what is wrong with it, and what it left.

    Attributes
    ----------
    instructions : int
        Warp instructions that were executed.
    blocks : tuple of int
        Blocks that were executed, and all.
    worst : list of str
        The lines that lose most, at most three, with the cause and the remedy.
    findings : list of dict
        Races, and reads of what was never written: `kind`, and `message` with line, thread and place.
    printed : str
        What the kernel printed.
    report : dict
        All of it, as `umm kernel --json` prints it.
    """

    def __init__(self, native: Any, given: Mapping[str, np.ndarray], places: Mapping[str, str]):
        self._native = native
        self._given = dict(given)
        self._places = dict(places)
        self.report: dict[str, Any] = json.loads(native.json)
        self.instructions: int = self.report["instructions"]
        self.blocks: tuple[int, int] = (self.report["blocks_executed"], self.report["blocks"])
        self.worst: list[str] = self.report["worst"]
        self.findings: list[dict[str, Any]] = self.report["findings"]
        self.printed: str = self.report["printed"]

    def _called(self, names: Sequence[str]) -> KernelRun:
        """With the parameters' names, where others than the code know them."""
        self._places = {name: str(at) for at, name in enumerate(names)}
        return self

    @property
    def lines(self) -> Any:
        """A row for each line of the source, those that take most first; a `pandas.DataFrame` if pandas
        is installed.

        Columns are `file`, `line`, `text`, `share`, `executions`, `threads`, `requests`, `sectors`,
        `ideal_sectors`, `shared_requests`, `wavefronts`, `ideal_wavefronts`, `divergences`, `cause`,
        `explanation`; docs/kernels.md says what each is.
        """
        return table(_rows(self.report))

    def __getitem__(self, name: str | int) -> np.ndarray:
        """An array after the launch, by the parameter's name or place.

        Returns
        -------
        ndarray
            Of the given array's shape and dtype, of others with their rows; bf16 as the bits (uint16).
        """
        place = place_of(str(name), self._places)
        found = self._native.array(place)
        if found is None:
            raise Error(f"parameter {name} is given no array")
        of, columns, data = found
        if place in self._given:
            like = self._given[place]
            order: Any = "C" if like.flags.c_contiguous else "F"
            numbers: np.ndarray = data.view(like.dtype).reshape(like.shape, order=order)
            return numbers
        numbers = data.view(_DTYPES[of])
        is_flat = columns in (0, 1, numbers.size)
        return numbers if is_flat else numbers.reshape(-1, columns)

    def time(
        self,
        machine: str | None = None,
        *,
        w: int | None = None,
        l: int | None = None,
        d: int | None = None,
        shared_latency: int | None = None,
        resident: int | None = None,
        model: str | os.PathLike[str] | None = None,
        mode: str = "sync",
    ) -> Replay:
        """The launch's accesses on a memory machine, in time units: executes it once more.

        Parameters
        ----------
        machine : str
            ``"umm"``, ``"dmm"`` or ``"hmm"``, which alone has shared memory.
        w, l, d, shared_latency, resident, model, mode
            As `run` has them.
        """
        machine_ = machine_of(
            machine=machine, w=w, l=l, d=d, shared_latency=shared_latency, resident=resident, model=model
        )
        return Replay(json.loads(self._native.replay(machine_, mode)))

    def predict(self, model: str | os.PathLike[str] = "h100") -> KernelSeconds:
        """Seconds on a calibrated machine, by executing a few blocks with their time."""
        return KernelSeconds(json.loads(self._native.predict(os.fspath(model))))

    def seconds(self, model: str | os.PathLike[str] = "h100") -> float:
        """The kernel's seconds on a calibrated machine, as a profiler has them."""
        return self.predict(model).seconds

    def html(self) -> str:
        """The source with what each line takes beside it, as a page that needs nothing else."""
        page: str = self._native.html
        return page

    def sass(self) -> str:
        """The machine code as the disassembler writes it, below the lines that it is of."""
        code: str = self._native.sass
        return code

    def page(self) -> Page:
        """The same page, which a notebook shows and `save(path)` writes."""
        return Page(self.html(), None)

    def __repr__(self) -> str:
        report = self.report
        count = len(self.findings)
        wrong = "" if not count else f", {count} {'thing is' if count == 1 else 'things are'} WRONG"
        head = f"<KernelRun {report['kernel']}: {self.instructions} warp instructions{wrong}>"
        said = [f"{at + 1}. {it}" for at, it in enumerate(self.worst)]
        return "\n".join([head, *said, *(it["message"] for it in self.findings)])

    def _repr_html_(self) -> str:
        head, *said = repr(self).split("\n")
        names = ("line", "text", "share", *_COLUMNS[:8])
        rows = [{it: row[it] for it in names} for row in _rows(self.report)[:12]]
        rows = [{**row, "share": f"{100 * row['share']:.1f} %"} for row in rows]
        parts = [f"<p>{html.escape(head[1:].rstrip('>'))}</p>", html_table(rows)]
        return "".join(parts + [f"<p>{html.escape(it)}</p>" for it in said])


def place_of(name: str, places: Mapping[str, str]) -> str:
    """A parameter, or a member of one, by its place."""
    end = min((at for at in map(name.find, ".[@") if at > 0), default=len(name))
    return places.get(name[:end], name[:end]) + name[end:]


def _rows(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for line in report["lines"]:
        row = {it: line[it] for it in ("file", "line", "text", "share")}
        row.update({it: line["counts"][it] for it in _COLUMNS})
        row.update(cause=line["cause"], explanation=line["explanation"])
        row.update(line.get("stall_cycles", {}))
        rows.append(row)
    return rows
