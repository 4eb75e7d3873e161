"""Where to look for an optimal plan: potentials of the entropic problem, annealed in float32.

Whatever comes from here is a guess. It decides how fast the exact solver ends, never what it says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.transport.plan import Plan
from wassay.transport.prepared import PreparedCost
from wassay.transport.problem import Problem

COLUMNS_A_ROW = 30
"""Annealing ends when a row spreads its mass over about this many columns."""

SHARE_WORTH_LISTING = 1 / 200
"""Pairs that get this share of their row's or of their column's mass are worth listing."""

_ITERATIONS_A_LEVEL = 2
_MOST_LEVELS = 16
_LEAST_EXPONENT, _LARGEST_EXPONENT = np.float32(-30), np.float32(40)
_LEAST_SQUARED_WEIGHT = np.float32(1e-11)
"""Products stay above the subnormal numbers, with which arithmetic is a hundred times slower."""

_TINY, _HUGE = np.float32(1e-30), np.float32(1e30)


@dataclass(frozen=True, eq=False)
class EntropicPlan:
    """The plan a_i b_j exp((f_i + g_j − C_ij)/ε), given by its potentials."""

    f: NDArray[np.float32]
    g: NDArray[np.float32]
    epsilon: np.float32


def anneal(problem: Problem) -> EntropicPlan:
    """Sinkhorn's iteration while ε is halved from the mean reduced cost downwards.

    One pass over the costs updates both potentials: a block's rows exactly, its columns through
    sums of the same exponentials, which stay in range because the potentials of the level before
    are taken off first.
    """
    cost = problem.cost
    a = problem.row_weights.astype(np.float32)
    b = problem.column_weights.astype(np.float32)
    f, g, epsilon = _first_potentials(cost, a, b)
    for _ in range(_MOST_LEVELS):
        for _ in range(_ITERATIONS_A_LEVEL):
            concentration = _iterate(cost, a, b, f, g, epsilon)
        if concentration * COLUMNS_A_ROW > 1 or epsilon == 0:
            break
        epsilon = epsilon / np.float32(2)
    return EntropicPlan(f, g, epsilon)


def likely_pairs(problem: Problem, entropic: EntropicPlan) -> Plan:
    """The entropic plan on the pairs that matter to their row or their column."""
    log_a, log_b = np.log(problem.row_weights), np.log(problem.column_weights)
    least = np.log(SHARE_WORTH_LISTING)
    found_rows, found_columns, found_mass = [], [], []
    for start, stop, block in problem.cost.rough_blocks():
        exponent = entropic.f[start:stop, None] + entropic.g - block
        exponent /= max(entropic.epsilon, _TINY)
        share_of_row, share_of_column = log_b, log_a[start:stop, None]
        rows, columns = np.nonzero(
            exponent >= (least - np.maximum(share_of_row, share_of_column)).astype(np.float32)
        )
        found_rows.append(rows + start)
        found_columns.append(columns)
        found_mass.append(exponent[rows, columns])
    rows, columns = np.concatenate(found_rows), np.concatenate(found_columns)
    logarithm = np.concatenate(found_mass) + log_a[rows] + log_b[columns]
    return Plan(rows, columns, np.exp(np.minimum(logarithm, 0.0)))


def _first_potentials(
    cost: PreparedCost, a: NDArray[np.float32], b: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], np.float32]:
    """c-transforms of zero, and the mean of what is left of the costs."""
    f, g = np.empty_like(a), np.full_like(b, np.inf)
    mean = 0.0
    for start, stop, block in cost.rough_blocks():
        f[start:stop] = block.min(axis=1)
        np.minimum(g, (block - f[start:stop, None]).min(axis=0), out=g)
        mean += float(a[start:stop] @ _row_sums(block, b))
    return f, g, np.float32(max(mean - float(a @ f) - float(b @ g), 0.0))


def _iterate(
    cost: PreparedCost,
    a: NDArray[np.float32],
    b: NDArray[np.float32],
    f: NDArray[np.float32],
    g: NDArray[np.float32],
    epsilon: np.float32,
) -> float:
    """Update both potentials in place; return Σ_i a_i Σ_j (share of column j in row i)²."""
    column_sums = np.zeros_like(b)
    heaviest = b.max()
    squared_b = np.maximum(np.square(b / heaviest), _LEAST_SQUARED_WEIGHT)
    concentration = 0.0
    for start, stop, block in cost.rough_blocks():
        kernel = _kernel(block, f[start:stop], g, epsilon)
        sums = np.clip(_row_sums(kernel, b), _TINY, _HUGE)
        f[start:stop] -= epsilon * np.log(sums)
        sent = a[start:stop] / sums
        column_sums += np.einsum("i,ij->j", sent, kernel)
        np.square(kernel, out=kernel)
        concentration += float((sent / sums * heaviest**2) @ _row_sums(kernel, squared_b))
    g -= epsilon * np.log(np.clip(column_sums, _TINY, _HUGE))
    return concentration


def _kernel(
    block: NDArray[np.float32], f: NDArray[np.float32], g: NDArray[np.float32], epsilon: np.float32
) -> NDArray[np.float32]:
    kernel = block - g
    kernel -= f[:, None]
    kernel *= -1 / max(epsilon, _TINY)
    np.clip(kernel, _LEAST_EXPONENT, _LARGEST_EXPONENT, out=kernel)
    np.exp(kernel, out=kernel)
    return kernel


def _row_sums(block: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    # Not a BLAS product: on blocks this small its threads wait longer than they work.
    sums: NDArray[np.float32] = np.einsum("ij,j->i", block, weights)
    return sums
