"""Time a function."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(
    work: Callable[[], Result], runs: int = 2, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, Result]:
    """Return the shortest time of several runs, and the last result."""
    best = float("inf")
    for _ in range(runs):
        start = clock()
        result = work()
        best = min(best, clock() - start)
    return best, result
