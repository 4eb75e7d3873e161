"""How much memory a solver uses for costs, inside and outside of containers."""

from pathlib import Path

import psutil
import pytest

from wassay.transport.solvers.memory_budget import default_memory_budget

MIB = 2**20


def system(root: Path, groups: str, **limits: str) -> Path:
    """Write a file system's root with the control groups of a process, and files with limits."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for file, limit in limits.items():
        path = root / "sys/fs/cgroup" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(limit + "\n")
    return root


@pytest.mark.parametrize(
    ("groups", "limits"),
    [
        ("0::/\n", {"memory.max": f"{8 * MIB}"}),
        (
            "0::/all/job\n",
            {"all/memory.max": f"{8 * MIB}", "all/job/memory.max": "max"},
        ),
        (
            "0::/all/job\n",
            {"all/memory.max": "max", "all/job/memory.max": f"{8 * MIB}"},
        ),
        (
            "4:cpu,memory:/docker/1f\n0::/\n",
            {"memory/memory.limit_in_bytes": f"{8 * MIB}"},
        ),
        ("4:memory:/job\n", {"memory/job/memory.limit_in_bytes": f"{8 * MIB}"}),
    ],
)
def test_a_quarter_of_the_least_limit_of_a_container_is_used(
    tmp_path: Path, groups: str, limits: dict[str, str]
) -> None:
    assert default_memory_budget(system(tmp_path, groups, **limits)) == 2 * MIB


def test_without_a_limit_a_quarter_of_the_machines_memory_is_the_most(tmp_path: Path) -> None:
    unlimited = system(
        tmp_path, "4:memory:/\n0::/\n", **{"memory/memory.limit_in_bytes": f"{2**63 - 4096}"}
    )
    assert default_memory_budget(unlimited) <= psutil.virtual_memory().total // 4
    assert default_memory_budget(unlimited) == default_memory_budget(tmp_path / "elsewhere")
