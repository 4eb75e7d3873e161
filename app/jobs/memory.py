"""The memory that this process may use, and uses."""

import resource
from pathlib import Path

from .problems import OutOfMemory

STATISTICS = Path("/proc/self/statm")


def memory_limit() -> int:
    """Return the bytes of address space that this process may use; a very large number if all."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return 2**63 - 1 if limit == resource.RLIM_INFINITY else limit


def memory_in_use() -> int:
    """Return the bytes of address space that this process uses; 0 where the kernel does not say."""
    if not STATISTICS.exists():
        return 0
    return int(STATISTICS.read_text().split()[0]) * resource.getpagesize()


def require_memory(size: int) -> None:
    """Refuse before the work begins when so many bytes more cannot be had.

    Raises
    ------
    OutOfMemory
        Says what is needed at least, and what is allowed.
    """
    needed = memory_in_use() + size
    if needed > memory_limit():
        raise OutOfMemory.beyond(memory_limit(), needed)
