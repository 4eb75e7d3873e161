"""From the lattice of rows, integer columns and the push are computed exactly."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import haar
from wassay.transport.inversion import integer_columns

RANDOM = np.random.default_rng(12)


def turned(table: NDArray[np.float64], t: float) -> NDArray[np.float64]:
    return (1 - t) * table @ haar(RANDOM, table.shape[1]) + RANDOM.normal(size=table.shape[1]) * 40


def signed(columns: NDArray[np.float64]) -> set[tuple[float, ...]]:
    """Return columns minus their first values, with the signs that make first changes positive."""
    steps = columns - columns[0]
    first = np.array([column[np.flatnonzero(column)[0]] for column in steps.T])
    return {tuple(column) for column in (steps * np.sign(first)).T}


@pytest.mark.parametrize(("dimension", "largest"), [(1, 50), (4, 20), (10, 90), (16, 20), (22, 3)])
def test_every_column_of_integers_comes_out_and_the_push(dimension: int, largest: int) -> None:
    table = RANDOM.integers(0, largest + 1, size=(200, dimension)).astype(float)
    found = integer_columns(turned(table, 0.4))
    assert found is not None
    assert signed(found.columns) == signed(table)
    assert 1 - found.step == pytest.approx(0.4, abs=1e-8)


def test_columns_of_different_steps_come_out_in_the_smallest() -> None:
    table = RANDOM.integers(0, 9, size=(200, 3)) * [1.0, 2.0, 5.0]
    found = integer_columns(turned(table, 0.0))
    assert found is not None
    assert signed(found.columns) == signed(table / [1, 2, 5])


def test_columns_that_depend_on_others_do_no_harm() -> None:
    table = RANDOM.integers(0, 9, size=(200, 3)).astype(float)
    found = integer_columns(turned(np.column_stack([table, table[:, 0] * 0]), 0.2))
    assert found is not None
    assert signed(found.columns) == signed(table)


def test_points_without_a_grid_lie_on_no_lattice() -> None:
    integers = RANDOM.integers(0, 9, size=(200, 3)).astype(float)
    assert integer_columns(RANDOM.normal(size=(200, 4))) is None
    assert integer_columns(np.column_stack([integers, RANDOM.normal(size=200)])) is None
    assert integer_columns(np.ones((200, 3))) is None
    assert integer_columns(RANDOM.integers(0, 2, size=(200, 25)).astype(float)) is None
    assert integer_columns(integers[:10]) is None
