"""`%%umm`: a listing in a cell of a notebook."""

from __future__ import annotations

import shlex
from typing import Any

from ._listing import Listing

QUESTIONS = ("run", "check", "trace", "explain", "cuda", "predict")


def umm(line: str, cell: str) -> Any:
    """Asks the cell's listing: `%%umm [run|check|trace|explain|cuda|predict] [NAME=VALUE …]`.

    Names are those of the arguments of `Listing.run` and of the listing's parameters::

        %%umm run n=16 w=4 l=5 p=16
        algorithm copy(n)
        input a[n] : f32
        output b[n] : f32
        for i <- 0 to n-1 do in parallel
          b[i] <- a[i]
    """
    words = shlex.split(line)
    question = words.pop(0) if words and words[0] in QUESTIONS else "run"
    setting = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(
                f"%%umm: {word!r} is neither NAME=VALUE nor one of {', '.join(QUESTIONS)}"
            )
        setting[name] = _value(value)
    return getattr(Listing(cell, "cell"), question)(**setting)


def _value(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    try:
        return int(text)
    except ValueError:
        return text
