"""A few points against very many, and costs of two values, beside POT."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.transport.rivals import network_simplex
from wassay.transport import solve

RUNS = 5
PATIENCE_SECONDS = 3.0
"""After a run of POT that takes longer, no further runs follow."""


def race_few_points() -> None:
    """Print the median processor seconds of our solver and of POT, which run in turn."""
    for name, costs in _works(np.random.default_rng(0)):
        a, b = (np.full(size, 1 / size) for size in costs.shape)
        solve(costs, a, b)
        ours, pots = [], []
        for _ in range(RUNS):
            ours.append(_processor_seconds(lambda: solve(costs, a, b)))  # noqa: B023
            pots.append(_processor_seconds(lambda: network_simplex(costs)))  # noqa: B023
            if pots[-1] > PATIENCE_SECONDS:
                break
        one, other = float(np.median(ours)), float(np.median(pots))
        print(f"{name:<34} {one:.3f} s, POT {other:.3f} s, ratio {one / other:.2f}", flush=True)


def _works(rng: np.random.Generator) -> Iterator[tuple[str, NDArray[np.float64]]]:
    for n, m in ((1, 300_000), (2, 200_000), (3, 100_000), (3, 100_000), (4, 70_000), (5, 60_000)):
        yield f"{n} × {m}", rng.random((n, m))
    yield "60000 × 5", rng.random((60_000, 5))
    for n, m, share in ((600, 800, 0.5), (1000, 1000, 0.1), (2000, 2600, 0.5), (2000, 2600, 0.002)):
        zeros = rng.random((n, m)) < share
        yield f"{n} × {m}, zeros {share}, else ones", (~zeros).astype(float)
    labels, others = rng.integers(0, 10, 2000), rng.integers(0, 10, 2600)
    yield "2000 × 2600, ten labels", (labels[:, None] != others).astype(float)


def _processor_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
