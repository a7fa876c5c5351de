"""Marks for what students hand in."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from . import _native


class Marks(dict[str, Any]):
    """Marks of a submission, with the keys of `umm grade --json`; a notebook shows them as a table."""

    def __repr__(self) -> str:
        return f"<Marks {self['points']} of {self['of']}>"

    def _repr_html_(self) -> str:
        def cells(*texts: object) -> str:
            return "".join(f"<td style='text-align:left'>{html.escape(str(it))}</td>" for it in texts)

        rows = [
            cells("✓" if it["passed"] else "✗", f"{it['points']}/{it['of']}", it["what"], " ".join(it["feedback"]))
            for it in self["marks"]
        ]
        stopped = f"<pre>{html.escape(self['stopped'])}</pre>" if self["stopped"] else ""
        table = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<p>{self['points']} of {self['of']} points</p>{stopped}<table>{table}</table>"


#: Of the cells of this session, by the assignment's file.
_cells: dict[str, Marks] = {}


def grade(
    assignment: str | os.PathLike[str],
    submission: str | os.PathLike[str],
    *,
    student: str | None = None,
) -> Marks:
    """The marks of a submission, as `umm grade --json` prints them.

    The listing runs in this process, within the assignment's limits on its loops; `umm grade` gives each
    submission a process of its own, which strangers' need.

    Parameters
    ----------
    assignment : str or path
        The assignment (`docs/grading.md`).
    submission : str or path
        A listing, or a file of answers.
    student : str
        Whose sizes and data are meant; else the name of the submission's file.
    """
    path = os.fspath(submission)
    whose = os.path.splitext(os.path.basename(path))[0] if student is None else student
    return Marks(json.loads(_native.grade(os.fspath(assignment), path, whose)))


def grade_cell(assignment: str, text: str, *, student: str = "") -> Marks:
    """The marks of a text, as `%%grade` has them, which `points` then tells of."""
    marks = Marks(json.loads(_native.grade_cell(assignment, text, student)))
    _cells[os.path.abspath(assignment)] = marks
    return marks


def points(assignment: str | os.PathLike[str]) -> int:
    """The points of the last cell that `%%grade` marked against an assignment; 0 without one.

    The value of a cell that nbgrader marks: `umm grade ASSIGNMENT --format nbgrader` writes it.
    """
    marks = _cells.get(os.path.abspath(assignment))
    return 0 if marks is None else int(marks["points"])
