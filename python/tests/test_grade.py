"""A submission gets the same marks as on the command line."""

from pathlib import Path

import pytest

import memory_machine as mm

COURSE = Path(__file__).parents[2] / "docs/course/assignment"


def test_marks():
    right = mm.grade(COURSE / "column_maxima.toml", COURSE / "column_maxima.alg")
    assert (right["points"], right["of"], right["stopped"]) == (5, 5, None)
    late = mm.grade(COURSE / "column_maxima.toml", COURSE / "late.alg", student="ada")
    assert late["points"] == 3 and late["student"] == "ada"
    assert [mark["passed"] for mark in late["marks"]] == [False, True, False, True, True, False]


def test_an_assignment_that_is_none():
    with pytest.raises(mm.Error, match="none.toml"):
        mm.grade(COURSE / "none.toml", COURSE / "late.alg")
