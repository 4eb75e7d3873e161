"""Whoever has a sample of the population reads more columns than principal components give."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from tests.transport.inversion.records import haar
from tests.transport.inversion.test_structure import (
    Table,
    alike_from_all_sides,
    audited,
    read_columns,
    sealed_upload,
    standardised,
)
from wassay.audit import DisclosureClass
from wassay.transport.inversion import match_axes, principal_components

RANDOM = np.random.default_rng(8)
MIXED = RANDOM.exponential(size=(1200, 3)) * [1, 3, 9] @ haar(RANDOM, 3)
"""Correlated columns, so that no principal axis is a column."""


def best(table: Table, found: Table) -> Table:
    both = np.asarray(np.corrcoef(np.hstack([table, found]), rowvar=False))
    return np.asarray(np.abs(np.diagonal(both[: table.shape[1], table.shape[1] :])))


def test_a_sample_gives_the_signs_and_the_mixture_of_the_axes() -> None:
    sent, sample = MIXED[:600], MIXED[600:]
    upload = sealed_upload(sent)
    assert read_columns(sent, principal_components(upload)) < 1
    estimates = match_axes(upload, sample)
    assert best(sent, estimates).min() > 0.99
    error = np.sqrt(np.square(estimates - sent).mean(axis=0)) / sent.std(axis=0)
    assert error.max() < 0.2


def test_a_sample_reads_a_quarter_of_the_columns_of_a_standardised_public_table() -> None:
    table = standardised(load_breast_cancer().data)
    sent, sample = table[::2], table[1::2]
    upload = sealed_upload(sent)
    assert read_columns(sent, principal_components(upload)) < 0.2
    assert np.mean(best(sent, match_axes(upload, sample)) > 0.9) > 0.25


def test_the_audit_plays_the_sample_by_the_other_half() -> None:
    assert audited(MIXED) is DisclosureClass.APPROXIMATE


@pytest.mark.parametrize("dimensions", [2, 3, 8])
def test_a_round_cloud_has_no_axes_to_match(dimensions: int) -> None:
    read = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        sent, sample = random.normal(size=(2, 100, dimensions))
        found = match_axes(sent @ haar(random, dimensions), sample)
        read += bool(found.size) and bool((best(sent, found) > 0.9).any())
    assert read <= 2


def test_normal_scores_whitened_leave_no_axes_to_match() -> None:
    table = alike_from_all_sides(MIXED)
    assert not match_axes(table[:600] @ haar(RANDOM, 3), table[600:]).size


def test_a_sample_of_other_columns_matches_nothing() -> None:
    assert match_axes(MIXED[:600], MIXED[600:, :2]).shape == (600, 0)
    assert match_axes(MIXED[:600], np.ones((5, 3))).shape == (600, 0)
