"""Optimal polygon triangulation: the n − 3 chords of least total weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._points import coordinates

__all__ = ["Chords", "solve"]


class Chords:
    """An optimal triangulation.

    Attributes
    ----------
    weight : float
        Of all chords together.
    chords : ndarray, shape (n − 3, 2), uint64
        Their ends, ascending.
    vertices : ndarray, shape (n, 2), float64, or None
        Of the polygon; `None` if weights were given.
    """

    def __init__(self, n: int, weight: float, chords: np.ndarray, vertices: np.ndarray | None):
        self.n = n
        self.weight = weight
        self.chords = chords
        self.vertices = vertices

    def __len__(self) -> int:
        return len(self.chords)

    def __repr__(self) -> str:
        return f"<Chords of {self.n} vertices: total weight {self.weight}>"

    def _repr_svg_(self) -> str:
        return _native.draw_chords(self.vertices, self.n, self.chords, self.weight)


def solve(polygon: Any = None, *, weights: Any = None, type: str = "f32") -> Chords:
    """A triangulation of least total weight, by the O(n³) dynamic programming on all cores.

    Parameters
    ----------
    polygon : array_like, shape (n, 2), or a polygon of shapely
        The vertices of a simple polygon, in order; chords weigh their lengths.
    weights : array_like, shape (n, n)
        Instead: what chords weigh. The upper triangle is read; infinity is a chord that may not be
        used.
    type : {"f32", "f64", "i32"}
        Numbers to compute with; i32 rounds lengths to whole units.

    Returns
    -------
    Chords

    Raises
    ------
    Error
        No simple polygon, no weights of chords, or sums that leave the range of the type.

    Examples
    --------
    >>> arrow = solve([(0, 0), (2, 3), (4, 0), (2, 1)])
    >>> arrow.chords.tolist(), arrow.weight
    ([[1, 3]], 2.0)
    """
    if (polygon is None) == (weights is None):
        raise _native.Error("give either a polygon or weights")
    if weights is not None:
        matrix = np.ascontiguousarray(weights, dtype=np.float64)
        if matrix.ndim != 2:
            raise _native.Error(f"weights have the shape (n, n), not {matrix.shape}")
        return Chords(len(matrix), *_native.solve(matrix, False, type), None)
    if hasattr(polygon, "exterior"):
        if len(polygon.interiors):
            raise _native.Error("the polygon has holes; triangulate its exterior")
        polygon = polygon.exterior
    vertices = coordinates(polygon)
    if len(vertices) > 1 and np.array_equal(vertices[0], vertices[-1]):
        vertices = vertices[:-1]
    return Chords(len(vertices), *_native.solve(vertices, True, type), vertices)
