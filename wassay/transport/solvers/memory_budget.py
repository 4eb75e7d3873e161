"""How much memory a solver may use for costs."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psutil

_SHARE_OF_MEMORY = 4
_LIMITS = (("memory.max", ""), ("memory.limit_in_bytes", "memory"))
"""The file with a control group's limit, and its controller's name; first for version 2, then 1."""


def default_memory_budget(root: Path = Path("/")) -> int:
    """Return a quarter of the memory that this process may use, in bytes.

    It may use the machine's memory, or less if its address space or a control group is limited.

    Parameters
    ----------
    root : Path
        The folder that has `/proc` and `/sys`.
    """
    available = min(_machine_memory(), _control_group_limit(root))
    if find_spec("resource") is not None:  # not on Windows
        import resource

        allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
        available = available if allowed == resource.RLIM_INFINITY else min(available, allowed)
    return int(available) // _SHARE_OF_MEMORY


@cache
def _machine_memory() -> int:
    return int(psutil.virtual_memory().total)


@cache
def _control_group_limit(root: Path) -> float:
    """Return the least memory limit of this process's control groups, or infinity."""
    limits = [float("inf")]
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:  # another system than Linux
        groups = []
    for line in groups:  # hierarchy:controllers:path
        _, controllers, path = line.split(":", 2)
        for name, controller in _LIMITS:
            if controller in controllers.split(","):
                limits += _limits(root / "sys/fs/cgroup" / controller, path, name)
    return min(limits)


def _limits(top: Path, path: str, name: str) -> list[int]:
    """Read the memory limits of a control group and of all groups above it.

    `path` is the group's path below the folder `top`, and `name` the file with a group's limit.
    """
    group = top / path.lstrip("/")
    found = []
    for folder in (group, *group.parents):
        # In a container, `path` may be the path on the host. Only `top` is then visible, and has
        # the container's own limit. "max" stands for no limit.
        with suppress(OSError, ValueError):
            found.append(int((folder / name).read_text()))
        if folder == top:
            break
    return found
