"""Run other exact solvers, each in a process that can be killed."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import lapjv
import numpy as np
import ot
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Costs = NDArray[np.float64]

PATIENCE_SECONDS = 20
"""Time limit of a solver."""

ENOUGH_ITERATIONS = 10**9


def network_simplex(costs: Costs) -> float:
    return float(ot.emd2([], [], costs, numItermax=ENOUGH_ITERATIONS))


def augmenting_paths(costs: Costs) -> float:
    """Solve by scipy's shortest augmenting paths, for equal sizes."""
    return float(costs[linear_sum_assignment(costs)].mean())


def jonker_volgenant(costs: Costs) -> float:
    """Solve by lapjv in double precision, for equal sizes."""
    columns, _, _ = lapjv.lapjv(costs, force_doubles=True)
    return float(costs[np.arange(len(costs)), columns].mean())


def jonker_volgenant_in_float32(costs: Costs) -> float:
    """Solve by lapjv as installed: single precision, without a proof."""
    columns, _, _ = lapjv.lapjv(costs.astype(np.float32))
    return float(costs[np.arange(len(costs)), columns].mean())


ANY_SIZES = {"POT": network_simplex}
EQUAL_SIZES = ANY_SIZES | {"scipy": augmenting_paths, "lapjv": jonker_volgenant}
NOT_EXACT = {"lapjv float32": jonker_volgenant_in_float32}


def timed_apart(solver: Callable[[Costs], float], costs: Costs) -> tuple[float, float] | None:
    """Return the shorter time of two runs in another process, and the cost; None if out of time."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_run, args=(solver, costs, sender), daemon=True
    )
    process.start()
    try:
        return receiver.recv() if receiver.poll(PATIENCE_SECONDS) else None
    finally:
        process.kill()
        process.join()


def _run(solver: Callable[[Costs], float], costs: Costs, answer: Connection) -> None:
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        value = solver(costs)
        seconds.append(time.perf_counter() - start)
    answer.send((min(seconds), value))
