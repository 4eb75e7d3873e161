"""Time our solver and others on the same costs."""

from __future__ import annotations

from math import nan
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.transport.rivals import ANY_SIZES, EQUAL_SIZES, NOT_EXACT, timed_apart
from benchmarks.transport.timing import timed
from benchmarks.transport.works import Work, works
from wassay.transport import Cost, Measure, PointCost, cost_block, solve

FEW_ROWS = ((1, 300_000), (2, 200_000), (3, 100_000), (5, 60_000), (20, 20_000))


def against_others(cifar: Path | None) -> None:
    ratios = f"{'of POT':>8}{'of the best':>14}{'goal':>17}"
    print(f"{'work':<36}{'ours s':>8}{ratios}{'gap':>8}  others, s")
    for work in works(cifar):
        compare(work)
    for shape in FEW_ROWS:
        costs = np.random.default_rng(0).random(shape)
        race(f"{shape[0]} × {shape[1]}, random costs", costs, costs)


def compare(work: Work) -> None:
    mu, nu = Measure(work.x), Measure(work.y)
    # Give every solver the costs, except ours on a line, where it sorts the points.
    costs = cost_block(work.x, work.y)
    race(work.name, PointCost(mu, nu) if mu.dimension == 1 else costs, costs, work.goal)


def race(
    name: str, ours: Cost | NDArray[np.float64], costs: NDArray[np.float64], goal: str = Work.goal
) -> None:
    n, m = costs.shape
    a, b = np.full(n, 1 / n), np.full(m, 1 / m)
    seconds, solution = timed(lambda: solve(ours, a, b), runs=3)
    solvers = EQUAL_SIZES | NOT_EXACT if n == m else ANY_SIZES
    others = {rival: timed_apart(solver, costs) for rival, solver in solvers.items()}
    for rival, other in others.items():
        if other is not None and rival not in NOT_EXACT:
            assert abs(solution.cost - other[1]) <= 1e-8 * abs(other[1]), rival
    exact = {each: other[0] for each, other in others.items() if other and each not in NOT_EXACT}
    best = min(exact, key=lambda each: exact[each])
    print(
        f"{name:<36}{seconds:8.2f}{seconds / exact.get('POT', nan):8.3f}"
        f"{seconds / exact[best]:7.3f} {best:<6}{goal:>17}"
        f"{solution.certificate.relative_gap:8.0e}  "
        + ", ".join(
            f"{rival} {'did not end' if other is None else f'{other[0]:.2f}'}"
            for rival, other in others.items()
        ),
        flush=True,
    )
