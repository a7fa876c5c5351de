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

from . import opt
from ._listing import Listing, listings, run
from ._native import Error
from ._points import Hull, Triangulation, greedy, hull
from ._results import Checked, Explanation, Prediction, Run
from ._studies import bounds, sweep

__all__ = [
    "Checked",
    "Error",
    "Explanation",
    "Hull",
    "Listing",
    "Prediction",
    "Run",
    "Triangulation",
    "bounds",
    "greedy",
    "hull",
    "listings",
    "opt",
    "run",
    "sweep",
]


def load_ipython_extension(ipython):
    """`%load_ext memory_machine` gives a notebook the cell magic `%%umm`."""
    from ._magic import umm

    ipython.register_magic_function(umm, magic_kind="cell")
