"""Detect arrays that no points can produce."""

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
# Coordinates along these directions are too inaccurate for norms.
_SPREAD_OUT = 1e-3
"""Directions are left out in which the buyer's points extend by less than this share of their
largest extent."""


def impossible_measures(contribution: SweptMeasures) -> Finding | None:
    """Detect points that do not move on straight lines in s, as pushed points do.

    Parameters
    ----------
    contribution : SweptMeasures
        Over at least three values of s.

    Returns
    -------
    Finding or None
        ``impossible-contribution`` if any point is off its line.
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
    """Detect rows of cost blocks that are not one point's distances from the buyer's points.

    The point of a row must also move on a straight line in s.

    Parameters
    ----------
    contribution : SweptBlocks
        Over at least three values of s.
    buyer : Measure
        The buyer's pushed measure η_μ(t0).
    p : {1, 2}
        Power of the distances in the blocks.
    random : numpy.random.Generator
        Draws which of the buyer's points, and which vectors, to test with.

    Returns
    -------
    Finding or None
        ``impossible-contribution`` if there is such a row.
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
    # Let x_b be the buyer's points, c their mean, and y a point of the seller with the image b.
    # Three things hold. First, ‖x_b − c‖² − ‖y − x_b‖² is affine in x_b: vectors orthogonal to all
    # affine functions give 0. Second, each squared distance is a quadratic in s whose leading
    # coefficient, ‖b − y‖², is the same for all x_b: vectors orthogonal to constants give 0. If a
    # row breaks these rules, random vectors of these kinds give 0 with probability 0. Third, the
    # part of y − c that is orthogonal to all x_b − c has a squared norm of at least 0 (see
    # `_norm_errors`). The first and the third together are Schoenberg's criterion.
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
        # Costs between labelled points contain distances between classes too: only the line counts.
        point_misfits = [] if contribution.labelled else [affine, norms]
        misfits.append(np.max([level, straight, *point_misfits], axis=0))
    return _impossible_finding(contribution.contribution_id, np.concatenate(misfits))


def _rows(
    blocks: Mapping[float, NDArray[np.floating]],
    sweep: list[float],
    chosen: NDArray[np.intp],
    p: Power,
) -> Iterator[NDArray[np.float64]]:
    """Yield squared distances of a few seller's points at a time from the buyer's chosen points.

    Shape (values of s, seller's points, chosen points); costs of p = 1 are squared.
    """
    for start in range(0, len(blocks[sweep[0]]), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        yield np.stack([np.asarray(blocks[s][rows, chosen], np.float64) ** (2 / p) for s in sweep])


def _orthogonal_to_affine(
    vectors: NDArray[np.float64], offsets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Subtract from each column of `vectors` the nearest affine function of the buyer's points.

    `offsets` has the buyer's points minus their mean, a row for each row of `vectors`.
    """
    if offsets.shape[1] + 1 >= len(offsets):
        return np.zeros_like(vectors)
    affine, _ = np.linalg.qr(np.column_stack([np.ones(len(offsets)), offsets]))
    left: NDArray[np.float64] = vectors - affine @ (affine.T @ vectors)
    return left


def _axes(offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the matrix that finds a point from its squared distances to the buyer's points.

    `offsets` has the buyer's points minus their mean.
    """
    # For the rows x_b of `offsets` and any point y, the matrix turns (‖x_b‖² − ‖y − x_b‖²) / 2 into
    # coordinates of y. Its axes are the principal axes along which the x_b extend far.
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
    """Return by how much each row contradicts Pythagoras' theorem: 0 if not at all, shape (rows,).

    A row has one point's squared distances from the buyer's points. `squares` has the squared
    distances of the buyer's points from their mean.
    """
    linear = (squares - rows) / 2
    along = linear @ axes.T
    # The squared coordinates of a row's point sum to at most its squared distance from the mean of
    # the buyer's points. If there are `dimension` axes, they sum to exactly that.
    rest = rows.mean(axis=1) - squares.mean() - np.einsum("ij,ij->i", along, along)
    off: NDArray[np.float64] = np.abs(rest) if len(axes) == dimension else np.maximum(-rest, 0.0)
    return off


def _impossible_finding(contribution_id: str, misfits: NDArray[np.float64]) -> Finding | None:
    """Return a finding if a row's relative error, in `misfits`, exceeds the tolerance."""
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
