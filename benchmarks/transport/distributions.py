"""Time point clouds that are not Gaussian, in comparison with a Gaussian cloud."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.transport.rivals import network_simplex
from wassay.transport import Measure, PointCost, cost_block, solve

RUNS = 3
Points = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], tuple[Points, Points]]

DIMENSION = 50
CLUSTERS, OF_THE_BUYER = 50, 40
CLASSES = 30


def _gaussian(rng: np.random.Generator, n: int, m: int) -> tuple[Points, Points]:
    return rng.normal(size=(n, DIMENSION)), rng.normal(size=(m, DIMENSION))


def _clusters(rng: np.random.Generator, n: int, m: int) -> tuple[Points, Points]:
    """Draw points in 50 clusters, with centres N(0, 9) and spread 0.5; the buyer's are in 40."""
    centres = 3 * rng.normal(size=(CLUSTERS, DIMENSION))
    one, other = (
        centres[rng.integers(count, size=size)] + 0.5 * rng.normal(size=(size, DIMENSION))
        for count, size in ((CLUSTERS, n), (OF_THE_BUYER, m))
    )
    return one, other


def _heavy_tails(rng: np.random.Generator, n: int, m: int) -> tuple[Points, Points]:
    return rng.standard_t(2.5, size=(n, DIMENSION)), rng.standard_t(2.5, size=(m, DIMENSION))


def _embeddings(rng: np.random.Generator, n: int, m: int) -> tuple[Points, Points]:
    """Draw vectors of length one around 30 centres."""
    centres = rng.normal(size=(CLASSES, DIMENSION))
    clouds = [
        centres[rng.integers(CLASSES, size=size)] + 0.7 * rng.normal(size=(size, DIMENSION))
        for size in (n, m)
    ]
    one, other = (cloud / np.linalg.norm(cloud, axis=1, keepdims=True) for cloud in clouds)
    return one, other


def _three_dimensions(rng: np.random.Generator, n: int, m: int) -> tuple[Points, Points]:
    return rng.normal(size=(n, 3)), rng.normal(size=(m, 3))


DISTRIBUTIONS: dict[str, Draw] = {
    "Gaussian": _gaussian,
    "50 clusters": _clusters,
    "Student t (2.5)": _heavy_tails,
    "unit-norm embeddings": _embeddings,
    "d = 3": _three_dimensions,
}


def draw(name: str, n: int, m: int) -> tuple[Points, Points]:
    """Draw a seller's and the buyer's points, with the same seed every time."""
    return DISTRIBUTIONS[name](np.random.default_rng(0), n, m)


def beside_gaussian(n: int, m: int) -> None:
    """Print the processor seconds of each distribution's solve, divided by the Gaussian's."""
    gaussian = np.nan
    for name in DISTRIBUTIONS:
        # The least, because the first solve compiles code and has memory mapped.
        seconds, rounds = min(_processor_seconds(name, n, m) for _ in range(RUNS))
        gaussian = seconds if name == "Gaussian" else gaussian
        print(
            f"{n} × {m}, {name:<22}{seconds:7.2f} processor s  {seconds / gaussian:5.2f} of the "
            f"Gaussian's (goal 1.5), {rounds} rounds",
            flush=True,
        )


def beside_pot(n: int, m: int) -> None:
    """Print the processor seconds of our solve, divided by POT's; only POT is given the costs."""
    for name in DISTRIBUTIONS:
        ours, rounds = min(_processor_seconds(name, n, m) for _ in range(RUNS))
        one, other = draw(name, n, m)
        costs = cost_block(one, other)
        began = time.process_time()
        network_simplex(costs)
        pot = time.process_time() - began
        print(
            f"{n} × {m}, {name:<22}{ours:7.2f} processor s, POT {pot:.2f}: {ours / pot:.2f} "
            f"(goal 0.12), {rounds} rounds",
            flush=True,
        )


def _processor_seconds(name: str, n: int, m: int) -> tuple[float, int]:
    """Solve from points; return the processor seconds and the number of rounds."""
    one, other = (Measure(points) for points in draw(name, n, m))
    began = time.process_time()
    solution = solve(PointCost(one, other), one.weights, other.weights)
    return time.process_time() - began, solution.certificate.rounds
