"""Detect arrays that no points can produce.

Such arrays are cost blocks whose rows are not distances to the buyer's points, and measures that
are not linear in s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from wassay.transport.anomalies.finding import Finding
from wassay.transport.anomalies.swept_contributions import (
    SweptBlocks,
    SweptMeasures,
    row_slices,
    sample_rows,
)
from wassay.transport.costs.cost import Power
from wassay.transport.measure import Measure
from wassay.transport.sweeps.polynomial_fit import fit_weights

TOLERANCE = 1e-5
"""Relative errors of a row up to this are attributed to the rounding of float32 and of sums."""

_MAX_COLUMNS = 2048
"""Number of the buyer's points that blocks are checked against; fewer in high dimensions."""
_MAX_OPERATIONS = 2e10
"""Limit on columns² × dimension, which takes a second or two."""
_DIRECTIONS = 8
_ROWS_AT_ONCE = 1024
_SPREAD_OUT = 1e-3
"""Directions in which the extent of the buyer's points is below this share of the largest are left
out: coordinates along them are too inaccurate for norms."""


def impossible_measures(contribution: SweptMeasures) -> Finding | None:
    """Detect points that are not linear in s, unlike the pushed points η_ν(s) = (1 − s) y + s b.

    Parameters
    ----------
    contribution : SweptMeasures
        Over at least three values of s.

    Returns
    -------
    Finding or None
        ``impossible-contribution`` if any row is off its line.
    """
    sweep = sorted(contribution.measures)
    low, high = contribution.measures[sweep[0]], contribution.measures[sweep[-1]]
    misfits = np.zeros(low.size)
    for rows in row_slices(low):
        start, end = low.points[rows], high.points[rows]
        size = np.linalg.norm(start, axis=1) + np.linalg.norm(end, axis=1)
        size = np.maximum(size, np.finfo(np.float64).tiny)
        for s in sweep[1:-1]:
            share = (s - sweep[0]) / (sweep[-1] - sweep[0])
            off_line = contribution.measures[s].points[rows] - (1 - share) * start - share * end
            misfit = np.linalg.norm(off_line, axis=1) / size
            misfits[rows] = np.maximum(misfits[rows], misfit)
    return _impossible_finding(contribution.contribution_id, misfits)


def impossible_blocks(
    contribution: SweptBlocks, buyer: Measure, p: Power, random: np.random.Generator
) -> Finding | None:
    """Detect rows that are not squared distances to the buyer's points, or do not move on a line.

    Let x_b be the buyer's points and c their mean. The squared distances ‖y − x_b‖² from any point
    y, which form a row, have three properties:

    - ‖x_b − c‖² − ‖y − x_b‖² is an affine function of x_b.
    - The squared distances determine the squared norm of the part of y − c that is orthogonal to
      all x_b − c. It is at least 0, and equal to 0 if the x_b − c span the space. With the first
      property this is Schoenberg's criterion: the doubly centred Gram matrix of the x_b and y is
      positive semidefinite and of rank d at most.
    - If y moves on a line in s, towards its image b, each squared distance is a quadratic in s,
      whose leading coefficient, ‖b − y‖², is the same for all x_b.

    The first and the third property are tested on all rows by products with random vectors. For the
    first property, the differences ‖x_b − c‖² − ‖y − x_b‖² are multiplied by vectors that are
    orthogonal to all affine functions of x_b. For the third property, the leading coefficients are
    multiplied by vectors that are orthogonal to constants. The products are zero if the property
    holds, and otherwise nonzero with probability one. Costs between labelled points include
    distances between classes and have the third property only.

    Parameters
    ----------
    contribution : SweptBlocks
        Over at least three values of s.
    buyer : Measure
        The buyer's pushed measure η_μ(t0).
    p : {1, 2}
        Power of the distances in the blocks.
    random : numpy.random.Generator
        Chooses the buyer's points to test with, if there are many, and draws the vectors.

    Returns
    -------
    Finding or None
        ``impossible-contribution`` if any row fails.
    """
    limit = min(_MAX_COLUMNS, math.isqrt(int(_MAX_OPERATIONS / buyer.dimension)))
    chosen = sample_rows(random, buyer.size, limit)
    offsets = buyer.points[chosen] - buyer.points[chosen].mean(axis=0)
    squares = np.einsum("ij,ij->i", offsets, offsets)
    sweep = sorted(contribution.blocks)
    bases = np.vander(np.asarray(sweep), 3, increasing=True)
    bend = fit_weights(sweep)[2]
    cubic = np.linalg.svd(bases)[0][:, 3:]
    vectors = random.normal(size=(len(chosen), _DIRECTIONS)) / np.sqrt(_DIRECTIONS)
    unaffine = _orthogonal_to_affine(vectors, offsets)
    uneven = vectors - vectors.mean(axis=0)
    axes = _axes(offsets)
    misfits = []
    for costs in _rows(contribution.blocks, sweep, chosen, p):
        size = costs.mean(axis=2).max(axis=0) + squares.mean()
        in_all = np.sqrt(len(chosen)) * size
        affine = np.linalg.norm((squares - costs) @ unaffine, axis=2).max(axis=0) / in_all
        bent = np.tensordot(bend, costs, 1)
        level = np.linalg.norm(bent @ uneven, axis=1) / (np.abs(bend).sum() * in_all)
        straight = np.zeros(len(level))
        for combination in cubic.T:
            off = np.linalg.norm(np.tensordot(combination, costs, 1) @ vectors, axis=1)
            np.maximum(straight, off / in_all, out=straight)
        outside = np.stack([_norm_errors(rows, squares, axes, offsets.shape[1]) for rows in costs])
        norms = np.maximum(outside.max(axis=0) / size - _SPREAD_OUT, 0)
        point_misfits = [] if contribution.labelled else [affine, norms]
        misfits.append(np.max([level, straight, *point_misfits], axis=0))
    return _impossible_finding(contribution.contribution_id, np.concatenate(misfits))


def _rows(
    blocks: Mapping[float, NDArray[np.floating]],
    sweep: list[float],
    chosen: NDArray[np.intp],
    p: Power,
) -> Iterator[NDArray[np.float64]]:
    """Yield the squared distances of a few rows at every s to the chosen points of the buyer.

    Each array has the shape (values of s, rows, chosen points); together they have all rows.
    """
    for start in range(0, len(blocks[sweep[0]]), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        yield np.stack([np.asarray(blocks[s][rows, chosen], np.float64) ** (2 / p) for s in sweep])


def _orthogonal_to_affine(
    vectors: NDArray[np.float64], offsets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Subtract from each vector its part that is an affine function of the buyer's points.

    A vector has one entry for each of these points; `offsets` are the points minus their mean.
    """
    if offsets.shape[1] + 1 >= len(offsets):
        return np.zeros_like(vectors)
    affine, _ = np.linalg.qr(np.column_stack([np.ones(len(offsets)), offsets]))
    left: NDArray[np.float64] = vectors - affine @ (affine.T @ vectors)
    return left


def _axes(offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a matrix that turns (‖x_b − c‖² − ‖y − x_b‖²)/2 into coordinates of y − c.

    Here x_b are the buyer's points, c is their mean, and y is any point. The coordinates are along
    those principal axes of the x_b along which the extent exceeds a thousandth of the largest.
    `offsets` are the x_b − c. Shape (axes, points).
    """
    left, extents, _ = np.linalg.svd(offsets, full_matrices=False)
    wide = extents > _SPREAD_OUT * max(float(extents[0]), np.finfo(np.float64).tiny)
    axes: NDArray[np.float64] = (left[:, wide] / extents[wide]).T
    return axes


def _norm_errors(
    rows: NDArray[np.float64],
    squares: NDArray[np.float64],
    axes: NDArray[np.float64],
    dimension: int,
) -> NDArray[np.float64]:
    """Return, for each row, the error of a squared norm that the row determines.

    A row has the squared distances of a point y from the buyer's points, whose mean is c. These
    distances determine the squared norm of the part of y − c that is orthogonal to the axes. The
    squared norm must be 0 if the axes span all dimensions, and at least 0 otherwise; its error is
    how far it is from that. `squares` are the squared distances of the buyer's points from c. The
    matrix `axes` turns (squares − row)/2 into the coordinates of y − c along the axes.
    """
    linear = (squares - rows) / 2
    along = linear @ axes.T
    rest = rows.mean(axis=1) - squares.mean() - np.einsum("ij,ij->i", along, along)
    off: NDArray[np.float64] = np.abs(rest) if len(axes) == dimension else np.maximum(-rest, 0.0)
    return off


def _impossible_finding(contribution_id: str, misfits: NDArray[np.float64]) -> Finding | None:
    """Return a finding if the relative error of a row, in `misfits`, exceeds the tolerance."""
    impossible = misfits > TOLERANCE
    if not impossible.any():
        return None
    return Finding(
        "impossible-contribution",
        contribution_id,
        examined=len(misfits),
        found=int(np.count_nonzero(impossible)),
        misfit=float(misfits.max()),
    )
