"""Exact time of parallel algorithms on the memory machine models of GPU computing.

A listing as a paper prints it is executed, checked, and timed to the unit on the Unified, the Discrete
or the Hierarchical Memory Machine (UMM, DMM, HMM) of width `w`, latency `l` and `p` threads.

>>> import memory_machine as mm
>>> run = mm.run("umm_opt", n=64, w=32, l=100, p=1024)
>>> run.time
108382
>>> run.verified
True
"""

from typing import Any as _Any

from . import opt, plot
from ._grade import Marks, grade, points
from ._improvement import Improvement, improve
from ._jit import kernel
from ._kernel import Kernel, Surface, TensorMap, Texture
from ._kernel_run import KernelRun, KernelSeconds
from ._listing import Listing, adopt, compare_models, listings, run
from ._measured import Comparison, FittedLines, calibrate, compare, fit, models, report
from ._native import Error, __version__
from ._points import Hull, Triangulation, greedy, hull
from ._results import (
    Checked,
    Complexity,
    Cost,
    Derivation,
    Explanation,
    Graph,
    Prediction,
    Replay,
    Run,
)
from ._show import Chart, Page, Picture, Text
from ._studies import bounds, complexity, sweep
from ._trace import replay

__all__ = [
    "Chart",
    "Checked",
    "Comparison",
    "Complexity",
    "Cost",
    "Derivation",
    "Error",
    "Explanation",
    "FittedLines",
    "Graph",
    "Hull",
    "Improvement",
    "Kernel",
    "KernelRun",
    "KernelSeconds",
    "Listing",
    "Marks",
    "Page",
    "Picture",
    "Prediction",
    "Replay",
    "Run",
    "Surface",
    "Text",
    "TensorMap",
    "Texture",
    "Triangulation",
    "__version__",
    "adopt",
    "bounds",
    "calibrate",
    "compare",
    "compare_models",
    "complexity",
    "fit",
    "grade",
    "greedy",
    "hull",
    "improve",
    "kernel",
    "listings",
    "models",
    "opt",
    "plot",
    "points",
    "replay",
    "report",
    "run",
    "sweep",
]


def load_ipython_extension(ipython: _Any) -> None:
    """`%load_ext memory_machine` gives a notebook `%umm`, `%%umm` and `%%grade`."""
    from ._magic import grade, umm

    ipython.register_magic_function(umm, magic_kind="line_cell")
    ipython.register_magic_function(grade, magic_kind="cell")
