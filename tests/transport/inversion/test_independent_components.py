"""Independent components are the columns that are not Gaussian; if all are, there are none."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import haar
from wassay.transport.inversion import independent_components
from wassay.transport.inversion.independent_components import (
    CONTRASTS,
    Contrast,
    least_gaussian_rotation,
)

ROWS = 2000
RANDOM = np.random.default_rng(11)
COLUMNS = {
    "exponential": RANDOM.exponential(size=ROWS),
    "uniform": RANDOM.uniform(size=ROWS),
    "Laplace": RANDOM.laplace(size=ROWS),
    "log-normal": RANDOM.lognormal(sigma=0.7, size=ROWS),
    "yes-or-no": RANDOM.integers(0, 2, size=ROWS).astype(float),
}


def correlations(table: NDArray[np.float64], found: NDArray[np.float64]) -> NDArray[np.float64]:
    both = np.asarray(np.corrcoef(np.hstack([table, found]), rowvar=False))
    return np.asarray(np.abs(both[: table.shape[1], table.shape[1] :]))


@pytest.mark.parametrize("stretch", [1.0, 30.0])
def test_each_column_that_is_not_gaussian_comes_out_whatever_its_scale(stretch: float) -> None:
    table = np.column_stack(list(COLUMNS.values()))
    table = table / table.std(axis=0) * [1, stretch, 1, stretch, 1]
    found = independent_components(table @ haar(RANDOM, 5) + 3)
    assert correlations(table, found).max(axis=1).min() > 0.98


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_each_contrast_alone_finds_columns_of_short_and_of_long_tails(contrast: Contrast) -> None:
    table = np.column_stack([COLUMNS["uniform"], COLUMNS["Laplace"], COLUMNS["yes-or-no"]])
    white = (table - table.mean(axis=0)) / table.std(axis=0) @ haar(RANDOM, 3)
    turned = white @ least_gaussian_rotation(white, contrast, RANDOM.normal(size=(3, 3))).T
    assert correlations(table, turned).max(axis=1).min() > 0.98


@pytest.mark.parametrize("contrast", CONTRASTS)
def test_the_curvature_of_a_contrast_is_the_derivative_of_its_slope(contrast: Contrast) -> None:
    y, step = np.linspace(-3, 3, 50), 1e-6
    difference = (contrast(y + step)[0] - contrast(y - step)[0]) / (2 * step)
    np.testing.assert_allclose(contrast(y)[1], difference, atol=1e-7)


@pytest.mark.parametrize(("rows", "dimension"), [(300, 2), (300, 8), (2000, 30)])
def test_nothing_comes_out_of_normal_points(rows: int, dimension: int) -> None:
    points = RANDOM.normal(size=(rows, dimension))
    assert independent_components(points).shape == (rows, 0)


def test_one_column_among_normal_ones_comes_out_alone() -> None:
    table = RANDOM.normal(size=(ROWS, 6))
    table[:, 2] = COLUMNS["exponential"] - 1
    found = independent_components(table @ haar(RANDOM, 6))
    assert found.shape[1] >= 1
    assert correlations(table, found)[2].min() > 0.95


def test_too_few_rows_for_their_axes_give_nothing() -> None:
    assert independent_components(RANDOM.exponential(size=(39, 8))).shape == (39, 0)
