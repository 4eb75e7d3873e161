"""A column of exact normal quantiles is more normal than other directions, and so is found."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr

from tests.transport.inversion.records import haar
from tests.transport.inversion.test_integer_relations import readings
from wassay import Recipe
from wassay.audit import DisclosureClass
from wassay.transport.inversion import most_normal_components

Table = NDArray[np.float64]


def mixed_columns(rows: int, columns: int, seed: int, dependence: float = 0.5) -> pd.DataFrame:
    """Draw columns that depend on each other, every second one log-normal."""
    random = np.random.default_rng(seed)
    mixture = dependence * random.normal(size=(columns, columns)) + 1.2 * np.eye(columns)
    values = random.normal(size=(rows, columns)) @ mixture
    values[:, ::2] = np.exp(values[:, ::2] / 2)
    return pd.DataFrame(values, columns=[f"c{column}" for column in range(columns)])


def points(table: pd.DataFrame, *, jitter: bool) -> Table:
    return Recipe.fit(table, jitter=jitter, seed=1).apply(table, seed=2).points


def turned(sent: Table) -> Table:
    """Rotate, scale and shift points like a sealed upload, with a fixed seed."""
    return 0.6 * sent @ haar(np.random.default_rng(0), sent.shape[1]) + 3


def followed(table: pd.DataFrame, found: Table) -> list[float]:
    """Return the rank correlation of each raw column with the direction that follows it best."""
    both = np.hstack([table.to_numpy(), found])
    correlations = np.abs(np.asarray(spearmanr(both).statistic))
    best: list[float] = correlations[: table.shape[1], table.shape[1] :].max(axis=1).tolist()
    return best


def test_a_recipe_without_jitter_shows_raw_columns_to_who_looks_for_the_most_normal() -> None:
    """The search succeeds with most tables; which ones depends on how BLAS rounds."""
    read = 0
    for seed in range(8):
        table = mixed_columns(640, 4, seed)
        found = most_normal_components(turned(points(table, jitter=False)), np.empty((640, 0)))
        read += found.size > 0 and max(followed(table, found)) > 0.995
    assert read >= 4


def test_the_audit_counts_what_is_more_normal_than_chance_as_read() -> None:
    columns = readings(points(mixed_columns(640, 4, 1, dependence=0.1), jitter=False))
    assert columns.disclosure_class is DisclosureClass.APPROXIMATE
    assert {each.attack for each in columns.read} == {"the most normal directions"}


def test_with_jitter_no_direction_is_more_normal_than_chance_makes_it() -> None:
    table = mixed_columns(640, 4, 1)
    sent = points(table, jitter=True)
    assert most_normal_components(turned(sent), sent).shape == (640, 0)
    assert readings(sent).disclosure_class is DisclosureClass.NOTHING


@pytest.mark.parametrize("kind", ["normal", "uniform", "few rows"])
def test_chance_makes_no_direction_that_normal(kind: str) -> None:
    for seed in range(2):
        random = np.random.default_rng(seed)
        cloud = {
            "normal": random.normal(size=(400, 4)),
            "uniform": random.uniform(size=(400, 4)),
            "few rows": random.normal(size=(60, 4)),
        }[kind]
        assert not most_normal_components(cloud, cloud).size
