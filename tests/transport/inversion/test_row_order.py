"""The order of sent rows reveals by which column their table was sorted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from tests.transport.inversion.test_integer_relations import readings
from tests.transport.inversion.test_most_normal import mixed_columns, points
from tests.transport.inversion.test_structure import sealed_upload
from wassay.audit import DisclosureClass
from wassay.transport.inversion import runs_of_rows, sorting_directions

Table = NDArray[np.float64]
CITIES = ("Basel", "Bern", "Geneva", "Zug")


def customers(rows: int) -> pd.DataFrame:
    table = mixed_columns(rows, 4, 3)
    return table.assign(city=np.random.default_rng(3).choice(CITIES, rows))


def test_rows_in_the_order_of_a_column_give_its_ranks() -> None:
    table = mixed_columns(600, 4, 3).sort_values("c1")
    found = readings(points(table, jitter=True))
    assert found.disclosure_class is DisclosureClass.APPROXIMATE
    assert "the order of rows" in str(found)
    upload = sealed_upload(points(table, jitter=True))
    ranks = sorting_directions(upload).argsort(axis=0).argsort(axis=0)
    assert np.corrcoef(ranks[:, 0], np.arange(600))[0, 1] > 0.99


def test_rows_that_are_nearly_in_the_order_of_a_column_give_it_nearly_exactly() -> None:
    table = mixed_columns(600, 4, 3)
    late = table["c1"].rank().to_numpy() + np.random.default_rng(1).normal(scale=60, size=600)
    table = table.iloc[late.argsort()]
    found = sorting_directions(sealed_upload(points(table, jitter=True)))
    follows = [abs(table["c1"].corr(pd.Series(each, table.index), "spearman")) for each in found.T]
    assert max(follows) > 0.99


def test_rows_in_groups_show_where_one_city_ends() -> None:
    table = customers(600).sort_values("city")
    upload = sealed_upload(points(table, jitter=True))
    ends = np.flatnonzero(np.diff(pd.Categorical(table["city"]).codes)) + 1
    found = [
        round(each.boundary * 600) for each in runs_of_rows(upload) if each.ordered_share > 0.95
    ]
    assert len(found) == 3
    assert np.abs(np.sort(found) - ends).max() <= 3
    assert "tells rows before and after" in str(readings(points(table, jitter=True)))


@pytest.mark.parametrize("kind", ["normal", "long tails", "flags"])
def test_rows_in_a_random_order_tell_nothing_by_it(kind: str) -> None:
    for seed in range(20):
        random = np.random.default_rng(seed)
        cloud = {
            "normal": random.normal(size=(200, 5)),
            "long tails": random.lognormal(sigma=2, size=(200, 5)),
            "flags": (random.random(size=(200, 5)) < 0.3).astype(float),
        }[kind]
        assert not sorting_directions(cloud).size
        assert not [each for each in runs_of_rows(cloud) if each.ordered_share > 0.95]


def test_a_recipes_rows_in_a_random_order_are_not_read() -> None:
    assert readings(points(customers(600), jitter=True)).disclosure_class is DisclosureClass.NOTHING
