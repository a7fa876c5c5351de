"""The notebooks run from top to bottom; what they claim, their cells assert."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda it: it.stem)
def test_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3
