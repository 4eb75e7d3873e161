"""Time the scores of a plan's points, in comparison with its solve."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.transport.timing import timed
from wassay.transport import cost_block, scores, solve

RUNS = 3
DIMENSION = 10
SIZES = (1000, 1000), (2000, 2000), (10_000, 2000), (4000, 4000), (8000, 8000)
GROUPS, IN_GROUPS, APART = (10, 50), 5000, (3.0, 10.0)

Points = NDArray[np.float64]


def scores_beside_solves() -> None:
    """Print the processor seconds of scores, divided by those of the solve."""
    for name, x, y in _works():
        costs = cost_block(x, y)
        a, b = np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y))
        solving, solution = timed(partial(solve, costs, a, b), RUNS, time.process_time)
        scoring, (rows, _) = timed(partial(scores, costs, solution), RUNS, time.process_time)
        print(
            f"scores, {name:<44}{scoring:6.3f} processor s, the solve {solving:.3f}: "
            f"{scoring / solving:.2f} (goal 1), {rows.method}",
            flush=True,
        )


def _works() -> Iterator[tuple[str, Points, Points]]:
    for n, m in SIZES:
        rng = np.random.default_rng(0)
        x, y = (rng.normal(size=(size, DIMENSION)) for size in (n, m))
        yield f"{n} × {m}", x, y
    for count in GROUPS:
        for apart in APART:
            rng = np.random.default_rng(1)
            # Groups of equal mass on both sides exchange none.
            centres = apart * rng.normal(size=(count, DIMENSION))[np.arange(IN_GROUPS) % count]
            x, y = (centres + 0.5 * rng.normal(size=centres.shape) for _ in "xy")
            yield f"{IN_GROUPS} × {IN_GROUPS}, {count} groups N(0, {apart:g}²) of equal mass", x, y
