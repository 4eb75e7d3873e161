"""Time the subproblems of one request: a sweep, leave-one-out coalitions, and a full evaluation."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from benchmarks.transport.rivals import network_simplex
from benchmarks.transport.timing import timed
from benchmarks.transport.works import gaussian
from wassay.transport import (
    Measure,
    Normal,
    PointCost,
    Reference,
    SellerCosts,
    Solution,
    StackedCost,
    evaluate,
    project,
    solve,
    solve_batch,
)
from wassay.transport.market.market import Market
from wassay.transport.market.subproblems import subproblems

SWEEP = (0.25, 0.5, 0.75)
SELLERS = 12


def sellers_of_one_request() -> None:
    """Time a sweep and leave-one-out coalitions of 12 sellers, 4000 × 5200, beside POT."""
    reference = Reference(50, 50, Normal(), 7).measure()
    buyer = project(Measure(gaussian(5200, 50, 0)), reference).interpolate(0.3)
    sizes = [333] * (SELLERS - 1) + [4000 - 333 * (SELLERS - 1)]
    parts = {
        s: [
            PointCost(project(Measure(gaussian(n, 50, 100 + i)), reference).interpolate(s), buyer)
            for i, n in enumerate(sizes)
        ]
        for s in SWEEP
    }

    def solve_stack(chosen: list[PointCost]) -> Solution:
        n = sum(part.shape[0] for part in chosen)
        return solve(StackedCost(chosen), np.full(n, 1 / n), buyer.weights)

    together = parts[SWEEP[1]]
    one, _ = timed(lambda: solve_stack(together))
    sweep, _ = timed(lambda: [solve_stack(parts[s]) for s in SWEEP])
    stack = StackedCost(together)
    owner = np.repeat(np.arange(SELLERS), sizes)
    present = [(owner != seller).astype(float) for seller in range(SELLERS)]
    left_out, _ = timed(
        lambda: solve_batch(stack, [(rows / rows.sum(), buyer.weights) for rows in present])
    )
    pot, _ = timed(lambda: network_simplex(stack.block(0, stack.shape[0])), runs=1)
    print(f"12 sellers, 4000 × 5200 in all: one solve {one:.2f} s, POT {pot:.2f} s")
    print(f"  sweep of 3: {sweep:.2f} s = {sweep / pot:.2f} of one POT solve (goal 0.6)")
    print(f"  12 left out: {left_out:.2f} s = {left_out / one:.1f} solves of ours (goal 3)")
    for k in (1, 50):
        whole, _ = timed(partial(evaluated, k, sizes), runs=1)
        print(f"  evaluated whole, reference of {k}: {whole:.1f} s (75 problems, and scores)")
    for number in (200, 500, 1000):
        many_small_sellers(number)


def evaluated(k: int, sizes: list[int]) -> None:
    """Time grand, singleton and leave-one-out coalitions at three s, with all scores."""
    reference = Reference(k, 50, Normal(), 7).measure()
    buyer = project(Measure(gaussian(5200, 50, 0)), reference).interpolate(0.3)
    sellers = []
    for i, n in enumerate(sizes):
        projection = project(Measure(gaussian(n, 50, 100 + i)), reference)
        measures = {s: projection.interpolate(s) for s in SWEEP}
        sellers.append(SellerCosts.from_measures(str(i), measures, buyer))
    evaluate(buyer.weights, sellers, SWEEP)


def many_small_sellers(number: int, k: int = 1) -> None:
    """Time sellers of 50 points against 1000 of the buyer's, d = 32, without leaving any out."""
    reference = Reference(k, 32, Normal(), 7).measure()
    buyer = project(Measure(gaussian(1000, 32, 0)), reference).interpolate(0.3)
    sellers = []
    for i in range(number):
        projection = project(Measure(gaussian(50, 32, 100 + i)), reference)
        measures = {s: projection.interpolate(s) for s in SWEEP}
        sellers.append(SellerCosts.from_measures(str(i), measures, buyer))
    market = Market(buyer.weights, sellers, SWEEP)
    problems = subproblems(list(market.shares), SWEEP, leave_one_out=False)
    wall, began = time.perf_counter(), time.process_time()
    solved = sum(1 for _ in market.solve(problems))
    print(
        f"{number} sellers of 50 points, reference of {k}: {solved} problems and all scores, "
        f"{time.process_time() - began:.1f} processor s, {time.perf_counter() - wall:.0f} s",
        flush=True,
    )
