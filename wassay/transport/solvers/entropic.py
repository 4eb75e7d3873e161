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
_LEAST_EXPONENT, _LARGEST_EXPONENT = np.float32(-30), np.float32(40)
_LEAST_SQUARED_WEIGHT = np.float32(1e-11)
"""Products stay above the subnormal numbers, with which arithmetic is a hundred times slower."""

TINY, HUGE = np.float32(1e-30), np.float32(1e30)


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
    log_a = np.log(problem.row_weights).astype(np.float32)
    log_b = np.log(problem.column_weights).astype(np.float32)
    scale = -1 / max(entropic.epsilon, TINY)

    def listed(blocks: Blocks[np.float32]) -> list[Plan]:
        found = []
        for start, stop, block in blocks:
            exponent = block - entropic.g
            exponent -= entropic.f[start:stop, None]
            exponent *= scale
            weight = np.maximum(log_a[start:stop], log_b.max())
            rows, columns = np.nonzero(exponent >= (_LEAST_LOG_SHARE - weight)[:, None])
            exponent = exponent[rows, columns]
            found.append(worth_listing(rows + start, columns, exponent, log_a, log_b))
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
    known = np.searchsorted(sample.columns, columns)
    f = np.empty_like(sample.row_weights)
    scale = max(epsilon, TINY)

    def extend(blocks: Blocks[np.float32]) -> NDArray[np.float32]:
        extended = np.full_like(sample.column_weights, np.inf)
        for start, stop, block in blocks:
            reduced = np.take(block, known, axis=1)
            reduced -= g
            least = reduced.min(axis=1)
            reduced -= least[:, None]
            reduced *= -1 / scale
            np.clip(reduced, _LEAST_EXPONENT, None, out=reduced)
            np.exp(reduced, out=reduced)
            f[start:stop] = least - scale * np.log(reduced.mean(axis=1))
            np.minimum(extended, (block - f[start:stop, None]).min(axis=0), out=extended)
        return extended

    extended = np.full_like(sample.column_weights, np.inf)
    for part in sample.cost.roughly(extend):
        np.minimum(extended, part, out=extended)
    return f, extended


def _sharpen(
    sample: Sample,
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
    iterations: int = _ITERATIONS_A_LEVEL,
) -> np.float32:
    """Iterate and halve ε until a row spreads its mass over few columns; return that ε."""
    for _ in range(_MOST_LEVELS):
        for _ in range(iterations):
            concentration = _iterate(sample, f, g, epsilon)
        if concentration * COLUMNS_A_ROW > 1 or epsilon == 0:
            break
        epsilon = epsilon / np.float32(2)
    return epsilon


def _iterate(
    sample: Sample, f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> float:
    """Update both potentials in place; return the mean over rows of Σ_j (share of column j)².

    One pass over the costs does both: a block's rows exactly, its columns through sums of the same
    exponentials, which stay in range because the potentials of before are taken off first.
    """
    a, b = sample.row_weights, sample.column_weights
    heaviest = b.max()
    squared_b = np.maximum(np.square(b / heaviest), _LEAST_SQUARED_WEIGHT)

    def update(blocks: Blocks[np.float32]) -> tuple[NDArray[np.float32], float, float]:
        column_sums = np.zeros_like(b)
        concentration = looked_at = 0.0
        for start, stop, block in blocks:
            kernel = kernel_of(block, f[start:stop], g, epsilon)
            sums = np.clip(kernel @ b, TINY, HUGE)
            f[start:stop] -= epsilon * np.log(sums)
            sent = a[start:stop] / sums
            column_sums += sent @ kernel
            if not looked_at:  # one block of a stretch is sample enough
                np.square(kernel, out=kernel)
                concentration = float((sent / sums * heaviest**2) @ (kernel @ squared_b))
                looked_at = float(a[start:stop].sum())
        return column_sums, concentration, looked_at

    column_sums = np.zeros_like(b)
    concentration = looked_at = 0.0
    for sums, share, weight in sample.cost.roughly(update):
        column_sums += sums
        concentration += share
        looked_at += weight
    g -= epsilon * np.log(np.clip(column_sums, TINY, HUGE))
    return concentration / looked_at


def kernel_of(
    block: NDArray[np.float32], f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> NDArray[np.float32]:
    """exp((f_i + g_j − C_ij)/ε), kept away from the ends of float32's range."""
    kernel = block - g
    kernel -= f[:, None]
    kernel *= -1 / max(epsilon, TINY)
    np.clip(kernel, _LEAST_EXPONENT, _LARGEST_EXPONENT, out=kernel)
    np.exp(kernel, out=kernel)
    return kernel
