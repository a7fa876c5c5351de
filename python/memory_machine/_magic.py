"""`%umm`, `%%umm` and `%%grade`: listings in a notebook."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from ._grade import Marks, grade_cell
from ._listing import Listing
from ._native import Error
from ._studies import bounds, complexity, sweep

QUESTIONS = ("run", "check", "trace", "explain", "graph", "derive", "cuda", "predict")
#: Of a grid.
STUDIES: dict[str, Callable[..., Any]] = {"sweep": sweep, "bounds": bounds, "complexity": complexity}


def umm(line: str, cell: str | None = None) -> Any:
    """Asks the cell's listing: `%%umm [QUESTION] [NAME=VALUE …]`; or one by its name or file, in a line:
    `%umm [QUESTION] LISTING [NAME=VALUE …]`.

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
    if cell is None and (not words or "=" in words[0]):
        raise Error(f"%umm: name a listing, as in %umm {question} sum n=16")
    listing = Listing(cell, "cell") if cell is not None else Listing.load(words.pop(0))
    setting = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Error(f"%%umm: {word!r} is neither NAME=VALUE nor one of {', '.join(known)}")
        setting[name] = _value(value)
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


def grade(line: str, cell: str) -> Marks:
    """Marks the cell, a listing or answers: `%%grade ASSIGNMENT.toml [student=ID]`."""
    assignment, *rest = shlex.split(line) or [""]
    named = {name: value for name, _, value in (word.partition("=") for word in rest)}
    if not assignment or not set(named) <= {"student"}:
        raise Error("%%grade: write %%grade ASSIGNMENT.toml, and perhaps student=ID")
    return grade_cell(assignment, cell, student=named.get("student", ""))
