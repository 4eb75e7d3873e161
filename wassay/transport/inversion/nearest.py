"""The point of a polytope nearest to a given one, when only its vertices can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SAME = 1e-11
"""Two vertices no farther apart than this share of the polytope's distance are one vertex."""

_NO_GAIN = 8 * np.finfo(np.float64).eps
"""A step that promises less than this share of the sizes that it is computed from is rounding."""

_NO_WEIGHT = 1e-12


@dataclass(frozen=True, eq=False)
class NearestPoint:
    """Where the search ended.

    Attributes
    ----------
    point : ndarray
    gap : float
        max over the polytope of ⟨target − point, vertex − point⟩: an upper bound of the squared
        distance between the point and the nearest one.
    farthest_vertex : ndarray
        Where that maximum is attained.
    calls : int
        Vertices that were asked for.
    """

    point: NDArray[np.float64]
    gap: float
    farthest_vertex: NDArray[np.float64]
    calls: int


def nearest_point(
    target: NDArray[np.float64],
    start: NDArray[np.float64],
    farthest_vertex: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    max_calls: int,
) -> NearestPoint:
    """Project a point on a polytope by Wolfe's algorithm (Math. Programming 11, 1976).

    A Frank–Wolfe method that at every step solves the problem exactly on the vertices it holds,
    and drops those that the solution does not use. It therefore ends after finitely many steps
    with the exact answer, where steps of a chosen length only approach it.

    Parameters
    ----------
    target : ndarray, shape (N,)
    start : ndarray, shape (N,)
        A vertex.
    farthest_vertex : callable
        A vertex v that maximises ⟨target − point, v⟩, for a given point of the polytope.
    max_calls : int
        After so many vertices the search ends where it is; its gap says how far that may be off.
    """
    vertices, weights = start[None, :] - target, np.ones(1)
    gram = vertices @ vertices.T
    size = float(np.linalg.norm(target) + np.linalg.norm(start))
    calls = 0
    while True:
        rest = weights @ vertices
        vertex = farthest_vertex(target + rest)
        calls += 1
        new = vertex - target
        gap = float(rest @ (rest - new))
        row = vertices @ new
        squared = gram.diagonal() - 2 * row + new @ new
        held = any(
            np.abs(vertices[near] - new).max() <= _SAME * np.abs(rest).max()
            for near in np.flatnonzero(squared <= _SAME * size**2)
        )
        distance = float(np.linalg.norm(rest))
        rounding = _NO_GAIN * size
        if held or gap <= rounding * distance or distance <= rounding or calls >= max_calls:
            break
        gram = np.block([[gram, row[:, None]], [row, new @ new]])
        vertices = np.concatenate([vertices, new[None, :]])
        weights, kept = _corral(gram, np.append(weights, 0.0))
        vertices, gram = vertices[kept], gram[np.ix_(kept, kept)]
    if len(vertices) > 1:
        rest = _polished(vertices)
    return NearestPoint(target + rest, gap, vertex, calls)


def _corral(
    gram: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Weights of the point of the vertices' hull nearest to the origin, and who has any."""
    kept = np.arange(len(weights))
    while True:
        wanted = _affine_minimiser(gram[np.ix_(kept, kept)])
        falling = wanted <= _NO_WEIGHT
        if not falling.any():
            return wanted, kept
        drop = weights[falling] - wanted[falling]
        step = np.min(np.divide(weights[falling], drop, out=np.ones_like(drop), where=drop > 0))
        weights = weights + min(float(step), 1.0) * (wanted - weights)
        stays = weights > _NO_WEIGHT
        if stays.all():
            stays[np.argmin(weights)] = False
        kept, weights = kept[stays], weights[stays] / weights[stays].sum()


def _affine_minimiser(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights, of any sign, of the point of the vertices' affine hull nearest to the origin."""
    scale = np.trace(gram) / len(gram)
    try:
        direction = np.linalg.solve(gram + scale, np.ones(len(gram)))
    except np.linalg.LinAlgError:  # a vertex that rounding put into the others' affine hull
        direction = np.linalg.lstsq(gram + scale, np.ones(len(gram)))[0]
    weights: NDArray[np.float64] = direction / direction.sum()
    return weights


def _polished(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same point by differences of vertices: their Gram matrix had half the digits."""
    base, differences = vertices[0], (vertices[1:] - vertices[0]).T
    point: NDArray[np.float64] = base - differences @ np.linalg.lstsq(differences, base)[0]
    return point
