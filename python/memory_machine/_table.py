"""Rows as pandas shows them, or plainly where there is no pandas."""

from __future__ import annotations

import html
from typing import Any


def table(rows: list[dict[str, Any]]) -> Any:
    """A `pandas.DataFrame` of the rows if pandas is installed, else the rows."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def html_table(rows: list[dict[str, Any]]) -> str:
    """Rows of the same keys as an HTML table, numbers in groups of three digits."""
    if not rows:
        return ""

    def text(value: Any) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{value:,}".replace(",", "\u202f")
        return "–" if value is None else html.escape(str(value))

    def cell(value: Any) -> str:
        align = "left" if isinstance(value, str) else "right"
        return f'<td style="text-align:{align}">{text(value)}</td>'

    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0])
    body = "".join(f"<tr>{''.join(map(cell, row.values()))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
