"""Sizes whose costs fill no memory."""

from __future__ import annotations

import multiprocessing
import re
from pathlib import Path

from benchmarks.transport.timing import timed
from benchmarks.transport.works import gaussian
from wassay.transport import Measure, NotCertified, PointCost, solve


def beyond_memory(n: int, m: int, tolerance: float) -> None:
    """A matrix that is never held: costs come from the points, block by block.

    In a process of its own, whose largest memory is that of the solve.

    Raises
    ------
    RuntimeError
        That process did not come to its end.
    """
    process = multiprocessing.get_context("spawn").Process(
        target=_beyond_memory, args=(n, m, tolerance)
    )
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f"{n} × {m}: the process that solves it ended with {process.exitcode}.")


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
    print(f"{n} × {m}: {seconds:.0f} s, at most {_peak_gib():.2f} GiB, {certificate}", flush=True)


def _peak_gib() -> float:
    """The most memory of this process; `getrusage` would count that of the one that began it."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 2**20
