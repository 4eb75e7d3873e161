"""A column of whole numbers is found among others, after any affine map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.utils import Bunch

from tests.transport.inversion.records import fixed_key, normal_reference
from tests.transport.inversion.test_structure import (
    T0,
    alike_from_all_sides,
    audited,
    sealed_upload,
    standardised,
)
from wassay.audit import BuyerMeasure, ColumnReadings, DisclosureClass, audit
from wassay.client import DisclosureError
from wassay.client.shared.disclosure_check import DisclosureCheck
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
    """Return whether two columns are equal, up to sign and origin."""
    return bool(np.ptp(found - column) < 1e-9 or np.ptp(found + column) < 1e-9)


def readings(table: Table) -> ColumnReadings:
    """Audit a sealed upload; return the columns that the service reads, by the audit."""
    reference = normal_reference(1, table.shape[1])
    key = fixed_key(reference, scale_hiding(Measure(table)))
    pushed = key.conceal(project(Measure(table), reference.measure()).interpolate(T0))
    return audit(table, BuyerMeasure(pushed), reference, isometry=key.conceal).exposures[0].columns


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


@pytest.mark.parametrize("dataset", [load_iris, load_wine, load_diabetes])
def test_whole_numbers_of_public_tables_are_exact_and_refused_though_whitened(
    dataset: Callable[..., Bunch],
) -> None:
    table = whitened(dataset(**({"scaled": False} if dataset is load_diabetes else {})).data)
    measure, reference = Measure(table), normal_reference(1, table.shape[1])
    key = fixed_key(reference, scale_hiding(measure))
    with pytest.raises(DisclosureError, match=r"\d exact combinations of columns"):
        DisclosureCheck(DisclosureClass.UP_TO_ISOMETRY).audit_request(
            measure, project(measure, reference.measure()), T0, key, shown_to_sellers=False,
            own_scores="none",
        )  # fmt: skip


def test_whole_numbers_of_thirty_whitened_columns_come_out_or_their_sums_do() -> None:
    random = np.random.default_rng(6)
    factors = random.normal(size=(300, 3)) @ random.normal(size=(3, 30))
    table = np.round(4 + factors + random.normal(size=(300, 30)))
    found = integer_combinations(sealed_upload(whitened(table)))
    assert found.shape == (300, 30)
    terms = np.column_stack([np.ones(300), found])
    sums = np.linalg.lstsq(terms, table, rcond=None)[0]
    np.testing.assert_allclose(terms @ sums, table, atol=1e-6)
    np.testing.assert_allclose(sums[1:], np.round(sums[1:]), atol=1e-6)


def test_the_audit_says_how_much_is_read_of_whitened_whole_numbers() -> None:
    (ages,) = readings(whitened(np.column_stack([AGES, OTHERS]))).combinations
    assert (ages.nearest, ages.exact) == (0, True)
    assert f"{len(np.unique(AGES))} distinct whole numbers" in str(ages)
    assert ages.correlation > 0.9


def test_what_sums_up_from_columns_that_are_read_exactly_is_not_counted_again() -> None:
    table = np.column_stack([AGES, AGES + RANDOM.integers(0, 3, size=200), OTHERS[:, 0]])
    found = readings(table)
    assert [each.column for each in found.read if each.is_exact] == [0, 1]
    assert not found.combinations


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


@pytest.mark.parametrize("kind", ["normal", "long tails", "whitened", "normal scores", "outlier"])
def test_chance_gives_no_whole_numbers(kind: str) -> None:
    for seed in range(100):
        random = np.random.default_rng(seed)
        tailed = random.standard_cauchy(size=(40, 2))
        table = {
            "normal": random.normal(size=(40, 2)),
            "long tails": tailed,
            "whitened": whitened(tailed),
            "normal scores": alike_from_all_sides(tailed),
            "outlier": np.where(np.arange(40)[:, None] == 7, 1e9, 1) * random.normal(size=(40, 2)),
        }[kind]
        assert not integer_combinations(table).size


def test_nothing_is_found_where_there_is_nothing_or_too_little() -> None:
    assert integer_combinations(OTHERS).shape == (200, 0)
    assert integer_combinations(np.column_stack([AGES, OTHERS])[:15]).shape == (15, 0)
    assert integer_combinations(np.ones((50, 3))).shape == (50, 0)
    assert integer_combinations(RANDOM.normal(size=(200, 33))).shape == (200, 0)
