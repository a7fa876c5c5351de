"""A submission gets the same marks as on the command line."""

import os
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import memory_machine as mm
from memory_machine import _magic

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


def test_a_cell_is_marked(tmp_path, monkeypatch):
    monkeypatch.chdir(COURSE)
    assert mm.points("column_maxima.toml") == 0
    right = (COURSE / "column_maxima.alg").read_text(encoding="utf-8")
    marks = _magic.grade("column_maxima.toml student=ada", right)
    assert (marks["points"], marks["student"]) == (5, "ada") and "5 of 5 points" in marks._repr_html_()
    assert mm.points(COURSE / "column_maxima.toml") == 5
    time = mm.run("sum", n=64, w=8, l=10, p=32).time
    assert _magic.grade("questions.toml", f"time = {time + 1}\n")["points"] == 0
    assert mm.points("questions.toml") == 0
    assert "not well-formed" in _magic.grade("column_maxima.toml", "algorithm")["stopped"]
    for line in ("", "column_maxima.toml who=ada"):
        with pytest.raises(mm.Error, match="%%grade"):
            _magic.grade(line, right)


def test_nbgrader_reads_the_points(tmp_path):
    umm = os.environ.get("UMM", "umm")
    text = subprocess.run(
        [umm, "grade", COURSE / "column_maxima.toml", "--format", "nbgrader"],
        capture_output=True, text=True, check=True, encoding="utf-8",
    ).stdout
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    graded = [cell for cell in notebook.cells if cell.metadata.nbgrader.grade]
    assert [cell.metadata.nbgrader.points for cell in graded] == [5]
    for file in ("column_maxima.toml", "column_maxima.alg", "data.csv"):
        (tmp_path / file).write_bytes((COURSE / file).read_bytes())
    for submitted, points in (("late.alg", 3), ("column_maxima.alg", 5)):
        cell = next(cell for cell in notebook.cells if cell.metadata.nbgrader.solution)
        cell.source = "%%grade column_maxima.toml student=ada\n" + (COURSE / submitted).read_text(encoding="utf-8")
        NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
        # What nbgrader takes for the points of a cell: the number that is its value.
        [result] = [it for it in graded[0].outputs if it.output_type == "execute_result"]
        assert float(result.data["text/plain"]) == points
