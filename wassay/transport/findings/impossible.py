"""Arrays that no points could have: cost blocks that are no distances, sweeps that are no lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from wassay.transport.costs.cost import Power
from wassay.transport.findings.answers import SweptBlocks, SweptMeasures, row_slices, some
from wassay.transport.findings.finding import Finding
from wassay.transport.measure import Measure
from wassay.transport.sweeps.quadratic import fit_weights

TOLERANCE = 1e-5
"""How far a row may miss, as a share of its size: what float32 and careless sums may do."""

_COLUMNS = 2048
"""How many of the buyer's points a block is checked against; fewer in very many dimensions."""
_MOST_WORK = 2e10
"""Columns² × dimensions: a second or two of linear algebra."""
_DIRECTIONS = 8
_ROWS_AT_ONCE = 1024
_SPREAD_OUT = 1e-3
"""Directions in which the buyer's points extend less than this share tell nothing of norms."""


def impossible_measures(answer: SweptMeasures) -> Finding | None:
    """Find rows that are not on a line in s, as η_ν(s) = (1 − s) y + s b is."""
    sweep = sorted(answer.measures)
    low, high = answer.measures[sweep[0]], answer.measures[sweep[-1]]
    misfits = np.zeros(low.size)
    for rows in row_slices(low):
        start, end = low.points[rows], high.points[rows]
        size = np.linalg.norm(start, axis=1) + np.linalg.norm(end, axis=1)
        size = np.maximum(size, np.finfo(np.float64).tiny)
        for s in sweep[1:-1]:
            share = (s - sweep[0]) / (sweep[-1] - sweep[0])
            off_line = answer.measures[s].points[rows] - (1 - share) * start - share * end
            misfit = np.linalg.norm(off_line, axis=1) / size
            misfits[rows] = np.maximum(misfits[rows], misfit)
    return _finding(answer.contribution_id, misfits)


def impossible_blocks(
    answer: SweptBlocks, buyer: Measure, p: Power, random: np.random.Generator
) -> Finding | None:
    """Find rows that are no squared distances to the buyer's points, or not those of a line in s.

    Three things hold for the row ‖y − x_b‖² of any point y, with c the mean of the x_b:

    - ‖x_b − c‖² minus the row is affine in x_b;
    - the part of ‖y − c‖² outside the x_b's span, which is what is left of the row's mean, is not
      negative, and zero where they span the space. (Together these say that the doubly centred Gram
      matrix of the x_b and y has no negative eigenvalue and no rank beyond d: Schoenberg's
      criterion.)
    - along a line in s every entry is a quadratic whose leading coefficient, ‖b − y‖², is the same
      for all x_b.

    The first and the third are checked for all rows against random vectors that are orthogonal to
    whatever is affine in x_b, or constant, and drawn anew each time: a row that is none of these
    misses them with probability one.

    Only the third holds of labelled points, whose costs also hold the distances of classes.
    """
    most = min(_COLUMNS, math.isqrt(int(_MOST_WORK / buyer.dimension)))
    chosen = some(random, buyer.size, most)
    offsets = buyer.points[chosen] - buyer.points[chosen].mean(axis=0)
    squares = np.einsum("ij,ij->i", offsets, offsets)
    sweep = sorted(answer.blocks)
    bases = np.vander(np.asarray(sweep), 3, increasing=True)
    bend = fit_weights(sweep)[2]
    cubic = np.linalg.svd(bases)[0][:, 3:]
    vectors = random.normal(size=(len(chosen), _DIRECTIONS)) / np.sqrt(_DIRECTIONS)
    unaffine = _orthogonal_to_affine(vectors, offsets)
    uneven = vectors - vectors.mean(axis=0)
    axes = _axes(offsets)
    misfits = []
    for costs in _rows(answer.blocks, sweep, chosen, p):
        size = costs.mean(axis=2).max(axis=0) + squares.mean()
        in_all = np.sqrt(len(chosen)) * size
        affine = np.linalg.norm((squares - costs) @ unaffine, axis=2).max(axis=0) / in_all
        bent = np.tensordot(bend, costs, 1)
        level = np.linalg.norm(bent @ uneven, axis=1) / (np.abs(bend).sum() * in_all)
        straight = np.zeros(len(level))
        for combination in cubic.T:
            off = np.linalg.norm(np.tensordot(combination, costs, 1) @ vectors, axis=1)
            np.maximum(straight, off / in_all, out=straight)
        outside = np.stack([_outside(rows, squares, axes, offsets.shape[1]) for rows in costs])
        norms = np.maximum(outside.max(axis=0) / size - _SPREAD_OUT, 0)
        of_points = [] if answer.labelled else [affine, norms]
        misfits.append(np.max([level, straight, *of_points], axis=0))
    return _finding(answer.contribution_id, np.concatenate(misfits))


def _rows(
    blocks: Mapping[float, NDArray[np.floating]],
    sweep: list[float],
    chosen: NDArray[np.intp],
    p: Power,
) -> Iterator[NDArray[np.float64]]:
    """Yield squared distances of some rows at a time, shape (sweep, rows, chosen)."""
    for start in range(0, len(blocks[sweep[0]]), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        yield np.stack([np.asarray(blocks[s][rows, chosen], np.float64) ** (2 / p) for s in sweep])


def _orthogonal_to_affine(
    vectors: NDArray[np.float64], offsets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Project on what is orthogonal to every affine function of the points: none, for few."""
    if offsets.shape[1] + 1 >= len(offsets):
        return np.zeros_like(vectors)
    affine, _ = np.linalg.qr(np.column_stack([np.ones(len(offsets)), offsets]))
    left: NDArray[np.float64] = vectors - affine @ (affine.T @ vectors)
    return left


def _axes(offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """(axes, points): the map from a row's linear part to coordinates on the widest axes."""
    left, extents, _ = np.linalg.svd(offsets, full_matrices=False)
    wide = extents > _SPREAD_OUT * max(float(extents[0]), np.finfo(np.float64).tiny)
    axes: NDArray[np.float64] = (left[:, wide] / extents[wide]).T
    return axes


def _outside(
    rows: NDArray[np.float64],
    squares: NDArray[np.float64],
    axes: NDArray[np.float64],
    dimension: int,
) -> NDArray[np.float64]:
    """How far the squared norm outside the span is from any that it could be."""
    linear = (squares - rows) / 2
    along = linear @ axes.T
    rest = rows.mean(axis=1) - squares.mean() - np.einsum("ij,ij->i", along, along)
    off: NDArray[np.float64] = np.abs(rest) if len(axes) == dimension else np.maximum(-rest, 0.0)
    return off


def _finding(contribution_id: str, misfits: NDArray[np.float64]) -> Finding | None:
    impossible = misfits > TOLERANCE
    if not impossible.any():
        return None
    return Finding(
        "impossible-answer",
        contribution_id,
        examined=len(misfits),
        found=int(np.count_nonzero(impossible)),
        misfit=float(misfits.max()),
    )
