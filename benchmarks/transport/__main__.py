"""Our solver against others in the same run, as ratios; sweeps, sellers left out, large sizes.

python -m benchmarks.transport [--sellers] [--cifar images.npz] [--large] [--interval]
                               [--growth FILE.svg]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.transport.growth import draw_growth
from benchmarks.transport.rivals import (
    ANY_SIZES,
    EQUAL_SIZES,
    NOT_EXACT,
    network_simplex,
    timed_apart,
)
from benchmarks.transport.timing import timed
from benchmarks.transport.works import Work, gaussian, images, works
from wassay.transport import (
    Cost,
    Measure,
    Normal,
    NotCertified,
    PointCost,
    Reference,
    SellerCosts,
    Solution,
    StackedCost,
    cost_block,
    evaluate,
    project,
    scores,
    solve,
    solve_each,
    wasserstein,
)

SWEEP = (0.25, 0.5, 0.75)
SELLERS = 12
FEW_ROWS = ((1, 300_000), (2, 200_000), (3, 100_000), (5, 60_000), (20, 20_000))
CIFAR_ROW = {100: (26.75, 27.46), 500: (24.85, 24.73), 1000: (24.21, 24.16)}
"""Exact W2 of two disjoint random subsets: measured over seeds, and as printed in the paper."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transport")
    parser.add_argument("--cifar", type=Path, help="npz with X (n, 32, 32, 3) uint8")
    parser.add_argument("--large", action="store_true", help="20,000 and 50,000 points (minutes)")
    parser.add_argument("--interval", action="store_true", help="200,000 points (ten minutes)")
    parser.add_argument("--growth", type=Path, help="draw time against n and d into this file")
    parser.add_argument("--sellers", action="store_true", help="only the sellers of one request")
    arguments = parser.parse_args()
    if arguments.sellers:
        sellers_of_one_request()
        return
    against_others(arguments.cifar)
    sellers_of_one_request()
    scores_of_large_plans()
    if arguments.cifar:
        cifar(arguments.cifar)
    if arguments.growth:
        draw_growth(arguments.growth)
    if arguments.large:
        beyond_memory(20_000, 26_000, tolerance=1e-7)
        beyond_memory(50_000, 65_000, tolerance=1e-6)
    if arguments.interval:
        beyond_memory(200_000, 200_000, tolerance=1e-2)


def against_others(cifar: Path | None) -> None:
    print(f"{'work':<36}{'ours s':>8}{'ratio to the best':>28}{'goal':>6}{'gap':>9}  others, s")
    for work in works(cifar):
        compare(work)
    for shape in FEW_ROWS:
        costs = np.random.default_rng(0).random(shape)
        race(f"{shape[0]} × {shape[1]}, random costs", costs, costs)


def compare(work: Work) -> None:
    mu, nu = Measure(work.x), Measure(work.y)
    # Costs in memory for everybody, but of points of a line, which only points show to be such.
    costs = cost_block(work.x, work.y)
    race(work.name, PointCost(mu, nu) if mu.dimension == 1 else costs, costs, work.goal)


def race(
    name: str, ours: Cost | NDArray[np.float64], costs: NDArray[np.float64], goal: float = 1.1
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
        f"{name:<36}{seconds:8.2f}{seconds / exact[best]:12.3f} ({best:<13}){goal:6.2f}"
        f"{solution.certificate.relative_gap:9.0e}  "
        + ", ".join(
            f"{rival} {'did not end' if other is None else f'{other[0]:.2f}'}"
            for rival, other in others.items()
        ),
        flush=True,
    )


def sellers_of_one_request() -> None:
    """12 sellers, 4000 × 5200 in all: a sweep, and everybody left out, beside one POT solve."""
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
        lambda: solve_each(stack, [(rows / rows.sum(), buyer.weights) for rows in present])
    )
    pot, _ = timed(lambda: network_simplex(stack.block(0, stack.shape[0])), runs=1)
    print(f"12 sellers, 4000 × 5200 in all: one solve {one:.2f} s, POT {pot:.2f} s")
    print(f"  sweep of 3: {sweep:.2f} s = {sweep / pot:.2f} of one POT solve (goal 0.6)")
    print(f"  12 left out: {left_out:.2f} s = {left_out / one:.1f} solves of ours (goal 3)")
    for k in (1, 50):
        whole, _ = timed(partial(evaluated, k, sizes), runs=1)
        print(f"  evaluated whole, reference of {k}: {whole:.1f} s (75 problems, and scores)")


def evaluated(k: int, sizes: list[int]) -> None:
    """All that a buyer is told: together, alone and left out, at three s, with all scores."""
    reference = Reference(k, 50, Normal(), 7).measure()
    buyer = project(Measure(gaussian(5200, 50, 0)), reference).interpolate(0.3)
    sellers = []
    for i, n in enumerate(sizes):
        projection = project(Measure(gaussian(n, 50, 100 + i)), reference)
        measures = {s: projection.interpolate(s) for s in SWEEP}
        sellers.append(SellerCosts.from_measures(str(i), measures, buyer))
    evaluate(buyer.weights, sellers, SWEEP)


def scores_of_large_plans() -> None:
    for n in (1000, 2000, 4000, 8000):
        _score(cost_block(gaussian(n, 10, 0), gaussian(n, 10, 1)))


def _score(costs: NDArray[np.float64]) -> None:
    uniform = np.full(len(costs), 1 / len(costs))
    solving, solution = timed(lambda: solve(costs, uniform, uniform), runs=1)
    scoring, (rows, _) = timed(lambda: scores(costs, solution), runs=1)
    n = len(costs)
    print(f"scores, {n} × {n}: {scoring:.2f} s ({rows.method}), the solve {solving:.2f} s")


def beyond_memory(n: int, m: int, tolerance: float) -> None:
    """A matrix that is never held: costs come from the points, block by block.

    In a process of its own, whose largest memory is that of the solve.
    """
    process = multiprocessing.get_context("spawn").Process(
        target=_beyond_memory, args=(n, m, tolerance)
    )
    process.start()
    process.join()


def _beyond_memory(n: int, m: int, tolerance: float) -> None:
    mu, nu = Measure(gaussian(n, 50, 0)), Measure(gaussian(m, 50, 1))

    def solved() -> str:
        try:
            found = solve(
                PointCost(mu, nu),
                mu.weights,
                nu.weights,
                tolerance=tolerance,
                memory_budget_bytes=0,
            ).certificate
        except NotCertified as error:
            found = error.certificate
        return (
            f"[{found.dual:.6f}, {found.primal:.6f}], relative gap {found.relative_gap:.0e}, "
            f"{found.rounds} rounds"
        )

    seconds, certificate = timed(solved, runs=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{n} × {m}: {seconds:.0f} s, at most {peak:.2f} GiB, {certificate}", flush=True)


def cifar(path: Path) -> None:
    pixels = images(path)
    print("CIFAR-10, exact W2 of two disjoint random subsets")
    for size, (measured, printed) in CIFAR_ROW.items():
        values = []
        for seed in range(5):
            order = np.random.default_rng(seed).permutation(len(pixels))
            one, other = Measure(pixels[order[:size]]), Measure(pixels[order[size : 2 * size]])
            values.append(wasserstein(one, other).value)
        print(
            f"  n = {size:<5} {np.mean(values):6.2f} ± {np.std(values):.2f}   "
            f"right {measured:.2f}   paper {printed:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
