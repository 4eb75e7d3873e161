"""The attack that reads columns with few distinct values, and counts equal records."""

import numpy as np

from wassay.audit.attacks.column_attack import CertainCombination, Cloud, ColumnAttack, Components
from wassay.transport.inversion import repeated_values

_ROUNDING = 1e-9


def run(cloud: Cloud) -> Components:
    """Find columns with few, evenly spaced values, and return each value as a number of steps.

    A remark says how many records equal another.
    """
    candidates = np.hstack([cloud.principal, cloud.independent])
    found = repeated_values(cloud.points, candidates, cloud.least_gaussian)
    return Components(
        found, _repeated(cloud), certain=tuple(map(CertainCombination.of_whole_numbers, found.T))
    )


def _repeated(cloud: Cloud) -> str:
    """Return a remark on how many records equal another record; empty if none does."""
    # No isometry hides equal records.
    extent = float(np.ptp(cloud.points, axis=0).max())
    if extent == 0:
        return ""
    grid = np.round(cloud.points / (_ROUNDING * max(extent, float(np.abs(cloud.points).max()))))
    _, counts = np.unique(grid, axis=0, return_counts=True)
    equal = int(counts[counts > 1].sum())
    return f"{equal} records equal another, which is visible" if equal else ""


REPETITIONS = ColumnAttack("repeated values", frozenset(), run)
