"""Entropic plans for several weights over the same costs, from that for weights between them.

The kernel exp((f_i + g_j − C_ij)/ε) is computed once a pass for all of them: what Sinkhorn's
iteration does with it for one, a product of matrices does for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wassay.transport.entropic import (
    HUGE,
    TINY,
    EntropicPlan,
    kernel_of,
    likely_pairs,
    worth_listing,
)
from wassay.transport.plan import Plan
from wassay.transport.prepared import Blocks, PreparedCost
from wassay.transport.problem import Problem

_ITERATIONS = 3


def reweighted(
    problems: Sequence[Problem], between: EntropicPlan
) -> Iterator[tuple[EntropicPlan, Plan]]:
    """The entropic plan of every problem, and its likely pairs.

    Parameters
    ----------
    problems : sequence of Problem
        Over the same costs; points may have no mass in some of them.
    between : EntropicPlan
        Of the same costs, with weights between theirs.
    """
    cost, epsilon = problems[0].cost, between.epsilon
    a = np.array([problem.row_weights for problem in problems], dtype=np.float32)
    b = np.array([problem.column_weights for problem in problems], dtype=np.float32)
    f, g = _potentials(cost, between, a, b)
    # A pair that is likely in one of them is so for the largest potentials and weights of all.
    with np.errstate(divide="ignore"):
        log_a, log_b = np.log(a), np.log(b)
    highest = EntropicPlan(
        np.where(a > 0, f, -np.inf).max(axis=0), np.where(b > 0, g, -np.inf).max(axis=0), epsilon
    )
    heaviest = replace(
        problems[0],
        row_weights=a.max(axis=0).astype(np.float64),
        column_weights=b.max(axis=0).astype(np.float64),
    )
    likely = likely_pairs(heaviest, highest)
    costs = cost.at(likely.rows, likely.columns)
    for own_f, own_g, own_log_a, own_log_b in zip(f, g, log_a, log_b, strict=True):
        reduced = costs - own_f[likely.rows] - own_g[likely.columns]
        exponent = (-reduced / max(epsilon, TINY)).astype(np.float32)
        yield (
            EntropicPlan(own_f, own_g, epsilon),
            worth_listing(likely.rows, likely.columns, exponent, own_log_a, own_log_b),
        )


def _potentials(
    cost: PreparedCost,
    between: EntropicPlan,
    a: NDArray[np.float32],
    b: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    row_factors: NDArray[np.float32] = np.ones_like(a)
    column_factors: NDArray[np.float32] = np.ones_like(b)
    for _ in range(_ITERATIONS):
        received = np.ascontiguousarray((b * column_factors).T)

        def update(
            blocks: Blocks[np.float32], received: NDArray[np.float32] = received
        ) -> NDArray[np.float32]:
            column_sums = np.zeros_like(b)
            for start, stop, block in blocks:
                kernel = kernel_of(block, between.f[start:stop], between.g, between.epsilon)
                sums = np.clip(kernel @ received, TINY, HUGE)
                row_factors[:, start:stop] = 1 / sums.T
                column_sums += (a[:, start:stop] / sums.T) @ kernel
            return column_sums

        column_sums = np.zeros_like(b)
        for part in cost.roughly(update):
            column_sums += part
        column_factors = np.float32(1) / np.clip(column_sums, TINY, HUGE)
    return (
        (between.f + between.epsilon * np.log(row_factors)).astype(np.float32),
        (between.g + between.epsilon * np.log(column_factors)).astype(np.float32),
    )
