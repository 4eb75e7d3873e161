"""Print the ratio of our solver's time to POT's in the same run, and the CIFAR-10 row.

python -m benchmarks.transport [--cifar images.npz] [--large]
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import ot
from numpy.typing import NDArray

from wassay.transport import (
    Cost,
    Measure,
    Normal,
    PointCost,
    Reference,
    SellerCosts,
    cost_block,
    evaluate,
    project,
    solve,
    wasserstein,
)

Result = TypeVar("Result")

SWEEP = (0.25, 0.5, 0.75)
ENOUGH_ITERATIONS = 10**9
CIFAR_ROW = {100: (26.75, 27.46), 500: (24.85, 24.73), 1000: (24.21, 24.16)}
"""Exact W2 of two disjoint random subsets: measured over seeds, and as printed in the paper."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transport")
    parser.add_argument("--cifar", type=Path, help="npz with X (n, 32, 32, 3) uint8")
    parser.add_argument("--large", action="store_true", help="also 20,000 × 26,000 (minutes)")
    arguments = parser.parse_args()
    against_pot()
    request_of_many_sellers()
    if arguments.large:
        beyond_memory(20_000, 26_000)
    if arguments.cifar:
        cifar(arguments.cifar)


def against_pot() -> None:
    print(f"{'work':<34}{'ours s':>9}{'POT s':>9}{'ratio':>8}{'rel. gap':>11}{'rounds':>8}")
    for n, m, d in ((2000, 2000, 50), (4000, 4000, 50), (4000, 5200, 50), (2000, 2600, 2)):
        mu, nu = gaussian(n, d, 0), gaussian(m, d, 1)
        compare(f"{n} × {m}, d = {d}", mu, nu)
    reference = Reference(20, 10, Normal(), 7).measure()
    for t in (0.3, 0.9):
        mu, nu = (project(gaussian(2000, 10, seed), reference).interpolate(t) for seed in (0, 1))
        compare(f"2000 × 2000 pushed, k = 20, t = {t}", mu, nu)


def compare(work: str, mu: Measure, nu: Measure) -> None:
    matrix = cost_block(mu.points, nu.points)
    ours, solution = timed(lambda: solve(matrix, mu.weights, nu.weights))
    theirs, value = timed(
        lambda: float(ot.emd2(mu.weights, nu.weights, matrix, numItermax=ENOUGH_ITERATIONS))
    )
    assert abs(solution.cost - value) <= 1e-8 * value
    certificate = solution.certificate
    print(
        f"{work:<34}{ours:9.2f}{theirs:9.2f}{ours / theirs:8.3f}"
        f"{certificate.relative_gap:11.1e}{certificate.rounds:8d}",
        flush=True,
    )


def request_of_many_sellers() -> None:
    """12 sellers, 3 values of s, everybody together, alone and left out, with all scores."""
    reference = Reference(50, 50, Normal(), 7).measure()
    buyer = project(gaussian(1000, 50, 0), reference).interpolate(0.3)
    costs = []
    for seed in range(12):
        projection = project(gaussian(125, 50, 100 + seed), reference)
        measures = {s: projection.interpolate(s) for s in SWEEP}
        costs.append(SellerCosts.from_measures(f"seller {seed}", measures, buyer))
    seconds, _ = timed(lambda: evaluate(buyer.weights, costs, SWEEP))
    print(f"request: 12 sellers, 1500 × 1000 in all, 3 values of s: {seconds:.1f} s", flush=True)


def beyond_memory(n: int, m: int) -> None:
    """A matrix that is never held: costs come from the points, block by block."""
    mu, nu = gaussian(n, 50, 0), gaussian(m, 50, 1)
    cost: Cost = PointCost(mu, nu)
    seconds, solution = timed(
        lambda: solve(cost, mu.weights, nu.weights, tolerance=1e-7, memory_budget_bytes=0)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{n} × {m} from points: {seconds:.0f} s, at most {peak:.2f} GiB, relative gap "
        f"{solution.certificate.relative_gap:.1e}, {solution.certificate.rounds} rounds",
        flush=True,
    )


def cifar(path: Path) -> None:
    images = np.load(path)["X"].reshape(-1, 32 * 32 * 3)
    pixels = (images / 255 - 0.5) / 0.5
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


def gaussian(size: int, dimension: int, seed: int) -> Measure:
    points: NDArray[np.float64] = np.random.default_rng(seed).normal(size=(size, dimension))
    return Measure(points)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
