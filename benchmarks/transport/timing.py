"""Time a function."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def timed(work: Callable[[], Result], runs: int = 2) -> tuple[float, Result]:
    """Return the shortest time of several runs, and the last result."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result
