"""Where to look for an optimal plan: potentials of the entropic problem, annealed in float32.

Whatever comes from here is a guess. It decides how fast the exact solver ends, never what it says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.plan import Plan
from wassay.transport.solvers.prepared import Blocks, PreparedCost
from wassay.transport.solvers.problem import Problem

COLUMNS_A_ROW = 30
"""Annealing ends when a row spreads its mass over about this many columns."""

_TIMES_ITS_SHARE = 2
"""A row that has to fill more columns than that may spread it over so many times their number. Else
ε would be halved down to the rounding of float32: 5 rows and 60,000 columns took 27 s, not two."""

SHARE_WORTH_LISTING = 1 / 200
"""Pairs that get this share of their row's or of their column's mass are worth listing."""

COARSER = 4
"""Every sample has one point for so many of the next larger one."""

FEWEST_SAMPLED = 500
"""Points of the smaller side of the smallest sample."""

AN_INTERVAL = 1e-3
"""From this tolerance on, an interval is asked for rather than a number."""

_LEAST_LOG_SHARE = np.float32(np.log(SHARE_WORTH_LISTING))
_ITERATIONS_A_LEVEL = 2
_MOST_LEVELS = 16
_UNCHANGED = 0.9
"""So much of the columns that a row spread over, or more, is as many as before."""

_LEAST_SQUARED_WEIGHT = np.float32(1e-11)
"""Products stay above the subnormal numbers, with which arithmetic is a hundred times slower."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)


@dataclass(frozen=True, eq=False)
class EntropicPlan:
    """The plan a_i b_j exp((f_i + g_j − C_ij)/ε), given by its potentials."""

    f: NDArray[np.float32]
    g: NDArray[np.float32]
    epsilon: np.float32


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of both sides that stand for all of them, and the problem between them."""

    cost: PreparedCost
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    row_weights: NDArray[np.float32]
    column_weights: NDArray[np.float32]


def anneal(problem: Problem) -> EntropicPlan:
    """Sinkhorn's iteration while ε is halved from the mean reduced cost downwards.

    Large ε are done on samples: there potentials are smooth functions of the points, which few of
    them determine. A larger sample takes over where ε tells single points of the smaller one apart.
    Where only an interval is asked for, all points together are iterated half as often.
    """
    smallest, *larger = _samples(problem)
    f, g, epsilon = _first_potentials(smallest)
    epsilon = _sharpen(smallest, f, g, epsilon)
    columns = smallest.columns
    for sample in larger:
        f, g = _extended(sample, columns, g, epsilon)
        hasty = problem.tolerance >= AN_INTERVAL and sample is larger[-1]
        epsilon = _sharpen(sample, f, g, epsilon, 1 if hasty else _ITERATIONS_A_LEVEL)
        columns = sample.columns
    return EntropicPlan(f, g, epsilon)


def likely_pairs(problem: Problem, entropic: EntropicPlan) -> Plan:
    """The entropic plan on the pairs that matter to their row or their column."""
    from wassay.transport.solvers.entropic.sinkhorn_passes import cheap_places

    log_a = np.log(problem.row_weights).astype(np.float32)
    log_b = np.log(problem.column_weights).astype(np.float32)
    epsilon = max(entropic.epsilon, _TINY)
    heaviest = np.maximum(log_a, log_b.max())
    dearest = entropic.f + epsilon * (heaviest - _LEAST_LOG_SHARE)

    def listed(blocks: Blocks[np.float32]) -> list[Plan]:
        found = []
        for start, stop, block in blocks:
            places = cheap_places(block, entropic.g, dearest[start:stop])
            rows, columns = np.divmod(places, block.shape[1])
            rows += start
            reduced = block.ravel()[places] - entropic.f[rows] - entropic.g[columns]
            exponent = -reduced / epsilon
            found.append(worth_listing(rows, columns, exponent, log_a, log_b))
        return found

    parts = [plan for stretch in problem.cost.roughly(listed) for plan in stretch]
    return Plan(
        np.concatenate([plan.rows for plan in parts]),
        np.concatenate([plan.columns for plan in parts]),
        np.concatenate([plan.mass for plan in parts]),
    )


def worth_listing(
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    exponent: NDArray[np.float32],
    log_a: NDArray[np.float32],
    log_b: NDArray[np.float32],
) -> Plan:
    """Of some pairs those that matter to their row or their column, with their mass."""
    share = exponent + np.maximum(log_a[rows], log_b[columns])
    worth = share >= _LEAST_LOG_SHARE
    rows, columns, exponent = rows[worth], columns[worth], exponent[worth]
    mass = np.exp(np.minimum(exponent + log_a[rows] + log_b[columns], 0, dtype=np.float64))
    return Plan(rows, columns, mass)


def _samples(problem: Problem) -> list[Sample]:
    """The whole problem, and before it ever smaller samples of it."""
    n, m = problem.cost.shape
    cost, a, b = problem.cost, problem.row_weights, problem.column_weights
    samples = [Sample(cost, np.arange(n), np.arange(m), a.astype(np.float32), b.astype(np.float32))]
    while min(n, m) >= COARSER * FEWEST_SAMPLED:
        n, m = n // COARSER, m // COARSER
        rows, row_weights = _quantiles(a, n)
        columns, column_weights = _quantiles(b, m)
        cost = problem.cost.sample(rows, columns)
        cost.hold()
        samples.append(Sample(cost, rows, columns, row_weights, column_weights))
    return samples[::-1]


def _quantiles(
    weights: NDArray[np.float64], number: int
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Points met at equal steps of mass, and the share of steps that meet each."""
    steps = (np.arange(number) + 0.5) / number
    met = np.searchsorted(np.cumsum(weights), steps * weights.sum())
    points, counts = np.unique(np.minimum(met, len(weights) - 1), return_counts=True)
    return points, (counts / number).astype(np.float32)


def _first_potentials(
    sample: Sample,
) -> tuple[NDArray[np.float32], NDArray[np.float32], np.float32]:
    """c-transforms of zero, and the mean of what is left of the costs."""
    a, b = sample.row_weights, sample.column_weights
    f = np.empty_like(a)

    def transform(blocks: Blocks[np.float32]) -> tuple[NDArray[np.float32], float]:
        g, mean = np.full_like(b, np.inf), 0.0
        for start, stop, block in blocks:
            f[start:stop] = block.min(axis=1)
            np.minimum(g, (block - f[start:stop, None]).min(axis=0), out=g)
            mean += float(a[start:stop] @ (block @ b))
        return g, mean

    g, mean = np.full_like(b, np.inf), 0.0
    for least, part in sample.cost.roughly(transform):
        np.minimum(g, least, out=g)
        mean += part
    return f, g, np.float32(max(mean - float(a @ f) - float(b @ g), 0.0))


def _extended(
    sample: Sample,
    columns: NDArray[np.intp],
    g: NDArray[np.float32],
    epsilon: np.float32,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Potentials of a larger sample from those of a smaller one's columns.

    The rows' are Sinkhorn's for the known columns, the columns' the c-transform of these.
    """
    from wassay.transport.solvers.entropic.sinkhorn_passes import extend

    known = np.searchsorted(sample.columns, columns)
    f = np.empty_like(sample.row_weights)
    scale = max(epsilon, _TINY)

    def extended_by(blocks: Blocks[np.float32]) -> NDArray[np.float32]:
        least = np.full_like(sample.column_weights, np.inf)
        for start, stop, block in blocks:
            extend(block, known, g, scale, f[start:stop], least)
        return least

    extended = np.full_like(sample.column_weights, np.inf)
    for part in sample.cost.roughly(extended_by):
        np.minimum(extended, part, out=extended)
    return f, extended


def _sharpen(
    sample: Sample,
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
    iterations: int = _ITERATIONS_A_LEVEL,
) -> np.float32:
    """Iterate and halve ε until a row spreads its mass over few columns; return that ε.

    Between the scale of clusters and that of their points halving changes little, and is done
    twice at once.
    """
    # Columns of unequal weights count as the equal ones that mass is as concentrated on.
    columns = 1 / float(np.square(sample.column_weights).sum())
    few = max(COLUMNS_A_ROW, _TIMES_ITS_SHARE * columns / len(sample.row_weights))
    before = 0.0
    for _ in range(_MOST_LEVELS):
        for _ in range(iterations):
            concentration = _iterate(sample, f, g, epsilon)
        if concentration * few > 1 or epsilon == 0:
            break
        epsilon = epsilon / np.float32(4 if before > _UNCHANGED * concentration else 2)
        before = concentration
    return epsilon


def _iterate(
    sample: Sample, f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> float:
    """Update both potentials in place; return the mean over rows of Σ_j (share of column j)².

    One pass over the costs does both: a block's rows exactly, its columns through sums of the same
    exponentials, which stay in range because the potentials of before are taken off first.
    """
    from wassay.transport.solvers.entropic.sinkhorn_passes import iterate

    a, b = sample.row_weights, sample.column_weights
    heaviest = float(b.max())
    squared_b = np.maximum(np.square(b / b.max()), _LEAST_SQUARED_WEIGHT)
    scale = max(epsilon, _TINY)

    def update(blocks: Blocks[np.float32]) -> tuple[NDArray[np.float32], float]:
        sums, concentration = np.zeros_like(b), 0.0
        for start, stop, block in blocks:
            rows = slice(start, stop)
            concentration += iterate(block, f[rows], g, a[rows], b, squared_b, scale, sums)
        return sums, concentration

    column_sums, concentration = np.zeros_like(b), 0.0
    for sums, part in sample.cost.roughly(update):
        column_sums += sums
        concentration += part
    g -= epsilon * np.log(np.clip(column_sums, _TINY, _HUGE))
    return concentration * heaviest**2
