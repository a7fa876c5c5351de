"""Hulls and greedy triangulations of points of the plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._numbers import converted
from ._show import Picture


def coordinates(points: Any) -> np.ndarray:
    """Points as n × 2 numbers, row-major.

    An array of float64 that is so already is not copied. Geometries of shapely, one or many, give
    their vertices.
    """
    if not isinstance(points, np.ndarray) or points.dtype == object:
        try:
            import shapely
        except ImportError:
            pass
        else:
            geometries = np.atleast_1d(np.asarray(points, dtype=object))
            if geometries.size and isinstance(geometries.flat[0], shapely.Geometry):
                points = shapely.get_coordinates(geometries)
    array = np.ascontiguousarray(converted("points", points, np.float64))
    if array.ndim != 2 or array.shape[1] != 2:
        raise _native.Error(f"points have the shape (n, 2), not {array.shape}")
    return array


class Hull(Picture):
    """The convex hull of points.

    Attributes
    ----------
    points : ndarray, shape (n, 2), float64
        As given.
    vertices : ndarray, shape (h,), uint32
        Indices of the vertices, counter-clockwise from the lowest.
    """

    def __init__(self, points: np.ndarray, vertices: np.ndarray):
        self.points = points
        self.vertices = vertices

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"<Hull of {len(self.points)} points: {len(self)} vertices>"

    @property
    def svg(self) -> str:
        """The points and their hull as SVG text."""
        return _native.draw_hull(self.points, self.vertices)


class Triangulation(Picture):
    """The greedy triangulation of points.

    Attributes
    ----------
    points : ndarray, shape (n, 2), float64
        As given.
    edges : ndarray, shape (m, 2), uint32
        Indices of the ends, smaller first, in the order in which the edges were accepted.
    length : float
        Of all edges together, in the unit of the coordinates.
    """

    def __init__(self, points: np.ndarray, edges: np.ndarray, length: float):
        self.points = points
        self.edges = edges
        self.length = length

    def __len__(self) -> int:
        return len(self.edges)

    def __repr__(self) -> str:
        return f"<Triangulation of {len(self.points)} points: {len(self)} edges>"

    @property
    def triangles(self) -> np.ndarray:
        """Indices of the corners, counter-clockwise: shape (k, 3), uint32.

        >>> greedy([(0, 0), (1, 0), (0, 1)]).triangles.shape
        (1, 3)
        """
        return _native.triangles(self.points, self.edges)

    @property
    def svg(self) -> str:
        """The points and the edges as SVG text."""
        return _native.draw_edges(self.points, self.edges)


def hull(points: Any) -> Hull:
    """The convex hull of points, exactly, on all cores.

    Parameters
    ----------
    points : array_like, shape (n, 2), or geometries of shapely
        A row-major array of float64 is not copied. Other threads must leave it alone meanwhile.

    Returns
    -------
    Hull
        Only strict vertices count; of repeated points, the smallest index.

    Raises
    ------
    Error
        No points, or coordinates that are infinite, no numbers, or so large or small that comparisons
        would not be exact. (One that is too small and lies well inside does no harm.)
    """
    array = coordinates(points)
    return Hull(array, _native.hull(array))


def greedy(points: Any, engine: str = "fast") -> Triangulation:
    """The greedy triangulation of points, exactly.

    Of all lines between the points, from the shortest to the longest, each that conflicts with none
    taken before.

    Parameters
    ----------
    points : array_like, shape (n, 2), or geometries of shapely
        As for `hull`.
    engine : {"fast", "paper"}
        Near-linear, or Shoemaker's algorithm over all n (n − 1)/2 lines.

    Returns
    -------
    Triangulation
    """
    array = coordinates(points)
    return Triangulation(array, *_native.greedy(array, engine))
