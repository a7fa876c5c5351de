"""Optimal polygon triangulation, and what has the same recurrence:
chains of matrices, binary search trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._numbers import converted
from ._points import coordinates
from ._show import Picture

__all__ = ["Chords", "Products", "SearchTree", "matrix_chain", "search_tree", "solve"]


class Chords(Picture):
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

    @property
    def triangles(self) -> np.ndarray:
        """The corners of the n − 2 triangles, ascending: shape (n − 2, 3), uint64.

        >>> solve([(0, 0), (2, 3), (4, 0), (2, 1)]).triangles.tolist()
        [[0, 1, 3], [1, 2, 3]]
        """
        last = self.n - 1
        edges = [(i, i + 1) for i in range(last)] + [(0, last)]
        sides = np.concatenate([self.chords, np.array(edges, dtype=self.chords.dtype)])
        sides = sides[np.lexsort((sides[:, 1], sides[:, 0]))]
        # Beyond side a–b lies the triangle of the side a–k before it, of the same a.
        follows = sides[1:, 0] == sides[:-1, 0]
        return np.column_stack((sides[:-1][follows], sides[1:, 1][follows]))

    @property
    def svg(self) -> str:
        """The polygon and its chords as SVG text; without vertices, on a regular n-gon."""
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
        matrix = np.ascontiguousarray(converted("weights", weights, np.float64))
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


class Products(Picture):
    """The cheapest order to multiply a chain of matrices.

    Attributes
    ----------
    multiplications : int
        Of numbers.
    order : str
        In parentheses, as in ``((A1A2)A3)``.
    """

    def __init__(self, multiplications: int, order: str, picture: str | None):
        self.multiplications = multiplications
        self.order = order
        self._picture = picture

    @property
    def svg(self) -> str:
        """The tree of products as SVG text, of 2 to 150 matrices."""
        return _drawn(self._picture, "2 to 150 matrices")

    def __repr__(self) -> str:
        order = self.order if len(self.order) < 200 else "a long order"
        return f"<Products: {order}, {self.multiplications} multiplications>"


class SearchTree(Picture):
    """A binary search tree of least expected cost.

    Attributes
    ----------
    cost : float
        The weight of each key and gap times the nodes on the path to it, summed.
    parents : list of int or None
        Of keys 1 … m, in order; `None` for the root.
    tree : str
        In parentheses.
    """

    def __init__(self, cost: float, parents: list[int | None], tree: str, picture: str | None):
        self.cost = cost
        self.parents = parents
        self.tree = tree
        self._picture = picture

    @property
    def root(self) -> int:
        """The key at the root, from 1."""
        return 1 + self.parents.index(None)

    @property
    def svg(self) -> str:
        """The tree as SVG text, its empty leaves d0 … among it, of up to 149 keys."""
        return _drawn(self._picture, "1 to 149 keys")

    def __repr__(self) -> str:
        return f"<SearchTree of {len(self.parents)} keys: cost {self.cost}, root {self.root}>"


def _drawn(picture: str | None, drawable: str) -> str:
    if picture is None:
        raise _native.Error(f"trees of {drawable} are drawn, and this is none")
    return picture


def matrix_chain(dimensions: Any) -> Products:
    """The cheapest order to multiply a chain of matrices, in O(m³) on all cores.

    Parameters
    ----------
    dimensions : array_like, shape (m + 1,), whole numbers
        p_0 … p_m: matrix A_i has p_(i−1) rows and p_i columns. A product of a p × q and a q × r matrix
        costs p·q·r multiplications of numbers.

    Raises
    ------
    Error
        Fewer than two dimensions, one that is 0 or no whole number, or 2⁵³ multiplications or more.

    Examples
    --------
    >>> matrix_chain([30, 35, 15, 5, 10, 20, 25])
    <Products: ((A1(A2A3))((A4A5)A6)), 15125 multiplications>
    """
    numbers = _vector("dimensions", dimensions, np.uint64)
    return Products(*_native.matrix_chain(numbers.tolist()))


def search_tree(keys: Any, gaps: Any = None) -> SearchTree:
    """A binary search tree of least expected cost, in O(m³) on all cores.

    Parameters
    ----------
    keys : array_like, shape (m,)
        How often each of keys 1 … m is searched: frequencies or counts.
    gaps : array_like, shape (m + 1,)
        How often what lies before, between and behind the keys is searched; 0 each if left out. A search
        costs the nodes on its path, the empty leaf at which a gap ends included.

    Raises
    ------
    Error
        No key, another number of gaps, or weights that are negative or not finite.

    Examples
    --------
    >>> search_tree([0.15, 0.10, 0.05, 0.10, 0.20], [0.05, 0.10, 0.05, 0.05, 0.05, 0.10])
    <SearchTree of 5 keys: cost 2.75, root 2>
    """
    weights = _vector("keys", keys, np.float64)
    between = np.zeros(len(weights) + 1) if gaps is None else _vector("gaps", gaps, np.float64)
    return SearchTree(*_native.search_tree(weights.tolist(), between.tolist()))


def _vector(what: str, value: Any, dtype: Any) -> np.ndarray:
    numbers = converted(what, value, dtype)
    if numbers.ndim != 1:
        raise _native.Error(f"{what} has one dimension, not the shape {numbers.shape}")
    return numbers
