"""`%%umm`: a listing in a cell of a notebook."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from ._listing import Listing
from ._native import Error
from ._studies import bounds, complexity, sweep

QUESTIONS = ("run", "check", "trace", "explain", "graph", "derive", "cuda", "predict")
#: Of a grid.
STUDIES: dict[str, Callable[..., Any]] = {"sweep": sweep, "bounds": bounds, "complexity": complexity}


def umm(line: str, cell: str) -> Any:
    """Asks the cell's listing: `%%umm [QUESTION] [NAME=VALUE …]`.

    Questions are run (if left out), check, trace, explain, graph, derive, cuda, predict, and of grids
    sweep, bounds, complexity. Names are those of their arguments and of the listing's parameters::

        %%umm run n=16 w=4 l=5 p=16
        algorithm copy(n)
        input a[n] : f32
        output b[n] : f32
        for i <- 0 to n-1 do in parallel
          b[i] <- a[i]
    """
    words = shlex.split(line)
    known = (*QUESTIONS, *STUDIES)
    question = words.pop(0) if words and words[0] in known else "run"
    setting = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Error(f"%%umm: {word!r} is neither NAME=VALUE nor one of {', '.join(known)}")
        setting[name] = _value(value)
    listing = Listing(cell, "cell")
    if question in STUDIES:
        return STUDIES[question](listing, **setting)
    return getattr(listing, question)(**setting)


def _value(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            pass
    return text
