"""The order of one's own points by their scores gives the points of the other side, nearly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

from wassay.transport.costs.point_cost import PointCost
from wassay.transport.inversion.reconstruction import Reconstruction
from wassay.transport.measure import Measure
from wassay.transport.solvers.exact import solve

ROUNDS = 8

Points = NDArray[np.float64]
Rows = NDArray[np.intp]


def reconstruct_from_order(
    points: ArrayLike, levels: Sequence[ArrayLike], starts: Iterable[ArrayLike]
) -> Reconstruction:
    """Reconstruct the other side from which of one's own points score higher than which.

    The potential of y is min_i ‖x_i − y‖² − f_i. Where it is known which i attains it, an order of
    potentials is linear in all x_i and f_i once ‖y‖² is taken away: a linear program. So guess the
    other side, solve the transport to see which of one's points go where, solve the program, and
    guess anew, for the fewest points out of order.

    Parameters
    ----------
    points : array_like, shape (n, d)
        One's own, equally weighted.
    levels : sequence of array_like of int
        Their rows, those with the highest scores first: one row in each for ranks, many for grades.
    starts : iterable of array_like, shape (m, d)
        First guesses of the other side's points.

    Returns
    -------
    Reconstruction
        The best of all starts. The residual is by how many levels a point is misplaced on average,
        as a share of all levels.
    """
    own = Measure(points)
    rows = [np.asarray(level, dtype=np.intp) for level in levels]
    told = np.empty(own.size, dtype=np.intp)
    for place, level in enumerate(rows):
        told[level] = place
    best, residual, solves = np.empty((0, own.dimension)), np.inf, 0
    for start in starts:
        guess = np.asarray(start, dtype=np.float64)
        for _ in range(ROUNDS):
            nearest, potentials = _transported(guess, own)
            solves += 1
            misplaced = float(np.abs(_levels_of(potentials, rows) - told).mean() / len(rows))
            if misplaced < residual:
                best, residual = guess, misplaced
            found = _program(own.points, told, len(rows), nearest, len(guess))
            if misplaced == 0 or found is None:
                break
            guess = found
    return Reconstruction(
        points=best,
        method="the order of one's own points",
        residual=residual,
        rank=own.dimension,
        rest=np.zeros(len(best)),
        solves=solves,
        queries=1,
    )


def _transported(guess: Points, own: Measure) -> tuple[Rows, Points]:
    """To which guessed point each of one's own is nearest, less its potential; and by how much."""
    others = Measure(guess)
    cost = PointCost(others, own)
    solution = solve(cost, others.weights, own.weights)
    reduced = cost.block(0, others.size) - solution.f[:, None]
    return reduced.argmin(axis=0), reduced.min(axis=0)


def _levels_of(potentials: Points, rows: Sequence[Rows]) -> Rows:
    """In which level each point would be, with as many points in each as there are."""
    places = np.empty(len(potentials), dtype=np.intp)
    places[np.argsort(-potentials)] = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
    return places


def _program(own: Points, told: Rows, levels: int, nearest: Rows, size: int) -> Points | None:
    """Place the other side so that the sum of all violations of the order is the least.

    Unknown are every x_i, h_i = f_i − ‖x_i‖² and the bounds between levels: ‖y‖² − 2⟨x_i, y⟩ − h_i
    lies between the bounds of the level of y, less a violation for each.
    """
    dimension = own.shape[1]
    above = np.flatnonzero(told < levels - 1)  # of a bound below
    below = np.flatnonzero(told > 0)
    of, bound = np.concatenate([above, below]), np.concatenate([told[above], told[below] - 1])
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
        # The first height is 0: heights and bounds are known up to one constant.
        bounds=[*zip(lowest, highest, strict=True), (0, 0), *free, *[(0, None)] * count],
    )
    return None if solved.x is None else solved.x[:heights].reshape(size, dimension)
