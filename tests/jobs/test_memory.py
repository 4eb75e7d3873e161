"""The memory of a process: its limit, and freed memory, which is kept for the next arrays."""

import platform
import subprocess
import sys

import pytest

from tests.jobs.conftest import (
    ToyService,
    problem_of,
    succeeds,
)

MIB = 2**20
GIB = 2**30
SCRIPT = """
import resource
import numpy as np
from app.jobs.memory import give_back_freed_memory, keep_freed_memory

def resident():
    with open("/proc/self/statm") as statistics:
        return int(statistics.read().split()[1]) * resource.getpagesize()

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

keep_freed_memory(2**30)
before = resident()
arrays = [np.ones(2**21) for _ in range(16)]
del arrays
kept, mapped = resident() - before, faults()
arrays = [np.ones(2**21) for _ in range(16)]
again = faults() - mapped
del arrays
give_back_freed_memory()
print(kept, again, resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries decide themselves")
def test_freed_memory_serves_the_next_arrays_and_is_given_back_on_request() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    kept, mapped_again, left = map(int, ran.stdout.split())

    assert kept > 200 * MIB  # of 256
    assert mapped_again < 1000  # of 65,536 pages
    assert left < 30 * MIB


def test_a_computation_beyond_the_memory_limit_reports_what_it_needs(
    service: ToyService,
) -> None:
    worker = service.start_worker("one", WASSAY_SOLVE_MEMORY_BYTES=str(GIB))
    service.ask("array", "fill", entries=2**28)
    service.ask("bytes", "hog", bytes=2 * GIB)

    of_array, of_bytes = problem_of(service, "array"), problem_of(service, "bytes")

    assert of_array["type"] == of_bytes["type"] == "/problems/out-of-memory"
    assert of_array["limit_bytes"] == of_bytes["limit_bytes"] == GIB
    assert 2 * GIB < of_array["needed_bytes"] < 3 * GIB  # 2**28 float64, and the libraries
    assert "may use only 1 GiB" in of_array["detail"]
    assert of_bytes["needed_bytes"] is None
    assert "more than 1 GiB" in of_bytes["detail"]
    succeeds(service, "next")
    assert worker.is_running()
