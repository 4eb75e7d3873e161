"""Measure sizes whose cost matrix exceeds memory."""

from __future__ import annotations

import multiprocessing
import re
import time
from pathlib import Path

from benchmarks.transport.distributions import draw
from benchmarks.transport.timing import timed
from wassay.transport import Measure, NotCertified, PointCost, solve


def beyond_memory(n: int, m: int, tolerance: float, distribution: str = "Gaussian") -> None:
    """Solve in a process of its own with costs computed from points, block by block.

    Raises
    ------
    RuntimeError
        If the process fails.
    """
    process = multiprocessing.get_context("spawn").Process(
        target=_beyond_memory, args=(n, m, tolerance, distribution)
    )
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"{n} × {m}: the process that solves it ended with {process.exitcode}.")


def _beyond_memory(n: int, m: int, tolerance: float, distribution: str) -> None:
    mu, nu = (Measure(points) for points in draw(distribution, n, m))

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

    began = time.process_time()
    seconds, certificate = timed(solved, runs=1)
    print(
        f"{n} × {m}, {distribution}: {seconds:.0f} s ({time.process_time() - began:.0f} processor "
        f"s), at most {_peak_gib():.2f} GiB, {certificate}",
        flush=True,
    )


def _peak_gib() -> float:
    """Return the peak memory of this process; `getrusage` would include the parent's."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 2**20
