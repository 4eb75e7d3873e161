"""The memory of this process: its limit, how much is in use, and when it is given back."""

import ctypes
import resource
from pathlib import Path

from .problems import OutOfMemory

STATISTICS = Path("/proc/self/statm")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
LARGEST_KEPT = 2**25
"""Larger arrays are always given back when they are freed: glibc allows no larger threshold."""


def memory_limit() -> int:
    """Return the limit of this process's address space, in bytes; 2⁶³ − 1 if there is no limit."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return 2**63 - 1 if limit == resource.RLIM_INFINITY else limit


def memory_in_use() -> int:
    """Return how many bytes of address space are in use; 0 if the kernel does not report that."""
    if not STATISTICS.exists():
        return 0
    return int(STATISTICS.read_text().split()[0]) * resource.getpagesize()


def require_memory(size: int) -> None:
    """Raise if `size` more bytes would exceed this process's limit.

    Raises
    ------
    OutOfMemory
        If the bytes in use and `size` together exceed the limit. The message states the sum and the
        limit.
    """
    needed = memory_in_use() + size
    if needed > memory_limit():
        raise OutOfMemory.beyond(memory_limit(), needed)


def keep_freed_memory(size: int) -> None:
    """Keep up to `size` bytes of freed memory for later arrays; only with glibc."""
    # Otherwise glibc gives the memory of large arrays back to the kernel, which maps it anew for
    # the next arrays, page by page. This took up to a sixth of an evaluation's processor time.
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_TRIM_THRESHOLD, size)
        mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT)


def give_back_freed_memory() -> None:
    """Give freed memory back to the kernel, if the C library can (glibc)."""
    malloc_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
