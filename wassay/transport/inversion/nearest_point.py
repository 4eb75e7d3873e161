"""Project a point on a polytope that is known only through its farthest vertices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SAME = 1e-11
"""Vertices closer than this share of the target's distance from the polytope are the same."""

_NO_GAIN = 8 * np.finfo(np.float64).eps
"""Gains that are smaller than this share of their terms are rounding errors."""

_NO_WEIGHT = 1e-12


@dataclass(frozen=True, eq=False)
class NearestPoint:
    """The result of `nearest_point`: an approximate projection.

    Attributes
    ----------
    point : ndarray, shape (N,)
        The projection.
    gap : float
        Upper bound on the squared distance between `point` and the exact projection.
    farthest_vertex : ndarray, shape (N,)
        A vertex that is farthest in the direction from the projection to the target.
    calls : int
        Number of calls of the callable `farthest_vertex`.
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
    """Project a point on a polytope.

    The result is exact unless the search reaches `max_calls`.

    Parameters
    ----------
    target : ndarray, shape (N,)
        The point to project.
    start : ndarray, shape (N,)
        A vertex.
    farthest_vertex : callable
        Returns, for a point of the polytope, a vertex v that maximises ⟨target − point, v⟩.
    max_calls : int
        Limit on calls of `farthest_vertex`.

    Returns
    -------
    NearestPoint
    """
    # Wolfe's algorithm (Mathematical Programming 11, 1976).
    vertices, weights = start[None, :] - target, np.ones(1)
    gram = vertices @ vertices.T
    size = float(np.linalg.norm(target) + np.linalg.norm(start))
    calls = 0
    while True:
        rest = weights @ vertices
        vertex = farthest_vertex(target + rest)
        calls += 1
        new = vertex - target
        # max over the polytope of ⟨target − point, vertex − point⟩.
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
        weights, kept = _nearest_to_origin(gram, np.append(weights, 0.0))
        vertices, gram = vertices[kept], gram[np.ix_(kept, kept)]
    if len(vertices) > 1:
        rest = _polished(vertices)
    return NearestPoint(target + rest, gap, vertex, calls)


def _nearest_to_origin(
    gram: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Find the convex combination of vertices nearest to the origin, starting from `weights`.

    Return the positive weights, and the indices of their vertices; `gram` is the vertices' Gram
    matrix.
    """
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
    """Return the vertices' weights in the affine combination that is nearest to the origin.

    Weights may be negative; `gram` is the vertices' Gram matrix.
    """
    scale = np.trace(gram) / len(gram)
    try:
        direction = np.linalg.solve(gram + scale, np.ones(len(gram)))
    except np.linalg.LinAlgError:  # up to rounding, a vertex is in the affine hull of the others
        direction = np.linalg.lstsq(gram + scale, np.ones(len(gram)))[0]
    weights: NDArray[np.float64] = direction / direction.sum()
    return weights


def _polished(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the affine combination of the vertices that is nearest to the origin."""
    # Inner products of the vertices would give only half of the digits.
    base, differences = vertices[0], (vertices[1:] - vertices[0]).T
    point: NDArray[np.float64] = base - differences @ np.linalg.lstsq(differences, base)[0]
    return point
