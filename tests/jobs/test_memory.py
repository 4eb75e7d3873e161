"""Freed memory of a process: kept for the next arrays, and given back when it is idle."""

import platform
import subprocess
import sys

import pytest

MIB = 2**20
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
