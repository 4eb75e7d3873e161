"""A column of few values comes out exactly from a component that follows it nearly."""

from __future__ import annotations

import numpy as np

from tests.transport.inversion.records import haar
from wassay.transport.inversion import repeated_values

RANDOM = np.random.default_rng(13)


def test_levels_that_are_linear_in_the_points_are_exact_even_if_the_cloud_is_whitened() -> None:
    table = np.column_stack([
        RANDOM.integers(0, 2, size=400),
        RANDOM.integers(0, 5, size=400),
        RANDOM.exponential(size=(400, 4)),
    ])  # fmt: skip
    points = table @ RANDOM.normal(size=(6, 6))  # any invertible map
    nearly = table[:, :2] + RANDOM.normal(size=(400, 2)) * [0.1, 0.15]
    found = repeated_values(points, np.hstack([nearly, -nearly]))
    assert found.shape == (400, 2)
    for column, levels in zip(table.T[:2], found.T, strict=True):
        assert np.array_equal(levels, column) or np.array_equal(levels, column.max() - column)


def test_levels_with_jitter_are_not_taken_for_exact() -> None:
    table = np.column_stack([RANDOM.integers(0, 2, size=400), RANDOM.normal(size=(400, 3))])
    jittered = table.copy()
    jittered[:, 0] += RANDOM.uniform(-0.3, 0.3, size=400)
    assert repeated_values(table @ haar(RANDOM, 4), table[:, :1]).shape == (400, 1)
    assert repeated_values(jittered @ haar(RANDOM, 4), table[:, :1]).shape == (400, 0)


def test_too_few_rows_prove_nothing() -> None:
    few = RANDOM.normal(size=(9, 4))
    assert repeated_values(few, few).shape == (9, 0)
