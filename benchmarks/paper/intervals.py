"""Compute means over seeds and their confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import t as student

from benchmarks.paper.report import Cell

CONFIDENCE = 0.95


def with_interval(name: str, values: Sequence[float]) -> dict[str, Cell]:
    """Return cells with the mean of values, and the ends of Student's 95 % interval for it."""
    found = np.asarray(values, dtype=np.float64)
    mean, count = float(found.mean()), len(found)
    error = float(found.std(ddof=1)) / np.sqrt(count) if count > 1 else float("nan")
    reach = float(student.ppf((1 + CONFIDENCE) / 2, max(count - 1, 1))) * error
    return {name: mean, f"{name}: 95 % interval": f"{mean - reach:.2f} … {mean + reach:.2f}"}
