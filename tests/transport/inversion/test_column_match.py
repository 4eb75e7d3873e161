"""When a column counts as read: rank correlation and exact values, in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from wassay.transport.inversion import match_columns, step_of

RANDOM = np.random.default_rng(8)


def test_the_rank_correlation_is_spearmans_with_ties() -> None:
    table = np.sqrt(RANDOM.integers(0, 6, size=(50, 2)))  # its values are on no grid
    found = RANDOM.integers(0, 4, size=(50, 3)).astype(float)
    for column, match in enumerate(match_columns(table, found)):
        each = [abs(spearmanr(table[:, column], found[:, c])[0]) for c in range(3)]
        assert match is not None
        assert match.correlation == pytest.approx(max(each))
        assert match.component == int(np.argmax(each))


def test_a_column_that_comes_out_mirrored_scaled_and_shifted_is_exact() -> None:
    ages = RANDOM.integers(18, 90, size=200).astype(float)
    (match,) = match_columns(ages[:, None], (500 - 0.3 * ages)[:, None])
    assert match is not None
    assert match.correlation == pytest.approx(1)
    assert match.exact == 1


def test_yes_or_no_with_a_little_noise_is_read_by_rounding() -> None:
    smokes = RANDOM.integers(0, 2, size=200).astype(float)
    (match,) = match_columns(smokes[:, None], (smokes + RANDOM.normal(0, 0.1, size=200))[:, None])
    assert match is not None
    assert (match.correlation, match.exact) == pytest.approx((1, 1))


def test_a_value_is_exact_if_the_nearest_multiple_of_the_step_is_the_value() -> None:
    grid = np.repeat(np.arange(10.0), 8)
    error = np.tile([0.6, -0.6, 0.4, -0.4, 0.4, -0.4, 0.4, -0.4], 10)
    (match,) = match_columns(grid[:, None], (grid + error)[:, None])
    assert match is not None
    assert match.exact == pytest.approx(0.75)


def test_a_continuous_value_is_exact_to_a_millionth_of_the_deviation() -> None:
    values = RANDOM.normal(size=300)
    near, exact = values + 1e-4 * RANDOM.normal(size=300), values + 1e-8 * RANDOM.normal(size=300)
    for found, share in ((near, 0.0), (exact, 1.0)):
        (match,) = match_columns(values[:, None], found[:, None])
        assert match is not None
        assert match.exact == pytest.approx(share, abs=0.05)


def test_constant_columns_have_no_match_and_neither_has_any_without_components() -> None:
    table = np.column_stack([np.full(20, 3.0), RANDOM.normal(size=20)])
    constant, other = match_columns(table, RANDOM.normal(size=(20, 1)))
    assert constant is None
    assert other is not None
    assert match_columns(table, np.empty((20, 0))) == [None, None]


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([3.0, 5.0, 9.0, 15.0], 2.0),
        ([6.0, 10.0, 15.0], 1.0),
        ([0.1, 0.4, 0.6], 0.1),
        ([20_000.0, 143_001.0, 20_001.0], 1.0),
        ([1.0, 1.0], None),
        (np.sqrt(np.arange(1.0, 200.0)).tolist(), None),
    ],
)
def test_the_step_of_a_grid_is_the_greatest_common_divisor(
    values: list[float], step: float | None
) -> None:
    assert step_of(values) == (None if step is None else pytest.approx(step))
