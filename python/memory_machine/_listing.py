"""Listings, and every question to them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _native
from ._results import Checked, Explanation, Prediction, Run


def listings() -> list[dict[str, str]]:
    """The shipped listings: `name`, `source` and what each is `about`."""
    return [dict(zip(("name", "source", "about"), it)) for it in _native.shipped()]


class Listing:
    """A listing, checked.

    Parameters
    ----------
    text : str
        What the paper prints, with the arrays declared (`docs/language.md`).
    name : str
        What messages call it.

    Raises
    ------
    Error
        With the line and the column of the mistake, and the remedy.

    Examples
    --------
    >>> copy = Listing('''algorithm copy(n)
    ... input a[n] : f32
    ... output b[n] : f32
    ... for i <- 0 to n-1 do in parallel
    ...   b[i] <- a[i]
    ... ''')
    >>> copy.run(n=1024, p=256, w=32, l=100).time
    856
    """

    def __init__(self, text: str, name: str = "listing"):
        self._native = _native.Listing(text, name)

    @classmethod
    def load(cls, algorithm: str | os.PathLike[str]) -> Listing:
        """A shipped listing by its name, or a file `FILE.alg`."""
        listing = cls.__new__(cls)
        listing._native = _native.Listing.load(os.fspath(algorithm))
        return listing

    @classmethod
    def of(cls, listing: Listing | str | os.PathLike[str]) -> Listing:
        """The listing itself, or the one of that name."""
        return listing if isinstance(listing, cls) else cls.load(listing)

    @property
    def name(self) -> str:
        """The algorithm's name."""
        return self._native.name

    @property
    def text(self) -> str:
        """The listing as it was written."""
        return self._native.text

    @property
    def parameters(self) -> dict[str, int | None]:
        """Parameters with their defaults; `None` for one that must be given."""
        return dict(self._native.parameters)

    @property
    def arrays(self) -> dict[str, dict[str, Any]]:
        """Arrays in global memory: `dtype`, `dimensions`, and `role` (input, output, inout, work)."""
        return {
            name: {"dtype": dtype, "dimensions": dimensions, "role": role}
            for name, dtype, dimensions, role in self._native.arrays
        }

    def run(self, *, time_only: bool = False, **setting: Any) -> Run:
        """Executes the listing, checks its result and times it, as `umm run` does.

        Parameters
        ----------
        time_only : bool
            Counts the time without the values: no arrays, but any size.
        w, l, p : int
            Width (32), latency in time units (100), and threads (1024); of a bulk run, inputs.
        machine : {"umm", "dmm", "hmm"}
            The kind of memory machine; of an HMM also `d`, `shared_latency` and `resident`.
        model : str
            A described machine, as `"h200"` or `"mine.toml"`, for what is not given.
        mode : {"sync", "async"}
            How steps follow each other.
        bulk : {"row", "column"}
            Runs a sequential listing for p inputs at once, in this arrangement.
        inputs : dict
            By array's name: numbers of the array's shape (anything that numpy makes an array of), or
            a source as the command line has it (`"random:7"`, `"a.csv"`, `"paper"`,
            `"polygon:laos.geojson"`). Arrays without one are random.
        seed : int
            Of random inputs (1).
        while_limit : int
            A sequential loop that iterates more often is taken for infinite.
        set : dict
            Values of parameters whose names are those of arguments.
        **sizes : int
            Values of all other parameters, as `n=64`. Shapes of given arrays imply theirs.

        Returns
        -------
        Run
        """
        return Run(self._native.run(self._setting(setting), time_only), self)

    def check(self, **setting: Any) -> Checked:
        """Whether the listing is oblivious; with sizes, which PRAM a run needs and its races.

        Takes sizes and inputs as `run` does.
        """
        asked = self._setting(setting) if setting else None
        return Checked(json.loads(self._native.check(asked)))

    def trace(self, **setting: Any) -> str:
        """The trace of a run as text, as `umm trace` writes it; `umm replay` times it."""
        return self._native.trace(self._setting(setting))

    def explain(self, **setting: Any) -> Explanation:
        """A small run's way through the pipeline, stage by stage: text, and a picture in notebooks."""
        return Explanation(*self._native.explain(self._setting(setting)))

    def cuda(
        self,
        *,
        bulk: str | None = None,
        launch: str | None = None,
        prefetch: int = 1,
        standalone: bool = False,
        **sizes: int,
    ) -> str:
        """CUDA C that runs the listing on a GPU; sizes that are given become constants.

        Parameters
        ----------
        bulk : {"row", "column"}
            A kernel that runs a sequential listing for many inputs.
        launch : str
            How sequential statements around parallel loops are done: `"plain"`, `"graph"`, …
        prefetch : int
            Iterations by which a bulk run's reads are made early.
        standalone : bool
            With a `main` that allocates, runs and times.
        """
        return self._native.cuda(sizes, bulk, launch, prefetch, standalone)

    def predict(
        self,
        *,
        model: str = "h200",
        launch: str | None = None,
        prefetch: int = 1,
        without: tuple[str, ...] = (),
        **setting: Any,
    ) -> Prediction:
        """The seconds that the listing takes on a calibrated machine, as `umm predict` has them.

        Parameters
        ----------
        model : str
            A calibrated machine: `"h200"`, or a file of `umm calibrate`.
        without : tuple of str
            Extensions of the plain memory machine to leave out.
        """
        asked = self._setting({**setting, "model": model})
        return Prediction(json.loads(self._native.predict(asked, launch, prefetch, list(without))))

    def __repr__(self) -> str:
        return f"<Listing {self.name}({', '.join(self.parameters)})>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.text)}</pre>"

    def _setting(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All that may be asked of a case, with its defaults."""
        setting: dict[str, Any] = {
            "machine": None,
            "w": None,
            "l": None,
            "d": None,
            "shared_latency": None,
            "resident": None,
            "model": None,
            "mode": "sync",
            "p": 1024,
            "bulk": None,
            "seed": 1,
            "while_limit": None,
        }
        sizes = {name: value for name, value in given.items() if name not in setting}
        setting.update((name, given[name]) for name in setting if name in given)
        inputs = sizes.pop("inputs", {})
        sizes.update(sizes.pop("set", {}))
        for name, value in sizes.items():
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise _native.Error(
                    f"{name}={value!r}: `{self.name}` has no such parameter (its parameters: {known}), "
                    f"and no run has such an argument"
                )
        setting["set"] = sizes
        setting["inputs"] = {name: self._input(name, value) for name, value in inputs.items()}
        return setting

    def _input(self, name: str, value: Any) -> Any:
        """A source, or numbers in the array's own type."""
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, str) or name not in self.arrays:
            return value
        array, dtype = np.asarray(value), np.dtype(self.arrays[name]["dtype"])
        with np.errstate(all="ignore"):
            exact = array.astype(dtype, copy=False)
        if dtype.kind != "f" and not np.array_equal(exact, array):
            raise _native.Error(f"inputs: `{name}` holds {dtype}, and not all given numbers are such")
        return exact


def run(algorithm: Listing | str | os.PathLike[str], **setting: Any) -> Run:
    """Executes a listing, checks its result and times it; see `Listing.run`.

    Parameters
    ----------
    algorithm : Listing or str
        A listing, a shipped one's name, or a file `FILE.alg`.

    Examples
    --------
    >>> run("prefix_sums", n=32, bulk="column", p=4096).time
    14528
    """
    return Listing.of(algorithm).run(**setting)
