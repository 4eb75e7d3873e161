"""A column of whole numbers is found among others, whatever affine map hides which it is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.records import normal_reference
from tests.transport.inversion.test_structure import (
    alike_from_all_sides,
    audited,
    sealed_upload,
    standardised,
)
from wassay.audit import BuyerMeasure, DisclosureClass, audit
from wassay.reference_key import ReferenceKey
from wassay.transport import Measure, project, scale_hiding
from wassay.transport.inversion import integer_combinations

Table = NDArray[np.float64]
RANDOM = np.random.default_rng(4)
AGES = RANDOM.integers(18, 90, size=200).astype(float)
OTHERS = RANDOM.normal(size=(200, 5)) @ RANDOM.normal(size=(5, 5))


def whitened(table: Table) -> Table:
    values, vectors = np.linalg.eigh(np.cov(table, rowvar=False))
    return np.asarray((table - table.mean(axis=0)) @ vectors / np.sqrt(values) @ vectors.T)


def same(found: Table, column: Table) -> bool:
    """Whether a column is another, up to sign and origin."""
    return bool(np.ptp(found - column) < 1e-9 or np.ptp(found + column) < 1e-9)


@pytest.mark.parametrize("prepare", [standardised, whitened])
def test_ages_among_gaussian_columns_come_out_exactly_from_a_sealed_upload(
    prepare: Callable[[Table], Table],
) -> None:
    table = prepare(np.column_stack([AGES, OTHERS]))
    found = integer_combinations(sealed_upload(table))
    assert found.shape == (200, 1)
    assert same(found[:, 0], AGES)


def test_the_audit_calls_ages_among_standardised_columns_exact() -> None:
    assert audited(standardised(np.column_stack([AGES, OTHERS]))) is DisclosureClass.EXACT


def test_the_audit_says_that_whitened_columns_hold_whole_numbers() -> None:
    table = whitened(np.column_stack([AGES, OTHERS]))
    reference = normal_reference(1, table.shape[1])
    key = ReferenceKey.draw(reference, scale_hiding(Measure(table)))
    pushed = project(Measure(table), reference.measure()).interpolate(0.4)
    said = audit(table, BuyerMeasure(key.conceal(pushed)), reference, isometry=key.conceal)
    assert "1 combination of the columns: whole numbers" in str(said)


def test_columns_of_different_steps_come_out_together() -> None:
    prices = np.round(RANDOM.normal(20, 3, size=200), 2)
    table = whitened(np.column_stack([AGES / 10, prices, OTHERS[:, :2]]))
    found = integer_combinations(sealed_upload(table))
    assert found.shape == (200, 2)
    assert any(same(column, AGES) for column in found.T)


def test_normal_scores_with_ties_at_random_leave_no_whole_numbers() -> None:
    table = alike_from_all_sides(np.column_stack([AGES, OTHERS]))
    assert integer_combinations(sealed_upload(table)).shape == (200, 0)
    assert audited(table) is not DisclosureClass.EXACT


def test_nothing_is_found_where_there_is_nothing_or_too_little() -> None:
    assert integer_combinations(OTHERS).shape == (200, 0)
    assert integer_combinations(np.column_stack([AGES, OTHERS])[:15]).shape == (15, 0)
    assert integer_combinations(np.ones((50, 3))).shape == (50, 0)
    assert integer_combinations(RANDOM.normal(size=(200, 25))).shape == (200, 0)
