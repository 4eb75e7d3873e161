"""The memory of this process: its limit, and how much is in use."""

import resource
from pathlib import Path

from .problems import OutOfMemory

STATISTICS = Path("/proc/self/statm")


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
