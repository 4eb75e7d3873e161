"""Reconstruct the other side's points, approximately, from the ranks of one's own points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.solvers.solve import solve

MAX_ROUNDS = 8
"""Limit on the alternations of transport and linear program from one start."""

Points = NDArray[np.float64]
Rows = NDArray[np.intp]


def reconstruct_from_ranks(
    points: ArrayLike, levels: Sequence[ArrayLike], starts: Iterable[ArrayLike]
) -> Reconstruction:
    """Reconstruct the other side's points from the ranking of one's own points by score.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One's own points, equally weighted.
    levels : sequence of array_like of int
        Indices of the points in each level, the level with the highest scores first. A level has
        one point if ranks are known, and several if only grades are known.
    starts : iterable of array_like, shape (m, d)
        Guesses of the other side's points to start from.

    Returns
    -------
    Reconstruction
        The best from all starts. The residual is the mean number of levels by which a point is
        misplaced, divided by the number of levels.
    """
    own = Measure(points)
    rows = [np.asarray(level, dtype=np.intp) for level in levels]
    given = np.empty(own.size, dtype=np.intp)
    for level_index, level in enumerate(rows):
        given[level] = level_index
    best, residual, solves = np.empty((0, own.dimension)), np.inf, 0
    # One's own point y has the potential min_i ‖x_i − y‖² − f_i, where x_i are the other side's
    # points and f_i their potentials. Two steps alternate. Solving the transport problem for
    # guessed x_i tells which i attains each minimum. Then the ranking is a set of linear
    # inequalities, and a linear program gives the next x_i.
    for start in starts:
        guess = np.asarray(start, dtype=np.float64)
        for _ in range(MAX_ROUNDS):
            nearest, potentials = _nearest_points(guess, own)
            solves += 1
            misplaced = float(np.abs(_assign_levels(potentials, rows) - given).mean() / len(rows))
            if misplaced < residual:
                best, residual = guess, misplaced
            improved = _solve_program(own.points, given, len(rows), nearest, len(guess))
            if misplaced == 0 or improved is None:
                break
            guess = improved
    return Reconstruction(
        points=best,
        method="rank queries",
        residual=residual,
        rank=own.dimension,
        span_distances=np.zeros(len(best)),
        solves=solves,
        queries=1,
    )


def _nearest_points(guess: Points, own: Measure) -> tuple[Rows, Points]:
    """Find the guessed point that is nearest to each own point.

    Return the nearest points' indices, and the own points' potentials.
    """
    others = Measure(guess)
    cost = PointCost(others, own)
    solution = solve(cost, others.weights, own.weights)
    # The own point y has the potential min_i ‖x_i − y‖² − f_i, where x_i are the guessed points and
    # f_i their potentials. The x_i that attains it counts as the nearest.
    reduced = cost.block(0, others.size) - solution.f[:, None]
    return reduced.argmin(axis=0), reduced.min(axis=0)


def _assign_levels(potentials: Points, rows: Sequence[Rows]) -> Rows:
    """Return the level of each point: the first level for the highest potentials.

    `rows` has an array for each level; its length is the number of points in that level.
    """
    ranks = np.empty(len(potentials), dtype=np.intp)
    ranks[np.argsort(-potentials)] = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    return ranks


def _solve_program(
    own: Points, given: Rows, levels: int, nearest: Rows, size: int
) -> Points | None:
    """Find points x_i that break the ranking as little as possible, by a linear program.

    `given` has the level of each own point, of `levels` levels, and `nearest` the index i of its
    nearest x_i. Return the `size` points x_i, or None if the program is not solved.
    """
    # Let y be an own point, and f_i the potential of x_i. The unknowns are every x_i, every
    # h_i = f_i − ‖x_i‖², the bounds between levels, and a violation for each constraint: for each
    # y, ‖y‖² − 2⟨x_i, y⟩ − h_i lies between the bounds of its level.
    dimension = own.shape[1]
    above = np.flatnonzero(given < levels - 1)  # points not in the lowest level
    below = np.flatnonzero(given > 0)
    of, bound = np.concatenate([above, below]), np.concatenate([given[above], given[below] - 1])
    sign = np.concatenate([np.full(len(above), -1.0), np.ones(len(below))])
    count, heights, bounds = len(of), size * dimension, size * (dimension + 1)
    known = bounds + levels - 1
    columns = np.column_stack(
        [
            nearest[of][:, None] * dimension + np.arange(dimension),
            heights + nearest[of],
            bounds + bound,
            known + np.arange(count),
        ]
    )
    values = np.column_stack(
        [-2 * sign[:, None] * own[of], -sign, -sign, -np.ones(count)],
    )
    lines = np.repeat(np.arange(count), dimension + 3)
    matrix = csr_array((values.ravel(), (lines, columns.ravel())), (count, known + count))
    lowest, highest = np.tile(own.min(axis=0), size), np.tile(own.max(axis=0), size)
    free = [(None, None)] * (known - heights - 1)
    solved = linprog(
        np.concatenate([np.zeros(known), np.ones(count)]),
        A_ub=matrix,
        b_ub=-sign * np.square(own[of]).sum(axis=1),
        # The first h_i is 0, because h and the bounds are determined only up to a common constant.
        bounds=[*zip(lowest, highest, strict=True), (0, 0), *free, *[(0, None)] * count],
    )
    return None if solved.x is None else solved.x[:heights].reshape(size, dimension)
