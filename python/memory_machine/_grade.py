"""Marks for what students hand in."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native


def grade(
    assignment: str | os.PathLike[str],
    submission: str | os.PathLike[str],
    *,
    student: str | None = None,
) -> dict[str, Any]:
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
    marks: dict[str, Any] = json.loads(_native.grade(os.fspath(assignment), path, whose))
    return marks
