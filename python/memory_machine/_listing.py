"""Listings, and every question to them."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._numbers import whole
from ._results import Checked, Cost, Derivation, Explanation, Graph, Prediction, Run
from ._setting import machine_of, rules_of, setting_of
from ._show import Text
from ._table import table


def listings() -> list[dict[str, str]]:
    """The shipped listings: `name`, `source` and what each is `about`."""
    return [dict(zip(("name", "source", "about"), it)) for it in _native.shipped()]


def adopt(text: str, name: str = "paste", *, notation: str | None = None) -> Listing:
    """A paste from a book, a paper's LaTeX or a program, as a listing with declarations.

    Its `plain` is the listing, its `remarks` say what was taken for what.

    Parameters
    ----------
    text : str
        As it is printed.
    name : str
        What messages call it.
    notation : str, optional
        What it is printed in (``"c"``, ``"python"``, ``"latex"`` ...); else what it seems to be.

    Raises
    ------
    Error
        With the line and the column of what is not understood, and the remedy.

    Examples
    --------
    >>> total = adopt('''def total(xs):
    ...     s = 0
    ...     for x in xs:
    ...         s += x
    ...     return s
    ... ''')
    >>> total.run(n=4, inputs={"xs": [1, 2, 3, 4]}).answer
    10
    >>> print(total.plain.splitlines()[0])
    algorithm total(n)
    """
    return Listing(text, name, notation=notation)


class Listing:
    """A listing, checked.

    Parameters
    ----------
    text : str
        What the paper prints, with the arrays declared (`docs/language.md`).
    name : str
        What messages call it.
    notation : str, optional
        What it is printed in (``"c"``, ``"python"``, ``"latex"`` ...); else what it seems to be.
    semantics : str
        ``"pram"``: all reads of a parallel step precede its writes; else loops are of threads.

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

    def __init__(
        self,
        text: str,
        name: str = "listing",
        *,
        notation: str | None = None,
        semantics: str = "threads",
    ):
        self._native = _native.Listing(text, name, notation, semantics)

    @classmethod
    def load(cls, algorithm: str | os.PathLike[str]) -> Listing:
        """A shipped listing by its name, or a file `FILE.alg`."""
        listing = cls.__new__(cls)
        listing._native = _native.Listing.load(os.fspath(algorithm))
        return listing

    @classmethod
    def of(cls, listing: Listing | str | os.PathLike[str]) -> Listing:
        """The listing itself, or the one of that name."""
        return listing if isinstance(listing, Listing) else cls.load(listing)

    @property
    def name(self) -> str:
        """The algorithm's name."""
        return self._native.name

    @property
    def text(self) -> str:
        """The listing as it was written."""
        return self._native.text

    @property
    def plain(self) -> str:
        """The listing in the plain form, with the declarations that it was given."""
        return self._native.plain

    @property
    def remarks(self) -> list[tuple[int, str]]:
        """How the text was understood: lines, and what was recognised, taken or left out there."""
        return list(self._native.remarks)

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

    def run(
        self,
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
        while_limit: int | None = None,
        limit: str | Sequence[str] = (),
        files: bool = True,
        time_only: bool = False,
        rules: Mapping[str, Any] | None = None,
        set: Mapping[str, float] | None = None,
        **sizes: Any,
    ) -> Any:
        """Executes the listing, checks its result and times it, as `umm run` does.

        Parameters
        ----------
        p : int
            Threads; of a bulk run, inputs.
        w, l : int
            Width (32 if nothing says otherwise), and latency in time units (100).
        machine : {"umm", "dmm", "hmm", "pram", "work-span", "ideal-cache", "pem", "bsp", "logp", "loggp", \
                "mpc", "agpu", "tmm", "roofline"}
            The kind of memory machine, or one of the machines of courses (`docs/machines`), which gives
            a `Cost`.
        d, shared_latency, resident : int
            Of an HMM: DMMs, the latency of their shared memories in time units, and blocks that are on
            a DMM at a time; 1 each if nothing says otherwise.
        model : str
            A described machine, as `"h200"` or `"mine.toml"`, for what is not given.
        mode : {"sync", "async"}
            How steps follow each other.
        bulk : {"row", "column"}
            Runs a sequential listing for p inputs at once, in this arrangement.
        inputs : dict
            By array's name: numbers of the array's shape (anything that numpy makes an array of), or
            a source as the command line has it (`"random:7"`, `"a.csv"`, `"paper"`,
            `"polygon:laos.geojson"`). Arrays without one are random. A number that the array's type
            does not hold is an error; floats are rounded to nearest.
        seed : int
            Of random inputs.
        while_limit : int
            A sequential loop that iterates more often is taken for infinite.
        limit : str or list of str
            Stops when so much time is over, as in `"10s"`, or when a run has made so many operations, as
            in `"1e9"`.
        files : bool
            Whether the listing may name a file beside it as its `reference`; not a stranger's.
        time_only : bool
            Counts the time without the values: no arrays, but any size.
        rules : dict
            Parameters of a machine of courses, where the listing has one of that name: `{"g": 4}`.
        set : dict
            Values of parameters whose names are those of arguments.
        **sizes : int
            Values of all other parameters, as `n=64`. Shapes of given arrays imply theirs. Parameters of
            a machine of courses stand among them, as `processors=8`, `cache=[64, 128]`, `pram="erew"`.

        Returns
        -------
        Run
            Or `Cost`, of a machine of courses.

        Raises
        ------
        Error
            Sizes, inputs or a machine that make no sense, with the argument; a mistake in the listing
            that shows when it runs, with the place.
        """
        rules, sizes = rules_of(self._native, machine, sizes, rules)
        on = machine_of(
            machine=machine, w=w, l=l, d=d, shared_latency=shared_latency, resident=resident, model=model,
            rules=rules,
        )
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, machine=on, p=p, mode=mode, bulk=bulk,
            seed=seed, while_limit=while_limit, limit=limit, files=files,
        )
        native = self._native.run(asked, time_only)
        is_of_memory = machine is None or _native.rules(machine) is None
        return Run(native) if is_of_memory else Cost(native)

    def compare_models(
        self,
        *,
        p: int = 1024,
        w: int | None = None,
        l: int | None = None,
        inputs: Mapping[str, Any] | None = None,
        seed: int = 1,
        while_limit: int | None = None,
        limit: str | Sequence[str] = (),
        files: bool = True,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Any:
        """What the listing costs on every machine that is taught, as `umm compare-models` has it.

        Takes sizes and inputs as `run` does; `w` and `l` are those of memory machines. The machines of
        courses have their defaults, the PRAM is the weakest that runs the listing.

        Returns
        -------
        pandas.DataFrame or list of dict
            A row for each machine: `machine`, a dict of its kind and parameters, and its figures, or why
            it `refused` the listing.
        """
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, machine=machine_of(w=w, l=l), p=p, seed=seed,
            while_limit=while_limit, limit=limit, files=files,
        )
        return table(json.loads(self._native.compare_models(asked)))

    def check(
        self,
        *,
        inputs: Mapping[str, Any] | None = None,
        seed: int = 1,
        while_limit: int | None = None,
        limit: str | Sequence[str] = (),
        files: bool = True,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Checked:
        """Whether the listing is oblivious; with sizes, which PRAM a run needs and its races.

        Takes sizes and inputs as `run` does. Without any, nothing is run.
        """
        if not (sizes or set or inputs):
            return Checked(json.loads(self._native.check(None)))
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, seed=seed, while_limit=while_limit,
            limit=limit, files=files,
        )
        return Checked(json.loads(self._native.check(asked)))

    def trace(
        self,
        *,
        p: int = 1024,
        w: int = 32,
        bulk: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        seed: int = 1,
        while_limit: int | None = None,
        limit: str | Sequence[str] = (),
        files: bool = True,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Text:
        """The trace of a run as text, as `umm trace` writes it; `replay` times it.

        Takes sizes and inputs as `run` does. `p` are threads (of a bulk run, inputs); each array begins
        at a multiple of `w`.
        """
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, machine=machine_of(w=w), p=p, bulk=bulk,
            seed=seed, while_limit=while_limit, limit=limit, files=files,
        )
        return Text(self._native.trace(asked))

    def explain(
        self,
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
        while_limit: int | None = None,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Explanation:
        """A small run's way through the pipeline, stage by stage: text, and a picture in notebooks.

        Takes what `run` does.
        """
        on = machine_of(
            machine=machine, w=w, l=l, d=d, shared_latency=shared_latency, resident=resident, model=model
        )
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, machine=on, p=p, mode=mode, bulk=bulk,
            seed=seed, while_limit=while_limit,
        )
        return Explanation(*self._native.explain(asked))

    def graph(
        self,
        *,
        growth: bool = False,
        inputs: Mapping[str, Any] | None = None,
        seed: int = 1,
        while_limit: int | None = None,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Graph:
        """Which accesses need one another, and the longest chain, as `umm graph` has them.

        The listing runs with one thread an iteration; sizes and inputs as for `run`.

        Parameters
        ----------
        growth : bool
            Also the formula that the depth follows for n = 2 … 33, by executing each.
        """
        if growth and ("n" not in self.parameters or inputs):
            raise _native.Error(
                "growth=True samples n = 2 … 33, for which the listing has a parameter n and no inputs "
                "are given"
            )
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, seed=seed, while_limit=while_limit
        )
        return Graph(_native.Graph(self._native, asked, growth))

    def derive(
        self,
        *,
        machine: str | None = None,
        mode: str = "sync",
        bulk: str | None = None,
        latex: bool = False,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Derivation:
        """Bounds of the time for all sizes, as `umm bounds --derive` has them.

        Parameters
        ----------
        machine : {"umm", "dmm", "hmm"}
            The kind of memory machine.
        mode : {"sync", "async"}
            How steps follow each other.
        bulk : {"row", "column"}
            Of a bulk run in this arrangement.
        latex : bool
            Formulas in LaTeX.
        set, **sizes
            Parameters that are numbers, as those with a default are; the others grow.
        """
        on = machine_of(machine=machine)
        asked = setting_of(self._native, sizes, given=set, machine=on, mode=mode, bulk=bulk)
        text, report = _native.derive(self._native, asked, latex)
        return Derivation(text, json.loads(report))

    def cuda(
        self,
        *,
        bulk: str | None = None,
        launch: str | None = None,
        prefetch: int = 1,
        standalone: bool = False,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Text:
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
        asked = setting_of(self._native, sizes, given=set)
        early = whole("prefetch", prefetch, 1, 2**32 - 1)
        return Text(self._native.cuda(asked["set"], asked["reals"], bulk, launch, early, standalone))

    def predict(
        self,
        *,
        model: str | os.PathLike[str] = "h200",
        p: int = 1024,
        bulk: str | None = None,
        launch: str | None = None,
        prefetch: int = 1,
        without: Sequence[str] = (),
        inputs: Mapping[str, Any] | None = None,
        seed: int = 1,
        while_limit: int | None = None,
        set: Mapping[str, float] | None = None,
        **sizes: float,
    ) -> Prediction:
        """The seconds that the listing takes on a calibrated machine, as `umm predict --listing` has them.

        Takes sizes and inputs as `run` does.

        Parameters
        ----------
        model : str
            A calibrated machine: `"h200"`, or a file of `calibrate`.
        p : int
            Inputs of a bulk run.
        bulk, launch, prefetch
            As for `cuda`.
        without : sequence of str
            Extensions of the plain memory machine to leave out.
        """
        asked = setting_of(
            self._native, sizes, given=set, inputs=inputs, machine=machine_of(model=model), p=p,
            bulk=bulk, seed=seed, while_limit=while_limit,
        )
        early = whole("prefetch", prefetch, 1, 2**32 - 1)
        return Prediction(json.loads(self._native.predict(asked, launch, early, list(without))))

    def __repr__(self) -> str:
        return f"<Listing {self.name}({', '.join(self.parameters)})>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def run(
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
    while_limit: int | None = None,
    limit: str | Sequence[str] = (),
    files: bool = True,
    time_only: bool = False,
    rules: Mapping[str, Any] | None = None,
    set: Mapping[str, float] | None = None,
    **sizes: Any,
) -> Any:
    """Executes a listing, checks its result and times it; see `Listing.run` for all arguments.

    Parameters
    ----------
    algorithm : Listing or str
        A listing, a shipped one's name, or a file `FILE.alg`.

    Examples
    --------
    >>> run("prefix_sums", n=32, bulk="column", p=4096).time
    14528
    >>> run("sum", n=64, p=32, machine="pram", pram="erew").time_units
    43
    """
    return Listing.of(algorithm).run(
        p=p, w=w, l=l, machine=machine, d=d, shared_latency=shared_latency, resident=resident,
        model=model, mode=mode, bulk=bulk, inputs=inputs, seed=seed, while_limit=while_limit,
        limit=limit, files=files, time_only=time_only, rules=rules, set=set, **sizes,
    )


def compare_models(
    algorithm: Listing | str | os.PathLike[str],
    *,
    p: int = 1024,
    w: int | None = None,
    l: int | None = None,
    inputs: Mapping[str, Any] | None = None,
    seed: int = 1,
    while_limit: int | None = None,
    limit: str | Sequence[str] = (),
    files: bool = True,
    set: Mapping[str, float] | None = None,
    **sizes: float,
) -> Any:
    """What a listing costs on every machine; see `Listing.compare_models` for all arguments.

    Parameters
    ----------
    algorithm : Listing or str
        A listing, a shipped one's name, or a file `FILE.alg`.

    Examples
    --------
    >>> rows = compare_models("sum", n=64, p=32)
    """
    return Listing.of(algorithm).compare_models(
        p=p, w=w, l=l, inputs=inputs, seed=seed, while_limit=while_limit, limit=limit, files=files,
        set=set, **sizes,
    )
