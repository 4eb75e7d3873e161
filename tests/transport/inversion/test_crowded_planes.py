"""Rows that share a value of a column are on one plane, after any rotation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr

from tests.transport.inversion.test_integer_relations import readings, whitened
from tests.transport.inversion.test_most_normal import mixed_columns, points, turned
from wassay.audit import DisclosureClass
from wassay.transport.inversion import crowded_planes

Table = NDArray[np.float64]


def with_gaps(table: pd.DataFrame, share: float) -> pd.DataFrame:
    gaps = np.random.default_rng(0).random(len(table)) < share
    return table.assign(c0=table["c0"].mask(gaps))


@pytest.mark.parametrize("columns", [4, 10])
def test_rows_without_a_number_show_its_rank_of_all_others_without_jitter(columns: int) -> None:
    table = with_gaps(mixed_columns(800, columns, 1), 0.1)
    found = crowded_planes(turned(points(table, jitter=False)), np.empty((800, 0)))
    known = table["c0"].notna().to_numpy()
    orders = [abs(spearmanr(table["c0"][known], each[known]).statistic) for each in found.T]
    assert max(orders) > 0.9999


def test_a_recipe_with_jitter_leaves_no_plane() -> None:
    sent = points(with_gaps(mixed_columns(800, 4, 1), 0.1), jitter=True)
    assert crowded_planes(turned(sent), sent).shape == (800, 0)
    assert readings(sent).disclosure_class is DisclosureClass.NOTHING


def test_amounts_that_are_often_nothing_are_read_exactly_though_whitened() -> None:
    random = np.random.default_rng(2)
    spent = np.where(random.random(500) < 0.3, 0.0, random.gamma(2.0, size=500))
    sent = whitened(np.column_stack([spent, random.normal(size=(500, 4)) + 0.1 * spent[:, None]]))
    assert readings(sent).disclosure_class is DisclosureClass.EXACT
    found = crowded_planes(turned(sent), sent)
    assert abs(np.corrcoef(spent, found[:, 0])[0, 1]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("kind", ["normal", "equal rows", "long tails", "outlier", "few rows"])
def test_chance_puts_no_crowd_on_a_plane(kind: str) -> None:
    for seed in range(5):
        random = np.random.default_rng(seed)
        cloud = random.normal(size=(200, 5))
        cloud = {
            "normal": cloud,
            "equal rows": np.repeat(cloud[:40], 5, axis=0),
            "long tails": random.standard_cauchy(size=(200, 5)),
            "outlier": np.where(np.arange(200)[:, None] == 7, 1e9, 1) * cloud,
            "few rows": cloud[:18],
        }[kind]
        assert not crowded_planes(cloud, cloud).size
