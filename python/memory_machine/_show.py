"""What notebooks and prompts show: pictures, pages and texts."""

from __future__ import annotations

import html
import os
from pathlib import Path
from typing import Any

from ._native import Error


class Picture:
    """A picture: `svg` is its text, and a notebook shows it."""

    @property
    def svg(self) -> str:
        """The picture as SVG text."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture as a file `FILE.svg`."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str | None:
        try:
            svg = self.svg
        except Error:
            # Too large to be drawn: its text alone is shown.
            return None
        # A cell may be narrower than the picture, and would cut it.
        return svg.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)


class Chart(Picture):
    """A chart."""

    def __init__(self, svg: str, name: str):
        self._svg = svg
        self.name = name

    @property
    def svg(self) -> str:
        """The chart as SVG text."""
        return self._svg

    def __repr__(self) -> str:
        return f"<Chart {self.name}>"


class Text(str):
    """A text of several lines, which prompts and notebooks show as such."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


class Page:
    """A page of HTML that needs nothing beside itself.

    Attributes
    ----------
    html : str
        The page.
    without_predictions : str or None
        Why it has no predictions, if it has none.
    """

    def __init__(self, text: str, without_predictions: str | None):
        self.html = text
        self.without_predictions = without_predictions

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page as a file `FILE.html`."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        why = f", without predictions: {self.without_predictions}" if self.without_predictions else ""
        return f"<Page of {len(self.html)} characters{why}>"

    def _repr_html_(self) -> str:
        page = html.escape(self.html)
        return f'<iframe srcdoc="{page}" style="width:100%;height:700px;border:0"></iframe>'
