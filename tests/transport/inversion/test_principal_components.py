"""Principal components are the columns if these differ in variance, and arbitrary if not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.transport.inversion.records import haar
from wassay.transport.inversion import axes_of, principal_components

RANDOM = np.random.default_rng(9)


def test_the_columns_of_a_turned_table_come_out_largest_first() -> None:
    table = RANDOM.normal(size=(2000, 3)) * [1, 100, 10]
    found = principal_components(table @ haar(RANDOM, 3) + 7)
    for column, component in zip([1, 2, 0], found.T, strict=True):
        assert abs(np.corrcoef(table[:, column], component)[0, 1]) > 0.999


def test_axes_of_one_variance_are_left_out() -> None:
    table = RANDOM.normal(size=(2000, 3)) * [1, 1, 10]
    (component,) = principal_components(table).T
    assert abs(np.corrcoef(table[:, 2], component)[0, 1]) > 0.999


def test_axes_span_what_the_points_span() -> None:
    table = np.outer(np.arange(5.0), [3, 0, 4])
    axes, coordinates, variances = axes_of(table)
    np.testing.assert_allclose(np.abs(axes), [[0.6, 0, 0.8]], atol=1e-15)
    np.testing.assert_allclose(np.abs(coordinates[:, 0]), [10, 5, 0, 5, 10], atol=1e-12)
    assert variances == pytest.approx([50])
